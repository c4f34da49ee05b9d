"""Turn memories down; `wrong` and `unwanted` keep their value from coming back."""

from __future__ import annotations

import argparse

from onrecord.domain.status import REJECT_REASONS
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Reject


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", nargs="+")
    parser.add_argument("--reason", required=True, choices=REJECT_REASONS)
    parser.add_argument("--note", default="")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    worst = 0
    for part in args.id:
        command = Reject(item=desk.whole(part), reason=args.reason, note=args.note)
        worst = max(worst, desk.outcome(desk.memory.do(command, desk.caller)))
    return worst
