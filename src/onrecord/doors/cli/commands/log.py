"""The audit log: every change and refusal, by whom; ids and numbers, never text.

Several filters narrow together; one that is given twice means either. A refusal that was met
again within a minute is counted: the line `refused_again` says how many times more.
"""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.event import EventQuery
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import moment, positive, rows

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
        desk.say("Nothing is on record yet." if query is None else "No line of the log fits.")
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
