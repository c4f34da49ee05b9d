"""Dates that already stand beside the words: ours are folded away, others are recognised.

A text that was annotated is read as it was before, so annotating it again finds the same
phrases, and finds each of them explained.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from onrecord.policy.regex import Pattern

_TIME = r"[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?"
_DATE = r"\d{4}(?:-(?:Q[1-4]|W\d{2}|\d{2}(?:-\d{2}(?:" + _TIME + ")?)?))?"
_ASIDE = Pattern(
    r" ?\((?:(?:(?:as of|around|before|after|until|week of|since|from) )*" + _DATE + r"(?: to "
    r"" + _DATE + r")?|(?:date )?unknown|no date|undated)\)"
)
_MONTH = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?MONTH\b|MONTH\.?\s+\d{1,4}(?:st|nd|rd|th)?\b)"
).replace(
    "MONTH",
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)",
)
_PLAIN = r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|" + _MONTH
_BEHIND = Pattern(
    r"(?i)\A(?:\s*[(\[（][^()\[\]（）\n]{0,40}?(?:" + _PLAIN + r"|\b(?:19|20|21)\d\d\b|\d年|\d月)"
    r"|\s*[,:–—-]?\s+(?:that is,? |i\.e\.,? |which is |on |the )*(?:(?:mon|tues|wednes|thurs|fri|"
    r"satur|sun)day,? )?(?:" + _PLAIN + r"))"
)
_AHEAD = Pattern(r"(?i)(?:" + _PLAIN + r"|\d日)(?:,? ?[a-z]{0,9})?\s*[(\[（]\z")
#: how far a date is looked for on each side, in code points
_NEAR = 64


@dataclass(frozen=True, kw_only=True)
class Folded:
    """A text without the dates that were put beside its words, and where they were."""

    #: the text as it reads without them
    text: str
    #: places in the folded text where one was taken out, in order
    places: tuple[int, ...]
    #: what was taken out at each place
    asides: tuple[str, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The range in the full text of a range of the folded one, without asides at its ends."""
        ahead, within = bisect_right(self.places, start), bisect_right(self.places, end - 1)
        before = sum(len(aside) for aside in self.asides[:ahead])
        return start + before, end + before + sum(len(a) for a in self.asides[ahead:within])

    def crosses(self, start: int, end: int) -> bool:
        """Whether an aside was taken out inside a range: its words do not belong together."""
        at = bisect_right(self.places, start)
        return at < len(self.places) and self.places[at] < end

    def unfold(self, added: dict[int, str]) -> str:
        """The full text again, with more asides set in at places of the folded one."""
        there = dict(zip(self.places, self.asides, strict=True))
        out, last = list[str](), 0
        for place in sorted({*there, *added}):
            out += [self.text[last:place], there.get(place, "") or added[place]]
            last = place
        return "".join([*out, self.text[last:]])


def fold(text: str) -> Folded:
    """Take out every date in brackets that stands directly behind a word."""
    out, places, asides, last, length = list[str](), list[int](), list[str](), 0, 0
    for aside in _ASIDE.finditer(text):
        start = aside.start()
        if start == last or text[start - 1 : start].isspace() or text[start] != " ":
            continue
        out.append(text[last:start])
        length += start - last
        places.append(length)
        asides.append(aside.group() or "")
        last = aside.end()
    return Folded(text="".join([*out, text[last:]]), places=tuple(places), asides=tuple(asides))


def stands_beside(folded: Folded, start: int, end: int) -> bool:
    """Whether a date explains the words already, in whatever form its author wrote it."""
    if end in folded.places:
        return True
    text = folded.text
    if _BEHIND.search(text[end : end + _NEAR]):
        return True
    return _AHEAD.search(text[max(0, start - _NEAR) : start]) is not None
