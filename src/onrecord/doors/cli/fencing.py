"""What an agent's shell tool is shown: fenced data as over MCP, since a model reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onrecord.domain.item import Item, Version
from onrecord.domain.session import Handoff, Session
from onrecord.doors.cli.desk import Desk
from onrecord.service import rendering
from onrecord.service.clocks import SystemClock


def tell_items(
    desk: Desk, items: Sequence[Item], *, cites: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Several items, long bodies cut, with what became of what they cite."""
    desk.say(rendering.as_data(items, now=SystemClock().now(), cites=cites))


def tell_item(desk: Desk, item: Item) -> None:
    """One item, as much of it as fits."""
    cites = desk.memory.cites(item.id, desk.reader)
    desk.say(rendering.as_page(item, now=SystemClock().now(), start=0, cites=cites))


def tell_versions(desk: Desk, item: Item, versions: Sequence[Version]) -> None:
    """All versions of one item."""
    desk.say(rendering.versions_as_data(item, versions, now=SystemClock().now()))


def tell_sessions(desk: Desk, sessions: Sequence[Session]) -> None:
    """What agents did."""
    desk.say(rendering.sessions_as_data(sessions))


def tell_handoffs(desk: Desk, handoffs: Sequence[tuple[Handoff, Item]]) -> None:
    """Handoffs with their state."""
    desk.say(rendering.handoffs_as_data(handoffs, now=SystemClock().now()))
