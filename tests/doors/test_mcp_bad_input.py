"""Whatever a client writes, the server answers in the protocol, goes on, and ends with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from mcp_types import JSONRPCError, JSONRPCResponse

from harness.terminal import Person
from mcp_client import ENVELOPE, ONRECORD, PATIENCE_S, environment, start_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp_client import ServerProcess

SECRET = "zanzibar-9f31"  # noqa: S105 - stands for what must not come back


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """A store of its own."""
    return environment(tmp_path, tmp_path / "data" / "memory.db")


@pytest.fixture
def server(tmp_path: Path, env: dict[str, str]) -> Iterator[ServerProcess]:
    """A running server."""
    with start_server(tmp_path, env, "--client", "claude-code") as running:
        yield running


def request(method: str, params: Any = None, number: Any = 1) -> bytes:
    """A request as bytes."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode()


def call(name: Any, arguments: Any = None, **more: Any) -> bytes:
    """A call as bytes."""
    return request("tools/call", {"name": name, "arguments": arguments, **more})


PARSE, INVALID, PARAMS, UNKNOWN = -32700, -32600, -32602, -32601

LINES: list[tuple[bytes, int, Any]] = [
    (b"not json at all " + SECRET.encode(), PARSE, None),
    (b"{", PARSE, None),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"', PARSE, None),
    (b"\xff\xfe\x00\x01", PARSE, None),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping\xc3"}', PARSE, None),
    (b"[" * 100_000, PARSE, None),
    (b'{"a":' * 20_000 + b"1" + b"}" * 20_000, PARSE, None),
    (b"9" * 5_000, PARSE, None),
    (b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}', PARSE, None),
    (b"x" * (10 * 1024 * 1024), INVALID, None),
    (call("remember", {"title": "x" * (10 * 1024 * 1024)}), INVALID, None),
    (b"null", INVALID, None),
    (b"7", INVALID, None),
    (b'"ping"', INVALID, None),
    (b"[]", INVALID, None),
    (b"[" + request("ping") + b"," + request("ping") + b"]", INVALID, None),
    (b"{}", INVALID, None),
    (b'{"id":1,"method":"ping"}', INVALID, None),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', INVALID, None),
    (b'{"jsonrpc":2.0,"id":1,"method":"ping"}', INVALID, None),
    (request("ping", number=None), INVALID, None),
    (request("ping", number=1.5), INVALID, None),
    (request("ping", number=True), INVALID, None),
    (request("ping", number=[1]), INVALID, None),
    (request("ping", number={"id": 1}), INVALID, None),
    (b'{"jsonrpc":"2.0","id":1,"method":7}', INVALID, 1),
    (b'{"jsonrpc":"2.0","id":1,"method":null}', INVALID, 1),
    (request("ping", [1]), PARAMS, 1),
    (request("ping", "x"), PARAMS, 1),
    (request("tools/list", {"cursor": "2"}), PARAMS, 1),
    (request(SECRET), UNKNOWN, 1),
    (request(""), UNKNOWN, 1),
    (request("notifications/initialized"), UNKNOWN, 1),
    (call(SECRET), PARAMS, 1),
    (call(None), PARAMS, 1),
    (call(["remember"]), PARAMS, 1),
    (call({}), PARAMS, 1),
    (call("Remember"), PARAMS, 1),
    (call("recall", []), PARAMS, 1),
    (call("recall", "query"), PARAMS, 1),
    (call("recall", 0), PARAMS, 1),
    (call("recall", False), PARAMS, 1),
    (request("tools/call"), PARAMS, 1),
]


