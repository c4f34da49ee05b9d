"""A tool's arguments, read by the tool's own schema; what does not fit is named, never shown.

`null` counts as left out, and one string where a list of strings is wanted as a list of one:
models write both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from onrecord.capture.agents.base import as_list, as_mapping
from onrecord.domain.errors import BadField

#: Entries of a list argument.
MAX_ENTRIES = 100

#: Far above any time to live; beyond it a number has no meaning here.
_MOST = 1e9

Schema = Mapping[str, Any]


#: Longest name of an unknown argument that is repeated, and how many of them are.
_MAX_NAME = 32
_MAX_NAMES = 3


def _named(unknown: Sequence[str]) -> str:
    """Names of arguments, where they are names; anything else may be a text that slipped in."""
    names = [
        name
        for name in unknown
        if name.isascii() and name.replace("_", "").isalpha() and len(name) <= _MAX_NAME
    ]
    return f" (`{'`, `'.join(names[:_MAX_NAMES])}`)" if names else ""


class Arguments:
    """The arguments of one call, or one object of a list among them."""

    def __init__(self, given: Mapping[str, Any], schema: Schema, *, within: str = "") -> None:
        """Raises `BadField` for the first argument that the schema does not allow."""
        properties: Mapping[str, Schema] = schema["properties"]
        unknown = [name for name in given if name not in properties]
        if unknown:
            where = f"an entry of `{within}`" if within else "this tool"
            raise BadField(
                f"There is an argument that {where} does not take{_named(unknown)}.",
                hint=f"It takes {', '.join(properties)}.",
                details={"unknown": len(unknown)},
            )
        self._values: dict[str, Any] = {}
        for name, form in properties.items():
            value = given.get(name)
            if value is not None:
                self._values[name] = _read(name, value, form)
        for name in schema.get("required", ()):
            wanted = self._values.get(name)
            if wanted is None or (isinstance(wanted, str) and not wanted.strip()):
                raise BadField(f"`{name}` is needed.", details={"field": name})

    def text(self, name: str) -> str:
        """A string; empty where it is left out."""
        return cast("str", self._values.get(name, ""))

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        return tuple(self._values.get(name, ()))

    def rows(self, name: str) -> list[Arguments]:
        """A list of objects."""
        return cast("list[Arguments]", self._values.get(name, []))

    def flag(self, name: str) -> bool:
        """True or false; false where it is left out."""
        return cast("bool", self._values.get(name, False))

    def whole(self, name: str) -> int | None:
        """A whole number, or None where it is left out."""
        return cast("int | None", self._values.get(name))

    def number(self, name: str) -> float | None:
        """A number, or None where it is left out."""
        return cast("float | None", self._values.get(name))


def _read(name: str, value: Any, form: Schema) -> Any:
    kind = form["type"]
    if kind == "array":
        return _read_list(name, value, form["items"])
    if kind == "string":
        return _read_text(name, value, form)
    if kind == "boolean":
        if not isinstance(value, bool):
            raise _unfit(name, "true or false")
        return value
    return _read_number(name, value, form)


def _read_list(name: str, value: Any, form: Schema) -> list[Any]:
    entries = as_list([value] if isinstance(value, str) else value)
    if not entries and value != []:
        raise _unfit(name, "a list")
    if len(entries) > MAX_ENTRIES:
        raise _unfit(name, f"a list of at most {MAX_ENTRIES} entries")
    if form["type"] == "string":
        return [_read_text(name, entry, form, entry="a list of texts") for entry in entries]
    if not all(isinstance(entry, dict) for entry in entries):
        raise _unfit(name, "a list of objects")
    return [Arguments(as_mapping(entry), form, within=name) for entry in entries]


def _read_text(name: str, value: Any, form: Schema, *, entry: str = "a text") -> str:
    if not isinstance(value, str):
        raise _unfit(name, entry)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _unfit(name, "text that UTF-8 can hold") from None
    if "enum" in form and value not in form["enum"]:
        raise _unfit(name, f"one of {', '.join(form['enum'])}")
    return value


def _read_number(name: str, value: Any, form: Schema) -> int | float:
    whole = form["type"] == "integer"
    if isinstance(value, float) and whole and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise _unfit(name, "a whole number" if whole else "a number")
    low, high = form.get("minimum", 0), form.get("maximum", _MOST)
    if not low <= value <= high:
        raise _unfit(name, f"from {low} to {high:g}")
    return value


def _unfit(name: str, wanted: str) -> BadField:
    return BadField(f"`{name}` must be {wanted}.", details={"field": name})
