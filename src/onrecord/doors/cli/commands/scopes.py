"""Where memories apply, with counts; the scopes visible from here are marked."""

from __future__ import annotations

import argparse

from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  onrecord scopes
  onrecord help scopes         what the kinds of scopes mean
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("what", nargs="?", default="list", choices=("list",), help="list")


def run(_args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    counts = desk.memory.scope_counts(desk.reader)
    here = desk.place.ladder()
    if desk.as_json:
        desk.data({"here": here, "scopes": counts})
        return 0
    desk.say("visible here: " + ", ".join(here))
    for scope, of in sorted(counts.items()):
        told = ", ".join(f"{n} {status}" for status, n in sorted(of.items()))
        desk.say(f"{'*' if scope in here else ' '} {scope}: {told or 'empty'}")
    if not counts:
        desk.say("Nothing is on record yet.")
    return 0
