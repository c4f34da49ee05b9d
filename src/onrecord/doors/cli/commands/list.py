"""List memories, newest first."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.item import ItemQuery
from onrecord.domain.status import KINDS, STATUSES
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import positive

EXAMPLES = """examples:
  onrecord list --scope repo
  onrecord list --status proposed --json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--scope", action="append", default=[], help="default: everywhere")
    parser.add_argument("--kind", action="append", default=[], choices=KINDS)
    parser.add_argument("--status", action="append", default=[], choices=STATUSES)
    parser.add_argument("--tag", action="append", default=[])
    parser.add_argument("--limit", type=positive, default=50)
    parser.add_argument("--after", default=None, metavar="ID", help="continue after this one")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    query = ItemQuery(
        scopes=tuple(args.scope) or None,
        statuses=tuple(args.status) or ("active", "proposed"),
        kinds=tuple(args.kind) or None,
        tags=tuple(args.tag) or None,
        after=args.after,
        limit=args.limit + 1,
    )
    found = desk.memory.page(query, desk.caller)
    more = found[args.limit :]
    found = found[: args.limit]
    cursor = found[-1].id if more else None
    if desk.as_json:
        desk.data({"items": [wire.item(item) for item in found], "next_cursor": cursor})
        return 0
    for item in found:
        desk.say(rendering.line(item))
    if not found:
        desk.say("Nothing is on record there.")
    if cursor:
        desk.say(f"… more: onrecord list --after {cursor}")
    return 0
