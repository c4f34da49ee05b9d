"""Decide between what is on record and what speaks against it, one pair after another.

n lets the new one take the other's place, o keeps the one that is there and turns the new one
down, b keeps both, p keeps both one after the other (the old one holds until the new one's
start, or until --on DATE), d keeps both marked as disputed, s skips, q ends. One undo takes a
decision back whole.
"""

from __future__ import annotations

import argparse

from onrecord import wire, wiring
from onrecord.domain.errors import NeedsPerson, OnrecordError
from onrecord.domain.item import Item
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import moment
from onrecord.service.commands import Reconcile
from onrecord.service.contradictions import Opposed

EXAMPLES = """examples:
  onrecord conflicts
  onrecord conflicts --on 2031-03-01   where one ends and the other begins, for p
  onrecord conflicts --json            the pairs, without deciding
"""

_KEYS = {"n": "new", "o": "old", "b": "both", "p": "coexist", "d": "dispute"}
_QUESTION = "(n)ew one instead, (o)ld one stays, (b)oth, by (p)eriods, (d)isputed, (s)kip, (q)uit"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what", nargs="?", default="decide", choices=("decide", "list"), help="decide (default), …"
    )
    parser.add_argument(
        "--on", default="", metavar="DATE", help="for p: the new one holds from then on"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    at = moment(args.on)
    looks = desk.as_json or args.what == "list"
    caller = desk.reader if looks else desk.caller
    found = _pairs(desk)
    if desk.as_json:
        shapes = [{"new": wire.item(pair.new), "old": wire.item(pair.old)} for pair in found]
        desk.data({"conflicts": shapes})
        return 0
    if not caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    if not found:
        desk.say("Nothing speaks against anything.")
        return 0
    if looks:
        for pair in found:
            desk.say("\n".join(_lines(pair.new, pair.old)))
        return 0
    return _decide_all(found, desk, at)


def _pairs(desk: Desk) -> list[Opposed]:
    """Each item with an active one that it would replace or speaks against."""
    caller = desk.reader
    desk.renamed()  # opens the store, so that what hooks left is taken in first
    if desk.nothing:
        return []
    upkeep = wiring.open_upkeep(desk.config.store)
    try:
        return upkeep.opposed(caller)
    finally:
        upkeep.close()


def _decide_all(found: list[Opposed], desk: Desk, at: int | None) -> int:
    done = 0
    left = found
    for n, listed in enumerate(found, 1):
        pair = _as_it_is(listed, left)
        if pair is None:
            continue
        shown = ["", f"{n}/{len(found)}", *_lines(pair.new, pair.old)]
        caller, key = desk.confirmed(_QUESTION, "nobpdsq", shown=shown)
        if key == "q":
            break
        if key == "s":
            continue
        command = Reconcile(
            new=pair.new.id,
            old=pair.old.id,
            way=_KEYS[key],
            seen=pair.new.head.digest,
            seen_old=pair.old.head.digest,
            at=at,
        )
        try:
            status = desk.tell(desk.memory.do(command, caller))
        except OnrecordError as error:
            desk.say(f"{error.message} It is left as it is.")
            continue
        done += not status
        left = _pairs(desk)
    desk.say(f"{done} decided; {len(_pairs(desk))} left")
    return 0


def _as_it_is(pair: Opposed, left: list[Opposed]) -> Opposed | None:
    """The pair as it stands after what was decided; None where that settled it."""
    names = (pair.new.id, pair.old.id)
    return next((one for one in left if (one.new.id, one.old.id) == names), None)


def _lines(new: Item, old: Item) -> list[str]:
    return [
        f"old {rendering.line(old)}",
        *rendering.brief(old)[1:],
        f"new {rendering.line(new)}, by {rendering.who(new.head.author)}",
        *rendering.brief(new)[1:],
        *rendering.warnings(new),
    ]
