"""A shelf of rows that are at hand: every one is looked at, and scored by itself (light)."""

from __future__ import annotations

from onrecord.retrieval import fit
from onrecord.retrieval.words import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.query import LexicalQuery

#: What a term is worth in the title, beside what it is worth anywhere.
_TITLE = 1.0


class PastShelf:
    """What recall needs of a shelf, over rows that were chosen for one instant.

    Nothing else weighs on a match: the same rows always give the same answer.
    """

    __slots__ = ("_rows", "_texts")

    def __init__(self, rows: Sequence[Candidate]) -> None:
        self._rows = rows
        self._texts: list[tuple[fit.Text, fit.Text]] = []

    def matching(self, query: LexicalQuery, *, body_chars: int) -> list[Candidate]:
        """Rows with any of the terms, best match first."""
        if not self._texts:
            self._texts = [
                (fit.Text(row.title), fit.Text(f"{row.title} {row.tags} {row.body}"))
                for row in self._rows
            ]
        kinds, scopes = query.kinds, set(query.scopes)
        probes = [_Term(term) for term in query.terms]
        found: list[tuple[Candidate, list[float]]] = []
        for row, (title, text) in zip(self._rows, self._texts, strict=True):
            if row.scope not in scopes or (kinds is not None and row.kind not in kinds):
                continue
            worth = [probe.worth(title, text) for probe in probes]
            if any(worth):
                found.append((row, worth))
        having = [sum(1 for _, worth in found if worth[at]) for at in range(len(probes))]
        for row, worth in found:
            row.lexical = sum(w / (1 + n) ** 0.5 for w, n in zip(worth, having, strict=True) if w)
            row.body = row.body[:body_chars]
        matched = [row for row, _ in found]
        matched.sort(key=lambda row: (row.lexical, row.id), reverse=True)
        return matched[: query.limit]

    def beside(
        self, items: Sequence[str], scopes: Sequence[str], *, now: int, reach: int, body_chars: int
    ) -> list[Candidate]:
        """Rows that were kept next to one of the items in its session, by id."""
        del now
        asked, wanted = set(items), set(scopes)
        sessions: dict[str, list[Candidate]] = {}
        for row in sorted(self._rows, key=lambda row: row.id):
            if row.session:
                sessions.setdefault(row.session, []).append(row)
        near: dict[str, Candidate] = {}
        for said in sessions.values():
            for at, row in enumerate(said):
                if row.id in asked:
                    around = said[max(0, at - reach) : at + reach + 1]
                    near |= {one.id: one for one in around if one.scope in wanted}
        found = [row for name, row in sorted(near.items()) if name not in asked]
        for row in found:
            row.body = row.body[:body_chars]
        return found

    def standing(
        self, scopes: Sequence[str], *, now: int, body_chars: int, limit: int
    ) -> list[Candidate]:
        """The rows of some scopes, newest first; they were chosen for their instant already."""
        del now, body_chars
        wanted = set(scopes)
        found = sorted((row for row in self._rows if row.scope in wanted), key=lambda row: row.id)
        return found[::-1][:limit]


class _Term:
    """One term of a query: a word in any form, or the beginning of one."""

    __slots__ = ("_begins", "_probe")

    def __init__(self, term: str) -> None:
        plain = fold(term.rstrip("*")).strip()
        self._begins = f" {plain}" if term.endswith("*") and plain else ""
        self._probe = fit.Probe.of(plain) if plain else None

    def worth(self, title: fit.Text, text: fit.Text) -> float:
        here = self._in(text)
        return here + _TITLE * self._in(title) if here else 0.0

    def _in(self, text: fit.Text) -> float:
        if self._begins and self._begins in text.spaced:
            return 1.0
        if self._probe is None:
            return 0.0
        if not self._probe.exact[0].isascii() and self._probe.exact[0].strip() in text.raw:
            return 1.0
        return fit.presence(self._probe, text)
