"""From when to when a statement says itself that it is true: `until 2031-03-31`, `since May 2030`.

Only what opens or closes the whole statement is read, in English, with a date that has its year;
a relative one has its date beside it by then. What could bound something else in it is left to
its words: a second clause, a question, a condition, `licences sold until …`.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from onrecord.policy.dates.guards import Guards
from onrecord.policy.dates.words import MONTHS
from onrecord.policy.regex import Pattern

if TYPE_CHECKING:
    from onrecord.policy.regex import Match

_MONTHS = {name[:3]: number for number, name in enumerate(MONTHS, 1)}
_NAMED = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTH = rf"(?:{_NAMED})[a-z]{{0,6}}\.?"
#: a day, or a month or a year as a whole
_DATE = (
    r"(?:\d{4}-\d\d-\d\d|(?:19|20|21)\d\d(?:-\d\d)?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH},? \d{{4}}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    rf"|{_MONTH} \d{{4}})"
)
#: words that a date was put beside: `next Friday (2031-03-14)`
_SAID = rf"(?:(?:[a-z0-9']+ ){{1,6}}\(({_DATE})\)|(?:the )?({_DATE}))"
_LAST = rf"((?:the )?end of )?{_SAID}"
_UNTIL = r"(?:up to and including|until|till|through)"
_SINCE = r"(?:ever since|since|as of|effective|starting(?: from| on)?)"

_OPENS = (
    Pattern(rf"(?i)\A(?:valid )?(?:from|between) {_SAID},? (?:until|till|to|through|and) {_LAST}"),
    Pattern(rf"(?i)\A(?:only )?{_UNTIL} {_LAST}"),
    Pattern(rf"(?i)\A(?:{_SINCE} {_SAID}|from {_SAID} on(?:wards?)?\b)"),
)
_CLOSES = (
    Pattern(rf"(?i)\bfrom {_SAID} (?:until|till|to|through) {_LAST}\z"),
    Pattern(rf"(?i)\b{_UNTIL} {_LAST}\z"),
    Pattern(rf"(?i)\b(?:{_SINCE} {_SAID}|from {_SAID} on(?:wards?)?)\z"),
)
_WORDS = (
    "until",
    "till",
    "through",
    "including",
    "since",
    "as of",
    "effective",
    "start",
    "from",
    "between",
)
#: what may as well lead from a number to a number, and what is said of years alone
_COUNTS = Pattern(r"(?i)\A(?:valid )?(?:from|between|starting from)\b")
_YEARS = Pattern(r"(?i)\byears?\b|\bend of ")
#: digits of a year
_YEAR = 4
#: how many groups the words of a beginning and of an end have
_BEGINS, _ENDS = 2, 3

#: what makes a statement more than one, a question, a condition, or no statement of its own
_OTHER = Pattern(
    r"(?i)[.;!?:] |\?|[,—–] ?(?:and|but|or|so|then)\b"
    r"|\A(?:if|when|whenever|unless|once|while|whether|ask|was|is|are|does|did|do)\b"
    r"|\b(?:but|then|afterwards?|thereafter|whereas|while|unless|if|at least|said|says|claimed"
    r"|reported|expected|maybe|perhaps|probably)\b"
)
_BOUND = Pattern(rf"(?i)\b(?:until|till|since)\b|\b(?:from|through|as of) {_SAID}")
#: a participle before `until` that belongs to a noun: "licences sold until …"
_PARTICIPLE = Pattern(
    r"(?i)(?:^|\s)(?P<before>[a-z']+) (?:[a-z]+ed|bought|sold|made|sent|built|taken|given|written"
    r"|known|seen|paid|held|found|born|lost|won|left|drawn|set|put|kept)\s\z"
)
#: what has a time of its own, before `from … to …` at the end
_STANDS = Pattern(
    r"(?i)\b(?:is|are|stays?|remains?|runs?|holds?|lasts?|valid|freeze|frozen|closed|open|away|off"
    r"|works?|applies|apply)\b"
)
_HELPS = frozenset(
    "is are be been being was were am isn't aren't stays stay remains remain gets get has have had"
    " not still also it's they're must can will may".split()
)
#: a body that goes on to what comes afterwards is a statement about more than the time
_AFTER = Pattern(r"(?i)\b(?:then|afterwards?|thereafter|from then on|later on|after that)\b")


class Bounds(NamedTuple):
    """The days between which a statement says that it is true; both count."""

    #: the first one; None where it does not say
    first: date | None
    #: the last one
    last: date | None


NONE = Bounds(None, None)


def bounds(title: str, body: str = "") -> Bounds:
    """What a statement says of its own time; `NONE` where it says nothing or not clearly."""
    text = title.strip().rstrip(".!").rstrip()
    lowered = text.lower()
    year = sum(char.isdecimal() for char in text) >= _YEAR
    if not year or not any(word in lowered for word in _WORDS):
        return NONE  # nearly always: nothing is compiled
    for patterns, closes in ((_OPENS, False), (_CLOSES, True)):
        for number, pattern in enumerate(patterns):
            match = pattern.search(text)
            if match is not None and not _is_part(text, match, closes=closes):
                return NONE if _AFTER.search(body) else _read(match, number)
    return NONE


def _is_part(text: str, match: Match, *, closes: bool) -> bool:
    """Whether what was found bounds something else than the statement as a whole."""
    rest = text[: match.start()] if closes else text[match.end() :]
    if Guards(text).touch(match.start(), match.end()) or not rest.strip(" ,"):
        return True
    if not closes and rest[:1] not in (",", " "):
        return True
    if _OTHER.search(rest.strip(" ,")) or _BOUND.search(rest):
        return True
    if closes and match.group()[:4].casefold() == "from" and not _STANDS.search(rest):
        return True  # "import the orders from … to …"
    before = _PARTICIPLE.search(rest) if closes else None
    return before is not None and before.group("before").casefold() not in _HELPS


def _read(match: Match, number: int) -> Bounds:
    """The days of a find: both · the last · the first."""
    groups = [match.group(n) for n in range(1, 1 + (_BEGINS + _ENDS, _ENDS, 2 * _BEGINS)[number])]
    if _may_count(match.group(), groups):
        return NONE
    try:
        if number == 0:
            return Bounds(_first(groups[0] or groups[1]), _last(*groups[_BEGINS:]))
        if number == 1:
            return Bounds(None, _last(*groups))
        return Bounds(_first(next(text for text in groups if text)), None)
    except ValueError:
        return NONE  # there is no such day


def _may_count(said: str, dates: list[str]) -> bool:
    """Whether it may be said of numbers: no month, no day, and no word that is said of years."""
    if not _COUNTS.search(said) or _YEARS.search(said):
        return False
    return all(len(text) == _YEAR and text.isdecimal() for text in dates if text)


def _first(text: str) -> date:
    """The first day of what is named."""
    year, month, day = _parts(text)
    return date(year, month or 1, day or 1)


def _last(end_of: str | None, beside: str | None, plain: str | None) -> date | None:
    """The last day of what is named; a whole month or year only at its end."""
    year, month, day = _parts(beside or plain or "")
    if day:
        return date(year, month, day)
    if not end_of:
        return None  # "until May 2031": with it, or before it
    following = date(year + month // 12, month % 12 + 1, 1) if month else date(year + 1, 1, 1)
    return following - timedelta(days=1)


def _parts(text: str) -> tuple[int, int, int]:
    """Year, month and day of a date; 0 for what it leaves out."""
    words = text.replace(",", " ").replace(".", " ").replace(" of ", " ").split()
    if len(words) == 1:
        year, month, day = (*(int(part) for part in text.split("-")), 0, 0)[:3]
        return year, month, day
    month, day = 0, 0
    for word in words[:-1]:
        if word[0].isdecimal():
            day = int("".join(char for char in word if char.isdecimal()))
        else:
            month = _MONTHS[word[:3].casefold()]
    return int(words[-1]), month, day
