"""What is on record, how it grows, what was useful, and how many tokens were given."""

from __future__ import annotations

import argparse

from onrecord import wire, wiring
from onrecord.domain import time
from onrecord.domain.plural import counted
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.clocks import SystemClock
from onrecord.service.statistics import Statistics

EXAMPLES = """examples:
  onrecord stats
  onrecord stats --json
"""

_BAR = 30


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words; it has none of its own."""


def run(_args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    caller = desk.reader
    desk.memory.status(caller)
    if desk.nothing:
        if desk.as_json:
            desk.data({"by_status": {}})
        else:
            desk.say("Nothing is on record yet.")
        return 0
    upkeep = wiring.open_upkeep(desk.config.store)
    try:
        figures = upkeep.figures(caller)
    finally:
        upkeep.close()
    if desk.as_json:
        desk.data(_shape(figures))
    else:
        _tell(figures, desk)
    return 0


def _shape(of: Statistics) -> dict[str, object]:
    return {
        "by_status": of.by_status,
        "by_kind": of.by_kind,
        "by_scope": of.by_scope,
        "by_belief": of.by_belief,
        "weekly": list(of.weekly),
        "most_useful": [wire.item(item) for item in of.most],
        "least_useful": [wire.item(item) for item in of.least],
        "deliveries": of.deliveries,
        "tokens": of.tokens,
    }


def _tell(of: Statistics, desk: Desk) -> None:
    desk.say(f"on record: {_counts(of.by_status)}")
    desk.say(f"active by kind: {_counts(of.by_kind)}")
    desk.say(f"active by belief: {_counts(of.by_belief)}")
    desk.say(f"active by scope: {_counts(of.by_scope)}")
    most = max(of.weekly)
    desk.say("made in each of the last 8 weeks, the earliest first:")
    now = SystemClock().now()
    for ago, n in zip(range(len(of.weekly), 0, -1), of.weekly, strict=True):
        bar = "#" * (_BAR * n // most if most else 0)
        desk.say(f"  from {time.to_iso(now - ago * 7 * time.DAY)[:10]} {n:>6} {bar}".rstrip())
    latest = counted(of.deliveries, "delivery")
    desk.say(f"tokens given: {_counts(of.tokens)} (in the latest {latest})")
    for told, items in (("most useful", of.most), ("given often, never used", of.least)):
        if items and not desk.to_model:
            desk.say(f"{told}:")
            for item in items:
                use = f"{item.delivered} given, {item.opened} opened, {item.helpful} helpful"
                desk.say(f"  {rendering.line(item)} ({use})")


def _counts(of: dict[str, int]) -> str:
    rows = sorted(of.items(), key=lambda row: (-row[1], row[0]))
    return ", ".join(f"{n:,} {name}" for name, n in rows) or "none"
