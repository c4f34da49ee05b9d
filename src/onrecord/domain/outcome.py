"""What the gateway answers: a closed union that every door renders."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.domain.item import Item


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """An existing item that a write ran into."""

    id: str
    #: same_key · same · similar · contradicts · superseded
    why: str
    version: int


@dataclass(frozen=True, kw_only=True, slots=True)
class _Answer:
    #: stable code, one word a case (`created`, `key.taken`, `tombstone.equal` …)
    code: str
    #: the sentence for the agent to say, or the person to read
    say: str
    #: seq of the event that `undo` takes; None where nothing can be undone
    undo: int | None = None
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Created(_Answer):
    """A new active item."""

    item: Item


@dataclass(frozen=True, kw_only=True, slots=True)
class Corroborated(_Answer):
    """It was known already; the sighting was added and no second item was made."""

    item: Item


@dataclass(frozen=True, kw_only=True, slots=True)
class Updated(_Answer):
    """An existing item changed, or a setting did (`item` is then None)."""

    item: Item | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposed(_Answer):
    """Stored, and waiting for a person."""

    item: Item


@dataclass(frozen=True, kw_only=True, slots=True)
class Conflict(_Answer):
    """It clashes with what is there. `item` is the stored proposal, None where nothing was."""

    item: Item | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Refused(_Answer):
    """Not stored. The refusal itself is on record."""

    item: Item | None = None
    #: field, limit and given size for a refusal by shape; never text
    details: tuple[tuple[str, str], ...] = ()


Outcome = Created | Corroborated | Updated | Proposed | Conflict | Refused


def name_of(outcome: Outcome) -> str:
    """The outcome's name in JSON: created, corroborated, updated, proposed, conflict, refused."""
    return type(outcome).__name__.lower()
