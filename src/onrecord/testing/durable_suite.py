"""What was committed is there after the store was closed and opened again."""

from __future__ import annotations

from collections.abc import Callable

from onrecord.domain.event import broken_at
from onrecord.domain.item import ItemQuery
from onrecord.domain.ports import Store
from onrecord.testing.builders import Maker, digest, keep, keep_revised, query
from onrecord.testing.failure import raises
from onrecord.testing.rich import rich_event, rich_item, rich_session


class DurableSuite:
    """What survives closing; `reopen()` opens the place of `store` again."""

    def test_what_was_committed_is_there(self, store: Store, reopen: Callable[[], Store]) -> None:
        """Items, versions, the log, sessions, the index and settings."""
        make = Maker()
        item = rich_item(make, scope="global", valid_to=None, expires_at=None)
        revised = make.revised(item, body="a kestrel")
        session = rich_session(make)
        with store.write() as tx:
            keep(tx, item)
            keep_revised(tx, revised)
            tx.sessions.put(session)
            tx.settings.put("saving", "off", at=1, by="ada")
            tx.outbox.add("vector", item.id, 2, 1)
            head = tx.events.append(rich_event(make, item.id))
        store.close()

        again = reopen()
        with again.read() as tx:
            assert tx.items.get(item.id) == revised
            assert len(tx.items.history(item.id)) == 2
            assert list(tx.events.walk()) == [head]
            assert broken_at(tx.events.walk(), (head.seq, head.hash)) is None
            assert tx.sessions.get(session.id) == session
            assert tx.settings.everything() == [("saving", "global", "off")]
            assert [entry[1:] for entry in tx.outbox.due("vector")] == [(item.id, 2)]
            assert tx.scopes.names() == ["global"]
            found = tx.shelf.matching(query("kestrel", now=item.created_at), body_chars=9)
            assert [candidate.id for candidate in found] == [item.id]
        assert list(again.faults()) == []
        again.close()

    def test_what_was_undone_is_not_there(self, store: Store, reopen: Callable[[], Store]) -> None:
        """Neither before nor after reopening."""
        make = Maker()
        kept = make.item("kept")
        with store.write() as tx:
            keep(tx, kept)
        with raises(ZeroDivisionError), store.write() as tx:
            keep(tx, make.item("undone", key="k"))
            tx.events.append(make.event())
            raise ZeroDivisionError
        store.close()

        again = reopen()
        with again.read() as tx:
            assert tx.items.page(ItemQuery()) == [kept]
            assert list(tx.events.walk()) == []
            assert tx.shelf.matching(query("undone", now=make.clock.now()), body_chars=9) == []
        again.close()

    def test_the_log_goes_on_where_it_ended(
        self, store: Store, reopen: Callable[[], Store]
    ) -> None:
        """One chain across openings."""
        make = Maker()
        with store.write() as tx:
            first = tx.events.append(make.event())
        store.close()
        again = reopen()
        with again.write() as tx:
            second = tx.events.append(make.event())

        assert (second.seq, second.prev_hash) == (2, first.hash)
        with again.read() as tx:
            assert broken_at(tx.events.walk()) is None
        again.close()

    def test_an_erasure_is_final(self, store: Store, reopen: Callable[[], Store]) -> None:
        """Reopening brings nothing back, and the tombstone is there."""
        make = Maker()
        item = make.item("kestrel", key="k")
        with store.write() as tx:
            keep(tx, item)
            tx.tombstones.add(make.tombstone(item.id, "kestrel", reason="forgotten"))
        with store.write() as tx:
            tx.items.erase(item.id, 5)
        store.scrub()
        store.close()

        again = reopen()
        with again.read() as tx:
            assert [v.content.title for v in tx.items.history(item.id)] == [""]
            assert len(tx.tombstones.with_prints([digest("kestrel")])) == 1
            assert tx.shelf.matching(query("kestrel", now=make.clock.now()), body_chars=9) == []
        again.close()