@pytest.mark.parametrize(("line", "code", "number"), LINES, ids=lambda v: str(v)[:40])
def test_bad_lines_are_answered_with_a_code_and_the_server_goes_on(
    line: bytes, code: int, number: Any, server: ServerProcess
) -> None:
    """Each gets one error that names what is wrong and repeats nothing; then all is as before."""
    server.send_raw(line + b"\n")
    answer = server.read()
    JSONRPCError.model_validate(answer)
    status, rest, errors = (server.ask("ping"), *server.end())[1:]

    assert (answer["error"]["code"], answer["id"]) == (code, number)
    assert SECRET not in json.dumps(answer)
    assert (status, rest, errors) == (0, [], "")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}',
        b'{"jsonrpc":"2.0","method":"notifications/progress"}',
        b'{"jsonrpc":"2.0","method":"ping"}',
        b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"context"}}',
        b'{"jsonrpc":"2.0","method":7}',
        b'{"jsonrpc":"2.0","id":"onrecord-roots","result":7}',
        b'{"jsonrpc":"2.0","id":"onrecord-roots","error":{"code":1,"message":"no"}}',
        b'{"jsonrpc":"2.0","id":5,"result":{}}',
        b'{"jsonrpc":"2.0","id":[1],"result":{}}',
        b'{"jsonrpc":"2.0"}',
    ],
)
def test_what_is_no_request_is_not_answered(line: bytes, server: ServerProcess) -> None:
    """Notifications, empty lines and replies that nobody waits for: silence."""
    server.send_raw(line + b"\n")

    assert server.ask("ping")["result"] == {}
    assert server.end() == (0, [], "")


@pytest.mark.parametrize("number", ["", "x" * 1000, "\ud800", "\u2028", 0, -1, 10**300])
def test_ids_come_back_as_they_were(number: Any, server: ServerProcess) -> None:
    """Any string and any whole number is an id."""
    server.send_raw(request("ping", number=number) + b"\n")

    assert server.read() == {"jsonrpc": "2.0", "id": number, "result": {}}


def test_null_counts_as_left_out(server: ServerProcess) -> None:
    """Params and arguments that are null."""
    server.send_raw(request("ping") + b"\n" + call("context") + b"\n")

    assert server.read()["result"] == {}
    assert "content" in server.read()["result"]


BAD_CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("remember", {}, "field.invalid"),
    ("remember", {"title": SECRET, "text": SECRET}, "field.invalid"),
    ("remember", {"title": {"a": SECRET}}, "field.invalid"),
    ("remember", {"title": SECRET + "\ud800"}, "field.invalid"),
    ("remember", {"title": "t", "body": "\udfff" + SECRET}, "field.invalid"),
    ("remember", {"title": "t", "tags": [["a"]]}, "field.invalid"),
    ("remember", {"title": "t", "evidence": [{"kind": SECRET, "pointer": "x"}]}, "field.invalid"),
    ("remember", {"title": "t", "scope": "repo::acme/site"}, "scope.invalid"),
    ("remember", {"title": "t", "scope": "\x00" + SECRET}, "scope.invalid"),
    ("remember", {"title": "t", "replaces": SECRET}, "not_found"),
    ("remember", {"title": "t", "ttl_days": 1e308}, "field.invalid"),
    ("recall", {"query": ""}, "field.invalid"),
    ("recall", {"query": "q", "scope": ["agent:someone-else"]}, "denied"),
    ("recall", {"query": "q", "scope": ["*"]}, "scope.invalid"),
    ("recall", {"query": "q", "limit": 10**40}, "field.invalid"),
    ("get", {"id": "A"}, "not_found"),
    ("get", {"id": SECRET * 100}, "not_found"),
    ("get", {"id": "'; DROP TABLE items; --"}, "not_found"),
    ("forget", {"id": "ZZZZZZ"}, "not_found"),
    ("forget", {}, "field.invalid"),
    ("forget", {"id": "ZZZZZZ", "source": SECRET}, "field.invalid"),
    ("forget", {"source": SECRET}, "not_found"),
    ("feedback", {"id": "ZZZZZZ", "verdict": "helpful"}, "not_found"),
    ("feedback", {"id": "ZZZZZZ", "verdict": SECRET}, "field.invalid"),
    ("handoff", {}, "field.invalid"),
    ("handoff", {"action": "claim"}, "field.invalid"),
    ("handoff", {"action": "claim", "id": "ZZZZZZ"}, "not_found"),
    ("handoff", {"action": "cancel", "id": "ZZZZZZ"}, "field.invalid"),
    ("sessions", {"what": SECRET}, "field.invalid"),
]


@pytest.mark.parametrize(("tool", "given", "code"), BAD_CALLS, ids=lambda v: str(v)[:40])
@pytest.mark.parametrize("modern", [False, True])
def test_bad_calls_say_what_to_do(
    tool: str, given: dict[str, Any], code: str, *, modern: bool, server: ServerProcess
) -> None:
    """A result that the model sees: what is wrong, the way out, the code; never what was sent."""
    result = server.call(tool, ENVELOPE if modern else {}, **given)

    assert result["isError"] is True
    assert "structuredContent" not in result
    text = result["content"][0]["text"]
    assert text.endswith(f" ({code})")
    assert SECRET not in text
    assert server.end() == (0, [], "")


