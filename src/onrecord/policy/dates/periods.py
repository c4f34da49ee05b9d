"""English phrases for weeks, months, quarters and years, and for where they begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.policy.dates.calendar import (
    Reading,
    coming_weekend,
    days_away,
    edge,
    either,
    period,
    prefixed,
)
from onrecord.policy.dates.context import Context
from onrecord.policy.dates.named import (
    month_beside,
    month_edge,
    month_named,
    quarter_named,
    weekday_in_week,
)
from onrecord.policy.dates.rule import KEPT, VAGUE, Found, Meaning, Rule, always, part
from onrecord.policy.dates.words import WEEKDAYS, month_of, word_set
from onrecord.policy.regex import Pattern

if TYPE_CHECKING:
    from onrecord.policy.regex import Match


_ARTICLES = word_set("the a an every each any no per that")
_ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_AWAY = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}
_UNTIL = word_set("by until till through before")
_YEAR = Pattern(r"\A,?\s*(?:of\s+)?(?:\d|['’]\d\d|/\d)")
_ANY_YEAR = Pattern(r"\b(?:1[6-9]|2[0-4])\d\d\b")
#: month names that are other words when they are not capitalised
_LOWER_WORDS = ("may", "march", "august")
_OTHER_DAYS = word_set("tomorrow yesterday on next this last each every") | frozenset(WEEKDAYS)
_NAMES = word_set(
    "report reports review numbers plan planning goals okrs results budget figures forecast "
    "release roadmap"
)


def _period(match: Match, context: Context) -> Found:
    if context.word_before(match.start()) in _ARTICLES:
        return KEPT
    return Meaning(reading=period(part(match, "unit"), _AWAY.get(part(match, "dir"), 0)))


def _weekend(match: Match, context: Context) -> Found:
    told = context.told(match.start())
    if told.habit or context.word_after(match.end()) in ("of", "after", "before"):
        return KEPT
    if told.tense == "past":
        return Meaning(reading=period("weekend", -1))
    bound = part(match, "prep") in ("by", "before", "until", "till")
    return Meaning(reading=coming_weekend) if bound or told.tense == "future" else KEPT


def _within(match: Match, context: Context) -> Found:
    if not context.told(match.start()).tense:
        return KEPT
    return Meaning(reading=period(part(match, "unit"), 0))


def _edge(match: Match, context: Context) -> Found:
    """`the end of the month`: of this one, unless the words or the tense say otherwise."""
    side, unit, which = part(match, "side"), part(match, "unit"), part(match, "dir")
    prep, told = part(match, "prep"), context.told(match.start())
    if unit == "day":
        return Meaning(reading=days_away(0)) if prep in _UNTIL else KEPT
    here = which not in _AWAY
    if here and which != "this" and told.habit:
        return KEPT
    if side in ("middle", "mid"):
        return Meaning(reading=period(unit, _AWAY.get(which, 0)))
    if side in ("end", "close"):
        return _end(unit, _AWAY.get(which, 0), here and told.tense == "past", prep)
    return _beginning(unit, _AWAY.get(which, 0), here, prep if told.tense != "past" else "since")


def _end(unit: str, away: int, past: bool, prep: str) -> Found:
    if unit == "week":
        return Meaning(reading=either(weekday_in_week(4, away), weekday_in_week(6, away)))
    this = edge(unit, away, last=True)
    if past and prep not in _UNTIL:
        return Meaning(reading=either(this, edge(unit, away - 1, last=True)))
    return Meaning(reading=this)


def _beginning(unit: str, away: int, here: bool, prep: str) -> Found:
    this = edge(unit, away, last=False)
    if here and prep not in ("since", "from"):
        return Meaning(reading=either(this, edge(unit, away + 1, last=False)))
    return Meaning(reading=this)


def _rest(match: Match, context: Context) -> Found:
    if context.told(match.start()).habit:
        return KEPT
    unit = part(match, "unit")
    return Meaning(reading=prefixed("until", edge(unit, 0, last=True)))


def _day_end(match: Match, context: Context) -> Found:
    """`by end of day`: today's, unless another day is named beside it."""
    beside = (context.word_before(match.start()), context.word_after(match.end()))
    if any(word in _OTHER_DAYS for word in beside):
        return None
    return Meaning(reading=days_away(0))


def _short_end(match: Match, context: Context) -> Found:
    word = match.group("word") or ""
    if word in ("EOD", "COB"):
        return _day_end(match, context)
    unit = {"W": "week", "M": "month", "Q": "quarter", "Y": "year"}[word[2]]
    return _end(unit, 0, past=False, prep="by")


def _month_beside(match: Match, context: Context) -> Found:
    if context.word_before(match.start()) in _ARTICLES or _dated(match, context):
        return KEPT
    if match.group("month") in _LOWER_WORDS:
        return KEPT
    which, month = part(match, "dir"), month_of(part(match, "month"))
    if which == "this":
        return Meaning(reading=month_named(month, 0))
    if which in ("last", "next"):
        return Meaning(reading=month_beside(month, _AWAY[which]))
    return Meaning(reading=month_named(month, -1 if which.endswith(("past", "last")) else 1))


def _dated(match: Match, context: Context) -> bool:
    """Whether a day or a year stands behind the month, or a year anywhere in the sentence."""
    whole = context.sentence(match.start())
    tail = context.text[match.end() : match.end() + 12]
    if _YEAR.search(tail):
        return True
    return _ANY_YEAR.search(context.text[whole.start : whole.end][:2000]) is not None


