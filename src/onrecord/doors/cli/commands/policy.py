"""Say which of the agents' memories wait for you; without a value, show what is set.

all: everything that others would see waits. flagged: unflagged text that cites a file of the
repository goes live, the rest waits. none: only flagged text waits. Text from outside your own
words (a web page, a comment) always waits.
"""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.errors import Declined, UsageError
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Set

EXAMPLES = """examples:
  onrecord policy
  onrecord policy flagged --scope repo
"""

_VALUES = ("all", "flagged", "none")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "value", nargs="?", default="", help="all, flagged or none (default: show)"
    )
    parser.add_argument("--scope", default="global", help="where it counts (default: global)")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if not args.value:
        return _show(desk)
    if args.value not in _VALUES:
        raise UsageError("There is no such review policy.", hint="all, flagged or none")
    command = Set(name="review", value=args.value, scope=args.scope)
    refused = desk.refused(command)
    if refused is not None:
        return refused
    caller, key = desk.confirmed(f"Set the review policy of {args.scope} to {args.value}?")
    if key == "n":
        raise Declined
    return desk.outcome(desk.memory.do(command, caller))


def _show(desk: Desk) -> int:
    desk.makes = False
    rows = [row for row in desk.memory.status(desk.reader).settings if row[0] == "review"]
    if not any(scope == "global" for _, scope, _ in rows):
        rows.insert(0, ("review", "global", "all"))
    if desk.as_json:
        desk.data({"policies": wire.settings(rows)})
        return 0
    for _, scope, value in rows:
        desk.say(f"review in {scope}: {value}")
    return 0
