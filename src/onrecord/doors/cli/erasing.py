"""What erasing reaches, shown before and told after: sources, derived memories, copies."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from onrecord import wire, wiring
from onrecord.domain import ulid
from onrecord.domain.errors import Declined, NotFound, UsageError
from onrecord.domain.outcome import Outcome
from onrecord.domain.plural import counted
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import ForgetSource
from onrecord.service.forgetting import Reach
from onrecord.service.sources import SourceReach

#: A session is named by its id, or by so many characters of it.
MIN_SESSION = 4


def source_of(args: argparse.Namespace, desk: Desk) -> str:
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


def forget_source(source: str, args: argparse.Namespace, desk: Desk) -> int:
    """Delete a source where a person types a key for it, or show what that would do."""
    refused = None if args.dry_run else desk.refused(ForgetSource(source=source))
    if refused is not None:
        return refused
    touched = desk.memory.reach_of_source(source, desk.reader)
    shown, at = _source_lines(touched), since([touched])
    if args.dry_run and desk.as_json:
        desk.data({"would_forget_source": wire.source_reach(touched), **_known(desk, at)})
        return 0
    if args.dry_run:
        for line in ("would forget (nothing was changed):", *shown, *copy_lines(desk, at)):
            desk.say(line)
        return 0
    caller, key = desk.confirmed("Erase that source from the record for good?", shown=shown)
    if key == "n":
        raise Declined
    outcome = desk.memory.do(ForgetSource(source=source), caller)
    status = desk.outcome(outcome)
    tell_copies([outcome], desk, at)
    return status


def _source_lines(of: SourceReach) -> list[str]:
    what = {"session": "a session and its prompts", "import": "an import"}
    other = f"what is on record of {of.source.name}; the file or page itself stays"
    lines = [f"  {what.get(of.source.kind, other)}"]
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


def since(reaches: Sequence[Reach | SourceReach]) -> int:
    """When the first of what goes came on record: copies that are older do not hold it."""
    names: set[str] = set()
    for reach in reaches:
        if isinstance(reach, Reach):
            names |= {reach.item.id, *reach.quotes}
        else:
            names |= {item.id for item in (*reach.held, *reach.kept)} | {*reach.evidence}
        names |= {item.id for item in reach.goes}
        names |= {*reach.sessions, *reach.handoffs, *reach.queries}
    return min((ulid.moment(name) for name in names), default=0)


def _copies(desk: Desk, at: int) -> list[str]:
    """Copies of the store in its own folder: what is known to hold what goes."""
    return [] if desk.nothing else wiring.open_copies(desk.config.store).kept(at)


def _elsewhere(desk: Desk, at: int) -> list[str]:
    """Copies and exports that were written to other folders, and may hold what goes."""
    return [] if desk.nothing else wiring.written_copies(desk.config.store).since(at)


def _mirrors(desk: Desk) -> list[str]:
    """Mirrors of the store: what goes is erased in them as well."""
    return [] if desk.nothing else wiring.known_copies(desk.config.store).folders()


def _known(desk: Desk, at: int) -> dict[str, object]:
    """The copies that are known: those that keep it, and those that are reached."""
    copies = [*_copies(desk, at), *_elsewhere(desk, at)]
    return {"copies": copies, "mirrors": _mirrors(desk)}


def copy_lines(desk: Desk, at: int = 0) -> list[str]:
    """What is said of copies before something is erased that came on record at an instant."""
    copies = _copies(desk, at)
    reached = [f"  also erased in the mirror {folder}" for folder in _mirrors(desk)]
    where = os.path.dirname(copies[0]) if copies else ""  # noqa: PTH120
    kept = counted(len(copies), "copy")
    known = [f"  stays in {kept} in {where}: delete that yourself"] if copies else []
    known += [
        f"  may stay in {path}, if it is still there: delete that yourself"
        for path in _elsewhere(desk, at)
    ]
    return [
        *reached,
        *known,
        "  copies made in other ways, and other people's, are not known and not reached",
    ]


def tell_copies(done: list[Outcome], desk: Desk, at: int = 0) -> None:
    """Copies keep what was just erased, if they are no older; erasing does not reach them."""
    if desk.as_json or not any(outcome.code.startswith("forgotten") for outcome in done):
        return
    copies = _copies(desk, at)
    if copies:
        desk.say(
            f"Copies that were made before still hold it: {len(copies)} in"
            f" {os.path.dirname(copies[0])}. Restored, they are erased in again."  # noqa: PTH120
        )
    for path in _elsewhere(desk, at):
        desk.say(f"Written before, and may hold it still, if it is still there: {path}")


def preview(reaches: list[Reach], desk: Desk) -> int:
    """What would go; nothing was changed."""
    if desk.as_json:
        found = [wire.reach(reach) for reach in reaches]
        desk.data({"would_forget": found, **_known(desk, since(reaches))})
        return 0
    desk.say("would forget (nothing was changed):" if reaches else "Nothing is on record there.")
    for reach in reaches:
        for line in lines_of(reach):
            desk.say(f"  {line}")
    for line in copy_lines(desk, since(reaches)) if reaches else ():
        desk.say(line)
    return 0


def lines_of(reach: Reach) -> list[str]:
    """A memory that would go, with all that goes with it or is held."""
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
