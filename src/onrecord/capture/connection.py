"""Our entries in an agent CLI's own settings: planned as pure text, written with care.

Ours are the MCP server `onrecord` that runs `onrecord mcp --client NAME`, hooks that run
`onrecord-hook NAME EVENT`, and the permission for our own tools. An entry that looks like
ours is ours, whoever wrote it; anything else of that name is a conflict and stays.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from onrecord.capture import config_json, config_toml, jsonc
from onrecord.capture.agents.base import AgentSpec, ConfigFile
from onrecord.capture.own_entries import (
    SERVER,
    Draft,
    command_of,
    elements,
    is_our_server,
    our_handlers,
    server_value,
)
from onrecord.domain.errors import ConfigInvalid

#: What can be connected: the MCP server, the hooks, leave for our own tools.
PARTS = ("server", "hooks", "plugin", "permissions")

#: path -> its bytes, or None where there is no such file
Reader = Callable[[str], bytes | None]

#: What a file that is ours from end to end always says.
WHOLE_FILE_MARK = "Made by `onrecord connect`"


@dataclass(frozen=True, kw_only=True, slots=True)
class FileEdit:
    """What becomes of one settings file. Texts hold line ends as they stand in the file."""

    path: str
    #: the folder that the file may really lie in, links followed
    root: str
    #: None where there is no file
    before: str | None
    #: None where the file goes
    after: str | None
    #: one line for each change
    summary: tuple[str, ...] = ()
    #: one line for each entry in the way that was left alone
    conflicts: tuple[str, ...] = ()
    #: why its client would not read the file, in one line; empty where it does
    unread: str = ""

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff with one line around it."""
        import difflib  # noqa: PLC0415 - only a dry run shows it

        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        lines = difflib.unified_diff(old, new, self.path, self.path, n=1)
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def plan(
    spec: AgentSpec,
    home: str,
    command: str,
    hook_command: str,
    read: Reader,
    *,
    environ: Mapping[str, str] | None = None,
    parts: Sequence[str] = PARTS,
) -> list[FileEdit]:
    """The edits that connect the client; one per settings file, unchanged ones included.

    `command` and `hook_command` are absolute paths of our two programs, which are known by
    their names `onrecord` and `onrecord-hook`. Planning an already connected client changes
    nothing, or only the paths. Raises `ConfigInvalid` when a file cannot be read, or when an
    edit could not be undone to the byte.
    """
    return [
        _edit(
            file, read, _Connect(spec, command, hook_command, _plugin(spec, home, environ)), parts
        )
        for file in spec.config_files(home, environ or {})
        if set(file.holds) & set(parts)
    ]


def unplan(
    spec: AgentSpec,
    home: str,
    read: Reader,
    *,
    environ: Mapping[str, str] | None = None,
    parts: Sequence[str] = PARTS,
) -> list[FileEdit]:
    """The edits that take our entries out again; one per settings file."""
    return [
        _edit(file, read, _Disconnect(spec, _plugin(spec, home, environ)), parts)
        for file in spec.config_files(home, environ or {})
        if set(file.holds) & set(parts)
    ]


def _plugin(spec: AgentSpec, home: str, environ: Mapping[str, str] | None) -> str:
    return spec.plugin(home, environ or {}) if spec.plugin else ""


def _edit(
    file: ConfigFile, read: Reader, work: _Connect | _Disconnect, parts: Sequence[str]
) -> FileEdit:
    try:
        raw = read(file.path)
        before = None if raw is None else raw.decode("utf-8")
        draft = Draft(text=before)
        work.apply(draft, file, parts)
        if isinstance(work, _Connect):
            _check_reversible(
                _Disconnect(work.spec, work.address), file, before, draft.text, parts
            )
    except UnicodeDecodeError:
        raise ConfigInvalid(
            f"{file.path} is not UTF-8 text, so it was left as it is.",
            details={"path": file.path},
        ) from None
    except ConfigInvalid as error:
        place = f", line {error.details['line']}" if "line" in error.details else ""
        raise ConfigInvalid(
            f"{file.path}{place} is not what that file should hold. It was left as it is.",
            hint=error.hint or "Repair it there, then try again.",
            details={"path": file.path, **error.details},
        ) from None
    return FileEdit(
        path=file.path,
        root=file.root,
        before=before,
        after=draft.text,
        summary=tuple(draft.done),
        conflicts=tuple(draft.conflicts),
    )


