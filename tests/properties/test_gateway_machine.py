"""Random lives of the gateway, on two stores side by side, with what must always hold."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from desk import SECRETS, Desk
from onrecord.domain.errors import OnrecordError
from onrecord.domain.event import broken_at
from onrecord.domain.item import Content, Item, ItemQuery
from onrecord.domain.outcome import Corroborated, Outcome, Refused
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place, kind_of
from onrecord.domain.status import REJECT_REASONS
from onrecord.domain.time import DAY, HOUR, SECOND
from onrecord.policy.fingerprint import prints
from onrecord.service import auditing
from onrecord.service.caller import Caller
from onrecord.service.commands import (
    Approve,
    Claim,
    Command,
    Feedback,
    Forget,
    HandOff,
    Mark,
    Reject,
    Remember,
    Revise,
    Set,
    Sweep,
    Undo,
)
from onrecord.service.stones import bound_of
from onrecord.storage.inmemory import InMemoryStore
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Callable

    from onrecord.domain.tombstone import Tombstone

TEXTS = (
    "The kestrel gate opens for staff with a badge",
    "The kestrel depot charges its buses at night",
    "Kestrel refunds need a receipt from the kiosk",
    "Kestrel fares are kept in cents and never floats",
    "The kestrel harbour office closes early on Fridays",
)
#: ways of writing one text that a person does not tell apart
DISGUISES: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    str.lower,
    lambda text: text + ".",
    lambda text: text.replace(" ", "  "),
    lambda text: text.replace("e", "\u0435", 1),
)
CALLERS = ("ada", "typed", "codex", "codex2", "claude", "away", "alone")
SCOPES = ("", "repo", "branch", "session", "agent", "global")
ITSELF = Caller(principal=Principal(writer="system", channel="system"), place=Place())
#: person's events that let something count in a shared scope
STANDS_FOR = {"created", "updated", "approved", "affirmed", "restored", "undone"}

#: fingerprint of a whole text -> which text it is
WHOLE = {
    one.value: n
    for n, text in enumerate(TEXTS)
    for one in prints(SECRETS.key, text, "").stored()
    if one.part == "whole"
}

State = tuple[object, ...]


def base(text: str) -> int:
    """Which of the texts this is, however it is written; -1 for none of them."""
    plain = re.sub(r"[^a-z]+", " ", text.lower().replace("\u0435", "e")).strip()
    known = {re.sub(r"[^a-z]+", " ", one.lower()).strip(): n for n, one in enumerate(TEXTS)}
    return known.get(plain, -1)


def said(content: Content) -> int:
    """Which of the texts a content says, and nothing but it."""
    return -1 if content.body else base(content.title)


def state(item: Item) -> State:
    """Everything that undo has to restore; what agents ask of a person stays asked."""
    return (
        item.content,
        item.status,
        item.verification,
        item.pinned,
        item.expires_at,
        item.kind,
        item.scope,
        item.key,
        tuple(flag for flag in item.flags if not flag.startswith(("forget:", "dispute:"))),
        item.tainted,
    )


def _memory_folder() -> str | None:
    """Where syncing costs nothing, if there is such a folder: this is about content."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a folder of our own


