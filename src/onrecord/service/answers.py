"""What the facade answers, apart from items, events and outcomes."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.domain.item import Item
from onrecord.domain.provenance import Evidence
from onrecord.service.findings import Finding

#: By what a recall finds: words, meanings, or both.
MODES = ("lexical", "semantic", "hybrid")


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """One item that a recall found."""

    item: Item
    score: float
    reasons: tuple[str, ...]
    #: parts of the score by name
    parts: dict[str, float]
    #: what became of what it cites: `src/app.py:3 moved to src/app.py:7`
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Recall:
    """A recall's answer, best first."""

    #: one of MODES
    mode: str
    scopes: tuple[str, ...]
    #: nothing fitted well enough
    abstained: bool
    #: (given, nearest names) of scopes that nobody ever wrote to
    unknown_scopes: tuple[tuple[str, tuple[str, ...]], ...]
    hits: tuple[Hit, ...]
    #: scopes where the query is a key whose item was erased, which differs from never written
    forgotten_in: tuple[str, ...] = ()
    #: the recorded instant and the instant in the world that were asked about, UTC microseconds
    as_of: int | None = None
    valid_at: int | None = None
    #: items that stood in those scopes `as_of` and were erased since
    erased: int = 0
    #: (typed, looked for instead) of words that nothing there has
    corrected: tuple[tuple[str, str], ...] = ()
    #: why no meanings were compared: an error's code, `off` or `no_space`; empty where they were
    by_words_because: str = ""

    @property
    def corrected_told(self) -> str:
        """Which words were taken for others, for a reader; empty where none was."""
        if not self.corrected:
            return ""
        told = ", ".join(f"`{meant}` instead of `{typed}`" for typed, meant in self.corrected)
        return f"searched for {told}"

    @property
    def mode_told(self) -> str:
        """The mode for a reader; empty where words are all that the store is found by."""
        if self.mode != "lexical":
            return f"mode: {self.mode}"
        if self.by_words_because in ("", "off", "no_space"):
            return ""
        return f"mode: lexical, as the model of meanings cannot be used ({self.by_words_because})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """One entry of the review queue."""

    item: Item
    #: the item that it would replace
    replaces: Item | None
    #: sessions that said it by themselves
    sightings: int
    evidence: tuple[Evidence, ...]
    #: what an agent asked for about an active item: `forget:codex`, empty for a proposal
    asked: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Status:
    """How things stand."""

    saving: bool
    #: items by status
    items: dict[str, int]
    waiting: int
    #: (name, scope, value) of every setting
    settings: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """What a check of the store found."""

    faults: tuple[str, ...]
    events: int
    #: hash of the last event, hexadecimal
    head: str
    #: seq of the first event that does not fit, None for a whole chain
    broken_at: int | None
    #: ids of items whose content does not fit its digest
    damaged: tuple[str, ...]
    #: what is not as the log says, in codes
    findings: tuple[Finding, ...] = ()
    #: whether rows and schema were compared with the log and the migrations
    audited: bool = False

    @property
    def sound(self) -> bool:
        """Whether nothing was found."""
        stands = self.broken_at is None and not self.findings
        return stands and not self.faults and not self.damaged
