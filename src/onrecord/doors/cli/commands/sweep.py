"""Let lapse what is past its time: proposals that nobody decided in 60 days, tasks that expired.

This happens by itself whenever a command or an agent opens the store; there is no daemon. What
hooks left is taken in as well, and sessions whose agent is gone are closed. A lapsed proposal is
archived, and can be brought back.
"""

from __future__ import annotations

import argparse

from onrecord import wire, wiring
from onrecord.domain.errors import StoreMissing
from onrecord.domain.item import Item
from onrecord.domain.plural import counted
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  onrecord sweep --dry-run
  onrecord sweep
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--dry-run", action="store_true", help="show what would lapse")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    proposals, tasks = _lapsing(desk)
    if not args.dry_run:
        desk.memory.status(desk.reader)  # opening the store sweeps it
    seen = [item for item in (*proposals, *tasks) if desk.reader.sees(item)]
    if desk.as_json:
        name = "would_lapse" if args.dry_run else "lapsed"
        counts = {"proposals": len(proposals), "tasks": len(tasks)}
        desk.data({name: [wire.item(item) for item in seen]} | counts)
        return 0
    done = "would lapse (nothing was changed)" if args.dry_run else "lapsed"
    desk.say(f"{done}: {counted(len(proposals), 'proposal')}, {counted(len(tasks), 'task')}")
    if not desk.to_model:
        for item in seen:
            desk.say(f"  {rendering.line(item)}")
    return 0


def _lapsing(desk: Desk) -> tuple[list[Item], list[Item]]:
    try:
        upkeep = wiring.open_upkeep(desk.config.store)
    except StoreMissing:
        return [], []
    try:
        return upkeep.lapsing()
    finally:
        upkeep.close()
