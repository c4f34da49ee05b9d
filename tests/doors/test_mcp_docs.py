"""The reference of the MCP server names every tool, argument, outcome, code and revision."""

from __future__ import annotations

import json
from typing import Final

import pytest

from corpora import ROOT
from onrecord.domain import errors
from onrecord.doors.mcp import protocol
from onrecord.doors.mcp.tools import KINDS, TOOLS

REFERENCE: Final = (ROOT / "docs" / "reference" / "mcp.md").read_text(encoding="utf-8")

pytestmark = pytest.mark.docs


@pytest.mark.parametrize("tool", TOOLS, ids=[tool["name"] for tool in TOOLS])
def test_the_reference_has_each_tool_with_its_arguments(tool: dict[str, object]) -> None:
    """A row each, with the required ones in bold and every allowed word."""
    row = next(line for line in REFERENCE.splitlines() if line.startswith(f"| `{tool['name']}` |"))
    form = json.loads(json.dumps(tool["inputSchema"]))

    for name, given in form["properties"].items():
        assert f"`{name}`" in row
        assert (f"**`{name}`**" in row) == (name in form["required"])
        if name not in ("kind", "evidence"):
            assert all(f"`{word}`" in row for word in given.get("enum", []))


def test_the_reference_has_kinds_outcomes_and_revisions() -> None:
    """Every word that a client may send or get."""
    outcome = next(tool for tool in TOOLS if tool["name"] == "remember")["outputSchema"]
    words = [*KINDS, *outcome["properties"]["outcome"]["enum"], *outcome["properties"]]

    assert [
        word for word in words if f"`{word}`" not in REFERENCE and f'"{word}"' not in REFERENCE
    ] == []
    for revision in (*protocol.MODERN, *protocol.HANDSHAKE):
        assert revision in REFERENCE
    for code in (protocol.PARSE_ERROR, protocol.METHOD_NOT_FOUND, protocol.UNSUPPORTED_VERSION):
        assert str(code) in REFERENCE


def test_the_reference_has_the_codes_of_errors() -> None:
    """Codes that stand in the table are codes of the program."""
    known = {
        kind.code
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.OnrecordError)
    }
    table = REFERENCE.partition("## Errors")[2].partition("Errors of the protocol")[0]
    named = {
        word.strip("` ")
        for line in table.splitlines()
        if line.startswith("| `")
        for word in line.split("|")[1].split(",")
    }

    assert named <= known
    assert {"field.invalid", "not_found", "denied", "internal"} <= named
