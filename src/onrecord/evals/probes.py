"""What measurements call: each probe asks the code that the doors ask, through a real store.

Texts go in and plain answers come out, in the formats of the corpora. Nothing here decides;
a probe that answered by rules of its own would measure itself.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from onrecord import wiring
from onrecord.capture import citations as capture
from onrecord.domain import time
from onrecord.domain.item import Content, split
from onrecord.domain.outcome import Conflict, Corroborated, Outcome, Proposed, Refused, Updated
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.policy import dates as policy_dates
from onrecord.policy import durable as policy_durable
from onrecord.policy import redact as policy_redact
from onrecord.policy import screen
from onrecord.service.caller import Caller
from onrecord.service.commands import Mark, Reject, Remember
from onrecord.service.memory import Memory

REPO = "repo:probe.example/acme/shop"

#: What `load` gives to a query, at most.
LIMIT = 10
#: So many are asked of the store for a dated query, whose later items are left out afterwards.
_POOL = 50
#: A task of a corpus stays as long as the corpus says.
_FAR = time.from_iso("9000-01-01")

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

    `conflict` also means that it was stored and linked to what it may clash with.
    """
    memory = wiring.open_nothing()
    try:
        _keep(memory, stored)
        outcome = _keep(memory, new)
    finally:
        memory.close()
    if isinstance(outcome, Corroborated) or _settled(outcome):
        return "corroborated"
    if isinstance(outcome, Conflict) or outcome.candidates:
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


class _Clock:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        self.at = 0

    def now(self) -> int:
        """UTC microseconds."""
        return self.at


def load(items_path: str | os.PathLike[str]) -> Callable[[Mapping[str, Any]], list[str]]:
    """Keep a file of typed items in a new store, and give what answers queries from it.

    The store is a real one in a temporary folder, which goes when the answerer does. A query
    is asked in its ladder on the day that it is dated to; without a model, lexically.
    """
    folder = tempfile.mkdtemp(prefix="onrecord-probe-")
    clock = _Clock()
    memory = wiring.open_measured(os.path.join(folder, "memory.db"), clock)  # noqa: PTH118
    search = _Search(memory, clock)
    weakref.finalize(search, _end, memory, folder)
    with open(items_path, encoding="utf-8") as lines:  # noqa: PTH123 - a path of any kind
        rows = [json.loads(line) for line in lines if line.strip()]
    for row in sorted(rows, key=lambda one: str(one["created_at"])):
        clock.at = time.from_iso(row["created_at"])
        search.ours[_keep_row(memory, row)] = (row["id"], row["created_at"])
    return search


def _end(memory: Memory, folder: str) -> None:
    memory.close()
    shutil.rmtree(folder, ignore_errors=True)


def _keep_row(memory: Memory, row: Mapping[str, Any]) -> str:
    """One item of a corpus, as a person's; its id here."""
    content = Content(
        title=row["title"],
        body=row["body"],
        tags=tuple(row["tags"]),
        valid_from=time.from_iso(row["valid_from"]) if row["valid_from"] else None,
        valid_to=time.from_iso(row["valid_to"]) if row["valid_to"] else None,
    )
    command = Remember(
        content=content,
        scope=_scope(row["scope"]),
        kind=row["kind"],
        expires_at=_FAR if row["kind"] == "task" else None,
        distinct=True,
        dates_as_written=True,
    )
    author = Principal.person(row["author"], channel="terminal")
    made = memory.do(command, Caller(principal=author, place=_PERSON.place))
    if made.item is None:
        raise ValueError(f"item {row['id']} was not kept: {made.code}")
    if row["status"] == "archived":
        memory.do(Mark(item=made.item.id, action="archive"), _PERSON)
    return made.item.id


class _Search:
    """Answers queries from a store, which goes when nobody asks it any more."""

    def __init__(self, memory: Memory, clock: _Clock) -> None:
        self._memory = memory
        self._clock = clock
        #: id here -> id in the corpus, and the day it was created on
        self.ours: dict[str, tuple[str, str]] = {}

    def __call__(self, query: Mapping[str, Any]) -> list[str]:
        """The corpus's ids that answer a query, best first; none is an answer too."""
        known = query.get("as_of") or query["now"]
        day = query.get("valid_at") or query.get("as_of") or query["now"]
        self._clock.at = time.from_iso(day)
        scopes = [_scope(name) for name in query["ladder"]]
        found = self._memory.recall(query["text"], _PERSON, given=scopes, limit=_POOL)
        hits = [self.ours[hit.item.id] for hit in found.hits]
        return [name for name, created in hits if created <= known][:LIMIT]


def _scope(name: str) -> str:
    """A corpus's short scope as a canonical one."""
    kind, _, key = name.partition(":")
    if kind == "repo":
        return f"repo:probe.example/corpus/{key}"
    if kind == "branch":
        repo, _, branch = key.partition("/")
        return f"branch:probe.example/corpus/{repo}@{branch}"
    return name
