"""LoCoMo's format: long conversations of two people, and questions with evidence in turns.

Each turn is kept as one statement of its speaker in its session, and dated as that is; each
conversation has a scope of its own. Counted are categories 1 to 4; the fifth asks for what was
never said, and its answer key names turns all the same.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from onrecord.domain import time
from onrecord.domain.item import split
from onrecord.evals.corpus import Corpus, Document, Question, not_a_corpus, read_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop"}

_WHEN: Final = "%I:%M %p on %d %B, %Y"


def fits(path: Path) -> bool:
    """Whether a path looks like such a file."""
    return path.is_file() and "locomo" in path.name


def read(path: Path) -> Corpus:
    """The corpus in a file."""
    documents: list[Document] = []
    questions: list[Question] = []
    units: dict[str, str] = {}
    loaded: Any = read_json(path)
    if not isinstance(loaded, list):
        raise not_a_corpus(format="locomo")
    conversations = cast("list[dict[str, Any]]", loaded)
    for n, one in enumerate(conversations, 1):
        scope = f"project:locomo-{n}"
        said = list(_turns(one["conversation"], scope, n))
        documents += said
        units |= {turn.id: turn.id.rpartition(":")[0] for turn in said}
        known = {turn.id for turn in said}
        last = max(turn.at for turn in said)
        questions += _questions(one["qa"], scope, n, known, last)
    return Corpus(
        name="locomo",
        documents=tuple(documents),
        questions=tuple(questions),
        abstains=False,
        units=units,
    )


def _turns(conversation: dict[str, Any], scope: str, n: int) -> Iterator[Document]:
    for name, turns in conversation.items():
        is_session = name.startswith("session_") and name[8:].isdigit()
        if not is_session or not isinstance(turns, list):
            continue
        start = datetime.strptime(conversation[f"{name}_date_time"], _WHEN).replace(tzinfo=UTC)
        said = cast("list[dict[str, Any]]", turns)
        for step, turn in enumerate(said):
            text: str = turn["text"]
            if turn.get("blip_caption"):
                text += f" [shares {turn['blip_caption']}]"
            title, body = split(text)
            yield Document(
                id=f"{n}-{turn['dia_id']}",
                scope=scope,
                title=title or "(nothing)",
                body=body,
                author=turn["speaker"],
                session=f"{scope}-{name}",
                at=time.from_datetime(start + timedelta(seconds=step)),
            )


def _questions(
    rows: list[dict[str, Any]], scope: str, n: int, known: set[str], last: int
) -> Iterator[Question]:
    for number, row in enumerate(rows):
        named = " ".join(row["evidence"]).replace(";", " ").replace(",", " ").split()
        evidence = {f"{n}-{turn}" for turn in named} & known
        if row["category"] in CATEGORIES and evidence:
            yield Question(
                id=f"{n}-{number}",
                kind=CATEGORIES[row["category"]],
                text=row["question"],
                scopes=(scope,),
                now=last + 1,
                relevant=dict.fromkeys(evidence, 2),
            )
