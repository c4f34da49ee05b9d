"""Say which of the agents' memories wait for you.

all: everything that others would see waits. flagged: unflagged text that cites a file of the
repository goes live, the rest waits. none: only flagged text waits.
"""

from __future__ import annotations

import argparse

from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Set


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("value", choices=("all", "flagged", "none"))
    parser.add_argument("--scope", default="global")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    caller, key = desk.confirmed(f"Set the review policy of {args.scope} to {args.value}?")
    if key == "n":
        return 1
    return desk.outcome(
        desk.memory.do(Set(name="review", value=args.value, scope=args.scope), caller)
    )
