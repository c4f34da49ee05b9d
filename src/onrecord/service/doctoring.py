"""The doctor: what works, what does not, and what to do; delivery is proved by a round trip."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from onrecord.capture import agents, jsonc, spool
from onrecord.capture.agents.base import AgentSpec, as_list, as_mapping
from onrecord.capture.own_entries import SERVER, is_our_server
from onrecord.config import config_file
from onrecord.domain.errors import OnrecordError
from onrecord.domain.plural import counted
from onrecord.service import connecting
from onrecord.service.roster import Ignored

#: ok · note · warn · fail
LEVELS = ("ok", "note", "warn", "fail")

#: A round trip that takes longer has failed.
PATIENCE_S = 20

#: Words in a server's name or command that tell of a memory.
_MEMORY_WORDS = ("memory", "mem0", "claude-mem", "lorekit", "engram", "mempalace", "memorix")

_MARK = "onrecord-doctor-round-trip"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that was looked at."""

    #: stable, documented in the troubleshooting page
    code: str
    #: one of LEVELS
    level: str
    say: str
    fix: str = ""


def examine_config(odd: Sequence[str], ignored: Sequence[Ignored]) -> Iterator[Finding]:
    """What stands in the person's configuration file and is not read."""
    for name in odd:
        yield Finding(
            code="config.ignored",
            level="warn",
            say=f"`{name}` in your configuration file is no table, so it is not read.",
            fix=f"Write it as [{name}] with keys below (onrecord path --config shows the file)",
        )
    for one in ignored:
        yield Finding(code="config.ignored", level="warn", say=one.why, fix=one.fix)


def examine_store(path: str, check: Callable[[], bool]) -> Iterator[Finding]:
    """The store, its keys, and what hooks left."""
    try:
        sound = check()
    except OnrecordError as error:
        yield Finding(code=error.code, level="fail", say=error.message, fix=error.hint)
        return
    if sound:
        yield Finding(code="store.sound", level="ok", say=f"The store is sound: {path}")
    else:
        yield Finding(
            code="store.damaged",
            level="fail",
            say="The store has faults.",
            fix="onrecord check lists them",
        )
    aside = spool.set_aside_count(path + ".spool")
    if aside:
        yield Finding(
            code="spool.unreadable",
            level="warn",
            say=f"{counted(aside, 'record')} of hooks could not be read, and set aside.",
            fix=f"Look into {path}.spool, then delete the .bad files",
        )
    faults = Path(path + ".hook-faults")
    if faults.exists():
        lines = faults.read_text(encoding="utf-8", errors="replace").splitlines()
        last = lines[-1].partition(" ")[2] if lines else "?"
        yield Finding(
            code="hook.faults",
            level="warn",
            say=f"Hooks failed {counted(len(lines), 'time')} (the agents went on);"
            f" the last: {last}",
            fix=f"Delete {faults} once it is solved",
        )


def examine_client(
    spec: AgentSpec, environ: Mapping[str, str], *, program: str | None, cwd: str
) -> Iterator[Finding]:
    """One agent CLI: connected, trusted, and what else is mounted there."""
    name = spec.name
    if program is None:
        yield Finding(
            code="client.absent", level="note", say=f"{spec.title} is not on the PATH here."
        )
    try:
        edits = connecting.edits(spec, environ)
    except OnrecordError as error:
        yield Finding(code=error.code, level="fail", say=error.message, fix=error.hint)
        return
    missing = [line for edit in edits for line in edit.summary]
    if missing:
        yield Finding(
            code="client.not_connected",
            level="warn",
            say=f"{spec.title} is not (fully) connected: {'; '.join(missing)}",
            fix=f"onrecord connect {name}",
        )
        return
    if not any(edit.unread for edit in edits):
        yield Finding(code="client.connected", level="ok", say=f"{spec.title} is connected.")
    for edit in edits:
        if edit.unread:
            yield Finding(
                code="client.settings_unread",
                level="warn",
                say=f"{edit.path}: {edit.unread}, so what stands in it does not count.",
                fix="Take those out of the file",
            )
        for conflict in edit.conflicts:
            yield Finding(
                code="client.conflict",
                level="warn",
                say=f"{edit.path}: {conflict}",
                fix="Remove or rename that entry by hand",
            )
        yield from _others(spec, edit.path, edit.before)
    if name == "claude-code":
        yield from _nearer(spec, edits[0].before, cwd)
    if name == "codex" and program is not None:
        yield _trust(program, environ, cwd)


