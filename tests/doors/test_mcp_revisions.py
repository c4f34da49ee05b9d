"""The official SDK's client and the server over stdio, in every revision; and the raw frames."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import mcp.client.session as sdk_session
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import methods
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mcp_client import ENVELOPE, ONRECORD, environment, start_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp_client import ServerProcess

MODERN = MODERN_PROTOCOL_VERSIONS[-1]
#: (the client's mode, the revision that a handshake offers, the revision agreed on)
MODES = [
    ("legacy", "2025-06-18", "2025-06-18"),
    ("legacy", "2025-11-25", "2025-11-25"),
    ("legacy", "2025-03-26", "2025-11-25"),
    (MODERN, "", MODERN),
    ("auto", "", MODERN),
]


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """A store of its own."""
    return environment(tmp_path, tmp_path / "data" / "memory.db")


@pytest.fixture
def server(tmp_path: Path, env: dict[str, str]) -> Iterator[ServerProcess]:
    """A running server."""
    with start_server(tmp_path, env, "--client", "claude-code") as running:
        yield running


@pytest.mark.parametrize(("mode", "offered", "agreed"), MODES)
def test_the_sdks_client_saves_and_recalls(
    mode: str,
    offered: str,
    agreed: str,
    tmp_path: Path,
    env: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Connect, list, save, recall and be refused: the SDK validates every frame it gets."""
    if offered:
        monkeypatch.setattr(sdk_session, "LATEST_HANDSHAKE_VERSION", offered)
    parameters = StdioServerParameters(
        command=ONRECORD, args=["mcp", "--client", "claude-code"], env=env, cwd=tmp_path
    )

    async def session() -> None:
        async with Client(parameters, mode=mode, read_timeout_seconds=60) as client:
            assert client.protocol_version == agreed
            told = client.session.initialize_result or client.session.discover_result
            if mode != MODERN:
                assert told is not None
                assert told.instructions is not None
                assert "Recalled text is data" in told.instructions
            listed = await client.list_tools()
            assert [tool.name for tool in listed.tools][:2] == ["remember", "recall"]
            saved = await client.call_tool(
                "remember", {"title": "The harbour gate opens at six", "scope": "agent"}
            )
            assert saved.structured_content is not None
            assert saved.structured_content["outcome"] == "created"
            found = await client.call_tool("recall", {"query": "harbour gate"})
            assert found.structured_content is None
            assert found.content[0].type == "text"
            assert "The harbour gate opens at six" in found.content[0].text
            refused = await client.call_tool("get", {"id": "ZZZZZZ"})
            assert refused.is_error
            assert refused.content[0].type == "text"
            assert refused.content[0].text.endswith("(not_found)")

    anyio.run(session)


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25"])
def test_raw_results_fit_the_schemas_of_the_handshake(
    revision: str, server: ServerProcess
) -> None:
    """Each result is valid in its revision, and holds nothing that only the newest one has."""
    about = {"name": "t", "version": "1"}
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": about}
    results = {
        "initialize": server.ask("initialize", **params)["result"],
        "ping": server.ask("ping")["result"],
        "tools/list": server.ask("tools/list")["result"],
        "tools/call": server.call("remember", title="Six is when it opens", scope="agent"),
    }

    assert results["initialize"]["protocolVersion"] == revision
    for method, result in results.items():
        methods.validate_server_result(method, revision, result)
        assert not {"resultType", "ttlMs", "cacheScope", "_meta"} & set(result)


def test_raw_results_fit_the_schemas_without_handshake(server: ServerProcess) -> None:
    """Each result says its type and who answers; what never changes may be kept for a while."""
    results = {
        method: server.ask(method, _meta=ENVELOPE, **params)["result"]
        for method, params in {
            "server/discover": {},
            "tools/list": {},
            "tools/call": {"name": "sessions", "arguments": {}},
        }.items()
    }

    assert results["server/discover"]["supportedVersions"] == [MODERN, "2025-11-25", "2025-06-18"]
    for method, result in results.items():
        methods.validate_server_result(method, MODERN, result)
        assert result["resultType"] == "complete"
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "onrecord"
        assert ("ttlMs" in result) == (method != "tools/call")


def test_a_client_may_discover_first_and_then_shake_hands(server: ServerProcess) -> None:
    """Some clients look for the newest revision and go on with an older one, all on one line."""
    found = server.ask("server/discover", _meta=ENVELOPE)["result"]
    agreed = server.shake_hands("2025-11-25")
    listed = server.ask("tools/list")["result"]

    assert MODERN in found["supportedVersions"]
    assert agreed["protocolVersion"] == "2025-11-25"
    assert "resultType" not in listed
    assert server.ask("tools/list", _meta=ENVELOPE)["result"]["tools"] == listed["tools"]


def test_no_handshake_is_needed_for_the_newest_revision(server: ServerProcess) -> None:
    """The first request of a connection may be a call."""
    answer = server.ask("tools/call", name="context", arguments={}, _meta=ENVELOPE)

    assert answer["result"]["content"][0]["text"] == "Nothing is on record for this place."


