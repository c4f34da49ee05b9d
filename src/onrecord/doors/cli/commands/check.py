"""Verify the store, its index and its audit chain.

`--export-head` prints the log's last line as SEQ:HASH; keep it elsewhere, and give it to
`--head` later: a log that was cut or rewritten since does not contain it.
"""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.errors import StoreCorrupt, UsageError
from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  onrecord check
  onrecord check --export-head > ~/onrecord-head
  onrecord check --head "$(cat ~/onrecord-head)"
"""

#: Bytes of the hash of a line of the log.
_HASH = 32


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--audit", action="store_true", help="say more of the audit chain")
    parser.add_argument("--export-head", action="store_true", help="print the log's last line")
    parser.add_argument("--head", default="", metavar="SEQ:HASH", help="a head exported before")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    head = _head(args.head)
    try:
        found = desk.memory.check(head=head)
    except StoreCorrupt as error:
        error.hint = (
            f"It cannot be read far enough to say where. Copies: {desk.config.store}.backups"
        )
        raise
    if desk.as_json:
        desk.data(wire.check(found))
        return 0 if found.sound else 5
    if args.export_head:
        desk.say(f"{found.events}:{found.head}")
        return 0 if found.sound else 5
    for fault in found.faults:
        desk.say(f"fault: {fault}")
    for item in found.damaged:
        desk.say(f"damaged: {item} (its content does not fit its digest)")
    if found.broken_at is not None:
        desk.say(f"the audit chain is broken at line {found.broken_at}")
    if found.sound:
        desk.say(f"Sound: {found.events} events, the chain holds, every digest fits.")
    if args.audit:
        desk.say(f"head: {found.events}:{found.head}")
    return 0 if found.sound else 5


def _head(given: str) -> tuple[int, bytes] | None:
    if not given:
        return None
    seq, colon, digest = given.strip().partition(":")
    try:
        number, found = int(seq), bytes.fromhex(digest)
    except ValueError:
        number, found = -1, b""
    if not colon or number < 0 or len(found) != _HASH:
        raise UsageError("A head is written SEQ:HASH.", hint="onrecord check --export-head")
    return number, found
