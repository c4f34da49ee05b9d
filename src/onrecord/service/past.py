"""What was believed at a recorded instant, and what was true at one in the world.

An answer about the past must not move when something is recorded later. An index cannot give
that: its weights are of all that it holds now. So the items that stood then are looked at one
by one, and scored by their own texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from onrecord.domain.candidates import candidate_of
from onrecord.domain.errors import NotFound
from onrecord.domain.item import Item, ItemQuery, Version
from onrecord.domain.ports import Transaction
from onrecord.domain.provenance import Evidence, Link
from onrecord.domain.shelf import Shelf
from onrecord.domain.time import holds_at, to_iso
from onrecord.retrieval.past import PastShelf
from onrecord.service.caller import Caller

#: Items read at once.
_BLOCK = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Then:
    """The instants that a reader asks about."""

    as_of: int | None
    valid_at: int | None
    now: int

    @property
    def asked(self) -> bool:
        """Whether anything but here and now was asked about."""
        return self.as_of is not None or self.valid_at is not None

    @property
    def believed(self) -> int:
        """The recorded instant."""
        return self.now if self.as_of is None else self.as_of

    @property
    def true(self) -> int:
        """The instant in the world: by default the recorded one."""
        return self.believed if self.valid_at is None else self.valid_at

    @property
    def statuses(self) -> tuple[str, ...]:
        """What counts: what was replaced still was true while it was."""
        return ("active",) if self.valid_at is None else ("active", "superseded")

    def many(self, tx: Transaction, ids: Sequence[str]) -> list[Item]:
        """Those of the items that there were."""
        if self.as_of is None:
            return tx.items.many(ids)
        return self.called_now(tx, tx.items.as_of(ids, self.as_of))

    def names(self, tx: Transaction, scopes: Sequence[str]) -> tuple[str, ...]:
        """Scopes, and where the past is asked about those that they were called before.

        What stood in a scope that was merged into another since is found in that one.
        """
        if self.as_of is None:
            return tuple(scopes)
        old = [was for was, now in tx.scopes.renamed().items() if now in scopes]
        return tuple(dict.fromkeys((*scopes, *old)))

    def called_now(self, tx: Transaction, items: Sequence[Item]) -> list[Item]:
        """Items of the past in scopes by the names that those have now."""
        if self.as_of is None:
            return list(items)
        renamed = tx.scopes.renamed()
        return [
            replace(item, scope=renamed[item.scope]) if item.scope in renamed else item
            for item in items
        ]

    def seen_by(self, caller: Caller, item: Item) -> bool:
        """Whether the caller may know of it: what was replaced, of what it could see then."""
        if self.asked and item.status == "superseded":
            item = replace(item, status="active")
        return caller.sees(item)

    def erased(self, tx: Transaction, scopes: Sequence[str]) -> int:
        """How many items stood there that were erased since; none where now is asked about."""
        if self.as_of is None:
            return 0
        return tx.items.erased_since(self.names(tx, scopes), self.statuses, self.as_of)

    def standing(self, tx: Transaction, scopes: Sequence[str]) -> list[Item]:
        """Everything that counts in those scopes, newest first."""
        query = ItemQuery(
            scopes=self.names(tx, scopes),
            statuses=self.statuses,
            as_of=self.as_of,
            valid_at=self.true,
            unexpired_at=self.believed,
            limit=_BLOCK,
        )
        found: list[Item] = []
        while page := tx.items.page(query):
            found += page
            query = replace(query, after=page[-1].id)
        return self.called_now(tx, found)


def shelf(tx: Transaction, then: Then, scopes: Sequence[str], caller: Caller) -> Shelf:
    """What recall reads in the place of the index: it asks what matches and what stands."""
    rows = [item for item in then.standing(tx, scopes) if then.seen_by(caller, item)]
    return cast("Shelf", PastShelf([candidate_of(item, counted=False) for item in rows]))


def item_at(tx: Transaction, then: Then, key: str, scopes: Sequence[str], caller: Caller) -> Item:
    """What stood under a key in the first of the scopes that had it; the active one first."""
    found = [
        item
        for item in then.standing(tx, scopes)
        if item.key == key and then.seen_by(caller, item)
    ]
    found.sort(key=lambda item: (scopes.index(item.scope), item.status != "active"))
    if not found:
        raise NotFound("Nothing was on record under that key then.", details={"forgotten": False})
    return found[0]


def check_true(item: Item, valid_at: int | None) -> None:
    """Refuse an item that was not true at an instant, and say when it was."""
    start, end = item.content.valid_from, item.content.valid_to
    if valid_at is None or holds_at(start, end, valid_at):
        return
    raise NotFound(
        "That was not true at that time.",
        hint="Leave the time out to read it all the same.",
        details={
            "valid_from": None if start is None else to_iso(start),
            "valid_to": None if end is None else to_iso(end),
        },
    )


def versions(history: Sequence[Version], as_of: int | None, valid_at: int | None) -> list[Version]:
    """The versions that there were; an end that one got later was not known then."""
    found: list[Version] = []
    for version in history:
        if as_of is not None and version.recorded_at > as_of:
            break
        start, end = version.content.valid_from, version.content.valid_to
        if valid_at is not None and not holds_at(start, end, valid_at):
            continue
        later = as_of is not None and (version.superseded_at or 0) > as_of
        found.append(replace(version, superseded_at=None) if later else version)
    return found


def evidence(rows: Sequence[Evidence], as_of: int | None) -> list[Evidence]:
    """What there was of it at an instant; a check that came later was not known then."""
    if as_of is None:
        return list(rows)
    return [_known(row, as_of) for row in rows if row.at <= as_of]


def _known(row: Evidence, as_of: int) -> Evidence:
    if (row.checked_at or 0) > as_of:
        row = replace(row, checked_at=None, check_result="")
    return replace(row, replaced_at=None) if (row.replaced_at or 0) > as_of else row


def links(rows: Sequence[Link], as_of: int | None) -> list[Link]:
    """Those that there were at an instant."""
    return [row for row in rows if as_of is None or row.at <= as_of]
