"""Finding a tool use in transcripts: the session's file, a subagent's, or none at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from onrecord.capture.transcript import MAX_FILES, MAX_TAIL, claude_session_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    """One project's transcripts in a home."""
    folder = tmp_path / ".claude" / "projects" / "-src-shop"
    folder.mkdir(parents=True)
    return folder


def put(path: Path, *calls: str, before: str = "") -> None:
    """A transcript with these tool uses."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f'{{"type":"tool_use","id":"{call}"}}\n' for call in calls]
    path.write_text(before + "".join(lines), encoding="utf-8")


def test_the_file_that_holds_a_tool_use_names_the_session(projects: Path, tmp_path: Path) -> None:
    """Among several, and for a subagent by the folder that its file lies in."""
    put(projects / "s1.jsonl", "toolu_1", "toolu_2")
    put(projects / "s2.jsonl", "toolu_3")
    put(projects / "s2" / "subagents" / "agent-7.jsonl", "toolu_4")

    assert claude_session_of("toolu_2", str(tmp_path), {}) == "s1"
    assert claude_session_of("toolu_3", str(tmp_path), {}) == "s2"
    assert claude_session_of("toolu_4", str(tmp_path), {}) == "s2"


def test_only_the_whole_id_counts(projects: Path, tmp_path: Path) -> None:
    """An id that begins another one is not found in it, nor is anything that is no id."""
    put(projects / "s1.jsonl", "toolu_12")

    for call in ("toolu_1", "oolu_12", "", "x" * 201, 'toolu_12","x":"', "\x00"):
        assert claude_session_of(call, str(tmp_path), {}) == ""


def test_the_same_id_in_two_sessions_is_neithers(projects: Path, tmp_path: Path) -> None:
    """A copy in another session's file makes it unknown; one in the session's own does not."""
    put(projects / "s1.jsonl", "toolu_1", "toolu_2")
    put(projects / "s1" / "subagents" / "agent-7.jsonl", "toolu_1")
    put(projects / "s2.jsonl", "toolu_2")

    assert claude_session_of("toolu_1", str(tmp_path), {}) == "s1"
    assert claude_session_of("toolu_2", str(tmp_path), {}) == ""


def test_a_configured_folder_is_searched_instead(tmp_path: Path) -> None:
    """CLAUDE_CONFIG_DIR, when it is a whole path."""
    put(tmp_path / "conf" / "projects" / "-x" / "s1.jsonl", "toolu_1")
    environ = {"CLAUDE_CONFIG_DIR": str(tmp_path / "conf")}

    assert claude_session_of("toolu_1", "/nowhere", environ) == "s1"
    assert claude_session_of("toolu_1", "/nowhere", {"CLAUDE_CONFIG_DIR": "conf"}) == ""


def test_only_the_newest_files_and_their_ends_are_read(projects: Path, tmp_path: Path) -> None:
    """A call that is being made stands at the end of a file that was just written."""
    put(projects / "long.jsonl", "toolu_old", before="")
    put(projects / "long.jsonl", "toolu_new", before='"toolu_old"\n' + "x" * MAX_TAIL)
    assert claude_session_of("toolu_old", str(tmp_path), {}) == ""
    assert claude_session_of("toolu_new", str(tmp_path), {}) == "long"
    for n in range(MAX_FILES):
        put(projects / f"newer-{n}.jsonl", f"toolu_{n}")
        os.utime(projects / f"newer-{n}.jsonl", (2_000_000_000 + n, 2_000_000_000 + n))
    assert claude_session_of("toolu_new", str(tmp_path), {}) == ""
    assert claude_session_of("toolu_0", str(tmp_path), {}) == "newer-0"


def test_links_pipes_and_folders_are_not_read(projects: Path, tmp_path: Path) -> None:
    """Nothing hangs and nothing outside is read through a link."""
    put(tmp_path / "outside.jsonl", "toolu_1")
    (projects / "link.jsonl").symlink_to(tmp_path / "outside.jsonl")
    os.mkfifo(projects / "pipe.jsonl")
    (projects / "folder.jsonl").mkdir()

    assert claude_session_of("toolu_1", str(tmp_path), {}) == ""
