"""Find memories that say nearly the same, and decide which stay.

Pairs of one scope and kind are shown, the most alike first: y puts the second away, o the first,
n keeps both, q ends. Nothing is erased, and one run goes back whole with `onrecord undo`.
"""

from __future__ import annotations

import argparse

from onrecord import wire, wiring
from onrecord.domain.errors import NeedsPerson
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.progress import Progress
from onrecord.service.commands import PutAway
from onrecord.service.duplicates import Pair

EXAMPLES = """examples:
  onrecord dedupe --dry-run
  onrecord dedupe --scope repo
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "--scope", action="append", default=[], help="only there; repeat (default: everywhere)"
    )
    parser.add_argument("--dry-run", action="store_true", help="show the pairs alone")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if not desk.reader.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    found = _pairs(args, desk)
    if desk.as_json:
        desk.data(
            {
                "pairs": [
                    {
                        "keep": wire.item(pair.keep),
                        "other": wire.item(pair.other),
                        "alike": round(pair.alike, 2),
                    }
                    for pair in found
                ]
            }
        )
        return 0
    if not found:
        desk.say("No two memories say nearly the same.")
        return 0
    if args.dry_run:
        desk.say("alike (nothing was changed):")
        desk.say("\n".join(line for pair in found for line in _lines(pair)))
        return 0
    away = _decided(found, desk)
    if not away:
        desk.say("Both stay, everywhere.")
        return 0
    return desk.outcome(desk.memory.do(PutAway(items=tuple(away), run="dedupe"), desk.caller))


def _pairs(args: argparse.Namespace, desk: Desk) -> list[Pair]:
    scopes = desk.scopes(args.scope)
    if desk.nothing:
        return []
    progress = Progress(quiet=desk.as_json)
    upkeep = wiring.open_upkeep(desk.config.store)
    try:
        return upkeep.duplicates(
            desk.reader,
            scopes=scopes,
            step=lambda n, total: progress.step("comparing", n, total),
        )
    finally:
        progress.end()
        upkeep.close()


def _decided(found: list[Pair], desk: Desk) -> list[str]:
    away: list[str] = []
    for n, pair in enumerate(found, 1):
        if pair.keep.id in away or pair.other.id in away:
            continue
        question = f"{n}/{len(found)} put away the (y) second, (o) first, (n) neither, (q)uit"
        _, key = desk.confirmed(question, "yonq", shown=["", *_lines(pair)])
        if key == "q":
            break
        if key == "y":
            away.append(pair.other.id)
        if key == "o":
            away.append(pair.keep.id)
    return away


def _lines(pair: Pair) -> list[str]:
    return [
        f"  {pair.alike:.0%} alike",
        f"  1 {rendering.line(pair.keep)}",
        *rendering.brief(pair.keep)[1:],
        f"  2 {rendering.line(pair.other)}",
        *rendering.brief(pair.other)[1:],
    ]
