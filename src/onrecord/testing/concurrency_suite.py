"""Several handles on one place: writers take turns, readers see one state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Barrier, Event, Thread

from onrecord.domain.errors import Clash
from onrecord.domain.event import broken_at
from onrecord.domain.ports import Store
from onrecord.testing.builders import Maker, keep, query

#: Long enough for a slow machine; a wait that takes it has failed.
PATIENCE_S = 60.0


class ConcurrencySuite:
    """What holds between handles; `reopen()` gives one more on the place of `store`."""

    def test_a_commit_is_seen_through_every_handle(
        self, store: Store, reopen: Callable[[], Store]
    ) -> None:
        """By the next transaction, in both directions."""
        make = Maker()
        other = reopen()
        item, second = make.item("one"), make.item("two")
        with store.write() as tx:
            keep(tx, item)
        with other.write() as tx:
            assert tx.items.get(item.id) == item
            keep(tx, second)

        with store.read() as tx:
            assert tx.items.many([item.id, second.id]) == [item, second]
        other.close()

    def test_a_reader_sees_one_unchanging_state(
        self, store: Store, reopen: Callable[[], Store]
    ) -> None:
        """What is committed during a read is not seen by it, in any port, but by the next."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            keep(tx, item)
        writer = reopen()
        with store.read() as tx:
            assert tx.items.get(item.id) == item
            with writer.write() as wtx:
                keep(wtx, make.item("kestrel too"))
                wtx.items.change(replace(item, pinned=True), at=make.clock.now())
                wtx.events.append(make.event())
            assert tx.items.get(item.id) == item
            assert tx.items.count(None, ["active"]) == 1
            assert list(tx.events.walk()) == []
            found = tx.shelf.matching(query("kestrel", now=make.clock.now()), body_chars=9)
            assert [candidate.id for candidate in found] == [item.id]

        with store.read() as tx:
            assert tx.items.count(None, ["active"]) == 2
            assert tx.events.head()[0] == 1
        writer.close()

    def test_an_unfinished_write_is_not_seen(
        self, store: Store, reopen: Callable[[], Store]
    ) -> None:
        """Readers of another handle are not held up either."""
        make = Maker()
        item = make.item("kestrel")
        reader = reopen()
        with store.write() as tx:
            keep(tx, item)
            with reader.read() as rtx:
                assert rtx.items.get(item.id) is None

        with reader.read() as rtx:
            assert rtx.items.get(item.id) == item
        reader.close()

    def test_writers_take_turns(self, store: Store, reopen: Callable[[], Store]) -> None:
        """A second writer waits for the first and then builds upon what it left."""
        make = Maker()
        inside, order = Event(), list[str]()

        def second() -> None:
            other = reopen()
            inside.wait(PATIENCE_S)
            with other.write() as tx:
                order.append("second begins")
                tx.events.append(make.event("second"))
            other.close()

        thread = Thread(target=second)
        thread.start()
        with store.write() as tx:
            inside.set()
            tx.events.append(make.event("first"))
            # The other thread is at its own write() by now or will be; either way it waits.
            thread.join(0.05)
            order.append("first ends")
        thread.join(PATIENCE_S)

        assert order == ["first ends", "second begins"]
        with store.read() as tx:
            assert [event.action for event in tx.events.walk()] == ["first", "second"]
            assert broken_at(tx.events.walk()) is None

    def test_the_log_is_gapless_whoever_writes(
        self, store: Store, reopen: Callable[[], Store]
    ) -> None:
        """Lines of many writers form one chain, each writer's in its own order."""
        writers, lines = 4, 12
        barrier = Barrier(writers)

        def write(name: str) -> None:
            make, own = Maker(), reopen()
            barrier.wait(PATIENCE_S)
            for n in range(lines):
                with own.write() as tx:
                    tx.events.append(make.event(target=name, before=n))
            own.close()

        _all_at_once([partial(write, str(n)) for n in range(writers)])

        with store.read() as tx:
            events = list(tx.events.walk())
            assert broken_at(events, tx.events.head()) is None
            assert len(events) == writers * lines
            for n in range(writers):
                assert [e.before for e in events if e.target == str(n)] == list(range(lines))

    def test_no_update_is_lost(self, store: Store, reopen: Callable[[], Store]) -> None:
        """Reading and then writing in one transaction is safe against every other writer."""
        writers, turns = 4, 10
        item = Maker().item("count", body="0")
        with store.write() as tx:
            tx.items.add(item)
        barrier = Barrier(writers)

        def count() -> None:
            own = reopen()
            barrier.wait(PATIENCE_S)
            for _ in range(turns):
                with own.write() as tx:
                    now = tx.items.get(item.id)
                    assert now is not None
                    make = Maker(at=now.head.recorded_at)
                    tx.items.revise(make.revised(now, body=str(int(now.content.body) + 1)))
            own.close()

        _all_at_once([count] * writers)

        with store.read() as tx:
            last = tx.items.get(item.id)
            assert last is not None
            assert last.content.body == str(writers * turns)
            assert [v.n for v in tx.items.history(item.id)] == list(range(1, writers * turns + 2))

    def test_one_of_two_stale_writers_wins(
        self, store: Store, reopen: Callable[[], Store]
    ) -> None:
        """Both revise what they read before; the later one is told, and nothing is lost."""
        make = Maker()
        item = make.item("base")
        other = reopen()
        with store.write() as tx:
            tx.items.add(item)
        mine, theirs = make.revised(item, "mine"), make.revised(item, "theirs")
        with other.write() as tx:
            tx.items.revise(theirs)
        stale = False
        try:
            with store.write() as tx:
                tx.items.revise(mine)
        except Clash:
            stale = True

        assert stale
        with store.read() as tx:
            assert tx.items.get(item.id) == theirs
        other.close()


def _all_at_once(works: list[Callable[[], None]]) -> None:
    """Run each in a thread of its own; what one of them raises comes out."""
    failures: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as failure:  # noqa: BLE001 - told to the test's own thread
            failures.append(failure)

    threads = [Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    if failures:
        raise failures[0]
    assert not any(thread.is_alive() for thread in threads)
