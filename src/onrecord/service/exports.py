"""Moving memories out: one unchanging state of the store, item by item, oldest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from onrecord.domain.errors import NeedsPerson, NotFound, UsageError
from onrecord.domain.item import Item, ItemQuery, Version
from onrecord.domain.ports import Transaction
from onrecord.domain.provenance import Evidence, Link
from onrecord.domain.status import STATUSES
from onrecord.service.caller import Caller
from onrecord.service.naming import parse_scope
from onrecord.service.reading import is_whole
from onrecord.service.reads import nearest
from onrecord.service.work import Secrets

#: What an export holds where nothing else is asked for.
LIVE = ("active", "proposed")

#: Items read at once.
_BLOCK = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Exported:
    """One item with everything that moves with it."""

    item: Item
    versions: tuple[Version, ...]
    evidence: tuple[Evidence, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Export:
    """What an export holds; its items can be walked once, as long as it is open."""

    at: int
    #: canonical names, None for everywhere
    scopes: tuple[str, ...] | None
    statuses: tuple[str, ...]
    total: int
    items: Iterator[Exported]
    #: ids of items whose content does not fit its digest, filled in by the walk: left out
    damaged: list[str] = field(default_factory=list[str])


def export(
    tx: Transaction,
    caller: Caller,
    secrets: Secrets | None,
    *,
    now: int,
    given: Sequence[str],
    statuses: Sequence[str],
) -> Export:
    """What is in those scopes and statuses; without scopes everything, whoever wrote it.

    For a person alone: raises `NeedsPerson` for anyone else. What was erased is never in it.
    Raises `NotFound` for a scope that nobody ever wrote to, with the nearest names. Without
    the key no content can be checked.
    """
    if not caller.principal.is_person:
        raise NeedsPerson
    if "forgotten" in statuses or not set(statuses) <= set(STATUSES):
        raise UsageError("What was forgotten has no text any more.", hint="Leave that status out.")
    names = _known(tx, given, caller) if given else None
    ids = _ids(tx, names, tuple(statuses))
    damaged: list[str] = []
    return Export(
        at=now,
        scopes=names,
        statuses=tuple(statuses),
        total=len(ids),
        items=_walk(tx, ids, secrets, damaged),
        damaged=damaged,
    )


def _known(tx: Transaction, given: Sequence[str], caller: Caller) -> tuple[str, ...]:
    names: list[str] = []
    for text in given:
        name = tx.scopes.resolve(parse_scope(text, caller.place))
        if not tx.scopes.known(name):
            near = nearest(name, tx.scopes.names())
            raise NotFound(
                "Nobody ever wrote to that scope.",
                hint=f"Near it: {', '.join(near)}" if near else "`onrecord scopes` lists them.",
                details={"given": name, "nearest": near},
            )
        names.append(name)
    return tuple(dict.fromkeys(names))


def _ids(tx: Transaction, names: tuple[str, ...] | None, statuses: tuple[str, ...]) -> list[str]:
    """Ids of all of them, oldest first."""
    found: list[str] = []
    query = ItemQuery(scopes=names, statuses=statuses, limit=_BLOCK)
    while page := tx.items.page(query):
        found += [item.id for item in page]
        query = ItemQuery(scopes=names, statuses=statuses, limit=_BLOCK, after=page[-1].id)
    return found[::-1]


def _walk(
    tx: Transaction, ids: Sequence[str], secrets: Secrets | None, damaged: list[str]
) -> Iterator[Exported]:
    for start in range(0, len(ids), _BLOCK):
        for item in tx.items.many(ids[start : start + _BLOCK]):
            if is_whole(secrets, item):
                yield Exported(
                    item=item,
                    versions=tuple(v for v in tx.items.history(item.id) if v.erased_at is None),
                    evidence=tuple(tx.provenance.evidence(item.id)),
                    links=tuple(tx.provenance.links_from(item.id)),
                )
            else:
                damaged.append(item.id)
