"""Codex CLI: its events, its files, what its calls say of themselves, and hook trust."""

from __future__ import annotations

from onrecord.capture.agents.base import (
    OUR_TOOLS,
    AgentSpec,
    CallIds,
    ConfigFile,
    Hook,
    as_list,
    as_mapping,
    text_of,
)
from onrecord.capture.agents.launch import Launch, toml_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_META = "x-codex-turn-metadata"


def _call_ids(meta: object) -> CallIds:
    """Session and thread stand in the call itself; a subagent's thread is not its session."""
    turn = as_mapping(meta).get(_META)
    session = text_of(meta, "sessionId") or text_of(turn, "session_id")
    thread = text_of(meta, "threadId") or text_of(turn, "thread_id")
    trigger = text_of(turn, "turn_trigger")
    return CallIds(
        session=session,
        thread="" if thread == session else thread,
        tool_use_id=text_of(meta, "callId"),
        headless=trigger == "exec" if trigger else None,
    )


def _config_files(home: str, environ: Mapping[str, str]) -> tuple[ConfigFile, ...]:
    given = environ.get("CODEX_HOME", "")
    folder, root = (given, given) if given.startswith("/") else (f"{home}/.codex", home)
    return (
        ConfigFile(f"{folder}/config.toml", form="toml", holds=("server",), root=root),
        ConfigFile(f"{folder}/hooks.json", form="json", holds=("hooks",), root=root),
    )


def _transcripts(home: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    given = environ.get("CODEX_HOME", "")
    folder = given if given.startswith("/") else f"{home}/.codex"
    return (f"{folder}/sessions", f"{folder}/archived_sessions")


def _is_headless(_environ: Mapping[str, str], argv: tuple[str, ...]) -> bool | None:
    """The arguments tell: `exec` runs by itself, a terminal session has a person."""
    if not argv or _is_daemon(argv):
        return None
    return any(word in ("exec", "e", "review") for word in argv[1:])


def _is_daemon(argv: tuple[str, ...]) -> bool:
    """An app-server keeps the sessions of many terminals, or of an editor, in one process."""
    return "app-server" in argv[1:]


SPEC = AgentSpec(
    name="codex",
    title="Codex",
    seen="0.171.0",
    executables=("codex", "codex.exe"),
    scripts=("/codex", "/codex.js"),
    variables=(
        "CODEX_THREAD_ID",
        "CODEX_SESSION_ID",
        "CODEX_TOOL_CALL_ID",
        "CODEX_VERSION",
        "CODEX_CI",
        "CODEX_SANDBOX",
        "CODEX_SANDBOX_NETWORK_DISABLED",
    ),
    events={
        "SessionStart": "session_start",
        "UserPromptSubmit": "prompt",
        "PreToolUse": "pre_tool",
        "PostToolUse": "post_tool",
        "PreCompact": "pre_compact",
        "PostCompact": "post_compact",
        "Stop": "stop",
        "Interrupt": "interrupt",
        "SessionEnd": "session_end",
        "SubagentStart": "subagent_start",
        "SubagentStop": "subagent_stop",
    },
    context_events=(
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "SubagentStart",
    ),
    silent_events=(
        "PreCompact",
        "PostCompact",
        "SessionEnd",
        "SubagentStop",
        "StopFailure",
        "Interrupt",
    ),
    hooks=(
        Hook("SessionStart"),
        Hook("UserPromptSubmit"),
        Hook("PreToolUse", matcher=OUR_TOOLS),
        # It tells of failed commands here, and not that they failed.
        Hook("PostToolUse", matcher=f"{OUR_TOOLS}|Bash"),
        Hook("PreCompact"),
        Hook("PostCompact"),
        Hook("Stop"),
        # Above 3 s the client clamps these two, with a warning each time.
        Hook("SessionEnd", timeout_s=3),
        Hook("Interrupt", timeout_s=3),
    ),
    servers=("mcp_servers",),
    server={"default_tools_approval_mode": "approve"},
    notes=(
        "Codex will not ask before it uses onrecord's tools (approval mode `approve`).",
        "Codex skips hooks until you trust them: it asks at its next start, or type /hooks.",
        "Restart Codex sessions that are already open.",
    ),
    config_files=_config_files,
    transcripts=_transcripts,
    call_ids=_call_ids,
    named_by_calls=True,
    is_headless=_is_headless,
    is_daemon=_is_daemon,
    launch=Launch(
        program="codex",
        resume=("resume",),
        context=lambda pack: ("-c", "developer_instructions=" + toml_string(pack)),
    ),
)


class HookTrust:
    """What Codex thinks of one hook."""

    __slots__ = ("command", "enabled", "event", "key", "source", "status")

    def __init__(self, found: Mapping[str, object]) -> None:
        def text(name: str) -> str:
            value = found.get(name)
            return value if isinstance(value, str) else ""

        #: `<file>:<event>:<group>:<index>`
        self.key = text("key")
        self.event = text("eventName")
        self.command = text("command")
        #: the file it stands in
        self.source = text("sourcePath")
        #: trusted · untrusted · modified · managed
        self.status = text("trustStatus")
        self.enabled = found.get("enabled") is True

    @property
    def runs(self) -> bool:
        """Whether Codex would run it."""
        return self.enabled and self.status in ("trusted", "managed")


def hook_trust(
    executable: str,
    *,
    environ: Mapping[str, str],
    cwd: str,
    timeout_s: float = 10.0,
) -> list[HookTrust] | None:
    """Every hook that Codex would consider in `cwd`, with its trust; None if it cannot tell.

    Asks `codex app-server` over its standard input, with `environ` (HOME, CODEX_HOME, PATH)
    as the whole environment, and ends it. Never trusts anything itself. The app server
    writes its own state files into CODEX_HOME, as every start of Codex does.
    """
    import json  # noqa: PLC0415 - only the doctor asks, never a hook

    hello = {"clientInfo": {"name": "onrecord", "title": "onrecord", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "hooks/list", "params": {"cwds": [cwd]}},
    ]
    request = "".join(json.dumps(line) + "\n" for line in lines)
    for line in _ask_app_server(executable, request, environ, cwd, timeout_s):
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            continue
        answer = as_mapping(message)
        if answer.get("id") == 2:  # noqa: PLR2004 - hooks/list
            return _listed(as_mapping(answer.get("result")).get("data"))
    return None


def _ask_app_server(
    executable: str, request: str, environ: Mapping[str, str], cwd: str, timeout_s: float
) -> Iterator[str]:
    """The lines that the app server answers, until its time is up; it is ended afterwards."""
    import contextlib  # noqa: PLC0415 - only the doctor asks, never a hook
    import subprocess  # noqa: PLC0415
    import threading  # noqa: PLC0415

    try:
        server = subprocess.Popen(  # noqa: S603 - the client that the person connects
            [executable, "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environ),
            cwd=cwd,
            encoding="utf-8",
            errors="replace",
        )
    except OSError:
        return
    clock = threading.Timer(timeout_s, server.kill)
    clock.start()
    try:
        if server.stdin and server.stdout:
            server.stdin.write(request)
            server.stdin.flush()
            yield from server.stdout
    except OSError:
        return
    finally:
        clock.cancel()
        server.kill()
        server.wait()
        for pipe in (server.stdin, server.stdout):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()


def _listed(data: object) -> list[HookTrust] | None:
    places = [as_mapping(place) for place in as_list(data)]
    found = [
        HookTrust(as_mapping(hook)) for place in places for hook in as_list(place.get("hooks"))
    ]
    return found if places else None
