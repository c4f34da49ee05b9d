"""Reading for packs: plain rows of what stands, what waits, what was shown."""

from __future__ import annotations

from onrecord.domain.candidate import Candidate
from onrecord.domain.item import Item
from onrecord.domain.ports import Store, Transaction
from onrecord.testing.builders import REPO, Maker, keep, keep_revised, query
from onrecord.testing.observables import row
from onrecord.testing.rich import rich_item


def row_of(item: Item) -> dict[str, object]:
    """What a candidate of the item holds before anything was ranked, its body uncut."""
    head, content = item.head, item.content
    return {
        "id": item.id,
        "version": head.n,
        "scope": item.scope,
        "kind": item.kind,
        "title": content.title,
        "body": content.body,
        "body_chars": len(content.body),
        "key": item.key,
        "summary": content.summary,
        "tags": " ".join(content.tags),
        "belief": item.verification,
        "pinned": item.pinned,
        "tainted": item.tainted,
        "user": head.author.user,
        "agent": head.author.agent,
        "session": head.author.session,
        "repo": head.where.repo,
        "recorded_at": head.recorded_at,
        "created_at": item.created_at,
        "valid_from": content.valid_from,
        "valid_to": content.valid_to,
        "delivered": item.delivered,
        "helpful": item.helpful,
        "score": 0.0,
        "parts": {},
        "reasons": [],
    }


