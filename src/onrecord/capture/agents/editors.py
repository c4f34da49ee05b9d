"""Editors and desktop apps that start our MCP server; from their documentation, not run here.

They have no hooks that we use, so an agent asks for its context with the tool of that name.
None has `executables`: a person's terminal runs below an editor, and would pass for an agent.
"""

from __future__ import annotations

import sys

from onrecord.capture.agents.base import AgentSpec, ConfigFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Files = Callable[[str, Mapping[str, str]], tuple[ConfigFile, ...]]

#: Where a platform keeps settings of desktop apps, below the home folder.
_MACOS = "Library/Application Support"


def _at(place: str, *, macos: str = "") -> Files:
    """One JSON file below the home folder, on macOS perhaps elsewhere."""

    def files(home: str, environ: Mapping[str, str]) -> tuple[ConfigFile, ...]:
        path, root = f"{home}/{macos if macos and sys.platform == 'darwin' else place}", home
        config = environ.get("XDG_CONFIG_HOME", "")
        if place.startswith(".config/") and config.startswith("/") and sys.platform != "darwin":
            path, root = f"{config}/{place.removeprefix('.config/')}", config
        return (ConfigFile(path, form="json", holds=("server",), root=root),)

    return files


def _restart(title: str) -> str:
    return f"Restart {title}, and allow the server there if it asks."


def _ask(title: str) -> str:
    return f"{title} has no hooks: ask it to call the `context` tool when it begins."


CURSOR = AgentSpec(
    name="cursor",
    title="Cursor",
    executables=("cursor-agent",),
    programs=("cursor", "cursor-agent"),
    variables=("CURSOR_AGENT",),
    server={"type": "stdio"},
    notes=(_restart("Cursor"), _ask("Cursor")),
    config_files=_at(".cursor/mcp.json"),
)

VSCODE = AgentSpec(
    name="vscode",
    title="VS Code",
    programs=("code",),
    server={"type": "stdio"},
    servers=("servers",),
    notes=(_restart("VS Code"), _ask("VS Code")),
    config_files=_at(".config/Code/User/mcp.json", macos=f"{_MACOS}/Code/User/mcp.json"),
    reads_comments=True,
)

ZED = AgentSpec(
    name="zed",
    title="Zed",
    programs=("zed", "zeditor"),
    servers=("context_servers",),
    notes=(_ask("Zed"),),
    config_files=_at(".config/zed/settings.json", macos=".config/zed/settings.json"),
    reads_comments=True,
)

WINDSURF = AgentSpec(
    name="windsurf",
    title="Windsurf",
    programs=("windsurf",),
    notes=(_restart("Windsurf"), _ask("Windsurf")),
    config_files=_at(".codeium/windsurf/mcp_config.json"),
)

CLAUDE_DESKTOP = AgentSpec(
    name="claude-desktop",
    title="Claude Desktop",
    programs=("claude-desktop",),
    notes=(_restart("Claude Desktop"), _ask("Claude Desktop")),
    config_files=_at(
        ".config/Claude/claude_desktop_config.json",
        macos=f"{_MACOS}/Claude/claude_desktop_config.json",
    ),
)
