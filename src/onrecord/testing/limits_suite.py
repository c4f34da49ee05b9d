"""Every list that has a limit: never longer, and of a known length where none is given."""

from __future__ import annotations

from collections.abc import Callable, Sized

from onrecord.domain.item import ItemQuery
from onrecord.domain.ports import Store, Transaction
from onrecord.testing.builders import REPO, Maker, keep, query

#: Rows of each kind: more than any list shows when it is not told how many.
MANY = 101


class LimitsSuite:
    """Limits as upper bounds, on every path that has one."""

    def test_a_list_is_never_longer_than_its_limit(self, store: Store) -> None:
        """None, one, some, and more than there are."""
        make = Maker()
        with store.write() as tx:
            _fill(tx, make)

        with store.read() as tx:
            for name, listed in _lists(tx, make).items():
                for limit in (0, 1, 7, MANY + 1):
                    assert (name, len(listed(limit))) == (name, min(limit, MANY))

    def test_a_list_has_its_usual_length_where_none_is_given(self, store: Store) -> None:
        """What the ports name as default."""
        make = Maker()
        with store.write() as tx:
            _fill(tx, make)

        with store.read() as tx:
            assert len(tx.items.page(ItemQuery())) == 50
            assert len(tx.items.ids_like("0")) == 10
            assert len(tx.events.latest()) == 50
            assert len(tx.sessions.recent()) == 20
            assert len(tx.handoffs.recent()) == 20
            assert len(tx.deliveries.recent()) == 20
            assert len(tx.outbox.due("vector")) == 100


def _fill(tx: Transaction, make: Maker) -> None:
    for _ in range(MANY):
        item = make.item("kestrel", kind="handoff")
        keep(tx, item)
        tx.handoffs.add(make.handoff(item.id))
        tx.provenance.add_review(make.review(item.id))
        tx.events.append(make.event())
        tx.sessions.put(make.session())
        tx.deliveries.add(make.delivery("s"))
        tx.outbox.add("vector", item.id, 1, 1)


def _lists(tx: Transaction, make: Maker) -> dict[str, Callable[[int], Sized]]:
    now, later, all_of = make.clock.now(), make.id(), ["global"]
    shelf = tx.shelf
    return {
        "page": lambda n: tx.items.page(ItemQuery(limit=n)),
        "ids_like": lambda n: tx.items.ids_like("0", limit=n),
        "latest": tx.events.latest,
        "sessions": lambda n: tx.sessions.recent(limit=n),
        "sessions of a repository": lambda n: tx.sessions.recent(repo=REPO, limit=n),
        "handoffs": lambda n: tx.handoffs.recent(limit=n),
        "deliveries": lambda n: tx.deliveries.recent(limit=n),
        "deliveries of a session": lambda n: tx.deliveries.recent(session="s", limit=n),
        "outbox": lambda n: tx.outbox.due("vector", limit=n),
        "standing": lambda n: shelf.standing(all_of, now=now, body_chars=9, limit=n),
        "matching": lambda n: shelf.matching(query("kestrel", now=now, limit=n), body_chars=9),
        "open_handoffs": lambda n: shelf.open_handoffs(REPO, "main", now=now, limit=n),
        "recent_sessions": lambda n: shelf.recent_sessions(REPO, before=later, limit=n),
        "approvals": lambda n: shelf.approvals(0, limit=n),
    }
