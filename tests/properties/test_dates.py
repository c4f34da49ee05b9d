"""Relative dates, over texts that nobody thought of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.dates import Annotated, Ask, Unchanged, annotate

PHRASES = (
    *("yesterday", "Today", "the day after tomorrow", "tomorrow's", "last night", "tonight"),
    *("three weeks ago", "in two months", "about a year ago", "a week from now", "soon"),
    *("last Friday", "next Monday", "on Tuesday", "by Friday", "Friday", "the 15th", "recently"),
    *("last week", "this year", "end of the month", "in June", "in Q3", "next quarter", "now"),
    *("over the last two weeks", "for now", "currently", "the next day", "every Friday", "lately"),
    *("by the first quarter", "on the 5th of next month", "two weekends ago", "EOD", "later"),
    *("by close of business", "the rest of the year", "last March", "the end of June", "so far"),
    *("early May", "later in the week", "in the next two days", "the other day", "last summer"),
    *("by Easter", "in summer", "in the new year", "since the last release", "next sprint"),
    *("shortly", "at some point", "from now on", "Friday last", "on the 15th", "3d ago"),
    *("the first Monday of next month", "a week on Friday", "half an hour ago", "weeks ago"),
    *("two weeks back", "two sprints ago", "in two sprints", "in a week or so", "in 5 minutes"),
    *("Two Fridays ago", "next week on Tuesday", "the last day of this month", "by mid-month"),
    *("the week before last", "at the weekend", "as of", "since", "gestern", "昨日", "demain"),
)
FILLERS = (
    *("We moved", "it", "will", "was", "the", "a", "every", "and", "to", "of", "(2031-03-11)"),
    *("`", '"', "'", "(", ")", ".", ",", "\n", "-", ":", "_", "says", "The gate", "closed"),
    *("2031-01-01", "(2030)", "(week of 2031-03-10)", "(date unknown)", "before", "last", "ago"),
)
texts = st.lists(st.sampled_from(PHRASES + FILLERS), min_size=1, max_size=12).flatmap(
    lambda words: st.lists(
        st.sampled_from([" ", " ", " ", "", "\n"]), min_size=len(words), max_size=len(words)
    ).map(lambda gaps: "".join(w + g for w, g in zip(words, gaps, strict=True)))
)
moments = st.datetimes(
    min_value=datetime(2000, 1, 1),  # noqa: DTZ001 - the zone is set below
    max_value=datetime(2100, 1, 1),  # noqa: DTZ001 - zone below
).map(lambda moment: moment.replace(tzinfo=UTC))
zones = st.integers(-11, 13).map(lambda hours: timezone(timedelta(hours=hours)))


@given(text=texts, recorded=moments, later=moments, tz=zones)
def test_annotating_twice_changes_nothing(
    text: str, recorded: datetime, later: datetime, tz: timezone
) -> None:
    """A text that was dated is left as it is, on whichever day it is read again."""
    answer = annotate(text, recorded, tz)
    if isinstance(answer, Annotated):
        assert annotate(answer.text, later, tz) == Unchanged()


@given(text=texts | st.text(), recorded=moments, tz=zones)
def test_only_dates_are_added(text: str, recorded: datetime, tz: timezone) -> None:
    """Taking out what was added, in order, gives the text back byte for byte."""
    answer = annotate(text, recorded, tz)
    if not isinstance(answer, Annotated):
        return
    rest, out = answer.text, ""
    for words, date in answer.added:
        mark = f"{words} ({date})"
        before, found, rest = _cut(rest, text[len(out) :], mark)
        assert found
        out += before + words
    assert out + rest == text


def _cut(rest: str, left: str, mark: str) -> tuple[str, str, str]:
    """The first place where the marked text leaves the original one, at this mark."""
    at = next((i for i, (a, b) in enumerate(zip(rest, left + "\0", strict=False)) if a != b), -1)
    at = rest.rfind(mark, 0, (at if at >= 0 else len(rest)) + len(mark))
    return rest[:at], rest[at : at + len(mark)], rest[at + len(mark) :]


@given(text=texts, recorded=moments, tz=zones)
def test_a_question_shows_the_words_it_is_about(
    text: str, recorded: datetime, tz: timezone
) -> None:
    """The span of a question lies in the text that was sent, and its words are in the question."""
    answer = annotate(text, recorded, tz)
    if isinstance(answer, Ask):
        words = text[slice(*answer.span)]
        assert words.strip()
        assert " ".join(words.split())[:60] in answer.question


@given(words=st.sampled_from(PHRASES), recorded=moments, tz=zones)
def test_code_and_quotations_come_back_untouched(
    words: str, recorded: datetime, tz: timezone
) -> None:
    """No phrase is dated or asked about inside code, a quotation or a link."""
    for code in (f"`{words}`", f'"{words}"', f"```\n{words}\n```", f"“{words}”", f"> {words}"):
        assert annotate(code, recorded, tz) == Unchanged()
        assert annotate(f"See this:\n{code}\nIt is fine.", recorded, tz) == Unchanged()


@given(text=st.text(), recorded=moments)
def test_every_text_gets_an_answer(text: str, recorded: datetime) -> None:
    """No text makes the gateway fall over, with a zone or without."""
    assert isinstance(annotate(text, recorded, None), (Annotated, Ask, Unchanged))
