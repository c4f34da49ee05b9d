"""What a recall has found so far: candidates that were read, and its answer (light)."""

from __future__ import annotations

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


class Recalled:
    """What a recall found."""

    __slots__ = ("abstained", "corrected", "folded", "hits", "mode", "terms", "units")

    def __init__(self, terms: list[str], units: list[Unit]) -> None:
        #: best first, with score, parts and reasons
        self.hits: list[Candidate] = []
        self.mode = "lexical"
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

    __slots__ = ("found", "item", "share", "text", "titled", "titled_share", "worth")

    def __init__(
        self, item: Candidate, probes: Sequence[fit.Probe], *, by_name: bool = False
    ) -> None:
        """Look each unit up; `by_name` in its author's name too, which a question may ask for."""
        title = fit.Text(item.title)
        self.item = item
        name = item.agent or item.user if by_name else ""
        self.text = fit.Text(f"{item.title} {item.tags} {item.summary} {item.body} {name}")
        self.found = [fit.presence(probe, self.text) for probe in probes]
        self.titled = [
            fit.presence(probe, title) if found else 0.0
            for probe, found in zip(probes, self.found, strict=True)
        ]
        #: of the query's weight: what the text has, what the title has
        self.share = 0.0
        self.titled_share = 0.0
        #: what speaks for the item
        self.worth = 0.0
