"""Take memories in from a file. Every one of them waits for your review, whoever wrote it.

The format is `jsonl`, as `onrecord export` writes it. All of the file is checked first. What you
rejected or forgot is kept out, what is here already stays as it is, and nothing that comes in
counts as verified. Rules, handoffs and whatever was put away where the file comes from stay out;
private notes of agents come in only where --scope says where to. One import can be taken back as
a whole.
"""

from __future__ import annotations

import argparse
import os

from onrecord import wire, wiring
from onrecord.domain.errors import StoreMissing
from onrecord.domain.scope import parse
from onrecord.doors.cli import streams
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.files import plain_file
from onrecord.doors.cli.progress import Progress
from onrecord.doors.cli.rendering import short
from onrecord.service.import_lines import ImportFile
from onrecord.service.imports import Imported
from onrecord.service.transfer import Transfer

EXAMPLES = """examples:
  onrecord import jsonl memories.jsonl --dry-run
  onrecord import jsonl memories.jsonl
  onrecord import jsonl memories.jsonl --scope project:fares
"""

#: Refused items told one by one.
_TOLD = 10


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("format", choices=("jsonl",), help="jsonl")
    parser.add_argument("file", help="a file that `onrecord export` wrote, or one like it")
    parser.add_argument("--scope", default="", help="where all of it goes (default: as it says)")
    parser.add_argument("--dry-run", action="store_true", help="say what would come in")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    caller = desk.caller
    scope = parse(args.scope, caller.place) if args.scope else ""
    progress = Progress(quiet=desk.as_json)
    with plain_file(args.file) as file:
        source = ImportFile(file, os.path.basename(args.file), caller.place)  # noqa: PTH119
        # no store is made for a file that cannot come in
        source.check()
        transfer = _opened(desk, look=args.dry_run)
        try:
            done = transfer.bring_in(
                source,
                caller,
                scope=scope,
                keep=not args.dry_run,
                step=lambda n, total: progress.step("importing", n, total),
            )
        except KeyboardInterrupt:
            progress.end()
            if not args.dry_run:
                streams.complain("onrecord: stopped; `onrecord undo` takes back what came in\n")
            raise
        finally:
            progress.end()
            transfer.close()
    return _answer(done, desk, dry_run=args.dry_run)


def _opened(desk: Desk, *, look: bool) -> Transfer:
    """The store; a look at what would come in makes none."""
    try:
        return wiring.open_transfer(desk.config.store, create=not look)
    except StoreMissing:
        return wiring.open_transfer_nowhere()


def _answer(done: Imported, desk: Desk, *, dry_run: bool) -> int:
    tally = done.tally
    came = sum(n for name, n in tally.outcomes.items() if name != "refused")
    status = 0 if came or not tally.outcomes else 1
    if desk.as_json:
        desk.data(wire.imported(done, dry_run=dry_run))
        return status
    if dry_run:
        desk.say("What would come in (nothing was changed):")
    waits = tally.outcomes.get("proposed", 0) + tally.outcomes.get("conflict", 0)
    known = came - waits
    desk.say(f"{waits} of {done.total} proposed" + ("; `onrecord review` decides" * bool(waits)))
    if known:
        desk.say(f"{known} known already, left as they are")
    if tally.codes:
        told = ", ".join(f"{n} by {code}" for code, n in sorted(tally.codes.items()))
        desk.say(f"refused: {told}")
    for one in tally.refused[:_TOLD]:
        named = f" (m:{short(one.id)})" if one.id else ""
        desk.say(f"  line {one.line}{named}: {one.code}")
    if len(tally.refused) > _TOLD:
        desk.say(f"  … and {sum(tally.codes.values()) - _TOLD} more: --json has them")
    if tally.left_out:
        told = ", ".join(f"{n} {why}" for why, n in sorted(tally.left_out.items()))
        desk.say(f"left out: {told}")
    if done.event:
        desk.say(f"Take it back: onrecord undo --import {short(done.batch)}")
    return status
