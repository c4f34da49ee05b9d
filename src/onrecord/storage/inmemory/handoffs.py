"""Lease and state of handoffs, in a dictionary."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.domain.errors import NotFound
from onrecord.domain.session import Handoff
from onrecord.storage.inmemory.rows import Hold, check_item, check_new, check_text


class MemoryHandoffs:
    """The `Handoffs` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def add(self, handoff: Handoff) -> None:
        """Store it."""
        rows = self._hold.writing()
        check_text(handoff)
        check_item(rows, handoff.item)
        check_new(handoff.item, rows.handoffs)
        rows.handoffs[handoff.item] = handoff

    def get(self, item: str) -> Handoff | None:
        """The handoff of an item."""
        return self._hold.reading().handoffs.get(item)

    def change(self, handoff: Handoff) -> None:
        """Store every field anew."""
        rows = self._hold.writing()
        check_text(handoff)
        if handoff.item not in rows.handoffs:
            raise NotFound
        rows.handoffs[handoff.item] = handoff

    def recent(
        self,
        *,
        repo: str | None = None,
        branch: str | None = None,
        statuses: Sequence[str] | None = None,
        limit: int = 20,
    ) -> list[Handoff]:
        """Newest first."""
        found = [
            handoff
            for handoff in self._newest_first()
            if (repo is None or handoff.repo == repo)
            and (branch is None or handoff.branch == branch)
            and (statuses is None or handoff.status in statuses)
        ]
        return found[:limit]

    def mentioning(self, text: str) -> list[Handoff]:
        """Handoffs whose own fields contain the text, letter for letter."""
        handoffs = self._hold.reading().handoffs.values()
        found = [handoff for handoff in handoffs if _mentions(handoff, text)]
        return sorted(found, key=lambda handoff: handoff.item)

    def _newest_first(self) -> list[Handoff]:
        handoffs = self._hold.reading().handoffs.values()
        return sorted(handoffs, key=lambda each: (each.created_at, each.item), reverse=True)


def _mentions(handoff: Handoff, text: str) -> bool:
    own = (handoff.done, handoff.state, handoff.next, handoff.questions)
    return any(text in field for field in own)
