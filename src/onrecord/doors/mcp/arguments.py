"""A tool's arguments, read by type; what does not fit is named, never shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from onrecord.domain.errors import BadField

#: Entries of a list argument.
MAX_ENTRIES = 100


class Arguments:
    """The arguments of one call."""

    def __init__(self, given: Mapping[str, Any], *, allowed: Iterable[str]) -> None:
        names = set(allowed)
        unknown = [name for name in given if name not in names]
        if unknown:
            raise BadField(
                "The call has an argument that this tool does not take.",
                hint=f"It takes {', '.join(sorted(names))}.",
                details={"unknown": len(unknown)},
            )
        self._given = given

    def text(self, name: str, *, required: bool = False) -> str:
        """A string; empty where it is left out."""
        value = self._given.get(name)
        if value is None and not required:
            return ""
        if not isinstance(value, str) or (required and not value.strip()):
            raise _unfit(name, "a text" + (" that is not empty" if required else ""))
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings; one string counts as a list of one."""
        value = self._given.get(name)
        if value is None:
            return ()
        values: list[Any] = [value] if isinstance(value, str) else value
        fits = isinstance(values, list) and len(values) <= MAX_ENTRIES
        if not fits or not all(isinstance(entry, str) for entry in values):
            raise _unfit(name, f"a list of at most {MAX_ENTRIES} texts")
        return tuple(values)

    def rows(self, name: str, allowed: Iterable[str]) -> list[Arguments]:
        """A list of objects with the allowed fields."""
        value = self._given.get(name)
        if value is None:
            return []
        fits = isinstance(value, list) and len(value) <= MAX_ENTRIES
        if not fits or not all(isinstance(row, dict) for row in value):
            raise _unfit(name, f"a list of at most {MAX_ENTRIES} objects")
        return [Arguments(row, allowed=allowed) for row in value]

    def flag(self, name: str) -> bool:
        """True or false; false where it is left out."""
        value = self._given.get(name, False)
        if not isinstance(value, bool):
            raise _unfit(name, "true or false")
        return value

    def whole(self, name: str) -> int | None:
        """A whole number, or None where it is left out."""
        value = self._given.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 1 << 53:
            raise _unfit(name, "a whole number")
        return value

    def number(self, name: str) -> float | None:
        """A number, or None where it is left out."""
        value = self._given.get(name)
        if value is None:
            return None
        bad = isinstance(value, bool) or not isinstance(value, int | float)
        if bad or not abs(value) < 1e9:  # noqa: PLR2004 - far above any time to live
            raise _unfit(name, "a number")
        return float(value)


def _unfit(name: str, wanted: str) -> BadField:
    return BadField(f"`{name}` must be {wanted}.", details={"field": name})
