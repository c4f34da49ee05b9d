"""Rows to domain objects and back.

The columns of a query stand in the order of the fields of the dataclass; a party comes after
all others, in eleven columns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from onrecord.domain.errors import StoreCorrupt
from onrecord.domain.item import Content, Item, Version, Where
from onrecord.domain.principal import Principal

#: A row as a driver gives it; what stands in it is checked by being used.
Row = Sequence[Any]
Values = dict[str, Any]
T = TypeVar("T")


def read(build: Callable[[Row], T], rows: Iterable[Row]) -> list[T]:
    """Each row as an object; a row that cannot be one is damage (`StoreCorrupt`)."""
    try:
        return [build(row) for row in rows]
    except (ValueError, TypeError, AttributeError, IndexError):
        raise StoreCorrupt from None


def first(build: Callable[[Row], T], row: Row | None) -> T | None:
    """The row as an object, or None for no row."""
    return None if row is None else read(build, [row])[0]


def to_json(value: Sequence[str]) -> str:
    """A list as stored."""
    return _json(list(value)) if value else "[]"


def to_map(value: Mapping[str, object]) -> str:
    """A map as stored."""
    return _json(dict(value)) if value else "{}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def strings(text: str) -> tuple[str, ...]:
    """A stored list of strings."""
    return tuple(json.loads(text)) if text != "[]" else ()


def mapping(text: str) -> Mapping[str, Any]:
    """A stored map, which nobody can change."""
    return MappingProxyType(_frozen(json.loads(text)) if text != "{}" else {})


def _frozen(value: Any) -> Any:
    kind: object = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is dict:
        return {name: _frozen(part) for name, part in value.items()}
    return tuple(_frozen(part) for part in value) if kind is list else value


_TO_COLUMN: dict[str, Callable[[Any], Any]] = {
    "bool": int,
    "tuple[str, ...]": to_json,
    "Mapping": to_map,
}
_FROM_COLUMN: dict[str, Callable[[Any], Any]] = {
    "bool": bool,
    "tuple[str, ...]": strings,
    "Mapping": mapping,
}


class Flat(Generic[T]):
    """How objects of a dataclass stand in columns named like its fields."""

    def __init__(self, kind: type[T], *, without: Sequence[str] = ()) -> None:
        types = {
            field.name: str(field.type).partition("[")[0]
            if str(field.type).startswith("Mapping")
            else str(field.type)
            for field in fields(kind)  # type: ignore[arg-type]
            if field.name not in without
        }
        self._kind = kind
        self._party = next((name for name, of in types.items() if of == "Principal"), None)
        self._names = tuple(name for name in types if name != self._party)
        self._to = [(name, _TO_COLUMN.get(types[name])) for name in self._names]
        self._from = [
            (n, _FROM_COLUMN[types[name]])
            for n, name in enumerate(self._names)
            if types[name] in _FROM_COLUMN
        ]

    def values(self, thing: T) -> Values:
        """The object's columns."""
        found = {
            name: to(getattr(thing, name)) if to else getattr(thing, name) for name, to in self._to
        }
        if self._party:
            found |= party_values(getattr(thing, self._party))
        return found

    def build(self, row: Row, **rest: Any) -> T:
        """The object of a row; `rest` are fields that have no column."""
        wide = len(self._names)
        cells = list(row[:wide])
        for n, convert in self._from:
            cells[n] = convert(cells[n])
        if self._party:
            rest[self._party] = party(row, wide)
        return self._kind(**dict(zip(self._names, cells, strict=True)), **rest)


def party_values(by: Principal) -> Values:
    """The eleven columns of a party."""
    return {
        "writer": by.writer,
        "channel": by.channel,
        "by_user": by.user,
        "by_agent": by.agent,
        "by_model": by.model,
        "by_session": by.session,
        "by_org": by.org,
        "by_role": by.role,
        "headless": int(by.headless),
        "confirmed": int(by.confirmed),
        "proof": to_map(by.proof),
    }


def party(row: Row, at: int) -> Principal:
    """The party whose columns start at `at`."""
    return Principal(
        writer=row[at],
        channel=row[at + 1],
        user=row[at + 2],
        agent=row[at + 3],
        model=row[at + 4],
        session=row[at + 5],
        org=row[at + 6],
        role=row[at + 7],
        headless=bool(row[at + 8]),
        confirmed=bool(row[at + 9]),
        proof=mapping(row[at + 10]),
    )


_ITEM = Flat(Item, without=("head",))
_ITEM_WIDTH = len(fields(Item)) - 1


def item_values(item: Item) -> Values:
    """An item's own columns."""
    return _ITEM.values(item) | {"head": item.head.n}


def item(row: Row) -> Item:
    """An item: its own columns, then its head version's."""
    return _ITEM.build(row, head=version(row[_ITEM_WIDTH:]))


def version_values(version: Version) -> Values:
    """A version's columns."""
    said, where = version.content, version.where
    return party_values(version.author) | {
        "item": version.item,
        "n": version.n,
        "title": said.title,
        "body": said.body,
        "summary": said.summary,
        "tags": to_json(said.tags),
        "prompted_by": said.prompted_by,
        "valid_from": said.valid_from,
        "valid_to": said.valid_to,
        "recorded_at": version.recorded_at,
        "superseded_at": version.superseded_at,
        "cwd": where.cwd,
        "repo": where.repo,
        "branch": where.branch,
        "commit_id": where.commit,
        "reason": version.reason,
        "digest": version.digest,
        "same": version.same,
        "erased_at": version.erased_at,
    }


def version(row: Row) -> Version:
    """A version."""
    return Version(
        item=row[0],
        n=row[1],
        content=Content(
            title=row[2],
            body=row[3],
            summary=row[4],
            tags=strings(row[5]),
            prompted_by=row[6],
            valid_from=row[7],
            valid_to=row[8],
        ),
        recorded_at=row[9],
        superseded_at=row[10],
        where=Where(cwd=row[11], repo=row[12], branch=row[13], commit=row[14]),
        reason=row[15],
        digest=row[16],
        same=row[17],
        erased_at=row[18],
        author=party(row, 19),
    )
