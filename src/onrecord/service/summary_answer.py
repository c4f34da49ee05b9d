"""A summariser's answer: exactly the documented JSON, or a word for what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from onrecord.capture.agents.base import as_list, as_mapping
from onrecord.domain.item import MAX_TITLE

KINDS = ("decision", "lesson", "fact", "preference", "task")
MAX_ITEMS = 12
MAX_BODY = 4_000
MAX_CITED = 8

_WHOLE = {"summary", "items"}
_SUMMARY = {"title", "body", "messages"}
_ITEM = _SUMMARY | {"kind"}


class BadAnswer(Exception):
    """An answer is not as documented; says in a word or two what is wrong."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """One statement of an answer."""

    kind: str
    title: str
    body: str
    #: numbers of the messages that it rests on, from 1
    messages: tuple[int, ...]


def read(raw: bytes, *, messages: int) -> list[Kept]:
    """The statements of an answer to a part with so many messages; raises `BadAnswer`."""
    try:
        found: object = json.loads(raw.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise BadAnswer("not JSON") from None
    whole = _object(found, _WHOLE, "the answer")
    rows = as_list(whole["items"])
    if not isinstance(whole["items"], list):
        raise BadAnswer("items is no list")
    if len(rows) > MAX_ITEMS:
        raise BadAnswer("too many items")
    kept: list[Kept] = []
    if whole["summary"] is not None:
        kept.append(_kept(_object(whole["summary"], _SUMMARY, "summary"), "summary", messages))
    for row in rows:
        item = _object(row, _ITEM, "an item")
        kind = item["kind"]
        if not isinstance(kind, str) or kind not in KINDS:
            raise BadAnswer("an unknown kind")
        kept.append(_kept(item, kind, messages))
    return kept


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; a name that comes twice means two things at once."""
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError
    return dict(pairs)


def _object(value: object, names: set[str], what: str) -> Mapping[str, object]:
    found = as_mapping(value)
    if not isinstance(value, dict) or set(found) != names:
        raise BadAnswer(f"{what} has other fields")
    return found


def _kept(row: Mapping[str, object], kind: str, messages: int) -> Kept:
    title, body, cited = row["title"], row["body"], row["messages"]
    if not isinstance(title, str) or not isinstance(body, str):
        raise BadAnswer("a title or body is no text")
    if not title.strip() or "\n" in title or len(title) > MAX_TITLE:
        raise BadAnswer("a title is no line of 1 to 200 characters")
    if len(body) > MAX_BODY:
        raise BadAnswer("a body is too long")
    numbers = as_list(cited)
    if not isinstance(cited, list) or not 1 <= len(numbers) <= MAX_CITED:
        raise BadAnswer("messages has not 1 to 8 numbers")
    found: list[int] = []
    for number in numbers:
        if not isinstance(number, int) or isinstance(number, bool) or not 0 < number <= messages:
            raise BadAnswer("a message that was not sent")
        found.append(number)
    return Kept(kind=kind, title=title.strip(), body=body, messages=tuple(dict.fromkeys(found)))