class StandingSuite:
    """What a pack is made of."""

    def test_citations_of_files_come_with_their_digests(self, store: Store) -> None:
        """Those of the items asked for that have one, oldest first."""
        make = Maker()
        item, other = make.item("Cites", scope=REPO), make.item("Cites too", scope=REPO)
        pointer = "src/app.py@c0ffee1:3-9"
        first = make.evidence(item.id, kind="file", pointer=pointer, digest=b"\0one")
        second = make.evidence(item.id, kind="file", pointer="a.py", version=2, digest=b"two")
        rows = [
            first,
            make.evidence(item.id, kind="file", pointer="b.py"),
            make.evidence(item.id, kind="url", pointer="https://example.org", digest=b"x"),
            make.evidence(other.id, kind="file", pointer="c.py", digest=b"three"),
            second,
        ]
        with store.write() as tx:
            keep(tx, item)
            keep(tx, other)
            for row in rows:
                tx.provenance.add_evidence(row)

        with store.read() as tx:
            told = tx.shelf.cited([item.id])
            assert told == [(item.id, pointer, 1, b"\0one"), (item.id, "a.py", 2, b"two")]
            assert tx.shelf.cited([]) == []

    def test_a_row_holds_the_items_current_state(self, store: Store) -> None:
        """Every field is right, after a revision too, standing and matching alike."""
        make = Maker()
        item = rich_item(make, scope="global", key="a/b")
        revised = make.revised(item, body="second body of the kestrel", key="")
        bare = make.item("kestrel")
        asked = query("kestrel", now=item.created_at)
        with store.write() as tx:
            keep(tx, item, bare)
            keep_revised(tx, revised)

        with store.read() as tx:
            standing = _standing(tx, now=item.created_at)
            assert [row(c) for c in standing] == [row_of(revised), row_of(bare)]
            assert [c.lexical for c in standing] == [0.0, 0.0]
            matching = {c.id: row(c) for c in tx.shelf.matching(asked, body_chars=999)}
            assert matching == {revised.id: row_of(revised), bare.id: row_of(bare)}

    def test_bodies_are_cut_where_they_are_long(self, store: Store) -> None:
        """A cut body has that many characters and the candidate tells the whole length."""
        make = Maker()
        body = "kestrel 👩‍👩‍👧‍👦é東 " * 40
        item = make.item("long", body=body)
        with store.write() as tx:
            keep(tx, item)

        with store.read() as tx:
            for chars in (0, 1, 9, 17, len(body) - 1, len(body), len(body) + 1):
                asked = query("kestrel", now=item.created_at)
                (found,) = tx.shelf.matching(asked, body_chars=chars)
                (stood,) = _standing(tx, now=item.created_at, body_chars=chars)
                assert found.body == stood.body == body[:chars]
                assert found.body_chars == stood.body_chars == len(body)

    def test_pinned_items_stand_first_then_the_newest(self, store: Store) -> None:
        """The limit is an upper bound and cuts from the end."""
        make = Maker()
        a, b, c, d = (make.item(str(n), pinned=n in (0, 2)) for n in range(4))
        with store.write() as tx:
            keep(tx, a, b, c, d)

        with store.read() as tx:
            order = [c.id, a.id, d.id, b.id]
            assert _ids(_standing(tx, now=d.created_at)) == order
            assert _ids(_standing(tx, now=d.created_at, limit=3)) == order[:3]
            assert _standing(tx, now=d.created_at, limit=0) == []

    def test_rules_and_preferences_stand_with_the_pinned(self, store: Store) -> None:
        """Before everything else, however much was written since; the newest first."""
        make = Maker()
        rule, wish = make.item("a", kind="rule"), make.item("b", kind="preference")
        pinned = make.item("c", kind="fact", pinned=True)
        theirs = make.item("d", kind="rule", scope=REPO)
        gone = make.item("e", kind="rule", expires_at=1)
        facts = [make.item("f", kind=kind) for kind in ("fact", "lesson", "decision", "note") * 20]
        with store.write() as tx:
            keep(tx, *reversed([rule, wish, pinned, theirs, gone, *facts]))

        with store.read() as tx:
            now, scopes = make.clock.now(), ["global", REPO]
            first = [theirs.id, pinned.id, wish.id, rule.id]
            order = first + [item.id for item in reversed(facts)]
            assert _ids(_standing(tx, scopes, now=now)) == order
            for limit in (1, 3, 4, 6):
                assert _ids(_standing(tx, scopes, now=now, limit=limit)) == order[:limit]

    def test_only_live_items_of_the_scopes_stand(self, store: Store) -> None:
        """Other scopes, statuses, past expiries and invalid times are absent."""
        make = Maker()
        now = make.clock.now() + 1_000_000_000
        live = [
            make.item("a"),
            make.item("b", scope=REPO, expires_at=now + 1, valid_from=now, valid_to=now + 1),
        ]
        gone = [
            make.item("c", scope="org:acme"),
            make.item("d", expires_at=now, pinned=True),
            make.item("e", valid_to=now),
            make.item("f", valid_from=now + 1),
            *(
                make.item("g", status=status, pinned=True)
                for status in ("proposed", "archived", "rejected", "superseded", "forgotten")
            ),
        ]
        with store.write() as tx:
            keep(tx, *live, *gone)

        with store.read() as tx:
            scopes = ["global", REPO, "org:none"]
            assert set(_ids(_standing(tx, scopes, now=now))) == {item.id for item in live}
            assert _standing(tx, [], now=now) == []
            assert _standing(tx, ["org:none"], now=now) == []

    def test_an_item_stands_without_being_indexed(self, store: Store) -> None:
        """Packs do not depend on the index."""
        make = Maker()
        item = make.item()
        with store.write() as tx:
            tx.items.add(item)

        with store.read() as tx:
            assert _ids(_standing(tx, now=item.created_at)) == [item.id]

    def test_waiting_proposals_are_counted(self, store: Store) -> None:
        """In the scopes that are asked for, or everywhere; not those whose time is over."""
        make = Maker()
        with store.write() as tx:
            keep(
                tx,
                make.item(status="proposed"),
                make.item(status="proposed", scope=REPO),
                make.item(status="proposed", scope=REPO, expires_at=100),
                make.item(scope=REPO),
                make.item(status="archived"),
            )

        with store.read() as tx:
            assert tx.shelf.waiting(None, now=99) == 3
            assert tx.shelf.waiting([REPO], now=99) == 2
            assert tx.shelf.waiting(["global", REPO, "org:none"], now=99) == 3
            assert tx.shelf.waiting(["org:none"], now=99) == 0
            assert tx.shelf.waiting([], now=99) == 0
            assert tx.shelf.waiting(None, now=100) == 2
            assert tx.shelf.waiting([REPO], now=100) == 1

    def test_active_items_with_a_flag_are_counted(self, store: Store) -> None:
        """By how the flag starts; what is not active does not count."""
        make = Maker()
        with store.write() as tx:
            keep(
                tx,
                make.item(flags=("forget:codex",)),
                make.item(flags=("similar:x", "dispute:codex"), scope=REPO),
                make.item(flags=("similar:forget:x",)),
                make.item(flags=("forget:codex",), status="archived"),
                make.item(),
            )

        with store.read() as tx:
            assert tx.shelf.flagged(["forget:", "dispute:"]) == 2
            assert tx.shelf.flagged(["dispute:"]) == 1
            assert tx.shelf.flagged(["stale:"]) == 0
            assert tx.shelf.flagged([]) == 0

    def test_what_was_shown_is_known_by_the_agents_own_session(self, store: Store) -> None:
        """It is the same answer as by the session's id, compaction included."""
        make = Maker()
        item, other = make.item("one"), make.item("two")
        session, theirs = make.session("codex", "x"), make.session("claude-code", "x")
        with store.write() as tx:
            keep(tx, item, other)
            tx.sessions.put(session)
            tx.sessions.put(theirs)
            tx.deliveries.add(make.delivery(session.id, shown=[item], withheld=[other]))
            tx.deliveries.add(make.delivery(theirs.id, shown=[other]))
            assert tx.shelf.shown("codex", "x") == {item.id: 1}
            assert tx.shelf.shown("claude-code", "x") == {other.id: 1}
            assert tx.shelf.shown("codex", "y") == {}
            tx.deliveries.forget_shown(session.id, make.tick())

        with store.read() as tx:
            assert tx.shelf.shown("codex", "x") == {}
            assert tx.shelf.shown("claude-code", "x") == {other.id: 1}

    def test_unfinished_sessions_are_those_to_watch_and_those_to_close(self, store: Store) -> None:
        """Of one repository's latest; an ended one only while its closing is owed."""
        make = Maker()
        running = make.session("codex", "running", pid=7, pid_started=70)
        unknown = make.session("codex", "unknown")
        over = make.session("codex", "over", pid=8, ended_at=make.tick())
        owed = make.session("codex", "owed", pid=9, ended_at=make.tick())
        elsewhere = make.session("codex", "elsewhere", pid=10, repo="repo:github.com/acme/till")
        with store.write() as tx:
            for session in (running, unknown, over, owed, elsewhere):
                tx.sessions.put(session)
            tx.outbox.add("close", owed.id, 0, make.tick())

        with store.read() as tx:
            assert tx.shelf.unfinished(REPO, limit=9) == [
                ("codex", "owed", 0, 0),
                ("codex", "running", 7, 70),
            ]
            assert tx.shelf.unfinished(REPO, limit=1) == [("codex", "owed", 0, 0)]
            assert tx.shelf.unfinished(elsewhere.repo, limit=9) == [("codex", "elsewhere", 10, 0)]


def _standing(
    tx: Transaction,
    scopes: list[str] | None = None,
    *,
    now: int,
    body_chars: int = 9_999,
    limit: int = 99,
) -> list[Candidate]:
    asked = ["global"] if scopes is None else scopes
    return tx.shelf.standing(asked, now=now, body_chars=body_chars, limit=limit)


def _ids(candidates: list[Candidate]) -> list[str]:
    return [candidate.id for candidate in candidates]
