"""List, claim, acknowledge or cancel handoffs."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what", nargs="?", default="list", choices=("list", "claim", "ack", "cancel")
    )
    parser.add_argument("id", nargs="?", default="")
    parser.add_argument("--all", action="store_true", help="those that are over too")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if args.what != "list":
        row = desk.memory.settle_handoff(args.what, args.id, desk.caller)
        desk.say(f"Handoff {rendering.short(row.item)} is {row.status}.")
        return 0
    statuses = (
        ("open", "claimed", "acknowledged", "expired", "cancelled", "replaced")
        if args.all
        else ("open", "claimed")
    )
    found = desk.memory.handoffs(desk.caller, statuses=statuses)
    if desk.as_json:
        desk.data({"handoffs": [wire.handoff(row, item) for row, item in found]})
        return 0
    if not found:
        desk.say("No handoff is open.")
    for row, item in found:
        desk.say(f"{rendering.short(row.item)}  {row.status}  {item.content.title}")
        for text in rendering.brief(item)[1:]:
            desk.say(text)
    return 0