def _check_reversible(
    undo: _Disconnect,
    file: ConfigFile,
    before: str | None,
    after: str | None,
    parts: Sequence[str],
) -> None:
    """What is not there yet must go without a trace; nothing is written otherwise."""

    def without(text: str | None) -> str | None:
        draft = Draft(text=text)
        undo.apply(draft, file, parts)
        return draft.text

    if without(before) == before and without(after) != before:
        raise ConfigInvalid(hint="This file's form cannot be edited so that it can be undone.")


class _Connect:
    """Puts our entries in."""

    def __init__(self, spec: AgentSpec, command: str, hook_command: str, address: str) -> None:
        self.spec = spec
        self.address = address
        self.command = command
        self.hook_command = hook_command

    def apply(self, draft: Draft, file: ConfigFile, parts: Sequence[str]) -> None:
        if file.form == "whole":
            self.whole(draft)
            return
        steps = {
            "server": self.server_toml if file.form == "toml" else self.server,
            "hooks": self.hooks,
            "plugin": self.plugin,
            "permissions": self.permissions,
        }
        for part in file.holds:
            if part in parts:
                steps[part](draft)

    def whole(self, draft: Draft) -> None:
        """A file of ours alone; one of that name that we did not make is left alone."""
        text = self.spec.whole_file(self.hook_command) if self.spec.whole_file else ""
        if draft.text is not None and WHOLE_FILE_MARK not in draft.text:
            draft.conflicts.append("it is not a file that onrecord makes; it was left alone")
        elif draft.text != text:
            draft.done.append("adds our hooks" if draft.text is None else "updates our hooks")
            draft.text = text

    def server(self, draft: Draft) -> None:
        path = self.spec.servers
        found = draft.locate(*path, SERVER)
        if found is None:
            value: jsonc.Json = {**server_value(self.spec, self.command)}
            draft.text = config_json.put_member(draft.text, path, SERVER, value)
            draft.done.append(f"adds the MCP server {SERVER}")
        elif self.is_moved(draft, draft.value(found[1])):
            place = jsonc.member(found[1], "command")
            node = place.value if place else None
            if node and node.kind == "[":
                node = node.entries[0].value
            if node:
                draft.text = config_json.replace(draft.text or "", node, self.command)

    def server_toml(self, draft: Draft) -> None:
        path = (*self.spec.servers, SERVER)
        found = config_toml.table(draft.text, path)
        if found is None:
            value = server_value(self.spec, self.command)
            draft.text = config_toml.put_table(draft.text, path, value)
            draft.done.append(f"adds the MCP server {SERVER}")
        elif self.is_moved(draft, found):
            text = draft.text or ""
            draft.text = config_toml.set_value(text, path, "command", self.command)

    def is_moved(self, draft: Draft, value: object) -> bool:
        """Whether the entry that is there is ours and names another path."""
        if not is_our_server(self.spec, value):
            draft.conflicts.append(_foreign(self.spec))
            return False
        if command_of(value) == self.command:
            return False
        draft.done.append(f"updates the path of the MCP server {SERVER}")
        return True

    def hooks(self, draft: Draft) -> None:
        there = {handler.event for handler in our_handlers(self.spec, draft)}
        self.update_hooks(draft)
        missing = [hook for hook in self.spec.hooks if hook.event not in there]
        for hook in missing:
            command = self.hook_line(hook.event)
            timeout = hook.timeout_s * self.spec.timeout_unit
            ours: jsonc.Json = {"type": "command", "command": command, "timeout": timeout}
            group: jsonc.Json = {
                **({"matcher": hook.matcher} if hook.matcher else {}),
                "hooks": [ours],
            }
            draft.text = config_json.put_element(draft.text, ["hooks", hook.event], group)
        if missing:
            draft.done.append("adds hooks: " + ", ".join(hook.event for hook in missing))

    def plugin(self, draft: Draft) -> None:
        """The settings name the plugin file."""
        if not elements(draft, ("plugin",), self.address):
            draft.text = config_json.put_element(draft.text, ["plugin"], self.address)
            draft.done.append("adds our plugin")

    def update_hooks(self, draft: Draft) -> None:
        """Another path of our program; a line that a person added words to stays as it is."""
        moved = [
            handler
            for handler in our_handlers(self.spec, draft)
            if len(handler.words) == 3 and handler.words[0] != self.hook_command  # noqa: PLR2004
        ]
        for handler in reversed(moved):
            line = self.hook_line(handler.event)
            draft.text = config_json.replace(draft.text or "", handler.command, line)
        if moved:
            events = ", ".join(handler.event for handler in moved)
            draft.done.append(f"updates the path of hooks: {events}")

    def hook_line(self, event: str) -> str:
        return f"{shlex.quote(self.hook_command)} {self.spec.name} {event}"

    def permissions(self, draft: Draft) -> None:
        for rule in self.spec.permissions:
            for answer in ("deny", "ask"):
                if elements(draft, ("permissions", answer), rule):
                    draft.conflicts.append(f"permissions.{answer} holds {rule}, which comes first")
            if not elements(draft, ("permissions", "allow"), rule):
                draft.text = config_json.put_element(draft.text, ["permissions", "allow"], rule)
                draft.done.append(f"allows {rule}")


