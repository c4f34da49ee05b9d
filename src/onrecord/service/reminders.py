"""Reminders as they are set and as they stand: one rule for every door.

What makes a memory of that kind come up is held by what every memory has: its date is the start
of its valid time, its paths are links to files. What comes up in a pack is `reminding`'s to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from onrecord.domain import time
from onrecord.domain.errors import BadField
from onrecord.domain.item import Item
from onrecord.domain.status import REMINDER

if TYPE_CHECKING:
    from onrecord.domain.ports import Transaction
    from onrecord.domain.scope import Place
    from onrecord.service.commands import Remember

#: Marks the path of a bare name, which would be taken for an id.
_HERE = "./"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reminder:
    """A reminder, and how it stands."""

    item: Item
    #: files, folders or globs from the top of the repository, alphabetical
    paths: tuple[str, ...]
    #: when sessions were first given what it says now, UTC microseconds; None for not yet
    given: int | None

    def state(self, now: int) -> str:
        """`proposed`, `dated` (its day is to come), `due`, `given`, `expired`, or its status."""
        if self.item.status != "active":
            return self.item.status
        if self.given is not None:
            return "given"
        if self.item.expired(now):
            return "expired"
        at = self.item.content.valid_from
        return "dated" if at is not None and at > now else "due"


def standing(tx: Transaction, items: Sequence[Item]) -> list[Reminder]:
    """How the reminders among some items stand, in their order."""
    told = given(tx, items)
    return [
        Reminder(item=item, paths=paths_of(tx, item.id), given=told.get(item.id))
        for item in items
        if item.kind == REMINDER
    ]


def given(tx: Transaction, items: Sequence[Item]) -> dict[str, int]:
    """Reminder -> when sessions were first given what it says now; only those that were."""
    versions = {item.id: item.version for item in items if item.kind == REMINDER}
    found = tx.deliveries.given(list(versions))
    return {name: at for name, (version, at) in found.items() if version >= versions[name]}


def paths_of(tx: Transaction, item: str) -> tuple[str, ...]:
    """The paths that bring an item up, as a person writes them."""
    links = tx.provenance.links_from(item)
    return tuple(sorted(shown(link.target) for link in links if link.kind == "file"))


def shown(path: str) -> str:
    """A path without the mark of a bare name."""
    return path.removeprefix(_HERE)


def arranged(
    command: Remember,
    *,
    at: str | int | None,
    paths: Sequence[str],
    place: Place,
    now: int,
    zone: tzinfo | None,
) -> Remember:
    """The command with when and where it comes up, for a reminder; any other one as it is.

    `at` is a date, words that mean one day, or UTC microseconds. Raises `BadField` where the
    moment is past, a path lies outside the repository, or the memory is no reminder.
    """
    if command.kind != REMINDER:
        if at or paths:
            raise BadField(
                "A date and paths at which it comes up are for a reminder.",
                hint="Make it one: --kind reminder.",
                details={"field": "kind"},
            )
        return command
    content = command.content
    if at and content.valid_from is not None:
        raise BadField(
            "--at and --valid-from are the same of a reminder.",
            hint="Give --at alone.",
            details={"field": "at"},
        )
    moment = coming(at or content.valid_from, now, zone)
    return replace(
        command,
        content=replace(content, valid_from=moment),
        links=(*command.links, *(_inside(path, place) for path in paths)),
    )


def coming(at: str | int | None, now: int, zone: tzinfo | None) -> int | None:
    """The moment that is meant, in UTC microseconds; None for nothing given.

    Raises `BadField` for one that is past: a day is not before it has ended, in UTC and in the
    zone; and `UsageError` for words that mean no one day.
    """
    moment = _read(at, now, zone) if isinstance(at, str) else at
    if moment is None or moment >= now:
        return moment
    today = time.to_datetime(now).astimezone(zone or UTC).date()
    day = time.to_datetime(moment).date()
    if moment % time.DAY or (moment + time.DAY <= now and day < today):
        raise BadField(
            f"{time.to_iso(moment)[:10] if day < today else 'That time'} is past,"
            " so nothing was done.",
            hint="Give a day to come; without one it comes up the next time that it fits.",
            details={"field": "at"},
        )
    return moment


def _read(words: str, now: int, zone: tzinfo | None) -> int | None:
    from onrecord.service.moments import moment_of  # noqa: PLC0415 - it loads all that dates need

    return moment_of(words, now, zone)


def _inside(path: str, place: Place) -> str:
    """A path from the top of the repository, written so that it is taken for one."""
    given = path.strip()
    root = place.root or ""
    if root and given.startswith(root + "/"):
        given = given[len(root) + 1 :]
    outside = given.startswith(("/", "~")) or ".." in given.split("/") or "://" in given
    if not given.strip("./") or outside:
        raise BadField(
            "That path lies in no repository, so nothing was done.",
            hint='A path is a file, a folder or a glob from the top of the repository: "src/**".',
            details={"field": "path"},
        )
    return given if "/" in given or "." in given else f"{_HERE}{given}"
