"""Hook payloads are read into one event, and hostile ones never raise."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpora import ROOT
from onrecord.capture import agents, event
from onrecord.capture.agents import claude_code, codex
from onrecord.capture.agents.base import AgentSpec
from onrecord.capture.event import Event

PAYLOADS = ROOT / "tests" / "golden" / "agents"
CLAUDE = claude_code.SPEC
CODEX = codex.SPEC

SQLITE = event.sqlite_extract(apsw.Connection(":memory:"))


def fields(found: Event | None) -> dict[str, Any]:
    """Every field of an event that says something."""
    assert found is not None
    return {name: value for name in Event.__slots__ if (value := getattr(found, name))}


def told(**payload: object) -> str:
    """A payload with a session."""
    return json.dumps({"session_id": "s-1", **payload})


@pytest.mark.parametrize("client", [spec.name for spec in agents.connectable() if spec.hooks])
def test_recorded_payloads_read_as_they_always_did(
    client: str, golden: Callable[[str, str], None]
) -> None:
    """What real clients sent becomes the events that are kept, with and without SQLite."""
    spec = agents.find(client)
    assert spec is not None
    lines = (PAYLOADS / client / "payloads.jsonl").read_text(encoding="utf-8").splitlines()
    made: dict[str, list[str]] = {"json": [], "sqlite": []}
    for line in lines:
        name = json.loads(line)["hook_event_name"]
        for reader, extract in (("json", None), ("sqlite", SQLITE)):
            found = fields(event.parse(spec, name, line, extract=extract))
            made[reader].append(json.dumps(found, sort_keys=True, ensure_ascii=False) + "\n")

    assert made["json"] == made["sqlite"]
    golden(f"agents/{client}/events.jsonl", "".join(made["json"]))


def test_every_event_that_is_modelled_has_a_recorded_payload() -> None:
    """A client's event table is backed by what that client really sent."""
    for spec in (spec for spec in agents.connectable() if spec.hooks):
        text = (PAYLOADS / spec.name / "payloads.jsonl").read_text(encoding="utf-8")
        seen = {json.loads(line)["hook_event_name"] for line in text.splitlines()}

        assert {hook.event for hook in spec.hooks} <= seen, spec.name


def test_an_event_that_is_not_modelled_is_no_error() -> None:
    """Well-formed but unknown comes back as `other`, under its own name."""
    found = event.parse(CLAUDE, "TeammateIdle", told(hook_event_name="TeammateIdle"))

    assert found is not None
    assert (found.name, found.raw) == ("other", "TeammateIdle")


@pytest.mark.parametrize(
    ("argument", "payload_name", "raw"),
    [
        ("Stop", "SessionEnd", "SessionEnd"),
        ("Stop", None, "Stop"),
        ("Stop", "stop", "Stop"),
        ("", "Notification", "Notification"),
    ],
)
def test_the_payloads_own_name_wins_where_the_client_has_it(
    argument: str, payload_name: str | None, raw: str
) -> None:
    """An answer must echo the client's own name, whatever the hook was called with."""
    found = event.parse(CLAUDE, argument, told(hook_event_name=payload_name))

    assert found is not None
    assert found.raw == raw


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe\x00",
        b"{}",
        b'{"session_id": 7}',
        b'{"session_id": ["s"]}',
        b'{"session_id": ""}',
        b'{"session_id": "a\\nb"}',
        b'{"session_id": "\\ud800"}',
        b'{"session_id": "' + b"x" * 201 + b'"}',
        b'{"session_id": "s"' + b"}" * 100_000,
        b'{"session_id": ' + b"[" * 200_000,
        b"[" * 200_000,
    ],
)
def test_a_payload_without_a_usable_session_is_nothing(payload: bytes) -> None:
    """What no session can be told from is None, whichever reader looks; nothing raises."""
    for extract in (None, SQLITE):
        assert event.parse(CLAUDE, "Stop", payload, extract=extract) is None


def test_what_one_reader_cannot_read_is_given_to_the_other() -> None:
    """Nesting and numbers within one reader's limits and beyond the other's are read."""
    deep = '{"session_id":"s-1","prompt":"p","x":' + "[" * 900 + "]" * 900 + "}"
    long = '{"session_id":"s-1","prompt":"p","x":' + "9" * 5000 + "}"

    assert fields(event.parse(CLAUDE, "Stop", deep, extract=SQLITE))["prompt"] == "p"
    assert fields(event.parse(CLAUDE, "Stop", long, extract=SQLITE))["prompt"] == "p"


