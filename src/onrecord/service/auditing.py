"""Comparing what is stored with what the audit log says must be: rows edited behind our back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from onrecord.domain.item import Item, ItemQuery, Version
from onrecord.domain.ports import Transaction
from onrecord.domain.replay import Replay, Standing, author_of, current
from onrecord.domain.time import after
from onrecord.domain.tombstone import Tombstone
from onrecord.service import binding
from onrecord.service.findings import Finding
from onrecord.service.lifecycle import DEFAULTS
from onrecord.service.work import commitment_of

_FIELDS: Mapping[str, str] = {
    "scope": "item.scope",
    "kind": "item.kind",
    "status": "item.status",
    "verification": "item.belief",
    "pinned": "item.pin",
    "tainted": "item.taint",
    "expires_at": "item.expiry",
    "flags": "item.flags",
}

#: After every instant that anything was recorded at.
_EVER = 2**62
#: Items that are looked at together.
_BLOCK = 200


def findings(tx: Transaction) -> Iterator[Finding]:
    """Everything stored that the log does not account for, item by item.

    Held in memory is one line of state for each item, not its text. It says nothing of the
    log itself: a whole chain is the ground that this stands on.
    """
    replay = Replay(tx.events.get, DEFAULTS)
    for line in tx.events.walk():
        try:
            replay.take(line)
        except (ValueError, TypeError, LookupError):
            yield Finding(code="audit.line", target=line.target, event=line.seq)
    yield from _of_items(tx, replay)
    yield from _of_settings(tx, replay)
    yield from _of_names(tx, replay)


def _of_items(tx: Transaction, replay: Replay) -> Iterator[Finding]:
    waiting = dict(replay.items)
    cursor: str | None = None
    while page := tx.items.page(ItemQuery(after=cursor, limit=_BLOCK)):
        cursor = page[-1].id
        stood = {item.id: item for item in tx.items.as_of([item.id for item in page], _EVER)}
        for item in page:
            standing = waiting.pop(item.id, None)
            if standing is None or not standing.born:
                yield Finding(code="item.unlogged", target=item.id)
            else:
                yield from _of_fields(item, stood.get(item.id), standing)
                yield from _of_versions(tx, item, standing)
                yield from _of_what_is_beside(tx, item, standing)
    for name, standing in waiting.items():
        yield Finding(code="item.missing", target=name, event=standing.last)


def _stands_as(item: Item, stood: Item | None) -> bool:
    """Whether what as-of answers read of an item ends with how it stands."""
    names = [name for name in _FIELDS if name != "flags"]
    return (
        stood is not None
        and stood.version == item.version
        and all(getattr(stood, name) == getattr(item, name) for name in names)
    )


def _of_fields(item: Item, stood: Item | None, standing: Standing) -> Iterator[Finding]:
    differs = [
        code for name, code in _FIELDS.items() if getattr(item, name) != standing.fields[name]
    ]
    if item.version != standing.version:
        differs.append("item.version")
    if item.created_at != standing.born_at:
        differs.append("item.time")
    if not differs and not _stands_as(item, stood):
        differs.append("item.stood")
    for code in differs:
        yield Finding(code=code, target=item.id, event=standing.last)


def _of_versions(tx: Transaction, item: Item, standing: Standing) -> Iterator[Finding]:
    forgotten = standing.fields["status"] == "forgotten"
    if not forgotten and not item.salt:
        yield Finding(code="item.salt", target=item.id, event=standing.last)
    versions = {1: item.head} if item.version == 1 else _versions(tx, item)
    last: int | None = None
    over: dict[int, int | None] = {n - 1: one.recorded_at for n, one in versions.items()}
    over[item.version] = None
    for n, version in versions.items():
        code = _wrong(item, version, standing, last, forgotten=forgotten)
        last = version.recorded_at
        if not code and version.superseded_at != over.get(n, version.superseded_at):
            code = "version.end"
        if code:
            yield Finding(code=code, target=item.id, event=standing.last, version=n)
    for n in range(1, standing.version + 1):
        if n not in versions:
            yield Finding(code="version.missing", target=item.id, event=standing.last, version=n)
    if standing.stones:
        yield from _of_stones(tx.tombstones.of(item.id), item.id, standing)


def _of_what_is_beside(tx: Transaction, item: Item, standing: Standing) -> Iterator[Finding]:
    if standing.fields["status"] == "forgotten":
        if not all(binding.is_blank(row) for row in binding.rows_of(tx, item)):
            yield Finding(code="item.kept", target=item.id, event=standing.last)
    elif item.salt:
        told = {f"{kind}.{what}": None for kind, what in binding.strange(tx, item, standing.bound)}
        if any(
            row.replaced_at != standing.replaced.get(row.id)
            for row in tx.provenance.evidence(item.id)
        ):
            told["evidence.replaced"] = None
        for code in told:
            yield Finding(code=code, target=item.id, event=standing.last)


def _versions(tx: Transaction, item: Item) -> dict[int, Version]:
    return {version.n: version for version in tx.items.history(item.id)}


def _wrong(
    item: Item, version: Version, standing: Standing, last: int | None, *, forgotten: bool
) -> str:
    """The code of what is wrong with a version; empty where nothing is.

    `last` is when the one before it was recorded, which it always follows.
    """
    told = standing.times.get(version.n)
    if told is not None and version.recorded_at != (told if last is None else after(told, last)):
        return "version.time"
    author = author_of(version.author)
    if standing.authors.get(version.n, author) != author:
        return "version.author"
    content = version.content
    if forgotten:
        return "version.kept" if content.title or content.body or content.summary else ""
    mark = standing.marks.get(version.n, b"")
    if mark and item.salt and commitment_of(item, content) != mark:
        return "version.content"
    return ""


def _of_stones(there: list[Tombstone], item: str, standing: Standing) -> Iterator[Finding]:
    by_id = {stone.id: stone for stone in there}
    for name in sorted(standing.stones):
        stone = by_id.get(name)
        if stone is None:
            yield Finding(code="tombstone.missing", target=item, event=standing.last)
        elif stone.digest != standing.stones[name]:
            yield Finding(code="tombstone.changed", target=item, event=standing.last)
        elif _lifts(stone) - standing.lifted:
            yield Finding(code="tombstone.lifted", target=item, event=standing.last)


def _lifts(stone: Tombstone) -> set[tuple[str, str]]:
    """Where it was taken out of force: everywhere with an empty scope."""
    lifts = {(stone.id, lift.scope) for lift in stone.lifts}
    return lifts if stone.lifted_at is None else {*lifts, (stone.id, "")}


def _of_settings(tx: Transaction, replay: Replay) -> Iterator[Finding]:
    there = {(name, scope): value for name, scope, value in tx.settings.everything()}
    for name, scope in sorted(there.keys() | replay.settings.keys()):
        if name in DEFAULTS and there.get((name, scope)) != replay.settings.get((name, scope)):
            yield Finding(code="setting.value", target=f"{name}@{scope}")


def _of_names(tx: Transaction, replay: Replay) -> Iterator[Finding]:
    """Where a name of a scope leads to decides what is read and written under it."""
    there, told = tx.scopes.renamed(), current(replay.names)
    for name in sorted(there.keys() | told.keys()):
        if there.get(name) != told.get(name):
            yield Finding(code="scope.name", target=name)


def of_schema(found: list[tuple[str, str]]) -> Iterator[Finding]:
    """The parts of the schema that a store names as `Store.schema_faults` does."""
    for kind, name in found:
        yield Finding(code=f"schema.{kind}", target=name)
