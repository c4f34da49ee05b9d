"""The lexical query of PostgreSQL, and how its driver spells parameters."""

from __future__ import annotations

from collections.abc import Iterable

from onrecord.storage.dialect import Dialect
from onrecord.storage.queries import json_list


def words(places: Iterable[str], terms: Iterable[str]) -> dict[str, str]:
    """The parameters `places`, `whole` and `begun`; a final `*` marks a word that is begun."""
    whole: list[str] = []
    begun: list[str] = []
    for term in terms:
        text = term.replace("\x00", " ")
        if text.endswith("*"):
            begun.append(text[:-1])
        else:
            whole.append(text)
    return {"places": json_list(places), "whole": json_list(whole), "begun": json_list(begun)}


def parameters(text: str) -> str:
    """`:name` as `%(name)s`; the query files hold no other colon but those in quotes."""
    pieces = text.replace("%", "%%").split("'")
    # every second piece stands in quotes
    pieces[::2] = [_named(piece) for piece in pieces[::2]]
    return "'".join(pieces)


def _named(piece: str) -> str:
    head, *rest = piece.split(":")
    for part in rest:
        name = part[: len(part) - len(part.lstrip(_LETTERS))]
        head += f"%({name})s" + part[len(name) :]
    return head


_LETTERS = "abcdefghijklmnopqrstuvwxyz_"

POSTGRES = Dialect(
    name="postgres",
    macros={
        "each": "(SELECT value FROM jsonb_array_elements_text(CAST(? AS jsonb)) AS j (value))",
        "each_hex": (
            "(SELECT decode(j.value, 'hex') AS value"
            " FROM jsonb_array_elements_text(CAST(? AS jsonb)) AS j (value))"
        ),
        "position": "strpos(?)",
        "last_four": "right(?, 4)",
    },
    words=words,
    parameters=parameters,
)
