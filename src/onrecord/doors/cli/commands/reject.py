"""Turn memories down.

`wrong` and `unwanted` keep their value from coming back; the other reasons say nothing about it.
"""

from __future__ import annotations

import argparse

from onrecord.domain.outcome import Outcome
from onrecord.domain.status import REJECT_REASONS
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Reject

EXAMPLES = """examples:
  onrecord reject 7QK2ZD --reason wrong --note "the port is 6432"
  onrecord reject 7QK2ZD M3XF40 --reason duplicate --dry-run
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", nargs="+", help="ids, or starts or ends of them")
    parser.add_argument(
        "--reason", required=True, choices=REJECT_REASONS, help=", ".join(REJECT_REASONS)
    )
    parser.add_argument("--note", default="", help="why, for whoever looks later")
    parser.add_argument("--dry-run", action="store_true", help="show what would be turned down")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if not args.dry_run:
        refused = desk.refused(Reject(item=args.id[0], reason=args.reason))
        if refused is not None:
            return refused
    items = desk.find_all(args.id)
    if args.dry_run:
        return rendering.preview(desk, "would_reject", items)
    done: list[Outcome] = []
    for item in items:
        command = Reject(item=item.id, reason=args.reason, note=args.note)
        done.append(desk.memory.do(command, desk.caller))
        desk.tell(done[-1])
    return desk.outcomes(done, asked=len(items))
