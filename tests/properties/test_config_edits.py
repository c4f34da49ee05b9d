"""Connecting and disconnecting leaves any settings file as it was, to the byte."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from onrecord.capture import agents, config_toml, connection, jsonc
from onrecord.capture.agents import claude_code, codex
from onrecord.capture.agents.base import AgentSpec
from onrecord.capture.connection import FileEdit
from onrecord.domain.errors import ConfigInvalid

HOME = "/home/ada"

#: A plan reads and writes two whole files a dozen times over.
FEWER = settings(max_examples=50)
COMMAND, HOOK = "/opt/bin/onrecord", "/opt/my bin/onrecord-hook"

Files = Mapping[str, str | None]


def connect(spec: AgentSpec, files: Files, command: str = COMMAND, hook: str = HOOK) -> Files:
    """The files after connecting."""
    return applied(files, connection.plan(spec, HOME, command, hook, reader(files)))


def disconnect(spec: AgentSpec, files: Files) -> Files:
    """The files after disconnecting."""
    return applied(files, connection.unplan(spec, HOME, reader(files)))


def reader(files: Files) -> connection.Reader:
    """A reader of files that exist only here."""

    def read(path: str) -> bytes | None:
        text = files.get(path)
        return None if text is None else text.encode()

    return read


def applied(files: Files, edits: Sequence[FileEdit]) -> Files:
    """The files with every edit made."""
    return {**files, **{edit.path: edit.after for edit in edits}}


def paths(spec: AgentSpec) -> list[str]:
    """The settings files of a client."""
    return [file.path for file in spec.config_files(HOME, {})]


GAPS = st.text(alphabet=" \t", max_size=3)
LINES = st.sampled_from(["", "\n", "\r\n", "\n\n", "\n  ", "\r\n\t"])
COMMENTS = st.sampled_from(["", "", "", "/* c */", "// c\n", "/* a\n // b */", "// }],\r\n"])
SPACE = st.builds(lambda a, b, c, d: a + b + c + d, GAPS, LINES, COMMENTS, LINES)

KEYS = st.sampled_from(
    [
        *("mcpServers", "hooks", "permissions", "allow", "deny", "SessionStart", "Stop"),
        *("a", "b", "", "onrecord ", 'q"uote', "PreToolUse"),
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
)
FREE = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
SERVERS = st.dictionaries(
    KEYS, st.fixed_dictionaries({"command": st.text(max_size=8)}), max_size=3
)
GROUPS = st.lists(
    st.fixed_dictionaries(
        {
            "hooks": st.lists(
                st.fixed_dictionaries(
                    {"type": st.just("command"), "command": st.text(max_size=9)}
                ),
                max_size=2,
            )
        },
        optional={"matcher": st.text(max_size=5)},
    ),
    max_size=2,
)
HOOKS = st.dictionaries(st.sampled_from(["SessionStart", "Stop", "PreToolUse", "X"]), GROUPS)
RULES = st.fixed_dictionaries({}, optional={"allow": st.lists(st.text(max_size=6), max_size=3)})
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "mcpServers": SERVERS,
        "hooks": HOOKS,
        "permissions": RULES,
        "a": FREE,
        "z": FREE,
    },
)


@st.composite
def written(draw: st.DrawFn, value: Any, *, comments: bool = True) -> str:
    """A value as JSON in some hand's layout: any white space, comments and trailing commas."""

    def gap() -> str:
        text = draw(SPACE)
        return text if comments or "/" not in text else draw(GAPS)

    def text_of(part: Any) -> str:
        if isinstance(part, dict):
            inner = [
                f"{gap()}{json.dumps(key)}{gap()}:{gap()}{text_of(item)}{gap()}"
                for key, item in part.items()
            ]
            return "{" + joined(inner) + "}"
        if isinstance(part, list):
            return "[" + joined([gap() + text_of(item) + gap() for item in part]) + "]"
        return json.dumps(part, ensure_ascii=draw(st.booleans()))

    def joined(inner: list[str]) -> str:
        trailing = "," + gap() if comments and inner and draw(st.booleans()) else ""
        return (",".join(inner) if inner else gap()) + trailing

    mark = draw(st.sampled_from(["", "", "\ufeff"]))
    return mark + gap() + text_of(value) + gap()


JSON_FILES = (
    st.none()
    | st.sampled_from(["", " ", "\n", "\r\n\t", "\ufeff", "\ufeff\n"])
    | SETTINGS.flatmap(written)
    | SETTINGS.map(lambda value: json.dumps(value, indent=2))
    | SETTINGS.map(json.dumps)
    | SETTINGS.map(lambda value: json.dumps(value, indent="\t").replace("\n", "\r\n") + "\r\n")
)

TOML_LINES = st.sampled_from(
    [
        *(
            "",
            "# mine",
            "x = 1 # one",
            "y = [",
            "  1, # ]",
            "]",
            'z = """',
            "[not.a.table]",
            '"""',
        ),
        *("[mcp_servers.b]", 'command = "b"', "[mcp_servers]", "[a]", "[[list]]", "k = {a = 1}"),
        *("mcp_servers = {}", "mcp_servers = { b = { command = 'y' } }", "'q.r' = '''s'''"),
        *("[mcp_servers.b.env]", "[projects.'/home/ada']", "   ", "\t# t", "d.e.f = 2026-01-01"),
    ]
)