def _month(match: Match, context: Context) -> Found:
    """`in June`: the tense tells which; a habit or a plain statement is kept."""
    told, prep = context.told(match.start()), part(match, "prep")
    name = match.group("month") or ""
    if _dated(match, context) or (name in _LOWER_WORDS):
        return KEPT
    if told.habit and prep != "since":
        return KEPT
    side = _side(prep, told.tense) or int(told.planned)
    if not side:
        return KEPT
    return Meaning(reading=month_named(month_of(name), side))


def _side(prep: str, tense: str) -> int:
    if prep == "since" or tense == "past":
        return -1
    return 1 if prep in ("by", "until", "till") or tense == "future" else 0


def _month_edge(match: Match, context: Context) -> Found:
    told, name = context.told(match.start()), match.group("month") or ""
    if _dated(match, context) or name in _LOWER_WORDS or told.habit:
        return KEPT
    side, month = _side(part(match, "prep"), told.tense), month_of(name)
    if part(match, "side") in ("middle", "mid", "mid-"):
        return Meaning(reading=month_named(month, side)) if side else KEPT
    last = part(match, "side") in ("end", "close")
    return Meaning(reading=month_edge(month, side or 1, last=last))


def _quarter(match: Match, context: Context) -> Found:
    told = context.told(match.start())
    after = context.word_after(match.end())
    if _dated(match, context) or after in _NAMES or after == "of" or told.habit:
        return KEPT
    last = part(match, "side") in ("end of", "the end of", "close of", "the close of")
    number = _ORDER.get(part(match, "n")) or int(part(match, "n"))
    return Meaning(reading=quarter_named(number, told.tense, last=last))


def _beyond(match: Match, _context: Context) -> Found:
    unit = part(match, "unit")
    reading: Reading = period(unit, -2 if part(match, "dir") == "before last" else 2)
    return Meaning(reading=reading)


_S = r"(?:['’]s)?\b"
_PREP = r"by|until|till|through|before|since|from|at|in|on|after|around|for|towards?"
_TERM = r"month|year|quarter|week|day"

RULES = (
    Rule(rf"the (?P<unit>{{period}}) (?P<dir>before last|after next){_S}", _beyond),
    Rule(
        r"(?:the )?(?:end|close|beginning|start|middle) of (?:each|every|any|a) (?:{period}|"
        r"day)\b",
        always(KEPT),
    ),
    Rule(
        rf"(?:(?P<prep>{_PREP}) )?(?:the )?(?:very )?(?P<side>end|close|beginning|start|"
        rf"middle) of "
        rf"(?P<dir>the current|the coming|the next|the|this|next|last|the previous) "
        rf"(?P<unit>{_TERM}){_S}",
        _edge,
    ),
    Rule(
        r"(?:the )?(?:first|last) day of (?:the|each|every|a) {period}\b",
        always(KEPT),
    ),
    Rule(
        rf"(?:the )?(?P<side>first|last) day of (?P<dir>this|next|last) (?P<unit>{_TERM}){_S}",
        lambda m, _c: Meaning(
            reading=edge(
                part(m, "unit"),
                _AWAY.get(part(m, "dir"), 0),
                last=part(m, "side") == "last",
            )
        ),
    ),
    Rule(
        r"(?P<prep>by|until|till|before) (?:the )?(?:end of (?:the )?(?:business |working )?day|"
        r"close of (?:business|play))\b",
        _day_end,
    ),
    Rule(
        r"(?P<prep>by|until|till|before|at) (?P<dir>the )?(?P<unit>month|quarter|year)[ -]"
        r"(?P<side>end)\b",
        _edge,
    ),
    Rule(r"(?:(?:by|until|before) )?(?P<word>(?-i:EOD|COB|EOW|EOM|EOQ|EOY))\b", _short_end),
    Rule(
        r"(?:by|until|till|around|since|in|at) (?:the )?(?:mid|middle of the)[ -]?{period}\b",
        always(VAGUE),
    ),
    Rule(
        rf"(?:the )?(?:rest|remainder) of (?:the|this) (?P<unit>week|month|quarter|year){_S}",
        _rest,
    ),
    Rule(rf"(?P<dir>(?:this )?(?:past|last|coming|next)|this) {{month:month}}{_S}", _month_beside),
    Rule(
        rf"(?:(?P<prep>{_PREP}) )?(?:the )?(?P<side>end|close|beginning|start|middle) of "
        rf"{{month:month}}{_S}",
        _month_edge,
    ),
    Rule(
        r"(?:(?P<prep>in|since|by|until|till|from|before|after|during|as of|starting) "
        r"(?:(?:early|mid|late)[ -])?|(?:early|mid|late)[ -]){month:month}\b",
        _month,
    ),
    Rule(
        r"(?:(?:by|until|till|before|in|at|since|after|during|for|from|through|around) "
        r"(?:(?P<side>(?:the )?(?:end|close) of) |(?:the )?(?:start|beginning|middle) of |"
        r"early |mid[ -]|late )?|(?P<side2>the end of ))Q(?P<n>[1-4])\b",
        _quarter,
    ),
    Rule(
        r"(?:in|by|since|until|till|before|after|during) the (?P<side>)"
        r"(?P<n>first|second|third|fourth) quarter\b",
        _quarter,
    ),
    Rule(
        r"(?:(?:early|earlier|late|later|mid|middle of|some time|sometime)[ -])?"
        rf"(?P<dir>last|this|next|coming|past) {{unit:period}}{_S}",
        _period,
    ),
    Rule(
        r"(?P<prep>at|over|on|by|before|until|till|after|since|during|for) the weekend\b", _weekend
    ),
    Rule(r"(?:earlier|later|early|late) (?:on )?in the {unit:period}\b", _within),
)
