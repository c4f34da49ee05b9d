"""Copy the whole store to a new file, also while agents write, and check the copy.

Without FILE the copy goes to the folder `<store>.backups`. The key of the store is copied beside
it, to FILE.keys: without it the copy cannot be restored elsewhere, and whoever has both has
everything. With --passphrase-file that key is closed: it opens only with the first line of that
file (12 characters or more, readable by you alone). Keep the passphrase apart from the copies.
Nothing is ever overwritten. What you forget later stays in older copies until you delete them;
what is restored from them is erased again.
"""

from __future__ import annotations

import argparse
import os

from onrecord import wiring
from onrecord.domain.plural import counted
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.passphrases import of_file

EXAMPLES = """examples:
  onrecord backup
  onrecord backup /mnt/disk/onrecord-2026-11-30.db
  onrecord backup --passphrase-file ~/.onrecord-passphrase
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "file", nargs="?", default="", help="where to (default: the store's own folder of copies)"
    )
    parser.add_argument(
        "--passphrase-file", default="", metavar="FILE", help="close the copy's key with its line"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    target = os.path.abspath(args.file) if args.file else ""  # noqa: PTH100 - a plain string
    passphrase = of_file(args.passphrase_file)
    copied = wiring.open_copies(desk.config.store).back_up(desk.caller, target, passphrase)
    if desk.as_json:
        desk.data(
            {
                "path": copied.path,
                "keys": copied.keys or None,
                "closed": bool(copied.keys and passphrase),
                "bytes": copied.size,
                "items": copied.items,
                "events": copied.events,
                "head": copied.head.hex(),
            }
        )
        return 0
    desk.say(copied.path)
    held = f"{counted(copied.items, 'item')}, {counted(copied.events, 'event')}"
    desk.say(f"  {held}, {counted(copied.size, 'byte')}; checked")
    if copied.keys:
        how = "closed with your passphrase" if passphrase else "keep it where only you can read it"
        desk.say(f"  its key: {copied.keys} ({how})")
    else:
        desk.say("  the store's key cannot be read, so the copy has none beside it")
    return 0
