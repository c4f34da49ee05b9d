"""Agents that a person describes in their own configuration file, as tables `[agents.NAME]`.

Never in a project's file: an agent's entry names programs that are run. What a table may say is
in `KEYS`; anything else, and anything of the wrong kind, is an error that names it.
"""

from __future__ import annotations

from onrecord.capture.agents.base import (
    EVENT_NAMES,
    AgentSpec,
    ConfigFile,
    Hook,
    as_list,
    as_mapping,
    is_agent_name,
    utf16_units,
)
from onrecord.capture.agents.launch import Launch
from onrecord.domain.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: What a table may say -> the kind of its value.
KEYS = {
    "title": "text",
    "config": "text",
    "format": "text",
    "servers": "text",
    "server": "table",
    "command_list": "switch",
    "program": "text",
    "executables": "list",
    "model": "list",
    "prompt": "list",
    "resume": "list",
    "pack": "list",
    "hooks": "table",
    "hooks_config": "text",
    "hook_timeout_unit": "text",
}

_KINDS = {"text": str, "table": dict, "switch": bool, "list": list}
_WORDS = {
    "text": "a text",
    "table": "a table",
    "switch": "true or false",
    "list": "a list of texts",
}
_UNITS = {"s": 1, "ms": 1_000}

_CHANGE = "Change it in your configuration file (onrecord path --config shows where)."

#: The place of the pack among the words that hand it over.
_PACK = "{pack}"


def read(name: str, table: object) -> AgentSpec:
    """The agent of that table; raises `UsageError`, which says what is wrong and where."""
    given = _checked(name, table)
    config = str(given.get("config", ""))
    form = str(given.get("format", "toml" if config.endswith(".toml") else "json"))
    if form not in ("json", "toml"):
        raise _wrong(name, "format", "is `json` (comments may stand in it) or `toml`")
    hooks = _hooks(name, given)
    unit = str(given.get("hook_timeout_unit", "s"))
    if unit not in _UNITS:
        raise _wrong(name, "hook_timeout_unit", "is `s` or `ms`")
    servers = str(given.get("servers", "mcp_servers" if form == "toml" else "mcpServers"))
    return AgentSpec(
        name=name,
        title=str(given.get("title", name)),
        executables=tuple(_texts(given, "executables")),
        scripts=tuple(f"/{name}" for name in _texts(given, "executables")),
        programs=(str(given["program"]),) if "program" in given else (),
        events=hooks,
        context_events=tuple(
            own for own, ours in hooks.items() if ours in ("session_start", "prompt")
        ),
        silent_events=(),
        context_length=utf16_units,
        hooks=tuple(Hook(own) for own in hooks),
        timeout_unit=_UNITS[unit],
        server=as_mapping(given.get("server")),
        servers=tuple(servers.split(".")),
        one_command=given.get("command_list") is True,
        reads_comments=True,
        config_files=_files(given, config, form),
        launch=_launch(given),
    )


def _checked(name: str, table: object) -> Mapping[str, object]:
    if not is_agent_name(name):
        raise UsageError(
            f"[agents.{name}]: that is no name for an agent; one is made of small letters, digits"
            " and `-`.",
            hint=_CHANGE,
            details={"agent": name},
        )
    given = as_mapping(table)
    if given is not table:
        raise UsageError(
            f"[agents.{name}]: that is no table.",
            hint=_CHANGE,
            details={"agent": name},
        )
    for key, value in given.items():
        texts = as_list(given.get(key))
        if key not in KEYS:
            raise _wrong(name, key, f"is not known; there is {', '.join(KEYS)}")
        fits = isinstance(value, _KINDS[KEYS[key]])
        if not fits or not all(isinstance(one, str) for one in texts):
            raise _wrong(name, key, f"must be {_WORDS[KEYS[key]]}")
    for key in ("config", "hooks_config"):
        if key in given and not str(given[key]).startswith(("/", "~/")):
            raise _wrong(name, key, "must be a whole path, or begin with `~/`")
    if not given.get("config") and not given.get("program"):
        raise _wrong(
            name, "config", "or `program` is needed: there is nothing to connect or start"
        )
    if given.get("pack") and not any(_PACK in word for word in _texts(given, "pack")):
        raise _wrong(name, "pack", f"must hold `{_PACK}`, where the pack goes")
    return given


def _hooks(name: str, given: Mapping[str, object]) -> dict[str, str]:
    """Its own event names -> ours."""
    found: dict[str, str] = {}
    for own, ours in as_mapping(given.get("hooks")).items():
        if not isinstance(ours, str) or ours not in EVENT_NAMES[:-1]:
            raise _wrong(name, f"hooks.{own}", f"is one of {', '.join(EVENT_NAMES[:-1])}")
        found[own] = ours
    if found and not given.get("hooks_config") and str(given.get("format", "json")) != "json":
        raise _wrong(name, "hooks_config", "is needed: hooks stand in a JSON file")
    return found


def _files(
    given: Mapping[str, object], config: str, form: str
) -> Callable[[str, Mapping[str, str]], tuple[ConfigFile, ...]]:
    hooks = str(given.get("hooks_config", "")) or (config if given.get("hooks") else "")

    def files(home: str, _environ: Mapping[str, str]) -> tuple[ConfigFile, ...]:
        def at(path: str, kind: str, *holds: str) -> ConfigFile:
            whole = home + path[1:] if path.startswith("~/") else path
            root = home if path.startswith("~/") else whole.rpartition("/")[0]
            return ConfigFile(whole, form=kind, holds=holds, root=root)

        if config and hooks == config:
            return (at(config, form, "server", "hooks"),)
        return (
            *((at(config, form, "server"),) if config else ()),
            *((at(hooks, "json", "hooks"),) if hooks else ()),
        )

    return files


def _launch(given: Mapping[str, object]) -> Launch | None:
    if "program" not in given:
        return None
    pack = _texts(given, "pack")

    def context(text: str) -> tuple[str, ...]:
        return tuple(word.replace(_PACK, text) for word in pack)

    return Launch(
        program=str(given["program"]),
        resume=tuple(_texts(given, "resume")),
        model=tuple(_texts(given, "model")),
        context=context if pack else None,
        prompt=tuple(_texts(given, "prompt")),
    )


def _texts(given: Mapping[str, object], key: str) -> list[str]:
    found = given.get(key)
    return [str(one) for one in found] if isinstance(found, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _wrong(name: str, key: str, what: str) -> UsageError:
    return UsageError(
        f"[agents.{name}]: `{key}` {what}.",
        hint=_CHANGE,
        details={"agent": name, "key": key},
    )