class _Disconnect:
    """Takes our entries out."""

    def __init__(self, spec: AgentSpec, address: str) -> None:
        self.spec = spec
        self.address = address

    def apply(self, draft: Draft, file: ConfigFile, parts: Sequence[str]) -> None:
        if file.form == "whole":
            self.whole(draft)
            return
        steps = {
            "server": self.server_toml if file.form == "toml" else self.server,
            "hooks": self.hooks,
            "plugin": self.plugin,
            "permissions": self.permissions,
        }
        for part in reversed(file.holds):
            if part in parts and draft.text is not None:
                steps[part](draft)

    def server(self, draft: Draft) -> None:
        found = draft.locate(*self.spec.servers, SERVER)
        if found and self.is_ours(draft, draft.value(found[1])):
            draft.text = config_json.take_out(draft.text or "", found[0])

    def server_toml(self, draft: Draft) -> None:
        path = (*self.spec.servers, SERVER)
        found = config_toml.table(draft.text, path)
        if found is not None and self.is_ours(draft, found):
            draft.text = config_toml.take_table(draft.text or "", path)

    def whole(self, draft: Draft) -> None:
        if draft.text is not None and WHOLE_FILE_MARK in draft.text:
            draft.text = None
            draft.done.append("removes our hooks")
        elif draft.text is not None:
            draft.conflicts.append("it is not a file that onrecord makes; it was left alone")

    def is_ours(self, draft: Draft, value: object) -> bool:
        ours = is_our_server(self.spec, value)
        if ours:
            draft.done.append(f"removes the MCP server {SERVER}")
        else:
            draft.conflicts.append(_foreign(self.spec))
        return ours

    def hooks(self, draft: Draft) -> None:
        found = our_handlers(self.spec, draft)
        for handler in reversed(found):
            draft.text = config_json.take_out(draft.text or "", handler.trail)
        if found:
            events = ", ".join(handler.event for handler in found)
            draft.done.append(f"removes hooks: {events}")

    def plugin(self, draft: Draft) -> None:
        found = elements(draft, ("plugin",), self.address)
        for trail in reversed(found):
            draft.text = config_json.take_out(draft.text or "", trail)
        if found:
            draft.done.append("removes our plugin")

    def permissions(self, draft: Draft) -> None:
        for rule in self.spec.permissions:
            found = elements(draft, ("permissions", "allow"), rule)
            for trail in reversed(found):
                draft.text = config_json.take_out(draft.text or "", trail)
            if found:
                draft.done.append(f"no longer allows {rule}")


def _foreign(spec: AgentSpec) -> str:
    return (
        f"{'.'.join(spec.servers)}.{SERVER} is not an entry that onrecord makes; it was left alone"
    )
