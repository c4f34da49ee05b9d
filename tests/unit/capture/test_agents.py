"""Each agent CLI is data: how it is answered, how its calls name themselves, what it trusts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import ROOT
from harness.agents import Codex
from onrecord.capture import agents, connection, settings_file
from onrecord.capture.agents import base, claude_code, codex
from onrecord.capture.agents.base import AgentSpec, is_agent_name

SPECS = agents.connectable()
RECORDS = ROOT / "tests" / "golden" / "agents"


def test_the_registry_and_the_specs_agree() -> None:
    """Each name in the registry finds the spec of that name; an unknown one finds nothing."""
    assert [spec.name for spec in SPECS] == list(agents.REGISTRY)
    assert [agents.find(spec.name) for spec in SPECS] == list(SPECS)
    assert agents.find("../codex") is None


def test_every_recognised_client_can_be_told_from_the_others() -> None:
    """No two clients share a name or an executable, so that the first match is the right one."""
    known = agents.recognised()
    names = [name for spec in known for name in (spec.name, *spec.executables)]

    assert {spec for spec in SPECS if spec.executables} == set(known)
    assert len(names) == len({*names}) + len(
        {spec.name for spec in known if spec.name in spec.executables}
    )


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_events_map_to_canonical_names(spec: AgentSpec) -> None:
    """A client's own names lead to canonical ones, and its hooks are events that it has."""
    assert set(spec.events.values()) < set(base.EVENT_NAMES)
    assert {hook.event for hook in spec.hooks} <= set(spec.events)
    assert spec.canonical("Unheard") == "other"
    assert not set(spec.silent_events) & set(spec.context_events)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_answers_are_the_golden_ones(spec: AgentSpec, golden: Callable[[str, str], None]) -> None:
    """What a hook prints for each event, with a context and a line for the person."""
    events = [*spec.events, "StopFailure", "Unheard"]
    lines = [f"{name}\t{spec.answer(name, 'the pack', 'for the person')}\n" for name in events]

    golden(f"agents/{spec.name}/answers.tsv", "".join(lines))


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
@pytest.mark.parametrize("event", ["PreCompact", "PostCompact", "SessionEnd", "SubagentStop"])
def test_nothing_is_printed_where_it_would_reach_the_transcript(
    spec: AgentSpec, event: str
) -> None:
    """Compaction, the end of a session and a subagent's end are answered with nothing."""
    assert spec.answer(event, "pack", "line") == ""


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_nothing_to_say_is_no_output(spec: AgentSpec) -> None:
    """Without context and message the answer is empty, not an empty object."""
    assert spec.answer("SessionStart") == ""


@given(st.text(), st.text())
def test_answers_are_json_that_gives_the_texts_back(context: str, message: str) -> None:
    """Whatever the texts hold, the client reads back exactly them and the event's name."""
    answer = claude_code.SPEC.answer("SessionStart", context, message)
    read: dict[str, Any] = json.loads(answer) if answer else {}

    assert read.get("systemMessage", "") == message
    inner = read.get("hookSpecificOutput")
    assert (inner["additionalContext"] if inner else "") == context
    assert inner is None or inner["hookEventName"] == "SessionStart"


def test_what_utf8_cannot_carry_is_replaced() -> None:
    """A lone surrogate does not make the whole answer unreadable."""
    answer = codex.SPEC.answer("SessionStart", "a\ud800b")

    assert json.loads(answer.encode())["hookSpecificOutput"]["additionalContext"] == "a?b"


@pytest.mark.parametrize(
    ("spec", "char", "most"),
    [
        (claude_code.SPEC, "a", 9_500),
        (claude_code.SPEC, "\N{CJK UNIFIED IDEOGRAPH-6587}", 9_500),
        (claude_code.SPEC, "\N{GRINNING FACE}", 4_750),
        (codex.SPEC, "a", 9_500),
        (codex.SPEC, "\N{CJK UNIFIED IDEOGRAPH-6587}", 3_166),
        (codex.SPEC, "\N{GRINNING FACE}", 2_375),
    ],
)
def test_context_stays_below_what_the_client_passes_on_whole(
    spec: AgentSpec, char: str, most: int
) -> None:
    """Claude Code counts UTF-16 units, Codex bytes; one too many leaves the context out whole."""
    assert spec.fits(char * most)
    assert (
        char
        in json.loads(spec.answer("SessionStart", char * most))["hookSpecificOutput"][
            "additionalContext"
        ]
    )
    assert not spec.fits(char * (most + 1))
    assert spec.answer("SessionStart", char * (most + 1)) == ""
    assert json.loads(spec.answer("SessionStart", char * (most + 1), "m")) == {
        "systemMessage": "m"
    }


