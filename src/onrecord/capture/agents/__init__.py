"""The agent CLIs that onrecord knows, each loaded when it is asked for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.capture.agents.base import AgentSpec

#: What can be connected: name -> (module beside this one, name of its spec there).
REGISTRY = {
    "claude-code": ("claude_code", "SPEC"),
    "codex": ("codex", "SPEC"),
    "gemini-cli": ("gemini_cli", "SPEC"),
    "opencode": ("opencode", "SPEC"),
    "copilot-cli": ("copilot_cli", "SPEC"),
    "cursor": ("editors", "CURSOR"),
    "vscode": ("editors", "VSCODE"),
    "zed": ("editors", "ZED"),
    "windsurf": ("editors", "WINDSURF"),
    "claude-desktop": ("editors", "CLAUDE_DESKTOP"),
}


def find(name: str) -> AgentSpec | None:
    """The agent CLI of that name, or None."""
    place = REGISTRY.get(name)
    if place is None:
        return None
    module, spec = place
    found: AgentSpec = getattr(__import__(f"{__name__}.{module}", fromlist=[spec]), spec)
    return found


def connectable() -> tuple[AgentSpec, ...]:
    """Every agent CLI that can be connected, in the order of the registry."""
    return tuple(spec for spec in map(find, REGISTRY) if spec is not None)


def recognised() -> tuple[AgentSpec, ...]:
    """Every agent CLI that can be told among processes."""
    return tuple(spec for spec in connectable() if spec.executables)
