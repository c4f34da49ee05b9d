"""The audit log: every change and refusal, by whom; ids and numbers, never text.

Several filters narrow together; one that is given twice means either. A refusal that was met
again within a minute is counted: the line `refused_again` says how many times more.
"""

from __future__ import annotations

import argparse
from difflib import get_close_matches

from onrecord import wire
from onrecord.domain.event import Event, EventQuery
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import MOST, moment, positive, rows

EXAMPLES = """examples:
  onrecord log
  onrecord log 7QK2ZD          what was done to one memory
  onrecord log --action refused --since 2026-11-01
  onrecord log --agent codex --scope repo --json
  onrecord log --limit 200 --before 1200
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "id", nargs="?", default="", help="only what was done to this memory, first to last"
    )
    parser.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="NAME",
        help="a person, an agent, or a kind: person, agent, import, file, system …",
    )
    parser.add_argument(
        "--agent", action="append", default=[], metavar="NAME", help="only by that agent"
    )
    parser.add_argument(
        "--action",
        action="append",
        default=[],
        metavar="NAME",
        help="created, approved, refused …",
    )
    parser.add_argument(
        "--code", action="append", default=[], metavar="CODE", help="of a refusal or a reason"
    )
    parser.add_argument(
        "--scope", action="append", default=[], help="memories and switches that are there now"
    )
    parser.add_argument("--since", default="", metavar="DATE", help="from then on")
    parser.add_argument("--until", default="", metavar="DATE", help="before then")
    parser.add_argument(
        "--limit", type=rows, default=50, metavar="N", help="the latest so many (default: 50)"
    )
    parser.add_argument(
        "--before", type=positive, default=None, metavar="SEQ", help="go on before this one"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    query = _query(args, desk)
    events = desk.memory.events(
        desk.reader, item=args.id, limit=args.limit, before=args.before, query=query
    )
    paged = query is not None or not args.id
    full = paged and len(events) == args.limit and events[-1].seq > 1
    cursor = events[-1].seq if full else None
    if desk.as_json:
        desk.data({"events": [wire.event(event) for event in events], "next_cursor": cursor})
        return 0
    for event in events:
        desk.say(rendering.event(event))
    if not events:
        desk.say(_none(args, desk, asked=query is not None))
    if cursor:
        desk.say(f"… {len(events)} shown; what came before: the same with --before {cursor}")
    return 0


def _query(args: argparse.Namespace, desk: Desk) -> EventQuery | None:
    """What was asked for; None where nothing but a memory was."""
    query = EventQuery(
        parties=tuple(args.by) or None,
        agents=tuple(args.agent) or None,
        actions=tuple(args.action) or None,
        codes=tuple(args.code) or None,
        scopes=desk.scopes(args.scope),
        since=moment(args.since),
        until=moment(args.until),
    )
    return query if query.narrows else None


def _none(args: argparse.Namespace, desk: Desk, *, asked: bool) -> str:
    """Why there is no line: nothing is there, or nothing fits, perhaps for a slip."""
    if desk.nothing:
        return "Nothing is on record yet."
    told = "No line of the log fits." if asked else "Nothing is on record yet."
    latest = _latest(desk)
    actions: list[str] = args.action
    codes: list[str] = args.code
    for option, given, known in (
        ("--action", actions, {event.action for event in latest}),
        ("--code", codes, {event.code for event in latest}),
    ):
        for word in given:
            near = get_close_matches(word, known - {""}, n=1)
            if near and word not in known:
                told += f" Did you mean {option} {near[0]}?"
    return told


def _latest(desk: Desk) -> list[Event]:
    return desk.memory.events(desk.reader, item="", limit=MOST, before=None, query=None)
