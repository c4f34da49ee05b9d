"""Say what became of a memory that was given.

helpful counts as a use; not_relevant lets recall rank it lower; wrong marks it as disputed and
stale as out of date, at once where you may change it. The memory itself stays as it is.
"""

from __future__ import annotations

import argparse

from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Feedback
from onrecord.service.opinions import VERDICTS

EXAMPLES = """examples:
  onrecord feedback 7QK2ZD stale          it is out of date
  onrecord feedback 7QK2ZD wrong --note "bin/setup_db is gone"
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", help="the id, or a start or end of it")
    parser.add_argument("verdict", choices=VERDICTS, help=", ".join(VERDICTS))
    parser.add_argument("--note", default="", metavar="TEXT", help="why, up to 1,000 characters")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    command = Feedback(item=desk.whole(args.id), verdict=args.verdict, note=args.note)
    return desk.outcome(desk.memory.do(command, desk.caller))
