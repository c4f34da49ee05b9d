"""English phrases for single days: today, yesterday evening, the day after tomorrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.policy.dates.calendar import days_away
from onrecord.policy.dates.rule import KEPT, Found, Meaning, Rule, meaning, part
from onrecord.policy.dates.words import word_set

if TYPE_CHECKING:
    from onrecord.policy.dates.context import Context
    from onrecord.policy.regex import Match

DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1, "yday": -1, "tmrw": 1, "tmw": 1}
_ARTICLES = word_set("the a an every each no my our your their another like this that")
#: a noun that makes a thing of the word before it: "the today column", "today's date"
_THINGS = word_set(
    "tab button view widget column field label flag filter screen function variable table keyword "
    "preset branch key macro constant option partition bucket token placeholder string panel "
    "badge shortcut section magazine newspaper page menu icon command endpoint list date dates"
)
#: what a day is counted from, even where a rule or a habit is told
_ANCHORS = ("from", "since", "starting", "of", "until", "till", "by", "effective", "as")


def _day(match: Match, context: Context) -> Found:
    if not part(match, "more"):
        after = context.word_after(match.end())
        if after in _THINGS or context.word_before(match.start()) in _ARTICLES:
            return KEPT
    if _rolls(match, context):
        return KEPT
    return Meaning(reading=days_away(DAYS[part(match, "day")]))


def _rolls(match: Match, context: Context) -> bool:
    """Whether a rule about every run speaks: "the nightly job exports yesterday's rows"."""
    told = context.told(match.start())
    return (
        told.habit
        and not told.tense
        and not context.leads(match.start())
        and context.word_before(match.start()) not in _ANCHORS
    )


def _last_night(match: Match, context: Context) -> Found:
    if context.word_before(match.start()) in _ARTICLES:
        return KEPT
    return Meaning(reading=days_away(-1))


_S = r"(?:['’]s)?\b"

RULES = (
    Rule(rf"(?:the )?day before yesterday(?: {{part}})?{_S}", meaning(days_away(-2))),
    Rule(rf"(?:the )?day after tomorrow(?: {{part}})?{_S}", meaning(days_away(2))),
    Rule(r"the (?:night|evening) before last\b", meaning(days_away(-2))),
    Rule(
        r"(?:(?:earlier|later|late|early|first thing) (?:on )?)?(?P<day>today|tomorrow|yesterday|"
        rf"yday|tmrw|tmw){_S}(?P<more> (?:early )?{{part}}{_S})?",
        _day,
    ),
    Rule(
        rf"(?:later |late )?tonight{_S}|(?:early |later |earlier )?this (?:morning|afternoon|"
        rf"evening|night){_S}",
        meaning(days_away(0)),
    ),
    Rule(rf"(?:late |early )?last (?:night|evening){_S}", _last_night),
)
