"""What a recall has found so far: candidates that were read, and its answer (light)."""

from __future__ import annotations

import time

from onrecord.retrieval import fit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.retrieval.terms import Unit

#: Candidates that are read, the best of what matched.
READ = 60
#: Characters of each candidate's body that are read.
BODY = 2_000


_MONTHS = (
    "january february march april may june july august september october november december"
).split()


def names_month(units: Sequence[Unit]) -> bool:
    """Whether a query names a month, as one that asks for a day does."""
    return any(unit.key in _MONTHS for unit in units)


def day_of(item: Candidate) -> str:
    """When an item was recorded, as people write a day: 16 november 2023 (UTC)."""
    at = time.gmtime(item.recorded_at // 1_000_000)
    return f"{at.tm_mday} {_MONTHS[at.tm_mon - 1]} {at.tm_year}"


class Recalled:
    """What a recall found."""

    __slots__ = ("abstained", "corrected", "folded", "hits", "mode", "near", "terms", "units")

    def __init__(self, terms: list[str], units: list[Unit]) -> None:
        #: best first, with score, parts and reasons
        self.hits: list[Candidate] = []
        self.mode = "lexical"
        #: item -> what its nearness to the text's meaning adds to its score, and that of what
        #: stands around it; empty without a model
        self.near: dict[str, tuple[float, float]] = {}
        #: nothing fits well enough
        self.abstained = True
        self.terms = terms
        self.units = units
        #: what was typed -> the word that was taken for it
        self.corrected: dict[str, str] = {}
        #: (dropped, kept, why)
        self.folded: list[tuple[Candidate, Candidate, str]] = []


class Read:
    """A candidate that was read: its text, and how much of each unit is in it."""

    __slots__ = (
        "beside",
        "context",
        "found",
        "item",
        "named",
        "quoted",
        "share",
        "talk",
        "text",
        "titled",
        "titled_share",
        "worth",
    )

    def __init__(
        self,
        item: Candidate,
        probes: Sequence[fit.Probe],
        *,
        by_name: bool = False,
        by_day: bool = False,
    ) -> None:
        """Look each unit up.

        `by_name` in its author's name too, `by_day` in the day on which it was recorded: a
        question may ask for either.
        """
        title = fit.Text(item.title)
        self.item = item
        name = item.agent or item.user if by_name else ""
        day = day_of(item) if by_day else ""
        self.text = fit.Text(f"{item.title} {item.tags} {item.summary} {item.body} {name} {day}")
        self.found = [fit.presence(probe, self.text) for probe in probes]
        self.titled = [
            fit.presence(probe, title) if found else 0.0
            for probe, found in zip(probes, self.found, strict=True)
        ]
        #: how much of each unit is in what was said around it; empty where nothing was
        self.beside: list[float] = []
        #: whether the query names who said it
        self.named = False
        #: how much it has of what the query has in quotation marks
        self.quoted = 0.0
        #: the conversation that it is a turn of
        self.talk = ""
        #: of the query's weight: what the text has, what only its neighbours have, what the
        #: title has
        self.share = 0.0
        self.context = 0.0
        self.titled_share = 0.0
        #: what speaks for the item
        self.worth = 0.0
