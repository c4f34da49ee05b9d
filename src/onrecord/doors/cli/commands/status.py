"""How things stand: what is on record, what waits, and every switch."""

from __future__ import annotations

import argparse

from onrecord import wire, wiring
from onrecord.domain.plural import counted, fits
from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  onrecord status
  onrecord status --short      one line, for a prompt
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--short", action="store_true", help="one line, for a prompt")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    status = desk.memory.status(desk.reader)
    spooled = wiring.open_intake(desk.config.store, desk.memory).waiting()
    if desk.as_json:
        shape = wire.status(status, path=desk.config.store, spooled=spooled)
        desk.data(shape | {"exists": not desk.nothing})
        return 0
    if args.short:
        desk.say(f"{status.waiting} waiting" + ("" if status.saving else ", saving off"))
        return 0
    desk.say(f"saving {'on' if status.saving else 'OFF (onrecord on)'}")
    counts = ", ".join(f"{n} {name}" for name, n in sorted(status.items.items()))
    desk.say(f"items: {counts or 'nothing is on record yet'}")
    desk.say(
        f"waiting for you: {status.waiting}" + (" (onrecord review)" if status.waiting else "")
    )
    for name, scope, value in status.settings:
        desk.say(_told(name, scope, value))
    if spooled:
        records = f"{counted(spooled, 'record')} of hooks {fits(spooled, 'is', 'are')}"
        desk.say(f"spooled: {records} not taken in yet")
    missing = " (not made yet)" if desk.nothing else ""
    desk.say(f"store: {desk.config.store}{missing}")
    return 0


def _told(name: str, scope: str, value: str) -> str:
    """A switch or policy; what is off stands out."""
    shown = "OFF" if value == "off" and name in ("capture", "deliver") else value
    kind, _, rest = scope.partition(":")
    if kind == "agent":
        return f"{name} for {rest}: {shown}"
    if kind == "session":
        agent, _, session = rest.partition(":")
        return f"{name} for {agent}, session {session[:8]}: {shown}"
    return f"{name} in {scope}: {shown}"
