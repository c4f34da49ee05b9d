"""Take a change back; forgetting is the one thing that cannot be undone."""

from __future__ import annotations

import argparse

from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Undo


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "event", nargs="?", type=int, default=0, help="default: your latest change"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    outcome = desk.memory.do(Undo(event=args.event), desk.caller)
    if outcome.code.endswith("_needs_key"):
        caller, key = desk.confirmed("Undoing a rejection lets its value come back. Do it?")
        if key == "n":
            return 1
        outcome = desk.memory.do(Undo(event=args.event), caller)
    return desk.outcome(outcome)
