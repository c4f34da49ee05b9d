"""What measurements call: each probe asks the code that the doors ask, through a real store.

Texts go in and plain answers come out, in the formats of the corpora. Nothing here decides;
a probe that answered by rules of its own would measure itself.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from onrecord import wiring
from onrecord.capture import citations as capture
from onrecord.domain.item import Content, split
from onrecord.domain.outcome import Conflict, Corroborated, Outcome, Proposed, Refused, Updated
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.evals import corpus, retrieval, typed
from onrecord.evals.retrieval import Keeping
from onrecord.policy import dates as policy_dates
from onrecord.policy import durable as policy_durable
from onrecord.policy import redact as policy_redact
from onrecord.policy import screen
from onrecord.service.caller import Caller
from onrecord.service.commands import Reject, Remember
from onrecord.service.memory import Memory

REPO = "repo:probe.example/acme/shop"

#: What `load` gives to a query, at most.
LIMIT = 10

_PERSON = Caller(
    principal=Principal.person("prober", channel="terminal", confirmed=True),
    place=Place(cwd="/probe", repo=REPO),
)
_AGENT = Caller(
    principal=Principal.for_agent("probe", session="probe", channel="mcp"),
    place=Place(cwd="/probe", repo=REPO, agent="agent:probe", session="session:probe:probe"),
)


def redact(text: str) -> str:
    """The text as it is stored: secrets replaced by `[redacted:<kind>]`."""
    return policy_redact.redact(text).text


def judge(text: str) -> tuple[str, str]:
    """(allow · strip · quarantine · block, the text as it would be stored)."""
    return screen.judge(text)


def gateway(stored: str, new: str) -> str:
    """What becomes of a text where another stands: corroborated, conflict or created.

    `conflict` also means that it was stored and linked to what it may clash with. What merely
    has much the same words as another is named to the person and asks nothing: created.
    """
    memory = wiring.open_nothing()
    try:
        _keep(memory, stored)
        outcome = _keep(memory, new)
    finally:
        memory.close()
    if isinstance(outcome, Corroborated) or _settled(outcome):
        return "corroborated"
    if isinstance(outcome, Conflict) or any(c.why != "similar" for c in outcome.candidates):
        return "conflict"
    return "created"


def _settled(outcome: Outcome) -> bool:
    return isinstance(outcome, Updated) and outcome.code == "same.affirmed"


def _keep(memory: Memory, text: str) -> Outcome:
    title, body = split(text)
    command = Remember(
        content=Content(title=title, body=body), scope="repo", dates_as_written=True
    )
    return memory.do(command, _PERSON)


def tombstone(rejected_texts: Sequence[str], title: str, body: str) -> str:
    """What an agent's text meets where a person rejected others: refused, held or allowed."""
    memory = _where_rejected(tuple(rejected_texts))
    head, rest = (title, body) if title else split(body)
    command = Remember(
        content=Content(title=head, body=rest),
        scope="session",
        distinct=True,
        dates_as_written=True,
    )
    outcome = memory.do(command, _AGENT)
    if isinstance(outcome, Refused):
        return "refused"
    return "held" if isinstance(outcome, Proposed) else "allowed"


_rejecting: tuple[tuple[str, ...], Memory] | None = None


def _where_rejected(texts: tuple[str, ...]) -> Memory:
    """A store in which a person rejected those texts; kept for the next question about them."""
    global _rejecting  # noqa: PLW0603 - one store for the many rows of one corpus
    if _rejecting is None or _rejecting[0] != texts:
        memory = wiring.open_nothing()
        for text in texts:
            made = _keep(memory, text)
            if made.item is not None:
                memory.do(Reject(item=made.item.id, reason="wrong"), _PERSON)
        _rejecting = (texts, memory)
    return _rejecting[1]


def dates(text: str, recorded: str | None, tz: str | None) -> str:
    """The text with absolute dates beside its relative ones, or `ask`.

    `recorded` is ISO 8601 or None, `tz` an IANA name or None.
    """
    moment = datetime.fromisoformat(recorded) if recorded else None
    answer = policy_dates.annotate(text, moment, ZoneInfo(tz) if tz else None)
    if isinstance(answer, policy_dates.Ask):
        return "ask"
    return answer.text if isinstance(answer, policy_dates.Annotated) else text


def durable(text: str) -> set[str]:
    """What speaks against keeping it; an empty set for a text worth keeping."""
    return set(policy_durable.flags(text))


def citations(text: str) -> list[tuple[int, int, str]]:
    """(start, end, kind) of every citation, in code points."""
    return [(found.start, found.end, found.kind) for found in capture.find(text)]


def load(
    items_path: str | os.PathLike[str], *, semantic: bool = False
) -> Callable[[Mapping[str, Any]], list[str]]:
    """Keep a file of typed items in a new store, and give what answers queries from it.

    The store is a real one in a temporary folder, which goes when the answerer does. A query
    is asked in its ladder on the day that it is dated to: lexically, or with `semantic` by
    the packaged model of meanings as well.
    """
    folder = tempfile.mkdtemp(prefix="onrecord-probe-")
    search = _Search(retrieval.open_keeping(os.path.join(folder, "memory.db")))  # noqa: PTH118
    weakref.finalize(search, _end, search.keeping, folder)
    rows = [typed.document(row) for row in corpus.read_lines(Path(items_path))]
    for document in sorted(rows, key=lambda one: one.at):
        search.keeping.keep(document)
    if semantic:
        search.keeping.understand("minilm", lambda _n, _of: None)
        search.keeping.mode = "hybrid"
    return search


def _end(keeping: Keeping, folder: str) -> None:
    keeping.close()
    shutil.rmtree(folder, ignore_errors=True)


class _Search:
    """Answers queries from a store, which goes when nobody asks it any more."""

    def __init__(self, keeping: Keeping) -> None:
        self.keeping = keeping

    def __call__(self, query: Mapping[str, Any]) -> list[str]:
        """The corpus's ids that answer a query, best first; none is an answer too."""
        return self.keeping.ask(typed.question(query, query["now"]), LIMIT)
