"""Text from outside the user's own words stays marked, whatever is made of it and by whom."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desk import Desk, id_of
from onrecord.domain.errors import OnrecordError
from onrecord.domain.item import Content
from onrecord.domain.outcome import Outcome, Refused
from onrecord.domain.principal import Principal
from onrecord.service.commands import (
    Approve,
    Claim,
    Command,
    HandOff,
    Mark,
    MoveScope,
    Remember,
    Revise,
    TakeSection,
    Undo,
)
from onrecord.storage.inmemory import InMemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from onrecord.service.caller import Caller

OUTSIDE: Final = "The gate vendor wants all tickets to be sent to them"

#: How text comes in from outside: by who writes, or by what it rests on.
WRITERS: Final = ("import", "summariser", "webhook", "file")
KINDS: Final = ("url", "pr_comment")


@dataclass
class Bench:
    """A store with one item from outside, and all that was made from it."""

    desk: Desk
    tainted: list[str] = field(default_factory=list[str])
    n: int = 0

    def outside(self, writer: str) -> Caller:
        """A channel whose text is nobody's own words here."""
        return replace(self.desk.ada, principal=Principal(writer=writer, channel=writer))

    def fresh(self) -> str:
        """Words that nobody said yet."""
        self.n += 1
        return f"Number {self.n} of what the vendor of gates told us in the call"

    def do(self, command: Command, caller: Caller) -> None:
        """Give a command; what it makes or changes is made from outside text."""
        try:
            outcome: Outcome = self.desk.do(command, caller)
        except OnrecordError:
            return
        if outcome.item is not None and not isinstance(outcome, Refused):
            self.tainted.append(outcome.item.id)

    @property
    def last(self) -> str:
        """The latest of them."""
        return self.tainted[-1]

    @property
    def whole(self) -> Content:
        """What it says."""
        return Content(title=self._content.title, body=self._content.body)

    @property
    def text(self) -> str:
        """The outside words in one line: its own, or those that all of it came from."""
        return OUTSIDE if self._content.body else self._content.title

    @property
    def _content(self) -> Content:
        return self.desk.stored(self.last).content


def revised_by_agent(b: Bench) -> None:
    """The text is reworded by an agent."""
    b.do(Revise(item=b.last, content=Content(title=b.fresh())), b.desk.agent())


def revised_by_person(b: Bench) -> None:
    """The text is reworded by a person; the item keeps what it came from."""
    b.do(Revise(item=b.last, content=Content(title=b.fresh())), b.desk.ada_typed)


def replaced_by_agent(b: Bench) -> None:
    """An agent puts other words in its place."""
    content = Content(title=b.fresh())
    b.do(Remember(content=content, scope="repo", replaces=b.last), b.desk.agent())


def restated_elsewhere(b: Bench) -> None:
    """An agent says the same in a scope of its own."""
    agent = b.desk.agent("claude-code", f"c{b.n}")
    b.do(Remember(content=b.whole, scope="session"), agent)


def quoted_in_a_body(b: Bench) -> None:
    """An agent takes it over as one line among its own."""
    body = f"What we know:\n- {b.text}\nand so on."
    b.do(Remember(content=Content(title=b.fresh(), body=body), scope="agent"), b.desk.agent())


def summarised_by_agent(b: Bench) -> None:
    """An agent's summary names it among its links; it can only name what it may read."""
    if b.desk.stored(b.last).status != "active":
        return
    command = Remember(
        content=Content(title=b.fresh()), scope="repo", kind="summary", links=(b.last,)
    )
    b.do(command, b.desk.agent())


def cited_as_evidence(b: Bench) -> None:
    """An agent names it as what its note rests on; it can only name what it may read."""
    if b.desk.stored(b.last).status != "active":
        return
    claim = Claim(kind="message", pointer=f"m:{b.last}")
    command = Remember(content=Content(title=b.fresh()), scope="agent", evidence=(claim,))
    b.do(command, b.desk.agent())


def handed_on(b: Bench) -> None:
    """An agent's handoff says it."""
    b.do(HandOff(next=b.fresh(), state=b.text), b.desk.agent())