def test_a_payload_beyond_both_readers_is_nothing() -> None:
    """Nesting that no reader follows is given up without an error."""
    beyond = '{"session_id":"s-1","x":' + "[" * 500_000 + "]" * 500_000 + "}"

    assert event.parse(CLAUDE, "Stop", beyond, extract=SQLITE) is None


def test_invalid_utf8_is_replaced_and_the_rest_is_read() -> None:
    """One broken byte does not lose the event."""
    payload = b'\xef\xbb\xbf{"session_id":"s-1","prompt":"caf\xe9 closed"}'
    found = event.parse(CLAUDE, "UserPromptSubmit", payload, extract=SQLITE)

    assert found is not None
    assert found.prompt == "caf\ufffd closed"


def test_long_texts_are_clipped() -> None:
    """A megabyte of prompt, answer or path is cut to its limit."""
    big = "\N{GRINNING FACE}" * (1 << 18)
    payload = told(prompt=big, tool_response=big, cwd="/" + big, transcript_path=big, model=big)
    found = event.parse(CODEX, "UserPromptSubmit", payload, extract=SQLITE)

    assert found is not None
    assert len(found.prompt) == event.MAX_TYPED
    assert len(found.tool_response) == event.MAX_RESPONSE
    assert len(found.cwd) == len(found.transcript) == event.MAX_PATH
    assert found.model == ""


def test_what_nobody_typed_leaves_the_whole_limit_to_what_was() -> None:
    """A prompt behind a long context of a hook's is whole, so that its secrets are seen whole."""
    given = f"<hook_context>{'x' * event.MAX_TYPED}</hook_context>\nWhy does the horn drift?"

    found = event.parse(CODEX, "UserPromptSubmit", told(prompt=given), extract=SQLITE)

    assert found is not None
    assert found.prompt == "Why does the horn drift?"


def test_lone_surrogates_never_reach_the_store() -> None:
    """Every text of an event can be written as UTF-8."""
    payload = told(prompt="a\ud800b", cwd="/\udfff", tool_response="\ud83d")
    for extract in (None, SQLITE):
        found = event.parse(CLAUDE, "UserPromptSubmit", payload, extract=extract)

        for value in fields(found).values():
            str(value).encode()


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("plain", "plain"),
        ([{"type": "text", "text": "first"}, {"type": "text", "text": "second"}], "first"),
        ({"content": [{"type": "text", "text": "inner"}], "isError": False}, "inner"),
        ({"stdout": "out", "stderr": "err", "interrupted": False}, "out\nerr"),
        ({"stdout": "", "stderr": ""}, ""),
        (None, ""),
        (7, ""),
    ],
)
def test_a_tools_words_are_found_in_every_shape(response: object, text: str) -> None:
    """Strings, content blocks and command output are all read."""
    for extract in (None, SQLITE):
        found = event.parse(CLAUDE, "PostToolUse", told(tool_response=response), extract=extract)

        assert found is not None
        assert found.tool_response == text


def test_a_failed_tools_error_is_its_response() -> None:
    """PostToolUseFailure names the error where others name the response."""
    found = event.parse(CLAUDE, "PostToolUseFailure", told(error="exit 1: no such file"))

    assert fields(found)["tool_response"] == "exit 1: no such file"


@pytest.mark.parametrize(
    "prompt",
    [
        "<task-notification>\n<task-id>a</task-id>",
        "  <environment_context>cwd</environment_context>",
        "<turn_aborted>",
        "<subagent_notification>{}",
        '<hook_prompt id="1">go on</hook_prompt>',
        "<command-name>/compact</command-name>",
        "<local-command-stdout>done</local-command-stdout>",
        "<system-reminder>be brief</system-reminder>",
        "[Request interrupted by user for tool use]",
        "This session is being continued from a previous conversation that ran out of context.",
        "SessionStart hook additional context: pack",
        '<onrecord-memory nonce="7kq2m9x4tb3d">',
        "/clear",
        "/compact keep the plan",
        "/my-command",
        "",
        " \n",
    ],
)
def test_what_a_client_puts_in_is_not_a_persons_prompt(prompt: str) -> None:
    """Notifications, summaries, command output and bare commands are told from typing."""
    assert not event.is_human_text(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "fix the failing test",
        "/usr/bin/env python3 is not found, why?",
        "/review the pull request about scopes",
        "<div> is not closed in index.html",
        "what does <task> mean",
        "[x] is checked",
        "\N{GRINNING FACE}",
    ],
)
def test_what_a_person_types_is_a_persons_prompt(prompt: str) -> None:
    """Paths, markup and commands with words of their own are typed."""
    assert event.is_human_text(prompt)
    found = event.parse(CLAUDE, "UserPromptSubmit", told(prompt=prompt))
    assert fields(found)["is_human_prompt"] is True


