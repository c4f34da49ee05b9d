"""Reading JSON without a JSON module: the right values, and nothing from anything else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from onrecord.capture.light_json import LightJson

ANSWER = {"outcome": "created", "say": "Saved “x”.", "undo": 7}
#: Half of a character pair: JavaScript that cuts a text between the halves sends it.
HALF = "\\ud83d"
NOTHING = ("", "", 0, "")


@pytest.fixture
def reader() -> LightJson:
    """A reader as a hook has it."""
    return LightJson()


@pytest.mark.parametrize(
    "response",
    [
        {"structuredContent": ANSWER, "content": [{"type": "text", "text": "-"}]},
        json.dumps(ANSWER),
        json.dumps(ANSWER, ensure_ascii=False),
    ],
    ids=["object", "text", "text as it is"],
)
def test_a_change_is_read_from_either_form(reader: LightJson, response: object) -> None:
    """The answer stands in the payload as an object or as the text of one."""
    payload = {"tool_input": {"title": "x"}, "tool_response": response}

    assert reader.change(json.dumps(payload)) == ("created", "Saved “x”.", 7, "x")


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        ({"tool_response": "no JSON"}, NOTHING),
        ({"tool_response": "[1, 2]"}, NOTHING),
        ({"tool_response": [ANSWER]}, NOTHING),
        ({"tool_response": {"structuredContent": "text"}}, NOTHING),
        ({"tool_response": {"structuredContent": {"say": 1, "undo": "7"}}}, NOTHING),
        ({"tool_response": json.dumps({"undo": 10**30, "say": "s"})}, ("", "s", 0, "")),
        ({"tool_input": {"title": ["x"]}}, ("", "", 0, '["x"]')),
        ({"tool_input": "x"}, NOTHING),
        ([], NOTHING),
        (None, NOTHING),
    ],
)
def test_what_has_another_shape_is_not_there(reader: LightJson, payload: Any, found: Any) -> None:
    """Every part that is missing or of another kind is empty, the others stay."""
    assert reader.change(json.dumps(payload)) == found


def test_what_was_shown_is_read_from_a_record(reader: LightJson) -> None:
    """Lists that are no pairs of an id and a version are passed over."""
    shown = [["a", 1], ["b"], [], ["d", "2"], [3, 3], ["e", 3]]
    record = {"session": "s", "source": "startup", "shown": shown}

    assert reader.delivered(json.dumps(record)) == ("s", "startup", [("a", 1), ("e", 3)])
    assert reader.delivered(json.dumps({"session": "s"})) == ("s", "", [])
    assert reader.delivered(json.dumps({"session": 1, "shown": {}})) == ("", "", [])
    assert reader.delivered(json.dumps({"session": "s", "shown": ["a"]})) == ("", "", [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[1",
        "[" * 3000 + "]" * 3000,
        f'{{"tool_input": {{"title": "{HALF}"}}, "session": "{HALF}", "shown": [["{HALF}", 1]]}}',
        '{"tool_response": "{\\"say\\": \\"\\\\ud83d\\"}", "session": "\ud83d"}',
    ],
    ids=["empty", "words", "cut", "deep", "half a character", "half a character inside"],
)
def test_what_cannot_be_read_is_nothing(reader: LightJson, text: str) -> None:
    """A hook goes on whatever it was sent."""
    assert reader.change(text) == NOTHING
    assert reader.delivered(text) == ("", "", [])
