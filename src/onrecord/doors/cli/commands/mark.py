"""Nothing of what the memory says changes, and every step can be undone."""

from __future__ import annotations

import argparse

from onrecord.domain.outcome import Outcome
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Mark

EXAMPLES = {
    "archive": """examples:
  onrecord archive 7QK2ZD
  onrecord archive 7QK2ZD M3XF40 --dry-run
""",
    "restore": """examples:
  onrecord list --status archived
  onrecord restore 7QK2ZD
""",
    "pin": """examples:
  onrecord pin 7QK2ZD
""",
    "unpin": """examples:
  onrecord unpin 7QK2ZD
""",
    "verify": """examples:
  onrecord verify 7QK2ZD         shows it, and asks for a key
""",
    "dispute": """examples:
  onrecord dispute 7QK2ZD        it stays, marked as doubtful
""",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", nargs="+", help="ids, or starts or ends of them")
    parser.add_argument("--dry-run", action="store_true", help="show what would change")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    verify = args.command == "verify" and not args.dry_run
    if verify:
        refused = desk.refused(Mark(item=args.id[0], action="verify"))
        if refused is not None:
            return refused
    items = desk.find_all(args.id)
    if args.dry_run:
        return rendering.preview(desk, f"would_{args.command}", items)
    done: list[Outcome] = []
    for item in items:
        plain = Mark(item=item.id, action=args.command)
        answer = _verified(item.id, desk) if verify else desk.memory.do(plain, desk.caller)
        if answer is not None:
            done.append(answer)
            desk.tell(answer)
    return desk.outcomes(done, asked=len(items))


def _verified(name: str, desk: Desk) -> Outcome | None:
    """Show a memory with its files as they are, and verify that; shown again where it changed."""
    while True:
        item, notes, seen = desk.memory.looked(name, desk.reader)
        shown = [rendering.line(item), *rendering.brief(item)[1:]]
        caller, key = desk.confirmed(
            "Verify it?", shown=[*shown, *(f"  ! {note}" for note in notes)]
        )
        if key == "n":
            return None
        answer = desk.memory.do(Mark(item=name, action="verify", seen=seen), caller)
        if answer.code != "verify.changed":
            return answer
        desk.tell(answer)
