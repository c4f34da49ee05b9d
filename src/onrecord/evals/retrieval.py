"""How well recall finds: a corpus kept in a store of its own, and its questions asked of it.

The store is a real one in a temporary folder, filled through the gateway and asked through
`Memory.recall`, as any door does.
"""

from __future__ import annotations

import platform
import tempfile
import time as stopwatch
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from onrecord import wiring
from onrecord.domain import time
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.evals import measures
from onrecord.service.caller import Caller
from onrecord.service.commands import Mark, Remember

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from onrecord.evals.corpus import Corpus, Document, Question
    from onrecord.service.memory import Memory
    from onrecord.service.reindexing import Reindexing

#: So many are asked for at most; measures of rank look no further.
MAX_K: Final = 20
#: Units are ranked by so many of their documents: of 100, every ninth question of LoCoMo's
#: conversations 1 to 5 had fewer than ten sessions to rank; recall gives 200 at most.
UNIT_K: Final = 200
#: The parts of a score that are a document's own match.
MATCH: Final = ("lexical", "fit", "meaning")
#: A task of a corpus stays as long as the corpus says.
_FAR: Final = time.from_iso("9000-01-01")

_PERSON: Final = Caller(
    principal=Principal.person("prober", channel="terminal", confirmed=True),
    place=Place(cwd="/probe", repo="repo:probe.example/acme/shop"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Evaluation:
    """What came out, whole and for each question."""

    corpus: str
    mode: str
    k: int
    documents: int
    #: measures over all questions, and per class
    overall: dict[str, Any]
    classes: dict[str, dict[str, Any]]
    #: precision, recall and F1 of saying nothing; None where the corpus does not ask for it
    abstention: dict[str, float] | None
    #: the same recall counted in larger units (a conversation's sessions); None without any
    units: dict[str, float] | None
    #: median and 99th percentile of one recall, milliseconds
    p50_ms: float
    p99_ms: float
    questions: tuple[dict[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        """Everything, with the machine that it was measured on."""
        return {
            "corpus": self.corpus,
            "mode": self.mode,
            "k": self.k,
            "documents": self.documents,
            "overall": self.overall,
            "classes": self.classes,
            "abstention": self.abstention,
            "units": self.units,
            "p50_ms": self.p50_ms,
            "p99_ms": self.p99_ms,
            "machine": f"{platform.machine()} {platform.system()}",
            "python": platform.python_version(),
            "questions": list(self.questions),
        }


class _Clock:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        self.at = 0

    def now(self) -> int:
        """UTC microseconds."""
        return self.at


class Keeping:
    """A store with a corpus in it."""

    def __init__(self, memory: Memory, clock: _Clock, reindexing: Reindexing) -> None:
        self._memory = memory
        self._clock = clock
        self._reindexing = reindexing
        #: by what is asked: lexical, semantic or hybrid
        self.mode = "lexical"
        #: id here -> document
        self._ours: dict[str, Document] = {}
        self._theirs: dict[str, str] = {}

    def keep(self, document: Document) -> None:
        """One document, as its author's."""
        self._clock.at = document.at
        command = Remember(
            content=Content(
                title=document.title,
                body=document.body,
                tags=document.tags,
                valid_from=document.valid_from,
                valid_to=document.valid_to,
            ),
            scope=document.scope,
            # a corpus has the words of a handoff, without the state that makes one
            kind="note" if document.kind == "handoff" else document.kind,
            expires_at=_FAR if document.kind == "task" else None,
            replaces=self._theirs.get(document.replaces, ""),
            pin=document.pinned,
            distinct=True,
            dates_as_written=True,
        )
        person = Principal.person(document.author, channel="terminal", confirmed=True)
        author = replace(person, session=document.session)
        made = self._memory.do(command, Caller(principal=author, place=_PERSON.place))
        if made.item is None:
            message = f"document {document.id} was not kept: {made.code}"
            raise ValueError(message)
        if document.archived:
            self._memory.do(Mark(item=made.item.id, action="archive"), _PERSON)
        # equal statements are one item: the first document stands for it
        self._ours.setdefault(made.item.id, document)
        self._theirs[document.id] = made.item.id

    def understand(self, model: str, tell: Callable[[int, int], None]) -> None:
        """Have everything that was kept read by a model of meanings."""
        self._reindexing.run(_PERSON, model, tell)

    def ask(self, question: Question, k: int) -> list[str]:
        """Ids of the documents that answer, best first; none is an answer too."""
        return [name for name, _ in self.matched(question, k)]

    def matched(self, question: Question, k: int) -> list[tuple[str, float]]:
        """The same, each with what it matches by itself, whatever stands around it."""
        self._clock.at = question.now
        found = self._memory.recall(
            question.text,
            _PERSON,
            given=list(question.scopes),
            limit=k,
            as_of=question.as_of,
            valid_at=question.valid_at or question.as_of,
            # the past is found by words alone
            mode="" if question.as_of or question.valid_at else self.mode,
        )
        return [
            (self._ours[hit.item.id].id, sum(hit.parts.get(name, 0.0) for name in MATCH))
            for hit in found.hits
        ]

    def close(self) -> None:
        """Release the store."""
        self._reindexing.close()
        self._memory.close()


def open_keeping(path: str, semantic: Mapping[str, object] | None = None) -> Keeping:
    """A new store at a path, to be filled; `semantic` is that table of the user's file."""
    clock = _Clock()
    memory = wiring.open_measured(path, clock, meaning=wiring.open_meaning(semantic or {}))
    return Keeping(memory, clock, wiring.open_reindexing(path, semantic or {}, measured=True))


def evaluate(
    corpus: Corpus,
    *,
    k: int = 10,
    tell: Callable[[str, int, int], None] = lambda _doing, _n, _of: None,
) -> Evaluation:
    """Keep the corpus, ask its questions, count. `tell` hears (what, done, of how many)."""
    return side_by_side(corpus, ("lexical",), k=k, tell=tell)[0]


def side_by_side(
    corpus: Corpus,
    modes: Sequence[str],
    *,
    k: int = 10,
    semantic: Mapping[str, object] | None = None,
    model: str = "minilm",
    tell: Callable[[str, int, int], None] = lambda _doing, _n, _of: None,
) -> list[Evaluation]:
    """The same for several modes, of one store. Raises `EmbeddingError` without the model."""
    with tempfile.TemporaryDirectory(prefix="onrecord-eval-") as folder:
        keeping = open_keeping(str(Path(folder) / "memory.db"), semantic)
        try:
            for n, document in enumerate(sorted(corpus.documents, key=lambda one: one.at), 1):
                keeping.keep(document)
                tell("keeping", n, len(corpus.documents))
            if set(modes) != {"lexical"}:
                keeping.understand(model, lambda n, of: tell("reading", n, of))
            return [
                _evaluation(corpus, _asked(corpus, keeping, mode, k, tell), k, mode)
                for mode in modes
            ]
        finally:
            keeping.close()


def _asked(
    corpus: Corpus,
    keeping: Keeping,
    mode: str,
    k: int,
    tell: Callable[[str, int, int], None],
) -> list[dict[str, Any]]:
    """What each question got in a mode."""
    rows: list[dict[str, Any]] = []
    keeping.mode = mode
    for n, question in enumerate(corpus.questions, 1):
        begun = stopwatch.perf_counter()
        got = keeping.ask(question, k)
        ms = (stopwatch.perf_counter() - begun) * 1_000
        if not len(got) == len(set(got)) <= k:
            message = f"question {question.id}: {len(got)} answers, or one twice"
            raise ValueError(message)
        rows.append({**measures.measure(question, got, k), "ms": round(ms, 2)})
        if corpus.units:
            turns = keeping.matched(question, UNIT_K)
            rows[-1]["units"] = measures.in_units(turns, corpus.units)[:10]
        tell(f"asking ({mode})", n, len(corpus.questions))
    return rows


def _evaluation(corpus: Corpus, rows: Sequence[dict[str, Any]], k: int, mode: str) -> Evaluation:
    kinds = Counter(row["class"] for row in rows)
    times = sorted(row["ms"] for row in rows) or [0.0]
    return Evaluation(
        corpus=corpus.name,
        mode=mode,
        k=k,
        documents=len(corpus.documents),
        overall=measures.summary(rows),
        classes={
            kind: measures.summary([row for row in rows if row["class"] == kind])
            for kind in sorted(kinds)
        },
        abstention=measures.abstention(rows) if corpus.abstains else None,
        units=_in_units(corpus, rows) if corpus.units else None,
        p50_ms=round(median(times), 2),
        p99_ms=round(times[min(len(times) - 1, int(len(times) * 0.99))], 2),
        questions=tuple(rows),
    )


def _in_units(corpus: Corpus, rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Recall and hits of the units that the found documents are of, best first."""
    relevant = {one.id: {corpus.units[name] for name in one.relevant} for one in corpus.questions}
    recalls = [measures.recall_at(10, relevant[row["id"]], row["units"]) for row in rows]
    hits = [bool(relevant[row["id"]] & set(row["units"])) for row in rows]
    count = len(rows) or 1
    return {
        "recall_at_10": round(sum(recalls) / count, 4),
        "hit_at_10": round(sum(hits) / count, 4),
    }
