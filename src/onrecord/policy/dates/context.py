"""Where a phrase stands: its sentence, its neighbours, and whether past or future is told."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from onrecord.policy.dates.guards import Guards, Span
from onrecord.policy.dates.words import word_set
from onrecord.policy.regex import Pattern

_SENTENCE_END = Pattern(
    r"[.!?…][\"'”’)\]*_]*(?:\s|\z)|\n\s*(?:\n|[-*+•#>|]|\d+[.)]\s|\z)|[。！？；]"
)
_WORD = Pattern(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}_'’-]*")
_NEXT = Pattern(r"\A\s+([\p{L}\p{N}][\p{L}\p{M}\p{N}_'’-]*)")
_OPENERS = " \t\"'“„«‹([{*_>#|•+-"
#: how far a neighbouring word is looked for, in code points
_NEAR = 80

_AUXILIARY = word_set("was were did had wasn't weren't didn't hadn't been")
_PAST = word_set(
    "went came broke fell took gave sent met lost found made saw said told got ran began wrote "
    "built brought bought left kept held stood spoke "
    "chose drew flew froze grew paid rose sold sank spent stole struck swore threw woke won wore "
    "withdrew became caught dealt fed felt fought forgot hung heard knew laid lent meant "
    "rang sang "
    "slept shook shrank slid stuck taught thought understood blew drove ate hid rode tore "
    "gone done seen taken given broken fallen"
)
_FUTURE = word_set(
    "will won't shall shan't going due upcoming planned scheduled expected supposed must should "
    "we'll i'll they'll it'll he'll she'll you'll that'll there'll"
)
_PERFECT = word_set("has have had we've i've they've you've")
_WHO = word_set("we i they he she it who you")
_BE = word_set(
    "is are be being am get gets it's they're we're i'm isn't aren't that's he's she's to"
)
_NEVER_PAST = word_set(
    "need feed speed seed bed red embed exceed proceed succeed shed sled indeed hundred weed "
    "bleed breed greed creed deed reed steed tweed"
)
#: past forms that stand as adjectives more often, unless a pronoun comes before
_ADJECTIVES = word_set("used named unused shared nested hosted based")
_HABIT = word_set(
    "every each always never usually normally typically generally daily weekly monthly nightly "
    "hourly quarterly yearly annually whenever avoid often sometimes don't"
)
_PLANNED = word_set(
    "starts begins ends closes opens reopens moves leaves expires ships launches arrives returns "
    "retires lands departs resumes start begin end close open reopen move leave ship launch "
    "arrive return retire"
)


@dataclass(frozen=True, kw_only=True)
class Told:
    """What one sentence tells."""

    #: its words, lower case
    words: frozenset[str]
    #: `past` or `future` if it tells one of them only, else empty
    tense: str
    #: whether it speaks of what recurs, or of a rule
    habit: bool
    #: whether its verb is one that a timetable uses: starts, ends, moves
    planned: bool
    #: its first word
    first: str


class Context:
    """A text, and what can be asked about a place in it."""

    def __init__(self, text: str) -> None:
        """Nothing is read yet; each part is worked out when it is first asked for."""
        self.text = text
        self._told: dict[Span, Told] = {}

    @cached_property
    def guards(self) -> Guards:
        """Code, quotations and names."""
        return Guards(self.text)

    @cached_property
    def _ends(self) -> list[int]:
        return [m.end() for m in _SENTENCE_END.finditer(self.text)]

    def sentence(self, start: int) -> Span:
        """The sentence, paragraph or list entry around a place."""
        at = bisect_right(self._ends, start)
        first = self._ends[at - 1] if at else 0
        return Span(first, self._ends[at] if at < len(self._ends) else len(self.text))

    def word_before(self, start: int) -> str:
        """The word that stands directly before, lower case; empty if none."""
        head = self.text[max(0, start - _NEAR) : start]
        word = head.rstrip()
        if word == head or not word or not (word[-1].isalnum() or word[-1] in "'’"):
            return ""
        return _plain(word.rsplit(None, 1)[-1].lstrip("([{\"'*"))

    def word_after(self, end: int) -> str:
        """The word that stands directly behind, lower case; empty if none."""
        found = _NEXT.search(self.text[end : end + _NEAR])
        return _plain(found.group(1) or "") if found else ""

    def leads(self, start: int) -> bool:
        """Whether a place begins a sentence, a line or a list entry."""
        head = self.text[max(0, start - _NEAR) : start].rstrip(_OPENERS)
        return not head or head[-1] in ".!?:;…—–\n|])"

    def closes(self, end: int) -> bool:
        """Whether a clause ends at a place."""
        tail = self.text[end : end + _NEAR].lstrip(" \t")
        return not tail or tail[0] in ",;:.!?)—–…。，\n"

    def told(self, start: int) -> Told:
        """What the sentence around a place tells; worked out once for each sentence."""
        whole = self.sentence(start)
        if whole not in self._told:
            self._told[whole] = _tell(self.text[whole.start : whole.end])
        return self._told[whole]


def _tell(sentence: str) -> Told:
    words = [_plain(word.group()) for word in _WORD.finditer(sentence)]
    past = any(_tells_past(words, i) for i in range(len(words)))
    future = any(word in _FUTURE for word in words)
    tense = "" if past == future else "past" if past else "future"
    kept = frozenset(words)
    return Told(
        words=kept,
        tense=tense,
        habit=not _HABIT.isdisjoint(kept),
        planned=not tense and not _PLANNED.isdisjoint(kept),
        first=words[0] if words else "",
    )


def _plain(word: str) -> str:
    return word.lower().replace("’", "'").rstrip("'-")


def _tells_past(words: list[str], at: int) -> bool:
    """Whether a word is a past form here, not the participle of "is closed on Friday"."""
    word = words[at]
    if word in _AUXILIARY:
        return True
    if word in _NEVER_PAST or not (word.endswith("ed") or word in _PAST):
        return False
    near = words[max(0, at - 2) : at]
    if not _PERFECT.isdisjoint(near) or not _WHO.isdisjoint(near[-1:]):
        return True
    return (
        word not in _ADJECTIVES
        and near[-1:] != ["the"]
        and _BE.isdisjoint(near)
        and _FUTURE.isdisjoint(near)
    )
