"""All versions of a memory, 1 first: what it said, who changed it, and why.

Then what it rests on, followed back: who said it, in which session, and what it cites.
"""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import moment
from onrecord.doors.cli.text import one_line

EXAMPLES = """examples:
  onrecord history 7QK2ZD
  onrecord history 7QK2ZD --as-of 2026-11-01
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", help="an id, or a start or end of one (4 characters or more)")
    parser.add_argument("--as-of", default="", metavar="DATE", help="the versions of then")
    parser.add_argument("--valid-at", default="", metavar="DATE", help="those that speak of then")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    as_of, valid_at = moment(args.as_of), moment(args.valid_at)
    item = desk.find(args.id, desk.reader, as_of=as_of)
    versions = desk.memory.history(item.id, desk.reader, as_of=as_of, valid_at=valid_at)
    rests = desk.memory.rests(item.id, desk.reader) if as_of is None else []
    if desk.as_json:
        _, _, reviews = desk.memory.background(item.id, desk.reader, as_of=as_of)
        desk.data(
            {
                "id": item.id,
                "versions": [wire.version(version) for version in versions],
                "reviews": [wire.review(review) for review in reviews],
                "sources": [wire.rest(one) for one in rests],
            }
        )
        return 0
    if desk.to_model:
        from onrecord.doors.cli import fencing

        fencing.tell_versions(desk, item, versions)
        return 0
    held: tuple[int | None, int | None] = (None, None)
    for version in versions:
        reason = f" ({one_line(version.reason)})" if version.reason else ""
        text = "[erased]" if version.erased_at is not None else version.content.title
        desk.say(
            f"{version.n}  {rendering.when(version.recorded_at)} UTC"
            f"  {rendering.who(version.author)}{reason}"
        )
        desk.say(f"   {one_line(text)}")
        for line in rendering.quoted(version.content.body):
            desk.say(f" {line}")
        now = (version.content.valid_from, version.content.valid_to)
        if now != held and item.kind != "reminder" and version.erased_at is None:
            desk.say(f"   {rendering.validity(version.content)}")
            held = now
    for one in rests:
        desk.say(f"rests on {rendering.rest(one)}")
    return 0
