"""Values of other tools' rows and objects as plain words, whatever their type turns out to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import cast

from onrecord.capture.formats.strict_json import value_of

_MAX_DEPTH = 32
#: Milliseconds from 1970 to the years 2001 and 9999.
_EARLIEST_MS = 978_307_200_000
_LATEST_MS = 253_402_300_799_000


def word(row: Mapping[str, object], *names: str) -> str:
    """The first of these that is a text or a number, as text."""
    for name in names:
        found = row.get(name)
        if isinstance(found, str) and found.strip():
            return found
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found)
    return ""


def words(row: Mapping[str, object], name: str) -> tuple[str, ...]:
    """A list of texts, also where it is kept as JSON in one text."""
    found = row.get(name)
    if isinstance(found, str):
        found = _listed(found)
    if not isinstance(found, list):
        return ()
    plain = [one.strip() for one in cast("list[object]", found) if isinstance(one, str)]
    return tuple(dict.fromkeys(one for one in plain if one))


def _listed(text: str) -> object:
    try:
        return value_of(text.encode(), max_depth=_MAX_DEPTH)
    except (ValueError, UnicodeEncodeError):
        return None


def objects(value: object) -> Iterator[tuple[int, Mapping[str, object] | None]]:
    """The objects of a list with their numbers from 1; None for what is none."""
    for number, one in enumerate(
        cast("list[object]", value) if isinstance(value, list) else [], 1
    ):
        yield number, cast("Mapping[str, object]", one) if isinstance(one, dict) else None


def claims(row: Mapping[str, object], **names: str) -> tuple[tuple[str, str], ...]:
    """Claims of a row under our names: `claims(row, id="sync_id")`."""
    return tuple((ours, found) for ours, theirs in names.items() if (found := word(row, theirs)))


def moment_of_ms(value: object) -> str:
    """A time in milliseconds from 1970 as ISO 8601, empty for what is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        return ""
    if not _EARLIEST_MS <= value <= _LATEST_MS:
        return ""
    return datetime.fromtimestamp(value / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
