"""Erase memories for good.

Their text goes from every file that onrecord manages; the audit log keeps that it happened,
and a keyed fingerprint keeps the value from coming back. It cannot be undone.

Deleting a source (a session, one of its messages, an import, a file or an address, as `show` and
`history` name them) also reaches what was made from it: summaries and notes go, what rests on
something else as well or was approved is held for review, and quotes of it are taken out.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from onrecord import wire, wiring
from onrecord.domain.errors import Declined, NeedsPerson, NotFound, UsageError
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.outcome import Outcome
from onrecord.domain.plural import counted
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import MOST, moment
from onrecord.service.caller import Caller
from onrecord.service.commands import Forget, ForgetEverything, ForgetSource
from onrecord.service.forgetting import Reach
from onrecord.service.sources import SourceReach

EXAMPLES = """examples:
  onrecord forget 7QK2ZD --dry-run
  onrecord forget 7QK2ZD
  onrecord forget --session 7QK2ZD --dry-run
  onrecord forget --source import:notes.md --dry-run
  onrecord forget --scope project:fares --since 2026-11-01 --dry-run
"""

#: What has to be typed before everything goes.
WORD = "everything"
#: A session is named by its id, or by so many characters of it.
MIN_SESSION = 4

_ALL_BUT_FORGOTTEN = ("active", "proposed", "archived", "rejected", "superseded")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", nargs="*", help="ids, or starts or ends of them")
    parser.add_argument("--scope", default="", help="everything in that scope")
    parser.add_argument(
        "--since", default="", metavar="DATE", help="only what was last changed from then on"
    )
    parser.add_argument(
        "--session", default="", metavar="ID", help="an agent session, and all that came from it"
    )
    parser.add_argument(
        "--source",
        default="",
        metavar="SOURCE",
        help="a message, import, file or address, and what was made from it",
    )
    parser.add_argument(
        "--everything", action="store_true", help="the whole store; asks for a typed word"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would go")
    parser.add_argument("--yes", action="store_true", help="do not ask (your own memories only)")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if args.everything:
        return _everything(args, desk)
    source = _source(args, desk)
    if source:
        return _forget_source(source, args, desk)
    ids = _chosen(args, desk)
    reaches = [desk.memory.reach(item, desk.caller) for item in ids]
    if args.dry_run:
        return _preview(reaches, desk)
    caller = desk.caller
    if not reaches:
        raise NotFound("Nothing is on record there, so nothing was forgotten.")
    if caller.principal.is_person and not args.yes:
        count = "this memory" if len(reaches) == 1 else f"these {len(reaches)} memories"
        shown = [line for reach in reaches for line in _lines(reach)]
        caller, key = desk.confirmed(f"Erase {count} for good?", shown=shown)
        if key == "n":
            raise Declined
    return _forget_each(reaches, args, desk, caller)


def _forget_each(
    reaches: list[Reach], args: argparse.Namespace, desk: Desk, caller: Caller
) -> int:
    done: list[Outcome] = []
    gone: set[str] = set()
    for reach in reaches:
        if reach.item.id in gone:
            continue
        done.append(desk.memory.do(Forget(item=reach.item.id), caller))
        if done[-1].code.endswith("_needs_key"):
            raise NeedsPerson(
                f"m:{rendering.short(reach.item.id)} was written by another, so forgetting it"
                " wants a key typed here.",
                hint="Run it without --yes.",
            )
        desk.tell(done[-1])
        if done[-1].code.startswith("forgotten"):
            gone |= {also.id for also in reach.goes} | set(reach.handoffs)
    _tell_copies(done, desk)
    return desk.outcomes(done, asked=len(args.id) if args.id else 2)


def _source(args: argparse.Namespace, desk: Desk) -> str:
    """The source that is to go; empty where memories are chosen one by one."""
    if args.source and (args.id or args.scope or args.since or args.session):
        raise UsageError("--source stands alone.")
    if args.source or not args.session or args.id or args.scope or args.since:
        return str(args.source)
    if desk.nothing or len(args.session) < MIN_SESSION:
        return ""
    try:
        return desk.memory.session(args.session, desk.reader).id
    except NotFound:
        return ""


def _forget_source(source: str, args: argparse.Namespace, desk: Desk) -> int:
    refused = None if args.dry_run else desk.refused(ForgetSource(source=source))
    if refused is not None:
        return refused
    touched = desk.memory.reach_of_source(source, desk.reader)
    shown = _source_lines(touched)
    if args.dry_run and desk.as_json:
        desk.data({"would_forget_source": wire.source_reach(touched), **_known(desk)})
        return 0
    if args.dry_run:
        for line in ("would forget (nothing was changed):", *shown, *_copy_lines(desk)):
            desk.say(line)
        return 0
    caller, key = desk.confirmed("Erase that source for good?", shown=shown)
    if key == "n":
        raise Declined
    outcome = desk.memory.do(ForgetSource(source=source), caller)
    status = desk.outcome(outcome)
    _tell_copies([outcome], desk)
    return status


def _source_lines(of: SourceReach) -> list[str]:
    what = {"session": "a session and its prompts", "import": "an import"}
    lines = [f"  {what.get(of.source.kind, 'a source')}"]
    fates = (("goes", of.goes), ("is held for review", of.held), ("loses its quote", of.kept))
    for fate, items in fates:
        lines += [f"  {fate}: {rendering.line(item)}" for item in items]
    others = [name for name in of.sessions if name != of.source.name]
    if others or of.handoffs:
        lines.append(_also(others, of.handoffs))
    return lines


def _also(sessions: Sequence[str], handoffs: Sequence[str]) -> str:
    prompts = f"the prompts of {counted(len(sessions), 'session')}"
    return f"  also erased from {prompts} and from {counted(len(handoffs), 'handoff')}"


def _copies(desk: Desk) -> list[str]:
    """Copies of the store in its own folder: what is known to hold what goes."""
    return [] if desk.nothing else wiring.open_copies(desk.config.store).kept()


def _mirrors(desk: Desk) -> list[str]:
    """Mirrors of the store: what goes is erased in them as well."""
    return [] if desk.nothing else wiring.known_copies(desk.config.store).folders()


def _known(desk: Desk) -> dict[str, object]:
    """The copies that are known: those that keep it, and those that are reached."""
    return {"copies": _copies(desk), "mirrors": _mirrors(desk)}


def _copy_lines(desk: Desk) -> list[str]:
    copies = _copies(desk)
    reached = [f"  also erased in the mirror {folder}" for folder in _mirrors(desk)]
    where = os.path.dirname(copies[0]) if copies else ""  # noqa: PTH120
    kept = counted(len(copies), "copy")
    known = [f"  stays in {kept} in {where}: delete that yourself"] if copies else []
    return [
        *reached,
        *known,
        "  other exports and other people's copies are not known and not reached",
    ]


def _tell_copies(done: list[Outcome], desk: Desk) -> None:
    """Copies in the store's own folder keep what was just erased; erasing does not reach them."""
    erased = any(outcome.code.startswith("forgotten") for outcome in done)
    copies = wiring.open_copies(desk.config.store).kept() if erased and not desk.as_json else []
    if copies:
        desk.say(
            f"Copies that were made before still hold it: {len(copies)} in"
            f" {os.path.dirname(copies[0])}. Restored, they are erased in again."  # noqa: PTH120
        )


