"""From a call, a process, a read or a made-up session to the session it belongs to."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.ports import Store
from onrecord.testing.builders import Maker


class JoinsSuite:
    """What joins to sessions."""

    def test_a_call_belongs_to_its_session(self, store: Store) -> None:
        """Agent and call together name it."""
        with store.write() as tx:
            tx.sessions.note_call("codex", "call-1", "s1", 1)
            tx.sessions.note_call("claude-code", "call-1", "s2", 2)
            tx.sessions.note_call("codex", "call-1", "s1", 3)

        with store.read() as tx:
            assert tx.sessions.session_of_call("codex", "call-1") == "s1"
            assert tx.sessions.session_of_call("claude-code", "call-1") == "s2"
            assert tx.sessions.session_of_call("codex", "call-2") is None

    def test_a_process_belongs_to_the_newest_session_seen_from_it(self, store: Store) -> None:
        """An older sighting is ignored, and a process id used again is another process."""
        with store.write() as tx:
            note = tx.sessions.note_process
            note("codex", 4711, 100, "s1", 10)
            note("codex", 4711, 100, "s2", 20)
            note("codex", 4711, 100, "s3", 15)
            note("cursor", 4711, 100, "s6", 10)
            note("cursor", 4711, 100, "s7", 10)
            note("codex", 4711, 200, "s4", 5)
            note("claude-code", 4711, 100, "s5", 5)

        with store.read() as tx:
            of = tx.sessions.session_of_process
            assert of("codex", 4711, 100) == "s2"
            assert of("codex", 4711, 200) == "s4"
            assert of("cursor", 4711, 100) == "s7"
            assert of("claude-code", 4711, 100) == "s5"
            assert of("codex", 4711, 300) is None
            assert of("codex", 4712, 100) is None

    def test_the_newest_version_that_was_read_is_known(self, store: Store) -> None:
        """An older version read or reported later takes nothing back."""
        with store.write() as tx:
            for version, at in ((1, 10), (3, 20), (2, 15), (2, 30)):
                tx.sessions.note_read("s1", "item", version, at)
            tx.sessions.note_read("s2", "item", 1, 99)

        with store.read() as tx:
            assert tx.sessions.read_version("s1", "item") == 3
            assert tx.sessions.read_version("s2", "item") == 1
            assert tx.sessions.read_version("s1", "other") is None
            assert tx.sessions.read_version("s3", "item") is None

    def test_what_a_synthetic_session_did_is_the_real_ones(self, store: Store) -> None:
        """Joins, sightings, evidence, feedback, handoffs and deliveries point at it afterwards."""
        make = Maker()
        item = make.item()
        card = make.item(kind="handoff")
        made_up = make.session("codex", synthetic=True)
        real = make.session("codex", "x")
        bystander = make.session("codex", "y")
        with store.write() as tx:
            for session in (made_up, real, bystander):
                tx.sessions.put(session)
            for each in (item, card):
                tx.items.add(each)
            for session in (made_up, bystander):
                tx.sessions.note_call("codex", f"call of {session.id}", session.id, 1)
                tx.sessions.note_process("codex", 1, session.started_at, session.id, 1)
                tx.sessions.note_read(session.id, item.id, 2, 1)
                tx.provenance.add_sighting(make.sighting(item.id, session.id))
                tx.provenance.add_evidence(make.evidence(item.id, session=session.id))
                tx.provenance.add_feedback(make.feedback(item.id, session.id))
            tx.handoffs.add(make.handoff(card.id, made_up.id))
            tx.handoffs.add(make.handoff(item.id, bystander.id, claimed_by=made_up.id))
            delivery = make.delivery(made_up.id, shown=[item])
            tx.deliveries.add(delivery)
            tx.sessions.link_synthetic(made_up.id, real.id)

        with store.read() as tx:
            for was, now in ((made_up, real), (bystander, bystander)):
                of_process = tx.sessions.session_of_process("codex", 1, was.started_at)
                assert of_process == now.id
                assert tx.sessions.session_of_call("codex", f"call of {was.id}") == now.id
                assert tx.sessions.read_version(now.id, item.id) == 2
            sighted = {sighting.session for sighting in tx.provenance.sightings(item.id)}
            assert sighted == {real.id, bystander.id}
            port = tx.provenance
            assert [e.session for e in port.evidence(item.id)] == [real.id, bystander.id]
            assert [f.session for f in port.feedback(item.id)] == [real.id, bystander.id]
            handoffs = [tx.handoffs.get(each.id) for each in (card, item)]
            ends = [(h.session, h.claimed_by) for h in handoffs if h]
            assert ends == [(real.id, ""), (bystander.id, real.id)]
            assert tx.deliveries.recent(session=real.id) == [replace(delivery, session=real.id)]
            assert tx.deliveries.recent(session=made_up.id) == []
            assert tx.deliveries.shown(real.id) == {item.id: 1}

    def test_linking_to_a_session_that_did_the_same_keeps_one_of_each(self, store: Store) -> None:
        """Two sightings of one item become one, and the newest version read stays known."""
        make = Maker()
        item = make.item()
        made_up, real = make.session("codex", synthetic=True), make.session("codex", "x")
        with store.write() as tx:
            tx.items.add(item)
            for session in (made_up, real):
                tx.sessions.put(session)
                tx.provenance.add_sighting(make.sighting(item.id, session.id))
            tx.sessions.note_read(made_up.id, item.id, 3, 1)
            tx.sessions.note_read(real.id, item.id, 2, 2)
            tx.sessions.link_synthetic(made_up.id, real.id)

        with store.read() as tx:
            (sighting,) = tx.provenance.sightings(item.id)
            assert sighting.session == real.id
            assert tx.sessions.read_version(real.id, item.id) == 3