def test_a_subagents_prompt_is_not_a_persons() -> None:
    """Codex tells of its subagents' prompts too; they carry an agent id."""
    found = event.parse(CODEX, "UserPromptSubmit", told(prompt="look around", agent_id="t-2"))

    assert "is_human_prompt" not in fields(found)


@pytest.mark.parametrize(
    ("spec", "environ", "argv", "headless"),
    [
        (CLAUDE, {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, (), True),
        (CLAUDE, {"CLAUDE_CODE_ENTRYPOINT": "cli"}, (), False),
        (CLAUDE, {"CLAUDE_CODE_ENTRYPOINT": "claude-vscode"}, (), None),
        (CLAUDE, {}, ("claude", "-p", "hello"), True),
        (CODEX, {}, ("codex", "exec", "--json"), True),
        (CODEX, {}, ("codex",), False),
        (CODEX, {}, ("codex", "app-server"), None),
        (CODEX, {}, (), None),
    ],
)
def test_a_session_without_a_person_is_told_where_it_can_be(
    spec: AgentSpec, environ: dict[str, str], argv: tuple[str, ...], headless: object
) -> None:
    """Variables and the client's arguments tell; otherwise it is unknown."""
    found = event.parse(spec, "Stop", told(), environ=environ, argv=argv)

    assert found is not None
    assert found.headless is headless


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(
    [
        *("session_id", "hook_event_name", "agent_id", "prompt", "tool_response", "error"),
        *("source", "reason", "trigger", "cwd", "stop_hook_active", "tool_name", "model"),
        *("stdout", "text", "content"),
    ]
)


@given(st.dictionaries(NAMES, JSON | st.text(max_size=50)))
@example({"session_id": "s", "stop_hook_active": True, "tool_response": [[{"text": "x"}]]})
def test_both_readers_agree_on_every_payload(payload: dict[str, Any]) -> None:
    """SQLite and the json module read the same event, and neither raises."""
    text = json.dumps({"session_id": "s-1", **payload}, ensure_ascii=False)
    seen = [event.parse(CODEX, "Stop", text, extract=extract) for extract in (None, SQLITE)]

    assert (seen[0] is None) == (seen[1] is None)
    if seen[0] is not None:
        assert fields(seen[0]) == fields(seen[1])


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_any_bytes_at_all_are_survived(payload: bytes | str) -> None:
    """No payload makes the reader raise."""
    for extract in (None, SQLITE):
        event.parse(CLAUDE, "SessionStart", payload, extract=extract)


@pytest.mark.parametrize(
    ("prompt", "typed"),
    [
        ("Go on", "Go on"),
        ('Go on\n\n<onrecord-memory nonce="n1">\n[m:1] x\n</onrecord-memory nonce="n1">', "Go on"),
        ('<onrecord-memory nonce="n1">\nx\n</onrecord-memory nonce="n1">\n\nGo on', "Go on"),
        ('A <onrecord-memory nonce="n1">\nx\n</onrecord-memory nonce="n1">\nB', "A B"),
        ('<onrecord-memory nonce="n1">\nx\n</onrecord-memory nonce="n1">', ""),
        ('<onrecord-memory nonce="n1">\nx\n</onrecord-memory nonce="n1"> Go on', "Go on"),
        ('A <onrecord-memory nonce="n1"> x </onrecord-memory nonce="n1"> B\nC', "A  B\nC"),
    ],
)
def test_a_pack_in_a_prompt_was_typed_by_nobody(prompt: str, typed: str) -> None:
    """What stands before and behind it is the person's; a pack alone is no prompt of theirs."""
    found = event.parse(CLAUDE, "UserPromptSubmit", told(prompt=prompt))

    assert found is not None
    assert (found.prompt, found.is_human_prompt) == (typed, bool(typed))
