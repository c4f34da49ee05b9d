"""When and how surely a statement says that it is so: what its words alone do not tell (light).

Two texts of the same words are the same statement only where their time, their aspect, what
they allow or ask for and the small words between are the same too.
"""

from __future__ import annotations

from functools import lru_cache

from onrecord.policy import contrast_words as known
from onrecord.policy.said import form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: It was so.
_PAST = frozenset(
    "was were had did war waren hatte hatten wurde wurden était étaient avait avaient fut furent"
    " eran estaba estaban fue fueron había erano fu furono aveva foi foram estava tinha"
    " werd hade blev był była było były был была было были used"
    " era".split()
)
#: It will be so.
_FUTURE = frozenset("will shall going 'll".split())
#: What is allowed, asked for or thought possible; each is a thing of its own.
_MODES = frozenset("may might can could must should would ought".split())
_LOOSE = frozenset("may might can could".split())
_STRICT = frozenset("must should ought".split())
_IS = frozenset("is are am be been being 's 're get gets getting".split())
_WAS = frozenset("was were got".split())
_HAS = frozenset("has have having 've".split())
#: Stand between an auxiliary and its verb.
_BETWEEN = frozenset(
    "not never always ever yet now already also only then still just both all automatically"
    " first and or".split()
)
#: Irregular participles that are compared as their verb, and pasts that are.
_PARTICIPLES = frozenset("used written kept held built sent chosen".split())
_PASTS = frozenset("ran chose".split())
#: Small words that are dropped elsewhere and yet say something.
_TELLING = frozenset("just also if or unless nor either ob oder ou o".split())
#: Groups of which one word in another's place says another thing.
_PLACES = frozenset(
    "in on at for with from into onto to before after during over under above below without via"
    " per until since through against between within outside inside"
    " für mit von zu bei aus auf vor nach über unter"
    " pour avec dans sur sous para con sin sobre".split()
)
#: Japanese and Chinese particles that other comparisons drop.
_PARTICLES = frozenset("がをにへとでも了")
_WHOSE = frozenset("our your their his her my its your mein dein unser euer ihr sein".split())
_WHO = frozenset("we you they he she i wir ihr sie er ich".split())
_FEWEST = 3
#: Stands for an ending that says that it goes on.
_GOES_ON = " going on"

#: What stands around a word.
_AROUND = "\"'()[]{},;:!?.\u201e\u201c\u201d\u300c\u300d。、，；：！？"
#: Written together: `isn't`, `we'll`.
_NOT = "n't"
_NEGATED = {"won": "will", "ca": "can", "wo": "will", "sha": "shall"}
_CLITICS = ("'s", "'ll", "'ve", "'re", "'d")


class Manner:
    """How a statement says it."""

    __slots__ = ("modes", "places", "roles", "shapes", "telling", "times", "who", "whose")

    def __init__(self, folded: str) -> None:
        words = _words(folded)
        verbs = [_time(words, at) for at in range(len(words))]
        #: past, perfect, going on or to come, as often as it is said
        self.times = sorted(time for time in verbs if time)
        self.modes = sorted(word for at, word in enumerate(words) if _is_mode(words, at))
        #: particles of an unspaced script, in order: who does it to whom
        self.roles = (
            [char for char in folded if char in _PARTICLES] if _PARTICLES & set(folded) else []
        )
        #: forms of a word that its stem does not tell
        self.shapes = sorted(filter(None, (_shape(word) for word in words)))
        self.telling = sorted(word for word in words if word in _TELLING)
        self.places = _count(words, _PLACES)
        self.whose = _count(words, _WHOSE)
        self.who = _count(words, _WHO)


manner_of = lru_cache(maxsize=512)(Manner)


def agrees(a: str, b: str) -> bool:
    """Whether two folded texts of the same words are one statement."""
    one, other = manner_of(a), manner_of(b)
    return (
        (one.times, one.modes, one.telling) == (other.times, other.modes, other.telling)
        and one.roles == other.roles
        and _shapes_agree(one.shapes, other.shapes)
        and not any(
            _swapped(getattr(one, name), getattr(other, name))
            for name in ("places", "whose", "who")
        )
    )


