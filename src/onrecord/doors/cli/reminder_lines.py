"""When and where a reminder comes up, in words and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onrecord import wire
from onrecord.domain.status import REMINDER
from onrecord.doors.cli.rendering import when
from onrecord.doors.cli.text import one_line
from onrecord.service.clocks import SystemClock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.domain.item import Item
    from onrecord.domain.outcome import Outcome
    from onrecord.doors.cli.desk import Desk
    from onrecord.service.reminders import Reminder


def occasion(at: int | None, paths: Sequence[str], now: int) -> str:
    """When and where: `on 2031-01-15`, `from then on, when src/pay/** is touched`, or `next`."""
    day = when(at)[:10] if at is not None and at > now else ""
    if not paths:
        return f"on {day}" if day else "next"
    paths = [one_line(path) for path in paths]
    several = f"{', '.join(paths[:-1])} or {paths[-1]}" if len(paths) > 1 else paths[0]
    since = f"from {day} on, " if day else ""
    return f"{since}when {several} is touched"


def told(of: Reminder, now: int) -> str:
    """How it stands: `comes up on 2031-01-15`, or `was given 2026-11-30 14:05 UTC`."""
    state = of.state(now)
    if state == "given" and of.given is not None:
        return f"was given {when(of.given)} UTC"
    if state == "expired":
        return "expired before it came up"
    if state in ("archived", "rejected", "superseded", "forgotten"):
        return f"is {state}, so it comes up no more"
    waits = "waits for your approval, then " if state == "proposed" else ""
    return f"{waits}comes up {occasion(of.item.content.valid_from, of.paths, now)}"


def shape(of: Reminder, now: int) -> dict[str, Any]:
    """The same for a program."""
    return {
        "state": of.state(now),
        "at": wire.moment(of.item.content.valid_from),
        "paths": list(of.paths),
        "given": wire.moment(of.given),
    }


def shape_of(item: Item, desk: Desk) -> dict[str, Any] | None:
    """How an item stands as a reminder, for a program; None for what is none."""
    if item.kind != REMINDER:
        return None
    now = SystemClock().now()
    return next((shape(one, now) for one in desk.memory.reminders([item])), None)


def lines(item: Item, desk: Desk) -> list[str]:
    """How it stands, on a line of its own; nothing for what is no reminder."""
    if item.kind != REMINDER:
        return []
    now = SystemClock().now()
    return [f"reminder: {told(one, now)}" for one in desk.memory.reminders([item])]


def answer(outcome: Outcome, desk: Desk) -> int:
    """The answer to setting a reminder, with when it comes up; its exit status."""
    status = desk.outcome(outcome)
    if not status and not desk.as_json and outcome.item is not None:
        for text in lines(outcome.item, desk):
            desk.say(f"  {text}")
    return status
