"""Say what waits for you and what becomes of contradictions; without a value, show it.

Of agents' memories: all: everything that others would see waits. flagged: unflagged text that
cites a file of the repository goes live, the rest waits. none: only flagged text waits. Text
from outside your own words (a web page, a comment) always waits.

Of a statement against one that its writer may change: ask: both stand, and you are asked
(onrecord conflicts). supersede: the new one takes the other's place. coexist: the other one ends
where the new one begins. dispute: both are marked. Nothing of yours gives way to an agent.

Of what is disputed: show: agents are given it, marked. withhold: no pack holds it; it is found by
who asks.
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
  onrecord policy coexist --scope repo   periods instead of a question
"""

_VALUES = {
    **dict.fromkeys(("all", "flagged", "none"), "review"),
    **dict.fromkeys(("ask", "supersede", "coexist", "dispute"), "contradiction"),
    **dict.fromkeys(("show", "withhold"), "disputed"),
}
_DEFAULTS = {"review": "all", "contradiction": "ask", "disputed": "show"}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "value",
        nargs="?",
        default="",
        help="all, flagged or none; ask, supersede, coexist or dispute; show or withhold"
        " (without: what is set)",
    )
    parser.add_argument("--scope", default="global", help="where it counts (default: global)")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if not args.value:
        return _show(desk)
    if args.value not in _VALUES:
        raise UsageError("There is no such policy.", hint=", ".join(_VALUES))
    name = _VALUES[args.value]
    command = Set(name=name, value=args.value, scope=args.scope)
    refused = desk.refused(command)
    if refused is not None:
        return refused
    caller, key = desk.confirmed(f"Set the {name} policy of {args.scope} to {args.value}?")
    if key == "n":
        raise Declined
    return desk.outcome(desk.memory.do(command, caller))


def _show(desk: Desk) -> int:
    desk.makes = False
    rows = [row for row in desk.memory.status(desk.reader).settings if row[0] in _DEFAULTS]
    for name, value in _DEFAULTS.items():
        if not any(row[:2] == (name, "global") for row in rows):
            rows.append((name, "global", value))
    rows.sort(key=lambda row: (row[0] != "review", row[0], row[1] != "global", row[1]))
    if desk.as_json:
        desk.data({"policies": wire.settings(rows)})
        return 0
    for name, scope, value in rows:
        desk.say(f"{name} in {scope}: {value}")
    return 0
