"""How things stand: what is on record, what waits, and every switch."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from onrecord import wire, wiring
from onrecord.domain.plural import counted, fits
from onrecord.doors.cli.desk import Desk

if TYPE_CHECKING:
    from onrecord.service.reindexing import Coverage

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
        shape |= {"exists": not desk.nothing, "meaning": _meaning(_coverage(desk))}
        desk.data(shape | {"project_file": _narrowed(desk)})
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
    narrowed = _narrowed(desk)
    if narrowed is not None:
        told = ", ".join(narrowed) or "nothing that counts (onrecord doctor)"
        desk.say(f".onrecord.toml of this repository: {told}")
    if spooled:
        records = f"{counted(spooled, 'record')} of hooks {fits(spooled, 'is', 'are')}"
        desk.say(f"spooled: {records} not taken in yet")
    for line in _meaning_told(_coverage(desk)):
        desk.say(line)
    missing = " (not made yet)" if desk.nothing else ""
    desk.say(f"store: {desk.config.store}{missing}")
    return 0


def _narrowed(desk: Desk) -> list[str] | None:
    """What the repository's own file narrows here; None where there is none."""
    from onrecord.service.doctoring_project_file import in_force, told_at

    told = told_at(desk.place)
    return None if told is None else in_force(desk.place, told)


def _coverage(desk: Desk) -> Coverage | None:
    """How far models have read the memories, for a person; None where none was asked to."""
    if desk.nothing or not desk.principal_is_person:
        return None
    reindexing = wiring.open_reindexing(desk.config.store, desk.config.tables.get("semantic", {}))
    try:
        found = reindexing.coverage()
    finally:
        reindexing.close()
    return found if found.model or found.building else None


def _meaning(found: Coverage | None) -> dict[str, object] | None:
    if found is None:
        return None
    beside = zip(found.building, found.built, strict=True)
    return {
        "model": found.model or None,
        "read": found.having,
        "of": found.active,
        "unfinished": [{"model": model, "read": read} for model, read in beside],
    }


def _meaning_told(found: Coverage | None) -> list[str]:
    """What is in use and what was broken off; the doctor says what to do about a model."""
    if found is None:
        return []
    more = " (onrecord reindex)"
    lines: list[str] = []
    if found.model:
        owed = more if found.having < found.active else ""
        lines.append(f"read by {found.model}: {found.having} of {found.active} memories{owed}")
    for model, read in zip(found.building, found.built, strict=True):
        done = f"{read} of {found.active} memories"
        lines.append(f"reading with {model} was not finished: {done} (onrecord doctor)")
    return lines


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
