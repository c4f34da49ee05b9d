"""Whether agents are given anything, and are recorded: every switch that bears on a place (light).

A repository's own switch comes before the one for everywhere. What is switched off for a kind of
agent, or for one session, is off for it everywhere.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from onrecord.domain.scope import Place

#: Set to `off` at an agent's start, nothing is delivered into its sessions. It narrows only.
VARIABLE = "ONRECORD_DELIVER"


def switched_off(
    switch: str, place: Place, setting: Callable[[str, Sequence[str]], str | None]
) -> str:
    """The scope whose setting turns a switch off at a place; empty where it is on.

    Where the repository's own file does, it is that file's name.
    """
    if switch in place.off:
        return ".onrecord.toml"
    for scope in (place.session, place.agent):
        if scope and setting(switch, [scope]) == "off":
            return scope
    for scope in (place.repo, "global"):
        found = setting(switch, [scope]) if scope else None
        if found is not None:
            return (scope or "") if found == "off" else ""
    return ""


def from_rows(
    rows: Sequence[tuple[str, str, str]],
) -> Callable[[str, Sequence[str]], str | None]:
    """What answers `setting` from (name, scope, value) of everything that is set."""
    known = {(name, scope): value for name, scope, value in rows}

    def setting(name: str, scopes: Sequence[str]) -> str | None:
        return next((known[name, one] for one in scopes if (name, one) in known), None)

    return setting