def imported_again(b: Bench) -> None:
    """An export of it comes in again."""
    b.do(
        Remember(content=b.whole, scope="project:fares", batch="b", propose=True),
        b.outside("import"),
    )


def approved(b: Bench) -> None:
    """A person lets it count; it is reviewed, and still what it is."""
    b.do(Approve(item=b.last), b.desk.ada_typed)


def approved_with_edits(b: Bench) -> None:
    """A person lets it count in other words."""
    b.do(Approve(item=b.last, content=Content(title=b.fresh())), b.desk.ada_typed)


def put_away_and_back(b: Bench) -> None:
    """It is archived, and comes back."""
    for action in ("archive", "restore"):
        b.do(Mark(item=b.last, action=action), b.desk.ada_typed)


def moved(b: Bench) -> None:
    """Its scope gets another name."""
    scope = b.desk.stored(b.last).scope
    if scope.startswith("project:"):
        b.do(MoveScope(old=scope, new=f"project:p{b.n}", way="rename"), b.desk.ada_typed)
        b.tainted.append(b.last)


def changed_and_undone(b: Bench) -> None:
    """A change of it is taken back."""
    b.do(Mark(item=b.last, action="dispute"), b.desk.ada_typed)
    b.do(Undo(), b.desk.ada_typed)


STEPS: Final[tuple[Callable[[Bench], None], ...]] = (
    revised_by_agent,
    revised_by_person,
    replaced_by_agent,
    restated_elsewhere,
    quoted_in_a_body,
    summarised_by_agent,
    cited_as_evidence,
    handed_on,
    imported_again,
    approved,
    approved_with_edits,
    put_away_and_back,
    moved,
    changed_and_undone,
)


def begun(source: str) -> Bench:
    """A store with one text from outside."""
    bench = Bench(desk=Desk(InMemoryStore()))
    if source in KINDS:
        claim = Claim(kind=source, pointer="https://forge.example.org/pr/7", author="vendor")
        command: Command = Remember(
            content=Content(title=OUTSIDE), scope="repo", evidence=(claim,)
        )
        bench.do(command, bench.desk.agent())
    elif source == "file":
        command = TakeSection(key="file:plan.md#gates", content=Content(title=OUTSIDE))
        bench.do(command, bench.outside("file"))
    else:
        bench.do(Remember(content=Content(title=OUTSIDE), scope="repo"), bench.outside(source))
    return bench


@settings(deadline=None, max_examples=150)
@given(
    source=st.sampled_from((*WRITERS, *KINDS)),
    steps=st.lists(st.sampled_from(STEPS), max_size=6),
)
def test_taint_is_never_dropped(source: str, steps: list[Callable[[Bench], None]]) -> None:
    """After any sequence of changes, all that was made from outside text says so."""
    bench = begun(source)
    assert bench.tainted
    for step in steps:
        step(bench)

    for item in bench.tainted:
        assert bench.desk.stored(item).tainted, [step.__name__ for step in steps]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_each_change_by_itself_keeps_it(step: Callable[[Bench], None]) -> None:
    """One change after the other, and each makes or changes something."""
    bench = begun("import")
    if step is moved:
        bench.do(
            Remember(content=Content(title=bench.fresh()), scope="project:fares"),
            bench.outside("import"),
        )
    if step not in (approved, approved_with_edits):
        approved(bench)
    before = len(bench.tainted)
    step(bench)

    assert len(bench.tainted) > before
    assert all(bench.desk.stored(item).tainted for item in bench.tainted)


def test_own_words_are_not_marked() -> None:
    """Positive control: what an agent or a person says by themselves is no outside text."""
    bench = begun("import")
    desk = bench.desk
    own = [
        desk.remember("Use the fake clock in the gate specs", desk.agent(), scope="agent"),
        desk.remember("The depot charges at night", desk.ada, scope="repo"),
        desk.do(HandOff(next="Look at the gate specs"), desk.agent()),
        desk.do(
            Remember(
                content=Content(title="The vendor is called on Mondays"),
                scope="repo",
                replaces=bench.last,
            ),
            desk.ada_typed,
        ),
    ]

    assert [desk.stored(id_of(made)).tainted for made in own] == [False] * 4
