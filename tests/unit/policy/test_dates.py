"""Relative dates: what is dated, what is asked, and what is left alone."""

from __future__ import annotations

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from corpora import corpus
from onrecord.domain.errors import BadField
from onrecord.policy.dates import Annotated, Ask, Unchanged, annotate

BERLIN = ZoneInfo("Europe/Berlin")
#: a Wednesday
RECORDED = datetime.fromisoformat("2031-03-12T14:05:00+01:00")


def read(
    text: str, recorded: datetime | None = RECORDED, tz: ZoneInfo | None = BERLIN
) -> Annotated | Ask | Unchanged:
    """The answer for a text that was recorded on the Wednesday of these tests."""
    return annotate(text, recorded, tz)


def added(text: str, at: str = "") -> list[tuple[str, str]]:
    """The phrases that were dated, and their dates."""
    recorded = datetime.fromisoformat(at) if at else RECORDED
    answer = read(text, recorded)
    assert isinstance(answer, Annotated), answer
    return list(answer.added)


def asked(text: str, at: str = "") -> tuple[str, str]:
    """The words that were asked about, and the question."""
    answer = read(text, datetime.fromisoformat(at) if at else RECORDED)
    assert isinstance(answer, Ask), answer
    return text[slice(*answer.span)], answer.question


@pytest.mark.parametrize(
    ("text", "words", "date"),
    [
        ("The feed moved yesterday.", "yesterday", "2031-03-11"),
        ("Today Rune closed the queue.", "Today", "2031-03-12"),
        ("The ship sails the day after tomorrow.", "the day after tomorrow", "2031-03-14"),
        ("Yesterday's outage was short.", "Yesterday's", "2031-03-11"),
        ("Tomorrow morning we deploy.", "Tomorrow morning", "2031-03-13"),
        ("Last night the horn failed.", "Last night", "2031-03-11"),
        ("Three weeks ago it broke.", "Three weeks ago", "2031-02-19"),
        ("It broke twenty-one days ago.", "twenty-one days ago", "2031-02-19"),
        ("A fortnight ago Tomas left.", "A fortnight ago", "2031-02-26"),
        ("It broke two months ago.", "two months ago", "2031-01"),
        ("It broke two years ago.", "two years ago", "2029"),
        ("It broke two hours ago.", "two hours ago", "2031-03-12T12:05+01:00"),
        ("About two weeks ago it broke.", "About two weeks ago", "around 2031-02-26"),
        ("More than a year ago it broke.", "More than a year ago", "before 2030-03-12"),
        ("The lease ends in two weeks.", "in two weeks", "2031-03-26"),
        ("A week from now the ship lands.", "A week from now", "2031-03-19"),
        ("Rune moved last Friday.", "last Friday", "2031-03-07"),
        ("Rune moves this Friday.", "this Friday", "2031-03-14"),
        ("Rune is away until next Monday.", "next Monday", "2031-03-17"),
        ("It is down since Monday.", "since Monday", "2031-03-10"),
        ("Send the list by Friday.", "by Friday", "2031-03-14"),
        ("We agreed on Monday that it stays.", "on Monday", "2031-03-10"),
        ("Two Fridays ago it broke.", "Two Fridays ago", "2031-02-28"),
        ("On Friday last week it broke.", "On Friday last week", "2031-03-07"),
        ("The 5th of next month is free.", "The 5th of next month", "2031-04-05"),
        ("Last week it broke.", "Last week", "week of 2031-03-03"),
        ("Earlier this year it broke.", "Earlier this year", "2031"),
        ("Next month it moves.", "Next month", "2031-04"),
        ("Last quarter was calm.", "Last quarter", "2030-Q4"),
        ("It runs until the end of the month.", "until the end of the month", "2031-03-31"),
        ("We moved in January.", "in January", "2031-01"),
        ("Last weekend it broke.", "Last weekend", "2031-03-08 to 2031-03-09"),
        (
            "Over the last two weeks it failed.",
            "Over the last two weeks",
            "2031-02-26 to 2031-03-12",
        ),
        ("As of now there are two keys.", "As of now", "2031-03-12"),
        ("The gauge is now on the mast.", "now", "as of 2031-03-12"),
        ("Currently it holds forty.", "Currently", "as of 2031-03-12"),
    ],
)
def test_a_phrase_with_one_reading_is_dated(text: str, words: str, date: str) -> None:
    """The date stands in brackets behind the words, and nothing else changes."""
    answer = read(text)

    assert answer == Annotated(
        text=text.replace(words, f"{words} ({date})", 1), added=((words, date),)
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The crane was repainted recently.", "recently"),
        ("The ramp will be closed soon.", "soon"),
        ("A while ago it broke.", "A while ago"),
        ("In a few weeks Priya owns it.", "In a few weeks"),
        ("We drop it next sprint.", "next sprint"),
        ("It works since the last deployment.", "since the last deployment"),
        ("Next Friday the pier is closed.", "Next Friday"),
        ("We moved last Tuesday.", "last Tuesday"),
        ("It is painted in the new year.", "in the new year"),
        ("Last summer the pier was closed.", "Last summer"),
        ("A week and two days ago it broke.", "two days ago"),
        ("We will be done by the end of the week.", "by the end of the week"),
        ("Gestern wurde der Funk umgestellt.", "Gestern"),
        ("Le quai nord rouvre demain.", "demain"),
        ("El faro se apaga pasado mañana.", "pasado mañana"),
        ("La settimana scorsa era spento.", "La settimana scorsa"),
        ("昨日、桟橋の照明を交換した。", "昨日"),
        ("两周后停用旧接口。", "两周后"),
        ("На прошлой неделе камера сломалась.", "На прошлой неделе"),
        ("지난주 점검에서 고장 났다.", "지난주"),
    ],
)
def test_what_only_the_author_knows_is_asked(text: str, words: str) -> None:
    """Vague words, events, two readings and other languages come back as a question."""
    span, question = asked(text)

    assert span == words
    assert f'"{words}"' in question
    assert "2031-03-12" in question  # the day of writing, to count from
    assert "(date unknown)" in question