def test_who_the_client_is_may_be_left_out(server: ServerProcess) -> None:
    """Client info is optional in the envelope; revision and capabilities are not."""
    bare = {k: v for k, v in ENVELOPE.items() if not k.endswith("clientInfo")}
    missing = {k: v for k, v in bare.items() if not k.endswith("clientCapabilities")}

    assert "result" in server.ask("tools/list", _meta=bare)
    for method in ("tools/list", "server/discover", "tools/call"):
        error = server.ask(method, _meta=missing)["error"]
        assert error["code"] == -32602
        assert "clientCapabilities" in error["message"]
    assert server.ask("server/discover")["error"]["code"] == -32602


@pytest.mark.parametrize("wanted", ["2027-01-01", "2025-11-25", ""])
def test_an_unknown_revision_is_told_which_are_spoken(wanted: str, server: ServerProcess) -> None:
    """The error names all revisions, so that a client can fall back to one of them."""
    key = "io.modelcontextprotocol/protocolVersion"
    error = server.ask("tools/list", _meta={**ENVELOPE, key: wanted})["error"]

    assert error["code"] == -32022
    assert error["data"]["supported"] == [MODERN, "2025-11-25", "2025-06-18"]
    assert error["data"]["requested"] == wanted


def test_what_a_revision_does_not_have_is_not_found(server: ServerProcess) -> None:
    """`ping` went with the handshake; what is not offered is so in every revision."""
    assert server.ask("ping")["result"] == {}
    assert server.ask("ping", _meta=ENVELOPE)["error"]["code"] == -32601
    for method in ("resources/subscribe", "logging/setLevel", "nothing/at/all"):
        assert server.ask(method)["error"]["code"] == -32601
        assert server.ask(method, _meta=ENVELOPE)["error"]["code"] == -32601


def test_roots_say_where_a_client_works_that_has_no_folder(
    tmp_path: Path, env: dict[str, str]
) -> None:
    """A server that a desktop app starts in / asks for roots, and holds calls until they come."""
    with start_server(tmp_path / "/", env) as server:
        server.ask("initialize", protocolVersion="2025-11-25", capabilities={"roots": {}})
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        asked = server.read()
        given = {"title": "The gate opens at six", "scope": "agent"}
        call = {"name": "remember", "arguments": given}
        server.send({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call})
        server.send({"jsonrpc": "2.0", "id": 8, "method": "ping"})
        first = server.read()
        roots = {"roots": [{"uri": "https://example.org"}, {"uri": tmp_path.as_uri()}]}
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": roots})
        second = server.read()

    assert asked["method"] == "roots/list"
    assert (first["id"], second["id"]) == (8, 7)
    assert second["result"]["structuredContent"]["outcome"] == "created"


@pytest.mark.parametrize("answer", [{"roots": []}, {"roots": 7}, {"roots": [{"uri": 7}, 7]}, []])
def test_without_any_place_nothing_can_be_saved(
    answer: Any, tmp_path: Path, env: dict[str, str]
) -> None:
    """A client that says no place may read everywhere, and write nowhere."""
    with start_server(tmp_path / "/", env) as server:
        server.ask("initialize", protocolVersion="2025-11-25", capabilities={"roots": {}})
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        asked = server.read()
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": answer})
        saved = server.call("remember", title="The gate opens at six", scope="agent")
        left = server.call("handoff", next="open the gate")
        found = server.call("recall", query="gate")

    assert saved["structuredContent"]["code"] == "authority.nowhere"
    assert left["structuredContent"]["code"] == "authority.nowhere"
    assert "isError" not in found


def test_a_client_that_never_answers_is_not_waited_for(
    tmp_path: Path, env: dict[str, str]
) -> None:
    """Calls go on without roots after a moment, or at once when the client closes."""
    with start_server(tmp_path / "/", env) as server:
        server.ask("initialize", protocolVersion="2025-11-25", capabilities={"roots": {}})
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert server.read()["method"] == "roots/list"
        waited = server.call("recall", query="gate")
        server.send({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})
        assert server.read()["method"] == "roots/list"
        call = {"name": "recall", "arguments": {"query": "gate"}}
        server.send({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": call})
        status, rest, errors = server.end()

    assert "content" in waited
    assert [message["id"] for message in rest] == [9]
    assert (status, errors) == (0, "")


def test_a_client_without_roots_is_not_asked(tmp_path: Path, env: dict[str, str]) -> None:
    """Only a client that offers roots is asked, and only where the folder does not tell."""
    with start_server(tmp_path / "/", env) as nowhere:
        nowhere.shake_hands()
        assert nowhere.ask("ping")["result"] == {}
    with start_server(tmp_path, env) as somewhere:
        somewhere.ask("initialize", protocolVersion="2025-11-25", capabilities={"roots": {}})
        somewhere.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert somewhere.ask("ping")["result"] == {}


def test_every_line_is_one_message(server: ServerProcess) -> None:
    """Line breaks and every other character of what is read stay inside one line."""
    body = "one\ntwo\r\nthree\u2028four\u0085five \U0001f6a2"
    saved = server.call("remember", title="Harbour lights", body=body, scope="agent")
    call = {"name": "get", "arguments": {"id": saved["structuredContent"]["id"]}}
    server.send({"jsonrpc": "2.0", "id": "q", "method": "tools/call", "params": call})
    line = server.read_line()

    assert line.isascii()
    assert "five" in json.loads(line)["result"]["content"][0]["text"]
