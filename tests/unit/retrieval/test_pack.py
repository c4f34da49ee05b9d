"""Assembling a pack from candidates: order, limits, budget, titles, names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from library import BRANCH, REPO, candidate
from onrecord.domain.status import KINDS
from onrecord.domain.time import DAY
from onrecord.retrieval import lines as rows
from onrecord.retrieval import pack
from onrecord.retrieval.lines import Line, in_order, line_of, short_names
from onrecord.retrieval.pack import Packed, assemble
from onrecord.retrieval.tokens import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.domain.candidate import Candidate

NOW = 1_000 * DAY


def single(line: Line) -> str:
    """A line as plain text."""
    body = rows.shown_body(line, line.item.id[-6:] if line.item else "")
    return f"[{' '.join(line.marks)}] {line.title}" + (f"\n{body}" if body else "")


def whole(lines: Sequence[Line], notes: Sequence[str]) -> str:
    """A frame with lines and notes in it."""
    return "\n".join(["<frame>", *(single(line) for line in lines), *notes, "</frame>"])


def packed(lines: list[Line], budget: int = 1_500) -> Packed:
    """A pack rendered as plain text."""
    return assemble(lines, [], budget=budget, render=whole, single=single)


def numbered(n: int, **given: Any) -> Candidate:
    """The n-th of several items."""
    fields = {"title": f"Lantern {n}", "recorded_at": NOW - n * DAY, **given}
    return candidate(**{"id": f"01J9ZS00000000000000{n:06}", **fields})


def test_every_kind_has_its_place_or_none() -> None:
    """A new kind must be thought of."""
    places = {kind: rows.group_of(candidate(kind=kind)) for kind in KINDS}

    assert places == {
        "rule": rows.RULES,
        "preference": rows.PREFERENCES,
        "decision": rows.KNOWLEDGE,
        "lesson": rows.KNOWLEDGE,
        "fact": rows.KNOWLEDGE,
        "note": rows.KNOWLEDGE,
        "summary": rows.KNOWLEDGE,
        "task": rows.TASKS,
        "handoff": None,
        "reminder": None,
    }
    assert rows.group_of(candidate(kind="task", pinned=True)) == rows.PINNED
    assert rows.group_of(candidate(kind="rule", pinned=True)) == rows.RULES


def test_groups_then_scope_then_belief_then_recency() -> None:
    """The order of a pack without a query."""
    items = [
        numbered(1, kind="task", scope=BRANCH),
        numbered(2, kind="fact", scope="global", belief="verified"),
        numbered(3, kind="fact", scope=REPO, belief="unverified"),
        numbered(4, kind="fact", scope=REPO, belief="verified"),
        numbered(5, kind="preference", scope="global"),
        numbered(6, kind="fact", scope="global", pinned=True),
        numbered(7, kind="rule", scope="global"),
        numbered(8, kind="fact", scope=REPO, belief="verified"),
        numbered(9, kind="decision", scope=REPO, belief="verified"),
    ]
    order = [int(item.id[-6:]) for item in in_order(items, now=NOW, fits={})]

    assert order == [7, 6, 5, 9, 4, 8, 3, 2, 1]


def test_use_moves_an_item_up_inside_its_group() -> None:
    """What helped before comes before what is merely as old."""
    items = [numbered(1), numbered(1, id="01J9ZS00000000000000000009", helpful=20)]

    assert in_order(items, now=NOW, fits={})[0].helpful == 20


def test_what_was_shown_does_not_keep_its_place_by_that() -> None:
    """A pack shows the same items at every start: newer ones would never get into it."""
    old, new = numbered(4, delivered=40), numbered(1)

    assert in_order([old, new], now=NOW, fits={}) == [new, old]


def test_what_answers_the_query_leads_its_group() -> None:
    """Not the group itself: a pinned item stays before an answer."""
    items = [numbered(1, scope=BRANCH), numbered(2), numbered(3, pinned=True)]
    order = in_order(items, now=NOW, fits={items[1].id: 0.8})

    assert [int(item.id[-6:]) for item in order] == [3, 2, 1]


def test_groups_are_cut_and_the_rest_is_named() -> None:
    """Five tasks, three handoffs, three sessions."""
    lines = [line_of(numbered(n, kind="task"), rows.TASKS) for n in range(7)]
    lines += [line_of(numbered(n), rows.HANDOFFS) for n in range(10, 14)]
    lines += [Line(rows.SESSIONS, f"session {n}") for n in range(5)]
    kept, dropped = rows.cut_short(lines)

    groups = [line.group for line in kept]
    assert [groups.count(g) for g in (rows.TASKS, rows.HANDOFFS, rows.SESSIONS)] == [5, 3, 3]
    assert [why for _, why in dropped] == ["more than 5 of its kind"] * 2 + [
        "more than 3 of its kind"
    ]


def test_doubt_and_pins_are_marked() -> None:
    """A reader sees what an item is worth."""
    assert line_of(candidate(belief="unverified"), 4).marks == ("unverified",)
    assert line_of(candidate(belief="disputed", pinned=True), 2).marks == ("disputed", "pinned")
    assert line_of(candidate(belief="stale"), 4, extra=("from codex",)).marks == (
        "from codex",
        "stale",
    )
    assert line_of(candidate(belief="verified"), 4).marks == ()


def test_nothing_makes_no_text() -> None:
    """No line, no frame, no token."""
    made = packed([])

    assert (made.text, made.tokens, made.lines, made.withheld) == ("", 0, [], [])


@pytest.mark.parametrize("budget", [0, 10, 40, 80, 150, 300, 600, 1_500])
def test_the_budget_holds_for_the_whole_text(budget: int) -> None:
    """Frame and notes included; what is left out is counted and named."""
    lines = [line_of(numbered(n, body="word " * 90), rows.KNOWLEDGE) for n in range(150)]
    made = packed(lines, budget)

    assert made.tokens == count(made.text) if made.text else made.tokens == 0
    assert made.tokens <= budget
    assert len(made.lines) + len(made.withheld) == 150
    assert {why for _, why in made.withheld} == {"over budget"}
    if made.lines:
        assert f"{len(made.withheld)} more not shown" in made.text


def test_a_pack_is_short_in_bytes_too() -> None:
    """Clients cut long contexts, whatever their tokens."""
    lines = [line_of(numbered(n, body="wörd " * 300), rows.KNOWLEDGE) for n in range(60)]
    made = packed(lines, 100_000)

    assert made.lines
    assert len(made.text.encode()) <= pack.MAX_BYTES


def test_all_is_shown_whole_where_it_fits() -> None:
    """No titles-only while there is room."""
    lines = [line_of(numbered(n, body=f"body {n}"), rows.KNOWLEDGE) for n in range(5)]
    made = packed(lines)

    assert [line.brief for line in made.lines] == [False] * 5
    assert "titles only" not in made.text
    assert "not shown" not in made.text


def test_where_it_does_not_fit_the_newest_keep_their_text() -> None:
    """Pinned and newest in full, one line each for the rest, and the pack says so."""
    lines = [
        line_of(numbered(n, body="word " * 60, pinned=n == 30), rows.KNOWLEDGE) for n in range(40)
    ]
    lines[30].group = rows.PINNED
    lines.sort(key=lambda line: line.group)
    made = packed(lines)

    full = [line for line in made.lines if not line.brief]
    assert made.lines[0].item is not None
    assert made.lines[0].item.pinned
    assert {line.when for line in full[1:]} == {NOW - n * DAY for n in range(len(full) - 1)}
    assert len(full) == 1 + pack.OTHERS_WHOLE
    assert len(made.lines) > len(full) + 5
    assert "titles only" in made.text


def test_with_a_query_the_answers_keep_their_text() -> None:
    """Not the newest, and not what is pinned for other reasons."""
    lines = [line_of(numbered(n, body="word " * 60), rows.KNOWLEDGE) for n in range(40)]
    lines.insert(0, line_of(numbered(50, body="word " * 60, pinned=True), rows.PINNED))
    lines[20].answers = True
    made = packed(lines)

    assert not lines[20].brief
    assert lines[0].brief
    assert lines[0] in made.lines


def test_a_long_body_is_cut_and_tells_how_to_get_the_rest() -> None:
    """How much is missing, and under which name."""
    line = line_of(numbered(1, body="word " * 400), rows.KNOWLEDGE)
    text = rows.shown_body(line, "000001")

    assert len(text) < rows.BODY + 80
    shown = text.split("\n[")[0]
    assert text.endswith(
        f"[{2000 - len(shown)} of 2000 characters not shown: `onrecord show 000001`]"
    )
    assert shown.endswith("word")


def test_a_body_that_the_reader_cut_already_says_so() -> None:
    """The whole length is known even where the text is not."""
    line = line_of(numbered(1, body="word word", body_chars=5_000), rows.KNOWLEDGE)

    assert "[4991 of 5000 characters not shown" in rows.shown_body(line, "000001")


def test_short_names_are_as_long_as_it_takes() -> None:
    """Six characters, or more where two items would share them."""
    assert short_names(["01AAAAAAAAAA", "01BBBBBBBBBB"]) == {
        "01AAAAAAAAAA": "AAAAAA",
        "01BBBBBBBBBB": "BBBBBB",
    }
    assert short_names(["01AAAX777777", "01AAAY777777"]) == {
        "01AAAX777777": "X777777",
        "01AAAY777777": "Y777777",
    }
    assert short_names([]) == {}


def test_folded_items_name_what_stands_for_them() -> None:
    """Withheld, with the reason and the item that is shown."""
    wide = numbered(1, scope=REPO, key="pm")
    narrow = numbered(2, scope=BRANCH, key="pm")
    kept, dropped = rows.fold([wide, narrow])

    assert kept == [narrow]
    assert dropped == [(wide.id, f"same key in a narrower scope: {narrow.id} is shown")]
