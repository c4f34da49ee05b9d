"""Evidence, sightings, links, reviews and feedback, in SQL."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.domain.provenance import Evidence, Feedback, Link, Review, Sighting
from onrecord.storage import rows
from onrecord.storage.queries import json_list
from onrecord.storage.runner import Runner

_EVIDENCE = rows.Flat(Evidence)
_SIGHTING = rows.Flat(Sighting)
_LINK = rows.Flat(Link)
_REVIEW = rows.Flat(Review)
_FEEDBACK = rows.Flat(Feedback)


class SqlProvenance:
    """The `Provenance` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def add_evidence(self, evidence: Evidence) -> None:
        """Add one thing that an item rests on."""
        self._runner.run("evidence_add", **_EVIDENCE.values(evidence))

    def evidence(self, item: str) -> list[Evidence]:
        """What an item rests on, oldest first."""
        return rows.read(_EVIDENCE.build, self._runner.rows("evidence_of", item=item))

    def evidence_of(self, items: Sequence[str]) -> list[Evidence]:
        """What several items rest on, oldest first."""
        if not items:
            return []
        found = self._runner.rows("evidence_of_some", ids=json_list(items))
        return rows.read(_EVIDENCE.build, found)

    def citing(self, pointer: str = "", *, session: str = "") -> list[Evidence]:
        """Evidence whose pointer begins with the text, or that the session added; oldest first."""
        found: dict[str, Evidence] = {}
        if pointer:
            told = self._runner.rows("evidence_citing", pointer=pointer)
            found |= {row.id: row for row in rows.read(_EVIDENCE.build, told)}
        if session:
            told = self._runner.rows("evidence_added", session=session)
            found |= {row.id: row for row in rows.read(_EVIDENCE.build, told)}
        return sorted(found.values(), key=lambda row: (row.at, row.id))

    def quoting(self, text: str) -> list[Evidence]:
        """Evidence whose quote contains the text, letter for letter; oldest first."""
        return rows.read(_EVIDENCE.build, self._runner.rows("evidence_quoting", text=text))

    def written_in(self, session: str) -> list[str]:
        """Ids of the items of which the session wrote a version, by id."""
        return [str(item) for (item,) in self._runner.rows("written_in", session=session)]

    def blank(self, evidence: Sequence[str]) -> int:
        """Blank what those rows say; says how many are there."""
        return sum(self._runner.run("evidence_blank", id=name, none=b"") for name in evidence)

    def note_check(self, evidence: str, *, at: int | None, result: str) -> None:
        """Keep what came of comparing a row that stands and is not blank, and when."""
        self._runner.run("evidence_check", id=evidence, at=at, result=result)

    def replace_evidence(self, evidence: Sequence[str], *, at: int | None) -> int:
        """Let rows speak no more, or with None again; says how many are there."""
        return sum(self._runner.run("evidence_replace", id=name, at=at) for name in evidence)

    def add_sighting(self, sighting: Sighting) -> bool:
        """Add it unless the session has one for the item; says whether it was added."""
        return self._runner.run("sighting_add", **_SIGHTING.values(sighting)) > 0

    def sightings(self, item: str) -> list[Sighting]:
        """The sessions that stated an item, oldest first."""
        return rows.read(_SIGHTING.build, self._runner.rows("sightings_of", item=item))

    def add_link(self, link: Link) -> None:
        """Add it unless the same (source, kind, target) is there."""
        self._runner.run("link_add", **_LINK.values(link))

    def links_from(self, item: str) -> list[Link]:
        """Relations that an item has, oldest first."""
        return rows.read(_LINK.build, self._runner.rows("links_from", item=item))

    def links_of(self, items: Sequence[str]) -> list[Link]:
        """Relations that several items have, oldest first."""
        if not items:
            return []
        return rows.read(_LINK.build, self._runner.rows("links_of_some", ids=json_list(items)))

    def links_to(self, target: str) -> list[Link]:
        """Relations that items have to a target, oldest first."""
        return rows.read(_LINK.build, self._runner.rows("links_to", target=target))

    def clashes(self, limit: int) -> list[Link]:
        """Links that say that two live items clash, newest first."""
        return rows.read(_LINK.build, self._runner.rows("clashes", limit=limit))

    def add_review(self, review: Review) -> None:
        """Add a person's decision."""
        self._runner.run("review_add", **_REVIEW.values(review))

    def reviews(self, item: str) -> list[Review]:
        """Decisions about an item, oldest first."""
        return rows.read(_REVIEW.build, self._runner.rows("reviews_of", item=item))

    def add_feedback(self, feedback: Feedback) -> None:
        """Add what a session made of an item."""
        self._runner.run("feedback_add", **_FEEDBACK.values(feedback))

    def feedback(self, item: str) -> list[Feedback]:
        """What sessions made of an item, oldest first."""
        return rows.read(_FEEDBACK.build, self._runner.rows("feedback_of", item=item))
