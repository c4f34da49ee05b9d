"""Connecting puts our entries into a client's settings, and only ours come out again."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from harness.agents import ClaudeCode, Codex
from onrecord.capture import agents, connection, settings_file
from onrecord.capture.agents import claude_code, codex
from onrecord.capture.agents.base import AgentSpec
from onrecord.capture.connection import FileEdit
from onrecord.domain.errors import ConfigInvalid

HOME = "/home/ada"
COMMAND = "/home/ada/.local/bin/onrecord"
HOOK = "/home/ada/.local/bin/onrecord-hook"
STATE, SETTINGS = f"{HOME}/.claude.json", f"{HOME}/.claude/settings.json"
CONFIG, HOOKS = f"{HOME}/.codex/config.toml", f"{HOME}/.codex/hooks.json"

SPECS = agents.connectable()

Files = dict[str, str | None]


def reader(files: Mapping[str, str | None]) -> connection.Reader:
    """A reader of files that exist only here."""
    return lambda path: None if (text := files.get(path)) is None else text.encode()


def connected(spec: AgentSpec, files: Files | None = None, **more: Any) -> list[FileEdit]:
    """The edits that connect a client in Ada's home."""
    return connection.plan(spec, HOME, COMMAND, HOOK, reader(files or {}), **more)


def after(edits: list[FileEdit]) -> Files:
    """The files with the edits made."""
    return {edit.path: edit.after for edit in edits}


def removed(spec: AgentSpec, files: Files) -> Files:
    """The files without our entries."""
    return {**files, **after(connection.unplan(spec, HOME, reader(files)))}


def loaded(text: str | None) -> dict[str, Any]:
    """What a JSON file says."""
    found: dict[str, Any] = json.loads(text or "{}")
    return found


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_a_fresh_home_is_connected_as_it_always_was(
    spec: AgentSpec, golden: Callable[[str, str], None]
) -> None:
    """The files that connecting makes, to the byte."""
    for edit in connected(spec):
        name = edit.path.rpartition("/")[2].removeprefix(".")
        golden(f"agents/{spec.name}/connected/{name}", edit.after or "")


@pytest.mark.parametrize(
    "spec",
    [spec for spec in SPECS if spec.hooks and not spec.whole_file],
    ids=lambda spec: spec.name,
)
def test_every_hook_runs_our_program_by_its_path(spec: AgentSpec) -> None:
    """Each hook calls the installed script with the client's name and its own event."""
    files = after(connected(spec))
    text = next(text for path, text in files.items() if "hooks" in path or "settings" in path)
    lines = {
        event: handler["command"]
        for event, groups in loaded(text)["hooks"].items()
        for group in groups
        for handler in group["hooks"]
    }

    assert lines == {hook.event: f"{HOOK} {spec.name} {hook.event}" for hook in spec.hooks}


def test_a_path_with_spaces_is_one_word_for_the_shell() -> None:
    """What a shell takes as our program is our program."""
    hook = "/home/ada/my 'own' bin/onrecord-hook"
    edits = connection.plan(claude_code.SPEC, HOME, COMMAND, hook, reader({}))
    line = loaded(edits[1].after)["hooks"]["Stop"][0]["hooks"][0]["command"]

    assert shlex.split(line) == [hook, "claude-code", "Stop"]
    assert removed(claude_code.SPEC, after(edits)) == {STATE: None, SETTINGS: None}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_connecting_twice_changes_nothing(spec: AgentSpec) -> None:
    """The second plan has neither an edit nor a word about one."""
    again = connected(spec, after(connected(spec)))

    assert {(edit.changed, edit.summary, edit.conflicts) for edit in again} == {(False, (), ())}


def test_what_changes_is_said() -> None:
    """Each edit tells in words what it does, and shows the difference."""
    state, settings = connected(claude_code.SPEC, {SETTINGS: '{\n  "model": "x"\n}\n'})

    assert state.summary == ("adds the MCP server onrecord",)
    assert settings.summary[0].startswith("adds hooks: SessionStart, UserPromptSubmit")
    assert settings.summary[1] == "allows mcp__onrecord"
    assert '\n+  "hooks": {\n' in settings.diff()
    assert "--- " + SETTINGS in settings.diff()


