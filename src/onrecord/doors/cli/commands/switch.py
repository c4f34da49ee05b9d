"""Turn saving, capture or delivery on or off; running sessions obey at once.

With saving off nothing is learned from agents, and they are told to say so. Reading goes on.
"""

from __future__ import annotations

import argparse

from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Set

EXAMPLES = """examples:
  onrecord off                      stop learning everywhere
  onrecord off deliver --scope repo give agents nothing in this repository
  onrecord on
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what", nargs="?", default="saving", choices=("saving", "capture", "deliver")
    )
    parser.add_argument("--scope", default="global", help="for capture and deliver")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    scope = "global" if args.what == "saving" else args.scope
    return desk.outcome(
        desk.memory.do(Set(name=args.what, value=args.command, scope=scope), desk.caller)
    )
