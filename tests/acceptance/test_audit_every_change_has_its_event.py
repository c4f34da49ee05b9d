"""Every mutating verb writes exactly one event in its own transaction, or changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import apsw
import pytest

from commandline import CommandLine
from desk import Desk, id_of, place
from onrecord.domain.errors import OnrecordError
from onrecord.domain.event import broken_at
from onrecord.domain.item import Content, ItemQuery
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.time import DAY
from onrecord.service import auditing
from onrecord.service.caller import Caller
from onrecord.service.commands import (
    Approve,
    Claim,
    Command,
    DropSection,
    Feedback,
    Forget,
    ForgetEverything,
    ForgetSource,
    HandOff,
    Mark,
    MoveScope,
    Purge,
    PutAway,
    Reconcile,
    Reject,
    Remember,
    Revise,
    Set,
    Settle,
    Sweep,
    TakeSection,
    Undo,
)
from onrecord.service.gateway import HANDLERS
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FILES: Final = Caller(principal=Principal(writer="file", channel="file"), place=place())
ITSELF: Final = Caller(principal=Principal(writer="system", channel="system"), place=Place())


@dataclass(frozen=True, kw_only=True, slots=True)
class Bench:
    """A desk over a file, and something in each state."""

    desk: Desk
    path: str
    active: str
    archived: str
    waiting: str
    handoff: str
    pinned: str
    section: str
    event: int


#: name -> (the command, who gives it, the action that its one event has)
VERBS: Final[dict[str, tuple[Callable[[Bench], Command], str, str]]] = {
    "remember": (lambda _: Remember(content=Content(title="Fares")), "typed", "created"),
    "propose": (
        lambda _: Remember(content=Content(title="Fares"), scope="repo"),
        "agent",
        "proposed",
    ),
    "corroborate": (
        lambda _: Remember(content=Content(title="The gate opens at six"), scope="repo"),
        "agent",
        "corroborated",
    ),
    "update": (
        lambda _: Remember(content=Content(title="Other"), scope="repo", key="gate"),
        "typed",
        "updated",
    ),
    "affirm": (
        lambda _: Remember(content=Content(title="Specs need a clock"), scope="repo"),
        "typed",
        "affirmed",
    ),
    "replace": (
        lambda b: Remember(content=Content(title="Other"), scope="repo", replaces=b.pinned),
        "typed",
        "created",
    ),
    "revise": (lambda b: Revise(item=b.active, content=Content(title="New")), "typed", "updated"),
    "approve": (lambda b: Approve(item=b.waiting), "typed", "approved"),
    "reject": (lambda b: Reject(item=b.active, reason="wrong"), "typed", "rejected"),
    "reconcile": (
        lambda b: Reconcile(new=b.waiting, old=b.active, way="both"),
        "typed",
        "approved reconciled",
    ),
    "archive": (lambda b: Mark(item=b.active, action="archive"), "typed", "archived"),
    "restore": (lambda b: Mark(item=b.archived, action="restore"), "typed", "restored"),
    "pin": (lambda b: Mark(item=b.active, action="pin"), "typed", "pinned"),
    "unpin": (lambda b: Mark(item=b.pinned, action="unpin"), "typed", "unpinned"),
    "verify": (lambda b: Mark(item=b.active, action="verify"), "typed", "verified"),
    "dispute": (lambda b: Mark(item=b.active, action="dispute"), "typed", "disputed"),
    "call stale": (lambda b: Mark(item=b.active, action="stale"), "typed", "staled"),
    "ask": (lambda b: Forget(item=b.active), "agent", "asked"),
    "decline": (lambda b: Mark(item=b.active, action="decline"), "typed", "declined"),
    "forget": (lambda b: Forget(item=b.active), "typed", "forgotten"),
    "undo": (lambda b: Undo(event=b.event), "typed", "undone"),
    "set a switch": (lambda _: Set(name="saving", value="off"), "typed", "set"),
    "set a policy": (lambda _: Set(name="review", value="none"), "typed", "set"),
    "tidy": (
        lambda b: PutAway(items=(b.active, b.pinned), run="groom"),
        "typed",
        "archived tidied",
    ),
    "purge": (lambda b: Purge(items=(b.archived, b.active)), "typed", "forgotten"),
    "forget a source": (
        lambda _: ForgetSource(source="codex:s1#u1"),
        "typed",
        "held source_forgotten",
    ),
    "forget everything": (
        lambda _: ForgetEverything(),
        "typed",
        " ".join(["source_forgotten"] * 3 + ["forgotten"] * 8),
    ),
    "rename a scope": (
        lambda _: MoveScope(old="project:fares", new="project:zones"),
        "typed",
        "moved scope_moved",
    ),
    "take a section": (
        lambda _: TakeSection(key="file:plan.md#till", content=Content(title="The till is next")),
        "file",
        "created",
    ),
    "drop a section": (lambda b: DropSection(item=b.section), "file", "archived"),
    "hand off": (lambda _: HandOff(next="the gate"), "agent", "created"),
    "claim": (lambda b: Settle(item=b.handoff, action="claim"), "agent", "handoff_claimed"),
    "cancel": (lambda b: Settle(item=b.handoff, action="cancel"), "typed", "handoff_cancelled"),
    "give feedback": (
        lambda b: Feedback(item=b.active, verdict="helpful"),
        "agent",
        "feedback",
    ),
    "refuse": (lambda b: Mark(item=b.active, action="pin"), "agent", "refused"),
    "let lapse": (lambda _: Sweep(), "itself", "lapsed"),
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Something to change in every way."""
    path = tmp_path / "home" / "memory.db"
    store = open_sqlite(str(path), create=True)
    desk = Desk(store)
    active = desk.remember("The gate opens at six", desk.ada, scope="repo", key="gate")
    archived = desk.remember("The queue is in Redis", desk.ada, scope="repo")
    desk.do(Mark(item=id_of(archived), action="archive"), desk.ada)
    waiting = desk.remember(
        "Specs need a clock",
        desk.agent(),
        scope="repo",
        evidence=(Claim(kind="message", pointer="codex:s1#u1"),),
    )
    handoff = desk.do(HandOff(next="the till"), desk.agent("claude-code", "c1"))
    pinned = desk.remember("Zones are rings", desk.ada, scope="repo", pin=True)
    desk.remember("Zones are counted from the harbour", desk.ada, scope="project:fares")
    section = desk.do(
        TakeSection(key="file:plan.md#gates", content=Content(title="Gates come first")), FILES
    )
    other = desk.remember("Night buses charge", desk.ada, scope="repo")
    assert other.undo is not None
    yield Bench(
        desk=desk,
        path=str(path),
        active=id_of(active),
        archived=id_of(archived),
        waiting=id_of(waiting),
        handoff=id_of(handoff),
        pinned=id_of(pinned),
        section=id_of(section),
        event=other.undo,
    )
    store.close()


