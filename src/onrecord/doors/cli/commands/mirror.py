"""Keep a folder of Markdown in step with your memories: one file each, by scope.

Run it again whenever you like: only what changed is written, and the files of what you forgot or
put away are erased; --dry-run says what would be. A file that you edited is never written over: it
is named, and `onrecord import mirror FILE` proposes your words. Only what is active is shown,
unless --status says otherwise. The folder has to be new, empty, or such a mirror. Only you may do
this, on your own terminal.

What you forget goes from every mirror. Without a folder the mirrors are listed; --drop ends one,
say where you deleted it for good. Its files stay as they are, and keep what you forget later;
`onrecord mirror FOLDER` makes it a mirror again.
"""

from __future__ import annotations

import argparse
import os

from onrecord import wire, wiring
from onrecord.domain.errors import NeedsPerson, StoreCorrupt, StoreMissing, UsageError
from onrecord.domain.plural import counted
from onrecord.domain.status import STATUSES
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.progress import Progress
from onrecord.service.mirroring import Mirrored

EXAMPLES = """examples:
  onrecord mirror ~/notes/memories
  onrecord mirror docs/memory --scope repo
  onrecord mirror --drop ~/notes/memories --dry-run
"""

_STATUSES = tuple(status for status in STATUSES if status != "forgotten")
_TOLD = 20
#: Files that somebody edited stand in the way of showing what is on record.
_CONFLICT = 3


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "folder", nargs="?", default="", help="a new or empty folder, or a mirror (default: list)"
    )
    parser.add_argument(
        "--scope", action="append", default=[], help="only there; repeat (default: as last time)"
    )
    parser.add_argument(
        "--status",
        action="append",
        default=[],
        choices=_STATUSES,
        help=f"{', '.join(_STATUSES)}; repeat (default: as last time)",
    )
    parser.add_argument("--overwrite", action="store_true", help="write over edited files too")
    parser.add_argument("--drop", action="store_true", help="let it be no mirror any more")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if not args.folder:
        return _list(args, desk)
    if args.drop and (args.scope or args.status or args.overwrite):
        raise UsageError("--drop goes with --dry-run alone.")
    caller = desk.caller
    if not caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    if args.drop:
        return _drop(args, desk)
    transfer = wiring.open_transfer(desk.config.store, create=False)
    progress = Progress(quiet=desk.as_json)
    try:
        done = transfer.mirror(
            caller,
            wiring.open_mirror_folder(args.folder, make=not args.dry_run),
            given=args.scope,
            statuses=tuple(args.status),
            overwrite=args.overwrite,
            keep=not args.dry_run,
            step=lambda n, total: progress.step("mirroring", n, total),
            note=wiring.known_copies(desk.config.store).note,
        )
    finally:
        progress.end()
        transfer.close()
    return _answer(done, desk, dry_run=args.dry_run)


def _list(args: argparse.Namespace, desk: Desk) -> int:
    if args.scope or args.status or args.overwrite or args.drop or args.dry_run:
        raise UsageError("Name the folder. Nothing was changed.")
    known = wiring.known_copies(desk.config.store).mirrors()
    if desk.as_json:
        desk.data({"mirrors": [wire.known_mirror(one) for one in known]})
        return 0
    for one in known:
        state = "" if one.stands else "  (not there)"
        owed = f"  {counted(one.owed, 'erased memory')} not taken out yet" if one.owed else ""
        desk.say(f"{one.path}{state}{owed}")
    if not known:
        desk.say("There is no mirror. `onrecord mirror FOLDER` makes one.")
    return 0


def _drop(args: argparse.Namespace, desk: Desk) -> int:
    """Reach a mirror no more."""
    if not os.path.exists(desk.config.store):  # noqa: PTH110 - a plain string
        raise StoreMissing
    folder = os.path.abspath(args.folder)  # noqa: PTH100 - as it stands in the list
    was = wiring.known_copies(desk.config.store).drop(folder, keep=not args.dry_run)
    if desk.as_json:
        desk.data({"dropped": wire.known_mirror(was), "dry_run": args.dry_run})
        return 0
    if args.dry_run:
        desk.say(f"{was.path} would be no mirror any more (nothing was changed).")
    else:
        desk.say(f"{was.path} is no mirror any more. Again: onrecord mirror {was.path}")
    if was.stands:
        desk.say("  Its files stay, and keep what you forget from now on.")
    if was.owed:
        desk.say(f"  It may still hold {counted(was.owed, 'memory')} that you forgot.")
    return 0


def _answer(done: Mirrored, desk: Desk, *, dry_run: bool) -> int:
    if desk.as_json:
        desk.data(wire.mirrored(done, dry_run=dry_run))
    else:
        _tell(done, desk, dry_run=dry_run)
    if done.damaged:
        raise StoreCorrupt(
            f"{counted(len(done.damaged), 'memory')} left out: the digest does not fit.",
            hint="`onrecord check` lists them.",
            details={"damaged": list(done.damaged[:100])},
        )
    return _CONFLICT if done.edited else 0


def _tell(done: Mirrored, desk: Desk, *, dry_run: bool) -> None:
    desk.say(done.path + (" would be (nothing was changed):" if dry_run else ""))
    desk.say(
        f"  {counted(done.total, 'memory')}: {done.written} written,"
        f" {done.unchanged} as they were, {done.erased} erased"
    )
    for name in done.edited[:_TOLD]:
        desk.say(f"  edited, left as it is: {name}")
    if len(done.edited) > _TOLD:
        desk.say(f"  … and {len(done.edited) - _TOLD} more: --json has them")
    if done.edited:
        desk.say("  `onrecord import mirror FILE` proposes your words; --overwrite drops them")
    for name in done.edited_erased[:_TOLD]:
        desk.say(f"  edited, and erased because it was forgotten: {name}")