@pytest.mark.parametrize(
    "spec", [spec for spec in SPECS if "stop" in spec.events.values()], ids=lambda spec: spec.name
)
def test_an_agent_is_held_from_stopping_once_at_most(spec: AgentSpec) -> None:
    """The second Stop of a turn that a hook prolonged is let through."""
    stop = next(name for name, canonical in spec.events.items() if canonical == "stop")
    held = spec.hold(stop, "run the tests", stop_hook_active=False)

    assert json.loads(held) == {"decision": "block", "reason": "run the tests"}
    assert spec.hold(stop, "run the tests", stop_hook_active=True) == ""
    assert spec.hold("SessionEnd", "run the tests", stop_hook_active=False) == ""


def test_a_hook_run_by_another_client_is_told() -> None:
    """Other clients read Claude Code's settings; they do not set its variables."""
    assert claude_code.SPEC.runs_hook({"CLAUDECODE": "1", "PATH": "/bin"})
    assert not claude_code.SPEC.runs_hook({"COPILOT_CLI": "1", "PATH": "/bin"})
    assert codex.SPEC.runs_hook({})


def test_codex_calls_name_their_session() -> None:
    """The session stands in the call; the thread too where it is a subagent's."""
    turn = {"session_id": "s-1", "thread_id": "t-2", "turn_trigger": "exec"}
    meta = {
        "callId": "call_1",
        "sessionId": "s-1",
        "threadId": "t-2",
        "x-codex-turn-metadata": turn,
    }
    found = codex.SPEC.call_ids(meta)

    assert (found.session, found.thread, found.tool_use_id) == ("s-1", "t-2", "call_1")
    assert found.headless is True


def test_a_main_thread_of_codex_is_no_subagent() -> None:
    """Where thread and session are one, there is no subagent."""
    found = codex.SPEC.call_ids({"sessionId": "s-1", "threadId": "s-1"})

    assert (found.session, found.thread, found.headless) == ("s-1", "", None)


def test_codex_turn_metadata_alone_is_enough() -> None:
    """A call without the short ids is joined by its turn's."""
    turn = {"session_id": "s-1", "thread_id": "s-1", "turn_trigger": "user"}
    found = codex.SPEC.call_ids({"x-codex-turn-metadata": turn})

    assert (found.session, found.thread, found.headless) == ("s-1", "", False)


def test_claude_calls_name_their_tool_use_only() -> None:
    """No session is taken from a call of Claude Code's, whatever it claims."""
    found = claude_code.SPEC.call_ids({"claudecode/toolUseId": "toolu_1", "sessionId": "s-9"})

    assert (found.session, found.thread, found.tool_use_id) == ("", "", "toolu_1")


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
@pytest.mark.parametrize(
    "meta",
    [
        None,
        [],
        "text",
        {"sessionId": 7, "claudecode/toolUseId": {"a": 1}, "x-codex-turn-metadata": "text"},
        {"sessionId": "", "claudecode/toolUseId": "a\nb"},
        {"sessionId": "x" * 201, "claudecode/toolUseId": "x" * 201, "callId": ["c"]},
    ],
)
def test_a_call_that_says_nothing_usable_is_unknown(spec: AgentSpec, meta: object) -> None:
    """Wrong types, line breaks and overlong ids are as good as nothing."""
    found = spec.call_ids(meta)

    assert (found.session, found.thread, found.tool_use_id) == ("", "", "")


@pytest.mark.parametrize(
    ("spec", "argv", "daemon"),
    [
        (claude_code.SPEC, ("claude.exe", "daemon", "run"), True),
        (claude_code.SPEC, ("claude.exe", "--bg-pty-host", "x"), True),
        (claude_code.SPEC, ("claude", "-p", "daemon run"), False),
        (codex.SPEC, ("codex", "app-server", "--listen", "unix://"), True),
        (codex.SPEC, ("codex", "exec", "app-server is down"), False),
    ],
)
def test_processes_of_many_sessions_are_told(
    spec: AgentSpec, argv: tuple[str, ...], daemon: object
) -> None:
    """A daemon or app-server is no session's own client."""
    assert spec.is_daemon(argv) is daemon


def test_configured_folders_are_followed() -> None:
    """CLAUDE_CONFIG_DIR and CODEX_HOME move the files, and links may stay inside them."""
    claude = claude_code.SPEC.config_files("/home/ada", {"CLAUDE_CONFIG_DIR": "/srv/claude"})
    files = codex.SPEC.config_files("/home/ada", {"CODEX_HOME": "/srv/codex"})

    assert [file.path for file in claude] == [
        "/srv/claude/.claude.json",
        "/srv/claude/settings.json",
    ]
    assert [file.path for file in files] == ["/srv/codex/config.toml", "/srv/codex/hooks.json"]
    assert {file.root for file in claude} == {"/srv/claude"}
    home = claude_code.SPEC.config_files("/home/ada", {"CLAUDE_CONFIG_DIR": "relative"})
    assert [file.path for file in home] == [
        "/home/ada/.claude.json",
        "/home/ada/.claude/settings.json",
    ]


