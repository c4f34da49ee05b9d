"""The agent CLIs that onrecord knows, each loaded when it is asked for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.capture.agents.base import AgentSpec

#: Agent CLIs that can be connected: name -> module beside this one, which holds `SPEC`.
REGISTRY = {
    "claude-code": "claude_code",
    "codex": "codex",
}


def find(name: str) -> AgentSpec | None:
    """The agent CLI of that name, or None."""
    module = REGISTRY.get(name)
    if module is None:
        return None
    spec: AgentSpec = __import__(f"{__name__}.{module}", fromlist=["SPEC"]).SPEC
    return spec


def connectable() -> tuple[AgentSpec, ...]:
    """Every agent CLI that can be connected, in the order of the registry."""
    return tuple(spec for spec in map(find, REGISTRY) if spec is not None)


def recognised() -> tuple[AgentSpec, ...]:
    """Every agent CLI that is recognised among processes, connectable or not."""
    from onrecord.capture.agents.others import OTHERS  # noqa: PLC0415 - only persons are asked

    return connectable() + OTHERS
