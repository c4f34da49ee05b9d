"""Turn saving, capture or delivery on or off; running sessions obey at once.

With saving off nothing is learned from agents, and they are told to say so. Reading goes on, and
what you write yourself is kept. `capture` is what hooks record of sessions, `deliver` what agents
are given; both can be set for one repository.
"""

from __future__ import annotations

import argparse

from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Set

EXAMPLES = {
    "off": """examples:
  onrecord off                          stop learning everywhere
  onrecord off deliver --scope repo     give agents nothing in this repository
""",
    "on": """examples:
  onrecord on
  onrecord on deliver --scope repo
""",
}

_WHATS = ("saving", "capture", "deliver")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what",
        nargs="?",
        default="saving",
        choices=_WHATS,
        help="saving (default), capture or deliver",
    )
    parser.add_argument("--scope", default="global", help="a repository, for capture and deliver")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    scope = "global" if args.what == "saving" else args.scope
    return desk.outcome(
        desk.memory.do(Set(name=args.what, value=args.command, scope=scope), desk.caller)
    )
