"""Change a memory's state without touching what it says."""

from __future__ import annotations

import argparse

from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.rendering import short
from onrecord.service.commands import Mark


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", nargs="+")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    worst = 0
    for part in args.id:
        item = desk.memory.get(part, desk.caller, opened=False)
        caller = desk.caller
        if args.command == "verify":
            desk.say(f"{short(item.id)}  {item.content.title}")
            caller, key = desk.confirmed("Verify it?")
            if key == "n":
                continue
        outcome = desk.memory.do(Mark(item=item.id, action=args.command), caller)
        worst = max(worst, desk.outcome(outcome))
    return worst
