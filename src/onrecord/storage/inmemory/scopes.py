"""Scope names, settings, owed work and given answers, in dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onrecord.domain.errors import Clash
from onrecord.domain.item import MAX_REQUEST_KEY
from onrecord.storage.inmemory.rows import Hold, check_size, check_text


class MemoryScopes:
    """The `Scopes` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def note(self, name: str, at: int) -> None:
        """Remember the name at its first use."""
        del at
        check_text(name)
        self._hold.writing().scopes.add(name)

    def known(self, name: str) -> bool:
        """Whether the name was ever noted."""
        return name in self._hold.reading().scopes

    def names(self) -> list[str]:
        """All names, alphabetical."""
        return sorted(self._hold.reading().scopes)

    def counts(self, *, now: int | None = None) -> Mapping[str, Mapping[str, int]]:
        """Scope -> status -> items; with `now` also those that are expired by then."""
        counts: dict[str, dict[str, int]] = {}
        for item in self._hold.reading().items.values():
            of_scope = counts.setdefault(item.scope, {})
            status = item.status if now is None else item.state(now)
            of_scope[status] = of_scope.get(status, 0) + 1
        return counts

    def alias(self, old: str, new: str, at: int) -> None:
        """Let an old name lead to a new one."""
        del at
        aliases = self._hold.writing().aliases
        aliases[old] = new
        # the new name is in use again, so it leads nowhere and no circle can arise
        aliases.pop(new, None)

    def unalias(self, old: str) -> None:
        """Let an old name mean itself again."""
        self._hold.writing().aliases.pop(old, None)

    def renamed(self) -> Mapping[str, str]:
        """Every old name with the current one that it leads to."""
        return {old: self.resolve(old) for old in sorted(self._hold.reading().aliases)}

    def resolve(self, name: str) -> str:
        """The current name of a name that was renamed; itself otherwise."""
        aliases = self._hold.reading().aliases
        while name in aliases:
            name = aliases[name]
        return name


class MemorySettings:
    """The `Settings` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def get(self, name: str, scope: str = "global") -> str | None:
        """The value that was set for that very scope."""
        return self._hold.reading().settings.get((name, scope))

    def put(self, name: str, value: str, *, scope: str = "global", at: int, by: str) -> None:
        """Set a value."""
        del at, by
        check_text(value)
        self._hold.writing().settings[name, scope] = value

    def everything(self) -> list[tuple[str, str, str]]:
        """(name, scope, value), alphabetical."""
        settings = self._hold.reading().settings
        return [(name, scope, settings[name, scope]) for name, scope in sorted(settings)]


class MemoryOutbox:
    """The `Outbox` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def add(self, kind: str, item: str, version: int, at: int) -> None:
        """Note that work is owed."""
        del at
        rows = self._hold.writing()
        rows.owed += 1
        rows.outbox[rows.owed] = (kind, item, version)

    def due(self, kind: str, limit: int = 100) -> list[tuple[int, str, int]]:
        """(id, item, version), oldest first."""
        outbox = self._hold.reading().outbox
        found = [(n, item, version) for n, (of, item, version) in outbox.items() if of == kind]
        return sorted(found)[:limit]

    def done(self, ids: Sequence[int]) -> None:
        """Take work off that was done."""
        outbox = self._hold.writing().outbox
        for n in ids:
            outbox.pop(n, None)


class MemoryAnswers:
    """The `Answers` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def get(self, party: str, key: str) -> tuple[bytes, str] | None:
        """(digest of the request, answer) or None."""
        found = self._hold.reading().answers.get((party, key))
        return found[:2] if found else None

    def put(self, party: str, key: str, request: bytes, answer: str, item: str, at: int) -> None:
        """Keep the answer that was given to a key; `Clash` where the party's key has one."""
        del at
        check_text((key, answer))
        check_size(len(key), MAX_REQUEST_KEY)
        answers = self._hold.writing().answers
        if (party, key) in answers:
            raise Clash("That key has an answer already. Nothing was changed.")
        answers[party, key] = (request, answer, item)
