"""The audit log: every change and refusal, by whom; ids and numbers, never text."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import positive


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", nargs="?", default="", help="only what was done to this memory")
    parser.add_argument("--limit", type=positive, default=50)


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    events = desk.memory.events(desk.caller, item=args.id, limit=args.limit)
    if desk.as_json:
        desk.data({"events": [wire.event(event) for event in events]})
        return 0
    for event in events:
        code = f" {event.code}" if event.code else ""
        times = f" x{event.count}" if event.count > 1 else ""
        target = event.target if ":" in event.target or "@" in event.target else event.target[-6:]
        desk.say(
            f"{event.seq:>6}  {rendering.when(event.at)}  {rendering.who(event.by)}"
            f"  {event.action}{code}{times}  {target}"
        )
    return 0
