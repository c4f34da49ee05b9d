"""Reminders: what an agent should be told at a date, or when something is next worked on.

A reminder comes up once, in the first pack that fits, and is done then. --at is a date, or words
such as "in 3 days"; --path is a file, a folder or a glob (a session that starts in it, or a prompt
that names it); with neither it comes up when its scope is next worked in. `snooze` lets one come
up again at a date, `done` puts one away; undo takes both back.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from onrecord import wire
from onrecord.domain.errors import NotFound, UsageError
from onrecord.domain.item import Content, Item, ItemQuery, split
from onrecord.domain.status import EXPIRED, REMINDER
from onrecord.doors.cli import reminder_lines, rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import rows
from onrecord.doors.cli.text import one_line
from onrecord.service.clocks import SystemClock
from onrecord.service.commands import Mark, Remember, Revise
from onrecord.service.reminders import arranged, coming
from onrecord.wiring import local_zone

EXAMPLES = """examples:
  onrecord remind add "Renew the TLS certificate" --at 2027-01-15
  onrecord remind add "Check the flaky gate test" --at "in 3 days" --scope repo
  onrecord remind add "Refunds are moving to the new API" --path "src/pay/**"
  onrecord remind
  onrecord remind snooze 7QK2ZD --at "next week"
  onrecord remind done 7QK2ZD
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what",
        nargs="?",
        default="list",
        choices=("list", "add", "done", "snooze"),
        help="list (default), add, done or snooze",
    )
    parser.add_argument("given", nargs="?", default="", help="the text, or an id")
    parser.add_argument("--at", default="", metavar="WHEN", help='a date, or "in 3 days"')
    parser.add_argument(
        "--path", action="append", default=[], metavar="GLOB", help="add: when it is touched"
    )
    parser.add_argument(
        "--scope",
        "--when-scope",
        default="",
        help="add: where it comes up (default: this repository, else everywhere)",
    )
    parser.add_argument(
        "--limit", type=rows, default=50, metavar="N", help="list: at most so many (default: 50)"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    _check(args)
    if args.what == "list":
        return _list(args, desk)
    if args.what == "add":
        return _add(args, desk)
    item = _reminder(args.given, desk)
    if args.what == "done":
        return desk.outcome(desk.memory.do(Mark(item=item.id, action="archive"), desk.caller))
    moment = coming(args.at, SystemClock().now(), local_zone())
    content = replace(item.content, valid_from=moment)
    command = Revise(item=item.id, content=content, if_version=item.version, reason="snoozed")
    return reminder_lines.answer(desk.memory.do(command, desk.caller), desk)


def _check(args: argparse.Namespace) -> None:
    """Words that do not go together are an error that says what does."""
    if args.what == "list" and (args.given or args.at):
        raise UsageError("A list takes neither a text nor a date.", hint="onrecord remind add …")
    if args.what != "list" and not args.given:
        what = '"the text" --at 2027-01-15' if args.what == "add" else "ID"
        raise UsageError("Something is missing.", hint=f"onrecord remind {args.what} {what}")
    if args.what == "snooze" and not args.at:
        raise UsageError("Until when?", hint='onrecord remind snooze ID --at "in 3 days"')
    if args.what == "done" and args.at:
        raise UsageError("--at goes with `remind add` and `remind snooze`.")
    if args.what != "add" and (args.path or args.scope):
        raise UsageError("--path and --scope go with `remind add`.")


def _add(args: argparse.Namespace, desk: Desk) -> int:
    title, body = split(args.given)
    command = arranged(
        Remember(content=Content(title=title, body=body), scope=args.scope, kind=REMINDER),
        at=args.at,
        paths=args.path,
        place=desk.caller.place,
        now=SystemClock().now(),
        zone=local_zone(),
    )
    return reminder_lines.answer(desk.memory.do(command, desk.caller), desk)


def _list(args: argparse.Namespace, desk: Desk) -> int:
    query = ItemQuery(
        scopes=None if desk.principal_is_person else tuple(desk.place.ladder()),
        kinds=(REMINDER,),
        limit=args.limit,
    )
    found = desk.memory.page(query, desk.reader, states=("active", "proposed", EXPIRED))
    now = SystemClock().now()
    stand = desk.memory.reminders(found)
    # what still comes up first, each part newest first
    stand.sort(key=lambda one: one.state(now) in ("given", EXPIRED))
    if desk.as_json:
        told = [
            wire.item(one.item) | {"reminder": reminder_lines.shape(one, now)} for one in stand
        ]
        desk.data({"reminders": told})
        return 0
    if desk.to_model and found:
        from onrecord.doors.cli import fencing

        fencing.tell_items(desk, found)
        return 0
    for one in stand:
        item, short = one.item, rendering.short(one.item.id)
        desk.say(f"{short}  {one_line(item.content.title)}  [{item.scope}]")
        desk.say(f"        {reminder_lines.told(one, now)}")
    if not found:
        desk.say("No reminder waits. Set one: onrecord remind add …")
    return 0


def _reminder(part: str, desk: Desk) -> Item:
    """The reminder of an id, or of a start or end of one."""
    item = desk.find(part, opened=True)
    if item.kind != REMINDER:
        raise NotFound("That memory is not a reminder.", hint="`onrecord remind` lists them.")
    return item
