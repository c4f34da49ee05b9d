"""English phrases that count: three weeks ago, in two months, over the last ten days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.policy.dates.calendar import (
    Reading,
    days_away,
    period,
    prefixed,
    same_day,
    since,
    units_away,
)
from onrecord.policy.dates.days import DAYS
from onrecord.policy.dates.rule import (
    EVENT,
    KEPT,
    VAGUE,
    Found,
    Meaning,
    Rule,
    always,
    part,
)
from onrecord.policy.dates.words import number_of, unit_of, word_set
from onrecord.policy.regex import Pattern

if TYPE_CHECKING:
    from onrecord.policy.dates.context import Context
    from onrecord.policy.regex import Match


_UNIT = r"(?:day|week|month|year|hour)s?"
_COUNTED_ON = Pattern(rf"(?i)(?:\b{_UNIT},?\s+and|\b(?:hundred|thousand)(?:\s+and)?|\bpoint)\s+\z")
_AND_MORE = Pattern(
    rf"(?i)\A(?:,?\s+and|,)\s+(?:an?|\d+|one|two|three|four|five|six)\s+(?:half|{_UNIT})\b"
)
#: how far a longer count is looked for on each side, in code points
_NEAR = 40
_MORE = ("more than", "over", "well over", "at least")
_LESS = ("less than", "under")
_EXACT = ("", "exactly", "only", "just")
_CLOCK = ("hour", "minute", "second")
_BEGINS = word_set(
    "starts begins ends closes opens leaves departs arrives lands expires moves ships launches "
    "start begin end"
)
#: "tokens expire in 30 days" is a rule, "the lease expires in 30 days" a date
_LAPSE = word_set("expire lapse rotate renew refresh")
_LAPSES = word_set("expires lapses rotates renews deleted purged removed dropped invalid")
_TIMED = word_set(
    "session sessions token tokens cookie cookies cache caches lock locks entry entries link "
    "links message messages invitation invitations job jobs request requests row rows record "
    "records file files log logs code"
)
_ORDINALS = word_set("first second third fourth fifth nth once twice times max maximum")
_LASTS = word_set(
    "once twice times time done complete completes completed finish finishes finished run runs "
    "built build builds return returns respond responds recover recovers restore restores change "
    "changed grow grows grew age ages out by first double doubles doubled restart restarts"
)
_THEN = word_set(
    "of after if when unless before each per every following once total row increments steps "
    "chunks batches at"
)
_ROLLING = word_set(
    "show shows list lists display displays cover covers contain contains include includes report "
    "reports keep keeps kept retain retains count counts older newer expire forecast"
)


def _ago(match: Match, context: Context) -> Found:
    count, unit = number_of(part(match, "n")), unit_of(part(match, "unit"))
    about = part(match, "about")
    if _joined(match, context):
        return VAGUE
    reading = units_away(unit, -count)
    if about in _MORE:
        if context.told(match.start()).tense != "past":
            return KEPT
        return Meaning(reading=prefixed("before", _edge(unit, count, reading)))
    if about in _LESS:
        return Meaning(reading=prefixed("after", _edge(unit, count, reading)))
    return Meaning(reading=prefixed("around", reading) if about not in _EXACT else reading)


def _joined(match: Match, context: Context) -> bool:
    """Whether this is a part of a longer count: "a week and two days ago", "twenty one days"."""
    head = context.text[max(0, match.start() - _NEAR) : match.start()]
    tail = context.text[match.end() : match.end() + _NEAR]
    return _COUNTED_ON.search(head) is not None or _AND_MORE.search(tail) is not None


def _weekends_ago(match: Match, _context: Context) -> Found:
    return Meaning(reading=period("weekend", -number_of(part(match, "n"))))


def _edge(unit: str, count: int, reading: Reading) -> Reading:
    """The exact day, for "more than a year ago": the year alone would be wrong."""
    return reading if unit in _CLOCK else same_day(unit, -count)


def _ahead(match: Match, context: Context) -> Found:
    count, unit = number_of(part(match, "n")), unit_of(part(match, "unit"))
    if _lasts(match, context, unit):
        return KEPT
    if _joined(match, context):
        return VAGUE
    about, reading = part(match, "about"), units_away(unit, count)
    if about in _MORE:
        return Meaning(reading=prefixed("after", _edge(unit, -count, reading)))
    if about in _LESS:
        return Meaning(reading=prefixed("before", _edge(unit, -count, reading)))
    return Meaning(reading=prefixed("around", reading) if about not in _EXACT else reading)


def _lasts(match: Match, context: Context, unit: str) -> bool:
    """Whether "in two days" tells how long something takes, not when it is."""
    told, before = context.told(match.start()), context.word_before(match.start())
    if told.tense == "past" or context.word_after(match.end()) in _THEN:
        return True
    if before in _LASTS or before.isdecimal() or _per_unit(match, context, before, unit):
        return True
    if told.tense == "future":
        return False
    if unit in _CLOCK and not (before in _BEGINS or told.planned):
        return True
    if before in _LAPSE or (before in _LAPSES and not _TIMED.isdisjoint(told.words)):
        return True
    return told.habit


def _per_unit(match: Match, context: Context, before: str, unit: str) -> bool:
    """Whether "in a month" is a rate, as in "the third breach in a month"."""
    told = context.told(match.start())
    if part(match, "n") not in ("a", "an"):
        return False
    if unit == "fortnight":
        return False
    if unit == "day" or not _ORDINALS.isdisjoint(told.words):
        return True
    return not (context.leads(match.start()) or before in _BEGINS or told.tense == "future")


def _from_day(match: Match, _context: Context) -> Found:
    count, unit = number_of(part(match, "n")), unit_of(part(match, "unit"))
    base = DAYS.get(part(match, "day"), 0)
    if base == 0:
        return Meaning(reading=units_away(unit, count))
    days = units_in_days(unit, count)
    return Meaning(reading=days_away(days + base)) if days else VAGUE


def _ago_today(match: Match, _context: Context) -> Found:
    unit, count = unit_of(part(match, "unit")), number_of(part(match, "n"))
    base, days = DAYS[part(match, "day")], units_in_days(unit, count)
    if base == 0:
        return Meaning(reading=same_day(unit, -count))
    return Meaning(reading=days_away(base - days)) if days else VAGUE


def units_in_days(unit: str, count: int) -> int:
    """How many days some days, weeks or fortnights are; 0 for a unit without a fixed length."""
    return count * {"day": 1, "week": 7, "fortnight": 14}.get(unit, 0)


def _window(match: Match, context: Context) -> Found:
    """`over the last two weeks`: from then until today, where something was or will be."""
    counted, unit = part(match, "n"), unit_of(part(match, "unit"))
    past = part(match, "dir") in ("last", "past")
    of_something = context.word_after(match.end()) == "of"
    if of_something or (part(match, "that") == "this" and not counted):
        return None
    if not _slides_not(match, context, past=past):
        return KEPT
    count = number_of(counted) if counted else 1
    if not count or (not counted and part(match, "unit").endswith("s")):
        return VAGUE
    if unit in _CLOCK:
        return Meaning(reading=prefixed("since", units_away(unit, -count))) if past else KEPT
    return Meaning(reading=_reach(unit, count, past=past))


def _slides_not(match: Match, context: Context, *, past: bool) -> bool:
    """Whether a window ends on the day of writing; "shows the last 30 days" slides on."""
    told = context.told(match.start())
    if told.habit and told.tense != "past":
        return False
    if past:
        placed = part(match, "prep") or (part(match, "n") and context.leads(match.start()))
        return bool(placed) and told.tense == "past"
    rolling = told.tense or not _ROLLING.isdisjoint(told.words)
    return bool(part(match, "prep")) and (told.tense == "future" or not rolling)


def _reach(unit: str, count: int, *, past: bool) -> Reading:
    if past:
        return since(same_day(unit, -count))
    return prefixed("until", same_day(unit, count))


def _soonish(match: Match, context: Context) -> Found:
    told = context.told(match.start())
    if context.word_after(match.end()) == "of" or told.tense == "past" or told.habit:
        return KEPT
    return VAGUE


def _back(match: Match, context: Context) -> Found:
    return _ago(match, context) if context.closes(match.end()) else None


_HALF = r"half an? {span}|{number} and a half {span}|an? {span} and a half|\d+[.,]\d+ {span}"
_OR_SO = r"(?:about )?{number} {span} or (?:so|two|three)"

RULES = (
    Rule(
        r"{n:number} {unit:span} (?:from|after) (?P<day>now|today|tomorrow|yesterday)\b", _from_day
    ),
    Rule(r"{n:number} {unit:unit} ago (?P<day>today|yesterday|tomorrow)\b", _ago_today),
    Rule(
        r"{number} {unit} (?:from|on|ago|ago last|before|after) (?:the |this |last |next )?"
        r"{weekday}\b|{weekday} week\b",
        always(VAGUE),
    ),
    Rule(rf"(?:{_HALF}|{_OR_SO}) (?:ago|back|from now)\b", always(VAGUE)),
    Rule(r"(?:only |just |quite )?{some} (?:{span}|moments?) (?:ago|back)\b", always(VAGUE)),
    Rule(r"(?:{about:about} )?{n:number} {unit:span} ago\b", _ago),
    Rule(r"{n:number} (?P<unit>(?:morning|afternoon|evening|night)s?)(?P<about>) ago\b", _ago),
    Rule(r"{n:number} weekends? ago\b", _weekends_ago),
    Rule(r"{number} {weekday}s? from now\b", always(VAGUE)),
    Rule(r"(?P<n>\d{1,3}) ?(?P<unit>d|w|wks?|mos?|yrs?|y|h|m)(?P<about>) ago\b", _ago),
    Rule(r"(?:{about:about} )?{n:number} {unit:span} back\b", _back),
    Rule(r"(?:{number}|{some}) {event}s? ago\b", always(EVENT)),
    Rule(r"in (?:{number}|{some}) (?:sprint|iteration)s?\b", always(EVENT)),
    Rule(
        r"(?:{units}|moments|ages|(?:only |just |quite )?a (?:(?:very |really )?(?:long|short|"
        r"little|good|moment|while|bit)(?: while| time| bit)?)|some time|"
        r"(?:not (?:so |that |very )?)?long) (?:ago|back)\b",
        always(VAGUE),
    ),
    Rule(rf"in (?:another )?(?:{_HALF}|{_OR_SO}|{{some}} {{span}})(?:['’]? time)?\b", _soonish),
    Rule(
        r"in (?:another )?(?:{about:about} )?{n:number} {unit:span}(?:['’]?s?['’]? time)?\b",
        _ahead,
    ),
    Rule(
        r"(?:(?P<prep>in|over|during|for|within|throughout|across|from) )?"
        r"(?P<that>the|these|this) (?P<dir>last|past|next|coming) "
        r"(?:(?P<n>{number}|{some}) )?{unit:span}\b",
        _window,
    ),
)
