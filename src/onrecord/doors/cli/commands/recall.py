"""Find memories by words.

What is believed now, inside the scopes visible from here. No query syntax acts: every word
is text. Nothing relevant is an answer too.
"""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.status import KINDS
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import rows
from onrecord.service.answers import Recall

EXAMPLES = """examples:
  onrecord recall "set up database"
  onrecord recall deploy --scope repo --scope global --limit 3 --explain
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("query", nargs="+", help="what to look for")
    parser.add_argument(
        "--scope", action="append", default=[], help="only there; repeat (default: all seen here)"
    )
    parser.add_argument(
        "--kind", action="append", default=[], choices=KINDS, help=", ".join(KINDS)
    )
    parser.add_argument(
        "--limit", type=rows, default=10, metavar="N", help="at most so many (default: 10)"
    )
    parser.add_argument("--explain", action="store_true", help="show each part of the score")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    found = desk.memory.recall(
        " ".join(args.query),
        desk.reader,
        given=args.scope,
        kinds=args.kind,
        limit=args.limit,
    )
    if desk.as_json:
        desk.data(wire.recall(found))
        return 0
    for given, near in found.unknown_scopes:
        close = f" Near: {', '.join(near)}." if near else ""
        desk.say(f"Nothing was ever kept in {given}.{close}")
    for scope in found.forgotten_in:
        desk.say(f"What stood under that key in {scope} was forgotten on purpose.")
    if desk.nothing:
        desk.say("Nothing is on record yet.")
    elif found.abstained:
        desk.say("Nothing relevant is on record here.")
    elif desk.to_model:
        from onrecord.doors.cli import fencing

        fencing.tell_items(desk, [hit.item for hit in found.hits])
    else:
        _tell(found, desk, explain=args.explain)
    return 0


def _tell(found: Recall, desk: Desk, *, explain: bool) -> None:
    for hit in found.hits:
        desk.say(rendering.line(hit.item))
        if explain:
            parts = ", ".join(f"{name} {value:.2f}" for name, value in hit.parts.items())
            desk.say(f"        score {hit.score:.3f} ({parts}); {'; '.join(hit.reasons)}")
