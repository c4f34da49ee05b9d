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
        caller = desk.caller
        if verify:
            shown = [rendering.line(item), *rendering.brief(item)[1:]]
            shown += [f"  ! {note}" for note in desk.memory.cites(item.id, desk.reader)]
            caller, key = desk.confirmed("Verify it?", shown=shown)
            if key == "n":
                continue
        done.append(desk.memory.do(Mark(item=item.id, action=args.command), caller))
        desk.tell(done[-1])
    return desk.outcomes(done, asked=len(items))
