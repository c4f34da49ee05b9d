"""List, claim, acknowledge or cancel handoffs."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.errors import UsageError
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import rows

EXAMPLES = """examples:
  onrecord handoffs
  onrecord handoffs claim 7QK2ZD
  onrecord handoffs ack 7QK2ZD
"""

_STATUSES = ("open", "claimed", "acknowledged", "expired", "cancelled", "replaced")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what",
        nargs="?",
        default="list",
        choices=("list", "claim", "ack", "cancel"),
        help="list (the default), claim, ack or cancel",
    )
    parser.add_argument("id", nargs="?", default="", help="which one, for claim, ack and cancel")
    parser.add_argument("--all", action="store_true", help="those that are over too")
    parser.add_argument(
        "--limit", type=rows, default=20, metavar="N", help="at most so many (default: 20)"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if args.what != "list":
        return _settle(args, desk)
    found = desk.memory.handoffs(
        desk.reader, statuses=_STATUSES if args.all else _STATUSES[:2], limit=args.limit
    )
    if desk.as_json:
        desk.data({"handoffs": [wire.handoff(row, item) for row, item in found]})
        return 0
    if not found:
        desk.say("No handoff is open." if not args.all else "No handoff is on record.")
    elif desk.to_model:
        from onrecord.doors.cli import fencing

        fencing.tell_handoffs(desk, found)
    else:
        for row, item in found:
            desk.say(f"{rendering.short(row.item)}  {row.status}  {item.content.title}")
            for text in rendering.brief(item)[1:]:
                desk.say(text)
    if len(found) == args.limit:
        desk.say(f"… the latest {args.limit}; --limit shows more")
    return 0


def _settle(args: argparse.Namespace, desk: Desk) -> int:
    if not args.id:
        raise UsageError(f"Say which handoff to {args.what}.", hint="onrecord handoffs lists them")
    carrier = desk.find(args.id)
    row = desk.memory.settle_handoff(args.what, carrier.id, desk.caller)
    if desk.as_json:
        desk.data(wire.handoff(row, carrier))
    else:
        desk.say(f"Handoff {rendering.short(row.item)} is {row.status}.")
    return 0
