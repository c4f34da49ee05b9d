"""One memory whole, with where it comes from and what was decided about it."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.status import REMINDER
from onrecord.doors.cli import reminder_lines, rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import moment
from onrecord.doors.cli.text import one_line
from onrecord.service.clocks import SystemClock

EXAMPLES = """examples:
  onrecord show 7QK2ZD
  onrecord show 7QK2ZD --json
  onrecord show 7QK2ZD --as-of 2026-11-01
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", help="an id, or a start or end of one (4 characters or more)")
    parser.add_argument("--as-of", default="", metavar="DATE", help="as it stood then")
    parser.add_argument("--valid-at", default="", metavar="DATE", help="only if it was true then")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    as_of = moment(args.as_of)
    asked = {"as_of": as_of, "valid_at": moment(args.valid_at)}
    item = desk.find(args.id, desk.reader, opened=True, **asked)
    evidence, links, reviews = desk.memory.background(item.id, desk.reader, as_of=as_of)
    first = desk.memory.history(item.id, desk.reader)[0]
    if desk.as_json:
        shape = wire.item(item, evidence_rows=evidence, links=links)
        made = {"author": wire.author(first.author), "at": wire.moment(first.recorded_at)}
        more = {"first": made, "reviews": [wire.review(row) for row in reviews]}
        desk.data(shape | {"expired": item.expired(as_of or SystemClock().now())} | more)
        return 0
    if desk.to_model:
        from onrecord.doors.cli import fencing

        fencing.tell_item(desk, item)
        return 0
    for text in [*rendering.whole(item), *reminder_lines.lines(item, desk)]:
        desk.say(text)
    if reviews or item.version > 1:
        how = "proposed" if reviews and not first.author.is_person else "first written"
        by = rendering.who(first.author)
        desk.say(f"{how} by {by} at {rendering.when(first.recorded_at)} UTC")
    for row in evidence:
        desk.say(f"evidence: {rendering.told(row)}")
    for note in desk.memory.cites(item.id, desk.reader) if as_of is None else ():
        desk.say(f"  ! {one_line(note)}")
    for link in links:
        if item.kind != REMINDER or link.kind != "file":
            desk.say(f"{link.kind}: {one_line(link.target)}")
    for review in reviews:
        how = "with agent variables set" if review.by.proof.get("variables") else "at a terminal"
        by = one_line(review.by.name)
        desk.say(f"{review.decision} by {by} {how} at {rendering.when(review.at)} UTC")
    return 0