@st.composite
def toml_files(draw: st.DrawFn) -> str | None:
    """A TOML text of lines that a person or Codex writes, whatever their order and ends."""
    lines = draw(st.lists(TOML_LINES, max_size=8))
    ends = draw(st.sampled_from(["\n", "\r\n"]))
    text = ends.join(lines) + draw(st.sampled_from(["", ends, ends * 2]))
    text = draw(st.sampled_from(["", "", "\ufeff"])) + text
    try:
        config_toml.read(text)
    except ConfigInvalid:
        assume(False)
    return draw(st.sampled_from([text, text, text, None]))


@FEWER
@given(state=JSON_FILES, settings=JSON_FILES)
def test_claude_code_is_disconnected_without_a_trace(
    state: str | None, settings: str | None
) -> None:
    """Any two files come back to the byte; connecting twice is connecting once."""
    before = dict(zip(paths(claude_code.SPEC), (state, settings), strict=True))
    after = connect(claude_code.SPEC, before)

    assert after != before
    assert connect(claude_code.SPEC, after) == after
    assert disconnect(claude_code.SPEC, after) == before
    assert disconnect(claude_code.SPEC, before) == before


@FEWER
@given(config=toml_files(), hooks=JSON_FILES)
def test_codex_is_disconnected_without_a_trace(config: str | None, hooks: str | None) -> None:
    """The same for Codex's TOML and JSON."""
    before = dict(zip(paths(codex.SPEC), (config, hooks), strict=True))
    after = connect(codex.SPEC, before)

    assert connect(codex.SPEC, after) == after
    assert disconnect(codex.SPEC, after) == before


@FEWER
@given(settings=SETTINGS, data=st.data())
def test_what_a_person_has_stays_and_means_the_same(
    settings: dict[str, Any], data: st.DataObject
) -> None:
    """Beside ours, every entry is there with its value and in its order."""
    text = data.draw(written(settings, comments=False))
    state, config = paths(claude_code.SPEC)
    after = connect(claude_code.SPEC, {state: text, config: text})
    for path in (state, config):
        read = json.loads((after[path] or "").removeprefix("\ufeff"))

        assert without_ours(read) == without_ours(settings)
        assert [key for key in read if key in settings] == list(settings)


def without_ours(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings less our entries and the containers that are left empty."""
    servers = dict(settings.get("mcpServers", {}))
    servers.pop("onrecord", None)
    hooks = {
        event: [group for group in groups if HOOK not in json.dumps(group)]
        for event, groups in settings.get("hooks", {}).items()
    }
    rules = dict(settings.get("permissions", {}))
    rules["allow"] = [rule for rule in rules.get("allow", []) if rule != "mcp__onrecord"]
    rest = {
        "mcpServers": servers,
        "hooks": {event: groups for event, groups in hooks.items() if groups},
        "permissions": {name: value for name, value in rules.items() if value},
    }
    return {**settings, **rest}


@FEWER
@given(settings=SETTINGS, added=SETTINGS)
def test_a_clients_own_writing_in_between_survives(
    settings: dict[str, Any], added: dict[str, Any]
) -> None:
    """The client reads, adds, and writes the file in its own form; then ours is taken out."""
    _, config = paths(claude_code.SPEC)
    after = connect(claude_code.SPEC, {config: json.dumps(settings, indent=2)})
    read = json.loads(after[config] or "")
    for key, value in added.items():
        if isinstance(value, dict) and isinstance(read.get(key), dict):
            read[key] = {**value, **read[key]}
        else:
            read.setdefault(key, value)
    gone = disconnect(claude_code.SPEC, {config: json.dumps(read, indent=2)})[config]
    left = json.loads(gone) if gone else {}

    assert without_ours(left) == without_ours(read)
    assert "onrecord-hook" not in (gone or "")


@FEWER
@given(settings=JSON_FILES, hook=st.sampled_from(["/a/onrecord-hook", "/b c/onrecord-hook"]))
def test_another_path_is_put_in_place(settings: str | None, hook: str) -> None:
    """Connecting from another installation changes the paths and nothing else."""
    state, config = paths(claude_code.SPEC)
    before: Files = {state: settings, config: settings}
    moved = connect(claude_code.SPEC, connect(claude_code.SPEC, before), "/n/onrecord", hook)

    assert COMMAND not in (moved[state] or "")
    assert HOOK not in (moved[config] or "")
    assert disconnect(claude_code.SPEC, moved) == before


@given(st.text(max_size=60))
def test_no_text_at_all_breaks_the_editor(text: str) -> None:
    """A file is edited reversibly or refused with a code; it never ends in another error."""
    for spec in agents.connectable():
        before = dict.fromkeys(paths(spec), text)
        try:
            after = connect(spec, before)
        except ConfigInvalid:
            continue
        assert disconnect(spec, after) == before


@given(SETTINGS.flatmap(written))
def test_the_reader_takes_what_people_write(text: str) -> None:
    """Comments and trailing commas are read over, and every value has its place in the text."""
    node = jsonc.read(text)

    assert node is not None
    assert text[node.start] == "{"
    assert text[node.end - 1] == "}"
