"""Our entries in an agent CLI's own settings: planned as pure text, written with care.

Ours are the MCP server `onrecord` that runs `onrecord mcp --client NAME`, hooks that run
`onrecord-hook NAME EVENT`, and the permission for our own tools. An entry that looks like
ours is ours, whoever wrote it; anything else of that name is a conflict and stays.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from onrecord.capture import config_json as js
from onrecord.capture import config_toml as toml
from onrecord.capture.agents.base import AgentSpec, ConfigFile, Hook, as_list, as_mapping
from onrecord.domain.errors import ConfigInvalid

#: What can be connected: the MCP server, the hooks, leave for our own tools.
PARTS = ("server", "hooks", "permissions")

#: The name of our server in every client.
SERVER = "onrecord"

#: path -> its bytes, or None where there is no such file
Reader = Callable[[str], bytes | None]

_PROGRAMS = ("onrecord", "onrecord.exe")
_HOOK_PROGRAMS = ("onrecord-hook", "onrecord-hook.exe")
_TOML_PATH = ("mcp_servers", SERVER)


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


@dataclass(slots=True)
class _Draft:
    """One file while it is edited."""

    text: str | None
    done: list[str]
    conflicts: list[str]


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

    `command` and `hook_command` are absolute paths of our two programs. Planning an already
    connected client changes nothing, or only the paths. Raises `ConfigInvalid` when a file
    cannot be read, or when an edit could not be undone to the byte.
    """
    return [
        _edit(file, read, _Connect(spec, command, hook_command), parts)
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
        _edit(file, read, _Disconnect(spec), parts)
        for file in spec.config_files(home, environ or {})
        if set(file.holds) & set(parts)
    ]


def _edit(
    file: ConfigFile, read: Reader, work: _Connect | _Disconnect, parts: Sequence[str]
) -> FileEdit:
    try:
        raw = read(file.path)
        before = None if raw is None else raw.decode("utf-8")
        draft = _Draft(text=before, done=[], conflicts=[])
        work.apply(draft, file, parts)
        if isinstance(work, _Connect):
            _check_reversible(work.spec, file, before, draft.text, parts)
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
    spec: AgentSpec, file: ConfigFile, before: str | None, after: str | None, parts: Sequence[str]
) -> None:
    """What is not there yet must go without a trace; nothing is written otherwise."""

    def without(text: str | None) -> str | None:
        draft = _Draft(text=text, done=[], conflicts=[])
        _Disconnect(spec).apply(draft, file, parts)
        return draft.text

    if without(before) == before and without(after) != before:
        raise ConfigInvalid(hint="This file's form cannot be edited so that it can be undone.")


