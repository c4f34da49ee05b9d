"""Random histories on the SQL store and on the oracle: both tell the same after every step."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.ports import Transaction
from onrecord.domain.session import Session
from onrecord.domain.status import KINDS, STATUSES, VERIFICATIONS
from onrecord.domain.time import DAY, SECOND
from onrecord.storage.inmemory import InMemoryStore
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import PERSON, REPO, Maker, digest, document, keep, keep_revised
from onrecord.testing.side_by_side import Op, SideBySide

#: Words whose stems are the words, so that both indexes agree on them.
WORDS = ("kestrel", "Osprey", "merlin", "heron", "café", "東京", "v12", "snake_case")
TERMS = ("kestrel", "OSPREY", "cafe", "東京", "her*", "snake case", "v1*", 'NOT "merlin', "x", "*")

SCOPES = st.sampled_from(("global", REPO, "project:é'%_"))
KEYS = st.sampled_from(("", "k", "K", "a/b"))
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
#: Any text that UTF-8 can hold, without NUL.
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
PLACES = st.integers(0, 7)
OFFSETS = st.sampled_from((-DAY, -SECOND, 0, SECOND, DAY))
MAYBE_AT = st.none() | OFFSETS


class Stores(RuleBasedStateMachine):
    """A real file and the oracle, given the same operations."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir=_memory_folder())
        self.path = str(Path(self.folder.name) / "store.db")
        self.both = SideBySide(open_sqlite(self.path, create=True), InMemoryStore())
        self.make = Maker()

    def teardown(self) -> None:
        """Close the file and take it away; it is sound to the end."""
        try:
            assert list(self.both.store.faults()) == []
            self.both.store.close()
        finally:
            self.folder.cleanup()

    @invariant()
    def tell_the_same(self) -> None:
        """Everything that can be seen is equal, and the log is whole."""
        self.both.compare(now=self.make.clock.now(), terms=TERMS)

    # --- transactions

    def do(self, op: Op) -> None:
        """Run the operation on both, now or with the others of its transaction."""
        self.both.do(op)

    @precondition(lambda self: self.both.pending is None)
    @rule()
    def begin(self) -> None:
        """The next operations belong together."""
        self.both.begin()

    @precondition(lambda self: self.both.pending)
    @rule(undo=st.booleans())
    def end(self, undo: bool) -> None:
        """Commit them, or raise and so undo them."""
        self.both.end(undo=undo)

    @precondition(lambda self: self.both.pending is None)
    @rule()
    def reopen(self) -> None:
        """Close the file and open it again."""
        self.both.store.close()
        self.both.replace(open_sqlite(self.path, create=False))

    # --- items

    @initialize()
    def begin_with_some(self) -> None:
        """A store that is not empty finds more."""
        items = [self.make.item(word, body=word, key=word) for word in WORDS[:3]]
        session = self.make.session("codex", "a")
        self.both.run([lambda tx: keep(tx, *items), lambda tx: tx.sessions.put(session)])

    @rule(
        title=SENTENCES,
        text=TEXT,
        scope=SCOPES,
        key=KEYS,
        status=st.sampled_from(STATUSES[:2]),
        times=st.tuples(MAYBE_AT, MAYBE_AT, MAYBE_AT),
        pinned=st.booleans(),
    )
    def add(
        self,
        title: str,
        text: str,
        scope: str,
        key: str,
        status: str,
        times: tuple[int | None, int | None, int | None],
        pinned: bool,
    ) -> None:
        """A new item with its document."""
        now = self.make.clock.now()
        valid_from, valid_to, expires_at = (None if t is None else now + t for t in times)
        item = self.make.item(
            title,
            body=title * 2,
            summary=text,
            reason=text,
            prompted_by=text,
            flags=(text, "x"),
            scope=scope,
            key=key,
            status=status,
            kind=KINDS[len(text) % len(KINDS)],
            valid_from=valid_from,
            valid_to=valid_to,
            expires_at=expires_at,
            pinned=pinned,
        )
        self.do(lambda tx: keep(tx, item))

    @rule(which=PLACES, title=SENTENCES, text=TEXT, stale=st.integers(-1, 1))
    def revise(self, which: int, title: str, text: str, stale: int) -> None:
        """A next version, or one that is not the next."""
        at = self.make.tick()

        def op(tx: Transaction) -> object:
            item = _chosen(tx, which)
            revised = Maker(at=at).revised(item, title, summary=text, pinned=not item.pinned)
            head = replace(revised.head, n=revised.head.n + (min(0, stale)))
            keep_revised(tx, replace(revised, head=head))
            return revised.version

        self.do(op)

    @rule(
        which=PLACES,
        scope=SCOPES,
        key=KEYS,
        status=st.sampled_from(STATUSES[:5]),
        belief=st.sampled_from(VERIFICATIONS),
        relabelled=st.booleans(),
    )
    def change(
        self, which: int, scope: str, key: str, status: str, belief: str, relabelled: bool
    ) -> None:
        """Other own fields; the index may lag behind."""

        def op(tx: Transaction) -> object:
            item = replace(
                _chosen(tx, which), scope=scope, key=key, status=status, verification=belief
            )
            tx.items.change(item, at=item.head.recorded_at)
            if relabelled:
                tx.index.relabel(item.id, scope=scope, live=status == "active")
            return tx.items.get(item.id)

        self.do(op)

    @rule(which=PLACES, counts=st.tuples(PLACES, PLACES, PLACES))
    def bump(self, which: int, counts: tuple[int, int, int]) -> None:
        """Use counters, of one item and of one that is not there."""
        names, fresh = ("delivered", "opened", "helpful"), self.make.id()
        add = dict(zip(names, counts, strict=True))
        self.do(lambda tx: tx.items.bump([_chosen(tx, which).id, fresh], **add))

    @rule(which=PLACES)
    def erase(self, which: int) -> None:
        """Forgetting, again too."""
        at = self.make.tick()
        self.do(lambda tx: tx.items.erase(_chosen(tx, which).id, at))

    @rule(which=PLACES, title=SENTENCES, live=st.booleans(), version=st.integers(1, 3))
    def index(self, which: int, title: str, live: bool, version: int) -> None:
        """A document that may not fit its item."""

        def op(tx: Transaction) -> object:
            given = {"live": live, "version": version, "title": title}
            tx.index.put(document(_chosen(tx, which), **given))
            return tx.index.check()

        self.do(op)

    @rule(which=PLACES, clear=st.booleans())
    def unindex(self, which: int, clear: bool) -> None:
        """One item or everything out of the index."""
        self.do(lambda tx: tx.index.clear() if clear else tx.index.drop(_chosen(tx, which).id))

    # --- what is bound to items

    @rule(which=PLACES, text=TEXT, session=st.sampled_from(("", "s1", "s2")))
    def attach(self, which: int, text: str, session: str) -> None:
        """Evidence, a sighting, links, a review and feedback, all telling the text."""
        make = Maker(seed=self.make.tick(), at=self.make.tick())

        def op(tx: Transaction) -> object:
            item, other = _chosen(tx, which).id, _chosen(tx, which + 1).id
            port = tx.provenance
            port.add_evidence(make.evidence(item, quote=text, pointer=text, session=session))
            port.add_link(make.link(item, other))
            port.add_link(make.link(item, text, "url"))
            port.add_review(make.review(item, note=text, by=PERSON))
            port.add_feedback(make.feedback(item, session, note=text))
            return port.add_sighting(make.sighting(item, session or "s3"))

        self.do(_repeatable(make, op))

    @rule(which=PLACES, words=st.lists(st.sampled_from(WORDS), min_size=1), sketch=st.booleans())
    def bury(self, which: int, words: list[str], sketch: bool) -> None:
        """A tombstone; a sentence may come twice."""
        at, n = self.make.tick(), self.make.tick()
        make = Maker(seed=n, at=at)
        made = make.tombstone("", *words, sketch=digest("s") if sketch else b"")
        self.do(lambda tx: tx.tombstones.add(replace(made, item=_chosen(tx, which).id)))

    @rule(which=PLACES, scope=SCOPES | st.none())
    def lift(self, which: int, scope: str | None) -> None:
        """A person's override, here or as a whole, and a key that was erased."""
        at = self.make.tick()

        def op(tx: Transaction) -> object:
            for stone in tx.tombstones.of(_chosen(tx, which).id)[:1]:
                tx.tombstones.lift(stone.id, at, "ada", scope=scope)
            known = tx.tombstones.erased_key(digest(str(which)))
            tx.tombstones.note_erased_key(digest(str(which)), at)
            return known, tx.tombstones.erased_key(digest(str(which)))

        self.do(op)

    @rule(which=PLACES, text=TEXT, value=st.none() | st.booleans() | st.integers(-9, 9) | TEXT)
    def log(self, which: int, text: str, value: object) -> None:
        """A line of the audit log, with changed values of any plain type."""
        event = self.make.event(
            text, fields=(text,), change={"status": (value, text), "x": (1, [])}
        )
        self.do(lambda tx: tx.events.append(replace(event, target=_chosen(tx, which).id)))

    @rule(party=st.sampled_from(("codex", "é")), minute=st.integers(1, 3), due=st.booleans())
    def refuse(self, party: str, minute: int, due: bool) -> None:
        """Counted refusals, told once."""
        if due:
            self.do(lambda tx: tx.events.due_refusals(minute))
        else:
            self.do(lambda tx: tx.events.count_refusal(party, "rule", minute))

    # --- sessions

    @rule(
        agent=st.sampled_from(("codex", "claude-code")),
        own=st.sampled_from(("", "a", "b")),
        text=TEXT,
        ended=st.booleans(),
    )
    def start(self, agent: str, own: str, text: str, ended: bool) -> None:
        """A session, or one whose agent's id is taken."""
        at = self.make.clock.now() if ended else None
        session = self.make.session(
            agent, own, first_prompt=text, scopes=(text, REPO), ended_at=at, transcript=text
        )
        self.do(lambda tx: tx.sessions.put(session))

    @rule(which=PLACES, text=TEXT)
    def prompt(self, which: int, text: str) -> None:
        """A session's next event, seen from its process; it may owe its closing."""
        at = self.make.tick()

        def op(tx: Transaction) -> object:
            session = _session(tx, which)
            prompted = replace(session, last_prompt=text, prompts=9, last_event_at=at, pid=which)
            tx.sessions.put(prompted)
            tx.outbox.add("close" if which % 2 else "vector", session.id, 0, at)
            return [each.id for each in tx.sessions.mentioning(text[:2] or "x")]

        self.do(op)

    @rule(which=PLACES, item=PLACES, call=st.sampled_from("xy"), offset=OFFSETS)
    def join(self, which: int, item: int, call: str, offset: int) -> None:
        """A call, a process and a read, seen in any order."""
        at = self.make.clock.now() + offset

        def op(tx: Transaction) -> object:
            session, port, read = _session(tx, which).id, tx.sessions, _chosen(tx, item)
            port.note_call("codex", call, session, at)
            port.note_process("codex", 1, ord(call), session, at)
            port.note_read(session, read.id, item, at)
            seen = port.session_of_call("codex", call), port.session_of_process("codex", 1, 120)
            return seen, port.read_version(session, read.id), port.seen_record(digest(call), at)

        self.do(op)

    @rule(which=PLACES, other=PLACES)
    def link(self, which: int, other: int) -> None:
        """A made-up session turns out to be another."""

        def op(tx: Transaction) -> object:
            made_up, real = _session(tx, which).id, _session(tx, other).id
            if made_up != real:
                tx.sessions.link_synthetic(made_up, real)
            return [tx.sessions.session_of_call("codex", call) for call in "xy"]

        self.do(op)

    @rule(which=PLACES, session=PLACES, text=TEXT, status=st.sampled_from(("open", "claimed")))
    def hand_off(self, which: int, session: int, text: str, status: str) -> None:
        """A handoff, once an item; a second time it changes."""
        made = self.make.handoff(
            "", done=text, dirty={text: "aa"}, status=status, branch=("main", "topic")[which % 2]
        )

        def op(tx: Transaction) -> object:
            by, item = _session(tx, session).id, _chosen(tx, which).id
            lease = made.created_at + (SECOND if status == "claimed" else DAY)
            handoff = replace(made, item=item, session=by, claimed_by=by, lease_until=lease)
            known = tx.handoffs.get(item)
            tx.handoffs.change(handoff) if known else tx.handoffs.add(handoff)
            return [each.item for each in tx.handoffs.mentioning(text[:2] or "x")]

        self.do(op)

    @rule(session=PLACES, which=st.lists(PLACES, max_size=3), shown=PLACES, text=TEXT)
    def deliver(self, session: int, which: list[int], shown: int, text: str) -> None:
        """A pack, now and then with an item named twice."""
        made = self.make.delivery(query=text)

        def op(tx: Transaction) -> object:
            items = [_chosen(tx, n) for n in which]
            told = Maker().delivery(shown=items[:shown], withheld=items[shown:]).items
            delivery = replace(made, session=_session(tx, session).id, items=told)
            tx.deliveries.add(delivery)
            return tx.deliveries.get(delivery.id)

        self.do(op)

    @rule(session=PLACES, text=TEXT.filter(bool), offset=st.sampled_from((-SECOND, 0)))
    def compact(self, session: int, text: str, offset: int) -> None:
        """A context is compacted; queries that hold a text are blanked."""
        at = self.make.clock.now() + offset

        def op(tx: Transaction) -> object:
            tx.deliveries.forget_shown(_session(tx, session).id, at)
            return tx.deliveries.blank_queries(text[:1])

        self.do(op)

    # --- names

    @rule(old=SCOPES, new=SCOPES, text=TEXT)
    def name(self, old: str, new: str, text: str) -> None:
        """Scopes renamed to and fro, settings, owed work and answers."""
        at = self.make.tick()

        def op(tx: Transaction) -> object:
            tx.scopes.note(new, at)
            if old != new:
                tx.scopes.alias(old, new, at)
            tx.settings.put("saving", text, scope=new, at=at, by="ada")
            tx.outbox.add("vector", old, 1, at)
            return tx.answers.get("codex", new), [due[1:] for due in tx.outbox.due("vector")]

        self.do(op)

    @rule(text=TEXT)
    def finish(self, text: str) -> None:
        """The oldest owed work is done; an answer is given once."""
        at = self.make.tick()

        def op(tx: Transaction) -> object:
            tx.outbox.done([due[0] for due in tx.outbox.due("vector", limit=1)])
            tx.answers.put("codex", str(at), digest(text), text, "", at)
            return tx.answers.get("codex", str(at)), len(tx.outbox.due("vector"))

        self.do(op)


def _chosen(tx: Transaction, n: int) -> Item:
    items = tx.items.page(ItemQuery(limit=8))
    return items[n % len(items)]


def _session(tx: Transaction, n: int) -> Session:
    sessions = tx.sessions.recent(limit=8)
    return sessions[n % len(sessions)]


def _repeatable(make: Maker, op: Op) -> Op:
    """The operation with the maker as it is now, whichever store comes first."""
    state = make.clock.at

    def again(tx: Transaction) -> object:
        make.clock.at = state
        make.ids = type(make.ids)(state)
        return op(tx)

    return again


def _memory_folder() -> str | None:
    """Where syncing costs nothing, if there is such a folder: this is about content."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a folder of our own


TestStores = Stores.TestCase
TestStores.settings = settings(
    max_examples=25,
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
