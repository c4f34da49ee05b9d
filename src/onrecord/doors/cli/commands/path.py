"""Where the store is, whether or not it is there yet; with --all, every named store.

A named store (--store NAME) is a file of its own beside the usual one, for trying things out. With
--config it is your own configuration file, whether or not that is there.
"""

from __future__ import annotations

import argparse
import os

from onrecord.config import config_file, data_folder
from onrecord.domain.plural import counted
from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  onrecord path
  onrecord path --store trial
  onrecord path --all
  onrecord path --config
"""

_USUAL = "memory"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="list the stores that there are")
    which.add_argument("--config", action="store_true", help="your own configuration file")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if args.all:
        return _list(desk)
    # the configuration is not read for that: where it is wrong, this says where to mend it
    path = config_file(os.environ) if args.config else desk.config.store
    if desk.as_json:
        desk.data({"path": path})
    else:
        desk.say(path)
    return 0


def _list(desk: Desk) -> int:
    """The stores in the folder of a user's data."""
    folder = data_folder(os.environ)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".db"))  # noqa: PTH208
    except OSError:
        names = []
    stores: list[dict[str, object]] = []
    for name in names:
        path = os.path.join(folder, name)  # noqa: PTH118 - a plain string
        given = name.removesuffix(".db")
        size = os.stat(path).st_size  # noqa: PTH116 - a plain string
        stores.append({"name": None if given == _USUAL else given, "path": path, "bytes": size})
    if desk.as_json:
        desk.data({"stores": stores})
        return 0
    for store in stores:
        told = f"--store {store['name']}" if store["name"] else "the usual one"
        desk.say(f"{told}: {store['path']}  ({counted(int(str(store['bytes'])), 'byte')})")
    if not stores:
        desk.say("There is no store yet.")
    return 0
