"""Verifying what cites a file that changed: the person says that it holds as the file is now.

What is cited is then what stands there now. The rows before it are kept and speak for the item
no more, which one event says; undoing it lets them speak again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from onrecord.capture import citation_digest
from onrecord.capture.citation_tree import read_pointer
from onrecord.capture.citation_verdict import Verdict
from onrecord.capture.citations import Citation
from onrecord.domain.event import Event
from onrecord.domain.item import Item
from onrecord.domain.outcome import Conflict
from onrecord.domain.ports import Store
from onrecord.domain.provenance import Evidence
from onrecord.domain.scope import Place
from onrecord.service import cited
from onrecord.service.caller import Caller
from onrecord.service.cited import Compared
from onrecord.service.commands import Command, Mark
from onrecord.service.settling import Change
from onrecord.service.work import Work

#: The field of an event that says which rows spoke before it, and which speak after it.
FIELD = "cites"

#: What is cited anew.
_RENEWED = ("changed", "gone", "moved")


def prepared(store: Store, command: Command, caller: Caller) -> Command:
    """The command, verifying with what became of what the item cites.

    That may run git, so it is looked up before the transaction; an agent only asks to verify.
    """
    if not isinstance(command, Mark):
        return command
    if command.action != "verify" or not caller.principal.is_person:
        return replace(command, compared=(), version=0, there=b"")
    with store.read() as tx:
        item = tx.items.get(command.item)
        if item is None or not caller.sees(item):
            return replace(command, compared=(), version=0, there=b"")
        rows = cited.evidence_here(tx, item, caller.place)
    found = cited.compared(item, rows, caller.place, cited.budget())
    there = print_of(item, found, caller.place)
    return replace(command, compared=tuple(found), version=item.version, there=there)


def print_of(item: Item, found: Sequence[Compared], place: Place) -> bytes:
    """What tells a memory and the files that it would cite anew from any others."""
    told: list[object] = [item.id, item.head.digest]
    for row, verdict in found:
        _, digest = _now(row, verdict, place) if verdict.state in _RENEWED else (None, b"")
        told.append((row.id, verdict.state, verdict.now, digest))
    return hashlib.sha256(ascii(told).encode()).digest()


def not_as_seen(work: Work, item: Item, command: Mark) -> Conflict | None:
    """The conflict where the memory, or what it cites, is not what the person was shown."""
    as_shown = command.seen == command.there and command.version == item.version
    if not command.seen or as_shown:
        return None
    work.note_refusal("verify.changed", item)
    return Conflict(
        code="verify.changed",
        say=f"m:{item.id[-6:]} or what it cites changed after it was shown."
        " Look again, then decide.",
        item=item,
    )


def renew(work: Work, item: Item, command: Mark) -> Change:
    """Keep what comparing said; cite anew what changed or moved, and no more what is gone.

    Only as far as it stands as it was compared: what was erased, replaced or reworded since is
    left alone.
    """
    if command.version != item.version:
        return {}
    there = {row.id: row for row in work.tx.provenance.evidence(item.id) if row.stands}
    found = [
        (there[row.id], verdict)
        for row, verdict in command.compared
        if row.id in there and there[row.id].digest
    ]
    cited.note(work.tx, found, work.now)
    renewed = [one for one in found if one[1].state in _RENEWED]
    if not renewed:
        return {}
    before = _before(work, item, found)
    after = [row for row in (_anew(work, item, *one) for one in renewed) if row is not None]
    names = [row.id for row in before]
    work.tx.provenance.replace_evidence(names, at=work.now)
    for row in after:
        work.keep(item, row)
    return {FIELD: (names, [row.id for row in after])}


def _before(work: Work, item: Item, found: Sequence[Compared]) -> list[Evidence]:
    """Rows that speak for the item no more; one of an earlier version would do so again."""
    renewed = {row.id: row for row, verdict in found if verdict.state in _RENEWED}
    holding = {row.id for row, _ in found} - set(renewed)
    paths = {read_pointer(row.pointer).path for row in renewed.values()}
    return [
        row
        for row in work.tx.provenance.evidence(item.id)
        if row.kind == "file" and row.stands and row.digest and row.id not in holding
        if read_pointer(row.pointer).path in paths
    ]


def _anew(work: Work, item: Item, row: Evidence, verdict: Verdict) -> Evidence | None:
    """The row that says what stands there now; none where there is no such file any more."""
    place = work.caller.place
    there, digest = _now(row, verdict, place)
    if there is None or not digest:
        return None
    return replace(
        row,
        id=work.ids.new(work.now),
        version=item.version,
        pointer=citation_digest.pointer_of(there, place.commit),
        digest=digest,
        session=work.principal.session,
        at=work.now,
        checked_at=work.now,
        check_result="holds",
    )


def _now(row: Evidence, verdict: Verdict, place: Place) -> tuple[Citation | None, bytes]:
    """What would be cited in a row's place as the file is now, with its digest."""
    there = citation_digest.parsed(verdict.now or row.pointer)
    if there is None:
        return None, b""
    digest = citation_digest.digest_of(there, place.root)
    if not digest and there.lines is not None:
        # the file became shorter: what is left of it is what the person looked at
        there = replace(there, kind="file", lines=None)
        digest = citation_digest.digest_of(there, place.root)
    return there, digest


def turn_back(work: Work, event: Event) -> Change:
    """Let the rows speak again that an event put away, and put away those that it made."""
    before, after = (_names(rows) for rows in event.change[FIELD])
    work.tx.provenance.replace_evidence(after, at=work.now)
    work.tx.provenance.replace_evidence(before, at=None)
    return {FIELD: (after, before)}


def _names(told: object) -> list[str]:
    return [str(name) for name in cast("list[Any]", told or [])]
