"""What another tool remembered, before the gateway has seen it: text and claims, no standing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

#: Most records of one source, and most text of all of them together, in characters.
MAX_RECORDS = 100_000
MAX_TEXT = 128 << 20

#: Characters of the day at the start of a time.
_DAY = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Foreign:
    """One statement of another tool, as it says it is."""

    #: first line the title, the rest the body, as in `domain.item.split`
    text: str
    #: where it stands: a file and line, or a table and row; kept as evidence
    where: str
    #: line or row, for what is said about it
    line: int = 0
    #: its title where the tool has one of its own; `text` is then the body alone
    title: str = ""
    kind: str = "note"
    key: str = ""
    tags: tuple[str, ...] = ()
    #: a scope in full, empty where the tool does not say
    scope: str = ""
    #: what the tool calls the project, empty where it has none
    project: str = ""
    #: files and URLs that it is about
    links: tuple[str, ...] = ()
    #: the same words without what its reader put around them
    bare: tuple[str, ...] = ()
    #: who wrote it there
    author: str = ""
    #: what prompted it
    prompted_by: str = ""
    #: other claims of the tool (its id, dates, session), name and value; kept as evidence
    claims: tuple[tuple[str, str], ...] = ()
    summary: str = ""
    #: as written there; ISO 8601
    valid_from: str = ""
    valid_to: str = ""
    expires_at: str = ""
    #: id of the memory of ours that it shows, and the version of it; of a mirror alone
    shows: str = ""
    version: int = 0

    def told(self) -> str:
        """What the tool claims of it, on one line: `id 17; created 2026-01-02`."""
        parts = [f"{name} {' '.join(value.split())}" for name, value in self.claims if value]
        return "; ".join(parts)

    def said(self) -> str:
        """When the tool says that the words were written; empty where it does not.

        It does not where they could be of two days: of when it was made, or was changed.
        """
        told = dict(self.claims)
        found = [one for name in ("created", "updated", "recorded") if (one := told.get(name))]
        return found[0] if len({one[:_DAY] for one in found}) == 1 else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """One entry of a source that is no statement, or cannot be read."""

    where: str
    line: int = 0
    #: one word: damaged · empty · deleted · archived · link · too_large · not_text · pointer
    why: str


Record = Foreign | Skipped
Records = Iterator[Record]


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """What is to be read, and what its reader may know of where it is."""

    #: path as the person gave it
    path: str
    #: the user's own folder, so that files for every project are told from a repository's
    home: str = ""
