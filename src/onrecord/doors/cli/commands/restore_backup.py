"""Let a copy be the store again. The store as it is now is kept beside it.

What was forgotten after the copy was made is erased in it again, and what was rejected stays
rejected, before it can be opened; with --db too, where the store that the copy was made of is
one of yours on this machine. Where none is, that is said. Belief, rules, switches and policies
are those of the copy. Running agents go on with it. A copy whose key was closed wants
--passphrase-file, unless a store of yours here knows that key. Only you may do this, with a key
typed on your own terminal; --dry-run tries it with a private copy and says what would come.
"""

from __future__ import annotations

import argparse
import os
import stat
from typing import TYPE_CHECKING

from onrecord import wiring
from onrecord.config import own_stores
from onrecord.domain import time
from onrecord.domain.errors import Declined, NotFound, UsageError
from onrecord.domain.plural import counted
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.passphrases import of_file
from onrecord.doors.cli.progress import Progress
from onrecord.doors.cli.rendering import when

if TYPE_CHECKING:
    from onrecord.service.copies import Restored

EXAMPLES = """examples:
  onrecord restore-backup ~/.local/share/onrecord/memory.db.backups/backup-20261130T101500Z.db
  onrecord restore-backup /mnt/disk/onrecord-2026-11-30.db --db ~/second.db
"""


#: Ending of the folder beside a store that holds its copies.
BACKUPS = ".backups"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("file", help="a copy that `onrecord backup` made")
    parser.add_argument(
        "--passphrase-file", default="", metavar="FILE", help="opens a key that was closed"
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would come")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    file = os.path.abspath(args.file)  # noqa: PTH100 - a plain string
    store = desk.config.store
    described = _described(file)
    passphrase = of_file(args.passphrase_file, opens=True)
    caller = desk.caller
    if not args.dry_run:
        shown = (f"  the copy:  {file}{described}", f"  the store: {store}")
        caller, key = desk.confirmed("Let the copy be the store?", shown=shown)
        if key == "n":
            raise Declined
    desk.require_person("Only you may let a copy be the store.")
    progress = Progress(quiet=desk.as_json)
    try:
        restored = wiring.open_copies(store, _relatives(file, store)).restore(
            file, caller, progress.stage, passphrase=passphrase, keep=not args.dry_run
        )
    finally:
        progress.end()
    return _answer(restored, file, desk, dry_run=args.dry_run)


def _relatives(file: str, store: str) -> list[str]:
    """The other stores here that the copy may have been made of."""
    folder = os.path.dirname(file)  # noqa: PTH120 - a plain string
    beside = folder.removesuffix(BACKUPS)
    found = [beside] if beside != folder else []
    here = os.path.realpath(store)
    return [
        path
        for path in dict.fromkeys(found + own_stores(os.environ))
        if os.path.realpath(path) != here
    ]


def _described(file: str) -> str:
    try:
        found = os.stat(file)  # noqa: PTH116
    except OSError:
        raise NotFound("There is no file at that path.", details={"path": file}) from None
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(
            "That is no file, so it is not a copy of a store. Nothing was changed.",
            hint="Name the copy itself, a file that ends in .db.",
            details={"path": file},
        )
    changed = when(int(found.st_mtime) * time.SECOND)
    return f" ({counted(found.st_size, 'byte')}, from {changed} UTC)"


def _answer(of: Restored, file: str, desk: Desk, *, dry_run: bool) -> int:
    again = of.replayed
    if desk.as_json:
        desk.data(
            {
                "dry_run": dry_run,
                "restored": file,
                "kept": of.kept or None,
                "unreadable": of.unreadable,
                "items": of.items,
                "events": of.events,
                "erased_again": again.erased,
                "rejected_again": again.rejected,
                "tombstones_carried": again.stones,
                "erasures_known": of.heeded,
                "event": None if dry_run else of.event,
            }
        )
        return 0
    if dry_run:
        desk.say("What would be (nothing was changed; the store as it is now would be kept):")
    desk.say(f"Restored: {counted(of.items, 'item')}, {counted(of.events, 'event')}.")
    if again.erased or again.rejected:
        desk.say(f"  erased again: {again.erased}; rejected again: {again.rejected}")
    if not of.heeded:
        desk.say("  no store here knows what was forgotten after the copy was made, so nothing")
        desk.say("  was erased in it again")
    if of.kept:
        desk.say(f"  the store before it: {of.kept}")
    if of.unreadable:
        desk.say("  that one cannot be read, so what was rejected in it could not be carried over")
    return 0
