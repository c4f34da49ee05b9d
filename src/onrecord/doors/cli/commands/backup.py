"""Copy the whole store to a new file, also while agents write, and check the copy.

Without FILE the copy goes to the folder `<store>.backups`. The key of the store is copied beside
it, to FILE.keys: without it the copy cannot be restored, and whoever has both has everything.
Nothing is ever overwritten. What you forget later stays in older copies until you delete them;
what is restored from them is erased again.
"""

from __future__ import annotations

import argparse
import os

from onrecord import wiring
from onrecord.domain.plural import counted
from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  onrecord backup
  onrecord backup /mnt/disk/onrecord-2026-11-30.db
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "file", nargs="?", default="", help="where to (default: the store's own folder of copies)"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    target = os.path.abspath(args.file) if args.file else ""  # noqa: PTH100 - a plain string
    copied = wiring.open_copies(desk.config.store).back_up(desk.caller, target)
    if desk.as_json:
        desk.data(
            {
                "path": copied.path,
                "keys": copied.keys or None,
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
        desk.say(f"  its key: {copied.keys} (keep it where only you can read it)")
    else:
        desk.say("  the store's key cannot be read, so the copy has none beside it")
    return 0
