"""What a new session can go on from: open handoffs and recent sessions."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.ports import Store
from onrecord.domain.principal import Principal
from onrecord.domain.time import DAY
from onrecord.testing.builders import BRANCH, REPO, Maker
from onrecord.testing.handoffs_suite import kept_handoff
from onrecord.testing.observables import row
from onrecord.testing.rich import rich_item
from onrecord.testing.shelf_suite import row_of


class ContinuitySuite:
    """What a new session can go on from."""

    def test_open_handoffs_of_the_branch_come_first(self, store: Store) -> None:
        """Then those of other branches, newest first; the limit is an upper bound."""
        make = Maker()
        with store.write() as tx:
            codex, claude = make.session("codex", "x"), make.session("claude-code", "y")
            tx.sessions.put(codex)
            tx.sessions.put(claude)
            a = kept_handoff(tx, make, codex.id, head="c0ffee")
            b = kept_handoff(tx, make, claude.id, branch="topic", to_agent="codex")
            c = kept_handoff(tx, make, claude.id)
            d = kept_handoff(tx, make, codex.id, branch="")

        with store.read() as tx:
            now, offered = make.clock.now(), tx.shelf.open_handoffs
            found = [(c.id, *rest) for c, *rest in offered(REPO, "main", now=now, limit=9)]
            assert found == [
                (c.item, "claude-code", "", "main", c.head),
                (a.item, "codex", "", "main", "c0ffee"),
                (d.item, "codex", "", "", d.head),
                (b.item, "claude-code", "codex", "topic", b.head),
            ]
            topic = [c.id for c, *_ in offered(REPO, "topic", now=now, limit=2)]
            assert topic == [b.item, d.item]
            assert offered(REPO, "main", now=now, limit=0) == []

    def test_what_a_run_by_itself_left_comes_after_what_sessions_left(self, store: Store) -> None:
        """On the same branch, however new it is; its agent's own words are as good as any."""
        make = Maker()
        with store.write() as tx:
            person, script = make.session("codex", "x"), make.session("codex", "y", headless=True)
            tx.sessions.put(person)
            tx.sessions.put(script)
            sat = kept_handoff(tx, make, person.id, automatic=True)
            own = kept_handoff(tx, make, script.id)
            alone = kept_handoff(tx, make, script.id, automatic=True)
            unknown = kept_handoff(tx, make, automatic=True)
            far = kept_handoff(tx, make, person.id, automatic=True, branch="topic")

        with store.read() as tx:
            now, offered = make.clock.now(), tx.shelf.open_handoffs
            found = [c.id for c, *_ in offered(REPO, "main", now=now, limit=9)]
            assert found == [unknown.item, own.item, sat.item, alone.item, far.item]

    def test_only_open_handoffs_of_the_repository_are_offered(self, store: Store) -> None:
        """Those that were taken, lapsed, or belong elsewhere are absent."""
        make = Maker()
        with store.write() as tx:
            here = kept_handoff(tx, make)
            kept_handoff(tx, make, repo="repo:github.com/acme/other")
            for status in ("acknowledged", "expired", "cancelled", "replaced"):
                kept_handoff(tx, make, status=status)
            lapsing = kept_handoff(tx, make, lapses_at=here.created_at + DAY)
            kept_handoff(
                tx,
                make,
                status="claimed",
                claimed_by="s",
                claimed_at=here.created_at,
                lease_until=here.created_at + 9 * DAY,
            )

        with store.read() as tx:
            offered = tx.shelf.open_handoffs
            before = [c.id for c, *_ in offered(REPO, "main", now=lapsing.lapses_at - 1, limit=9)]
            assert before == [lapsing.item, here.item]
            after = [c.id for c, *_ in offered(REPO, "main", now=lapsing.lapses_at, limit=9)]
            assert after == [here.item]
            assert offered("repo:none", "main", now=here.created_at, limit=9) == []

    def test_a_withheld_handoff_is_not_offered(self, store: Store) -> None:
        """A handoff whose item is not active says nothing to the next agent."""
        make = Maker()
        with store.write() as tx:
            good = kept_handoff(tx, make)
            for status in ("proposed", "archived", "rejected", "superseded", "forgotten"):
                bad = tx.items.get(kept_handoff(tx, make).item)
                assert bad is not None
                tx.items.change(replace(bad, status=status), at=make.clock.now())

        with store.read() as tx:
            found = tx.shelf.open_handoffs(REPO, "main", now=good.created_at, limit=9)
            assert [c.id for c, *_ in found] == [good.item]

    def test_a_handoff_is_told_by_its_items_row(self, store: Store) -> None:
        """The candidate is the item as it is now."""
        make = Maker()
        item = rich_item(make, kind="handoff", expires_at=None, valid_from=None, valid_to=None)
        with store.write() as tx:
            tx.items.add(item)
            tx.handoffs.add(make.handoff(item.id))

        with store.read() as tx:
            ((found, *_),) = tx.shelf.open_handoffs(REPO, "main", now=make.clock.now(), limit=1)
            assert row(found) == row_of(item)

    def test_a_handoff_whose_lease_ran_out_is_offered_again(self, store: Store) -> None:
        """At the lease's very end it is free; until then it is not."""
        make = Maker()
        with store.write() as tx:
            at = make.clock.now()
            taken = kept_handoff(
                tx, make, status="claimed", claimed_by="s", claimed_at=at, lease_until=at + DAY
            )

        with store.read() as tx:
            offered = tx.shelf.open_handoffs
            assert offered(REPO, "main", now=at + DAY - 1, limit=9) == []
            found = offered(REPO, "main", now=at + DAY, limit=9)
            assert [c.id for c, *_ in found] == [taken.item]

    def test_unfinished_sessions_are_told_newest_event_first(self, store: Store) -> None:
        """Running ones by their process, ended ones that are still to be closed by none."""
        make = Maker()
        running = make.session("codex", "a", pid=7, pid_started=70)
        unknown = make.session("codex", "b")
        closing = make.session("claude-code", "c", pid=8, pid_started=80, ended_at=9)
        closed = make.session("codex", "d", pid=9, pid_started=90, ended_at=9)
        elsewhere = make.session("codex", "e", pid=6, repo="repo:github.com/acme/other")
        running = replace(running, last_event_at=make.tick())
        with store.write() as tx:
            for session in (running, unknown, closing, closed, elsewhere):
                tx.sessions.put(session)
            tx.outbox.add("close", closing.id, 0, 1)
            tx.outbox.add("vector", closed.id, 0, 1)

        with store.read() as tx:
            told = [("codex", "a", 7, 70), ("claude-code", "c", 0, 80)]
            assert tx.shelf.unfinished(REPO, limit=9) == told
            assert tx.shelf.unfinished("repo:none", limit=9) == []

    def test_unfinished_sessions_are_sought_among_the_latest(self, store: Store) -> None:
        """The limit counts the sessions that are looked at, not those that are told."""
        make = Maker()
        old = make.session("codex", "a", pid=7, pid_started=70)
        with store.write() as tx:
            tx.sessions.put(old)
            for own in ("b", "c"):
                tx.sessions.put(make.session("codex", own, ended_at=9))

        with store.read() as tx:
            assert tx.shelf.unfinished(REPO, limit=2) == []
            assert tx.shelf.unfinished(REPO, limit=3) == [("codex", "a", 7, 70)]
            assert tx.shelf.unfinished(REPO, limit=0) == []

    def test_approvals_tell_how_they_came_in(self, store: Store) -> None:
        """After the instant, newest first, with what proved the person; rejections are none."""
        make = Maker()
        ways = [
            Principal(writer="person", channel="terminal", user="ada", proof={"terminal": "yes"}),
            Principal(
                writer="person",
                channel="terminal",
                user="ada",
                proof={"terminal": "yes", "variables": "CODEX_HOME"},
            ),
            Principal(writer="person", channel="dashboard", user="bob"),
        ]
        with store.write() as tx:
            item = make.item()
            tx.items.add(item)
            earlier = make.review(item.id)
            reviews = [make.review(item.id, by=by) for by in ways]
            for review in (earlier, *reviews, make.review(item.id, "reject", reason="wrong")):
                tx.provenance.add_review(review)

        with store.read() as tx:
            told = [
                (item.id, "bob", "dashboard"),
                (item.id, "ada", "at a terminal with agent variables"),
                (item.id, "ada", "at a terminal"),
            ]
            assert tx.shelf.approvals(earlier.at, limit=9) == told
            assert tx.shelf.approvals(earlier.at, limit=2) == told[:2]
            assert tx.shelf.approvals(earlier.at, limit=0) == []
            assert tx.shelf.approvals(reviews[-1].at, limit=9) == []

    def test_recent_sessions_are_told_newest_first(self, store: Store) -> None:
        """Those of the repository, without the one that asks; the limit is an upper bound."""
        make = Maker()
        a = make.session("codex", "a", first_prompt="fix é", last_prompt="push", branch=BRANCH)
        b = make.session("claude-code", "b", first_prompt="b", ended_at=7, diff_stat="1 file")
        b = replace(b, commits=("c0ffee0001 till: say 'é'", "c0ffee0002 till: end"))
        c = make.session("codex", "c", first_prompt="c", repo="repo:github.com/acme/other")
        d = make.session("codex", "d", first_prompt="d")
        with store.write() as tx:
            for session in (a, d, b, c):
                tx.sessions.put(session)

        with store.read() as tx:
            recent = tx.shelf.recent_sessions
            told = [
                ("claude-code", b.started_at, 7, "b", "", "1 file", b.id, "b", b.commits),
                ("codex", a.started_at, None, "fix é", "push", "", a.id, "a", ()),
            ]
            assert recent(REPO, before=d.id, limit=9) == told
            assert recent(REPO, before=d.id, limit=1) == told[:1]
            assert recent(REPO, before=d.id, limit=0) == []
            assert recent("repo:none", before=d.id, limit=9) == []
