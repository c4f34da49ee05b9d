"""Gemini CLI: its events, and its one settings file."""

from __future__ import annotations

from onrecord.capture.agents.base import AgentSpec, ConfigFile, Hook, utf16_units
from onrecord.capture.agents.launch import Launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: Tools of our own server, as its hooks name them.
_OUR_TOOLS = "mcp_onrecord_.*"


def _config_files(home: str, _environ: Mapping[str, str]) -> tuple[ConfigFile, ...]:
    return (
        ConfigFile(
            f"{home}/.gemini/settings.json", form="json", holds=("server", "hooks"), root=home
        ),
    )


def _transcripts(home: str, _environ: Mapping[str, str]) -> tuple[str, ...]:
    return (f"{home}/.gemini/tmp",)


def _is_headless(_environ: Mapping[str, str], argv: tuple[str, ...]) -> bool | None:
    """`-p` runs by itself; a terminal session has a person."""
    return any(word in ("-p", "--prompt") for word in argv[1:]) if argv else None


SPEC = AgentSpec(
    name="gemini-cli",
    title="Gemini CLI",
    seen="0.61.0",
    executables=("gemini",),
    scripts=("/gemini", "/gemini-cli/dist/index.js", "/gemini-cli/bundle/gemini.js"),
    variables=("GEMINI_CLI", "GEMINI_SESSION_ID"),
    hook_variables=("GEMINI_SESSION_ID",),
    events={
        "SessionStart": "session_start",
        "BeforeAgent": "prompt",
        "BeforeTool": "pre_tool",
        "AfterTool": "post_tool",
        "AfterAgent": "stop",
        "PreCompress": "pre_compact",
        "SessionEnd": "session_end",
    },
    context_events=("SessionStart", "BeforeAgent", "AfterTool"),
    silent_events=("PreCompress", "SessionEnd"),
    context_length=utf16_units,
    forgets_context=True,
    compactions=("manual",),
    reads_comments=True,
    reads_commas=False,
    hooks=(
        Hook("SessionStart"),
        Hook("BeforeAgent"),
        Hook("BeforeTool", matcher=_OUR_TOOLS),
        Hook("AfterTool", matcher=_OUR_TOOLS),
        Hook("AfterAgent"),
        # with `auto` it comes before every turn, compaction or not, and tells nothing
        Hook("PreCompress", matcher="manual"),
        Hook("SessionEnd", timeout_s=3),
    ),
    timeout_unit=1_000,
    server={"trust": True},
    notes=(
        "Gemini CLI will not ask before it uses onrecord's tools (`trust`).",
        "Restart Gemini CLI sessions that are already open.",
    ),
    config_files=_config_files,
    transcripts=_transcripts,
    is_headless=_is_headless,
    launch=Launch(program="gemini", prompt=("--prompt-interactive",)),
)
