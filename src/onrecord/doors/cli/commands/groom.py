"""Put away what has had its time, as a plan that is shown first.

That is: what expired, old handoffs and summaries, reminders given long ago, what stayed stale
or disputed, and what is unverified and was never used. It is done with a key or with --yes,
exactly as it was shown, in one run that `onrecord undo` takes back whole. Nothing is erased; what
is pinned, a rule, or a reminder that still has to come up stays. Ages count from the last
version, those of reminders from when they were given.
"""

from __future__ import annotations

import argparse

from onrecord import wire, wiring
from onrecord.domain.errors import Declined, NeedsPerson
from onrecord.domain.item import Item
from onrecord.domain.time import SECOND
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import seconds
from onrecord.service.commands import PutAway
from onrecord.service.retention import Policy

EXAMPLES = """examples:
  onrecord groom --dry-run
  onrecord groom --unused 365d --yes
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "--scope", action="append", default=[], help="only there; repeat (default: everywhere)"
    )
    parser.add_argument(
        "--unused", default="180d", metavar="AGE", help="unverified and never used (180d)"
    )
    parser.add_argument(
        "--passing", default="90d", metavar="AGE", help="handoffs, summaries, told reminders (90d)"
    )
    parser.add_argument(
        "--doubtful", default="90d", metavar="AGE", help="stale or disputed since then (90d)"
    )
    parser.add_argument("--dry-run", action="store_true", help="show the plan alone")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    ages = {name: seconds(getattr(args, name)) or 0 for name in ("unused", "passing", "doubtful")}
    policy = Policy(**{name: age * SECOND for name, age in ages.items()})
    plan = _plan(args, policy, desk)
    if args.dry_run:
        return _preview(plan, desk)
    command = PutAway(items=tuple(item.id for item, _ in plan), run="groom")
    refused = desk.refused(command)
    if refused is not None:
        return refused
    if not plan:
        return _preview(plan, desk)
    if args.yes and not desk.as_json:
        desk.say("\n".join(_lines(plan)))
    elif not args.yes:
        _, key = desk.confirmed("Put these away?", shown=_lines(plan))
        if key == "n":
            raise Declined
    return desk.outcome(desk.memory.do(command, desk.caller))


def _plan(args: argparse.Namespace, policy: Policy, desk: Desk) -> list[tuple[Item, str]]:
    caller = desk.reader
    if not caller.principal.is_person and not args.dry_run:
        return []
    if not caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    scopes = desk.scopes(args.scope)
    if desk.nothing:
        return []
    upkeep = wiring.open_upkeep(desk.config.store)
    try:
        return upkeep.over(policy, caller, scopes=scopes)
    finally:
        upkeep.close()


def _preview(plan: list[tuple[Item, str]], desk: Desk) -> int:
    if desk.as_json:
        desk.data({"would_archive": [{"item": wire.item(i), "why": why} for i, why in plan]})
        return 0
    desk.say("would put away (nothing was changed):" if plan else "Nothing has had its time.")
    for line in _lines(plan):
        desk.say(line)
    return 0


def _lines(plan: list[tuple[Item, str]]) -> list[str]:
    return [f"  {why}: {rendering.line(item)}" for item, why in plan]