def _trust(program: str, environ: Mapping[str, str], cwd: str) -> Finding:
    from onrecord.capture.agents.codex import hook_trust  # noqa: PLC0415 - asks a program

    found = hook_trust(program, environ=environ, cwd=cwd)
    ours = [hook for hook in found or [] if "onrecord-hook" in hook.command]
    if not ours:
        return Finding(
            code="codex.trust_unknown",
            level="warn",
            say="Codex does not say whether it trusts our hooks.",
            fix="Start codex and type /hooks",
        )
    waiting = [hook.event for hook in ours if not hook.runs]
    if waiting:
        return Finding(
            code="codex.hooks_untrusted",
            level="warn",
            say=f"Codex skips these hooks until you trust them: {', '.join(waiting)}.",
            fix="Start codex, type /hooks, and trust the onrecord hooks",
        )
    return Finding(code="codex.hooks_trusted", level="ok", say="Codex trusts our hooks.")


def _others(spec: AgentSpec, path: str, text: str | None) -> Iterator[Finding]:
    """Other memories mounted beside us; no client puts one before another."""
    for server, entry in as_mapping(_below(_settings(text), spec.servers)).items():
        told = f"{server} {json.dumps(entry, default=str)}".lower()
        if server != SERVER and any(word in told for word in _MEMORY_WORDS):
            yield Finding(
                code="client.other_memory",
                level="note",
                say=f"{spec.title} also mounts the memory `{server}` ({path}). Neither wins: both"
                " answer, and the model chooses. What is saved there does not reach other agents,"
                " and onrecord's review does not cover it.",
                fix=f"Remove `{server}` there if onrecord is to be the one memory",
            )


def _nearer(spec: AgentSpec, state: str | None, cwd: str) -> Iterator[Finding]:
    """Servers of this folder alone: of one name, the nearer entry wins over the user's."""
    below = ("projects", cwd, "mcpServers")
    places = [(f"~/.claude.json, projects, {cwd}", _below(_settings(state), below))]
    with contextlib.suppress(OSError, UnicodeDecodeError):
        project = Path(cwd) / ".mcp.json"
        text = project.read_text(encoding="utf-8")
        places.append((str(project), _below(_settings(text), spec.servers)))
    for place, servers in places:
        named = json.dumps({"mcpServers": servers}, default=str)
        yield from _others(spec, place, named)
        if SERVER in as_mapping(servers) and not is_our_server(spec, as_mapping(servers)[SERVER]):
            yield Finding(
                code="client.shadowed",
                level="warn",
                say=f"In this folder another server is named `{SERVER}` ({place}), and it wins"
                " over ours: what agents save here does not reach onrecord.",
                fix=f"Rename or remove `{SERVER}` there",
            )


def _below(found: object, path: Sequence[str]) -> object:
    for key in path:
        found = as_mapping(found).get(key)
    return found


def _settings(text: str | None) -> object:
    """What a settings file says, JSON with comments or TOML; None for anything else."""
    import tomllib  # noqa: PLC0415 - only the doctor reads whole files

    if not text:
        return None
    try:
        node = jsonc.read(text)
        return jsonc.value_of(text, node) if node else None
    except OnrecordError:
        with contextlib.suppress(ValueError):
            return tomllib.loads(text)
    return None