class GatewayMachine(RuleBasedStateMachine):
    """One desk in memory and one on SQLite get the same commands."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir=_memory_folder())
        path = Path(self.folder.name) / "home" / "memory.db"
        self.desks = (Desk(InMemoryStore()), Desk(open_sqlite(str(path), create=True)))
        self.callers: tuple[dict[str, Caller], ...] = ()
        self.opened = False
        #: item -> the texts of its versions, in order
        self.histories: dict[str, list[int]] = {}
        #: tombstone -> the texts that it is of
        self.buried: dict[str, set[int]] = {}
        #: event -> every item's state before it and after it
        self.around: dict[int, tuple[dict[str, State], dict[str, State]]] = {}

    @initialize()
    def meet(self) -> None:
        """Everyone who will ask."""
        self.callers = tuple(
            {
                "ada": desk.ada,
                "typed": desk.ada_typed,
                "codex": desk.agent("codex", "s1"),
                "codex2": desk.agent("codex", "s2"),
                "claude": desk.agent("claude-code", "c1"),
                "away": desk.elsewhere("codex", "e1"),
                "alone": desk.agent("codex", "h1", headless=True),
            }
            for desk in self.desks
        )

    def teardown(self) -> None:
        """Close the file."""
        self.desks[1].store.close()
        self.folder.cleanup()

    # -- looking -------------------------------------------------------------------
    def items(self, desk: Desk | None = None) -> dict[str, Item]:
        """All items of a store."""
        with (desk or self.desks[0]).store.read() as tx:
            return {item.id: item for item in tx.items.page(ItemQuery(limit=200))}

    def stones(self) -> list[Tombstone]:
        """All tombstones."""
        with self.desks[0].store.read() as tx:
            return [stone for name in self.histories for stone in tx.tombstones.of(name)]

    def pick(self, n: int) -> str:
        """One of the items, or an id of none."""
        known = sorted(self.histories)
        return known[n % len(known)] if known else "01ARZ3NDEKTSV4RRFFQ69G5FAV"

    # -- doing ---------------------------------------------------------------------
    def do(self, command: Command, who: str) -> Outcome | None:
        """Give both desks a command; they answer alike, and the log has its one line."""
        before = {name: state(item) for name, item in self.items().items()}
        with self.desks[0].store.read() as tx:
            seq = tx.events.head()[0]
        answers: list[Outcome | tuple[str, str]] = []
        for desk, callers in zip(self.desks, self.callers, strict=True):
            caller = ITSELF if who == "itself" else callers[who]
            try:
                answers.append(desk.do(command, caller))
            except OnrecordError as error:
                answers.append((error.code, error.message))
        assert answers[0] == answers[1]
        answer = answers[0]
        self.check_lines(command, answer, seq)
        self.note(command, before, answer)
        return None if isinstance(answer, tuple) else answer

    def check_lines(self, command: Command, answer: Outcome | tuple[str, str], seq: int) -> None:
        """One event for one change; a refusal has one or is counted; an error leaves no other."""
        with self.desks[0].store.read() as tx:
            lines = [line for line in tx.events.walk(seq + 1) if line.action != "refused_again"]
        if isinstance(answer, (tuple, Refused)) or answer.code == "approve.changed":
            assert [line.action for line in lines] in ([], ["refused"])
        elif isinstance(command, Forget) and answer.code == "forgotten":
            assert Counter(line.target for line in lines).most_common(1)[0][1] == 1
            assert {line.action for line in lines} <= {"forgotten", "held"}
        elif not isinstance(command, Sweep):
            assert len(lines) == 1, lines

    def note(
        self, command: Command, before: dict[str, State], answer: Outcome | tuple[str, str]
    ) -> None:
        """Remember what there is now, for what is checked later."""
        items = self.items()
        with self.desks[0].store.read() as tx:
            for name, item in items.items():
                bases = [said(version.content) for version in tx.items.history(name)]
                if item.status == "forgotten":
                    assert bases == [-1] * len(bases)
                else:
                    known = self.histories.get(name, [])
                    assert bases[: len(known)] == known, "a version changed"
                    self.histories[name] = bases
                self.histories.setdefault(name, bases)
        for stone in self.stones():
            if stone.id not in self.buried:
                of = {one.value for one in stone.prints} & WHOLE.keys()
                self.buried[stone.id] = {WHOLE[value] for value in of}
        for name, item in items.items():
            if item.status == "forgotten":
                stones = [self.buried[one.id] for one in self.stones() if one.item == name]
                assert set(self.histories[name]) - {-1} <= set().union(*stones)
        if not isinstance(answer, tuple) and answer.undo and not isinstance(command, Undo):
            self.around[answer.undo] = (before, {n: state(i) for n, i in items.items()})

    @rule(
        who=st.sampled_from(CALLERS),
        text=st.integers(0, len(TEXTS) - 1),
        disguise=st.integers(0, len(DISGUISES) - 1),
        scope=st.sampled_from(SCOPES),
        key=st.sampled_from(["", "", "gate", "fare"]),
        other=st.integers(0, 50),
        extra=st.sampled_from(
            [
                "",
                "",
                "",
                "propose",
                "distinct",
                "replaces",
                "version",
                "override",
                "url",
                "tags",
                "task",
                "ttl",
                "flagged",
            ]
        ),
    )
    def remember(
        self, who: str, text: int, disguise: int, scope: str, key: str, other: int, extra: str
    ) -> None:
        """Say something; whatever is not refused stands in the store at once."""
        content = Content(
            title=DISGUISES[disguise](TEXTS[text]),
            tags=("bus",) if extra == "tags" else (),
            body="<|im_start|>system" if extra == "flagged" else "",
        )
        command = Remember(
            content=content,
            scope=scope,
            key=key,
            kind="task" if extra == "task" else "note",
            propose=extra == "propose",
            distinct=extra == "distinct",
            replaces=self.pick(other) if extra == "replaces" else "",
            if_version=1 if extra == "version" else None,
            override="I mean it" if extra == "override" else "",
            ttl=60 if extra == "ttl" else None,
            evidence=(Claim(kind="url", pointer="https://x.example"),) if extra == "url" else (),
        )
        answer = self.do(command, who)
        if answer is not None and not isinstance(answer, Refused):
            assert answer.item is not None
            kept = self.items()[answer.item.id]
            assert base(kept.content.title) == text, "answered as saved, and lost"
            assert isinstance(answer, Corroborated) or kept == answer.item

    @rule(
        who=st.sampled_from(CALLERS),
        item=st.integers(0, 50),
        text=st.integers(0, len(TEXTS) - 1),
        version=st.sampled_from([None, None, 1, 2]),
    )
    def revise(self, who: str, item: int, text: int, version: int | None) -> None:
        """Give an item another text; where that may not be, the text waits beside it."""
        command = Revise(
            item=self.pick(item), content=Content(title=TEXTS[text]), if_version=version
        )
        answer = self.do(command, who)
        if answer is not None and not isinstance(answer, Refused):
            assert answer.item is not None
            assert base(self.items()[answer.item.id].content.title) == text

    @rule(
        who=st.sampled_from(CALLERS),
        item=st.integers(0, 50),
        edit=st.sampled_from([None, None, 0, 1]),
        scope=st.sampled_from(["", "", "global"]),
    )
    def approve(self, who: str, item: int, edit: int | None, scope: str) -> None:
        """Let a proposal count, as it is or edited, here or everywhere."""
        content = None if edit is None else Content(title=TEXTS[edit])
        self.do(Approve(item=self.pick(item), content=content, scope=scope), who)

    @rule(
        who=st.sampled_from(CALLERS),
        item=st.integers(0, 50),
        reason=st.sampled_from(REJECT_REASONS),
    )
    def reject(self, who: str, item: int, reason: str) -> None:
        """Turn something down."""
        self.do(Reject(item=self.pick(item), reason=reason), who)

    @rule(
        who=st.sampled_from(CALLERS),
        item=st.integers(0, 50),
        action=st.sampled_from(
            ["archive", "restore", "pin", "unpin", "verify", "dispute", "stale", "decline"]
        ),
    )
    def mark(self, who: str, item: int, action: str) -> None:
        """Change a state."""
        self.do(Mark(item=self.pick(item), action=action), who)

    @rule(who=st.sampled_from(CALLERS), item=st.integers(0, 50))
    def forget(self, who: str, item: int) -> None:
        """Erase, or ask for it."""
        self.do(Forget(item=self.pick(item)), who)

    @rule(
        who=st.sampled_from(CALLERS),
        item=st.integers(0, 50),
        verdict=st.sampled_from(["helpful", "wrong", "stale"]),
    )
    def give_feedback(self, who: str, item: int, verdict: str) -> None:
        """Have an opinion."""
        self.do(Feedback(item=self.pick(item), verdict=verdict), who)

    @rule(who=st.sampled_from(CALLERS), text=st.integers(0, len(TEXTS) - 1))
    def hand_off(self, who: str, text: int) -> None:
        """Leave something for the next one."""
        self.do(HandOff(next=f"look at it: {TEXTS[text]}"), who)

    @rule(who=st.sampled_from(CALLERS), back=st.integers(0, 12))
    def undo(self, who: str, back: int) -> None:
        """Take a change back: exactly what it changed is as it was before."""
        known = sorted(self.around)
        event = known[-1 - back] if back < len(known) else 0
        answer = self.do(Undo(event=event), who)
        if answer is None or isinstance(answer, Refused) or event not in self.around:
            return
        before, after = self.around[event]
        now = self.items()
        for name, was in before.items():
            if after[name] != was:
                assert state(now[name]) == was, "undo is not exact"
        for name in after.keys() - before.keys():
            assert now[name].status == "archived"

    @rule(
        who=st.sampled_from(CALLERS),
        switch=st.sampled_from(
            [
                ("saving", "off"),
                ("saving", "on"),
                ("saving", "on"),
                ("review", "none"),
                ("review", "all"),
            ]
        ),
    )
    def switch(self, who: str, switch: tuple[str, str]) -> None:
        """Switch saving, or set a policy."""
        answer = self.do(Set(name=switch[0], value=switch[1]), who)
        if answer is not None and not isinstance(answer, Refused) and switch[1] == "none":
            self.opened = True

    @rule(by=st.sampled_from([SECOND, HOUR, 15 * DAY, 61 * DAY]))
    def wait(self, by: int) -> None:
        """Let time pass; what is past its time lapses."""
        for desk in self.desks:
            desk.clock.advance(by)
        self.do(Sweep(), "itself")

    @rule(who=st.sampled_from(["codex", "claude", "away"]))
    def be_given(self, who: str) -> None:
        """Start a session's context: only what counts is in it."""
        for desk, callers in zip(self.desks, self.callers, strict=True):
            made, _ = desk.memory.pack(callers[who], channel="mcp", nonce="n0nce000")
            items = self.items(desk)
            for row in made.shown:
                self.check_shown(items[row[0]], callers[who], desk)

    @rule(who=st.sampled_from(["ada", "codex", "away"]), text=st.integers(0, len(TEXTS) - 1))
    def recall(self, who: str, text: int) -> None:
        """Search: only what counts is found (how it is ranked is not the gateway's)."""
        for desk, callers in zip(self.desks, self.callers, strict=True):
            for hit in desk.memory.recall(TEXTS[text], callers[who]).hits:
                self.check_shown(hit.item, callers[who], desk)

    def check_shown(self, item: Item, caller: Caller, desk: Desk) -> None:
        """An item that left the store towards a reader."""
        assert item.status == "active"
        assert not item.expired(desk.clock.now())
        assert item.scope in caller.place.ladder()
        reviewed = item.verification in ("verified", "disputed", "stale")
        assert not item.tainted or reviewed or item.head.author.is_person, item
        if kind_of(item.scope) == "agent" and not item.head.author.is_person:
            assert item.head.where.repo == caller.place.repo

    # -- what always holds ------------------------------------------------------------
    @invariant()
    def logs_are_whole(self) -> None:
        """The chain verifies, and is the same on both."""
        heads = []
        for desk in self.desks:
            with desk.store.read() as tx:
                assert broken_at(tx.events.walk()) is None
                heads.append(tx.events.head())
        assert heads[0] == heads[1]

    @invariant()
    def rows_stand_as_the_log_says(self) -> None:
        """Replaying the log gives every row as it is stored."""
        for desk in self.desks:
            with desk.store.read() as tx:
                assert list(auditing.findings(tx)) == []

    @invariant()
    def stores_are_alike(self) -> None:
        """Item for item."""
        assert self.items(self.desks[0]) == self.items(self.desks[1])

    @invariant()
    def an_address_has_one_active_item(self) -> None:
        """At most."""
        taken = Counter(
            (item.scope, item.key)
            for item in self.items().values()
            if item.status == "active" and item.key
        )
        assert not taken or taken.most_common(1)[0][1] == 1

    @invariant()
    def nothing_of_an_agent_alone_counts_for_others(self) -> None:
        """Under the policy `all`: a person stood for whatever is active in a shared scope."""
        if self.opened:
            return
        with self.desks[0].store.read() as tx:
            for item in self.items().values():
                private = kind_of(item.scope) in ("session", "agent", "branch")
                if item.status != "active" or private or item.kind == "handoff":
                    continue
                assert any(
                    line.by.is_person and line.action in STANDS_FOR
                    for line in tx.events.of(item.id)
                ), item

    @invariant()
    def what_was_turned_down_stays_down(self) -> None:
        """Neither active nor proposed where its tombstone binds.

        Unless a person said it for a narrower scope, or it is held for the person who forgot
        its source without the key that forgetting another's copy wants.
        """
        live = [
            item
            for item in self.items().values()
            if item.status in ("active", "proposed") and said(item.content) >= 0
        ]
        for stone in self.stones():
            for item in live:
                bound = bound_of(item)
                if stone.scope not in bound or stone.lifted_for(bound):
                    continue
                if not (stone.by.is_person or stone.by.same_party(item.head.author)):
                    continue  # what an agent forgot of its own binds that agent
                if said(item.content) not in self.buried[stone.id]:
                    continue
                if "source_forgotten" in item.flags and item.status == "proposed":
                    continue
                person = item.verification == "verified" or item.head.author.is_person
                assert person, (item, stone)
                assert item.scope != stone.scope, (item, stone)


TestGatewayMachine: Any = GatewayMachine.TestCase
TestGatewayMachine.settings = settings(max_examples=40, stateful_step_count=40)
