"""Keep a folder of Markdown in step with your memories: one file each, by scope.

Run it again whenever you like: only what changed is written, and the files of what you forgot or
put away are erased. A file that you edited is never written over: it is named, and
`onrecord import mirror FILE` proposes your words. Only what is active is shown, unless --status
says otherwise. The folder has to be new, empty, or such a mirror. Only you may do this, on your
own terminal.
"""

from __future__ import annotations

import argparse

from onrecord import wire, wiring
from onrecord.domain.errors import NeedsPerson, StoreCorrupt
from onrecord.domain.plural import counted
from onrecord.domain.status import STATUSES
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.progress import Progress
from onrecord.service.mirroring import Mirrored
from onrecord.service.transfer import MIRRORED

EXAMPLES = """examples:
  onrecord mirror ~/notes/memories
  onrecord mirror docs/memory --scope repo
"""

_STATUSES = tuple(status for status in STATUSES if status != "forgotten")
_TOLD = 20
#: Files that somebody edited stand in the way of showing what is on record.
_CONFLICT = 3


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("folder", help="a new or empty folder, or a mirror")
    parser.add_argument(
        "--scope", action="append", default=[], help="only there; repeat (default: as last time)"
    )
    parser.add_argument(
        "--status", action="append", default=[], choices=_STATUSES, help=", ".join(_STATUSES)
    )
    parser.add_argument("--overwrite", action="store_true", help="write over edited files too")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    caller = desk.caller
    if not caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    transfer = wiring.open_transfer(desk.config.store, create=False)
    progress = Progress(quiet=desk.as_json)
    try:
        done = transfer.mirror(
            caller,
            wiring.open_mirror_folder(args.folder),
            given=args.scope,
            statuses=tuple(args.status) or MIRRORED,
            overwrite=args.overwrite,
            step=lambda n, total: progress.step("mirroring", n, total),
            note=wiring.known_copies(desk.config.store).note,
        )
    finally:
        progress.end()
        transfer.close()
    return _answer(done, desk)


def _answer(done: Mirrored, desk: Desk) -> int:
    if desk.as_json:
        desk.data(wire.mirrored(done))
    else:
        desk.say(done.path)
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
    if done.damaged:
        raise StoreCorrupt(
            f"{counted(len(done.damaged), 'memory')} left out: the digest does not fit.",
            hint="`onrecord check` lists them.",
            details={"damaged": list(done.damaged[:100])},
        )
    return _CONFLICT if done.edited else 0