def turns(a: str, b: str) -> bool:
    """Whether the second says of another time, or asks for what the first only allows."""
    one, other = manner_of(a), manner_of(b)
    if one.times != other.times or _one_is_past(one.shapes, other.shapes):
        return True
    strict = [bool(_STRICT & set(said.modes)) for said in (one, other)]
    loose = [bool(_LOOSE & set(said.modes)) for said in (one, other)]
    return strict != loose and strict == loose[::-1] and strict[0] != strict[1]


def _words(folded: str) -> list[str]:
    found: list[str] = []
    for said, plainly in known.PHRASES:
        folded = folded.replace(said, plainly)
    for piece in folded.split():
        word = piece.strip(_AROUND)
        if word.endswith(_NOT):
            stem = word.removesuffix(_NOT)
            found += [_NEGATED.get(stem, stem), "not"]
            continue
        clitic = next((end for end in _CLITICS if word.endswith(end) and word != end), "")
        found.append(word.removesuffix(clitic) if clitic else word)
        if clitic:
            found.append(clitic)
        if "ている" in word or "ています" in word:
            found.append(_GOES_ON)
    return found


def _time(words: Sequence[str], at: int) -> str:  # noqa: PLR0911 - one answer for each form of a word
    """What one word says of the time; empty where it says nothing by itself."""
    word = words[at]
    if word in _PAST:
        return "past"
    if word == _GOES_ON:
        return "going on"
    if word in _FUTURE:
        return "" if word == "going" and words[at + 1 : at + 2] != ["to"] else "future"
    ending = _ending(word)
    if not ending:
        return ""
    before = _auxiliary(words, at)
    if ending == "ing":
        return "going on" if before in _IS or before in _WAS else ""
    if before in _HAS:
        return "perfect"
    if before in _IS or before in _WAS:
        # was and were have said it already; what has been done is over
        return "perfect" if before == "been" else ""
    return f"past {form(word)}"


def _is_mode(words: Sequence[str], at: int) -> bool:
    """Whether a word allows or asks; in a ban `must not` says no more than `not`."""
    return words[at] in _MODES and not (words[at] == "must" and words[at + 1 : at + 2] == ["not"])


def _ending(word: str) -> str:
    if word in _PARTICIPLES or word in _PASTS:
        return "ed"
    for ending in ("ing", "ed"):
        if word.endswith(ending) and word.isalpha() and len(word) - len(ending) >= _FEWEST:
            return ending
    return ""


def _auxiliary(words: Sequence[str], at: int) -> str:
    """The auxiliary that a participle stands under, past adverbs and others like it."""
    while at:
        at -= 1
        word = words[at]
        if word in _IS or word in _WAS or word in _HAS or word == "had":
            return word
        if word not in _BETWEEN and not word.endswith("ly") and not _ending(word):
            return ""
    return ""


def _shape(word: str) -> tuple[str, str] | None:
    """Forms that stemming makes one: going on or not, and the German past in -te."""
    if not word.isalpha() or len(word) <= _FEWEST:
        return None
    if word.endswith("ing"):
        return (form(word), "ing")
    if word.endswith(("te", "ten")):
        return (form(word), "te")
    return (form(word), "t") if word.endswith("t") else None


def _shapes_agree(a: Sequence[tuple[str, str]], b: Sequence[tuple[str, str]]) -> bool:
    """Whether no word goes on or is past in one of them alone."""
    going = [[pair for pair in one if pair[1] == "ing"] for one in (a, b)]
    return going[0] == going[1] and not _one_is_past(a, b)


def _one_is_past(a: Sequence[tuple[str, str]], b: Sequence[tuple[str, str]]) -> bool:
    """Leitete beside leitet."""
    return any(
        (stem, "te") in one and (stem, "t") in other and (stem, "t") not in one
        for one, other in ((a, b), (b, a))
        for stem, _ in one
    )


def _count(words: Sequence[str], group: frozenset[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in words:
        if word in group:
            found[word] = found.get(word, 0) + 1
    return found


def _swapped(a: dict[str, int], b: dict[str, int]) -> bool:
    """Whether each has one that the other has not, or not as often: one in another's place."""
    return any(n > b.get(word, 0) for word, n in a.items()) and any(
        n > a.get(word, 0) for word, n in b.items()
    )
