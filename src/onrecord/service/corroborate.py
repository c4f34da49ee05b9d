"""What happens when a statement is there already: a sighting, never a second item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from onrecord.domain.item import MAX_QUOTE, Item
from onrecord.domain.outcome import Corroborated, Outcome
from onrecord.domain.ports import Transaction
from onrecord.domain.provenance import Evidence, Sighting
from onrecord.domain.session import Session
from onrecord.service import cited, settling
from onrecord.service.draft import Draft
from onrecord.service.work import Work, states_same

#: Independent sessions that must have said the same before belief rises.
SESSIONS_NEEDED = 3

#: Marks a proposal that so many sessions said by themselves; the queue shows it first.
RAISED = "sightings:"

#: Statements in other words that are kept of one session, and of all agents, for one item.
_WORDINGS, _ALL_WORDINGS = 3, 12

#: How many sessions that one came from are looked at.
_MAX_LINE = 64
#: Handoffs of a repository that are looked through for those that a session took over.
_MAX_HANDOFFS = 200


def answer(work: Work, draft: Draft, found: Item) -> Outcome:
    """Add the sighting and its evidence; belief may rise, status never does.

    An import adds neither: a copy is no further evidence, and the import can be taken back.
    What it leaves as it is gets no line of its own in the log. What was said in a narrower
    scope is a sighting alone: what came with it was said for that scope.
    """
    if not draft.command.batch and draft.scope == found.scope:
        add_evidence(work, draft, found)
    reworded = keep_wording(work, draft, found)
    counted = _sight(work, found)
    raised = _raised(work, found) if counted else found
    change = settling.difference(found, raised)
    if change:
        work.tx.items.change(raised, at=work.now)
    event = None
    if not draft.command.batch or counted or change or reworded:
        event = work.record(
            "corroborated",
            raised,
            fields=("sightings", *change),
            before=found.version,
            change=change,
            batch=draft.command.batch,
        )
    state = "is known already" if raised.status == "active" else "already waits for review"
    return Corroborated(
        code="same.known" if raised.status == "active" else "same.waiting",
        say=f"That {state} (m:{raised.id[-6:]}){reworded}; nothing was stored twice.",
        undo=event.seq if event is not None and change else None,
        item=raised,
    )


def add_evidence(work: Work, draft: Draft, item: Item) -> None:
    """Store the claims of a draft as evidence of an item's current version."""
    text = "" if draft.command.batch else f"{draft.content.title}\n{draft.content.body}"
    # of an import nobody said it here
    given = 0 if draft.command.batch else len(draft.evidence)
    claims = cited.claims_of(text, work.caller.place, draft.evidence)
    for n, (claim, digest) in enumerate(claims):
        work.keep(
            item,
            Evidence(
                id=work.ids.new(work.now),
                item=item.id,
                version=item.version,
                kind=claim.kind,
                pointer=claim.pointer,
                quote=claim.quote,
                digest=digest,
                author=claim.author,
                session=work.principal.session,
                at=work.now,
                checked_at=work.now if digest else None,
                check_result="holds" if digest else "",
                given=n < given,
            ),
        )


def keep_wording(work: Work, draft: Draft, item: Item) -> str:
    """Keep the words of what says in others what stands, as evidence; what the answer says of it.

    Once each, for whom it was said: the words of a narrower scope are shown to nobody else.
    """
    said, by = draft.content, work.principal
    if states_same(said, item.content):
        return ""
    if draft.scope != item.scope:
        return " in other words"
    quote = f"{said.title}\n{said.body}".strip()
    stand = work.tx.provenance.evidence(item.id)
    if quote not in (row.quote for row in stand):
        if not by.is_person and _said_enough(stand, by.session):
            return " in other words"
        row = work.tx.sessions.get(by.session) if by.session else None
        named = row is not None and row.agent_session
        work.keep(
            item,
            Evidence(
                id=work.ids.new(work.now),
                item=item.id,
                version=item.version,
                kind="person" if by.is_person else "message",
                pointer=f"{row.agent}:{row.agent_session}" if row and named else by.name,
                quote=quote[:MAX_QUOTE],
                author=by.name,
                session=by.session,
                at=work.now,
            ),
        )
    return " in other words, and yours are kept with it"


