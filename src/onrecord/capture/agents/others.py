"""Agent CLIs that are only recognised, so that none of them passes for a person."""

from __future__ import annotations

from onrecord.capture.agents.base import AgentSpec

OTHERS = (
    AgentSpec(
        name="gemini-cli",
        title="Gemini CLI",
        executables=("gemini",),
        scripts=("/gemini", "/gemini-cli/dist/index.js", "/gemini-cli/bundle/gemini.js"),
        variables=("GEMINI_CLI", "GEMINI_SESSION_ID"),
    ),
    AgentSpec(
        name="opencode",
        title="OpenCode",
        executables=("opencode", "opencode.exe"),
        scripts=("/opencode",),
        variables=("OPENCODE",),
    ),
    AgentSpec(
        name="copilot-cli",
        title="Copilot CLI",
        executables=("copilot", "copilot.exe"),
        scripts=("/copilot", "/@github/copilot/index.js", "/@github/copilot/npm-loader.js"),
        variables=("COPILOT_CLI",),
    ),
    AgentSpec(
        name="cursor",
        title="Cursor",
        executables=("cursor-agent",),
        variables=("CURSOR_AGENT",),
    ),
)
