"""One memory whole, with where it comes from."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", help="an id, or a start or end of one (4 characters or more)")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    item = desk.memory.get(args.id, desk.caller)
    evidence, links, reviews = desk.memory.background(item.id, desk.caller)
    if desk.as_json:
        desk.data(wire.item(item, evidence_rows=evidence, links=links))
        return 0
    for text in rendering.whole(item):
        desk.say(text)
    for row in evidence:
        quote = f' "{row.quote}"' if row.quote else ""
        desk.say(f"evidence: {row.kind} {row.pointer}{quote}")
    for link in links:
        desk.say(f"{link.kind}: {link.target}")
    for review in reviews:
        how = "with agent variables set" if review.by.proof.get("variables") else "at a terminal"
        desk.say(f"{review.decision} by {review.by.name} {how} at {rendering.when(review.at)} UTC")
    return 0
