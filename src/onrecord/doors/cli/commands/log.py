"""The audit log: every change and refusal, by whom; ids and numbers, never text."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import positive, rows

EXAMPLES = """examples:
  onrecord log
  onrecord log 7QK2ZD          what was done to one memory
  onrecord log --limit 200 --before 1200
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "id", nargs="?", default="", help="only what was done to this memory, first to last"
    )
    parser.add_argument(
        "--limit", type=rows, default=50, metavar="N", help="the latest so many (default: 50)"
    )
    parser.add_argument(
        "--before", type=positive, default=None, metavar="SEQ", help="go on before this one"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    events = desk.memory.events(desk.reader, item=args.id, limit=args.limit, before=args.before)
    full = not args.id and len(events) == args.limit and events[-1].seq > 1
    cursor = events[-1].seq if full else None
    if desk.as_json:
        desk.data({"events": [wire.event(event) for event in events], "next_cursor": cursor})
        return 0
    for event in events:
        desk.say(rendering.event(event))
    if not events:
        desk.say("Nothing is on record yet.")
    if cursor:
        desk.say(f"… {len(events)} shown; what came before: the same with --before {cursor}")
    return 0
