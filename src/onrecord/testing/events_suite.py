"""The audit log: chained, gapless, append-only."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from onrecord.domain.event import GENESIS, Event, EventQuery, broken_at, chain
from onrecord.domain.ports import Store
from onrecord.domain.principal import Principal
from onrecord.testing.builders import REPO, Maker, digest, keep
from onrecord.testing.rich import AWKWARD, rich_event, unset


class EventsSuite:
    """What the events port keeps."""

    def test_an_empty_log_starts_at_the_beginning(self, store: Store) -> None:
        """Its head is line 0 with the hash before every other."""
        with store.read() as tx:
            assert tx.events.head() == (0, GENESIS)
            assert list(tx.events.walk()) == []
            assert tx.events.latest() == []
            assert tx.events.get(0) is None
            assert tx.events.get(1) is None

    def test_an_appended_event_is_bound_to_the_line_before(self, store: Store) -> None:
        """The returned events carry their number and hashes, and they are what is stored."""
        make = Maker()
        lines = [make.event("created", "a"), rich_event(make, "b"), make.event("pinned", "a")]
        with store.write() as tx:
            kept = [tx.events.append(line) for line in lines[:2]]
        with store.write() as tx:
            kept.append(tx.events.append(lines[2]))

        wanted: list[Event] = []
        for n, line in enumerate(lines, start=1):
            wanted.append(chain(line, n, wanted[-1].hash if wanted else GENESIS))
        assert kept == wanted
        with store.read() as tx:
            assert list(tx.events.walk()) == wanted
            assert tx.events.head() == (3, wanted[-1].hash)

    def test_every_field_of_an_event_survives(self, store: Store) -> None:
        """What comes back hashes to the same line."""
        make = Maker()
        event = rich_event(make, "x")
        assert unset(event) == {"seq", "prev_hash", "hash"}
        with store.write() as tx:
            kept = tx.events.append(event)

        with store.read() as tx:
            found = tx.events.get(1)
            assert found == kept
            assert found is not None
            for field in fields(Event):
                if field.name not in ("seq", "prev_hash", "hash"):
                    assert getattr(found, field.name) == getattr(event, field.name)

    def test_changed_values_of_any_plain_type_verify(self, store: Store) -> None:
        """Numbers, truth values, text, nothing and lists come back hashing to the same line."""
        make = Maker()
        values = [None, True, False, 0, 1, -1, 2**53, 0.5, "", "é", ["a", ["b"]], ("a", None), []]
        with store.write() as tx:
            kept = [tx.events.append(make.event(change={"x": (v, None)})) for v in values]

        with store.read() as tx:
            assert list(tx.events.walk()) == kept
            assert broken_at(tx.events.walk()) is None
            flags = [event.change["x"][0] for event in kept[1:5]]
            assert [type(flag) for flag in flags] == [bool, bool, int, int]

    def test_the_place_of_an_event_is_the_stores_to_give(self, store: Store) -> None:
        """A number and hashes that the caller brings are not taken over."""
        make = Maker()
        forged = replace(make.event(), seq=99, prev_hash=digest("p"), hash=digest("h"))
        with store.write() as tx:
            kept = tx.events.append(forged)

        assert kept == chain(forged, 1, GENESIS)
        with store.read() as tx:
            assert tx.events.get(99) is None
            assert tx.events.get(1) == kept

    def test_a_long_log_verifies(self, store: Store) -> None:
        """A chain over many transactions is whole, and contains its exported head."""
        make = Maker()
        for start in range(0, 60, 20):
            with store.write() as tx:
                for n in range(start, start + 20):
                    tx.events.append(make.event("created", AWKWARD[n % len(AWKWARD)], before=n))

        with store.read() as tx:
            assert broken_at(tx.events.walk()) is None
            assert broken_at(tx.events.walk(), tx.events.head()) is None
            assert [event.seq for event in tx.events.walk()] == list(range(1, 61))
            assert [event.seq for event in tx.events.walk(55)] == list(range(55, 61))
            assert list(tx.events.walk(61)) == []

    def test_lines_are_found_by_target(self, store: Store) -> None:
        """In order, letter for letter."""
        make = Maker()
        with store.write() as tx:
            kept = [tx.events.append(make.event(f"a{n}", "xyx"[n % 3])) for n in range(6)]
            tx.events.append(make.event("a", "X"))

        with store.read() as tx:
            assert tx.events.of("x") == [kept[0], kept[2], kept[3], kept[5]]
            assert tx.events.of("y") == [kept[1], kept[4]]
            assert tx.events.of("%") == []

    def test_the_latest_lines_come_first(self, store: Store) -> None:
        """The limit is an upper bound, and `before` leaves out that line and later ones."""
        make = Maker()
        with store.write() as tx:
            kept = [tx.events.append(make.event()) for _ in range(5)]
        newest = list(reversed(kept))

        with store.read() as tx:
            assert tx.events.latest() == newest
            assert tx.events.latest(2) == newest[:2]
            assert tx.events.latest(2, before=4) == newest[2:4]
            assert tx.events.latest(before=1) == []
            assert tx.events.latest(0) == []

    def test_lines_are_found_by_what_they_say(self, store: Store) -> None:
        """By whom, what, why, when and where; several values of one kind are or."""
        make = Maker()
        item = make.item("kestrel", scope=REPO)
        ada = Principal.person("ada", channel="terminal")
        codex = Principal.for_agent("codex", user="ada")
        itself = Principal(writer="system", channel="system")
        with store.write() as tx:
            keep(tx, item)
            for action, target, by, code in (
                ("created", item.id, ada, ""),
                ("refused", "", codex, "authority.pin"),
                ("set", f"saving@{REPO}", ada, ""),
                ("set", f"saving@{REPO}2", ada, ""),
                ("scope_moved", REPO, itself, "rename"),
                ("pinned", item.id, codex, ""),
            ):
                tx.events.append(make.event(action, target, by=by, code=code))
        with store.read() as tx:
            lines = list(tx.events.walk())

            def seqs(limit: int = 50, before: int | None = None, **given: Any) -> list[int]:
                query = EventQuery(**given)
                return [e.seq for e in tx.events.latest(limit, before=before, query=query)]

            assert seqs() == [6, 5, 4, 3, 2, 1]
            assert seqs(2, 6) == [5, 4]
            assert seqs(parties=("ada",)) == [4, 3, 1]
            assert seqs(parties=("codex", "system")) == [6, 5, 2]
            assert seqs(parties=("person",)) == [4, 3, 1]
            assert seqs(agents=("codex",)) == [6, 2]
            assert seqs(actions=("pinned", "created")) == [6, 1]
            assert seqs(codes=("authority.pin",)) == [2]
            assert seqs(target=item.id) == [6, 1]
            assert seqs(scopes=(REPO,)) == [6, 5, 3, 1]
            assert seqs(scopes=("%",)) == []
            assert seqs(since=lines[2].at, until=lines[4].at) == [4, 3]
            assert seqs(scopes=(REPO,), agents=("codex",)) == [6]
            assert seqs(parties=()) == []

    def test_equal_refusals_are_counted(self, store: Store) -> None:
        """The count is per party, rule and minute."""
        with store.write() as tx:
            count = tx.events.count_refusal
            assert [count("codex", "switch", 5) for _ in range(3)] == [1, 2, 3]
            assert count("codex", "scope", 5) == 1
            assert count("claude-code", "switch", 5) == 1
            assert count("codex", "switch", 6) == 1
        with store.write() as tx:
            assert tx.events.count_refusal("codex", "switch", 5) == 4

    def test_due_refusals_are_told_once(self, store: Store) -> None:
        """Counts above one of earlier minutes are given and forgotten; this minute's stay."""
        with store.write() as tx:
            for party, rule, minute, times in (
                ("codex", "switch", 5, 3),
                ("codex", "scope", 5, 1),
                ("claude-code", "switch", 6, 2),
                ("codex", "switch", 7, 2),
            ):
                for _ in range(times):
                    tx.events.count_refusal(party, rule, minute)
            due = tx.events.due_refusals(7)
            assert sorted(due) == [("claude-code", "switch", 6, 2), ("codex", "switch", 5, 3)]
            assert tx.events.due_refusals(7) == []

        with store.write() as tx:
            assert tx.events.due_refusals(8) == [("codex", "switch", 7, 2)]
