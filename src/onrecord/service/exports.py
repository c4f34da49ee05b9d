"""Moving memories out: one unchanging state of the store, item by item, oldest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from onrecord.domain.errors import NeedsPerson, NotFound, UsageError
from onrecord.domain.item import Item, ItemQuery, Version
from onrecord.domain.ports import Transaction
from onrecord.domain.provenance import Evidence, Link
from onrecord.domain.status import STATUSES
from onrecord.service import decided, past
from onrecord.service.caller import Caller
from onrecord.service.naming import parse_scope
from onrecord.service.past import Then
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
    #: the recorded instant, and the one in the world, that it is about; None for now
    as_of: int | None = None
    valid_at: int | None = None
    #: how many stood there then that were erased since, and so are not in it
    erased: int = 0
    #: ids of items whose content does not fit its digest, filled in by the walk: left out
    damaged: list[str] = field(default_factory=list[str])


def export(
    tx: Transaction,
    caller: Caller,
    secrets: Secrets | None,
    *,
    now: int,
    given: Sequence[str],
    statuses: Sequence[str] | None = None,
    as_of: int | None = None,
    valid_at: int | None = None,
) -> Export:
    """What is in those scopes and statuses; without scopes everything, whoever wrote it.

    With `as_of` what stood at that recorded instant, as it stood, and nothing that came later;
    what was erased since is counted. With `valid_at` what was true at that instant: without
    statuses what was active or has been replaced since. Otherwise what is active or waits.

    For a person alone: raises `NeedsPerson` for anyone else. What was erased is never in it.
    Raises `NotFound` for a scope that nobody ever wrote to, with the nearest names. Without
    the key no content can be checked.
    """
    if not caller.principal.is_person:
        raise NeedsPerson
    then = Then(as_of=as_of, valid_at=valid_at, now=now)
    if statuses is None:
        statuses = LIVE if valid_at is None else then.statuses
    if "forgotten" in statuses or not set(statuses) <= set(STATUSES):
        raise UsageError("What was forgotten has no text any more.", hint="Leave that status out.")
    names = _existing(tx, given, caller) if given else None
    within = None if names is None else then.names(tx, names)
    asked = ItemQuery(
        scopes=within, statuses=tuple(statuses), as_of=as_of, valid_at=valid_at, limit=_BLOCK
    )
    ids = _ids(tx, asked)
    damaged: list[str] = []
    return Export(
        at=now,
        scopes=names,
        statuses=tuple(statuses),
        total=len(ids),
        items=_walk(tx, ids, then, secrets, damaged),
        damaged=damaged,
        as_of=as_of,
        valid_at=valid_at,
        erased=0 if as_of is None else tx.items.erased_since(within, tuple(statuses), as_of),
    )


def _existing(tx: Transaction, given: Sequence[str], caller: Caller) -> tuple[str, ...]:
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


def _ids(tx: Transaction, query: ItemQuery) -> list[str]:
    """Ids of all of them, oldest first."""
    found: list[str] = []
    while page := tx.items.page(query):
        found += [item.id for item in page]
        query = replace(query, after=page[-1].id)
    return found[::-1]


def _walk(
    tx: Transaction, ids: Sequence[str], then: Then, secrets: Secrets | None, damaged: list[str]
) -> Iterator[Exported]:
    for start in range(0, len(ids), _BLOCK):
        for item in then.many(tx, ids[start : start + _BLOCK]):
            if is_whole(secrets, item):
                yield _exported(tx, item, then)
            else:
                damaged.append(item.id)


def _exported(tx: Transaction, item: Item, then: Then) -> Exported:
    """The item with what belonged to it by that instant."""
    history = [version for version in tx.items.history(item.id) if version.erased_at is None]
    last = then.as_of
    return Exported(
        item=item,
        versions=tuple(past.versions(history, last, None)),
        evidence=tuple(
            r for r in past.evidence(tx.provenance.evidence(item.id), last) if r.stands
        ),
        links=tuple(decided.links(tx, item.id, last)),
    )