def round_trip(spec: AgentSpec, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Do what the client does, with the installed programs and a store that is thrown away.

    A memory is saved over MCP into a private scope; the hook of a session start must then
    bring it. Nothing touches the user's own store.
    """
    ours = connecting.programs()
    with tempfile.TemporaryDirectory(prefix="onrecord-doctor-") as folder:
        where = Path(folder) / "work"
        where.mkdir()
        env = {
            **{k: v for k, v in environ.items() if k in ("PATH", "HOME", "LANG", "TMPDIR")},
            "ONRECORD_DB": str(Path(folder) / "data" / "memory.db"),
            "ONRECORD_CONFIG": _own_agents(spec, environ) or str(Path(folder) / "none.toml"),
            "ONRECORD_HOOK_DEADLINE_MS": "5000",
            **dict.fromkeys(spec.hook_variables, "1"),
        }
        saved = _save(ours.command, spec, env, where)
        if not saved:
            yield Finding(
                code="mcp.round_trip",
                level="fail",
                say=f"The MCP server did not save and find a memory as {spec.title} would ask.",
                fix=f"Run `{ours.command} mcp --client {spec.name}` and read its errors",
            )
            return
        yield Finding(
            code="mcp.round_trip", level="ok", say=f"MCP as {spec.title} works: saved and found."
        )
        if "session_start" not in spec.events.values():
            return
        start = next(own for own, ours in spec.events.items() if ours == "session_start")
        payload = {
            "session_id": "onrecord-doctor",
            "transcript_path": "",
            "cwd": str(where),
            "hook_event_name": start,
            "source": "startup",
        }
        hook = subprocess.run(  # noqa: S603 - our own program
            [ours.hook, spec.name, start],
            input=json.dumps(payload).encode(),
            env=env,
            cwd=where,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
        if _MARK.encode() in hook.stdout:
            yield Finding(
                code="hook.round_trip",
                level="ok",
                say=f"A session start as {spec.title} sends it is given the memory.",
            )
        else:
            yield Finding(
                code="hook.round_trip",
                level="fail",
                say=f"A session start as {spec.title} sends it was given nothing.",
                fix=f"Run `{ours.hook} {spec.name} {start}` by hand",
            )


def _own_agents(spec: AgentSpec, environ: Mapping[str, str]) -> str:
    """The person's configuration, for an agent that stands nowhere else."""
    return "" if spec.name in agents.REGISTRY else config_file(environ)


def _save(command: str, spec: AgentSpec, env: Mapping[str, str], cwd: Path) -> bool:
    def ask(number: int, method: str, **params: object) -> str:
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        return json.dumps(message)

    scope = f"agent:{spec.name}"
    lines = [
        ask(
            1,
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "onrecord-doctor", "version": "1"},
        ),
        ask(
            2,
            "tools/call",
            name="remember",
            arguments={"title": f"The word is {_MARK}", "scope": scope, "kind": "fact"},
        ),
        ask(3, "tools/call", name="recall", arguments={"query": _MARK}),
    ]
    try:
        served = subprocess.run(  # noqa: S603 - our own program
            [command, "mcp", "--client", spec.name],
            input="\n".join(lines).encode() + b"\n",
            env=dict(env),
            cwd=cwd,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    answers: dict[object, Mapping[str, object]] = {}
    for line in served.stdout.splitlines():
        try:
            message = as_mapping(json.loads(line))
        except ValueError:
            return False
        answers[message.get("id")] = as_mapping(message.get("result"))
    found = "".join(
        str(as_mapping(part).get("text", ""))
        for part in as_list(answers.get(3, {}).get("content"))
    )
    return _MARK in found


def which(spec: AgentSpec, environ: Mapping[str, str]) -> str | None:
    """The client's program on the PATH."""
    import shutil  # noqa: PLC0415 - only the doctor looks

    path = environ.get("PATH", os.defpath)
    return next((p for name in spec.programs if (p := shutil.which(name, path=path))), None)
