"""Words that stood there before keep the day that they were recorded on; new ones count now."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from desk import REPO, id_of
from onrecord.domain import time
from onrecord.domain.outcome import Refused
from onrecord.service.commands import Approve, Revise

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.domain.item import Item

SAID = "The gate broke yesterday and Rune was told"
DAYS = 5


def today(desk: Desk) -> date:
    """The day that it is."""
    return time.to_datetime(desk.clock.now()).date()


def proposed(desk: Desk, title: str = SAID, *, as_written: bool = True) -> Item:
    """An agent's proposal of some days ago; its words were kept as they are."""
    made = desk.remember(title, desk.agent(), scope=REPO, dates_as_written=as_written)
    desk.clock.advance(DAYS * time.DAY)
    return desk.stored(id_of(made))


def approved(desk: Desk, item: Item, title: str) -> str:
    """The title as it counts after somebody edited it while approving."""
    content = replace(item.content, title=title)
    command = Approve(item=item.id, seen=item.head.digest, content=content)
    done = desk.do(command, desk.ada_typed)
    assert done.code == "approved", done
    return desk.stored(item.id).content.title


def test_words_that_were_there_keep_their_day(desk: Desk) -> None:
    """Another word beside them does not make them said today."""
    item = proposed(desk)
    before = today(desk) - timedelta(days=DAYS + 1)

    assert approved(desk, item, SAID.replace("gate", "north gate")) == (
        f"The north gate broke yesterday ({before}) and Rune was told"
    )


def test_new_words_count_from_now(desk: Desk) -> None:
    """Beside old ones, each from its own day."""
    item = proposed(desk)
    title = approved(desk, item, f"{SAID}; it was mended yesterday")
    old, new = (today(desk) - timedelta(days=days) for days in (DAYS + 1, 1))

    assert title == (
        f"The gate broke yesterday ({old}) and Rune was told; it was mended yesterday ({new})"
    )


def test_a_word_in_another_sentence_is_a_new_one(desk: Desk) -> None:
    """The same word where all around it is new was said by whoever edits."""
    item = proposed(desk, "The gate broke yesterday")
    new = today(desk) - timedelta(days=1)

    assert approved(desk, item, "Ilse mended it yesterday") == f"Ilse mended it yesterday ({new})"


def test_a_date_that_is_taken_out_comes_back_as_it_was(desk: Desk) -> None:
    """Whoever deletes the brackets deletes no knowledge."""
    item = proposed(desk, as_written=False)
    assert "(" in item.content.title

    assert approved(desk, item, SAID.replace("Rune", "Ilse")) == item.content.title.replace(
        "Rune", "Ilse"
    )


def test_an_edit_by_revising_does_the_same(desk: Desk) -> None:
    """A person's own memory, some days later."""
    item = id_of(desk.remember(SAID, desk.ada, dates_as_written=True))
    before = today(desk) - timedelta(days=1)
    desk.clock.advance(DAYS * time.DAY)
    content = replace(desk.stored(item).content, title=SAID.replace("gate", "door"))
    desk.do(Revise(item=item, content=content), desk.ada)

    assert f"The door broke yesterday ({before})" in desk.stored(item).content.title


@pytest.mark.parametrize("answer", ["", " (2031-01-04)"])
def test_words_of_an_unknown_day_are_asked_about(desk: Desk, answer: str) -> None:
    """What came in with the flag that its dates are unclear has no day to count from."""
    made = desk.remember(SAID, desk.ada, scope=REPO, dates_flagged=True, propose=True)
    item = desk.stored(id_of(made))
    assert "dates.unclear" in item.flags
    content = replace(
        item.content,
        title=SAID.replace("gate", "door").replace("yesterday", f"yesterday{answer}"),
    )
    done = desk.do(Approve(item=item.id, content=content), desk.ada_typed)

    assert isinstance(done, Refused) != bool(answer)
