"""The context that an agent gets here, fenced, and within a budget of tokens."""

from __future__ import annotations

import argparse
import secrets

from onrecord import wire
from onrecord.doors.cli import streams
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import positive
from onrecord.service import delivering
from onrecord.service.packs import nothing

EXAMPLES = """examples:
  onrecord pack
  onrecord pack --query "flaky fare gate test" --budget 800 --json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--query", default="", help="what it is wanted for (default: anything)")
    parser.add_argument(
        "--budget",
        type=positive,
        default=1_500,
        metavar="TOKENS",
        help="never exceeded (default: 1500)",
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    _tell_switch(desk)
    made, delivery = desk.memory.pack(
        desk.reader,
        query=args.query,
        budget=args.budget,
        channel="terminal",
        nonce=secrets.token_hex(8),
    )
    if desk.as_json:
        desk.data(wire.pack(made, delivery))
    elif made.text:
        desk.say(made.text)
    else:
        desk.say(nothing(made))
    return 0


def _tell_switch(desk: Desk) -> None:
    """What is asked for is given; that agents get none of it here has to be known."""
    rows = desk.memory.status(desk.reader).settings
    where = delivering.switched_off("deliver", desk.place, delivering.from_rows(rows))
    if where and not desk.as_json:
        streams.complain(f"onrecord: delivery is off in {where}, so agents are given none of it\n")
