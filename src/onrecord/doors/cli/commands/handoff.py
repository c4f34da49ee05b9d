"""Write what the next agent needs."""

from __future__ import annotations

import argparse

from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import HandOff

EXAMPLES = """examples:
  onrecord handoff --next "fix the fare gate test" --state "parser done, gate fails on CI"
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--done", default="")
    parser.add_argument("--state", default="")
    parser.add_argument("--next", default="")
    parser.add_argument("--questions", default="")
    parser.add_argument("--for", dest="to_agent", default="", metavar="AGENT")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    command = HandOff(
        done=args.done,
        state=args.state,
        next=args.next,
        questions=args.questions,
        to_agent=args.to_agent,
        head=desk.place.commit,
    )
    return desk.outcome(desk.memory.do(command, desk.caller))
