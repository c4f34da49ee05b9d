"""Agent sessions."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.errors import OnrecordError
from onrecord.domain.ports import Store
from onrecord.testing.builders import REPO, Maker, digest
from onrecord.testing.failure import raises
from onrecord.testing.rich import rich_session, unset


class SessionsSuite:
    """What the sessions port keeps."""

    def test_a_session_comes_back_as_it_was_stored(self, store: Store) -> None:
        """Every field survives."""
        make = Maker()
        session, bare = rich_session(make), make.session()
        assert unset(session) == {"deliver"}
        with store.write() as tx:
            tx.sessions.put(session)
            tx.sessions.put(bare)

        with store.read() as tx:
            assert tx.sessions.get(session.id) == session
            assert tx.sessions.get(bare.id) == bare
            assert tx.sessions.by_agent_session("claude-code", "0f3e-77") == session
            assert tx.sessions.get(make.id()) is None

    def test_a_shelf_tells_what_went_against_a_session(self, store: Store) -> None:
        """By the agent's own id of it; of one that is not known, nothing did."""
        make = Maker()
        with store.write() as tx:
            tx.sessions.put(rich_session(make))
            tx.sessions.put(make.session("codex", "x"))

        with store.read() as tx:
            assert tx.shelf.friction("claude-code", "0f3e-77") == (3, 1, True)
            assert tx.shelf.friction("codex", "x") == (0, 0, False)
            assert tx.shelf.friction("codex", "0f3e-77") == (0, 0, False)
            assert tx.shelf.friction("codex", "") == (0, 0, False)

    def test_a_session_is_replaced_by_its_id(self, store: Store) -> None:
        """Putting it again stores every field anew."""
        make = Maker()
        rich = rich_session(make)
        bare = make.session("codex", "other", id=rich.id)
        with store.write() as tx:
            tx.sessions.put(rich)
            tx.sessions.put(bare)

        with store.read() as tx:
            assert tx.sessions.get(rich.id) == bare
            assert tx.sessions.by_agent_session("claude-code", "0f3e-77") is None
            assert tx.sessions.by_agent_session("codex", "other") == bare

    def test_an_agents_own_session_id_belongs_to_one_session(self, store: Store) -> None:
        """A second session under it is refused and the first stays; none at all may repeat."""
        make = Maker()
        first = make.session("codex", "x")
        with store.write() as tx:
            tx.sessions.put(first)
            tx.sessions.put(make.session("claude-code", "x"))
            tx.sessions.put(make.session("codex"))
            tx.sessions.put(make.session("codex"))
        with raises(OnrecordError), store.write() as tx:
            tx.sessions.put(make.session("codex", "x"))

        with store.read() as tx:
            assert tx.sessions.by_agent_session("codex", "x") == first
            assert tx.sessions.get(first.id) == first
            assert len(tx.sessions.recent()) == 4

    def test_an_unknown_agent_session_is_none(self, store: Store) -> None:
        """Both the agent and its id must fit."""
        make = Maker()
        with store.write() as tx:
            tx.sessions.put(make.session("codex", "x"))
            tx.sessions.put(make.session("codex"))

        with store.read() as tx:
            assert tx.sessions.by_agent_session("codex", "y") is None
            assert tx.sessions.by_agent_session("claude-code", "x") is None
            assert tx.sessions.by_agent_session("codex", "X") is None

    def test_recent_sessions_come_by_their_latest_event(self, store: Store) -> None:
        """Repository, agent and being open narrow; the limit is an upper bound."""
        make = Maker()
        a = make.session("codex", "a")
        b = make.session("codex", "b", ended_at=9)
        c = make.session("claude-code", "c", repo="repo:github.com/acme/other")
        a = replace(a, last_event_at=make.tick())
        with store.write() as tx:
            for session in (a, b, c):
                tx.sessions.put(session)

        with store.read() as tx:
            recent = tx.sessions.recent
            assert recent() == [a, c, b]
            assert recent(limit=2) == [a, c]
            assert recent(limit=0) == []
            assert recent(repo=REPO) == [a, b]
            assert recent(agent="codex", open_only=True) == [a]
            assert recent(open_only=True) == [a, c]
            assert recent(repo="repo:none") == []

    def test_prompts_are_searched_letter_for_letter(self, store: Store) -> None:
        """First and last prompts count; case, wildcards and accents are taken as they are."""
        make = Maker()
        a = make.session("codex", "a", first_prompt="Rotate the 100% key", cwd="secret-word")
        b = make.session("codex", "b", last_prompt="naïve_key's \\ end")
        with store.write() as tx:
            tx.sessions.put(a)
            tx.sessions.put(b)

        with store.read() as tx:
            said = tx.sessions.mentioning
            assert said("Rotate") == [a]
            assert sorted(s.id for s in said("key")) == [a.id, b.id]
            assert said("100%") == [a]
            assert said("naïve_key's \\") == [b]
            for off in ("rotate", "naive", "R%e", "naïve%key", "secret-word", "keys"):
                assert said(off) == []

    def test_a_spool_record_is_taken_in_once(self, store: Store) -> None:
        """The second time it is known."""
        with store.write() as tx:
            assert tx.sessions.seen_record(digest("r"), 1) is False
            assert tx.sessions.seen_record(digest("r"), 2) is True
            assert tx.sessions.seen_record(digest("other"), 3) is False
        with store.write() as tx:
            assert tx.sessions.seen_record(digest("r"), 4) is True
