"""Drop the index of words and make it anew from every version of every memory.

It is derived, so nothing is lost and nothing else changes. `onrecord check` says when it differs
from the memories. Agents go on reading until it is done, while their writing waits. Only you may
do this.
"""

from __future__ import annotations

import argparse

from onrecord import wiring
from onrecord.domain.errors import NeedsPerson
from onrecord.domain.plural import counted
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.progress import Progress

EXAMPLES = """examples:
  onrecord rebuild
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words; it has none of its own."""


def run(_args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    caller = desk.caller
    if not caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    progress = Progress(quiet=desk.as_json)
    upkeep = wiring.open_upkeep(desk.config.store)
    try:
        done = upkeep.rebuild(caller, lambda n, total: progress.step("indexing", n, total))
    finally:
        progress.end()
        upkeep.close()
    if desk.as_json:
        desk.data({"items": done.items, "documents": done.documents, "event": done.event})
    else:
        versions = counted(done.documents, "version")
        desk.say(f"Made anew: {counted(done.items, 'memory')} in {versions}.")
    return 0
