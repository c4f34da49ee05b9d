"""How things stand: what is on record, what waits, and every switch."""

from __future__ import annotations

import argparse

from onrecord import wire, wiring
from onrecord.doors.cli.desk import Desk


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--short", action="store_true", help="one line, for a prompt")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    status = desk.memory.status(desk.caller)
    spooled = wiring.open_intake(desk.config.store, desk.memory).waiting()
    if desk.as_json:
        desk.data(wire.status(status, path=desk.config.store, spooled=spooled))
        return 0
    if args.short:
        desk.say(f"{status.waiting} waiting" + ("" if status.saving else ", saving off"))
        return 0
    desk.say(f"saving {'on' if status.saving else 'OFF (onrecord on)'}")
    counts = ", ".join(f"{n} {name}" for name, n in sorted(status.items.items())) or "nothing yet"
    desk.say(f"items: {counts}")
    desk.say(
        f"waiting for you: {status.waiting}" + (" (onrecord review)" if status.waiting else "")
    )
    for name, scope, value in status.settings:
        desk.say(f"{name} in {scope}: {value}")
    if spooled:
        desk.say(f"spooled: {spooled}")
    desk.say(f"store: {desk.config.store}")
    return 0
