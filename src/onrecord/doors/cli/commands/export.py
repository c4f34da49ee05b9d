"""Write memories out, to a file of your own or to standard output.

jsonl is for programs and for `onrecord import`: a header, then one memory a line with its
versions, evidence and links. markdown is for people. Without --status what is active and what
waits is written. --as-of writes what was on record at an earlier time, as it stood then, and
counts what you forgot since; --valid-at writes what was true at a time, replaced since or not.
Secrets were taken out before anything was kept, and what you forgot is never in it; what you
forget later stays in files that are written now. Only you may do this, on your own terminal.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import BinaryIO

from onrecord import wire, wiring
from onrecord.domain.errors import NeedsPerson, StoreCorrupt, UsageError
from onrecord.domain.plural import counted
from onrecord.domain.status import STATUSES
from onrecord.doors.cli import pages, streams
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.files import new_private_file
from onrecord.doors.cli.limits import moment
from onrecord.doors.cli.progress import Progress
from onrecord.doors.cli.text import json_text
from onrecord.service.clocks import SystemClock
from onrecord.service.exports import Export
from onrecord.service.import_lines import MAX_ITEMS, MAX_LINE

EXAMPLES = """examples:
  onrecord export -o memories.jsonl
  onrecord export --scope repo --format markdown -o memories.md
  onrecord export --status archived | wc -l
  onrecord export --as-of 2026-11-01 -o november.jsonl
"""

_STATUSES = tuple(status for status in STATUSES if status != "forgotten")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "--scope", action="append", default=[], help="only there; repeat (default: everywhere)"
    )
    parser.add_argument(
        "--status", action="append", default=[], choices=_STATUSES, help=", ".join(_STATUSES)
    )
    parser.add_argument("--as-of", default="", metavar="DATE", help="what was believed then")
    parser.add_argument("--valid-at", default="", metavar="DATE", help="what was true then")
    parser.add_argument(
        "--format", default="jsonl", choices=("jsonl", "markdown"), help="jsonl or markdown"
    )
    parser.add_argument(
        "-o", "--output", default="", metavar="FILE", help="a new file (default: stdout)"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if args.format == "markdown" and desk.as_json and not args.output:
        raise UsageError("Markdown is no JSON.", hint="Leave out --json, or give -o FILE.")
    caller = desk.caller
    if not caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    transfer = wiring.open_transfer(desk.config.store, create=False)
    try:
        with transfer.exported(
            caller,
            given=args.scope,
            statuses=tuple(args.status) or None,
            as_of=moment(args.as_of),
            valid_at=moment(args.valid_at),
        ) as export:
            if args.output:
                path = os.path.abspath(args.output)  # noqa: PTH100 - a plain string
                wiring.written_copies(desk.config.store).note(path, SystemClock().now())
                with new_private_file(args.output) as file:
                    written = _write(export, args.format, file, desk)
                return _answer(export, args, written, desk)
            _write(export, args.format, None, desk)
            streams.finish()
            return _end(export)
    finally:
        transfer.close()


def _write(export: Export, form: str, file: BinaryIO | None, desk: Desk) -> int:
    """Write it all; how many bytes that were."""
    written = 0
    progress = Progress(quiet=desk.as_json)
    lines = _jsonl(export) if form == "jsonl" else pages.memories(export)
    try:
        for done, text in enumerate(lines):
            raw = text.encode("utf-8", "backslashreplace")
            written += len(raw)
            if file is None:
                streams.write_utf8(text)
            else:
                file.write(raw)
            progress.step("exporting", min(done, export.total), export.total)
    finally:
        progress.end()
    return written


def _jsonl(export: Export) -> Iterator[str]:
    yield f"{json_text(wire.export_header(export), indent=None)}\n"
    for one in export.items:
        yield f"{_fitting(wire.exported(one))}\n"


def _fitting(shape: wire.Json) -> str:
    """A line that can be imported again: its oldest versions go where it is too long."""
    text = json_text(shape, indent=None)
    while len(text.encode("utf-8", "backslashreplace")) >= MAX_LINE and shape["versions"]:
        left_out = shape.get("versions_left_out", 0) + 1
        shape = shape | {"versions": shape["versions"][1:], "versions_left_out": left_out}
        text = json_text(shape, indent=None)
    return text


def _answer(export: Export, args: argparse.Namespace, written: int, desk: Desk) -> int:
    path = os.path.abspath(args.output)  # noqa: PTH100 - a plain string
    count = export.total - len(export.damaged)
    if desk.as_json:
        desk.data(
            {
                "path": path,
                "format": args.format,
                "items": count,
                "bytes": written,
                "erased": export.erased,
                "damaged": list(export.damaged),
            }
        )
    else:
        desk.say(f"{path}\n  {counted(count, 'memory')}, {counted(written, 'byte')}")
        if export.erased:
            desk.say(f"  {export.erased} that stood there then were erased since")
        if count > MAX_ITEMS and args.format == "jsonl":
            desk.say(f"  an import takes {MAX_ITEMS:,} at once: export scope by scope")
    return _end(export)


def _end(export: Export) -> int:
    """An error where something could not be written, after all that could be."""
    if not export.damaged:
        return 0
    raise StoreCorrupt(
        f"{counted(len(export.damaged), 'memory')} left out: the digest does not fit.",
        hint="`onrecord check` lists them.",
        details={"damaged": list(export.damaged[:100])},
    )