class _Connect:
    """Puts our entries in."""

    def __init__(self, spec: AgentSpec, command: str, hook_command: str) -> None:
        self.spec = spec
        self.command = command
        self.hook_command = hook_command

    def apply(self, draft: _Draft, file: ConfigFile, parts: Sequence[str]) -> None:
        steps = {"server": self.server, "hooks": self.hooks, "permissions": self.permissions}
        if file.form == "toml":
            steps["server"] = self.server_toml
        for part in file.holds:
            if part in parts:
                steps[part](draft)

    def server(self, draft: _Draft) -> None:
        root = _root(draft)
        entry = js.member(_container(root, ("mcpServers",), "{"), SERVER)
        if entry is None:
            value = _server_value(self.spec, self.command)
            draft.text = js.put_member(
                draft.text, ["mcpServers"], SERVER, {"type": "stdio", **value}
            )
            draft.done.append(f"adds the MCP server {SERVER}")
            return
        found = js.value_of(draft.text or "", entry.value)
        if not _is_our_server(self.spec, found):
            draft.conflicts.append(_foreign_server("mcpServers"))
        elif as_mapping(found)["command"] != self.command:
            place = js.member(entry.value, "command")
            if place:
                draft.text = js.replace(draft.text or "", place.value, self.command)
                draft.done.append(f"updates the path of the MCP server {SERVER}")

    def server_toml(self, draft: _Draft) -> None:
        found = toml.table(draft.text, _TOML_PATH)
        if found is None:
            value = _server_value(self.spec, self.command)
            draft.text = toml.put_table(draft.text, _TOML_PATH, value)
            draft.done.append(f"adds the MCP server {SERVER}")
        elif not _is_our_server(self.spec, found):
            draft.conflicts.append(_foreign_server("mcp_servers"))
        elif found["command"] != self.command:
            draft.text = toml.set_value(draft.text or "", _TOML_PATH, "command", self.command)
            draft.done.append(f"updates the path of the MCP server {SERVER}")

    def hooks(self, draft: _Draft) -> None:
        added = [hook.event for hook in self.spec.hooks if self.hook(draft, hook)]
        if added:
            draft.done.append("adds hooks: " + ", ".join(added))

    def hook(self, draft: _Draft, hook: Hook) -> bool:
        """Whether the hook was added; one that is there gets at most another path."""
        line = f"{shlex.quote(self.hook_command)} {self.spec.name} {hook.event}"
        for event, _, handler in _our_handlers(self.spec, draft):
            if event != hook.event:
                continue
            text = draft.text or ""
            place = js.member(handler, "command")
            told = shlex.split(str(js.value_of(text, place.value))) if place else []
            if place and len(told) == 3 and told[0] != self.hook_command:  # noqa: PLR2004
                draft.text = js.replace(text, place.value, line)
                draft.done.append(f"updates the path of the {hook.event} hook")
            return False
        ours: js.Json = {"type": "command", "command": line, "timeout": hook.timeout_s}
        group: dict[str, js.Json] = {"matcher": hook.matcher} if hook.matcher else {}
        draft.text = js.put_element(draft.text, ["hooks", hook.event], {**group, "hooks": [ours]})
        return True

    def permissions(self, draft: _Draft) -> None:
        for rule in self.spec.permissions:
            for answer in ("deny", "ask"):
                if _elements(draft, ("permissions", answer), rule):
                    draft.conflicts.append(f"permissions.{answer} holds {rule}, which comes first")
            if not _elements(draft, ("permissions", "allow"), rule):
                draft.text = js.put_element(draft.text, ["permissions", "allow"], rule)
                draft.done.append(f"allows {rule}")


class _Disconnect:
    """Takes our entries out."""

    def __init__(self, spec: AgentSpec) -> None:
        self.spec = spec

    def apply(self, draft: _Draft, file: ConfigFile, parts: Sequence[str]) -> None:
        steps = {"server": self.server, "hooks": self.hooks, "permissions": self.permissions}
        if file.form == "toml":
            steps["server"] = self.server_toml
        for part in reversed(file.holds):
            if part in parts and draft.text is not None:
                steps[part](draft)

    def server(self, draft: _Draft) -> None:
        root = _root(draft)
        servers = _container(root, ("mcpServers",), "{")
        entry = js.member(servers, SERVER)
        if root is None or servers is None or entry is None:
            return
        if not _is_our_server(self.spec, js.value_of(draft.text or "", entry.value)):
            draft.conflicts.append(_foreign_server("mcpServers"))
            return
        outer = js.member(root, "mcpServers")
        trail = [_index(root, outer), _index(servers, entry)]
        draft.text = js.take_out(draft.text or "", trail)
        draft.done.append(f"removes the MCP server {SERVER}")

    def server_toml(self, draft: _Draft) -> None:
        found = toml.table(draft.text, _TOML_PATH)
        if found is None:
            return
        if not _is_our_server(self.spec, found):
            draft.conflicts.append(_foreign_server("mcp_servers"))
            return
        draft.text = toml.take_table(draft.text or "", _TOML_PATH)
        draft.done.append(f"removes the MCP server {SERVER}")

    def hooks(self, draft: _Draft) -> None:
        removed: list[str] = []
        while draft.text is not None and (found := _our_handlers(self.spec, draft)):
            event, trail, _ = found[-1]
            draft.text = js.take_out(draft.text, trail)
            removed.insert(0, event)
        if removed:
            draft.done.append("removes hooks: " + ", ".join(removed))

    def permissions(self, draft: _Draft) -> None:
        for rule in self.spec.permissions:
            while draft.text is not None and (
                found := _elements(draft, ("permissions", "allow"), rule)
            ):
                draft.text = js.take_out(draft.text, found[-1])
                draft.done.append(f"no longer allows {rule}")