def caller_of(bench: Bench, who: str) -> Caller:
    """Who gives a command."""
    return {
        "typed": bench.desk.ada_typed,
        "agent": bench.desk.agent("claude-code", "c2"),
        "itself": ITSELF,
        "file": FILES,
    }[who]


def snapshot(bench: Bench) -> tuple[object, ...]:
    """All that commands change, apart from the log."""
    with bench.desk.store.read() as tx:
        items = tx.items.page(ItemQuery(limit=200))
        return (
            items,
            [tx.items.history(item.id) for item in items],
            [tx.tombstones.of(item.id) for item in items],
            [tx.provenance.evidence(item.id) for item in items],
            [tx.provenance.sightings(item.id) for item in items],
            [tx.provenance.reviews(item.id) for item in items],
            [tx.provenance.feedback(item.id) for item in items],
            [tx.provenance.links_from(item.id) for item in items],
            tx.settings.everything(),
            tx.handoffs.recent(),
            {name: dict(of) for name, of in tx.scopes.counts().items()},
        )


def test_every_command_of_the_gateway_is_among_the_verbs() -> None:
    """A new command has its line here."""
    made = replace_all()

    assert {type(command) for command in made} == set(HANDLERS)


def replace_all() -> list[Command]:
    """One command for each verb."""
    empty: Any = Bench(
        desk=None,  # type: ignore[arg-type]
        path="",
        active="a",
        archived="b",
        waiting="c",
        handoff="d",
        pinned="e",
        section="f",
        event=1,
    )
    return [make(empty) for make, _, _ in VERBS.values()]


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_audit_every_change_has_its_event(bench: Bench, verb: str) -> None:
    """Exactly one line, of the action that it was, by who did it; the chain holds.

    What moves or puts away several has a line for each, and then the one that sums them up.
    """
    make, who, action = VERBS[verb]
    if verb == "let lapse":
        bench.desk.clock.advance(61 * DAY)
    with bench.desk.store.read() as tx:
        head = tx.events.head()[0]
    outcome = bench.desk.do(make(bench), caller_of(bench, who))
    with bench.desk.store.read() as tx:
        lines = list(tx.events.walk(head + 1))
        whole = broken_at(tx.events.walk()) is None and not list(auditing.findings(tx))

    assert [line.action for line in lines] == action.split()
    assert lines[0].by.writer == caller_of(bench, who).principal.writer
    assert whole
    if outcome.undo is not None:
        assert outcome.undo == lines[-1].seq


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_audit_every_change_has_its_event_or_is_refused(bench: Bench, verb: str) -> None:
    """Where the event cannot be written, nothing else is written either."""
    make, who, _ = VERBS[verb]
    if verb == "let lapse":
        bench.desk.clock.advance(61 * DAY)
    command, caller = make(bench), caller_of(bench, who)
    before = snapshot(bench)
    with apsw.Connection(bench.path) as other:
        other.execute(
            "CREATE TRIGGER no_more_events BEFORE INSERT ON events"
            " BEGIN SELECT RAISE(ABORT, 'the disk of the log is gone'); END"
        )
    with pytest.raises((OnrecordError, apsw.Error)):
        bench.desk.do(command, caller)

    assert snapshot(bench) == before


