"""Claude Code: its events, its files and how its calls name their tool use."""

from __future__ import annotations

from onrecord.capture.agents.base import (
    OUR_TOOLS,
    AgentSpec,
    CallIds,
    ConfigFile,
    Hook,
    text_of,
    utf16_units,
)
from onrecord.capture.agents.launch import Launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def _call_ids(meta: object) -> CallIds:
    """Only the tool use is named; the PreToolUse hook recorded which session it is in."""
    return CallIds(tool_use_id=text_of(meta, "claudecode/toolUseId"))


def _config_files(home: str, environ: Mapping[str, str]) -> tuple[ConfigFile, ...]:
    """The user's own files; a configured folder holds both."""
    given = environ.get("CLAUDE_CONFIG_DIR", "")
    folder, root = (given, given) if given.startswith("/") else (f"{home}/.claude", home)
    state = folder if root == given else home
    return (
        ConfigFile(f"{state}/.claude.json", form="json", holds=("server",), root=root),
        ConfigFile(
            f"{folder}/settings.json", form="json", holds=("hooks", "permissions"), root=root
        ),
    )


def _transcripts(home: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    given = environ.get("CLAUDE_CONFIG_DIR", "")
    return ((given if given.startswith("/") else f"{home}/.claude") + "/projects",)


def _is_headless(environ: Mapping[str, str], argv: tuple[str, ...]) -> bool | None:
    """`-p` runs say so in their arguments and in CLAUDE_CODE_ENTRYPOINT."""
    if "-p" in argv or "--print" in argv:
        return True
    entry = environ.get("CLAUDE_CODE_ENTRYPOINT", "")
    if entry.startswith("sdk"):
        return True
    return False if entry == "cli" else None


def _is_daemon(argv: tuple[str, ...]) -> bool:
    """The background service and its terminal keepers; their workers are clients."""
    return argv[1:3] == ("daemon", "run") or "--bg-pty-host" in argv


SPEC = AgentSpec(
    name="claude-code",
    title="Claude Code",
    seen="2.1.332",
    executables=("claude", "claude.exe"),
    scripts=("/claude", "/@anthropic-ai/claude-code/cli.js"),
    variables=(
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_CODE_CHILD_SESSION",
        "CLAUDE_CODE_EXECPATH",
        "CLAUDE_PID",
        "AI_AGENT",
    ),
    hook_variables=("CLAUDECODE",),
    events={
        "SessionStart": "session_start",
        "UserPromptSubmit": "prompt",
        "PreToolUse": "pre_tool",
        "PostToolUse": "post_tool",
        "PostToolUseFailure": "tool_failure",
        "PreCompact": "pre_compact",
        "PostCompact": "post_compact",
        "Stop": "stop",
        "SessionEnd": "session_end",
        "SubagentStart": "subagent_start",
        "SubagentStop": "subagent_stop",
    },
    context_events=(
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "SubagentStart",
    ),
    silent_events=("PreCompact", "PostCompact", "SessionEnd", "SubagentStop", "StopFailure"),
    context_length=utf16_units,
    hooks=(
        Hook("SessionStart"),
        Hook("UserPromptSubmit"),
        Hook("PreToolUse", matcher=OUR_TOOLS),
        Hook("PostToolUse", matcher=OUR_TOOLS),
        Hook("PostToolUseFailure"),
        Hook("PreCompact"),
        Hook("PostCompact"),
        Hook("Stop"),
        # Without a timeout of its own the client cuts this one off as it exits.
        Hook("SessionEnd", timeout_s=3),
    ),
    server={"type": "stdio"},
    permissions=("mcp__onrecord",),
    notes=(
        "Claude Code will not ask before it uses onrecord's tools (the rule mcp__onrecord).",
        "Restart Claude Code sessions that are already open.",
    ),
    config_files=_config_files,
    transcripts=_transcripts,
    call_ids=_call_ids,
    is_headless=_is_headless,
    is_daemon=_is_daemon,
    launch=Launch(program="claude", context=lambda pack: ("--append-system-prompt", pack)),
)
