"""Conversations out of the clients' transcripts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from onrecord.capture.transcripts import FORMATS, Transcript, lines
from onrecord.capture.transcripts.message import MAX_TEXT, without_block

if TYPE_CHECKING:
    from onrecord.capture.transcripts import Message

CLAUDE: list[dict[str, Any]] = [
    {"type": "mode", "mode": "normal"},
    {
        "type": "attachment",
        "attachment": {"type": "hook_additional_context", "content": ["Ada likes tabs."]},
        "uuid": "a0",
    },
    {
        "type": "user",
        "uuid": "a1",
        "message": {"role": "user", "content": "Why does it drift? 日"},
    },
    {
        "type": "assistant",
        "uuid": "a2",
        "message": {"content": [{"type": "thinking", "thinking": "Hm."}]},
    },
    {
        "type": "assistant",
        "uuid": "a3",
        "timestamp": "2026-03-14T09:00:15.120Z",
        "message": {"content": [{"type": "text", "text": "Seconds are dropped."}]},
    },
    {
        "type": "user",
        "uuid": "a4",
        "message": {"content": [{"type": "tool_result", "content": "API_KEY=x"}]},
    },
    {"type": "system", "subtype": "compact_boundary", "uuid": "a5"},
    {"type": "user", "uuid": "a6", "isCompactSummary": True, "message": {"content": "So far …"}},
    {"type": "user", "uuid": "a7", "isMeta": True, "message": {"content": "Caveat"}},
    {"type": "user", "uuid": "a8", "message": {"content": "<command-name>/x</command-name>"}},
    {
        "type": "user",
        "uuid": "a9",
        "message": {"content": [{"type": "text", "text": "[Request interrupted by user]"}]},
    },
    {"type": "user", "uuid": "b1", "isSidechain": True, "message": {"content": "Sub prompt"}},
    {
        "type": "user",
        "uuid": "b2",
        "message": {"content": "<system-reminder>be good</system-reminder>\nFix it."},
    },
    {"type": "user", "uuid": "b2", "message": {"content": "Fix it."}},
    {
        "type": "assistant",
        "uuid": "b3",
        "message": {"model": "<synthetic>", "content": [{"type": "text", "text": "No"}]},
    },
    {"type": "api-request-blob", "message": {"role": "user", "content": "Fix it."}},
]


def _codex(role: str, text: str, kinds: list[str] | None = None) -> dict[str, Any]:
    part = {"type": "output_text" if role == "assistant" else "input_text", "text": text}
    item: dict[str, Any] = {"type": "message", "role": role, "content": [part]}
    if kinds:
        item["internal_chat_message_metadata_passthrough"] = {"content_item_kinds": kinds}
    return item


def _line(kind: str, payload: dict[str, Any], at: str = "t") -> dict[str, Any]:
    return {"timestamp": at, "type": kind, "payload": payload}


CODEX_NOW = [
    _line("session_meta", {"id": "s"}),
    _line("response_item", _codex("developer", "Ada likes tabs.", ["hooks.additional_context"])),
    _line("response_item", _codex("user", "<environment_context>\n</environment_context>"), "1"),
    _line("response_item", _codex("user", "Why does it drift? 日", ["user.text"]), "2"),
    _line("event_msg", {"type": "user_message", "message": "Why does it drift? 日"}, "3"),
    _line("response_item", {"type": "reasoning", "summary": [{"text": "Hm."}]}, "4"),
    _line("response_item", {"type": "function_call_output", "output": "API_KEY=x"}, "5"),
    _line("response_item", _codex("assistant", "Seconds are dropped."), "6"),
    _line("event_msg", {"type": "agent_message", "message": "Seconds are dropped."}, "7"),
    _line("response_item", _codex("user", "<turn_aborted>", ["generic.turn_aborted"]), "8"),
    _line("compacted", {"message": "So far …", "replacement_history": []}, "9"),
    _line("response_item", _codex("user", "Fix it.", ["user.text"]), "10"),
]
CODEX_EVENTS = [
    _line("session_meta", {"id": "s"}),
    _line("event_msg", {"type": "user_message", "message": "Why does it drift? 日"}, "1"),
    _line("event_msg", {"type": "agent_reasoning", "text": "Hm."}, "2"),
    _line("event_msg", {"type": "agent_message", "message": "Seconds are dropped."}, "3"),
    _line("compacted", {"message": "So far …"}, "4"),
    _line(
        "event_msg",
        {
            "type": "item_completed",
            "item": {
                "type": "UserMessage",
                "id": "u2",
                "content": [{"type": "text", "text": "Fix it."}],
            },
        },
        "5",
    ),
]
CODEX_BARE = [
    {"id": "s", "timestamp": "2025", "instructions": None},
    _codex("user", "<user_instructions>Use tabs.</user_instructions>"),
    _codex("user", "Why does it drift? 日"),
    _codex("assistant", "Seconds are dropped."),
    _line("compacted", {"message": "So far …"}),
    _codex("user", "Fix it."),
]
GEMINI: list[dict[str, Any]] = [
    {"sessionId": "s", "projectHash": "p", "kind": "main"},
    {
        "id": "1",
        "type": "user",
        "content": [
            {"text": "<hook_context>Ada likes tabs.</hook_context>"},
            {"text": "Why does it drift? 日"},
        ],
    },
    {"id": "2", "type": "gemini", "content": "Seconds", "thoughts": [{"subject": "Hm."}]},
    {"$set": {"lastUpdated": "now"}},
    {"id": "2", "type": "gemini", "content": "Seconds are dropped.", "toolCalls": [{"x": 1}]},
    {"id": "3", "type": "info", "content": "API_KEY=x"},
    {"id": "4", "type": "user", "content": "Fix it."},
]
COPILOT: list[dict[str, Any]] = [
    {"type": "session.start", "id": "0", "data": {}},
    {"type": "system.message", "id": "1", "data": {"content": "Ada likes tabs."}},
    {
        "type": "user.message",
        "id": "2",
        "data": {
            "content": "Why does it drift? 日",
            "transformedContent": "<c>Ada likes tabs.</c>",
        },
    },
    {"type": "tool.execution_complete", "id": "3", "data": {"result": "API_KEY=x"}},
    {"type": "assistant.message", "id": "4", "data": {"content": "", "toolRequests": [1]}},
    {"type": "assistant.message", "id": "5", "data": {"content": "Seconds are dropped."}},
    {"type": "user.message", "id": "6", "data": {"content": "Fix it."}},
]
SAID = [
    ("user", "Why does it drift? 日"),
    ("assistant", "Seconds are dropped."),
    ("compaction", ""),
    ("user", "Fix it."),
]
CASES = {
    "claude-code": ("claude-code", CLAUDE),
    "codex-now": ("codex", CODEX_NOW),
    "codex-events": ("codex", CODEX_EVENTS),
    "codex-bare": ("codex", CODEX_BARE),
    "gemini-cli": ("gemini-cli", GEMINI),
    "copilot-cli": ("copilot-cli", COPILOT),
}


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    """A transcript."""
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return str(path)


def said(messages: list[Message]) -> list[tuple[str, str]]:
    """Roles and texts."""
    return [(message.role, message.text) for message in messages]


@pytest.mark.parametrize("case", CASES)
def test_only_the_conversation_is_read(tmp_path: Path, case: str) -> None:
    """Typed prompts and answers, each once; no tool, thinking, hook context or summary."""
    client, rows = CASES[case]
    transcript = Transcript(client, write(tmp_path / "t.jsonl", rows))

    found = said(list(transcript))

    compacts = any(role == "compaction" for role, _ in found)
    assert found == [one for one in SAID if compacts or one[0] != "compaction"]
    assert compacts == (client in ("claude-code", "codex"))
    assert (transcript.damaged, transcript.offset) == (0, (tmp_path / "t.jsonl").stat().st_size)


@pytest.mark.parametrize("case", CASES)
def test_every_format_is_tried(case: str) -> None:
    """A format that no case reads is red here."""
    assert CASES[case][0] in FORMATS
    assert {client for client, _ in CASES.values()} == set(FORMATS)


@pytest.mark.parametrize("case", ["claude-code", "codex-now", "codex-events", "copilot-cli"])
def test_reading_goes_on_where_it_ended(tmp_path: Path, case: str) -> None:
    """At whatever line: together the parts are the whole, and nothing comes twice."""
    client, rows = CASES[case]
    whole = said(list(Transcript(client, write(tmp_path / "whole.jsonl", rows))))
    rows = [row for at, row in enumerate(rows) if not (client == "claude-code" and at == 13)]
    for cut_at in range(1, len(rows)):
        path = tmp_path / f"{cut_at}.jsonl"
        write(path, rows[:cut_at])
        first = Transcript(client, str(path))
        found = said(list(first))
        write(path, rows)
        found += said(list(Transcript(client, str(path), offset=first.offset)))
        assert found == whole, cut_at


def test_damaged_lines_are_counted_and_a_cut_one_is_left(tmp_path: Path) -> None:
    """What is whole is read; the last line is read once it is."""
    path = tmp_path / "t.jsonl"
    good = json.dumps(CLAUDE[2], ensure_ascii=False)
    last = json.dumps(CLAUDE[12])
    raw = f'{good}\n{{"type": "us\n[1, 2]\n{"[" * 100_000}\n\n'.encode() + b"\xff\xfe\n"
    path.write_bytes(raw + last[:30].encode())

    first = Transcript("claude-code", str(path))
    before = said(list(first))
    path.write_bytes(raw + last.encode())
    second = Transcript("claude-code", str(path), offset=first.offset)

    assert (before, first.damaged, first.offset) == ([SAID[0]], 4, len(raw))
    assert said(list(second)) == [SAID[3]]


def test_a_line_that_is_too_long_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is counted, and what follows it is read."""
    monkeypatch.setattr(lines, "MAX_LINE", 1_000)
    big = {"type": "user", "uuid": "x", "message": {"content": "a" * 700_000}}
    transcript = Transcript(
        "claude-code", write(tmp_path / "t.jsonl", [CLAUDE[2], big, CLAUDE[12]])
    )

    assert said(list(transcript)) == [SAID[0], SAID[3]]
    assert transcript.damaged == 1


