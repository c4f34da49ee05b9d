"""Which entries of an agent CLI's settings are ours, and where they stand.

An entry that looks like ours is ours, whoever wrote it.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import cast

from onrecord.capture import jsonc
from onrecord.capture.agents.base import AgentSpec, as_list, as_mapping
from onrecord.domain.errors import ConfigInvalid

#: The name of our server in every client.
SERVER = "onrecord"

_PROGRAMS = ("onrecord", "onrecord.exe")
_HOOK_PROGRAMS = ("onrecord-hook", "onrecord-hook.exe")


@dataclass(slots=True)
class Draft:
    """One settings file while it is edited; None where there is none."""

    text: str | None
    done: list[str] = field(default_factory=list[str])
    conflicts: list[str] = field(default_factory=list[str])

    def value(self, node: jsonc.Node) -> jsonc.Json:
        """What a node of the text says."""
        return jsonc.value_of(self.text or "", node)

    def locate(self, *names: str) -> tuple[list[int], jsonc.Node] | None:
        """The trail and node of the value under these names; None where there is none.

        All but the last must be objects: `ConfigInvalid` otherwise.
        """
        node = jsonc.read(self.text) if self.text is not None else None
        trail: list[int] = []
        for name in names:
            if node is None:
                return None
            entry = jsonc.member(self.of_kind(node, "{"), name)
            if entry is None:
                return None
            trail.append(next(at for at, one in enumerate(node.entries) if one is entry))
            node = entry.value
        return (trail, node) if node else None

    def of_kind(self, node: jsonc.Node, kind: str) -> jsonc.Node:
        """The node, which must be an object (`{`) or array (`[`): `ConfigInvalid` otherwise."""
        if node.kind != kind:
            line = (self.text or "").count("\n", 0, node.start) + 1
            raise ConfigInvalid(details={"line": line})
        return node


@dataclass(frozen=True, kw_only=True, slots=True)
class Handler:
    """One hook of ours."""

    event: str
    #: where its command stands
    command: jsonc.Node
    #: the program, the client and the event, and whatever a person put before them
    words: tuple[str, ...]
    #: leads to the group where it holds only this hook, else to the hook
    trail: tuple[int, ...]


def server_value(spec: AgentSpec, command: str) -> dict[str, jsonc.Json]:
    """Our MCP entry: how the client starts the server, and what else it wants to know."""
    arguments = ["mcp", "--client", spec.name]
    kind = {key: _json(value) for key, value in spec.server.items() if key == "type"}
    more = {key: _json(value) for key, value in spec.server.items() if key != "type"}
    if spec.one_command:
        return {**kind, "command": [command, *arguments], **more}
    return {**kind, "command": command, "args": [*arguments], **more}


def command_of(value: object) -> str:
    """The program that an MCP entry starts."""
    command = as_mapping(value).get("command")
    first = next(iter(as_list(command)), command)
    return first if isinstance(first, str) else ""


def _json(value: object) -> jsonc.Json:
    """Plain data of a spec's as JSON."""
    return cast("jsonc.Json", value)


def is_our_server(spec: AgentSpec, value: object) -> bool:
    """Whether an MCP entry starts our server for this client."""
    found = as_mapping(value)
    arguments = as_list(found.get("command"))[1:] or as_list(found.get("args"))
    ours = ["mcp", "--client", spec.name]
    return _base(command_of(value)) in _PROGRAMS and arguments[:3] == ours


def our_handlers(spec: AgentSpec, draft: Draft) -> list[Handler]:
    """Our hooks in the file, in its order."""
    found: list[Handler] = []
    hooks = draft.locate("hooks")
    for at, event in enumerate(draft.of_kind(hooks[1], "{").entries if hooks else ()):
        for number, group in enumerate(draft.of_kind(event.value, "[").entries):
            trail = (*(hooks[0] if hooks else ()), at, number)
            found += _handlers_of(spec, draft, event.key, group.value, trail)
    return found


def _handlers_of(
    spec: AgentSpec, draft: Draft, event: str, group: jsonc.Node, trail: tuple[int, ...]
) -> list[Handler]:
    place = jsonc.member(group, "hooks")
    handlers = place.value.entries if place else ()
    inner = next((at for at, entry in enumerate(group.entries) if entry is place), 0)
    found: list[Handler] = []
    for last, handler in enumerate(handlers):
        command = jsonc.member(handler.value, "command")
        words = _words(draft.value(command.value)) if command else ()
        if command and _is_our_line(spec, event, words):
            deeper = trail if len(handlers) == 1 else (*trail, inner, last)
            found.append(Handler(event=event, command=command.value, words=words, trail=deeper))
    return found


def _is_our_line(spec: AgentSpec, event: str, words: tuple[str, ...]) -> bool:
    program, rest = words[-3:-2], words[-2:]
    return bool(program) and _base(program[0]) in _HOOK_PROGRAMS and rest == (spec.name, event)


def elements(draft: Draft, names: tuple[str, ...], text: str) -> list[list[int]]:
    """Trails of the elements equal to `text` in the array under these names."""
    found = draft.locate(*names)
    if found is None:
        return []
    trail, array = found
    return [
        [*trail, at]
        for at, entry in enumerate(draft.of_kind(array, "[").entries)
        if not entry.value.kind and draft.value(entry.value) == text
    ]


def _words(command: object) -> tuple[str, ...]:
    """The words of a command line as a shell takes them; none where it would not."""
    try:
        return tuple(shlex.split(command)) if isinstance(command, str) else ()
    except ValueError:
        return ()


def _base(program: object) -> str:
    return program.replace("\\", "/").rpartition("/")[2] if isinstance(program, str) else ""
