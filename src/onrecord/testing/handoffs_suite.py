"""Lease and state of handoffs."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.ports import Store, Transaction
from onrecord.domain.session import Handoff
from onrecord.testing.builders import REPO, Maker
from onrecord.testing.rich import AWKWARD, unset


def kept_handoff(tx: Transaction, make: Maker, session: str = "", **given: object) -> Handoff:
    """A stored handoff with its item."""
    item = make.item(kind="handoff", scope=REPO)
    handoff = make.handoff(item.id, session, **given)
    tx.items.add(item)
    tx.handoffs.add(handoff)
    return handoff


class HandoffsSuite:
    """What the handoffs port keeps."""

    def test_a_handoff_comes_back_as_it_was_stored(self, store: Store) -> None:
        """Every field survives."""
        make = Maker()
        with store.write() as tx:
            bare = kept_handoff(tx, make)
            rich = kept_handoff(
                tx,
                make,
                "s1",
                to_agent="codex",
                done=AWKWARD[0],
                state=AWKWARD[1],
                next=AWKWARD[4],
                questions=AWKWARD[5],
                head="0f3e",
                dirty={"src/a b.py": "aa", "é.txt": "bb"},
                status="claimed",
                automatic=True,
                claimed_by="s2",
                claimed_at=5,
                lease_until=6,
                acknowledged_at=7,
            )
        assert unset(rich) == set()

        with store.read() as tx:
            assert tx.handoffs.get(rich.item) == rich
            assert tx.handoffs.get(bare.item) == bare
            assert tx.handoffs.get(make.id()) is None

    def test_changing_a_handoff_stores_every_field(self, store: Store) -> None:
        """A claim and its release both come back as they were stored; others stay."""
        make = Maker()
        with store.write() as tx:
            first = kept_handoff(tx, make, done="half")
            other = kept_handoff(tx, make)
            claimed = replace(
                first, status="claimed", claimed_by="s2", claimed_at=5, lease_until=6, done="all"
            )
            tx.handoffs.change(claimed)
            assert tx.handoffs.get(first.item) == claimed
            tx.handoffs.change(first)

        with store.read() as tx:
            assert tx.handoffs.get(first.item) == first
            assert tx.handoffs.get(other.item) == other

    def test_recent_handoffs_come_newest_first(self, store: Store) -> None:
        """Repository, branch and statuses narrow; the limit is an upper bound."""
        make = Maker()
        with store.write() as tx:
            a = kept_handoff(tx, make)
            b = kept_handoff(tx, make, branch="topic")
            c = kept_handoff(tx, make, status="acknowledged")
            d = kept_handoff(tx, make, repo="repo:github.com/acme/other")

        with store.read() as tx:
            recent = tx.handoffs.recent
            assert recent() == [d, c, b, a]
            assert recent(limit=2) == [d, c]
            assert recent(limit=0) == []
            assert recent(repo=REPO) == [c, b, a]
            assert recent(repo=REPO, branch="main") == [c, a]
            assert recent(branch="topic") == [b]
            assert recent(statuses=["open"]) == [d, b, a]
            assert recent(repo=REPO, statuses=["open", "acknowledged"]) == [c, b, a]
            assert recent(statuses=[]) == []
            assert recent(branch="Main") == []

    def test_texts_are_searched_letter_for_letter(self, store: Store) -> None:
        """What was done, the state, what is next and the questions count."""
        make = Maker()
        with store.write() as tx:
            a = kept_handoff(
                tx, make, done="Rotated", state="50% of it", next="naïve_part", head="q"
            )
            b = kept_handoff(tx, make, questions="Why it's so?", next="")

        with store.read() as tx:
            said = tx.handoffs.mentioning
            for text in ("Rotated", "50%", "naïve_part", "part"):
                assert said(text) == [a]
            assert said("it's") == [b]
            for off in ("rotated", "R%d", "naive", "naïve%part", "%%"):
                assert said(off) == []
