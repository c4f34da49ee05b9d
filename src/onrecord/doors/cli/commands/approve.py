"""Let proposals count.

Each is shown first, with who proposed it and what it rests on, and a key typed on your own
terminal decides. The approval binds to the text that was shown, and to that of the memory whose
place it takes: where either changed meanwhile, nothing happens, and both are shown again.
"""

from __future__ import annotations

import argparse

from onrecord.domain.item import Item
from onrecord.domain.outcome import Outcome
from onrecord.domain.status import step
from onrecord.doors.cli import reminder_lines, rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import STALE, Approve, digest_of

EXAMPLES = """examples:
  onrecord approve 7QK2ZD
  onrecord approve 7QK2ZD --scope global
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", nargs="+", help="ids, or starts or ends of them")
    parser.add_argument("--scope", default="", help="move it there while approving")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    refused = desk.refused(Approve(item=args.id[0]))
    if refused is not None:
        return refused
    items = desk.find_all(args.id)
    done: list[Outcome] = []
    for item in items:
        answer = _decide(desk, item, args.scope)
        if answer is not None:
            done.append(answer)
    return desk.outcomes(done, asked=len(items))


def _decide(desk: Desk, item: Item, scope: str) -> Outcome | None:
    """The answer to one approval; None where it was not given."""
    answer: Outcome | None = None
    while answer is None or answer.code in STALE:
        step("approve", item.status)
        evidence, _, _ = desk.memory.background(item.id, desk.caller)
        replaces = desk.replaced_by(item, scope)
        against = desk.contradicted_by(item, replaces)
        shown = [rendering.short(item.id), *rendering.proposed(item, evidence, replaces, against)]
        shown += [f"  {text}" for text in reminder_lines.lines(item, desk)]
        caller, key = desk.confirmed("Approve it?", shown=shown)
        if key != "y":
            return answer
        command = Approve(
            item=item.id, seen=item.head.digest, seen_old=digest_of(replaces), scope=scope
        )
        answer = desk.memory.do(command, caller)
        desk.tell(answer)
        if desk.as_json:
            return answer
        item = desk.memory.get(item.id, desk.caller, opened=False)
    return answer
