"""Verify the store, its index and its audit chain.

So is the schema: tables, indices and triggers are as this version makes them. `--audit` also
replays the log and compares it with every row, so that what was edited behind onrecord's back is
found: status, belief, pin, scope, expiry, flags, versions, what each of them says and who wrote
it, tombstones and switches. Each finding has a code.
`--export-head` prints the log's last line as SEQ:HASH; keep it elsewhere, and give it to
`--head` later: a log that was cut or rewritten since does not contain it.
"""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.errors import StoreCorrupt, UsageError
from onrecord.domain.plural import counted
from onrecord.domain.ulid import is_ulid
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.answers import Check
from onrecord.service.findings import Finding

EXAMPLES = """examples:
  onrecord check
  onrecord check --audit
  onrecord check --export-head > ~/onrecord-head
  onrecord check --head "$(cat ~/onrecord-head)"
"""

#: Findings that are told one by one.
_TOLD = 100
#: Bytes of the hash of a line of the log.
_HASH = 32


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--audit", action="store_true", help="compare every row with the log")
    parser.add_argument("--export-head", action="store_true", help="print the log's last line")
    parser.add_argument("--head", default="", metavar="SEQ:HASH", help="a head exported before")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    head = _head(args.head)
    try:
        found = desk.memory.check(head=head, audit=args.audit)
    except StoreCorrupt as error:
        error.hint = (
            f"It cannot be read far enough to say where. Copies: {desk.config.store}.backups"
        )
        raise
    if desk.as_json:
        desk.data(wire.check(found))
    elif args.export_head:
        desk.say(f"{found.events}:{found.head}")
    else:
        _tell(found, desk)
    return 0 if found.sound else 5


def _tell(found: Check, desk: Desk) -> None:
    for fault in found.faults:
        desk.say(f"fault: {fault}")
    for item in found.damaged:
        desk.say(f"damaged: {item} (its content does not fit its digest)")
    if found.broken_at is not None:
        desk.say(f"the audit chain is broken at line {found.broken_at}")
    for one in found.findings[:_TOLD]:
        desk.say(_told(one))
    if len(found.findings) > _TOLD:
        desk.say(f"… {len(found.findings) - _TOLD} more: --json lists all of them")
    if found.sound:
        rows = " Every row stands as the log says." if found.audited else ""
        events = counted(found.events, "event")
        desk.say(f"Sound: {events}, the chain holds, every digest fits.{rows}")
    if found.audited:
        desk.say(f"head: {found.events}:{found.head}")


def _told(one: Finding) -> str:
    what = rendering.short(one.target) if is_ulid(one.target) else one.target
    version = f" version {one.version}" if one.version else ""
    where = f" (event {one.event})" if one.event else ""
    return f"{one.code}  {what}{version}: {one.say}{where}".replace("  :", ":")


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