def test_parts_are_connected_by_themselves() -> None:
    """The server without hooks, and the hooks without a server."""
    server = after(connected(claude_code.SPEC, parts=("server", "permissions")))
    hooks = after(connected(claude_code.SPEC, parts=("hooks",)))

    assert list(loaded(server[SETTINGS])) == ["permissions"]
    assert "onrecord" in loaded(server[STATE])["mcpServers"]
    assert list(hooks) == [SETTINGS]
    assert list(loaded(hooks[SETTINGS])) == ["hooks"]


def test_another_installation_takes_over_the_paths() -> None:
    """A moved program is updated in place, once, and nothing else moves."""
    for spec in SPECS:
        before = after(connected(spec))
        edits = connection.plan(spec, HOME, "/new/onrecord", "/new/onrecord-hook", reader(before))
        wanted = {
            path: (text or "")
            .replace(HOOK, "/new/onrecord-hook")
            .replace(COMMAND, "/new/onrecord")
            for path, text in before.items()
        }

        assert after(edits) == wanted
        assert all(line.startswith("updates ") for edit in edits for line in edit.summary)


def test_a_hook_that_a_person_added_words_to_is_left_so() -> None:
    """A line with a variable before our program is ours: neither doubled nor rewritten."""
    before = after(connected(claude_code.SPEC))
    before[SETTINGS] = (before[SETTINGS] or "").replace(
        f'"{HOOK} claude-code Stop"', f'"ONRECORD_DB=/x {HOOK} claude-code Stop"'
    )
    edits = connection.plan(claude_code.SPEC, HOME, COMMAND, "/new/onrecord-hook", reader(before))
    stop = loaded(edits[1].after)["hooks"]["Stop"]

    assert [group["hooks"][0]["command"] for group in stop] == [
        f"ONRECORD_DB=/x {HOOK} claude-code Stop"
    ]
    assert removed(claude_code.SPEC, before) == {STATE: None, SETTINGS: None}


def test_another_programs_server_of_our_name_is_left_alone() -> None:
    """A foreign entry is reported as a conflict, on connecting and on removing."""
    for foreign in (
        {"command": "npx", "args": ["other"]},
        {"type": "http", "url": "http://x"},
        {"command": COMMAND, "args": ["serve"]},
        {"command": COMMAND, "args": ["mcp", "--client", "codex"]},
        "text",
    ):
        files: Files = {STATE: json.dumps({"mcpServers": {"onrecord": foreign}})}
        plan = connected(claude_code.SPEC, files)[0]
        unplan = connection.unplan(claude_code.SPEC, HOME, reader(files))[0]

        assert not plan.changed
        assert not unplan.changed
        assert plan.conflicts == unplan.conflicts
        assert "mcpServers.onrecord" in plan.conflicts[0]


def test_another_programs_server_in_codex_is_left_alone() -> None:
    """The same in TOML, also for a table that has only something below it."""
    for text in (
        '[mcp_servers.onrecord]\ncommand = "npx"\n',
        '[mcp_servers.onrecord.env]\nA = "b"\n',
        'mcp_servers = { onrecord = { url = "http://x" } }\n',
    ):
        plan = connected(codex.SPEC, {CONFIG: text})[0]

        assert not plan.changed
        assert "mcp_servers.onrecord" in plan.conflicts[0]


def test_a_rule_that_forbids_our_tools_is_reported() -> None:
    """An allow rule does not help where the person denies or is to be asked."""
    files: Files = {SETTINGS: '{"permissions": {"deny": ["mcp__onrecord"], "ask": ["Bash"]}}'}
    edit = connected(claude_code.SPEC, files)[1]

    assert edit.conflicts == ("permissions.deny holds mcp__onrecord, which comes first",)


