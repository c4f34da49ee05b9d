"""Let recall find what means the same, not only what has the same words.

The first time this reads every memory with a small model of meanings, in this process, and from
then on recall uses it; new memories are read as they come. A run that was stopped goes on where
it was, and agents work on meanwhile. Another --model, and all of it anew by --redo, is made
beside what is in use, and takes its place at once when it is whole. Nothing is sent anywhere
unless your configuration names a server in [semantic.models]. Only you may do this.
"""

from __future__ import annotations

import argparse

from onrecord import wiring
from onrecord.domain.errors import UsageError
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.progress import Progress
from onrecord.service.reindexing import Reindexed, require_model
from onrecord.service.semantic_settings import NONE, settings_of

EXAMPLES = """examples:
  onrecord reindex
  onrecord reindex --dry-run
  onrecord reindex --model mine
  onrecord reindex --drop --dry-run
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "--model", default="", metavar="NAME", help="of [semantic.models] (default: `model` there)"
    )
    parser.add_argument("--redo", action="store_true", help="read everything anew")
    parser.add_argument("--drop", action="store_true", help="go by words alone again")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if args.drop and (args.model or args.redo):
        raise UsageError("--drop goes without --model and --redo.")
    if args.model == NONE:
        raise UsageError(
            f"`{NONE}` is no model to read with.",
            hint="onrecord reindex --drop takes away what was made.",
        )
    desk.require_person("Only you may have the memories read by a model.")
    table = desk.config.tables.get("semantic", {})
    name = "" if args.drop else require_model(args.model or settings_of(table).model)
    reindexing = wiring.open_reindexing(desk.config.store, table)
    progress = Progress(quiet=desk.as_json)
    try:
        if args.drop and args.dry_run:
            return _would_drop(reindexing.would_drop(desk.caller), desk)
        if args.drop:
            return _dropped(reindexing.drop(desk.caller), desk)
        if args.dry_run:
            done = reindexing.plan(desk.caller, name, redo=args.redo)
        else:
            done = reindexing.run(
                desk.caller,
                name,
                lambda n, total: progress.step("reading", n, total),
                redo=args.redo,
            )
    finally:
        progress.end()
        reindexing.close()
    if desk.as_json:
        desk.data(_told(done, dry_run=args.dry_run))
    else:
        _show(done, desk, dry_run=args.dry_run)
    return 0


def _dropped(event: int, desk: Desk) -> int:
    if desk.as_json:
        desk.data({"dropped": bool(event), "event": event or None})
    elif event:
        desk.say("The meanings are gone. Recall goes by words.")
    else:
        desk.say("There were no meanings. Recall goes by words.")
    return 0


def _would_drop(models: tuple[str, ...], desk: Desk) -> int:
    if desk.as_json:
        desk.data({"would_drop": list(models), "dry_run": True})
    elif models:
        named = ", ".join(models)
        desk.say(f"The meanings that {named} read would be dropped (nothing was changed).")
    else:
        desk.say("There are no meanings to drop.")
    return 0


def _told(done: Reindexed, *, dry_run: bool) -> dict[str, object]:
    return {
        "model": done.model,
        "where": done.where,
        "active": done.active,
        "embedded": done.embedded,
        "switched": done.switched,
        "event": done.event or None,
        "dry_run": dry_run,
    }


def _show(done: Reindexed, desk: Desk, *, dry_run: bool) -> None:
    if dry_run:
        desk.say(f"{done.embedded} of {done.active} memories would be read by {done.model}.")
        desk.say(f"Their text would go {done.where}.")
        return
    desk.say(f"Read by {done.model}: {done.embedded} of {done.active} memories.")
    desk.say(f"Their text went {done.where}.")
    if done.switched:
        desk.say("Recall finds what means the same from now on.")
