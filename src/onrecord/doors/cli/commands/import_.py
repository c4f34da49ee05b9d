"""Take memories in from a file or folder. All of them wait for your review, whoever wrote them.

Formats: jsonl (as `onrecord export` writes it), markdown (CLAUDE.md, AGENTS.md, GEMINI.md,
MEMORY.md with topic files), server-memory, mem0, lorekit, claude-mem, basic-memory, engram,
mirror. Without one it is recognised by what is in it. What you rejected or forgot is kept out,
what is here already stays as it is, and nothing that comes in counts as verified. Rules, handoffs
and whatever was put away where it comes from stay out; private notes of agents come in only where
--scope says where to. Files of other tools are read from a copy and never written to. One import
can be taken back as a whole.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Generator
from contextlib import contextmanager

from onrecord import wire, wiring
from onrecord.domain.errors import NotFound, StoreMissing
from onrecord.domain.scope import parse
from onrecord.doors.cli import streams
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.files import plain_file
from onrecord.doors.cli.progress import Progress
from onrecord.doors.cli.rendering import short
from onrecord.service.foreign_source import FORMATS, OURS, ForeignSource, Origin, recognise
from onrecord.service.import_lines import ImportFile
from onrecord.service.imports import Imported, Source, Tally
from onrecord.service.transfer import Transfer

EXAMPLES = """examples:
  onrecord import memories.jsonl --dry-run
  onrecord import CLAUDE.md
  onrecord import claude-mem ~/.claude-mem/claude-mem.db
  onrecord import jsonl memories.jsonl --scope project:fares
"""

#: Refused and skipped ones told one by one.
_TOLD = 10


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "format", nargs="?", choices=FORMATS, help=f"{', '.join(FORMATS)} (default: recognised)"
    )
    parser.add_argument("file", help="the file or folder")
    parser.add_argument("--scope", default="", help="where all of it goes (default: as it says)")
    parser.add_argument("--dry-run", action="store_true", help="say what would come in")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    caller = desk.caller
    scope = parse(args.scope, caller.place) if args.scope else ""
    progress = Progress(quiet=desk.as_json)
    if not os.path.lexists(args.file):
        raise NotFound("There is no file or folder at that path.", details={"path": args.file})
    form: str = args.format or recognise(args.file)
    with _source(form, args.file, desk) as source:
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
    if not args.format and not desk.as_json:
        desk.say(f"Taken for {form}.")
    return _answer(done, desk, form, dry_run=args.dry_run)


@contextmanager
def _source(form: str, path: str, desk: Desk) -> Generator[Source]:
    """What is to be read, open as long as it is needed."""
    place = desk.caller.place
    name = os.path.basename(os.path.abspath(path))  # noqa: PTH100,PTH119 - a plain string
    if form == OURS:
        with plain_file(path) as file:
            yield ImportFile(file, name, place)
    else:
        home = os.path.expanduser("~")  # noqa: PTH111 - a plain string
        yield ForeignSource(form, Origin(path=path, home=home), name, place)


def _opened(desk: Desk, *, look: bool) -> Transfer:
    """The store; a look at what would come in makes none."""
    try:
        return wiring.open_transfer(desk.config.store, create=not look)
    except StoreMissing:
        return wiring.open_transfer_nowhere()


def _answer(done: Imported, desk: Desk, form: str, *, dry_run: bool) -> int:
    tally = done.tally
    came = sum(n for name, n in tally.outcomes.items() if name != "refused")
    status = 0 if came or not tally.outcomes else 1
    if desk.as_json:
        desk.data(wire.imported(done, dry_run=dry_run, form=form))
        return status
    if dry_run:
        desk.say("What would come in (nothing was changed):")
    waits = tally.outcomes.get("proposed", 0) + tally.outcomes.get("conflict", 0)
    known = came - waits
    desk.say(f"{waits} of {done.total} proposed" + ("; `onrecord review` decides" * bool(waits)))
    if known:
        desk.say(f"{known} known already, left as they are")
    _tell(tally, desk)
    if done.event and waits:
        desk.say(f"Take it back: onrecord undo --import {short(done.batch)}")
    return status


def _tell(tally: Tally, desk: Desk) -> None:
    """What did not come in, and why."""
    if tally.codes:
        told = ", ".join(f"{n} by {code}" for code, n in sorted(tally.codes.items()))
        desk.say(f"refused: {told}")
    for one in tally.refused[:_TOLD]:
        named = f" (m:{short(one.id)})" if one.id else ""
        desk.say(f"  {one.where or f'line {one.line}'}{named}: {one.code}")
    if len(tally.refused) > _TOLD:
        desk.say(f"  … and {sum(tally.codes.values()) - _TOLD} more: --json has them")
    if tally.left_out:
        told = ", ".join(f"{n} {why}" for why, n in sorted(tally.left_out.items()))
        desk.say(f"left out: {told}")
    for passed in tally.skipped[:_TOLD]:
        desk.say(f"  {passed.where}: {passed.why}")
    if len(tally.skipped) > _TOLD:
        desk.say(f"  … and {len(tally.skipped) - _TOLD} more: --json has them")
