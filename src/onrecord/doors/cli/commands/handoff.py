"""Write what the next agent needs; at least one of the four parts."""

from __future__ import annotations

import argparse

from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import HandOff

EXAMPLES = """examples:
  onrecord handoff --next "fix the fare gate test" --state "parser done, gate fails on CI"
  onrecord handoff --next "review the migration" --for codex
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--done", default="", help="what is finished")
    parser.add_argument("--state", default="", help="how things stand")
    parser.add_argument("--next", default="", help="what comes next")
    parser.add_argument("--questions", default="", help="what is open")
    parser.add_argument(
        "--for", dest="to_agent", default="", metavar="AGENT", help="default: whoever comes next"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    caller = desk.caller
    command = HandOff(
        done=args.done,
        state=args.state,
        next=args.next,
        questions=args.questions,
        to_agent=args.to_agent,
        head=caller.place.commit,
    )
    return desk.outcome(desk.memory.do(command, caller))