def _chosen(args: argparse.Namespace, desk: Desk) -> list[str]:
    chosen = bool(args.scope or args.since or args.session)
    if args.id and chosen:
        raise UsageError("Give ids, or --scope, --since and --session, not both.")
    if args.id:
        return [item.id for item in desk.find_all(args.id)]
    if not chosen:
        raise UsageError(
            "Say what to forget.",
            hint="onrecord forget ID, or --scope, --since, --session, --source, or --everything",
        )
    found: list[str] = []
    after: str | None = None
    while True:
        query = ItemQuery(
            scopes=(args.scope,) if args.scope else None,
            statuses=_ALL_BUT_FORGOTTEN,
            since=moment(args.since),
            after=after,
            limit=MOST,
        )
        page = desk.memory.page(query, desk.caller)
        found += [item.id for item in page if not args.session or _wrote(args.session, item)]
        if len(page) < MOST:
            return found
        after = page[-1].id


def _wrote(session: str, item: Item) -> bool:
    """Whether a session, by its id or a start or end of it, wrote the present version."""
    by = item.head.author.session
    fits = by.startswith(session.upper()) or by.endswith(session.upper())
    return bool(by) and len(session) >= MIN_SESSION and fits


def _everything(args: argparse.Namespace, desk: Desk) -> int:
    """The whole store, where a person typed what they mean."""
    if args.id or args.scope or args.since or args.session or args.source or args.yes:
        raise UsageError("--everything stands alone, and is asked for in any case.")
    refused = None if args.dry_run else desk.refused(ForgetEverything())
    if refused is not None:
        return refused
    counts = desk.memory.status(desk.reader).items
    total = sum(n for status, n in counts.items() if status != "forgotten")
    if args.dry_run and desk.as_json:
        desk.data({"would_forget_everything": total})
        return 0
    if args.dry_run:
        what = counted(total, "memory")
        desk.say(f"would forget everything: {what} and every prompt (nothing was changed)")
        return 0
    told = f"{counted(total, 'memory')}, all of {desk.config.store}, to be erased for good."
    caller = desk.confirmed_by_word(WORD, shown=(told,))
    outcome = desk.memory.do(ForgetEverything(), caller)
    status = desk.outcome(outcome)
    _tell_copies([outcome], desk)
    return status


def _preview(reaches: list[Reach], desk: Desk) -> int:
    if desk.as_json:
        found = [wire.reach(reach) for reach in reaches]
        desk.data({"would_forget": found, **_known(desk)})
        return 0
    desk.say("would forget (nothing was changed):" if reaches else "Nothing is on record there.")
    for reach in reaches:
        for line in _lines(reach):
            desk.say(f"  {line}")
    for line in _copy_lines(desk) if reaches else ():
        desk.say(line)
    return 0


def _lines(reach: Reach) -> list[str]:
    lines = [rendering.line(reach.item)]
    for also in (*reach.goes, *reach.held):
        fate = "goes too" if also in reach.goes else "is held for review"
        lines.append(f"  {fate}: {rendering.line(also)}")
    if reach.sessions or reach.handoffs:
        lines.append(_also(reach.sessions, reach.handoffs))
    if reach.quotes:
        n = len(reach.quotes)
        lines.append(
            f"  also taken out of {n} {'quote' if n == 1 else 'quotes'} of other memories"
        )
    return lines
