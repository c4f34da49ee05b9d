"""Any lines at all: one valid answer to each request, in order, and never a fault of ours."""

from __future__ import annotations

import copy
import json
import os
import shutil
import tempfile
from typing import Any, Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_types import JSONRPCError, JSONRPCResponse

from mcp_client import ENVELOPE
from onrecord.doors.mcp import tools
from onrecord.doors.mcp.lines import ENDED, Lines
from onrecord.doors.mcp.stdio import Server

GOLDEN: Final = copy.deepcopy(tools.TOOLS)
NAMES: Final = [tool["name"] for tool in GOLDEN]

#: Text with what breaks programs in it: NUL, lone surrogates, ends of lines, quotes, markup.
TEXT: Final = st.lists(
    st.one_of(
        st.characters(),
        st.sampled_from(["\x00", "\ud800", "\u2028", "'", '"', "<", "`", "%", "\U000e0041"]),
    ),
    max_size=30,
).map("".join)
VALUE: Final = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema allows, as far as it says."""
    kind = "enum" if "enum" in schema else schema["type"]
    if kind == "object":
        optional = {name: fitting(form) for name, form in schema["properties"].items()}
        needed = {name: optional.pop(name) for name in schema.get("required", [])}
        return st.fixed_dictionaries(needed, optional=optional)
    if kind == "array":
        return st.lists(fitting(schema["items"]), max_size=3)
    forms: dict[str, st.SearchStrategy[Any]] = {
        "enum": st.sampled_from(schema.get("enum") or [""]),
        "string": TEXT | st.sampled_from(["agent", "repo", "global", "the gate opens at six"]),
        "boolean": st.booleans(),
        "integer": st.integers(schema.get("minimum", 0), schema.get("maximum", 10_000)),
        "number": st.floats(0, 1_000),
    }
    return forms[kind]


def arguments(tool: str) -> st.SearchStrategy[Any]:
    """Arguments of a tool: as its schema has them, one of them odd, or anything."""
    schema = tools.SCHEMAS[tool]
    fits = fitting(schema)
    names = st.sampled_from(sorted(schema["properties"])) | TEXT
    odd = st.builds(lambda base, name, value: {**base, name: value}, fits, names, VALUE)
    return st.one_of(fits, fits, fits, odd, VALUE)


def calls() -> st.SearchStrategy[dict[str, Any]]:
    """Requests that call a tool."""
    return st.sampled_from(NAMES).flatmap(
        lambda tool: st.fixed_dictionaries(
            {"name": st.just(tool), "arguments": arguments(tool)},
            optional={
                "_meta": st.just(ENVELOPE)
                | st.just({"sessionId": "s1", "callId": "c1"})
                | st.just({"claudecode/toolUseId": "toolu_1"})
                | VALUE
            },
        )
    )


IDS: Final = st.integers() | TEXT
REQUESTS: Final = st.one_of(
    st.tuples(st.just("tools/call"), calls() | VALUE),
    st.tuples(
        st.sampled_from(["initialize", "ping", "tools/list", "server/discover", "resources/list"]),
        VALUE | st.fixed_dictionaries({"_meta": st.just(ENVELOPE) | VALUE}),
    ),
    st.tuples(TEXT, VALUE),
)
JUNK: Final = st.one_of(
    st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")),
    VALUE.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0") | VALUE},
        optional={"id": VALUE, "method": VALUE, "params": VALUE, "result": VALUE},
    ).map(lambda message: json.dumps(message).encode()),
)


def request(number: object, method: object, params: object) -> bytes:
    """A request as a line."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode()


class Connection:
    """A server in this process, between two pipes, on a store of its own."""

    def __init__(self, folder: str) -> None:
        there, self.near = os.pipe()
        self.far, here = os.pipe()
        self.lines = Lines(there, here)
        store = f"{folder}/data/memory.db"
        self.server = Server(self.lines, client="codex", store=store, name="")
        self.open = [there, self.near, self.far, here]

    def answers(self, line: bytes) -> list[dict[str, Any]]:
        """What the server answers to one line."""
        os.write(self.near, line + b"\n")
        taken = self.lines.take()
        assert taken != ENDED
        self.server.take(taken)
        os.set_blocking(self.far, False)
        found = b""
        while True:
            try:
                found += os.read(self.far, 1 << 20)
            except BlockingIOError:
                return [json.loads(each) for each in found.splitlines()]

    def close(self) -> None:
        """End it."""
        self.server.close()
        for descriptor in self.open:
            os.close(descriptor)


def play(lines: list[Any]) -> list[dict[str, Any]]:
    """Every answer to the lines; raises where one is not what it must be."""
    folder = tempfile.mkdtemp()
    connection = Connection(folder)
    told: list[dict[str, Any]] = []
    try:
        for line in lines:
            junk = isinstance(line, bytes)
            found = connection.answers(line if junk else request(line[0], *line[1]))
            assert len(found) <= 1
            for answer in found:
                kind = "result" if "result" in answer else "error"
                (JSONRPCResponse if kind == "result" else JSONRPCError).model_validate(answer)
                assert set(answer) == {"jsonrpc", "id", kind}
                assert "(internal)" not in json.dumps(answer), (line, answer)
            if not junk:
                assert [answer["id"] for answer in found] == [line[0]]
            told += found
        listed = connection.answers(request(1, "tools/list", None))
    finally:
        connection.close()
        shutil.rmtree(folder)

    assert listed[0]["result"]["tools"] == GOLDEN
    return told


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(lines=st.lists(st.tuples(IDS, REQUESTS) | JUNK, min_size=1, max_size=12))
def test_any_lines_are_answered_in_the_protocol(lines: list[Any]) -> None:
    """Each request has its one answer under its id, junk has at most one, nothing else comes."""
    play(lines)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.lists(calls(), min_size=2, max_size=8))
def test_any_arguments_are_answered_with_a_result(data: list[dict[str, Any]]) -> None:
    """Whatever a tool is given and whatever is on record, it answers; the list stays the same."""
    told = play([(n, ("tools/call", call)) for n, call in enumerate(data)])

    for answer, call in zip(told, data, strict=True):
        if isinstance(call["arguments"], dict | None) and "error" in answer:
            assert call.get("_meta") != ENVELOPE
        if "result" in answer:
            assert len(answer["result"]["content"]) == 1
