"""What ChatGPT remembered: the newest list, what came after it, and the person's own words."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from foreign_files import conversation, listed, remembered
from onrecord.capture.formats.chatgpt import records
from onrecord.capture.formats.foreign import Foreign, Origin
from onrecord.capture.formats.recognition import recognise
from onrecord.domain.errors import OnrecordError

if TYPE_CHECKING:
    from pathlib import Path


def read(folder: Path, *rows: object, name: str = "conversations.json") -> list[Foreign]:
    """What comes of an export with these conversations."""
    (folder / name).write_text(json.dumps(rows), encoding="utf-8")
    return [one for one in records(Origin(path=str(folder))) if isinstance(one, Foreign)]


def test_the_newest_list_counts(tmp_path: Path) -> None:
    """What an older one says besides, and calls from before it, may have been taken back."""
    found = read(
        tmp_path,
        conversation(3, listed("Sails a ketch,\nand a dinghy", "Keeps a cat")),
        conversation(1, listed("Keeps bees"), remembered("Is fond of charts")),
        conversation(5, remembered("Prefers tea\nSleeps late")),
    )

    assert [one.text for one in found] == [
        "Sails a ketch,\nand a dinghy",
        "Keeps a cat",
        "Prefers tea",
        "Sleeps late",
    ]
    assert [one.said() for one in found[:2]] == ["2026-01-01", "2026-01-02"]
    assert found[2].said() == "2023-11-19T22:13:20Z"
    assert {one.scope for one in found} == {"global"}


def test_without_a_list_every_call_counts(tmp_path: Path) -> None:
    """Each once, also out of an export in several files."""
    read(tmp_path, conversation(1, remembered("Keeps bees")), name="conversations-001.json")
    found = read(
        tmp_path, conversation(2, remembered("Keeps bees")), name="conversations-002.json"
    )

    assert [one.text for one in found] == ["Keeps bees"]


@pytest.mark.parametrize(
    "rows",
    [
        [{"mapping": {"a": {"message": {"content": {"content_type": "model_editable_context"}}}}}],
        [{"mapping": {"a": None}}, 7, "x"],
        [{"mapping": {"a": {"message": {"recipient": "bio", "create_time": 1e300}}}}],
        [{"mapping": {"a": {"message": {"recipient": "bio", "content": {"parts": [1, None]}}}}}],
    ],
)
def test_damaged_conversations_hold_nothing(tmp_path: Path, rows: list[object]) -> None:
    """And raise nothing."""
    assert read(tmp_path, *rows) == []


def test_a_folder_without_an_export_is_told(tmp_path: Path) -> None:
    """As an error for a person."""
    with pytest.raises(OnrecordError, match=r"conversations\.json"):
        list(records(Origin(path=str(tmp_path))))


def test_notes_beside_other_conversations_are_notes(tmp_path: Path) -> None:
    """A file is not taken for an export by its name."""
    (tmp_path / "conversations.json").write_text('[{"speaker": "Ada"}]', encoding="utf-8")
    (tmp_path / "NOTES.md").write_text("- The quay has nine lamps\n", encoding="utf-8")
    assert recognise(str(tmp_path)) == "markdown"
    (tmp_path / "conversations.json").unlink()
    os.mkfifo(tmp_path / "conversations.json")
    assert recognise(str(tmp_path)) == "markdown"
    (tmp_path / "conversations.json").unlink()

    read(tmp_path, conversation(1, remembered("Keeps bees")))
    assert recognise(str(tmp_path)) == "chatgpt"
    assert recognise(str(tmp_path / "conversations.json")) == "chatgpt"
