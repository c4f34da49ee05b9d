"""Keep a statement.

A person's statement counts at once; an agent's waits for review where others would see it.
"""

from __future__ import annotations

import argparse
import sys

from onrecord.domain.errors import BadField, UsageError
from onrecord.domain.item import MAX_BODY_BYTES, Content, split
from onrecord.domain.provenance import EVIDENCE_KINDS
from onrecord.domain.status import KINDS
from onrecord.domain.time import from_iso
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Claim, Remember

EXAMPLES = """examples:
  onrecord remember "Run bin/setup_db before specs" --kind fact --scope repo
  git log -1 --format=%B | onrecord remember --title "Why we left Redis" --kind decision
  onrecord remember "Deploys go through the blue pipeline" --key deploy --replaces 7QK2ZD
"""

_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("text", nargs="*", help="what to keep; `-` or nothing reads stdin")
    parser.add_argument("--title", default="", help="the one line; the text is then the body")
    parser.add_argument("--kind", default="note", help=", ".join(KINDS))
    parser.add_argument("--scope", default="", help="global, repo, branch, project … or kind:key")
    parser.add_argument("--key", default="", help="an address in its scope; saving again updates")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG")
    parser.add_argument("--link", action="append", default=[], metavar="ID|PATH|URL")
    parser.add_argument("--summary", default="")
    parser.add_argument("--prompted-by", default="", help="what led to it, an error line say")
    parser.add_argument("--pin", action="store_true", help="first in every pack")
    parser.add_argument("--propose", action="store_true", help="let it wait for review")
    parser.add_argument("--valid-from", default="", metavar="DATE")
    parser.add_argument("--valid-to", default="", metavar="DATE")
    parser.add_argument("--ttl", default="", metavar="30d", help="s, m, h, d or w; up to 365 d")
    parser.add_argument("--expires", default="", metavar="DATE")
    parser.add_argument(
        "--evidence",
        action="append",
        default=[],
        metavar="KIND=POINTER",
        help=f"what it rests on: {', '.join(EVIDENCE_KINDS)}",
    )
    parser.add_argument("--replaces", default="", metavar="ID")
    parser.add_argument("--distinct", action="store_true", help="it is not what is there already")
    parser.add_argument("--if-version", type=int, default=None, metavar="N")
    parser.add_argument(
        "--override", default="", metavar="REASON", help="bring a rejected value back"
    )
    parser.add_argument("--dates-as-written", action="store_true")
    parser.add_argument("--idempotency-key", default="")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    title, body = _text(args)
    caller = desk.caller
    if args.override or args.kind == "rule":
        caller, key = desk.confirmed("Keep it, as a person's decision?")
        if key == "n":
            return 1
    command = Remember(
        content=Content(
            title=title,
            body=body,
            summary=args.summary,
            tags=tuple(args.tag),
            valid_from=from_iso(args.valid_from) if args.valid_from else None,
            valid_to=from_iso(args.valid_to) if args.valid_to else None,
            prompted_by=args.prompted_by,
        ),
        scope=args.scope,
        kind=args.kind,
        key=args.key,
        evidence=tuple(_claim(given) for given in args.evidence),
        links=tuple(args.link),
        pin=args.pin,
        propose=args.propose,
        ttl=_seconds(args.ttl),
        expires_at=from_iso(args.expires) if args.expires else None,
        replaces=desk.whole(args.replaces) if args.replaces else "",
        distinct=args.distinct,
        if_version=args.if_version,
        override=args.override,
        dates_as_written=args.dates_as_written,
        idempotency_key=args.idempotency_key,
    )
    return desk.outcome(desk.memory.do(command, caller))


def _text(args: argparse.Namespace) -> tuple[str, str]:
    given = " ".join(args.text)
    if given in ("", "-"):
        if sys.stdin is None or sys.stdin.isatty():
            raise UsageError("There is nothing to keep.", hint='onrecord remember "the statement"')
        raw = sys.stdin.buffer.read(MAX_BODY_BYTES * 4)
        try:
            given = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise BadField(
                "The text is not valid UTF-8, so nothing was kept.",
                hint="Convert it first, for example with iconv.",
                details={"field": "text"},
            ) from None
    if args.title:
        return args.title, given.strip("\n")
    return split(given)


def _claim(given: str) -> Claim:
    kind, equals, pointer = given.partition("=")
    if not equals:
        raise UsageError("Evidence is written KIND=POINTER.", hint="--evidence file=src/app.py:12")
    return Claim(kind=kind, pointer=pointer)


def _seconds(given: str) -> int | None:
    if not given:
        return None
    number, unit = (given, "s") if given[-1:].isdigit() else (given[:-1], given[-1:])
    if not number.isdigit() or unit not in _UNITS or len(number) > 9:  # noqa: PLR2004 - years
        raise UsageError("A time to live is written like 90s, 12h, 30d or 8w.")
    return int(number) * _UNITS[unit]
