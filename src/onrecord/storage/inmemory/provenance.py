"""Evidence, sightings, links, reviews and feedback, in dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onrecord.domain.item import MAX_LINK_BYTES
from onrecord.domain.provenance import Evidence, Feedback, Link, Review, Sighting
from onrecord.storage.inmemory.rows import Hold, check_item, check_new, check_size, check_text


class MemoryProvenance:
    """The `Provenance` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def add_evidence(self, evidence: Evidence) -> None:
        """Store it."""
        rows = self._hold.writing()
        check_text(evidence)
        check_item(rows, evidence.item)
        check_new(evidence.id, rows.evidence)
        rows.evidence[evidence.id] = evidence

    def evidence(self, item: str) -> list[Evidence]:
        """What the item rests on, oldest first."""
        rows = self._hold.reading()
        found = [evidence for evidence in rows.evidence.values() if evidence.item == item]
        return sorted(found, key=lambda evidence: (evidence.at, evidence.id))

    def evidence_of(self, items: Sequence[str]) -> list[Evidence]:
        """What several items rest on, oldest first."""
        wanted = set(items)
        found = [row for row in self._hold.reading().evidence.values() if row.item in wanted]
        return sorted(found, key=lambda row: (row.at, row.id))

    def citing(self, pointer: str = "", *, session: str = "") -> list[Evidence]:
        """Evidence whose pointer begins with the text, or that the session added; oldest first."""
        found = [
            row
            for row in self._hold.reading().evidence.values()
            if (pointer and row.pointer.startswith(pointer))
            or (session and row.session == session)
        ]
        return sorted(found, key=lambda row: (row.at, row.id))

    def quoting(self, text: str) -> list[Evidence]:
        """Evidence whose quote contains the text, letter for letter; oldest first."""
        found = [row for row in self._hold.reading().evidence.values() if text in row.quote]
        return sorted((row for row in found if row.quote), key=lambda row: (row.at, row.id))

    def written_in(self, session: str) -> list[str]:
        """Ids of the items of which the session wrote a version, by id."""
        versions = self._hold.reading().versions
        return sorted(
            item
            for item, written in versions.items()
            if any(version.author.session == session for version in written)
        )

    def blank(self, evidence: Sequence[str]) -> int:
        """Blank what those rows say; says how many are there."""
        rows = self._hold.writing().evidence
        there = [name for name in evidence if name in rows]
        for name in there:
            rows[name] = replace(rows[name], pointer="", quote="", author="", digest=b"")
        return len(there)

    def note_check(self, evidence: str, *, at: int | None, result: str) -> None:
        """Keep what came of comparing a row that stands and is not blank, and when."""
        rows = self._hold.writing().evidence
        row = rows.get(evidence)
        if row is not None and row.stands and row.digest:
            rows[evidence] = replace(row, checked_at=at, check_result=result)

    def replace_evidence(self, evidence: Sequence[str], *, at: int | None) -> int:
        """Let rows speak no more, or with None again; says how many are there."""
        rows = self._hold.writing().evidence
        there = [name for name in evidence if name in rows]
        for name in there:
            rows[name] = replace(rows[name], replaced_at=at)
        return len(there)

    def add_sighting(self, sighting: Sighting) -> bool:
        """Add it unless the session has one for the item; says whether it was added."""
        rows = self._hold.writing()
        check_text(sighting)
        check_item(rows, sighting.item)
        key = (sighting.item, sighting.session)
        if key in rows.sightings:
            return False
        rows.sightings[key] = sighting
        return True

    def sightings(self, item: str) -> list[Sighting]:
        """Sessions that stated the item, oldest first."""
        rows = self._hold.reading()
        found = [sighting for sighting in rows.sightings.values() if sighting.item == item]
        return sorted(found, key=lambda sighting: (sighting.at, sighting.session))

    def add_link(self, link: Link) -> None:
        """Add it unless the same (source, kind, target) is there."""
        rows = self._hold.writing()
        check_text(link)
        check_size(len(link.target.encode()), MAX_LINK_BYTES)
        check_item(rows, link.source)
        rows.links.setdefault((link.source, link.kind, link.target), link)

    def links_from(self, item: str) -> list[Link]:
        """Links that start at the item, oldest first."""
        found = [link for link in self._links() if link.source == item]
        return sorted(found, key=lambda link: (link.at, link.kind, link.target))

    def links_of(self, items: Sequence[str]) -> list[Link]:
        """Links that start at several items, oldest first."""
        wanted = set(items)
        found = [link for link in self._links() if link.source in wanted]
        return sorted(found, key=lambda link: (link.at, link.source, link.kind, link.target))

    def links_to(self, target: str) -> list[Link]:
        """Links that end at the item, path or address, oldest first."""
        found = [link for link in self._links() if link.target == target]
        return sorted(found, key=lambda link: (link.at, link.source, link.kind))

    def clashes(self, limit: int) -> list[Link]:
        """Links that say that two live items clash, newest first."""
        items = self._hold.reading().items
        live = {name for name, item in items.items() if item.status in ("active", "proposed")}
        found = [
            link
            for link in self._links()
            if link.kind in ("contradicts", "similar") and {link.source, link.target} <= live
        ]
        found.sort(key=lambda link: (link.at, link.source, link.target), reverse=True)
        return found[:limit]

    def add_review(self, review: Review) -> None:
        """Store it."""
        rows = self._hold.writing()
        check_text(review)
        check_item(rows, review.item)
        check_new(review.id, rows.reviews)
        rows.reviews[review.id] = review

    def reviews(self, item: str) -> list[Review]:
        """Decisions about the item, oldest first."""
        rows = self._hold.reading()
        found = [review for review in rows.reviews.values() if review.item == item]
        return sorted(found, key=lambda review: (review.at, review.id))

    def add_feedback(self, feedback: Feedback) -> None:
        """Store it."""
        rows = self._hold.writing()
        check_text(feedback)
        check_item(rows, feedback.item)
        check_new(feedback.id, rows.feedback)
        rows.feedback[feedback.id] = feedback

    def feedback(self, item: str) -> list[Feedback]:
        """Verdicts on the item, oldest first."""
        rows = self._hold.reading()
        found = [feedback for feedback in rows.feedback.values() if feedback.item == item]
        return sorted(found, key=lambda feedback: (feedback.at, feedback.id))

    def _links(self) -> list[Link]:
        return list(self._hold.reading().links.values())
