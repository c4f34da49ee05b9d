"""Keep a statement.

What a person says counts at once; what an agent says waits for review where others would see it.
The first line is the title, the rest the body. Without text, standard input is read.
"""

from __future__ import annotations

import argparse
import sys

from onrecord.domain.errors import BadField, Declined, UsageError
from onrecord.domain.item import MAX_BODY_BYTES, MAX_TITLE, Content, split
from onrecord.domain.provenance import EVIDENCE_KINDS
from onrecord.domain.status import KINDS
from onrecord.doors.cli import reminder_lines
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import moment, positive, seconds
from onrecord.service.commands import Claim, Remember

EXAMPLES = """examples:
  onrecord remember "Run bin/setup_db before specs" --kind fact --scope repo
  git log -1 --format=%B | onrecord remember --title "Why we left Redis" --kind decision
  onrecord remember "Deploys go through the blue pipeline" --key deploy --replaces 7QK2ZD
"""

#: Input beyond this is not counted any more; it is far over the limit.
_MOST_COUNTED = 64 * 1024 * 1024


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("text", nargs="*", help="what to keep; `-` or nothing reads stdin")
    parser.add_argument(
        "--title", default="", metavar="LINE", help="the title; the text is then the body"
    )
    parser.add_argument("--kind", default="note", help=", ".join(KINDS))
    parser.add_argument(
        "--scope", default="", help="global, repo, branch, project … or kind:key (see help scopes)"
    )
    parser.add_argument("--key", default="", help="an address in its scope; saving again updates")
    parser.add_argument("--tag", action="append", default=[], help="a word to find it by; repeat")
    parser.add_argument(
        "--link", action="append", default=[], metavar="ID|PATH|URL", help="what it is about"
    )
    parser.add_argument(
        "--summary", default="", metavar="TEXT", help="the gist, where the body is long"
    )
    parser.add_argument(
        "--prompted-by", default="", metavar="TEXT", help="what led to it, an error line say"
    )
    parser.add_argument("--pin", action="store_true", help="first in every pack")
    parser.add_argument("--propose", action="store_true", help="let it wait for review")
    parser.add_argument("--valid-from", default="", metavar="DATE", help="true from then on")
    parser.add_argument("--valid-to", default="", metavar="DATE", help="true until then")
    parser.add_argument(
        "--at", default="", metavar="WHEN", help='a reminder: a date, or "in 3 days"'
    )
    parser.add_argument(
        "--path", action="append", default=[], metavar="GLOB", help="a reminder: when touched"
    )
    parser.add_argument("--ttl", default="", metavar="30d", help="s, m, h, d or w; up to 365 d")
    parser.add_argument("--expires", default="", metavar="DATE", help="gone from packs then")
    parser.add_argument(
        "--evidence",
        action="append",
        default=[],
        metavar="KIND=POINTER",
        help=f"what it rests on, and ' by WHOM': {', '.join(EVIDENCE_KINDS)}",
    )
    parser.add_argument("--replaces", default="", metavar="ID", help="what it takes the place of")
    parser.add_argument("--distinct", action="store_true", help="it is not what is there already")
    parser.add_argument(
        "--if-version",
        type=positive,
        default=None,
        metavar="N",
        help="the version you saw; if it changed since, this waits as a proposal",
    )
    parser.add_argument(
        "--override", default="", metavar="REASON", help="bring a rejected value back"
    )
    parser.add_argument(
        "--dates-as-written", action="store_true", help="do not write out relative dates"
    )
    parser.add_argument(
        "--idempotency-key",
        default="",
        metavar="KEY",
        help="the same key and words are kept once",
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    title, body = _text(args)
    caller = desk.caller
    if (args.override or args.kind == "rule") and caller.principal.is_person:
        what = "bring it back" if args.override else "make it a rule"
        caller, key = desk.confirmed(f"Keep it, and {what}?", shown=(f"  {title}",))
        if key == "n":
            raise Declined
    command = Remember(
        content=Content(
            title=title,
            body=body,
            summary=args.summary,
            tags=tuple(args.tag),
            valid_from=moment(args.valid_from),
            valid_to=moment(args.valid_to),
            prompted_by=args.prompted_by,
        ),
        scope=args.scope,
        kind=args.kind,
        key=args.key,
        evidence=tuple(_claim(given) for given in args.evidence),
        links=tuple(args.link),
        pin=args.pin,
        propose=args.propose,
        ttl=seconds(args.ttl),
        expires_at=moment(args.expires),
        replaces=desk.whole(args.replaces) if args.replaces else "",
        distinct=args.distinct,
        if_version=args.if_version,
        override=args.override,
        dates_as_written=args.dates_as_written,
        idempotency_key=args.idempotency_key,
    )
    if args.at or args.path or args.kind == "reminder":
        command = _arranged(command, args, desk)
    outcome = desk.memory.do(command, caller)
    if args.kind == "reminder":
        return reminder_lines.answer(outcome, desk)
    status = desk.outcome(outcome)
    if ":" in args.scope and outcome.item is not None and caller.principal.is_person:
        _warn_of_twins(outcome.item.scope, desk)
    return status


def _arranged(command: Remember, args: argparse.Namespace, desk: Desk) -> Remember:
    """The same with when and where it comes up, as `remind` has it."""
    from onrecord.service import reminders
    from onrecord.service.clocks import SystemClock
    from onrecord.wiring import local_zone

    return reminders.arranged(
        command,
        at=args.at,
        paths=args.path,
        place=desk.caller.place,
        now=SystemClock().now(),
        zone=local_zone(),
    )


def _warn_of_twins(scope: str, desk: Desk) -> None:
    """A name that differs from another by case alone is mostly a slip."""
    from onrecord.service import lint

    for same in lint.twins(desk.memory.scope_counts(desk.reader)):
        if scope in same and not desk.as_json:
            others = " and ".join(name for name in same if name != scope)
            desk.say(f"  ! {others} differs by case alone: onrecord scopes merge OLD NEW")


def _text(args: argparse.Namespace) -> tuple[str, str]:
    given = " ".join(args.text)
    if args.text in ([], ["-"]):
        given = _stdin()
    if args.title:
        return args.title, given.strip("\n")
    return split(given)


def _stdin() -> str:
    """All of standard input, which must fit and be UTF-8."""
    if sys.stdin.isatty():
        raise UsageError("There is nothing to keep.", hint='onrecord remember "the statement"')
    stream = sys.stdin.buffer
    most = MAX_BODY_BYTES + MAX_TITLE * 4
    try:
        raw = stream.read(most + 1)
        size = len(raw)
        while size > most and size < _MOST_COUNTED and (more := stream.read(1 << 20)):
            size += len(more)
    except OSError:
        raise UsageError("Standard input cannot be read, so nothing was kept.") from None
    if size > most:
        raise BadField(
            f"The text is over its limit: {size} of at most {MAX_BODY_BYTES} bytes."
            " Nothing was kept.",
            hint="Keep the gist, and link to where the rest is (--link).",
            details={"field": "body", "limit": f"{MAX_BODY_BYTES} bytes", "given": str(size)},
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadField(
            f"The text is not valid UTF-8 (at byte {error.start}), so nothing was kept.",
            hint="Convert it first, for example with iconv.",
            details={"field": "text", "at": error.start},
        ) from None


def _claim(given: str) -> Claim:
    kind, equals, pointer = given.partition("=")
    if not equals:
        raise UsageError("Evidence is written KIND=POINTER.", hint="--evidence file=src/app.py:12")
    pointer, by, author = pointer.partition(" by ")
    return Claim(kind=kind, pointer=pointer.strip(), author=author.strip() if by else "")
