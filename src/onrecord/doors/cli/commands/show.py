"""One memory whole, with where it comes from and what was decided about it."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.doors.cli import reminder_lines, rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.reminders import KIND

EXAMPLES = """examples:
  onrecord show 7QK2ZD
  onrecord show 7QK2ZD --json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", help="an id, or a start or end of one (4 characters or more)")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    item = desk.find(args.id, desk.reader, opened=True)
    evidence, links, reviews = desk.memory.background(item.id, desk.reader)
    first = desk.memory.history(item.id, desk.reader)[0]
    if desk.as_json:
        shape = wire.item(item, evidence_rows=evidence, links=links)
        made = {"author": wire.author(first.author), "at": wire.moment(first.recorded_at)}
        desk.data(shape | {"first": made, "reviews": [wire.review(row) for row in reviews]})
        return 0
    if desk.to_model:
        from onrecord.doors.cli import fencing

        fencing.tell_item(desk, item)
        return 0
    for text in [*rendering.whole(item), *reminder_lines.lines(item, desk)]:
        desk.say(text)
    if reviews or item.version > 1:
        how = "proposed" if reviews else "first written"
        by = rendering.who(first.author)
        desk.say(f"{how} by {by} at {rendering.when(first.recorded_at)} UTC")
    for row in evidence:
        desk.say(f"evidence: {rendering.told(row)}")
    for note in desk.memory.cites(item.id, desk.reader):
        desk.say(f"  ! {note}")
    for link in links:
        if item.kind != KIND or link.kind != "file":
            desk.say(f"{link.kind}: {link.target}")
    for review in reviews:
        how = "with agent variables set" if review.by.proof.get("variables") else "at a terminal"
        desk.say(f"{review.decision} by {review.by.name} {how} at {rendering.when(review.at)} UTC")
    return 0