def _said_enough(stand: list[Evidence], session: str) -> bool:
    """Whether an item holds as much of what agents say in other words as is kept."""
    quoted = [row for row in stand if row.kind == "message" and row.quote]
    own = [row for row in quoted if row.session == session]
    return len(own) >= _WORDINGS or len(quoted) >= _ALL_WORDINGS


def note_author(work: Work, item: Item) -> None:
    """The first sighting is that of the session that made the statement."""
    session = work.principal.session
    if session and work.principal.writer == "agent":
        row = work.tx.sessions.get(session)
        work.keep(
            item,
            Sighting(
                item=item.id,
                session=session,
                agent=work.principal.agent,
                at=work.now,
                independent=row is not None and not row.synthetic,
            ),
        )


def seen_by(tx: Transaction, item: Item) -> set[str]:
    """The sessions that said by themselves what the item says now.

    A rewording starts anew: what was said of another text does not count for this one.
    """
    since, author = item.head.recorded_at, item.head.author
    for version in reversed(tx.items.history(item.id)):
        if not states_same(version.content, item.content):
            break
        since, author = version.recorded_at, version.author
    rows = tx.provenance.sightings(item.id)
    found = {row.session for row in rows if row.independent and row.at >= since}
    if not author.is_person and author.session:
        row = tx.sessions.get(author.session)
        if row is not None and not row.synthetic:
            found.add(row.id)
    return found


def independent(work: Work, item: Item) -> bool:
    """Whether the caller's session came to the statement by itself.

    Not where the item was shown to it, or to a session that it came from by clear, fork or
    handoff; nor where such a session said it first, unless all that came over from there is
    what onrecord observed; nor where no hook ever saw the session.
    """
    rows = work.tx.provenance.sightings(item.id)
    told = {row.session for row in rows}
    alone = {row.session for row in rows if row.independent}
    for row, only_observed in _line(work.tx, work.principal.session, item):
        if row is None or row.synthetic:
            return False
        own = row.id == work.principal.session
        if only_observed and row.id in alone:
            continue
        if work.tx.sessions.read_version(row.id, item.id) is not None:
            return False
        if not own and row.id in told:
            return False
    return True


def _line(tx: Transaction, session: str, item: Item) -> Iterator[tuple[Session | None, bool]]:
    """A session and all those that it came from; None where one of them is not on record.

    The second value says that only observed facts came over from it, by automatic handoffs.
    """
    waiting, known = [(session, False)], {session}
    while waiting and len(known) <= _MAX_LINE:
        name, observed = waiting.pop()
        row = tx.sessions.get(name) if name else None
        yield row, observed
        if row is None:
            return
        for source, only in ((row.parent, False), *_handed_over(tx, row, item)):
            if source and source not in known:
                known.add(source)
                waiting.append((source, observed or only))


def _handed_over(tx: Transaction, row: Session, item: Item) -> list[tuple[str, bool]]:
    """Sessions whose handoff this one claimed or was shown, and whether it tells facts alone."""
    if not row.repo:
        return []
    said = item.content.title.casefold()
    return [
        (handoff.session, handoff.automatic and said not in handoff.next.casefold())
        for handoff in tx.handoffs.recent(repo=row.repo, limit=_MAX_HANDOFFS)
        if handoff.session != row.id
        and (
            handoff.claimed_by == row.id
            or tx.sessions.read_version(row.id, handoff.item) is not None
        )
    ]


def _sight(work: Work, item: Item) -> bool:
    """Keep the sighting, one for each session; says whether it counts."""
    if not work.principal.session or work.principal.writer != "agent":
        return False
    sighting = Sighting(
        item=item.id,
        session=work.principal.session,
        agent=work.principal.agent,
        at=work.now,
        independent=independent(work, item),
    )
    return work.keep(item, sighting) and sighting.independent


def _raised(work: Work, item: Item) -> Item:
    """The item with the belief and mark that its sightings give it."""
    seen = len(seen_by(work.tx, item))
    if seen < SESSIONS_NEEDED:
        return item
    belief = "corroborated" if item.verification == "unverified" else item.verification
    kept = tuple(flag for flag in item.flags if not flag.startswith(RAISED))
    flags = item.flags if item.status == "active" else (*kept, f"{RAISED}{seen}")
    return replace(item, verification=belief, flags=flags)
