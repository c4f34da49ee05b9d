"""Copilot CLI: its events, its MCP file, and a hook file that is ours alone."""

from __future__ import annotations

from onrecord.capture.agents.base import AgentSpec, ConfigFile, Hook, json_string, utf16_units
from onrecord.capture.agents.launch import Launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = "copilot-cli"

_HOOKS = (
    Hook("SessionStart"),
    Hook("UserPromptSubmit"),
    Hook("PreCompact"),
    Hook("Stop"),
    Hook("SessionEnd", timeout_s=3),
)


def _config_files(home: str, environ: Mapping[str, str]) -> tuple[ConfigFile, ...]:
    given = environ.get("COPILOT_HOME", "")
    folder, root = (given, given) if given.startswith("/") else (f"{home}/.copilot", home)
    return (
        ConfigFile(f"{folder}/mcp-config.json", form="json", holds=("server",), root=root),
        ConfigFile(f"{folder}/hooks/onrecord.json", form="whole", holds=("hooks",), root=root),
    )


def _transcripts(home: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    given = environ.get("COPILOT_HOME", "")
    return ((given if given.startswith("/") else f"{home}/.copilot") + "/session-state",)


def _hook_file(hook_command: str) -> str:
    """The hooks. Event names in this case make the client name the event in what it sends."""
    from shlex import quote  # noqa: PLC0415 - only connecting writes it, never a hook

    entries = ",\n".join(
        f'    "{hook.event}": [{{"type": "command", "timeoutSec": {hook.timeout_s}, "bash": '
        + json_string(f"{quote(hook_command)} {_NAME} {hook.event}")
        + "}]"
        for hook in _HOOKS
    )
    made = "Made by `onrecord connect`; `onrecord connect copilot-cli --remove` takes it away."
    return f'{{\n  "version": 1,\n  "description": "{made}",\n  "hooks": {{\n{entries}\n  }}\n}}\n'


def _is_headless(_environ: Mapping[str, str], argv: tuple[str, ...]) -> bool | None:
    """`-p` runs by itself; a terminal session has a person."""
    return any(word in ("-p", "--prompt") for word in argv[1:]) if argv else None


def _begins_at_once(argv: tuple[str, ...]) -> bool:
    """Seen with `-p`, but for a session that goes on."""
    goes_on = any(word.startswith(("--resume", "--continue")) for word in argv[1:])
    return bool(_is_headless({}, argv)) and not goes_on


SPEC = AgentSpec(
    name=_NAME,
    title="Copilot CLI",
    seen="1.0.102",
    executables=("copilot", "copilot.exe"),
    scripts=("/copilot", "/@github/copilot/index.js", "/@github/copilot/npm-loader.js"),
    variables=("COPILOT_CLI",),
    hook_variables=("COPILOT_CLI",),
    events={
        "SessionStart": "session_start",
        "UserPromptSubmit": "prompt",
        "PreToolUse": "pre_tool",
        "PostToolUse": "post_tool",
        "PreCompact": "pre_compact",
        "Stop": "stop",
        "SessionEnd": "session_end",
    },
    context_events=("SessionStart", "UserPromptSubmit", "PostToolUse"),
    silent_events=("PreCompact", "PostCompact", "SessionEnd", "SubagentStop"),
    context_length=utf16_units,
    forgets_context=True,
    begins_at_once=_begins_at_once,
    compactions=("manual", "auto"),
    reads_comments=True,
    top_level_context=True,
    hooks=_HOOKS,
    whole_file=_hook_file,
    server={"type": "local", "tools": ["*"]},
    notes=(
        "Copilot CLI asks before it uses a tool; `--allow-tool onrecord` lets it.",
        "Restart Copilot CLI sessions that are already open.",
    ),
    config_files=_config_files,
    transcripts=_transcripts,
    is_headless=_is_headless,
    launch=Launch(program="copilot", prompt=("--interactive",)),
)