def test_a_persons_hooks_beside_ours_stay() -> None:
    """Their groups before and after ours, and a handler put into our own group, survive."""
    mine = {"type": "command", "command": "say done"}
    files = after(
        connected(
            claude_code.SPEC, {SETTINGS: json.dumps({"hooks": {"Stop": [{"hooks": [mine]}]}})}
        )
    )
    settings = loaded(files[SETTINGS])
    settings["hooks"]["SessionStart"][0]["hooks"].append(mine)
    settings["hooks"]["Stop"].append({"matcher": "x", "hooks": [mine]})
    files[SETTINGS] = json.dumps(settings, indent=2)
    left = loaded(removed(claude_code.SPEC, files)[SETTINGS])

    assert left["hooks"] == {
        "Stop": [{"hooks": [mine]}, {"matcher": "x", "hooks": [mine]}],
        "SessionStart": [{"hooks": [mine]}],
    }


@pytest.mark.parametrize(
    "command",
    [
        "/x/onrecord-hook claude-code SessionStart",
        "/x/onrecord-hook codex Stop",
        "/x/other-hook claude-code Stop",
        "/x/onrecord-hook claude-code Stop --more",
        "'unclosed /x/onrecord-hook claude-code Stop",
        "claude-code Stop",
        "Stop",
        "",
        7,
        None,
    ],
)
def test_what_only_looks_like_our_hook_is_not_ours(command: object) -> None:
    """Another event's, another client's and another program's lines are a person's."""
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}})
    files: Files = {STATE: None, SETTINGS: text}

    assert removed(claude_code.SPEC, files) == files
    assert len(loaded(after(connected(claude_code.SPEC, files))[SETTINGS])["hooks"]["Stop"]) == 2


def test_what_codex_writes_in_between_survives() -> None:
    """Trusted folders, hook trust and tool approvals: Codex's own stay, those of ours go."""
    before = 'model = "m"\n'
    files = after(connected(codex.SPEC, {CONFIG: before}))
    files[CONFIG] = (files[CONFIG] or "") + (
        '\n[mcp_servers.onrecord.tools.forget]\napproval_mode = "approve"\n'
        '\n[projects."/home/ada/src"]\ntrust_level = "trusted"\n'
    )
    left = removed(codex.SPEC, files)

    assert left[CONFIG] == before + '\n[projects."/home/ada/src"]\ntrust_level = "trusted"\n'
    assert left[HOOKS] is None


@pytest.mark.parametrize(
    ("path", "raw"),
    [
        (STATE, b'{"mcpServers": {'),
        (STATE, b'{"mcpServers": []}'),
        (SETTINGS, b'{"hooks": {"Stop": {}}}'),
        (SETTINGS, b'{"hooks": []}'),
        (SETTINGS, b'{"permissions": {"allow": "all"}}'),
        (SETTINGS, "{}".encode("utf-16")),
        (SETTINGS, b'{"a": "\xff"}'),
    ],
)
def test_a_file_that_cannot_be_read_stops_everything(path: str, raw: bytes) -> None:
    """The error names the file and the code; nothing of its text is told."""
    with pytest.raises(ConfigInvalid) as caught:
        connection.plan(
            claude_code.SPEC, HOME, COMMAND, HOOK, lambda at: raw if at == path else None
        )

    assert caught.value.details["path"] == path
    assert caught.value.message.startswith(path)
    assert "mcpServers" not in caught.value.message


def test_an_entry_that_would_not_be_known_again_is_not_written() -> None:
    """A program of another name could not be taken out, so it is not put in."""
    for spec in SPECS:
        with pytest.raises(ConfigInvalid, match="left as it is") as caught:
            connection.plan(spec, HOME, "/bin/false", HOOK, reader({}))

        assert "undone" in caught.value.hint


def test_the_errors_name_the_line() -> None:
    """A person finds the fault where the message points."""
    with pytest.raises(ConfigInvalid) as caught:
        connected(claude_code.SPEC, {SETTINGS: '{\n  "a": 1\n  "b": 2\n}'})

    assert caught.value.message.startswith(f"{SETTINGS}, line 3 ")


