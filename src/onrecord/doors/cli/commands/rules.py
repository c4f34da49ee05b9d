"""Rules: what you tell every agent, before anything that is remembered.

A rule comes first in every pack of its scope. You alone write, change and take rules away, at
your own terminal and with a key typed for each; no agent can, by no way. `edit` opens your editor
on a small form, or takes --text; `remove` puts a rule away, and undo brings it back.
"""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.errors import Declined, NotFound, UsageError
from onrecord.domain.item import Content, Item, ItemQuery, split
from onrecord.doors.cli import rendering
from onrecord.doors.cli.commands import edit
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.text import one_line
from onrecord.service.commands import Mark, Remember

EXAMPLES = """examples:
  onrecord rules                                  those that hold here
  onrecord rules --all
  onrecord rules add "Never push to main without a review" --scope repo
  onrecord rules edit 7QK2ZD
  onrecord rules remove 7QK2ZD
"""

#: Rules that are listed, of all that there are.
MOST = 200


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what",
        nargs="?",
        default="show",
        choices=("show", "add", "edit", "remove"),
        help="show (default), add, edit or remove",
    )
    parser.add_argument("given", nargs="?", default="", help="the new rule's text, or an id")
    parser.add_argument(
        "--scope", default="", help="where a new rule holds (default: everywhere, global)"
    )
    parser.add_argument("--text", default=None, help="edit: the whole new text, without an editor")
    parser.add_argument("--all", action="store_true", help="show: those of every scope")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    _check(args)
    if args.what == "show":
        return _show(args, desk)
    if args.what == "add":
        return _add(args, desk)
    if args.what == "remove":
        return _remove(args, desk)
    rule = _rule(args.given, desk)
    words = argparse.ArgumentParser()
    edit.add(words)
    told = words.parse_args([rule.id])
    told.text = args.text
    return edit.run(told, desk)


def _check(args: argparse.Namespace) -> None:
    """Words that do not go together are an error that says what does."""
    if args.what == "show" and args.given:
        raise UsageError("A list takes no id.", hint="onrecord show ID")
    if args.what != "show" and not args.given:
        what = '"the rule"' if args.what == "add" else "ID"
        raise UsageError("Something is missing.", hint=f"onrecord rules {args.what} {what}")
    for name, of in (("scope", "add"), ("text", "edit"), ("all", "show")):
        if getattr(args, name) and args.what != of:
            raise UsageError(f"--{name} goes with `rules {of}`.")


def _show(args: argparse.Namespace, desk: Desk) -> int:
    scopes = None if args.all else tuple(desk.place.ladder())
    query = ItemQuery(scopes=scopes, statuses=("active",), kinds=("rule",), limit=MOST)
    found = desk.memory.page(query, desk.reader)
    if desk.as_json:
        desk.data({"rules": [wire.item(item) for item in found]})
        return 0
    if desk.to_model and found:
        from onrecord.doors.cli import fencing

        fencing.tell_items(desk, found)
        return 0
    for item in found:
        desk.say(f"{rendering.short(item.id)}  {item.scope}  {one_line(item.content.title)}")
        for line in rendering.quoted(item.content.body):
            desk.say(line)
    if not found:
        there = "anywhere" if args.all else "here"
        desk.say(f'No rule holds {there}. Set one: onrecord rules add "…" --scope repo')
    return 0


def _add(args: argparse.Namespace, desk: Desk) -> int:
    title, body = split(args.given)
    command = Remember(
        content=Content(title=title, body=body), scope=args.scope or "global", kind="rule"
    )
    refused = desk.refused(command)
    if refused is not None:
        return refused
    shown = (f"  {one_line(title)}", *rendering.quoted(body))
    caller, key = desk.confirmed("Let that be a rule for every agent there?", shown=shown)
    if key == "n":
        raise Declined
    return desk.outcome(desk.memory.do(command, caller))


def _remove(args: argparse.Namespace, desk: Desk) -> int:
    rule = _rule(args.given, desk)
    refused = desk.refused(Mark(item=rule.id, action="archive"))
    if refused is not None:
        return refused
    shown = (f"  {one_line(rule.content.title)}",)
    caller, key = desk.confirmed("Take that rule away?", shown=shown)
    if key == "n":
        raise Declined
    return desk.outcome(desk.memory.do(Mark(item=rule.id, action="archive"), caller))


def _rule(part: str, desk: Desk) -> Item:
    """The rule of an id, or of a start or end of one."""
    item = desk.find(part, opened=True)
    if item.kind != "rule":
        raise NotFound("That memory is not a rule.", hint="`onrecord rules --all` lists them.")
    return item
