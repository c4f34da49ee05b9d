"""Find memories by words.

What is believed now to be true now, inside the scopes visible from here. No query syntax acts:
every word is text. Nothing relevant is an answer too. After `onrecord reindex` what means the same
is found as well. --as-of asks what was believed at a time,
--valid-at what was true then; other statuses than active are found with --status.

Without words, at a terminal of yours, it is a field to type into: what fits is shown with every
letter, the arrows choose, and Enter shows the memory whole.
"""

from __future__ import annotations

import argparse
import os
import sys

from onrecord import wire
from onrecord.domain.errors import UsageError
from onrecord.domain.status import KINDS, STATUSES
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import moment, rows
from onrecord.doors.cli.text import one_line
from onrecord.service.answers import MODES, Hit, Recall
from onrecord.service.searching import Narrowing, search

#: Of what was erased there are no words to find it by.
_STATUSES = tuple(status for status in STATUSES if status != "forgotten")

EXAMPLES = """examples:
  onrecord recall "set up database"
  onrecord recall deploy --scope repo --scope global --limit 3 --explain
  onrecord recall "which port" --as-of 2026-06-01
  onrecord recall              finds as you type
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("query", nargs="*", help="what to look for")
    parser.add_argument(
        "--scope", action="append", default=[], help="only there; repeat (default: all seen here)"
    )
    parser.add_argument(
        "--kind", action="append", default=[], choices=KINDS, help=", ".join(KINDS)
    )
    parser.add_argument("--tag", action="append", default=[], help="with all of these tags")
    parser.add_argument(
        "--status", action="append", default=[], choices=_STATUSES, help=", ".join(_STATUSES)
    )
    parser.add_argument("--since", default="", metavar="DATE", help="last changed from then on")
    parser.add_argument("--until", default="", metavar="DATE", help="last changed before then")
    parser.add_argument("--as-of", default="", metavar="DATE", help="what was believed then")
    parser.add_argument("--valid-at", default="", metavar="DATE", help="what was true then")
    parser.add_argument(
        "--mode",
        default="",
        choices=MODES,
        help="lexical: by words; semantic: by meaning; hybrid: both (default, where it can be)",
    )
    parser.add_argument(
        "--limit", type=rows, default=10, metavar="N", help="at most so many (default: 10)"
    )
    parser.add_argument("--explain", action="store_true", help="show each part of the score")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if not args.query:
        return _typed(args, desk)
    narrowing = Narrowing(
        kinds=tuple(args.kind),
        tags=tuple(args.tag),
        statuses=tuple(args.status),
        since=moment(args.since),
        until=moment(args.until),
        as_of=moment(args.as_of),
        valid_at=moment(args.valid_at),
    )
    query = " ".join(args.query)
    found = search(
        desk.memory,
        query,
        desk.reader,
        narrowing,
        given=args.scope,
        limit=args.limit,
        mode=args.mode,
    )
    if desk.as_json:
        behind = desk.memory.behind([hit.item for hit in found.hits], as_of=narrowing.as_of)
        desk.data(wire.recall(found, behind))
        return 0
    _tell_about(found, desk)
    if desk.nothing:
        desk.say("Nothing is on record yet.")
    elif found.abstained:
        desk.say("Nothing relevant is on record here.")
    elif desk.to_model:
        from onrecord.doors.cli import fencing

        cites = {hit.item.id: hit.cites for hit in found.hits}
        fencing.tell_items(desk, [hit.item for hit in found.hits], cites=cites)
    else:
        _tell(found, desk, explain=args.explain)
    return 0


def _tell_about(found: Recall, desk: Desk) -> None:
    """What is to be said of the search itself."""
    for given, near in found.unknown_scopes:
        close = f" Near: {', '.join(near)}." if near else ""
        desk.say(f"Nothing was ever kept in {given}.{close}")
    if found.erased:
        desk.say(f"{found.erased} that stood there then were erased since.")
    if found.mode_told:
        desk.say(found.mode_told)
    if found.corrected_told and not desk.nothing:
        desk.say(f"{found.corrected_told[0].upper()}{found.corrected_told[1:]}.")
    for scope in found.forgotten_in:
        desk.say(f"What stood under that key in {scope} was forgotten on purpose.")


#: What does not narrow as one types: that needs the whole of the words.
_NEED_WORDS = ("tag", "status", "since", "until", "as_of", "valid_at", "mode", "explain")


def _typed(args: argparse.Namespace, desk: Desk) -> int:
    """Find as a person types; without a terminal of theirs, the words are missing."""
    if any(getattr(args, name) for name in _NEED_WORDS) or desk.as_json or not _can_type(desk):
        raise UsageError(
            "Say what to look for.", hint='Such as: onrecord recall "set up database"'
        )
    if desk.nothing or not desk.memory.scope_counts(desk.reader):
        desk.say("Nothing is on record yet.")
        return 0
    from onrecord.doors.cli import search_field
    from onrecord.doors.cli.commands import show
    from onrecord.service.finding import find

    def hits(text: str) -> tuple[Hit, ...]:
        return find(
            desk.memory, text, desk.reader, given=args.scope, kinds=args.kind, limit=args.limit
        )

    chosen = search_field.pick(hits, lambda hit: rendering.line(hit.item))
    if chosen is None:
        return 0
    return show.run(argparse.Namespace(id=chosen.item.id, as_of="", valid_at=""), desk)


def _can_type(desk: Desk) -> bool:
    shown = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"
    return shown and desk.principal_is_person


def _tell(found: Recall, desk: Desk, *, explain: bool) -> None:
    for hit in found.hits:
        desk.say(rendering.line(hit.item, at=found.as_of))
        for note in hit.cites:
            desk.say(f"        {one_line(note)}")
        if explain:
            parts = ", ".join(f"{name} {value:.2f}" for name, value in hit.parts.items())
            desk.say(f"        score {hit.score:.3f} ({parts}); {'; '.join(hit.reasons)}")
