"""Decide what waits, one key each.

a approves, e edits and approves, r rejects and asks why, s skips, q ends. What an agent asked
to have forgotten is shown after the proposals.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from onrecord import wire
from onrecord.domain.errors import Declined
from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Outcome
from onrecord.domain.scope import parse
from onrecord.doors.cli import cautions, reminder_lines, rendering, terminal
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import MOST
from onrecord.doors.cli.text import one_line
from onrecord.service.answers import Waiting
from onrecord.service.commands import STALE, Approve, Forget, Mark, Reject, digest_of

EXAMPLES = """examples:
  onrecord review
  onrecord review --json       what waits, without deciding
"""


#: The word of a decision about what is not as it was shown.
_CHANGED = "changed"
_NOT_A_PERSON = (
    "What waits is shown to a person at a terminal of their own; `onrecord status` says how many."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--scope", default="", help="only what waits there")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    caller = desk.reader if desk.as_json else desk.caller
    queue = desk.memory.queue(caller)
    if args.scope:
        wanted = parse(args.scope, caller.place)
        queue = [waiting for waiting in queue if waiting.item.scope == wanted]
    if desk.as_json:
        total = max(desk.memory.status(caller).waiting, len(queue))
        desk.data({"waiting": [_shape(waiting, desk) for waiting in queue], "total": total})
        return 0
    if not queue:
        desk.say("Nothing waits for you." if caller.principal.is_person else _NOT_A_PERSON)
        return 0
    done: dict[str, int] = {}
    for n, waiting in enumerate(queue, 1):
        word = _decide(desk, waiting, f"{n}/{len(queue)}")
        if word == "quit":
            break
        done[word] = done.get(word, 0) + 1
    left = len(queue) - sum(n for word, n in done.items() if word != "skipped")
    told = ", ".join(f"{n} {word}" for word, n in done.items())
    more = " or more; run it again for those" if len(queue) == MOST else ""
    desk.say(f"{told or 'nothing decided'}; {left} left{more}")
    return 0


def _shape(waiting: Waiting, desk: Desk) -> dict[str, Any]:
    """One entry for a program: a reminder says when and where it comes up as well."""
    return wire.waiting(waiting) | {"reminder": reminder_lines.shape_of(waiting.item, desk)}


def _shown(desk: Desk, waiting: Waiting, at: str) -> list[str]:
    against = desk.contradicted_by(waiting.item, waiting.replaces)
    first, *rest = rendering.proposed(waiting.item, waiting.evidence, waiting.replaces, against)
    lines = ["", f"{at}{first}", *rest]
    lines += [f"  {text}" for text in reminder_lines.lines(waiting.item, desk)]
    if waiting.sightings > 1:
        lines.append(f"  said by {waiting.sightings} sessions of their own")
    return lines


def _decide(desk: Desk, waiting: Waiting, at: str) -> str:
    """One decision, as a word for the sum; an edit that was given up is asked again.

    What changed after it was shown, or what it takes the place of, is shown again as it is.
    """
    if waiting.asked:
        return _decide_asked(desk, waiting, _shown(desk, waiting, at))
    word = _CHANGED
    shown: list[str] = []
    while word in ("", _CHANGED):
        if word == _CHANGED:
            item = desk.memory.get(waiting.item.id, desk.caller, opened=False)
            if item.status != "proposed":
                return "skipped"
            waiting = replace(waiting, item=item, replaces=desk.replaced_by(item))
            shown = _shown(desk, waiting, at)
        word = _decide_once(desk, waiting, shown)
        shown = []
    return word


def _decide_once(desk: Desk, waiting: Waiting, shown: list[str]) -> str:
    question = "(a)pprove (e)dit (r)eject (s)kip (q)uit"
    caller, key = desk.confirmed(question, "aersq", shown=shown)
    item = waiting.item
    if key == "q":
        return "quit"
    if key == "s":
        return "skipped"
    outcome: Outcome
    content = None
    if key == "r":
        reason = terminal.ask_reason()
        outcome = desk.memory.do(Reject(item=item.id, reason=reason), caller)
    else:
        if key == "e":
            content = _edited(desk, item)
            if content is None:
                return ""
        old = digest_of(waiting.replaces)
        command = Approve(item=item.id, seen=item.head.digest, seen_old=old, content=content)
        outcome = desk.memory.do(command, caller)
    failed = desk.tell(outcome)
    if outcome.code in STALE:
        if content is not None:
            text = rendering.quoted(f"{content.title}\n{content.body}".rstrip())
            desk.say("\n".join(("Your edit, which was not saved:", *text)))
        return _CHANGED
    return "skipped" if failed else "rejected" if key == "r" else "approved"


def _edited(desk: Desk, item: Item) -> Content | None:
    """The text as the person saved it; None where nothing was changed or saved."""
    from onrecord.doors.cli.editing import edited

    try:
        content = edited(item.content, "approved as you save it; unchanged asks again")
    except Declined as error:
        desk.say(error.message)
        return None
    if content == item.content:
        desk.say("The text is the same, so nothing was approved yet.")
        return None
    desk.say(f"  {one_line(content.title)}")
    return content


def _decide_asked(desk: Desk, waiting: Waiting, shown: list[str]) -> str:
    action = waiting.asked.partition(":")[0]
    caller, key = desk.confirmed(cautions.question(waiting.asked), "ynsq", shown=shown)
    item = waiting.item
    if key in "sq":
        return "skipped" if key == "s" else "quit"
    if key == "n":
        outcome = desk.memory.do(Mark(item=item.id, action="decline"), caller)
        word = "declined"
    else:
        forget = action == "forget"
        command = Forget(item=item.id) if forget else Mark(item=item.id, action=action)
        outcome = desk.memory.do(command, caller)
        word = cautions.ASKED[action].done
    return "skipped" if desk.tell(outcome) else word