def test_refusals_are_structured_and_hold_no_text(server: ServerProcess) -> None:
    """What the gateway refuses is told by field, limit and size."""
    refused: list[tuple[dict[str, Any], str]] = [
        ({"title": SECRET * 100}, "shape.title_too_long"),
        ({"title": SECRET, "body": "x" * 70_000}, "shape.body_too_long"),
        ({"title": SECRET + "\nsecond line"}, "shape.title_lines"),
        ({"title": SECRET, "body": "\x00"}, "shape.nul"),
    ]
    for given, code in refused:
        result = server.call("remember", **given)
        assert "isError" not in result
        assert result["structuredContent"]["outcome"] == "refused"
        assert result["structuredContent"]["code"] == code
        assert SECRET not in json.dumps(result)


def test_requests_may_be_sent_ahead(server: ServerProcess) -> None:
    """A hundred requests in one write, without reading: a hundred answers, in order."""
    lines = [request("ping", number=n) for n in range(90)]
    lines += [
        request("tools/call", {"name": "recall", "arguments": {"query": "gate"}}, number=n)
        for n in range(90, 100)
    ]
    server.send_raw(b"\n".join(lines) + b"\n")

    assert [server.read()["id"] for _ in range(100)] == list(range(100))


def test_a_cancelled_request_may_still_be_answered(server: ServerProcess) -> None:
    """Calls are short: cancelling one changes nothing, and breaks nothing."""
    server.send_raw(
        call("recall", {"query": "gate"})
        + b'\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n'
    )

    assert server.read()["id"] == 1
    assert server.ask("ping")["result"] == {}


def test_a_last_line_without_a_break_is_answered(server: ServerProcess) -> None:
    """A client that writes and hangs up gets its answer."""
    server.send_raw(request("ping"))
    status, rest, errors = server.end()

    assert [message["result"] for message in rest] == [{}]
    assert (status, errors) == (0, "")


def test_a_client_that_hangs_up_in_the_middle_of_a_call(server: ServerProcess) -> None:
    """Nobody reads the answer: the server ends quietly, and what was saved is there."""
    server.shake_hands()
    assert server.process.stdout is not None
    server.send_raw(call("remember", {"title": "The gate opens at six", "scope": "agent"}) + b"\n")
    server.process.stdout.close()
    server.close()

    assert server.process.wait(PATIENCE_S) == 0
    assert server.process.stderr is not None
    assert server.process.stderr.read() == b""