def test_audit_every_change_has_its_event_with_a_commitment_to_its_text(bench: Bench) -> None:
    """The line binds the text without saying it; erasing makes the binding noise."""
    with bench.desk.store.read() as tx:
        created = tx.events.of(bench.active)[0]
    bench.desk.do(Forget(item=bench.active), bench.desk.ada_typed)
    with bench.desk.store.read() as tx:
        after = tx.events.of(bench.active)[0]
        salt = bench.desk.stored(bench.active).salt

    assert len(created.commitment) == 32
    assert after == created
    assert salt == b""
    assert "gate" not in repr(replace(created, by=ITSELF.principal))


def test_audit_every_change_has_its_event_through_the_commands(tmp_path: Path) -> None:
    """As a person sees it: one line for each thing that was done, in order, with who did it."""
    lines = CommandLine(tmp_path)
    item = lines.remember("Fares are in cents", "--scope", "repo")
    for words in (("pin", item), ("edit", item, "--text", "Fares"), ("archive", item), ("undo",)):
        assert lines.run(*words).status == 0
    assert lines.run("forget", item, keys=[("[y/n]", "y")]).status == 0
    events = lines.run("log", "--json").json["events"]
    check = lines.run("check", "--json")

    assert [event["action"] for event in reversed(events)] == [
        *("created", "pinned", "updated", "archived", "undone", "forgotten")
    ]
    assert all(event["by"]["channel"] == "terminal" for event in events)
    assert check.json["sound"]
    assert check.json["events"] == 6