@pytest.mark.parametrize(
    "text",
    [
        "The today() function must not be used.",
        "yesterday.css is still loaded.",
        "Set `since=yesterday` in the template.",
        "Run git log --since yesterday in the shell.",
        "See https://host.example/today?from=yesterday for it.",
        'The button says "Book for tomorrow" now and then.',
        "Merge fixes into branch 'next week' first.",
        "> we ship tomorrow",
        "```\nship tomorrow\n```",
        "Steps:\n\n    date -d tomorrow\n",
        "{{ today }} is filled in.",
        "Please [give today][] and [again tomorrow][give].",
        "This may be late, once in a while.",
        "The ship Tomorrow Star berths here.",
        "The Today tab is slow.",
        "The Day After Tomorrow is a film.",
        "Valid values are today, tomorrow and yesterday.",
        "Never write the word yesterday.",
        "Backups run every Friday at 18:00.",
        "Backups run Monday to Friday.",
        "The Friday meeting is at ten.",
        "Invoices are sent at the end of each month.",
        "The nightly job exports yesterday's rows.",
        "The report is named after yesterday's date.",
        "The invoice is due two weeks after the sailing.",
        "Three days later it was merged.",
        "A cold restore takes two days.",
        "The restore finished in two days.",
        "Tokens expire in 30 days.",
        "Logs of the last 30 days are kept.",
        "Penalty starts at the third breach in a month.",
        "The next request opens a socket.",
        "Conflicts are settled by last-write-wins.",
        "The least recently used entry goes first.",
        "Do it as soon as you can.",
        "Read the current directory.",
        "The now playing service is off.",
        "May is the name of the test user.",
        "The plan may change.",
        "Freeze from 2031-06-18 to 2031-06-24.",
        "On Friday, 14 March 2031, it is swapped.",
        "Q3 2031 was fine.",
        "今日子さんは担当である。",
        "每个月底都要盘点。",
        "出航の三日後に支払う。",
        "Die Pumpe wird morgens geprüft.",
        "Hier steht der Server.",
        "La bomba se revisa por la mañana.",
        "La caisse ouvre tous les lundis.",
    ],
)
def test_what_only_looks_like_a_date_comes_back_untouched(text: str) -> None:
    """Code, names, quotations, habits, lengths of time and homonyms are not ours to change."""
    assert read(text) == Unchanged()


@pytest.mark.parametrize(
    "text",
    [
        "Last Friday (2031-03-07) it broke.",
        "Last Friday, 7 March, it broke.",
        "It broke yesterday (Tuesday, 11 March 2031).",
        "2031-03-11 (yesterday) it broke.",
        "It will be dropped soon (2031-06).",
        "It was painted recently (date unknown).",
        "Gestern (2031-03-11) wurde es umgestellt.",
    ],
)
def test_a_date_that_stands_beside_the_words_is_left(text: str) -> None:
    """Whoever answered the question, in whatever form, is not asked again."""
    assert read(text) == Unchanged()


def test_each_phrase_gets_its_own_date() -> None:
    """Several phrases in one text are dated independently, code between them is left."""
    found = added("Yesterday I deleted yesterday.css, `today()` is next, tomorrow we rest.")

    assert found == [("Yesterday", "2031-03-11"), ("tomorrow", "2031-03-13")]


def test_one_open_question_keeps_the_whole_text() -> None:
    """Nothing is dated as long as something has to be asked."""
    span, _ = asked("Yesterday (2031-03-11) it rained, and soon it will again.")

    assert span == "soon"