def test_what_was_asked_before_hanging_up_is_still_saved(
    server: ServerProcess, tmp_path: Path, env: dict[str, str]
) -> None:
    """Writing a call and closing at once is a call all the same."""
    server.send_raw(call("remember", {"title": "The gate opens at six", "scope": "agent"}) + b"\n")
    status, rest, errors = server.end()
    with start_server(tmp_path, env, "--client", "claude-code") as other:
        found = other.call("recall", query="gate opens")

    assert (status, errors) == (0, "")
    assert rest[0]["result"]["structuredContent"]["outcome"] == "created"
    assert "The gate opens at six" in found["content"][0]["text"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_at_once_and_quietly(
    number: signal.Signals, server: ServerProcess
) -> None:
    """Clients end their servers by signal; nothing is printed, nothing hangs."""
    server.shake_hands()
    server.call("context")
    server.process.send_signal(number)

    assert server.process.wait(PATIENCE_S) == -number
    assert server.process.stderr is not None
    assert server.process.stderr.read() == b""
    assert server.read_line() == b""


def test_a_person_who_starts_it_by_hand_is_told_what_it_is(tmp_path: Path) -> None:
    """On a terminal it says whom it is for, and ends with the input."""
    person = Person(tmp_path, env={"ONRECORD_DB": str(tmp_path / "data" / "memory.db")})
    with person.open([ONRECORD, "mcp"]) as terminal:
        terminal.see("speaks MCP for agent CLIs")
        terminal.type("\x04")
        assert terminal.wait().exit_code == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_without_standard_streams_it_ends(
    closed: str, tmp_path: Path, env: dict[str, str]
) -> None:
    """Where input or output is closed there is nobody to talk to."""
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", ONRECORD, "mcp"],
        input=b"" if closed == "<&-" else request("ping") + b"\n",
        capture_output=True,
        cwd=tmp_path,
        env=env,
        timeout=PATIENCE_S,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_closed_standard_error_changes_nothing(tmp_path: Path, env: dict[str, str]) -> None:
    """A client may give no place for errors."""
    done = subprocess.run(
        ["sh", "-c", '"$@" 2>&-', "sh", ONRECORD, "mcp"],
        input=request("ping") + b"\n" + call("context") + b"\n",
        capture_output=True,
        cwd=tmp_path,
        env=env,
        timeout=PATIENCE_S,
        check=False,
    )

    answers = [JSONRPCResponse.model_validate_json(line) for line in done.stdout.splitlines()]
    assert [answer.id for answer in answers] == [1, 1]


@pytest.mark.parametrize("store", ["/dev/null", "/proc/nothing/memory.db", "{folder}"])
def test_a_store_that_cannot_be_opened_is_told_at_each_call(
    store: str, tmp_path: Path, env: dict[str, str]
) -> None:
    """The handshake works, a call says what is wrong with the store, and the server goes on."""
    where = store.format(folder=tmp_path)
    with start_server(tmp_path, {**env, "ONRECORD_DB": where}) as server:
        server.shake_hands()
        results = [server.call("context"), server.call("recall", query="gate")]
        status, _, errors = server.end()

    for result in results:
        assert result["isError"] is True
        assert "(store" in result["content"][0]["text"]
    assert (status, errors) == (0, "")


def test_a_fault_of_ours_is_one_line_without_text(tmp_path: Path, env: dict[str, str]) -> None:
    """An exception nobody foresaw: the model is told, the log names its class, no traceback."""
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(
        "import sys\nsys.modules['onrecord.config'] = None\n", encoding="utf-8"
    )
    with start_server(tmp_path, {**env, "PYTHONPATH": str(broken)}) as server:
        result = server.call("remember", title=SECRET)
        status, _, errors = server.end()

    assert result["isError"] is True
    assert result["content"][0]["text"].endswith("(internal)")
    assert errors == "onrecord: ModuleNotFoundError in remember\n"
    assert status == 0


def test_nothing_but_the_protocol_is_on_standard_output(
    tmp_path: Path, env: dict[str, str]
) -> None:
    """What libraries and programs print goes to standard error, and none of them reads ours."""
    noisy = tmp_path / "noisy"
    noisy.mkdir()
    (noisy / "sitecustomize.py").write_text(
        "import os, sys\n"
        "class Noise:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'onrecord.config':\n"
        "            print('printed')\n"
        "            os.system('echo echoed; cat')\n"
        "sys.meta_path.insert(0, Noise())\n",
        encoding="utf-8",
    )
    with start_server(tmp_path, {**env, "PYTHONPATH": str(noisy)}) as server:
        server.send_raw(call("context") + b"\n" + request("ping", number=2) + b"\n")
        answers = [server.read(), server.read()]
        status, rest, errors = server.end()

    assert [answer["id"] for answer in answers] == [1, 2]
    assert (status, rest) == (0, [])
    assert set(errors.split()) == {"printed", "echoed"}


@pytest.mark.parametrize(
    "wrong",
    [
        ["--client"],
        ["--stor", "x"],
        ["serve"],
        ["--client", "two words"],
        ["--client", "x\ny"],
        ["--client", "x" * 65],
        ["--client", "-"],
    ],
)
def test_a_wrong_command_line_is_told_on_standard_error(
    wrong: list[str], tmp_path: Path, env: dict[str, str]
) -> None:
    """Usage, status 2, and not a byte where the protocol would be."""
    done = subprocess.run(
        [ONRECORD, "mcp", *wrong],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=tmp_path,
        env=env,
        timeout=PATIENCE_S,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, b"")
    what, *way_out = done.stderr.splitlines()
    assert what.startswith(b"onrecord: ")
    assert len(way_out) <= 1
    assert all(line.startswith(b"  ") for line in way_out)
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - names alone are wanted
