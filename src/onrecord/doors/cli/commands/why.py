"""What an agent was given, and why: the deliveries of a session, or the latest ones.

What was given is followed back to what it rests on: who said it, in which session, what it cites.
"""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.errors import NotFound
from onrecord.domain.session import Delivery
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import rows
from onrecord.doors.cli.text import one_line
from onrecord.service.resting import Rest
from onrecord.service.session_names import shown

EXAMPLES = """examples:
  onrecord why                 the latest deliveries
  onrecord why 4QX7ZN          those of one session
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "which", nargs="?", default="", help="a session or a delivery (default: the latest)"
    )
    parser.add_argument(
        "--limit", type=rows, default=5, metavar="N", help="at most so many (default: 5)"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    found = desk.memory.deliveries(desk.reader, args.which, limit=args.limit)
    if desk.as_json:
        given = {row.item for delivery in found for row in delivery.items if row.shown}
        sources = {item: [wire.rest(one) for one in _rests(item, desk)] for item in sorted(given)}
        told = [wire.delivery(delivery) for delivery in found]
        desk.data({"deliveries": told, "sources": sources})
        return 0
    if not found:
        desk.say(
            "Nothing was delivered."
            if desk.reader.principal.is_person
            else "What was delivered is shown to a person at a terminal of their own."
        )
    for delivery in found:
        _tell(delivery, desk)
    return 0


def _tell(delivery: Delivery, desk: Desk) -> None:
    how = one_line(f"{delivery.occasion} by {delivery.channel}")
    desk.say(
        f"{rendering.when(delivery.at)} UTC  {how}:"
        f" {delivery.tokens} of {delivery.budget} tokens  (delivery {delivery.id})"
    )
    desk.say(f"  to {_receiver(delivery, desk)}")
    for row in sorted(delivery.items, key=lambda row: (not row.shown, row.rank)):
        try:
            title = desk.memory.get(row.item, desk.reader, opened=False).content.title
        except NotFound:
            title = "[erased]"
        parts = ", ".join(f"{name} {value:.2f}" for name, value in row.parts.items() if value)
        done = "given" if delivery.session else "shown"
        given = f"{done} ({parts})" if parts else done
        told = given if row.shown else f"withheld: {row.why}"
        desk.say(f"  {rendering.short(row.item)}  {one_line(title)}  {one_line(told)}")
        rests = _rests(row.item, desk) if row.shown else []
        if rests:
            desk.say(f"      rests on {'; '.join(rendering.rest(one) for one in rests)}")


def _rests(item: str, desk: Desk) -> list[Rest]:
    """What a memory that was given rests on; nothing for one that is erased since."""
    try:
        return desk.memory.rests(item, desk.reader)
    except NotFound:
        return []


def _receiver(delivery: Delivery, desk: Desk) -> str:
    """Which agent got it, in which session, and where."""
    if not delivery.session:
        return "no session: it was printed for whoever asked for it"
    try:
        session = desk.memory.session(delivery.session, desk.reader)
    except NotFound:
        return "a session that is no longer on record"
    name = shown(session) if session.agent_session else f"{shown(session)} (no hook told of it)"
    where = (session.branch or session.repo).partition(":")[2] or session.cwd
    return one_line(f"{session.agent}, session {name}, {where}".rstrip(", "))