def _server_value(spec: AgentSpec, command: str) -> dict[str, js.Json]:
    return {"command": command, "args": ["mcp", "--client", spec.name], **spec.server}


def _is_our_server(spec: AgentSpec, value: object) -> bool:
    found = as_mapping(value)
    command = found.get("command")
    program = command.replace("\\", "/").rpartition("/")[2] if isinstance(command, str) else ""
    arguments = as_list(found.get("args"))[:3]
    return program in _PROGRAMS and arguments == ["mcp", "--client", spec.name]


def _foreign_server(where: str) -> str:
    return f"{where}.{SERVER} is not an entry that onrecord makes; it was left alone"


def _is_our_hook(spec: AgentSpec, event: str, command: object) -> bool:
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return False
    if len(words) < 3 or words[-2:] != [spec.name, event]:  # noqa: PLR2004 - program, client, event
        return False
    return words[-3].replace("\\", "/").rpartition("/")[2] in _HOOK_PROGRAMS


def _our_handlers(spec: AgentSpec, draft: _Draft) -> list[tuple[str, list[int], js.Node]]:
    """(event, trail, handler) of our hooks; a trail ends at a group that holds only ours."""
    root, text = _root(draft), draft.text or ""
    events = _container(root, ("hooks",), "{")
    found: list[tuple[str, list[int], js.Node]] = []
    if root is None or events is None:
        return found
    outer = _index(root, js.member(root, "hooks"))
    for at, event in enumerate(events.entries):
        for number, group in enumerate(_kind(text, event.value, "[").entries):
            place = js.member(group.value, "hooks")
            handlers = place.value.entries if place else ()
            for last, handler in enumerate(handlers):
                command = js.member(handler.value, "command")
                told = js.value_of(text, command.value) if command else None
                if not _is_our_hook(spec, event.key, told):
                    continue
                trail = [outer, at, number]
                if len(handlers) > 1:
                    trail += [_index(group.value, place), last]
                found.append((event.key, trail, handler.value))
    return found


def _elements(draft: _Draft, path: tuple[str, str], rule: str) -> list[list[int]]:
    """Trails of the elements equal to `rule` in the array at a path of two names."""
    root, text = _root(draft), draft.text or ""
    holder = _container(root, path[:1], "{")
    place = js.member(holder, path[1])
    if root is None or holder is None or place is None:
        return []
    trail = [_index(root, js.member(root, path[0])), _index(holder, place)]
    return [
        [*trail, at]
        for at, entry in enumerate(_kind(text, place.value, "[").entries)
        if not entry.value.kind and js.value_of(text, entry.value) == rule
    ]


def _root(draft: _Draft) -> js.Node | None:
    return js.read(draft.text) if draft.text is not None else None


def _container(root: js.Node | None, path: tuple[str, ...], kind: str) -> js.Node | None:
    node = js.follow(root, path)
    if node is not None and node.kind != kind:
        raise ConfigInvalid(details={"member": ".".join(path)})
    return node


def _kind(text: str, node: js.Node, kind: str) -> js.Node:
    if node.kind != kind:
        raise ConfigInvalid(details={"line": text.count("\n", 0, node.start) + 1})
    return node


def _index(node: js.Node, entry: js.Entry | None) -> int:
    return next(at for at, found in enumerate(node.entries) if found is entry)
