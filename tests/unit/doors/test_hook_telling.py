"""What a person is told after one of our own tools ran."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from hooked import Answer, Hooked

if TYPE_CHECKING:
    from pathlib import Path

CLIENTS = ["claude-code", "codex"]
SAY = "Noted as proposal m:3ADNZC; it waits for the user's approval (onrecord review)."
REVIEW = "Run: onrecord review. Undo: onrecord undo 7"


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    """A home with a store."""
    made = Hooked(tmp_path)
    made.remember("Install with pnpm")
    return made


def answered(client: str, shape: dict[str, Any]) -> Any:
    """A tool's structured answer in the form in which each client tells it."""
    if client == "codex":
        text = [{"type": "text", "text": shape.get("say", "")}]
        return {"content": text, "structuredContent": shape}
    return json.dumps(shape)


def after(
    hooked: Hooked, client: str, shape: dict[str, Any], tool: str = "remember", **given: Any
) -> Answer:
    """The hook after one call."""
    return hooked.call(
        "PostToolUse",
        client=client,
        tool_name=f"mcp__onrecord__{tool}",
        tool_input=given,
        tool_response=answered(client, shape),
        tool_use_id="toolu_1",
    )


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("created", 'onrecord: saved "Use bun". Undo: onrecord undo 7'),
        ("updated", 'onrecord: changed "Use bun". Undo: onrecord undo 7'),
        ("proposed", f'onrecord: "Use bun" waits for your approval. {REVIEW}'),
        ("conflict", f'onrecord: "Use bun" waits beside what it differs from. {REVIEW}'),
        ("refused", f"onrecord: {SAY}"),
        ("corroborated", f"onrecord: {SAY}"),
    ],
)
def test_each_save_is_told_with_the_way_back(
    hooked: Hooked, client: str, outcome: str, said: str
) -> None:
    """By its title, to the person alone: the model has the tool's own answer."""
    answer = after(hooked, client, {"outcome": outcome, "say": SAY, "undo": 7}, title="Use bun")

    assert answer.told == {"systemMessage": said}
    assert [record["event"] for record in hooked.records] == ["post_tool"]
    assert hooked.records[0]["tool_use_id"] == "toolu_1"


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("tool", ["forget", "handoff", "feedback"])
def test_other_changes_are_told_in_their_own_words(hooked: Hooked, client: str, tool: str) -> None:
    """The tool's sentence, cut to a line."""
    answer = after(hooked, client, {"outcome": "created", "say": "a\nb " + "x" * 900}, tool)

    assert answer.said.startswith("onrecord: a b x")
    assert len(answer.said) <= 410


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("tool", ["recall", "get", "context", "sessions", "nonesuch"])
def test_reading_is_not_told(hooked: Hooked, client: str, tool: str) -> None:
    """Nothing changed."""
    assert after(hooked, client, {"outcome": "created", "say": SAY}, tool).raw == b""


@pytest.mark.parametrize("client", CLIENTS)
def test_another_servers_tools_are_not_ours(hooked: Hooked, client: str) -> None:
    """Whatever they answer is not announced as ours."""
    for name in ("mcp__other__remember", "remember", "xmcp__onrecord__remember"):
        answer = hooked.call(
            "PostToolUse",
            client=client,
            tool_name=name,
            tool_input={"title": "Use bun"},
            tool_response=answered(client, {"outcome": "created", "say": SAY, "undo": 7}),
        )
        assert answer.raw == b""


@pytest.mark.parametrize(
    "response",
    [None, "", "plain words", "{", "[]", 7, [], [{"type": "text", "text": "{}"}], {"content": 5}],
)
def test_answers_of_no_known_form_are_not_told(hooked: Hooked, response: object) -> None:
    """Nothing is made up, and raw JSON is never shown."""
    for client in CLIENTS:
        answer = hooked.call(
            "PostToolUse",
            client=client,
            tool_name="mcp__onrecord__remember",
            tool_input={"title": "Use bun"},
            tool_response=response,
        )
        assert answer.raw == b""
    assert hooked.faults == []


def test_a_title_cannot_drive_a_terminal(hooked: Hooked) -> None:
    """It is one printable line of a bounded length."""
    title = "red \x1b[31m\u202e\r\nforged: approve all " + "x" * 300
    said = after(hooked, "claude-code", {"outcome": "created", "undo": 1}, title=title).said

    assert said.isprintable()
    assert len(said) < 140
