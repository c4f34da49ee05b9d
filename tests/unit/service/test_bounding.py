"""A statement that says until when it is true is kept so, where its writer gave no time."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from desk import SECRETS, Desk, id_of
from onrecord.domain import time
from onrecord.domain.item import Content
from onrecord.service.commands import Remember, Revise, Undo
from onrecord.service.memory import Memory

if TYPE_CHECKING:
    from onrecord.domain.outcome import Outcome

ZONE = ZoneInfo("Europe/Berlin")


def here(desk: Desk) -> None:
    """Let the writer's clocks be Berlin's."""
    desk.memory = Memory(
        desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=ZONE
    )


def day(desk: Desk, days: int) -> datetime:
    """The beginning of a day so many days from now, in Berlin."""
    now = time.to_datetime(desk.clock.now()).astimezone(ZONE)
    return (now + timedelta(days=days)).replace(hour=0, minute=0, second=0, microsecond=0)


def span(desk: Desk, made: Outcome) -> tuple[int | None, int | None]:
    """From when to when an item is true."""
    content = desk.stored(id_of(made)).content
    return content.valid_from, content.valid_to


def test_a_day_that_is_named_as_the_last_counts_to_its_end(desk: Desk) -> None:
    """It ends where the next day begins in the writer's zone, and the answer says so."""
    here(desk)
    last = day(desk, 30)
    made = desk.remember(f"Kiosk four is closed until {last.date()}", desk.ada)
    end = time.from_datetime(day(desk, 31))

    assert span(desk, made) == (None, end)
    assert f"Kept as true to the end of {last.date()}, as it says." in made.say
    assert desk.memory.recall("kiosk four", desk.ada).hits
    desk.clock.at = end
    assert not desk.memory.recall("kiosk four", desk.ada).hits


def test_a_relative_day_counts_from_the_date_beside_it(desk: Desk) -> None:
    """The date that was put beside the words is the one that is meant."""
    here(desk)
    made = desk.remember("Kiosk four is closed until tomorrow", desk.ada)

    assert span(desk, made) == (None, time.from_datetime(day(desk, 2)))


def test_a_start_that_is_past_is_kept_and_one_ahead_is_left_to_its_words(desk: Desk) -> None:
    """What is planned is found before it begins."""
    here(desk)
    past, ahead = day(desk, -30), day(desk, 30)
    since = desk.remember(f"Since {past.date()} fares are in cents", desk.ada)
    planned = desk.remember(f"From {ahead.date()} on the depot opens at five", desk.ada)
    both = desk.remember(
        f"The quay is shut from {ahead.date()} to {day(desk, 33).date()}", desk.ada
    )

    assert span(desk, since) == (time.from_datetime(past), None)
    assert f"Kept as true from {past.date()} on, as it says." in since.say
    assert span(desk, planned) == (None, None)
    assert span(desk, both) == (None, time.from_datetime(day(desk, 34)))
    assert len(desk.memory.recall("depot quay fares", desk.ada).hits) == 3


def test_an_end_that_is_past_is_history(desk: Desk) -> None:
    """What was so until then stays a true statement about the past."""
    here(desk)
    made = desk.remember(f"Jenkins built it until {day(desk, -3).date()}", desk.ada)

    assert span(desk, made) == (None, None)
    assert desk.memory.recall("jenkins built", desk.ada).hits


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "task"},
        {"kind": "rule"},
        {"dates_as_written": True},
        {"batch": "01J0000000000000000000000A"},
    ],
)
def test_other_kinds_and_words_that_are_kept_get_no_time(
    desk: Desk, given: dict[str, object]
) -> None:
    """A task's day is when it is due, a rule stands till a person lifts it, copies stay copies."""
    here(desk)
    made = desk.remember(f"Close the kiosk until {day(desk, 9).date()}", desk.ada_typed, **given)

    assert span(desk, made) == (None, None)


@pytest.mark.parametrize("said", ["until 9999-12-31", "since 0001-01-01"])
def test_the_ends_of_the_calendar_bound_nothing_and_break_nothing(desk: Desk, said: str) -> None:
    """They are figures of speech."""
    here(desk)
    made = desk.remember(f"Kiosk four is closed {said}", desk.ada)

    assert made.code == "created"
    assert span(desk, made)[1] is None


def test_what_the_writer_gave_wins(desk: Desk) -> None:
    """Another end than the words say, and the sentence does not speak of it."""
    here(desk)
    end = time.from_datetime(day(desk, 5))
    made = desk.remember(
        f"Kiosk four is closed until {day(desk, 9).date()}", desk.ada, valid_to=end
    )

    assert span(desk, made) == (None, end)
    assert "Kept as true" not in made.say


def test_other_words_set_another_end(desk: Desk) -> None:
    """An edit of the day moves it, one without it takes it off, one of other words leaves it."""
    here(desk)
    first, second = day(desk, 9).date(), day(desk, 19).date()
    item = id_of(desk.remember(f"Kiosk four is closed until {first}", desk.ada))
    ends: list[int | None] = []
    for title in (
        f"Kiosk four is shut until {first}",
        f"Kiosk four is shut until {second}",
        "Kiosk four is shut",
    ):
        content = replace(desk.stored(item).content, title=title)
        done = desk.do(Revise(item=item, content=content), desk.ada)
        ends.append(span(desk, done)[1])

    assert ends == [*(time.from_datetime(day(desk, days)) for days in (10, 20)), None]


def test_an_end_that_a_person_took_off_stays_off(desk: Desk) -> None:
    """Their next edit of other words does not bring it back."""
    here(desk)
    item = id_of(desk.remember(f"Kiosk four is closed until {day(desk, 9).date()}", desk.ada))
    content = replace(desk.stored(item).content, valid_to=None)
    desk.do(Revise(item=item, content=content), desk.ada)
    taken_off = desk.stored(item).content.valid_to
    more = replace(content, body="Ask Ilse.")
    desk.do(Revise(item=item, content=more), desk.ada)

    assert taken_off is None
    assert desk.stored(item).content.valid_to is None


def test_undoing_the_edit_gives_the_earlier_end_back(desk: Desk) -> None:
    """Exactly, with the words that it comes from."""
    here(desk)
    item = id_of(desk.remember(f"Kiosk four is closed until {day(desk, 9).date()}", desk.ada))
    before = desk.stored(item).content
    changed = replace(before, title=f"Kiosk four is closed until {day(desk, 19).date()}")
    done = desk.do(Revise(item=item, content=changed), desk.ada)
    desk.do(Undo(event=done.undo or 0), desk.ada)

    assert desk.stored(item).content == before


def test_what_takes_a_place_ends_the_other_where_its_words_begin(desk: Desk) -> None:
    """The old statement was true until the day that the new one names."""
    here(desk)
    past = day(desk, -3)
    old = id_of(desk.remember("Fares are in euros", desk.ada))
    command = Remember(
        content=Content(title=f"Fares are in cents since {past.date()}"), replaces=old
    )
    desk.do(command, desk.ada)

    assert desk.stored(old).content.valid_to == time.from_datetime(past)