def test_the_fast_path_loads_nothing_heavy() -> None:
    """Specs, events, processes and repositories import none of the slow standard modules."""
    code = (
        "import sys; from onrecord.capture import agents, event, git, process;"
        "agents.recognised(); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    heavy = {"re", "dataclasses", "typing", "json", "enum", "pathlib", "subprocess", "logging"}

    assert "onrecord.capture.git_config" in done.stdout.split()
    assert not heavy & set(done.stdout.split())


def test_hook_trust_is_what_codex_itself_says(codex: Codex) -> None:
    """Connected hooks are listed and not yet trusted; asking changes no settings."""
    home = str(codex.home)
    edits = connection.plan(
        _spec("codex"), home, "/opt/onrecord", "/opt/onrecord-hook", settings_file.read_file
    )
    settings_file.write_all(edits)
    before = (codex.folder / "hooks.json").read_bytes()
    found = _trust(str(codex.binary), codex.env, codex.repo)

    assert found is not None
    assert {(hook.status, hook.enabled, hook.runs) for hook in found} == {
        ("untrusted", True, False)
    }
    assert len(found) == len(_spec("codex").hooks)
    assert {hook.source for hook in found} == {str(codex.folder / "hooks.json")}
    assert (codex.folder / "hooks.json").read_bytes() == before


@pytest.mark.parametrize("program", ["/bin/false", "/nonexistent/codex", "/bin/cat"])
def test_a_program_that_cannot_tell_gives_no_answer(program: str, tmp_path: Path) -> None:
    """No program, one that fails, one that answers something else: unknown, not trusted."""
    assert _trust(program, {"PATH": os.defpath}, tmp_path, timeout_s=0.3) is None


def test_notices_around_the_answer_are_read_over(tmp_path: Path) -> None:
    """Lines that are no JSON, and messages with other ids, are not the answer."""
    program = tmp_path / "codex"
    hook = {"key": "f:stop:0:0", "eventName": "stop", "enabled": True, "trustStatus": "trusted"}
    lines = [
        "starting",
        "[" * 5_000,
        json.dumps({"method": "configWarning", "params": {}}),
        json.dumps({"id": 1, "result": {"data": []}}),
        json.dumps({"id": 2, "result": {"data": [{"hooks": [hook, {"key": 7}]}, "odd"]}}),
    ]
    said = "\n".join(f"echo '{line}'" for line in lines)
    program.write_text(f"#!/bin/sh\n{said}\nread -r _\n", encoding="utf-8")
    program.chmod(0o700)
    found = _trust(str(program), {"PATH": os.defpath}, tmp_path)

    assert found is not None
    assert [(one.key, one.status, one.runs) for one in found] == [
        ("f:stop:0:0", "trusted", True),
        ("", "", False),
    ]


def test_a_client_that_is_only_recognised_says_nothing() -> None:
    """Without files, hooks and call ids there is nothing to connect and nothing to claim."""
    for spec in set(agents.recognised()) - set(SPECS):
        assert spec.config_files("/home/ada", {}) == ()
        assert spec.hooks == ()
        assert spec.call_ids({"sessionId": "s-1"}).session == ""
        assert spec.is_headless({}, (spec.name, "-p")) is None
        assert spec.is_daemon((spec.name, "app-server")) is False
        assert spec.answer("SessionStart", "pack") == ""


def test_a_server_that_stays_silent_is_ended(tmp_path: Path) -> None:
    """A server that never answers is given up after its time, and ended."""
    program = tmp_path / "codex"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 60\n", encoding="utf-8")
    program.chmod(0o700)
    found = _trust(str(program), {"PATH": os.defpath}, tmp_path, timeout_s=0.5)
    pid = int((tmp_path / "pid").read_text(encoding="utf-8"))

    assert found is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def _spec(name: str) -> AgentSpec:
    spec = agents.find(name)
    assert spec is not None
    return spec


def _trust(
    program: str, environ: dict[str, str], cwd: Path, *, timeout_s: float = 20
) -> list[codex.HookTrust] | None:
    return codex.hook_trust(program, environ=environ, cwd=str(cwd), timeout_s=timeout_s)


def test_names_of_agents_are_small_words() -> None:
    """What stands in a scope and on a command line as it is; nothing else is a name."""
    assert all(is_agent_name(spec.name) for spec in SPECS)
    wrong = ("", "-", "-x", "Aider", "aider ", "a/b", "a:b", "aidér", "a" * 65, "person", "script")
    assert not any(is_agent_name(name) for name in wrong)


def test_what_is_said_after_connecting_names_the_agent() -> None:
    """With several connected at once, nobody has to guess whom a sentence is about."""
    for name in agents.REGISTRY:
        spec = agents.find(name)
        assert spec is not None
        assert all(spec.title in note for note in spec.notes), name


def test_the_programs_are_those_of_every_agent_that_is_told_among_processes() -> None:
    """Whoever looks by name alone misses none."""
    named = {name for spec in agents.recognised() for name in spec.executables}

    assert set(agents.PROGRAMS) == named
