"""English words that only look like dates, those that only their author can date, and `now`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.policy.dates.calendar import days_away, prefixed
from onrecord.policy.dates.context import Context
from onrecord.policy.dates.rule import (
    CALENDAR,
    EVENT,
    KEPT,
    VAGUE,
    Found,
    Meaning,
    Rule,
    always,
    meaning,
    part,
)
from onrecord.policy.dates.words import word_set

if TYPE_CHECKING:
    from onrecord.policy.regex import Match


_ARTICLES = word_set("the a an every each any no all these those of")
_DEGREES = word_set("least most more less as too so how no not any")
_THINGS = word_set(
    "version name branch tag candidate notes pipeline number manager train script artifact "
    "artifacts build "
    "asset assets page archive tarball image"
)
_COMPARING = word_set("lists list shows show contains contain compares compare collects")
_CLEAR = word_set("sprint iteration milestone season semester retro retrospective standup")
_BEFORE_NOW = word_set(
    "is are was has have am can must should may it's they're we're that's there's i'm he's she's "
    "we i they he she who which there not isn't aren't"
)
_AUXILIARY = word_set("is are was were has have am can must it's they're we're that's")
_STATES = word_set(
    "the a an our we i it this that these those they he she there all both my your their"
)
_AFTER_NOW = word_set(
    "the we it they our all this that there both only needs lives has have had is are can must "
    "i you he she nobody everyone everything each every need use live own run"
)
_LATER_THAN = word_set(
    "or and much sooner day days week weeks month months year years hour hours minute minutes "
    "second seconds moment little bit no than lines"
)
_NOT_VERBS = word_set("is as us this its his was yes plus less")
_SEASON_AFTER = word_set("the we it they our a an is are was were will there i all no")


def _recently(match: Match, context: Context) -> Found:
    if context.word_before(match.start()) in _ARTICLES | _DEGREES:
        return KEPT
    return VAGUE


def _soon(match: Match, context: Context) -> Found:
    before, after = context.word_before(match.start()), context.word_after(match.end())
    if before in _DEGREES or after in ("after", "as", "enough", "before", "thereafter"):
        return KEPT
    return VAGUE


def _shortly(match: Match, context: Context) -> Found:
    """`it will shortly be moved`, not `explain shortly why`."""
    return _soon(match, context) if context.told(match.start()).tense else KEPT


def _some_point(match: Match, context: Context) -> Found:
    return VAGUE if context.told(match.start()).tense else KEPT


def _event(match: Match, context: Context) -> Found:
    """`since the last deployment`: a moment in the author's calendar, unless a thing is named."""
    told = context.told(match.start())
    if context.word_after(match.end()) in _THINGS or told.habit:
        return KEPT
    return EVENT if _COMPARING.isdisjoint(told.words) else KEPT


def _bare_event(match: Match, context: Context) -> Found:
    which, event = part(match, "dir"), part(match, "event")
    if context.word_before(match.start()) in _ARTICLES and event not in _CLEAR:
        return KEPT
    if which == "this" and event not in _CLEAR:
        return None
    return _event(match, context)


def _season(match: Match, context: Context) -> Found:
    if context.word_before(match.start()) in _ARTICLES:
        return KEPT
    homonym = part(match, "season") in ("spring", "fall")
    after = context.word_after(match.end())
    if homonym and not context.closes(match.end()) and after not in _SEASON_AFTER:
        return KEPT
    return CALENDAR


def _bare_season(match: Match, context: Context) -> Found:
    told = context.told(match.start())
    bound = part(match, "prep") in ("since", "until", "till", "by")
    asked = (told.tense and bound) or told.tense == "future"
    return CALENDAR if asked and not told.habit else KEPT


def _later(match: Match, context: Context) -> Found:
    """`we will decide later`, not `2.0 or later` or `two days later`."""
    before = context.word_before(match.start())
    ends = context.closes(match.end()) or context.leads(match.start())
    if before in _LATER_THAN or not ends or context.told(match.start()).tense != "future":
        return KEPT
    return VAGUE


def _so_far(match: Match, context: Context) -> Found:
    ends = context.closes(match.end()) or context.leads(match.start())
    if not ends or context.word_before(match.start()) in ("up", "come", "gone", "go", "got"):
        return KEPT
    if context.word_after(match.end()) in ("as", "away", "apart", "from"):
        return KEPT
    return Meaning(reading=prefixed("as of", days_away(0)))


def _feast(match: Match, context: Context) -> Found:
    told = context.told(match.start())
    return CALENDAR if (told.tense or told.planned) and not told.habit else KEPT


def _state(match: Match, context: Context) -> Found:
    """`currently`: true on the day it was recorded."""
    if context.word_before(match.start()) in _ARTICLES:
        return KEPT
    if context.word_after(match.end()) in ("of", "when", "that", "a", "in") and part(match, "at"):
        return KEPT
    return Meaning(reading=prefixed("as of", days_away(0)))


