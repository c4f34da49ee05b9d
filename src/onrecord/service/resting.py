"""What an item rests on, followed back: who said it, in which session, and what it cites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from onrecord.domain.item import Item
from onrecord.domain.ports import Transaction
from onrecord.domain.principal import Principal
from onrecord.domain.provenance import Evidence
from onrecord.domain.scope import Place
from onrecord.service import cited, decided

#: What an import's items point at.
_IMPORT = "import:"
_STATES = {"holds": "stands"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Rest:
    """One thing that an item rests on, and whether it is still there."""

    #: person · approval (by the person named) · session · agent · import · one of EVIDENCE_KINDS
    kind: str
    #: a name, `agent:session`, `agent:session#message`, a path with commit and lines, an address
    pointer: str
    author: str = ""
    #: stands · moved · changed · gone · unchecked (it is not ours to look up here) · erased
    state: str = "stands"
    #: where it is now, for what moved
    now: str = ""
    #: when a comparison was kept last, and what it said
    checked_at: int | None = None
    check_result: str = ""

    @property
    def survives(self) -> bool:
        """Whether it can still be followed."""
        return self.state in ("stands", "moved", "unchecked")


def rests_of(tx: Transaction, item: Item) -> list[tuple[Rest, Evidence | None]]:
    """What an item rests on, its author first; with the evidence that `looked_up` compares."""
    found: list[tuple[Rest, Evidence | None]] = [(rest, None) for rest in _said(tx, item)]
    found += [
        (Rest(kind="approval", pointer=review.by.name), None)
        for review in decided.reviews(tx, item.id)
        if review.decision == "approve"
    ]
    rows = (row for row in tx.provenance.evidence(item.id) if row.stands)
    found += [(_of_evidence(tx, row), row) for row in rows]
    return found


def looked_up(
    found: Sequence[tuple[Rest, Evidence | None]], item: Item, place: Place
) -> list[Rest]:
    """Each once, files compared with the working tree where the caller stands.

    That may run git: outside of any transaction.
    """
    here, within = cited.is_here(item, place), cited.budget()
    rests: dict[Rest, Rest] = {}
    for rest, row in found:
        told = rest
        if row is not None and rest.kind == "file" and rest.state != "erased" and here:
            verdict = cited.verdict_of(row, place.root, within)
            state = _STATES.get(verdict.state, verdict.state)
            told = replace(rest, state=state, now=verdict.now)
        once = replace(told, checked_at=None, check_result="")
        # the place of the first, and what was compared last
        rests[once] = max(told, rests.get(once, told), key=lambda one: one.checked_at or 0)
    return list(rests.values())


def _said(tx: Transaction, item: Item) -> Iterator[Rest]:
    by = item.head.author
    if by.is_person:
        yield Rest(kind="person", pointer=by.name)
    elif by.session:
        yield _of_session(tx, by.session, by)
    elif by.agent and by.writer == "agent":
        yield Rest(kind="agent", pointer=by.agent)
    row = tx.handoffs.get(item.id) if item.kind == "handoff" else None
    if row is not None and row.session and row.session != by.session:
        yield _of_session(tx, row.session, by)


def _of_session(tx: Transaction, session: str, by: Principal) -> Rest:
    row = tx.sessions.get(session)
    if row is None:
        return Rest(kind="session", pointer=session, author=by.agent, state="gone")
    return Rest(kind="session", pointer=f"{row.agent}:{row.agent_session or row.id}")


def _of_evidence(tx: Transaction, row: Evidence) -> Rest:
    if not row.pointer:
        return Rest(kind=row.kind, pointer="", state="erased")
    kind = "import" if row.pointer.startswith(_IMPORT) else row.kind
    state = "unchecked"
    if kind == "import":
        state = "stands"
    elif kind == "message":
        state = _of_message(tx, row.pointer)
    return Rest(
        kind=kind,
        pointer=row.pointer,
        author=row.author,
        state=state,
        checked_at=row.checked_at,
        check_result=row.check_result,
    )


def _of_message(tx: Transaction, pointer: str) -> str:
    """Whether the session of a message is on record; another pointer is not ours to look up."""
    agent, mark, rest = pointer.partition("#")[0].partition(":")
    if not mark:
        return "unchecked"
    return "stands" if tx.sessions.by_agent_session(agent, rest) is not None else "unchecked"
