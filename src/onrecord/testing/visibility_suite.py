"""Which items a lexical query may find at all: inside its scopes, statuses, kinds and time."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.ports import Store
from onrecord.testing.builders import REPO, Maker, document, keep
from onrecord.testing.matching_suite import found

_WITHHELD = ("proposed", "archived", "rejected", "superseded", "forgotten")


class VisibilitySuite:
    """Which items a lexical query may find at all."""

    def test_only_the_asked_scopes_are_searched(self, store: Store) -> None:
        """A perfect match elsewhere is absent, and nothing is found in no scope."""
        make = Maker()
        here, there = make.item("kestrel"), make.item("kestrel", scope=REPO)
        branch = make.item("kestrel", scope="branch:github.com/acme/shop@main")
        with store.write() as tx:
            keep(tx, here, there, branch)

        with store.read() as tx:
            assert found(tx, make, "kestrel") == [here.id]
            assert found(tx, make, "kestrel", scopes=[REPO]) == [there.id]
            both = found(tx, make, "kestrel", scopes=[REPO, "org:none", "global"])
            assert set(both) == {here.id, there.id}
            assert found(tx, make, "kestrel", scopes=["org:none"]) == []
            assert found(tx, make, "kestrel", scopes=[]) == []

    def test_many_scopes_can_be_searched(self, store: Store) -> None:
        """A long ladder finds what is in any of its scopes and nothing else."""
        make = Maker()
        items = [make.item("kestrel", scope=f"project:p{n}") for n in range(60)]
        with store.write() as tx:
            keep(tx, *items)

        with store.read() as tx:
            odd = [item for n, item in enumerate(items) if n % 2]
            seen = found(tx, make, "kestrel", scopes=[item.scope for item in odd])
            assert set(seen) == {item.id for item in odd}

    def test_only_active_items_are_found(self, store: Store) -> None:
        """Proposed, archived, rejected, superseded and forgotten ones never are."""
        make = Maker()
        active = make.item("kestrel")
        others = [make.item("kestrel", status=status) for status in _WITHHELD]
        with store.write() as tx:
            keep(tx, active, *others)

        with store.read() as tx:
            assert found(tx, make, "kestrel") == [active.id]

    def test_a_label_that_lags_behind_hides_nothing_withheld(self, store: Store) -> None:
        """An item that is no longer active is absent even where the index still calls it live."""
        make = Maker()
        items = [make.item("kestrel") for _ in _WITHHELD]
        active = make.item("kestrel")
        with store.write() as tx:
            keep(tx, *items, active)
            for item, status in zip(items, _WITHHELD, strict=True):
                tx.items.change(replace(item, status=status), at=make.clock.now())
                tx.index.put(document(item, live=True))

        with store.read() as tx:
            assert found(tx, make, "kestrel") == [active.id]

    def test_only_what_is_valid_now_is_found(self, store: Store) -> None:
        """Validity is half-open: from its first instant on, up to but without its end."""
        make = Maker()
        now = make.clock.now() + 1_000_000_000
        always = make.item("kestrel")
        begun = make.item("kestrel", valid_from=now)
        lasting = make.item("kestrel", valid_to=now + 1)
        over = make.item("kestrel", valid_to=now)
        coming = make.item("kestrel", valid_from=now + 1)
        with store.write() as tx:
            keep(tx, always, begun, lasting, over, coming)

        with store.read() as tx:
            seen = found(tx, make, "kestrel", now=now)
            assert set(seen) == {always.id, begun.id, lasting.id}

    def test_expired_items_are_not_found(self, store: Store) -> None:
        """At the very instant of its expiry an item is past."""
        make = Maker()
        now = make.clock.now() + 1_000_000_000
        lasting = make.item("kestrel", expires_at=now + 1)
        past = make.item("kestrel", expires_at=now)
        with store.write() as tx:
            keep(tx, lasting, past)

        with store.read() as tx:
            assert found(tx, make, "kestrel", now=now) == [lasting.id]

    def test_kinds_narrow(self, store: Store) -> None:
        """Any of the kinds fits; none given means all."""
        make = Maker()
        fact, rule, task = (make.item("kestrel", kind=kind) for kind in ("fact", "rule", "task"))
        with store.write() as tx:
            keep(tx, fact, rule, task)

        with store.read() as tx:
            assert set(found(tx, make, "kestrel", kinds=["fact", "rule"])) == {fact.id, rule.id}
            assert found(tx, make, "kestrel", kinds=["lesson"]) == []
            assert len(found(tx, make, "kestrel", kinds=None)) == 3

    def test_what_cannot_be_found_takes_no_place(self, store: Store) -> None:
        """The limit counts what may be seen, however many better matches are withheld."""
        make = Maker()
        now = make.clock.now() + 1_000_000_000
        withheld = {"status": "proposed"}, {"expires_at": now}, {"valid_to": now}, {"scope": REPO}
        with store.write() as tx:
            for given in withheld:
                keep(tx, *(make.item("kestrel kestrel", kind="fact", **given) for _ in range(8)))
            keep(tx, *(make.item("kestrel kestrel", kind="task") for _ in range(8)))
            visible = make.item("a kestrel among many other words", kind="fact")
            keep(tx, visible)

        with store.read() as tx:
            assert found(tx, make, "kestrel", now=now, kinds=["fact"], limit=1) == [visible.id]
