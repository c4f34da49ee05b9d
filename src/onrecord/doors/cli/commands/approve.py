"""Let proposals count. Each is shown first, and a key typed on your terminal decides."""

from __future__ import annotations

import argparse

from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Approve


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", nargs="+")
    parser.add_argument("--scope", default="", help="move it there while approving")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    worst = 0
    for part in args.id:
        item = desk.memory.get(part, desk.caller, opened=False)
        for text in (rendering.line(item), *rendering.brief(item)):
            if not desk.as_json:
                desk.say(text)
        caller, key = desk.confirmed("Approve it?")
        if key == "n":
            continue
        command = Approve(item=item.id, seen=item.head.digest, scope=args.scope)
        worst = max(worst, desk.outcome(desk.memory.do(command, caller)))
    return worst
