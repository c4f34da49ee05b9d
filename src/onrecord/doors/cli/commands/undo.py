"""Take a change back, exactly; forgetting is the one thing that cannot be undone.

Without a number it is your own latest change. `onrecord log` lists the numbers. An import goes
back as a whole, except what was decided or changed since; a key is asked for it.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from onrecord import wire, wiring
from onrecord.domain.errors import Declined, UsageError
from onrecord.domain.event import Event
from onrecord.domain.plural import counted, fits
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import positive
from onrecord.doors.cli.progress import Progress
from onrecord.service.caller import Caller
from onrecord.service.commands import Undo

EXAMPLES = """examples:
  onrecord undo --dry-run
  onrecord undo 42
  onrecord undo --import 7QK2ZD
"""

#: Taking these back wants a typed key, whatever they were about.
_TYPED = ("rejected", "reconciled")

#: Items of an import that stay, named one by one.
_TOLD = 20


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "event", nargs="?", type=positive, default=0, help="default: your latest change"
    )
    parser.add_argument(
        "--import", dest="batch", default="", metavar="ID", help="all that one import proposed"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be taken back")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    caller = desk.caller
    if args.batch and (args.event or args.dry_run):
        raise UsageError("--import stands alone.", hint="onrecord undo --import ID")
    if args.batch:
        return _take_back(args.batch, caller, desk)
    command = Undo(event=args.event)
    if not caller.principal.is_person and not args.dry_run:
        return desk.outcome(desk.memory.do(command, caller))
    event = desk.memory.undoable(caller, args.event)
    if args.dry_run:
        return _preview(event, desk)
    if event.action == "imported":
        return _take_back(event.target, caller, desk)
    command = replace(command, event=event.seq)
    if event.action in _TYPED or event.target.startswith("review@"):
        caller = _confirmed(event, desk)
    outcome = desk.memory.do(command, caller)
    if outcome.code.endswith("_needs_key"):
        outcome = desk.memory.do(command, _confirmed(event, desk))
    return desk.outcome(outcome)


def _confirmed(event: Event, desk: Desk) -> Caller:
    """The caller, with a key typed for what only that may take back."""
    also = " Its value may then come back." if event.action == "rejected" else ""
    caller, key = desk.confirmed(f"Take that back?{also}", shown=(rendering.event(event),))
    if key == "n":
        raise Declined
    return caller


def _take_back(batch: str, caller: Caller, desk: Desk) -> int:
    """A whole import, in as many transactions as it takes."""
    progress = Progress(quiet=desk.as_json)
    transfer = wiring.open_transfer(desk.config.store, create=False)
    try:
        if caller.principal.is_person:
            changes = counted(transfer.coming_back(batch), "change")
            shown = (f"  an import that made {changes}; what was decided since stays",)
            caller, key = desk.confirmed("Take that import back?", shown=shown)
            if key == "n":
                raise Declined
        taken = transfer.take_back(
            batch, caller, lambda n, total: progress.step("taking back", n, total)
        )
    finally:
        progress.end()
        transfer.close()
    if desk.as_json:
        desk.data(
            {
                "batch": taken.batch,
                "taken_back": taken.back,
                "kept": list(taken.kept),
                "event": taken.event,
            }
        )
        return 0
    back = f"{counted(taken.back, 'memory')} {fits(taken.back, 'is', 'are')}"
    desk.say(f"The import is taken back: {back} put away (archived).")
    if taken.kept:
        kept = len(taken.kept)
        was, stays = fits(kept, "was", "were"), fits(kept, "stays", "stay")
        desk.say(f"{kept} {was} decided or changed since and {stays}:")
        desk.say(" ".join(f"m:{rendering.short(item)}" for item in taken.kept[:_TOLD]))
    return 0


def _preview(event: Event, desk: Desk) -> int:
    if desk.as_json:
        desk.data({"would_undo": wire.event(event)})
    else:
        desk.say(f"would undo (nothing was changed):\n{rendering.event(event)}")
    return 0
