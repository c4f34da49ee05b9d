"""Decide between what is on record and what speaks against it, one pair after another.

n lets the new one take the other's place, o keeps the one that is there and turns the new one
down, b keeps both, s skips, q ends. Every answer can be undone.
"""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.errors import NeedsPerson, NotFound
from onrecord.domain.item import Item
from onrecord.domain.outcome import Outcome
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.caller import Caller
from onrecord.service.commands import Approve, Mark, Reject

EXAMPLES = """examples:
  onrecord conflicts
  onrecord conflicts --json      the pairs, without deciding
"""

#: Links of a proposal to what it speaks against.
_AGAINST = ("contradicts", "similar")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what", nargs="?", default="decide", choices=("decide", "list"), help="decide (default), …"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    looks = desk.as_json or args.what == "list"
    caller = desk.reader if looks else desk.caller
    found = _pairs(caller, desk)
    if desk.as_json:
        shapes = [{"new": wire.item(new), "old": wire.item(old)} for new, old in found]
        desk.data({"conflicts": shapes})
        return 0
    if not caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    if not found:
        desk.say("Nothing speaks against anything.")
        return 0
    if looks:
        for new, old in found:
            desk.say("\n".join(_lines(new, old)))
        return 0
    return _decide_all(found, desk)


def _pairs(caller: Caller, desk: Desk) -> list[tuple[Item, Item]]:
    """Each waiting item with the active one that it would replace or that it resembles."""
    pairs: list[tuple[Item, Item]] = []
    for waiting in desk.memory.queue(caller):
        if waiting.asked:
            continue
        old = waiting.replaces or _resembled(waiting.item, caller, desk)
        if old is not None and old.status == "active":
            pairs.append((waiting.item, old))
    return pairs


def _resembled(item: Item, caller: Caller, desk: Desk) -> Item | None:
    _, links, _ = desk.memory.background(item.id, caller)
    for link in links:
        if link.kind in _AGAINST:
            try:
                return desk.memory.get(link.target, caller, opened=False)
            except NotFound:
                continue
    return None


def _decide_all(found: list[tuple[Item, Item]], desk: Desk) -> int:
    done = 0
    for n, (new, old) in enumerate(found, 1):
        question = "(n)ew one instead, (o)ld one stays, (b)oth, (s)kip, (q)uit"
        shown = ["", f"{n}/{len(found)}", *_lines(new, old)]
        caller, key = desk.confirmed(question, "nobsq", shown=shown)
        if key == "q":
            break
        if key == "s":
            continue
        outcomes = _decided(key, new, old, caller, desk)
        statuses = [desk.tell(outcome) for outcome in outcomes]
        done += bool(statuses) and not any(statuses)
    desk.say(f"{done} decided; {len(found) - done} left")
    return 0


def _decided(key: str, new: Item, old: Item, caller: Caller, desk: Desk) -> list[Outcome]:
    if key == "o":
        return [desk.memory.do(Reject(item=new.id, reason="not_useful"), caller)]
    if key == "b" and (new.replaces or new.key):
        # what stands under one address takes its place, so both can stay only by hand
        desk.say("It would take the other's place: edit one of them, or skip.")
        return []
    done = [desk.memory.do(Approve(item=new.id, seen=new.head.digest), caller)]
    if key == "n" and not new.replaces:
        done.append(desk.memory.do(Mark(item=old.id, action="archive"), caller))
    return done


def _lines(new: Item, old: Item) -> list[str]:
    return [
        f"old {rendering.line(old)}",
        *rendering.brief(old)[1:],
        f"new {rendering.line(new)}, by {rendering.who(new.head.author)}",
        *rendering.brief(new)[1:],
        *rendering.warnings(new),
    ]
