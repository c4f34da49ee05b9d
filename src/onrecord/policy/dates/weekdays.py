"""English phrases for days of the week and of the month: last Friday, by Monday, on the 15th."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.policy.dates.calendar import either
from onrecord.policy.dates.context import Context
from onrecord.policy.dates.named import (
    day_in_month,
    day_of_month,
    nth_weekday,
    weekday_coming,
    weekday_in_week,
    weekday_last,
    weekday_next,
    weekday_past,
    weekday_this,
)
from onrecord.policy.dates.rule import (
    KEPT,
    VAGUE,
    Found,
    Meaning,
    Rule,
    always,
    part,
)
from onrecord.policy.dates.words import MONTHS, WEEKDAYS, number_of, weekday_of, word_set
from onrecord.policy.regex import Pattern

if TYPE_CHECKING:
    from onrecord.policy.regex import Match


_ARTICLES = word_set("the a an every each no any other alternate second that most some of")
_NAMED = word_set("black good ash easter cyber super holy palm casual shrove whit giving")
_OFTEN = word_set("mornings afternoons evenings nights and or to through")
_STARTS = word_set("we i they he she the our a it")
_AHEAD = word_set("by until till come")
_DATED = Pattern(r"(?i)\A,?\s+(?:the\s+)?(?:\d|(?:" + "|".join(MONTHS) + r")\b)")
_AND_ANOTHER = Pattern(r"(?i)\A(?:,|\s+(?:and|or))\s+(?:" + "|".join(WEEKDAYS) + r")\b")
#: a plural and what it does as a habit, right before the day
_PLURAL_HABIT = Pattern(
    r"(?i)\b[\p{L}-]{2,}s (?:happen|run|occur|recur|go out|take place|rotate|refresh|sync|deploy|"
    r"are (?:run|made|taken|sent|cut|deployed|released|merged|done))\s*\z"
)
#: how far a second day is looked for, in code points
_NEAR = 24
_LONGEST_MONTH = 31
_WEEKS = {"last": -1, "this": 0, "next": 1}
_ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}


def _beside(match: Match, context: Context) -> Found:
    """`last Friday`, `this coming Monday`."""
    if context.word_before(match.start()) in _ARTICLES:
        return KEPT
    if _AND_ANOTHER.search(context.text[match.end() : match.end() + _NEAR]):
        return VAGUE
    weekday = weekday_of(match.group("day") or "")
    which = part(match, "dir")
    if which == "last":
        reading = weekday_last(weekday)
    elif which == "next":
        reading = weekday_next(weekday)
    elif which == "this":
        reading = weekday_this(weekday)
    elif "past" in which or "last" in which:
        reading = weekday_past(weekday, today=False)
    else:
        reading = weekday_coming(weekday)
    return Meaning(reading=reading)


def _in_week(match: Match, _context: Context) -> Found:
    weekday, weeks = weekday_of(match.group("day") or ""), _WEEKS[part(match, "dir")]
    return Meaning(reading=weekday_in_week(weekday, weeks))


def _counted(match: Match, _context: Context) -> Found:
    weekday, count = weekday_of(match.group("day") or ""), number_of(part(match, "n"))
    return Meaning(reading=weekday_past(weekday, back=count - 1, today=False))


def _nth(match: Match, _context: Context) -> Found:
    order, weekday = _ORDER[part(match, "nth")], weekday_of(match.group("day") or "")
    months = _WEEKS.get(part(match, "dir"), 0)
    return Meaning(reading=nth_weekday(weekday, order, months))


def _after_word(match: Match, context: Context) -> Found:
    """`on Friday`, `by Friday`: the tense tells the side, and a rule or a habit is kept."""
    word, after = part(match, "prep"), context.word_after(match.end())
    if _absolute(match, context) or after in _OFTEN:
        told = context.told(match.start()).tense and after in ("and", "or")
        return VAGUE if told else KEPT
    return _sided(match, context, word)


def _absolute(match: Match, context: Context) -> bool:
    """Whether a day of the month follows, so that the weekday is no more than its name."""
    return _DATED.search(context.text[match.end() : match.end() + 24]) is not None


def _sided(match: Match, context: Context, word: str) -> Found:
    told = context.told(match.start())
    weekday = weekday_of(match.group("day") or "")
    past, coming = weekday_past(weekday), weekday_coming(weekday)
    if (told.habit and word != "since") or (word == "on" and _recurs(match, context)):
        return KEPT
    if word == "since" or told.tense == "past":
        return Meaning(reading=past)
    if word in _AHEAD or told.tense == "future":
        return Meaning(reading=coming)
    return Meaning(reading=either(coming, past))


def _recurs(match: Match, context: Context) -> bool:
    """`Deploys happen on Friday`, `no deploys on Friday`: what several do, or never may."""
    told = context.told(match.start())
    if told.tense or told.planned:
        return False
    start = context.sentence(match.start()).start
    before = context.text[start : match.start()]
    return _PLURAL_HABIT.search(before) is not None or told.first in ("no", "never")


def _bare(match: Match, context: Context) -> Found:
    """`we met Friday`: only where a clause ends with it and a tense is told."""
    before, after = context.word_before(match.start()), context.word_after(match.end())
    if before in _ARTICLES | _NAMED | _OFTEN or after in _OFTEN or _absolute(match, context):
        return KEPT
    told, sign = context.told(match.start()), context.text[match.end() :].lstrip(" ")[:1]
    ends = after == "at" or (context.closes(match.end()) and sign not in (":", "|", "-", "–", "—"))
    if not before and not (sign == "," or part(match, "part")):
        return None
    if not ends and not part(match, "part"):
        return None
    if told.habit or not (told.tense or told.planned):
        return None
    return _sided(match, context, "by" if told.planned else "")


def _in_month(match: Match, _context: Context) -> Found:
    months, number = _WEEKS[part(match, "dir")], part(match, "n")
    return Meaning(reading=day_in_month(int(number or 1), months))


def _day_of_month(match: Match, context: Context) -> Found:
    """`by the 15th`, told without a month."""
    told, word = context.told(match.start()), part(match, "prep")
    day = int(part(match, "n"))
    ends = context.closes(match.end()) or context.word_after(match.end()) in _STARTS
    if not ends or told.habit or not 1 <= day <= _LONGEST_MONTH:
        return None
    if word == "since" or told.tense == "past":
        return Meaning(reading=day_of_month(day, -1))
    if word in _AHEAD or told.tense == "future":
        return Meaning(reading=day_of_month(day, 1))
    return None


_S = r"(?:['’]s)?\b"
_PART = rf"(?: {{part}}{_S})?"
_ON = (
    r"on|by|until|till|since|before|after|from|starting|as of|due|effective|come|"
    r"no later than|beginning|for|through"
)

RULES = (
    Rule(
        r"(?:the )?(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|final) "
        r"(?:{weekday}|week|weekend|day|(?:business|working|week) ?day)s? (?:of|in|after|before) "
        r"(?:each|every|the|a|any) (?:{period}|{month})\b",
        always(KEPT),
    ),
    Rule(
        r"(?:the )?(?P<nth>first|second|third|fourth|last) {day:weekday} (?:of|in) "
        r"(?P<dir>this|next|last) month\b",
        _nth,
    ),
    Rule(
        r"{weekday}s?(?: ?[-–—/] ?| (?:to|through|thru|until|till) ){weekday}s?\b"
        r"|(?:every|each)(?: other| second| third)? {weekday}\b",
        always(KEPT),
    ),
    Rule(rf"(?:on )?{{day:weekday}},? (?:of )?(?P<dir>last|this|next) week{_S}", _in_week),
    Rule(rf"(?P<dir>last|this|next) week(?:['’]s)?,?(?: on)? {{day:weekday}}{_S}", _in_week),
    Rule(rf"(?:on )?{{day:weekday}} (?P<dir>last|next){_S}", _beside),
    Rule(
        r"(?:on |by |until |since )?(?:the )?(?:(?P<n>\d{1,2})(?:st|nd|rd|th)|first) (?:of )?"
        r"(?P<dir>this|next|last) month\b",
        _in_month,
    ),
    Rule(
        r"(?:the )?{weekday} (?:before last|after next)\b|(?:last|next) {weekday} but one\b",
        always(VAGUE),
    ),
    Rule(
        r"(?P<dir>(?:this )?(?:past|last|coming|next)|this) "
        rf"(?P<day>{{weekday}}|{{abbr}}){_S}{_PART}",
        _beside,
    ),
    Rule(r"{n:number} {day:weekday}s ago\b", _counted),
    Rule(rf"(?P<prep>{_ON}) {{day:weekday}}{_S}{_PART}", _after_word),
    Rule(rf"{{day:weekday}}{_S}(?P<part> {{part}}{_S})?", _bare),
    Rule(
        r"(?P<prep>on|by|until|till|since|before|after|from) the (?P<n>\d{1,2})(?:st|nd|rd|th)\b",
        _day_of_month,
    ),
)
