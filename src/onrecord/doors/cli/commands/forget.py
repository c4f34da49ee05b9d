"""Erase memories for good.

Their text goes from every file that onrecord manages; the audit log keeps that it happened,
and a keyed fingerprint keeps the value from coming back. It cannot be undone.

Deleting a source (a session, one of its messages, an import, a file or an address, as `show` and
`history` name them) also reaches what was made from it: summaries and notes go, what rests on
something else as well or was approved is held for review, and quotes of it are taken out.
"""

from __future__ import annotations

import argparse

from onrecord.domain.errors import Declined, NeedsPerson, NotFound, UsageError
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.outcome import Outcome
from onrecord.domain.plural import counted
from onrecord.doors.cli import erasing, rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import MOST, moment
from onrecord.service.caller import Caller
from onrecord.service.commands import Forget, ForgetEverything
from onrecord.service.forgetting import Reach

EXAMPLES = """examples:
  onrecord forget 7QK2ZD --dry-run
  onrecord forget 7QK2ZD
  onrecord forget --session 7QK2ZD --dry-run
  onrecord forget --source import:notes.md --dry-run
  onrecord forget --scope project:fares --since 2026-11-01 --dry-run
"""

#: What has to be typed before everything goes.
WORD = "everything"

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
    source = erasing.source_of(args, desk)
    if source:
        return erasing.forget_source(source, args, desk)
    ids = _chosen(args, desk)
    reaches = [desk.memory.reach(item, desk.caller) for item in ids]
    if args.dry_run:
        return erasing.preview(reaches, desk)
    caller = desk.caller
    if not reaches:
        raise NotFound("Nothing is on record there, so nothing was forgotten.")
    if caller.principal.is_person and not args.yes:
        count = "this memory" if len(reaches) == 1 else f"these {len(reaches)} memories"
        shown = [line for reach in reaches for line in erasing.lines_of(reach)]
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
    erasing.tell_copies(done, desk, erasing.since(reaches))
    return desk.outcomes(done, asked=len(args.id) if args.id else 2)


def _chosen(args: argparse.Namespace, desk: Desk) -> list[str]:
    chosen = bool(args.scope or args.since or args.session)
    if args.id and chosen:
        raise UsageError(
            "Give ids alone, or none: --scope, --since, --session, --source and --everything"
            " choose by themselves."
        )
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
    return bool(by) and len(session) >= erasing.MIN_SESSION and fits


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
        for line in erasing.copy_lines(desk):
            desk.say(line)
        return 0
    told = f"{counted(total, 'memory')}, all of {desk.config.store}, to be erased for good."
    caller = desk.confirmed_by_word(WORD, shown=(told,))
    outcome = desk.memory.do(ForgetEverything(), caller)
    status = desk.outcome(outcome)
    erasing.tell_copies([outcome], desk)
    return status
