"""Whatever is said of few things in many ways is stored, or stands already in the same words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import event, given, settings
from hypothesis import strategies as st

from desk import Desk
from onrecord.domain.outcome import Conflict, Corroborated, Created, Proposed, Updated
from onrecord.policy.contrast import compare
from onrecord.policy.said import Said
from onrecord.policy.statement import same_key
from onrecord.service.commands import Set, Undo
from onrecord.storage.inmemory import InMemoryStore

if TYPE_CHECKING:
    from onrecord.domain.outcome import Outcome

WAYS = (
    "The crane takes {x}, never {y}.",
    "The crane takes {y}.",
    "Use {x} instead of {y} for the crane.",
    "Do not use {y} for the crane; use {x}.",
    "The crane is {x}.",
    "The crane is not {x}.",
    "The crane is no longer {x}, but {y}.",
    "All cranes except crane 4 are {x}.",
    "All cranes are {x}.",
    "It is not true that the crane is {x}.",
    "The crane review is on {x}.",
)
THINGS = ("red", "green", "Tuesdays", "Fridays", "4 tons", "5 tons")


def said_of(way: str, x: str, y: str) -> str:
    """A statement about two things."""
    return way.format(x=x, y=y)


STATEMENTS = st.builds(
    said_of, st.sampled_from(WAYS), st.sampled_from(THINGS), st.sampled_from(THINGS)
)
SPEAKERS = st.sampled_from(("ada", "codex", "claude-code"))
POLICIES = st.sampled_from(("ask", "supersede", "coexist", "dispute"))


def words(text: str) -> Counter[str]:
    """What carries the claim, as often as it does."""
    return Counter(Said(text).content)


def check(desk: Desk, text: str, answer: Outcome) -> None:
    """It is there as it was said, or what it was taken for says the same."""
    assert isinstance(answer, (Created, Corroborated, Updated, Proposed, Conflict)), answer
    event(f"{type(answer).__name__} {answer.code}")
    assert answer.item is not None
    item = desk.stored(answer.item.id)
    title = item.content.title
    assert item.status in ("active", "proposed")
    assert title == text or same_key(title) == same_key(text) or compare(title, text) == "same"
    # whatever else differs, no word of the claim and no negation was lost
    assert words(title) == words(text) or "must" in words(text)


@settings(max_examples=60, deadline=None)
@given(POLICIES, st.lists(st.tuples(SPEAKERS, STATEMENTS), min_size=1, max_size=8))
def test_no_statement_is_swallowed(policy: str, said: list[tuple[str, str]]) -> None:
    """By persons and agents, under every policy; one undo then takes the last act back whole."""
    desk = Desk(InMemoryStore())
    desk.do(Set(name="contradiction", value=policy, scope="repo"), desk.ada_typed)
    desk.do(Set(name="review", value="none", scope="repo"), desk.ada_typed)
    texts: dict[str, str] = {}
    before: dict[str, tuple[object, ...]] = {}
    answer: Outcome | None = None
    for speaker, text in said:
        caller = desk.ada if speaker == "ada" else desk.agent(speaker, f"of {speaker}")
        before = {name: state(desk, name) for name in texts}
        answer = desk.remember(text, caller, scope="repo")
        check(desk, text, answer)
        assert answer.item is not None
        texts.setdefault(answer.item.id, desk.stored(answer.item.id).content.title)

    # what was stored at first says the same at the end, whatever came after
    for name, text in texts.items():
        assert desk.stored(name).content.title == text
    if answer is not None and answer.undo is not None:
        desk.do(Undo(event=answer.undo), desk.ada_typed)
        assert {name: state(desk, name) for name in before} == before


def state(desk: Desk, name: str) -> tuple[object, ...]:
    """What undo restores of an item."""
    item = desk.stored(name)
    content = item.content
    return (
        *(content.title, content.body, content.tags, content.valid_from, content.valid_to),
        *(item.status, item.verification, item.pinned, item.expires_at),
    )