def test_a_long_message_is_cut(tmp_path: Path) -> None:
    """It says how much is missing."""
    row = {"type": "user", "uuid": "x", "message": {"content": "a" * (MAX_TEXT + 7)}}

    (message,) = Transcript("claude-code", write(tmp_path / "t.jsonl", [row]))

    assert message.text.endswith("a\n[cut: 7 more characters]")


def test_what_is_no_file_of_the_users_holds_nothing(tmp_path: Path) -> None:
    """A link, a pipe, a folder, and what is not there."""
    real = write(tmp_path / "t.jsonl", CLAUDE)
    (tmp_path / "link").symlink_to(real)
    os.mkfifo(tmp_path / "pipe")

    for name in ("link", "pipe", ".", "missing", "with\0nul"):
        assert list(Transcript("claude-code", f"{tmp_path}/{name}")) == []
    with pytest.raises(ValueError, match="aider"):
        Transcript("aider", real)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <x>b</x> c", "a  c"),
        ("a <x y='1'>b</x >c", "a c"),
        ("a <xy>b</xy>", "a <xy>b</xy>"),
        ("a <x>never ends", "a "),
        ("<x>1</x><x>2</x>3", "3"),
    ],
)
def test_blocks_are_taken_out(text: str, expected: str) -> None:
    """By name; a longer name is another one."""
    assert without_block(text, "x") == expected


#: The most that this program had in memory; what the kernel reports counts its parent's, too.
_READ = """
import re, sys
from onrecord.capture.transcripts import Transcript
transcript = Transcript("claude-code", sys.argv[1])
print(sum(1 for _ in transcript), transcript.damaged, end=" ")
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status", encoding="utf-8").read())[1])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the kernel does not tell")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """200 MB of tool output with a conversation in it, in less than 100 MB."""
    path = tmp_path / "big.jsonl"
    output = {"type": "tool_result", "content": "x" * 1_000_000}
    tool = json.dumps({"type": "user", "uuid": "", "message": {"content": [output]}})
    with path.open("w", encoding="utf-8") as file:
        for at in range(200):
            file.write(f"{tool}\n")
            row = {"type": "user", "uuid": f"u{at}", "message": {"content": f"Prompt {at}"}}
            file.write(f"{json.dumps(row)}\n")

    done = subprocess.run(
        [sys.executable, "-c", _READ, str(path)], capture_output=True, check=True, timeout=120
    )

    messages, damaged, peak = map(int, done.stdout.split())
    assert (messages, damaged) == (200, 0)
    assert peak * 1_024 < 100_000_000
