"""List, claim, acknowledge or cancel handoffs."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.errors import UsageError
from onrecord.domain.session import Handoff
from onrecord.domain.time import MINUTE
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import rows
from onrecord.doors.cli.text import one_line
from onrecord.service import checkout, claims
from onrecord.service.clocks import SystemClock
from onrecord.service.listing import ago

EXAMPLES = """examples:
  onrecord handoffs
  onrecord handoffs claim 7QK2ZD
  onrecord handoffs ack 7QK2ZD
"""


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
        desk.reader, statuses=claims.EVERY if args.all else claims.LIVE, limit=args.limit
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
        now = SystemClock().now()
        for row, item in found:
            desk.say(f"{rendering.short(row.item)}  {_state(row)}  {one_line(item.content.title)}")
            desk.say(f"  {_about(row, now)}")
            for text in rendering.brief(item)[1:]:
                desk.say(text)
    if len(found) == args.limit:
        desk.say(f"… the latest {args.limit}; --limit shows more")
    return 0


def _settle(args: argparse.Namespace, desk: Desk) -> int:
    if not args.id:
        raise UsageError(f"Say which handoff to {args.what}.", hint="onrecord handoffs lists them")
    carrier = desk.find(args.id)
    row, undo = desk.memory.settle_handoff(args.what, carrier.id, desk.caller)
    if desk.as_json:
        desk.data(wire.handoff(row, carrier) | {"undo": undo})
        return 0
    back = f" Undo: onrecord undo {undo}" if undo is not None else ""
    desk.say(f"Handoff {rendering.short(row.item)} is {row.status}.{back}")
    news = checkout.moved_on(row, desk.caller.place) if args.what == "claim" else ""
    if news:
        desk.say(news)
    return 0


def _state(row: Handoff) -> str:
    """How it stands; one that waits says for what."""
    return "waits for review" if row.status == claims.WAITING else row.status


def _about(row: Handoff, now: int) -> str:
    """Where it belongs, how old it is, and for whom it is."""
    where = (row.branch or row.repo).partition(":")[2] or "no repository"
    to = f"for {one_line(row.to_agent)}" if row.to_agent else "for whoever comes next"
    made = "automatic" if row.automatic else "written"
    told = [one_line(where), f"{made} {ago(now - row.created_at)}", to]
    if row.status == "claimed" and row.lease_until is not None:
        left = row.lease_until - now
        told.append(
            "its lease ran out" if left <= 0 else f"held for {-(-left // MINUTE)} min more"
        )
    return ", ".join(told)
