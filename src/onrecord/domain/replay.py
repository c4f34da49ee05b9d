"""How every item must stand, going by nothing but the lines of the audit log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from onrecord.domain.event import Event
from onrecord.domain.item import Item
from onrecord.domain.principal import Principal

#: Fields of an item whose every value is in the log, with what they are where none is told.
DEFAULTS: Mapping[str, object] = {
    "scope": "",
    "kind": "note",
    "status": "proposed",
    "verification": "unverified",
    "pinned": False,
    "tainted": False,
    "expires_at": None,
    "flags": (),
}

#: Who wrote a version, as far as the version itself says it.
Author = tuple[str, str, str, str, str, str, str, str, bool, bool]

Change = Mapping[str, tuple[object, object]]


@dataclass(kw_only=True, slots=True)
class Standing:
    """How one item must stand."""

    #: seq of the line that made it; 0 where no line did
    born: int = 0
    #: when that line was written
    born_at: int = 0
    #: seq of the last line that changed it
    last: int = 0
    version: int = 0
    fields: dict[str, object] = field(default_factory=lambda: dict(DEFAULTS))
    #: version -> what the log committed to of its content; noise after erasing
    marks: dict[int, bytes] = field(default_factory=dict[int, bytes])
    #: version -> who wrote it
    authors: dict[int, Author] = field(default_factory=dict[int, Author])
    #: version -> when its line was written
    times: dict[int, int] = field(default_factory=dict[int, int])
    #: id -> digest of the tombstones that must be there
    stones: dict[str, str] = field(default_factory=dict[str, str])
    #: (id, scope) of those that may be lifted: as a whole with an empty scope
    lifted: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    #: (kind, mark) -> name of what must stand beside it: evidence, sightings, reviews …
    bound: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    #: id of the evidence that speaks no more -> when its line was written
    replaced: dict[str, int] = field(default_factory=dict[str, int])


def author_of(by: Principal) -> Author:
    """What a version keeps of who wrote it, and its line tells again."""
    who = (by.writer, by.channel, by.user, by.agent, by.model, by.session, by.org, by.role)
    return (*who, by.headless, by.confirmed)


def first_state(item: Item) -> dict[str, tuple[object, object]]:
    """What the line that makes an item says of its fields, so that it can be replayed."""
    change: dict[str, tuple[object, object]] = {}
    for name, default in DEFAULTS.items():
        value = getattr(item, name)
        if name == "status" or value != default:
            change[name] = (None, list(value) if name == "flags" else value)
    return change


class Replay:
    """Takes the lines in order and holds what they make of the items.

    `earlier` gives a line by its number: undoing means the opposite of what that line did.
    `unset` is what a setting stands at where a line gives it back without naming a value.
    """

    def __init__(
        self, earlier: Callable[[int], Event | None], unset: Mapping[str, str] | None = None
    ) -> None:
        self._earlier = earlier
        self._unset = unset or {}
        self._authors: dict[Author, Author] = {}
        #: item -> how it must stand
        self.items: dict[str, Standing] = {}
        #: (name, scope) -> value of a switch or policy
        self.settings: dict[tuple[str, str], str] = {}
        #: old name of a scope -> the one that it was given in its place
        self.names: dict[str, str] = {}

    def take(self, line: Event) -> None:
        """Go on by one line."""
        for kind, item, name, mark in _rows(line.change, "bound", 4):
            self.items.setdefault(str(item), Standing()).bound[str(kind), str(mark)] = str(name)
        if line.action == "forgotten":
            self._forget(line)
        elif line.after:
            self._change(line)
        elif line.action == "set" or (line.action == "undone" and "value" in line.change):
            name, _, scope = line.target.partition("@")
            self.settings[name, scope] = str(line.change["value"][1])
        elif line.action == "scope_moved":
            self._carry_settings(line)
            for before, after in _pairs(line.change, "pairs"):
                self.names[before] = after
                self.names.pop(after, None)
        elif line.action == "undone":
            self._give_settings_back(line)

    def _of(self, item: str, line: Event) -> Standing:
        standing = self.items.setdefault(item, Standing())
        standing.last = line.seq
        return standing

    def _forget(self, line: Event) -> None:
        standing = self._of(line.target, line)
        standing.fields["status"] = "forgotten"
        standing.fields["flags"] = ()
        self._stones(line)

    def _change(self, line: Event) -> None:
        standing = self._of(line.target, line)
        if line.before == 0 and not standing.born:
            standing.born, standing.born_at = line.seq, line.at
        for name in DEFAULTS:
            if name in line.change:
                standing.fields[name] = _plain(line.change[name][1])
        self._advance(standing, line, line.after, line.commitment)
        self._stones(line)
        if "cites" in line.change:
            self._cite_anew(standing, line)
        if "replaced" in line.change:
            self._replace(line)
        if "unreplaced" in line.change:
            self._bring_back(line)
        if isinstance(_second(line.change, "with"), (list, tuple)):
            self._with(line)

    def _advance(self, standing: Standing, line: Event, version: int, mark: bytes) -> None:
        if version > standing.version:
            author = author_of(line.by)
            standing.authors[version] = self._authors.setdefault(author, author)
            standing.times[version] = line.at
        standing.version = version
        if mark:
            standing.marks[version] = mark

    @staticmethod
    def _cite_anew(standing: Standing, line: Event) -> None:
        """Evidence was put away, and other evidence speaks in its place."""
        away, speaks = line.change["cites"]
        names = cast("list[object]", away or [])
        standing.replaced |= {str(name): line.at for name in names}
        for name in cast("list[object]", speaks or []):
            standing.replaced.pop(str(name), None)

    def _replace(self, line: Event) -> None:
        """Another item left its place to this one."""
        old = self._of(str(_second(line.change, "replaced")), line)
        old.fields |= {"status": "superseded", "pinned": False}
        self._advance(old, line, old.version + 1, _mark(line.change, "replaced.commitment"))

    def _bring_back(self, line: Event) -> None:
        """The item whose place was taken has it again."""
        old = self._of(str(_second(line.change, "unreplaced")), line)
        taken = self._earlier(line.undoes)
        if taken is not None and "replaced.status" in taken.change:
            old.fields["status"] = taken.change["replaced.status"][0]
            old.fields["pinned"] = bool(taken.change["replaced.pinned"][0])
        self._advance(old, line, old.version + 1, _mark(line.change, "unreplaced.commitment"))

    def _with(self, line: Event) -> None:
        """Others that went the same way; a line tells what they were before it."""
        taken = self._earlier(line.undoes) if line.undoes else None
        were = {row[0]: row for row in _rows(taken.change, "with")} if taken else {}
        for row in _rows(line.change, "with"):
            other = self._of(str(row[0]), line)
            if taken is None:
                other.fields |= {"status": "rejected", "pinned": False}
            elif row[0] in were:
                _, status, pinned = were[row[0]]
                other.fields |= {"status": status, "pinned": bool(pinned)}

    def _stones(self, line: Event) -> None:
        for name, item, digest in _rows(line.change, "imposed"):
            self._of(str(item), line).stones[str(name)] = str(digest)
        for name, item in _pairs(line.change, "lifted"):
            self._of(item, line).lifted.add((name, ""))
        for name, item in _pairs(line.change, "passed"):
            self._of(item, line).lifted.add((name, str(line.change["passed"][0] or "")))

    def _carry_settings(self, line: Event) -> None:
        back = {after: before for before, after in _pairs(line.change, "pairs")}
        for name, scope in _pairs(line.change, "settings"):
            value = self.settings.get((name, back.get(scope, "")))
            if value is not None:
                self.settings[name, scope] = value

    def _give_settings_back(self, line: Event) -> None:
        moved = self._earlier(line.undoes)
        if moved is not None and moved.action == "scope_moved":
            for name, scope in _pairs(moved.change, "settings"):
                self.settings[name, scope] = self._unset.get(name, "")
            for before, _ in _pairs(moved.change, "pairs"):
                self.names.pop(before, None)


def current(names: Mapping[str, str]) -> dict[str, str]:
    """Old names with the one that each leads to in the end; a circle leads nowhere."""
    found: dict[str, str] = {}
    for old, new in names.items():
        passed = {old}
        name = new
        while name in names and name not in passed:
            passed.add(name)
            name = names[name]
        found[old] = name
    return found


def _plain(value: object) -> object:
    """A value in the form that an item has it in."""
    return tuple(cast("list[object]", value)) if isinstance(value, (list, tuple)) else value


def _second(change: Change, name: str) -> object:
    return change[name][1] if name in change else None


def _mark(change: Change, name: str) -> bytes:
    told = _second(change, name)
    return bytes.fromhex(told) if isinstance(told, str) else b""


def _rows(change: Change, name: str, size: int = 3) -> list[list[object]]:
    told = _second(change, name)
    if not isinstance(told, (list, tuple)):
        return []
    rows = [list(row) for row in cast("list[list[object]]", told)]
    return [row for row in rows if len(row) == size]


def _pairs(change: Change, name: str) -> list[tuple[str, str]]:
    told = _second(change, name)
    if not isinstance(told, (list, tuple)):
        return []
    rows = cast("list[list[object]]", told)
    return [(str(row[0]), str(row[1])) for row in rows if len(row) == 2]  # noqa: PLR2004
