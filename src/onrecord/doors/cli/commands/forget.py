"""Erase memories for good.

Their text goes from every file that onrecord manages; the audit log keeps that it happened,
and a keyed fingerprint keeps the value from coming back. It cannot be undone.
"""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.errors import NeedsPerson, UsageError
from onrecord.domain.item import ItemQuery
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Forget
from onrecord.service.forgetting import Reach

EXAMPLES = """examples:
  onrecord forget 7QK2ZD --dry-run
  onrecord forget 7QK2ZD
  onrecord forget --scope project:fares
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", nargs="*")
    parser.add_argument("--scope", default="", help="everything in that scope")
    parser.add_argument("--dry-run", action="store_true", help="show what would go")
    parser.add_argument("--yes", action="store_true", help="do not ask (your own memories only)")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    ids = [desk.whole(part) for part in args.id] + _in_scope(args.scope, desk)
    if not ids:
        raise UsageError("Say what to forget.", hint="onrecord forget ID, or --scope SCOPE")
    reaches = [desk.memory.reach(item, desk.caller) for item in dict.fromkeys(ids)]
    if args.dry_run and desk.as_json:
        desk.data({"would_forget": [wire.item(reach.item) for reach in reaches]})
        return 0
    if not desk.as_json:
        _preview(reaches, desk)
    if args.dry_run:
        return 0
    caller = desk.caller
    if caller.principal.is_person and not args.yes:
        count = "this memory" if len(reaches) == 1 else f"these {len(reaches)} memories"
        caller, key = desk.confirmed(f"Erase {count} for good?")
        if key == "n":
            return 1
    worst = 0
    for reach in reaches:
        outcome = desk.memory.do(Forget(item=reach.item.id), caller)
        if outcome.code.endswith("_needs_key"):
            raise NeedsPerson(
                "That was written by another, so it wants a key typed here.",
                hint="Run it without --yes.",
            )
        worst = max(worst, desk.outcome(outcome))
    return worst


def _preview(reaches: list[Reach], desk: Desk) -> None:
    for reach in reaches:
        desk.say(rendering.line(reach.item))
        for also in (*reach.goes, *reach.held):
            fate = "goes too" if also in reach.goes else "is held for review"
            desk.say(f"  {fate}: {rendering.line(also)}")
        if reach.sessions or reach.handoffs:
            desk.say(
                f"  also erased from {len(reach.sessions)} sessions' prompts"
                f" and {len(reach.handoffs)} handoffs"
            )


def _in_scope(scope: str, desk: Desk) -> list[str]:
    if not scope:
        return []
    found: list[str] = []
    after: str | None = None
    while True:
        query = ItemQuery(
            scopes=(scope,),
            statuses=("active", "proposed", "archived", "rejected", "superseded"),
            after=after,
            limit=200,
        )
        page = desk.memory.page(query, desk.caller)
        found += [item.id for item in page]
        if len(page) < query.limit:
            return found
        after = page[-1].id