def test_claude_code_runs_what_was_connected(claude_code: ClaudeCode) -> None:
    """The real client lists the server, keeps our entries as it writes, and loses only them."""
    home = str(claude_code.home)
    spec = _spec("claude-code")
    before = loaded((claude_code.home / ".claude.json").read_text(encoding="utf-8"))
    program = claude_code.home / "onrecord"
    program.symlink_to("/bin/false")
    settings_file.write_all(
        connection.plan(spec, home, str(program), HOOK, settings_file.read_file)
    )
    listed = claude_code.command("mcp", "list")
    settings_file.write_all(
        connection.plan(spec, home, "/opt/onrecord", HOOK, settings_file.read_file)
    )
    settings_file.write_all(connection.unplan(spec, home, settings_file.read_file))
    left = loaded((claude_code.home / ".claude.json").read_text(encoding="utf-8"))

    assert f"onrecord: {program} mcp --client claude-code" in listed.printed
    assert before.items() <= left.items()
    assert "mcpServers" not in left
    assert not claude_code.settings.exists()


def test_codex_runs_what_was_connected(codex: Codex) -> None:
    """The real client lists the server with its approval, and the settings come back whole."""
    config = codex.folder / "config.toml"
    before = config.read_bytes()
    spec, home = _spec("codex"), str(codex.home)
    settings_file.write_all(connection.plan(spec, home, COMMAND, HOOK, settings_file.read_file))
    listed = json.loads(codex.command("mcp", "list", "--json").printed)
    written = tomllib.loads(config.read_text(encoding="utf-8"))["mcp_servers"]["onrecord"]
    settings_file.write_all(connection.unplan(spec, home, settings_file.read_file))

    assert [server["name"] for server in listed] == ["onrecord"]
    assert listed[0]["transport"]["command"] == COMMAND
    assert listed[0]["transport"]["args"] == ["mcp", "--client", "codex"]
    assert written["default_tools_approval_mode"] == "approve"
    assert config.read_bytes() == before
    assert not (codex.folder / "hooks.json").exists()


def _spec(name: str) -> AgentSpec:
    spec = agents.find(name)
    assert spec is not None
    return spec


@pytest.mark.parametrize("name", ["copilot-cli", "opencode"])
def test_a_file_of_our_name_that_a_person_made_is_left_alone(name: str) -> None:
    """Only a file that says that we made it is written over or taken away."""
    spec = agents.find(name)
    assert spec is not None
    file = next(one for one in spec.config_files(HOME, {}) if one.form == "whole")
    theirs = '{"hooks": {"SessionStart": []}}'
    edits = connected(spec, {file.path: theirs})
    mine = next(edit for edit in edits if edit.path == file.path)

    assert mine.after == theirs
    assert mine.conflicts == ("it is not a file that onrecord makes; it was left alone",)
    assert removed(spec, {file.path: theirs})[file.path] == theirs


def test_settings_with_comments_and_other_entries_come_back() -> None:
    """Zed's, VS Code's and OpenCode's files, as people have them, to the byte."""
    theirs = {
        "zed": '// Zed\n{\n  "theme": "One", // dark\n  "context_servers": {},\n}\n',
        "vscode": '{\n\t"servers": {\n\t\t"gh": {"url": "u"}, // mine\n\t},\n\t"inputs": []\n}',
        "opencode": '{"mcp": {"x": {"type": "local", "command": ["x"]}}, "plugin": ["a"]}',
        "gemini-cli": '{\r\n  "hooks": {"BeforeTool": []},\r\n  "ui": {}\r\n}\r\n',
        "windsurf": "{}",
        "claude-desktop": '{"globalShortcut": ""}\n',
        "cursor": "",
    }
    for name, text in theirs.items():
        spec = agents.find(name)
        assert spec is not None
        path = next(f.path for f in spec.config_files(HOME, {}) if "server" in f.holds)
        before: Files = {path: text}
        between = {**before, **after(connected(spec, before))}

        assert between[path] != text, name
        assert removed(spec, between)[path] == text, name