def _now(match: Match, context: Context) -> Found:
    """`now` as the time of a statement, not as part of a name or an order."""
    before, after = context.word_before(match.start()), context.word_after(match.end())
    if before in _ARTICLES | _DEGREES or before == "from":
        return KEPT
    if context.leads(match.start()):
        stated = after in _AFTER_NOW
    elif before in _BEFORE_NOW:
        stated = True
    elif context.closes(match.end()):
        told = context.told(match.start())
        stated = told.first in _STATES or not _AUXILIARY.isdisjoint(told.words)
    else:
        stated = (after.endswith("s") and after not in _NOT_VERBS) or after in _AFTER_NOW
    return Meaning(reading=prefixed("as of", days_away(0))) if stated else None


LOOKALIKES = (
    Rule(
        r"as soon as|sooner or later|no sooner|soon(?:er)? than|now and (?:then|again)|"
        r"now or never|"
        r"here and now|now that|now playing|now what|"
        r"(?:least|most|more|less) recently|recently[ -](?:used|viewed|opened|visited|played|"
        r"closed)|"
        r"(?:at|until|to|in) the (?:very )?(?:last|next) (?:minute|moment|second)|"
        r"once in a while|to this day|day (?:to|by|after|in,) day|week (?:after|by|over|on) week|"
        r"year (?:on|over|after|by|to) (?:year|date)|month (?:over|after|by|on) month|"
        r"quarter over quarter|at the end of the day|"
        r"so far,? so good|(?:feels|felt|feel|seems) like (?:it was |only |just )*yesterday|"
        r"(?:each|every|any) (?:next|last|past|coming) {period}",
        always(KEPT),
    ),
)

RULES = (
    Rule(r"(?:just |very |quite |only |until |till )?(?:recently|lately)\b|of late\b", _recently),
    Rule(r"(?:(?:very|pretty|quite|fairly) )?soon\b", _soon),
    Rule(r"(?:very )?shortly\b", _shortly),
    Rule(
        r"(?:just )?the other (?:day|night|week|morning|evening|afternoon|month)|"
        r"any (?:day|time|minute|moment|week) now|before (?:very )?long\b|one of these days|"
        r"(?:in|for) the (?:near|foreseeable|immediate|not[ -](?:too|so)[ -]distant) future|"
        r"in the (?:recent|not[ -](?:too|so)[ -]distant) past|in due course|"
        r"in a (?:little )?(?:while|bit)\b|for some time now|some ?day soon|"
        r"(?:in|over|during) (?:the )?(?:coming|recent|next|last|past) {units}\b",
        always(VAGUE),
    ),
    Rule(
        r"at some (?:point|stage|time)(?: in the (?:near )?(?:future|past))?|some ?day\b|"
        r"some ?time (?:next|last|this|soon|in)\b",
        _some_point,
    ),
    Rule(r"in the new year\b", always(CALENDAR)),
    Rule(
        r"(?:in|since|until|till|before|after|by|with|during|from|for|at|as of|ahead of|starting|"
        r"starting with|over) (?:the|our) (?P<dir>last|next|upcoming|coming) {event:event}\b",
        _event,
    ),
    Rule(r"(?P<dir>last|next|this|coming) {event:event}(?:['’]s)?\b", _bare_event),
    Rule(
        r"(?:(?:early|late|mid)[ -])?(?:last|this|next|coming) "
        r"(?P<season>summer|winter|autumn|spring|fall|christmas|easter|thanksgiving|ramadan)"
        r"(?:['’]s)?\b",
        _season,
    ),
    Rule(
        r"(?P<prep>in|over|during|since|until|till|by|before|after) (?:the )?(?:(?:early|late|"
        r"mid)[ -])?"
        r"(?:summer|winter|autumn|spring|fall)\b",
        _bare_season,
    ),
    Rule(r"later(?: on)?\b", _later),
    Rule(r"so far\b|to date\b", _so_far),
    Rule(
        r"(?:before|after|by|until|till|since) (?:the )?(?:christmas|xmas|easter|thanksgiving|"
        r"new year(?:['’]s(?: eve)?)?|ramadan|eid|diwali|lunar new year|midsummer|(?:summer |"
        r"winter "
        r"|school |public |bank )?holidays?|(?:summer|winter) break)\b",
        _feast,
    ),
    Rule(
        r"as of (?:right )?now\b|from (?:now|here) on(?:wards?)?\b|(?:up )?(?:until|till|"
        r"to) now\b|"
        r"by now\b|just now\b",
        meaning(days_away(0)),
    ),
    Rule(
        r"(?:for|right) now\b|for the (?:time being|moment|present)\b|as it stands\b|"
        r"currently\b|nowadays\b|presently\b|these days\b|as things stand\b|at present\b|"
        r"at the present time\b|(?P<at>at (?:the|this) (?:present |very )?moment|"
        r"at this point in time|at this time)\b",
        _state,
    ),
    Rule(r"now\b", _now),
)
