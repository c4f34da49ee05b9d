"""Erase for good what was put away, turned down or replaced long ago.

Without a word of your own it takes what has been archived, rejected or superseded for 180 days.
Their text goes as `onrecord forget` erases it, except that no fingerprint is left that was not
there before: what you rejected as wrong stays kept out, the rest may be learned again. What
counts or waits is never touched. It is shown first, asks for a key, and cannot be undone.
"""

from __future__ import annotations

import argparse

from onrecord import wire, wiring
from onrecord.domain.errors import Declined, NeedsPerson, UsageError
from onrecord.domain.item import Item
from onrecord.domain.outcome import Outcome
from onrecord.domain.time import SECOND
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import seconds
from onrecord.doors.cli.progress import Progress
from onrecord.service.commands import Purge
from onrecord.service.retention import PURGED

EXAMPLES = """examples:
  onrecord purge --dry-run
  onrecord purge --status rejected --older-than 30d
"""

#: Items that are erased in one transaction.
_BATCH = 100
#: Lines of a plan that are shown on the terminal.
_SHOWN = 40


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "--status", action="append", default=[], choices=PURGED, help=", ".join(PURGED)
    )
    parser.add_argument(
        "--older-than", default="180d", metavar="AGE", help="in that status for so long (180d)"
    )
    parser.add_argument(
        "--scope", action="append", default=[], help="only there; repeat (default: everywhere)"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would go")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    age = seconds(args.older_than)
    if age is None:
        raise UsageError("Say how old.", hint="--older-than 180d")
    if args.dry_run and not desk.reader.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    refused = None if args.dry_run else desk.refused(Purge(items=()))
    if refused is not None:
        return refused
    items = _plan(args, age, desk)
    if args.dry_run or not items:
        return _preview(items, desk)
    what = "this memory" if len(items) == 1 else f"these {len(items)} memories"
    caller, key = desk.confirmed(f"Erase {what} for good?", shown=_lines(items))
    if key == "n":
        raise Declined
    done: list[Outcome] = []
    progress = Progress(quiet=desk.as_json)
    try:
        for start in range(0, len(items), _BATCH):
            some = tuple(item.id for item in items[start : start + _BATCH])
            done.append(desk.memory.do(Purge(items=some), caller))
            progress.step("erasing", start + len(some), len(items))
    finally:
        progress.end()
    if desk.as_json:
        desk.data({"purged": [item.id for item in items], "code": done[-1].code})
        return 0
    ends = "" if done[-1].code == "purged" else " The log is cleared by the next `onrecord check`."
    desk.say(f"Purged: the text of {len(items)} is erased.{ends}")
    return 0


def _plan(args: argparse.Namespace, age: int, desk: Desk) -> list[Item]:
    scopes = desk.scopes(args.scope)
    if desk.nothing:
        return []
    upkeep = wiring.open_upkeep(desk.config.store)
    try:
        return upkeep.purgeable(tuple(args.status) or PURGED, age * SECOND, scopes=scopes)
    finally:
        upkeep.close()


def _preview(items: list[Item], desk: Desk) -> int:
    if desk.as_json:
        desk.data({"would_purge": [wire.item(item) for item in items]})
        return 0
    desk.say("would erase (nothing was changed):" if items else "Nothing is old enough to purge.")
    for line in _lines(items):
        desk.say(line)
    return 0


def _lines(items: list[Item]) -> list[str]:
    lines = [f"  {rendering.line(item)}" for item in items[:_SHOWN]]
    if len(items) > _SHOWN:
        lines.append(f"  … and {len(items) - _SHOWN} more (--dry-run --json lists all)")
    return lines
