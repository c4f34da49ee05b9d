"""Whatever is in a store, a pack keeps its promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from library import BRANCH, REPO, candidate
from onrecord.domain.scope import rank as breadth
from onrecord.domain.status import KINDS, VERIFICATIONS
from onrecord.policy.fence import Entry, fence, parse, render
from onrecord.retrieval import lines as rows
from onrecord.retrieval import pack
from onrecord.retrieval.lines import Line, cut_short, fold, in_order, line_of
from onrecord.retrieval.pack import assemble
from onrecord.retrieval.tokens import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.domain.candidate import Candidate

NONCE = "q7rt2m9x4tb3"
NOW = 10**15
TEXT = st.text(st.characters(), max_size=400)


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    """Items of a place, whatever they say."""
    return [
        candidate(
            draw(st.text(st.characters(exclude_characters="\n"), min_size=1, max_size=200)),
            id=f"01J9ZS00000000000000{n:06}",
            body=draw(TEXT),
            kind=draw(
                st.sampled_from(
                    [kind for kind in KINDS if rows.group_of(candidate(kind=kind)) is not None]
                )
            ),
            scope=draw(st.sampled_from([BRANCH, REPO, "global"])),
            belief=draw(st.sampled_from(VERIFICATIONS)),
            pinned=draw(st.booleans()),
            key=draw(st.sampled_from(["", "", "a", "b"])),
            recorded_at=draw(st.integers(0, NOW)),
        )
        for n in range(draw(st.integers(0, 12)))
    ]


def entry(line: Line) -> Entry:
    """A line as the fence shows it."""
    name = line.item.id[-6:] if line.item else "s1"
    return Entry(id=name, kind=line.kind, title=line.title, body=rows.shown_body(line, name))


def whole(lines: Sequence[Line], notes: Sequence[str]) -> str:
    """The fenced text."""
    return fence([entry(line) for line in lines], NONCE, notes=notes)


def single(line: Line) -> str:
    """One line of it."""
    return render(entry(line), NONCE)


def lines_of(items: list[Candidate]) -> list[Line]:
    """Items as a pack lines them up."""
    kept, _ = fold(in_order(items, now=NOW, fits={}))
    lines = [line_of(item, rows.group_of(item) or 0) for item in kept]
    return cut_short(sorted(lines, key=lambda line: line.group))[0]


@given(candidates(), st.integers(0, 2_000))
def test_a_budget_is_never_exceeded(items: list[Candidate], budget: int) -> None:
    """The whole text with its frame; everything else is withheld, nothing is lost."""
    lines = lines_of(items)
    made = assemble(lines, [], budget=budget, render=whole, single=single)

    assert made.tokens <= budget
    assert made.tokens == (count(made.text) if made.text else 0)
    assert len(made.text.encode("utf-8", "replace")) <= pack.MAX_BYTES
    assert {line.item.id for line in made.lines if line.item} | {i for i, _ in made.withheld} == {
        line.item.id for line in lines if line.item
    }


@given(candidates())
def test_a_pack_reads_back_as_what_was_put_in(items: list[Candidate]) -> None:
    """Titles come back letter for letter, in order."""
    made = assemble(lines_of(items), [], budget=5_000, render=whole, single=single)

    if made.text:
        assert [e.title for e in parse(made.text)] == [line.title for line in made.lines]


@given(candidates())
def test_the_order_never_wavers(items: list[Candidate]) -> None:
    """Whatever order a store gives, the pack has one."""
    ordered = in_order(items, now=NOW, fits={})

    assert ordered == in_order(items[::-1], now=NOW, fits={})


@given(candidates())
def test_one_item_of_a_key_is_left(items: list[Candidate]) -> None:
    """The narrowest of those that share it and are believed alike, rules apart."""
    plain = [item for item in items if item.kind != "rule" and item.belief != "verified"]
    kept, dropped = fold(in_order(plain, now=NOW, fits={}))

    assert len(kept) + len(dropped) == len(plain)
    for key in ("a", "b"):
        holders = [item for item in plain if item.key == key]
        left = [item for item in kept if item.key == key]
        assert len(left) <= 1
        if left and len({item.title for item in plain}) == len(plain):
            assert breadth(left[0].scope) == min(breadth(item.scope) for item in holders)
