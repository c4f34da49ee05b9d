"""The English words that dates are told with, and the patterns that are built from them."""

from __future__ import annotations

from onrecord.policy.regex import Pattern


def word_set(words: str) -> frozenset[str]:
    """The words of a line, for looking one up."""
    return frozenset(words.split())


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

#: Named pieces that stand for themselves in `{braces}` of a phrase.
PIECES = {
    "number": (
        r"\d{1,4}|an?|"
        + "|".join(reversed(_SMALL[1:]))
        + "|(?:"
        + "|".join(_TENS)
        + r")(?:[- ](?:"
        r"" + "|".join(_SMALL[1:10]) + r"))?|a dozen|a hundred"
    ),
    "some": (
        r"(?:a )?(?:few|couple(?: of)?|handful of|number of)|several|some|many|a good many|"
        r"(?:one|two) or (?:two|three)|(?:two|three) to (?:three|four)|\d{1,3}\s?(?:-|–|to|"
        r"or)\s?\d{1,3}"
    ),
    "unit": r"days?|weeks?|fortnights?|months?|quarters?|years?|decades?",
    "clock": r"hours?|hrs?|minutes?|mins?|seconds?|secs?",
    "span": r"days?|weeks?|fortnights?|months?|quarters?|years?|decades?|"
    r"hours?|hrs?|minutes?|mins?|seconds?|secs?",
    "units": r"days|weeks|fortnights|months|quarters|years|decades|hours|minutes|seconds",
    "period": r"week|weekend|month|quarter|year",
    "part": r"morning|afternoon|evening|night|noon|midday|lunchtime",
    "weekday": "|".join(WEEKDAYS),
    "abbr": r"(?:tues?|weds?|thurs?|thu|fri|(?-i:Mon|Sat|Sun))\b\.?",
    "month": "|".join(MONTHS),
    "event": (
        r"(?:minor |major |planned |big |scheduled |production |team |customer )?(?:"
        r"release|sprint|iteration|milestone|deploy(?:ment)?|rollout|roll-out|launch|"
        r"maintenance(?: window)?|change window|retro(?:spective)?|stand-?up|meeting|offsite|"
        r"planning(?: round| meeting)?|review meeting|audit|inspection|outage|incident|"
        r"upgrade|migration|season|holidays?|semester|school term|cycle|election|version|"
        r"all-?hands|conference|board meeting|check-?in|demo|code freeze|freeze|"
        r"update|patch|visit|round|wave|phase|voyage|shift|intake|cohort|payday)"
    ),
    "about": (
        r"about|around|roughly|approximately|approx\.?|circa|some|nearly|almost|just over|"
        r"just under|well over|maybe|perhaps|over|more than|at least|less than|under|exactly|"
        r"only|just"
    ),
}

_PIECE = Pattern(r"\{(?:(\w+):)?(\w+)\}")
_PIECE_OF = {
    **dict.fromkeys(("day", "days"), "day"),
    **dict.fromkeys(("morning", "mornings", "afternoon", "afternoons"), "day"),
    **dict.fromkeys(("evening", "evenings", "night", "nights"), "day"),
    **dict.fromkeys(("week", "weeks"), "week"),
    **dict.fromkeys(("fortnight", "fortnights"), "fortnight"),
    **dict.fromkeys(("month", "months"), "month"),
    **dict.fromkeys(("quarter", "quarters"), "quarter"),
    **dict.fromkeys(("year", "years"), "year"),
    **dict.fromkeys(("decade", "decades"), "decade"),
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "h"), "hour"),
    **dict.fromkeys(("minute", "minutes", "min", "mins", "m"), "minute"),
    **dict.fromkeys(("second", "seconds", "sec", "secs"), "second"),
    **dict.fromkeys(("d",), "day"),
    **dict.fromkeys(("w", "wk", "wks"), "week"),
    **dict.fromkeys(("mo", "mos"), "month"),
    **dict.fromkeys(("y", "yr", "yrs"), "year"),
}


def _spaced(source: str) -> str:
    return source.replace(" ?", r"\s*").replace(" ", r"\s+")


def vocabulary(source: str) -> Pattern:
    """Alternatives as whole words, in group 1; a space is any white space, case is free."""
    return Pattern(rf"(?i)(?:\A|[^a-zÀ-ɏ])({_spaced(source)})(?:[^a-zÀ-ɏ]|\z)")


def phrase(source: str) -> Pattern:
    """A pattern for words: a space is any white space, `{piece}` a named piece, case is free.

    `{name:piece}` also captures what the piece matched under that name.
    """
    out, at = "", 0
    for found in _PIECE.finditer(source):
        out += source[at : found.start()]
        name, piece = found.group(1), PIECES[found.group(2)]
        out += f"(?P<{name}>{piece})" if name else f"(?:{piece})"
        at = found.end()
    return Pattern("(?i)" + _spaced(out + source[at:]))


def number_of(words: str) -> int:
    """The number that a word or some digits say; 0 for a word that is none."""
    word = " ".join(words.lower().split())
    if word.isdecimal():
        return int(word)
    if word in ("a", "an"):
        return 1
    if word in _SMALL:
        return _SMALL.index(word)
    tens, _, ones = word.replace(" ", "-").partition("-")
    if tens in _TENS:
        return (_TENS.index(tens) + 2) * 10 + (_SMALL.index(ones) if ones else 0)
    return {"a dozen": 12, "a hundred": 100}.get(word, 0)


def unit_of(word: str) -> str:
    """The singular of a unit of time, abbreviations included; empty if it is none."""
    return _PIECE_OF.get(word.lower(), "")


def weekday_of(word: str) -> int:
    """0 for Monday to 6 for Sunday, from a name or its abbreviation."""
    return next(i for i, name in enumerate(WEEKDAYS) if name.startswith(word.lower()[:3]))


def month_of(word: str) -> int:
    """1 for January to 12 for December."""
    return MONTHS.index(word.lower()) + 1
