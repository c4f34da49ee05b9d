"""List memories, newest first: what applies here, or with --all whatever is on record.

Those that are active, wait or expired are listed, unless --status says otherwise, and with
--valid-at what was replaced since. Here are the scopes that are visible from this folder: its
branch, its repository and so on up to global.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from onrecord import wire
from onrecord.domain import ulid
from onrecord.domain.errors import UsageError
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.status import EXPIRED, KINDS, STATES
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import moment, rows
from onrecord.service.clocks import SystemClock

EXAMPLES = """examples:
  onrecord list
  onrecord list --all --kind decision
  onrecord list --status proposed --json
"""

#: States that are listed where none is asked for.
_DEFAULT = ("active", "proposed", EXPIRED)


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "--scope", action="append", default=[], help="only there; repeat (default: here)"
    )
    parser.add_argument("--all", action="store_true", help="in every scope, of all repositories")
    parser.add_argument(
        "--kind", action="append", default=[], choices=KINDS, help=", ".join(KINDS)
    )
    parser.add_argument(
        "--status", action="append", default=[], choices=STATES, help=", ".join(STATES)
    )
    parser.add_argument("--tag", action="append", default=[], help="with all of these tags")
    parser.add_argument("--since", default="", metavar="DATE", help="last changed from then on")
    parser.add_argument("--until", default="", metavar="DATE", help="last changed before then")
    parser.add_argument("--as-of", default="", metavar="DATE", help="as they stood then")
    parser.add_argument("--valid-at", default="", metavar="DATE", help="what was true then")
    parser.add_argument(
        "--limit", type=rows, default=50, metavar="N", help="at most so many (default: 50)"
    )
    parser.add_argument("--after", default="", metavar="ID", help="go on after this one")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if args.after and not ulid.is_ulid(ulid.normalise(args.after)):
        raise UsageError("--after takes a whole id: the next_cursor of the page before.")
    if args.all and args.scope:
        raise UsageError("--all and --scope exclude one another.")
    here = () if args.all else tuple(desk.place.ladder())
    query = ItemQuery(
        scopes=tuple(args.scope) or here or None,
        kinds=tuple(args.kind) or None,
        tags=tuple(args.tag) or None,
        since=moment(args.since),
        until=moment(args.until),
        as_of=moment(args.as_of),
        valid_at=moment(args.valid_at),
        after=ulid.normalise(args.after) if args.after else None,
        limit=args.limit,
    )
    states = tuple(args.status) or _DEFAULT
    if not args.status and query.valid_at is not None:
        states = (*states, "superseded")  # it still was true while it was
    found = desk.memory.page(query, desk.reader, states=states)
    more = len(found) == args.limit and desk.memory.page(
        replace(query, after=found[-1].id, limit=1), desk.reader, states=states
    )
    cursor = found[-1].id if more else None
    erased = desk.memory.erased_since(query, desk.reader, states=states)
    if desk.as_json:
        at = SystemClock().now() if query.as_of is None else query.as_of
        behind = desk.memory.behind(found, as_of=query.as_of)
        shapes = [wire.listed(item, behind) | {"expired": item.expired(at)} for item in found]
        desk.data({"items": shapes, "erased": erased, "next_cursor": cursor})
        return 0
    _tell(found, query, args, desk)
    if erased:
        desk.say(f"{erased} that stood there then were erased since.")
    elsewhere = 0 if args.scope or args.all else _elsewhere(query, states, desk)
    if elsewhere:
        desk.say(f"… {elsewhere} more in other scopes: onrecord list --all")
    if cursor:
        desk.say(f"… {args.limit} shown; what follows: the same with --after {cursor}")
    return 0


def _tell(found: list[Item], query: ItemQuery, args: argparse.Namespace, desk: Desk) -> None:
    """A line for each, or that there is none."""
    if desk.to_model and found:
        from onrecord.doors.cli import fencing

        fencing.tell_items(desk, found)
    else:
        for item in found:
            desk.say(rendering.line(item, at=query.as_of))
    if not found:
        there = "there" if args.scope or args.all else "here"
        desk.say("Nothing is on record yet." if desk.nothing else f"Nothing is on record {there}.")


def _elsewhere(query: ItemQuery, states: tuple[str, ...], desk: Desk) -> int:
    """How many in those states stand outside of here, as far as the caller may know."""
    return sum(
        of.get(state, 0)
        for scope, of in desk.memory.scope_counts(desk.reader).items()
        if scope not in (query.scopes or ())
        for state in states
        if state != "superseded" or query.valid_at is None
    )