def test_two_readings_are_both_named() -> None:
    """A question about two dates gives both, so that one word answers it."""
    _, question = asked("Next Friday the pier is closed.")

    assert "2031-03-14 or 2031-03-21" in question
    assert 'as in "Next Friday (2031-03-14)"' in question


@pytest.mark.parametrize(
    ("at", "text", "date"),
    [
        ("2031-05-31T23:40:00+00:00", "It was swapped today.", "2031-06-01"),
        ("2031-05-31T23:40:00+00:00", "Last month it was swapped.", "2031-05"),
        ("2031-03-15T10:00:00+01:00", "We go next Monday.", "2031-03-17"),
        ("2031-03-15T10:00:00+01:00", "It broke last Saturday.", "2031-03-08"),
        ("2031-03-16T10:00:00+01:00", "Last week it broke.", "week of 2031-03-03"),
        ("2032-02-29T10:00:00+01:00", "More than a year ago it broke.", "before 2031-02-28"),
        ("2031-01-31T10:00:00+01:00", "In a month we go.", "2031-02"),
        ("2031-01-31T10:00:00+01:00", "Last quarter was calm.", "2030-Q4"),
        ("2031-03-30T01:30:00+01:00", "It will start in two hours.", "2031-03-30T04:30+02:00"),
    ],
)
def test_the_local_day_counts(at: str, text: str, date: str) -> None:
    """Today is the day in the zone, not in UTC; months, weeks and clocks may turn in between."""
    assert [value for _, value in added(text, at)] == [date]


@pytest.mark.parametrize(
    ("at", "text"),
    [
        ("2031-03-15T10:00:00+01:00", "It broke last Friday."),
        ("2031-03-15T10:00:00+01:00", "We go next Sunday."),
        ("2031-06-01T10:00:00+02:00", "The horn was tested on Sunday."),
    ],
)
def test_a_weekday_on_either_side_is_asked(at: str, text: str) -> None:
    """`last Friday` on a Saturday may be yesterday or eight days ago."""
    assert " or " in asked(text, at)[1]


def test_without_a_zone_the_day_is_asked_near_midnight_only() -> None:
    """At noon in UTC most of the world agrees on the day; a month is clear for longer."""
    noon, late = (datetime.fromisoformat(f"2031-07-02T{t}:00+00:00") for t in ("12:00", "23:30"))

    assert isinstance(read("It broke yesterday.", noon, None), Annotated)
    assert isinstance(read("It broke yesterday.", late, None), Ask)
    assert isinstance(read("It broke last month.", late, None), Annotated)


def test_an_offset_says_the_local_day_as_well_as_a_zone() -> None:
    """A moment written with an offset other than UTC's needs no zone."""
    answer = read("It broke today.", datetime.fromisoformat("2031-07-02T00:30:00+05:30"), None)

    assert isinstance(answer, Annotated)
    assert answer.added == (("today", "2031-07-02"),)


def test_without_a_recorded_date_the_author_is_asked() -> None:
    """Nothing is counted from a day that nobody knows."""
    answer = read("The winch was oiled yesterday.", None)

    assert isinstance(answer, Ask)
    assert "not known when" in answer.question


def test_a_text_without_dates_needs_no_recorded_date() -> None:
    """Most texts are never asked about."""
    assert read("The pool holds forty vessels.", None) == Unchanged()


def test_a_moment_without_a_zone_is_refused() -> None:
    """A naive time would be a guess."""
    with pytest.raises(BadField):
        read("It broke yesterday.", RECORDED.replace(tzinfo=None))


def test_a_count_beyond_the_calendar_is_left() -> None:
    """`9999 years ago` is a figure of speech."""
    assert read("That bug was fixed 9999 years ago.") == Unchanged()


def test_the_corpus_is_dated_as_its_readers_would() -> None:
    """English rows come back as marked; rows in other languages are asked about or kept."""
    wrong: list[str] = []
    for line in corpus("gateway/dev/dates.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        recorded = datetime.fromisoformat(row["recorded"]) if row["recorded"] else None
        answer = annotate(row["text"], recorded, ZoneInfo(row["tz"]) if row["tz"] else None)
        action = {Annotated: "rewrite", Ask: "ask", Unchanged: "keep"}[type(answer)]
        allowed = row["expect"] if row["lang"] == "en" else {*row["expect"], "ask"} - {"rewrite"}
        if row["best"] == "keep":
            allowed = ["keep"]
        right = action in allowed
        if isinstance(answer, Annotated):
            pairs = zip(answer.added, row["spans"], strict=False)
            right = right and all(_holds(value, span["accept"]) for (_, value), span in pairs)
        if not right:
            wrong.append(f"{row['id']}: {action} {answer}")

    assert wrong == []


def _holds(value: str, accept: list[dict[str, list[str]]]) -> bool:
    return any(date in value for reading in accept for date in reading["values"])
