"""The ruling on erasure and expiry, sentence by sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pytest

from desk import id_of
from onrecord.domain.errors import NotFound
from onrecord.domain.item import Content
from onrecord.domain.outcome import Corroborated, Created, Proposed, Refused
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.time import DAY
from onrecord.service.caller import Caller
from onrecord.service.commands import (
    Approve,
    Claim,
    Feedback,
    Forget,
    Mark,
    Purge,
    Reject,
    Remember,
    Revise,
    Sweep,
    Undo,
)

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.domain.event import Event

TEXT: Final = "The harbour office pays refunds without a receipt"
ITSELF: Final = Caller(principal=Principal(writer="system", channel="system"), place=Place())


def full(desk: Desk) -> str:
    """An item with words of its own in every field that can hold some."""
    agent = desk.agent()
    made = desk.do(
        Remember(
            content=Content(title=TEXT, body="Ask zqmabel.", summary="zqsummary", tags=("zqtag",)),
            scope="repo",
            key="zqkey",
            evidence=(
                Claim(kind="file", pointer="src/zqpath.py:3", quote="zqquote", author="zqauthor"),
            ),
            links=("docs/zqlink.md",),
            idempotency_key="zqrequest",
            reason="zqreason",
        ),
        agent,
    )
    item = id_of(made)
    desk.do(Feedback(item=item, verdict="helpful", note="zqnote"), agent)
    desk.do(Approve(item=item), desk.ada_typed)
    desk.do(Revise(item=item, content=Content(title=f"{TEXT} now"), reason="zqwhy"), desk.ada)
    desk.memory.pack(desk.ada, query="zqquery harbour refunds", channel="cli", nonce="n" * 16)
    return item


def test_erasing_also_blanks_what_stands_beside_the_text(desk: Desk) -> None:
    """Key, links, reasons, notes, delivery queries, idempotency answers and `where`."""
    item = full(desk)
    with desk.store.read() as tx:
        before = tx.items.get(item)
        asked = [row.query for row in tx.deliveries.recent()]
    desk.do(Forget(item=item), desk.ada_typed)
    with desk.store.read() as tx:
        after = tx.items.get(item)
        history = tx.items.history(item)
        provenance = tx.provenance
        evidence, links = provenance.evidence(item), provenance.links_from(item)
        notes = [row.note for row in provenance.feedback(item)]
        notes += [row.note for row in provenance.reviews(item)]
        reasons = [row.reason for row in provenance.reviews(item)]
        queries = [row.query for row in tx.deliveries.recent()]

    assert before is not None
    assert (before.key, before.head.where.repo != "", asked) == (
        "zqkey",
        True,
        ["zqquery harbour refunds"],
    )
    assert after is not None
    assert (after.key, after.flags, after.replaces, after.salt) == ("", (), "", b"")
    for version in history:
        where = version.where
        assert (version.reason, where.cwd, where.repo, where.branch, where.commit) == ("",) * 5
        assert version.content == Content(title="")
    assert [(row.pointer, row.quote, row.author, row.digest) for row in evidence] == [
        ("", "", "", b"")
    ]
    assert (links, set(notes), set(reasons), queries) == ([], {""}, {""}, [""])


def test_an_idempotency_key_of_what_was_erased_stays_taken(desk: Desk) -> None:
    """Its answer is blanked: the same request is told so, and brings nothing back."""
    request = Remember(content=Content(title=TEXT), scope="agent", idempotency_key="zqrequest")
    agent = desk.agent()
    first = desk.do(request, agent)
    again = desk.do(request, agent)
    desk.do(Forget(item=id_of(first)), desk.ada_typed)
    after = desk.do(request, agent)

    assert isinstance(first, Created)
    assert again.item is not None
    assert again.item.id == id_of(first)
    assert (isinstance(after, Refused), after.code) == (True, "idempotency.erased")
    assert after.item is None
    assert "zq" not in after.say
    assert "harbour" not in after.say


def unhashed(event: Event) -> Event:
    """A line without its digests, in whose bytes any two letters may stand by chance."""
    return replace(event, commitment=b"", prev_hash=b"", hash=b"")


def test_events_name_ids_only(desk: Desk) -> None:
    """No word of the item, of its key or of what stood beside it is in a line of the log."""
    item = full(desk)
    with desk.store.read() as tx:
        told = "\n".join(str(unhashed(event)) for event in tx.events.of(item))
    desk.do(Forget(item=item), desk.ada_typed)
    with desk.store.read() as tx:
        lines = list(tx.events.walk())
        after = "\n".join(str(unhashed(event)) for event in lines)

    assert item in told
    for text in (told, after):
        assert "zq" not in text
        assert "harbour" not in text
    assert lines[-1].action == "forgotten"


def test_forgotten_differs_from_never_written(desk: Desk) -> None:
    """By the keyed fingerprint of scope and key alone; a key elsewhere was never used."""
    item = full(desk)
    desk.do(Forget(item=item), desk.ada_typed)
    details: list[object] = []
    for key in ("zqkey", "zqother"):
        with pytest.raises(NotFound) as told:
            desk.memory.at(key, desk.ada, scope="repo")
        details.append(told.value.details.get("forgotten"))

    assert details == [True, False]


def test_as_of_answers_count_what_was_erased(desk: Desk) -> None:
    """A placeholder that says how many, and none of what; kept ones are still told."""
    item = full(desk)
    desk.remember("Kiosks print on thermal paper", desk.ada, scope="repo")
    then = desk.clock.now()
    desk.do(Forget(item=item), desk.ada_typed)
    found = desk.memory.recall("harbour refunds kiosks thermal", desk.ada, as_of=then)

    assert found.erased == 1
    assert [hit.item.content.title for hit in found.hits] == ["Kiosks print on thermal paper"]


def test_tasks_expire_after_fourteen_days_unless_updated(desk: Desk) -> None:
    """The update begins the time anew."""
    tasks = [
        id_of(desk.remember(title, desk.ada, scope="repo", kind="task"))
        for title in ("Swap the gate radio", "Paint the north kiosk")
    ]
    desk.clock.advance(10 * DAY)
    desk.do(Revise(item=tasks[1], content=Content(title="Paint the north kiosk red")), desk.ada)
    desk.clock.advance(5 * DAY)
    now = desk.clock.now()

    assert [desk.stored(task).expired(now) for task in tasks] == [True, False]
    assert [desk.stored(task).expired(now - 2 * DAY) for task in tasks] == [False, False]
    gone, kept = (desk.memory.recall(words, desk.ada).hits for words in ("radio", "kiosk red"))
    assert [hit.item.id for hit in gone] == []
    assert [hit.item.id for hit in kept] == [tasks[1]]


def test_proposals_lapse_to_archived_after_sixty_days_reversibly(desk: Desk) -> None:
    """A day before nothing happens; afterwards it can be brought back and waits again."""
    made = desk.remember(TEXT, desk.agent(), scope="repo")
    item = id_of(made)
    desk.clock.advance(59 * DAY)
    desk.do(Sweep(), ITSELF)
    before = desk.stored(item).status
    desk.clock.advance(2 * DAY)
    desk.do(Sweep(), ITSELF)
    lapsed = desk.stored(item).status
    desk.do(Mark(item=item, action="restore"), desk.ada_typed)

    assert isinstance(made, Proposed)
    assert (before, lapsed, desk.stored(item).status) == ("proposed", "archived", "proposed")


def test_purge_leaves_no_tombstone_unless_one_existed(desk: Desk) -> None:
    """What was only put away may be learned again; what was rejected as wrong may not."""
    put_away = id_of(desk.remember(TEXT, desk.ada, scope="repo"))
    wrong = id_of(desk.remember("Kiosks print receipts in colour", desk.ada, scope="repo"))
    desk.do(Mark(item=put_away, action="archive"), desk.ada)
    desk.do(Reject(item=wrong, reason="wrong"), desk.ada_typed)
    desk.do(Purge(items=(put_away, wrong)), desk.ada_typed)
    again = desk.remember(TEXT, desk.agent(), scope="agent")
    back = desk.remember("Kiosks print receipts in colour", desk.agent(), scope="agent")

    assert {desk.stored(item).status for item in (put_away, wrong)} == {"forgotten"}
    assert {desk.stored(item).content.title for item in (put_away, wrong)} == {""}
    assert isinstance(again, Created)
    assert isinstance(back, Refused)


def test_undo_does_not_bring_back_what_was_erased(desk: Desk) -> None:
    """Nor is it said again by corroborating it."""
    item = full(desk)
    desk.do(Forget(item=item), desk.ada_typed)
    with desk.store.read() as tx:
        seq = tx.events.head()[0]
    with pytest.raises(Exception, match=r"erased|forget"):
        desk.do(Undo(event=seq), desk.ada_typed)
    said = desk.remember(f"{TEXT} now", desk.agent("claude-code", "c9"), scope="repo")

    assert not isinstance(said, Corroborated)
    assert isinstance(said, Refused)
