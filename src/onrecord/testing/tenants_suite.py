"""Two tenants in one place never meet."""

from __future__ import annotations

from onrecord.domain.event import GENESIS
from onrecord.domain.item import ItemQuery
from onrecord.domain.ports import Store, Transaction
from onrecord.testing.builders import REPO, Maker, digest, keep, query
from onrecord.testing.vectors_suite import space

_ALL = ("proposed", "active", "archived", "rejected", "superseded", "forgotten")


class TenantSuite:
    """A store of one tenant beside `other_tenant_store` in the same place."""

    def test_nothing_of_one_tenant_is_seen_by_the_other(
        self, store: Store, other_tenant_store: Store
    ) -> None:
        """Every way of looking finds it on one side and nothing on the other."""
        make = Maker()
        with store.write() as tx:
            _fill(tx, make)

        now = make.clock.now()
        with other_tenant_store.read() as tx:
            assert _seen(tx, now) == []
            assert tx.events.head() == (0, GENESIS)
        with store.read() as tx:
            assert len(_seen(tx, now)) == 19
        with other_tenant_store.write() as tx:
            assert tx.events.count_refusal("codex", "switch", 1) == 1
            assert tx.sessions.seen_record(digest("r"), 1) is False
            assert tx.events.due_refusals(9) == []

    def test_the_same_ids_and_names_can_be_used_by_both(
        self, store: Store, other_tenant_store: Store
    ) -> None:
        """Ids, keys, sessions, scopes and numbers of the log do not collide."""
        for each in (store, other_tenant_store):
            with each.write() as tx:
                _fill(tx, Maker())

        for each in (store, other_tenant_store):
            with each.read() as tx:
                assert len(_seen(tx, Maker().tick(999_000_000))) == 19
                assert tx.events.head()[0] == 1

    def test_vectors_of_one_tenant_are_not_the_others(
        self, store: Store, other_tenant_store: Store
    ) -> None:
        """The same space and item on both sides: each tells and drops its own alone."""
        for each, vector in ((store, b"\x01\x02\x03"), (other_tenant_store, b"\x04\x05\x06")):
            item = Maker().item("kestrel")
            with each.write() as tx:
                keep(tx, item)
                tx.vectors.open(space())
                tx.vectors.put("s1", item.id, 1, [vector])
        with other_tenant_store.write() as tx:
            tx.vectors.switch("s1")
            tx.items.erase(item.id, 9)
            assert tx.vectors.of("s1", "global") == []

        with store.read() as tx:
            assert tx.vectors.of("s1", "global") == [(item.id, b"\x01\x02\x03")]
            assert [one.current for one in tx.vectors.spaces()] == [False]
            assert [
                one.id
                for one in tx.vectors.fitting(
                    [item.id], scopes=["global"], kinds=None, now=item.created_at, body_chars=9
                )
            ] == [item.id]
        with other_tenant_store.read() as tx:
            assert (
                tx.vectors.fitting(
                    [item.id], scopes=["global"], kinds=None, now=item.created_at, body_chars=9
                )
                == []
            )

    def test_one_tenant_cannot_change_what_is_the_others(
        self, store: Store, other_tenant_store: Store
    ) -> None:
        """Writes by an id of another tenant's reach nothing there."""
        make = Maker()
        item, session = make.item("kestrel", key="k"), make.session("codex", "x")
        delivery = make.delivery(session.id, shown=[item], query="kestrel")
        stone = make.tombstone(item.id, "a")
        with store.write() as tx:
            keep(tx, item)
            tx.sessions.put(session)
            tx.deliveries.add(delivery)
            tx.tombstones.add(stone)
            tx.outbox.add("vector", item.id, 1, 1)
            ((owed, _, _),) = tx.outbox.due("vector")
            before = tx.items.get(item.id)
        with other_tenant_store.write() as tx:
            tx.items.bump([item.id], opened=9)
            tx.items.erase(item.id, 5)
            tx.index.drop(item.id)
            tx.index.relabel(item.id, scope="org:x", live=False)
            tx.index.clear()
            tx.deliveries.forget_shown(session.id, make.tick())
            tx.deliveries.blank_queries("kestrel")
            tx.tombstones.lift(stone.id, 5, "eve")
            tx.outbox.done([owed])
            tx.sessions.link_synthetic(session.id, "other")

        with store.read() as tx:
            assert tx.items.get(item.id) == before
            assert tx.deliveries.get(delivery.id) == delivery
            assert dict(tx.deliveries.shown(session.id)) == {item.id: 1}
            assert [stone.lifted_at for stone in tx.tombstones.of(item.id)] == [None]
            assert tx.outbox.due("vector") == [(owed, item.id, 1)]
            found = tx.shelf.matching(query("kestrel", now=make.clock.now()), body_chars=9)
            assert [candidate.id for candidate in found] == [item.id]


def _fill(tx: Transaction, make: Maker) -> None:
    item = make.item("kestrel", key="k", same=digest("same"))
    proposal = make.item("waiting", status="proposed", scope=REPO, kind="handoff")
    session = make.session("codex", "x", last_prompt="kestrel")
    keep(tx, item, proposal)
    tx.sessions.put(session)
    tx.sessions.note_call("codex", "call", session.id, 1)
    tx.sessions.note_process("codex", 1, 1, session.id, 1)
    tx.sessions.note_read("s", "i", 1, 1)
    tx.sessions.seen_record(digest("r"), 1)
    tx.tombstones.add(make.tombstone(item.id, "a", sketch=b"s"))
    tx.tombstones.note_erased_key(digest("k"), 1)
    tx.events.append(make.event("created", "t"))
    for _ in range(2):
        tx.events.count_refusal("codex", "switch", 1)
    tx.handoffs.add(make.handoff(proposal.id, done="kestrel"))
    tx.deliveries.add(make.delivery(session.id, shown=[item]))
    tx.scopes.alias("org:a", "org:b", 1)
    tx.settings.put("saving", "off", at=1, by="ada")
    tx.outbox.add("vector", item.id, 1, 1)
    tx.answers.put("codex", "key", b"", "{}", "", 1)
    tx.provenance.add_review(make.review(item.id))


def _seen(tx: Transaction, now: int) -> list[object]:
    """What each way of looking finds; empty answers left out."""
    looks: list[object] = [
        tx.items.page(ItemQuery()),
        tx.items.by_key("global", "k", _ALL),
        tx.items.by_same(digest("same"), _ALL),
        tx.items.ids_like("0"),
        tx.shelf.approvals(0, limit=9),
        tx.tombstones.with_prints([digest("a")]),
        tx.tombstones.with_sketches(),
        tx.tombstones.erased_key(digest("k")),
        list(tx.events.walk()),
        tx.sessions.by_agent_session("codex", "x"),
        tx.sessions.session_of_call("codex", "call"),
        tx.sessions.mentioning("kestrel"),
        tx.handoffs.mentioning("kestrel"),
        tx.deliveries.recent(),
        tx.scopes.names(),
        tx.settings.everything(),
        tx.outbox.due("vector"),
        tx.answers.get("codex", "key"),
        tx.shelf.matching(query("kestrel", now=now), body_chars=9),
    ]
    return [look for look in looks if look]
