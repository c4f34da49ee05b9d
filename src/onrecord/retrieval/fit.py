"""How well a text answers what a query asks for (light).

An engine's score says which of the texts that share a word is best; it does not say whether the
best is any good. Here each unit of the query is looked up in the candidate's own text, and the
units are weighed by how much they say: the share that is found is the fit, from 0 to 1.
"""

from __future__ import annotations

from onrecord.retrieval.everyday import EVERYDAY
from onrecord.retrieval.stopwords import STOP, WEAK
from onrecord.retrieval.words import fold, fold_run, is_run, spellings, split_case, walk, widen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.retrieval.terms import Unit

#: What a unit weighs before its rarity is known.
WEAK_WEIGHT = 0.35
NUMBER_WEIGHT = 0.6
EVERYDAY_WEIGHT = 0.8
WORD_WEIGHT = 1.0
IDENTIFIER_WEIGHT = 1.5
#: A word found inside a longer one; the last part of a path, or a near spelling.
INSIDE = 0.8
TAIL = 0.9
NEAR = 0.9
#: A word that is made of it: weekly of week.
DERIVED = 0.8
#: Another spelling of it: database for db.
ALSO = 0.95
#: Parts of an identifier that stand apart from each other.
SCATTERED = 0.5
ALL_PARTS = 0.6
#: What being in the title adds, and an identifier that stands whole in the text.
IN_TITLE = 0.5
WHOLE = 1.5
#: Different words of a short text; a longer one has more by chance.
SHORT_TEXT = 30

#: Words of so many letters are found as they are only.
_RIGID = 3
_TINY = 1e-6
#: Letters of a beginning that may stand inside a word; of an identifier that was glued.
_TRUNK = 6
_GLUED = 5

_SPACES = dict.fromkeys(
    [n for n in range(128) if not chr(n).isalnum()]
    + [ord(char) for char in "\u00a0\u00ab\u00bb\u00b7\u2010\u2011\u2012\u2013\u2014\u2018"
       "\u2019\u201a\u201c\u201d\u201e\u2026\u2212\u3001\u3002\u300c\u300d\u300e\u300f"
       "\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f"],
    " ",
)  # fmt: skip
_ENDINGS = (
    "ations", "ation", "ingly", "ments", "ment", "ings", "ing", "edly", "ied", "ies", "ers",
    "ed", "er", "es", "en", "ly", "s", "e", "y",
)  # fmt: skip
_INFLECTIONS = ("ings", "ing", "ied", "ies", "ed", "es", "en", "s")


class Text:
    """A candidate's text, made ready for looking things up."""

    __slots__ = ("glued", "raw", "spaced")

    def __init__(self, text: str) -> None:
        folded = fold(_apart(text))
        if not text.isascii():
            wide = widen(text)
            if wide != folded:
                folded = f"{folded} {wide}"
        #: folded words between single spaces
        self.spaced = " " + " ".join(folded.translate(_SPACES).split()) + " "
        #: the same without the spaces
        self.glued = self.spaced.replace(" ", "")
        #: for scripts without spaces
        self.raw = folded if text.isascii() else fold_run(text)


def _apart(text: str) -> str:
    """The text, and once more the identifiers in it that hide words in capitals."""
    hidden = [raw for raw in text.split() if raw[1:].lower() != raw[1:] and not raw.isupper()]
    if not hidden:
        return text
    parts = [part for raw in hidden for piece in walk(raw) for part in _split(piece.words)]
    return f"{text} {' '.join(parts)}" if parts else text


def _split(words: list[str]) -> list[str]:
    return [part for word in words for part in split_case(word) if part != word]


def stem(word: str) -> str:
    """The beginning that a word shares with its other forms; close to, but no engine's stem."""
    if not word.isalpha():
        return word
    for ending in _ENDINGS:
        if len(word) - len(ending) >= 3 and word.endswith(ending):  # noqa: PLR2004
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":  # noqa: PLR2004
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word[-1] in "iy" else word  # noqa: PLR2004


def inflected(word: str) -> str:
    """The word without an ending of number or tense, which does not make another word of it."""
    if not word.isalpha():
        return word
    for ending in _INFLECTIONS:
        if len(word) - len(ending) >= 3 and word.endswith(ending):  # noqa: PLR2004
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":  # noqa: PLR2004
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] in "iye" else word  # noqa: PLR2004


def kinship(left: str, right: str) -> float:
    """How nearly two folded words are one: whole as its forms, less where one is made of it.

    `week` and `weeks` are one word, `weekly` is another one. Long words that are alike to the
    end count as forms.
    """
    if left == right or inflected(left) == inflected(right):
        return 1.0
    if stem(left) == stem(right):
        return DERIVED if left.isascii() and right.isascii() else 1.0
    size = max(len(left), len(right)) - 3
    return 1.0 if size >= 5 and left[:size] == right[:size] else 0.0  # noqa: PLR2004


class Probe:
    """What a unit is looked up by, worked out once for all texts."""

    __slots__ = (
        "also",
        "also_runs",
        "beginnings",
        "exact",
        "glued",
        "pairs",
        "parts",
        "run",
        "short",
        "strict",
        "tail",
        "trunks",
        "verb",
        "words",
    )

    def __init__(self, unit: Unit) -> None:
        #: says so little that what is made of it (a builder of build) is not it at all
        self.strict = unit.weak
        self.run = unit.key if unit.run else ""
        self.pairs = unit.parts if unit.run else []
        end = "" if unit.open else " "
        words = (
            [unit.key]
            if unit.verb or unit.whole.isascii() or unit.compound
            else spellings(unit.whole)
        )
        #: found as it is: the word, or the words of an identifier in a row
        self.exact = [f" {word}{end}" for word in words]
        single = [] if unit.run or unit.compound else words
        #: words that may stand in another form, each with how such a form begins
        self.words = [word for word in single if len(word) > _RIGID and word.isalpha()]
        self.beginnings = [
            " " + min(stem(word), word[: max(3, len(word) - 3)], key=len) for word in self.words
        ]
        #: other spellings, found as they are and as more than one
        self.also = [f" {form}{end} " for form in unit.also for end in ("", "s")]
        #: those in a script without spaces, which stand inside a run
        self.also_runs = [form for form in unit.also if not form.isascii() and is_run(form)]
        #: long beginnings, which may stand inside a longer word
        self.trunks = [trunk for word in self.words if len(trunk := stem(word)) >= _TRUNK]
        self.verb = Probe.of(unit.verb) if unit.verb else None
        glued = "".join(unit.parts) if unit.compound else ""
        self.glued = glued if len(glued) >= _GLUED and not glued.isdigit() else ""
        tail = fold(unit.whole.rpartition("/")[2]).translate(_SPACES) if unit.compound else ""
        self.tail = f" {tail} " if tail not in ("", unit.key) else ""
        self.parts = [Probe.of(part) for part in unit.parts if len(part) > 2] if glued else []  # noqa: PLR2004
        #: parts too short to be asked for alone, whose short form is known: the db of setup_db
        self.short = [Probe.of(part) for part in unit.parts if len(part) == 2] if glued else []  # noqa: PLR2004

    @classmethod
    def of(cls, word: str) -> Probe:
        """The probe of a single folded word."""
        from onrecord.retrieval.terms import Unit  # noqa: PLC0415 - terms does not need fit

        return cls(Unit(word, [word]))


def presence(probe: Probe, text: Text) -> float:
    """How much of a unit is in a text, 0 to 1."""
    return _run_presence(probe, text) if probe.run else _spaced_presence(probe, text)


def _spaced_presence(probe: Probe, text: Text) -> float:
    if any(exact in text.spaced for exact in probe.exact):
        return 1.0
    if probe.glued and probe.glued in text.glued:
        return 1.0
    if probe.tail and probe.tail in text.spaced:
        return TAIL
    return _scattered(probe, text) if probe.parts else _word_presence(probe, text)


def _word_presence(probe: Probe, text: Text) -> float:
    """A word in another form or spelling, inside a longer one, or of a verb the verb alone."""
    forms = zip(probe.words, probe.beginnings, strict=True)
    near = max([_has_form(word, begins, text.spaced) for word, begins in forms], default=0.0)
    if near == 1.0:
        return 1.0
    if any(form in text.spaced for form in probe.also):
        return ALSO
    if any(form in text.raw for form in probe.also_runs):
        return ALSO
    if not probe.strict and (near or any(trunk in text.glued for trunk in probe.trunks)):
        return max(near, INSIDE)
    return SCATTERED * presence(probe.verb, text) if probe.verb else 0.0


def _scattered(probe: Probe, text: Text) -> float:
    """Parts of an identifier that stand apart; all of them are a little more than most."""
    parts = [presence(part, text) for part in probe.parts]
    if min(parts) >= NEAR and len(parts) + len(probe.short) > 1:
        short = [presence(part, text) for part in probe.short]
        if all(value >= NEAR for value in short):
            return ALL_PARTS * sum(parts) / len(parts)
    return SCATTERED * sum(parts) / len(parts)


def _run_presence(probe: Probe, text: Text) -> float:
    if probe.run in text.raw:
        return 1.0
    found = sum(1 for pair in probe.pairs if pair in text.raw)
    # every other pair straddles two words
    return TAIL * min(1.0, 2 * found / len(probe.pairs)) if found else 0.0


def _has_form(word: str, beginning: str, spaced: str) -> float:
    best = 0.0
    at = spaced.find(beginning)
    while at >= 0 and best < 1:
        best = max(best, kinship(word, spaced[at + 1 : spaced.index(" ", at + 1)]))
        at = spaced.find(beginning, at + 1)
    return best


def weights(units: Sequence[Unit], found: Sequence[Sequence[float]]) -> list[float]:
    """What each unit weighs: more where few of the texts have it, most where none has.

    `found` has a row of presences for each text that was looked at.
    """
    texts = max(len(found), 30)
    weighed: list[float] = []
    for at, unit in enumerate(units):
        having = sum(1 for row in found if row[at] > 0)
        rarity = _log(texts / (1 + having)) / _log(texts) if having < texts else 0.0
        weighed.append(_base(unit) * (1 + max(rarity, 0.0)))
    return weighed


def _log(number: float) -> float:
    """The logarithm to a base near e, to five digits; only ratios of it are used.

    The limit of (x^t - 1) / t; to load the module of mathematics takes a hook longer than all
    of its ranking.
    """
    power: float = number**_TINY
    return power - 1


def _base(unit: Unit) -> float:
    if unit.weak:
        return WEAK_WEIGHT
    if unit.run or plain(unit):
        return WORD_WEIGHT
    if unit.compound:
        return IDENTIFIER_WEIGHT
    if unit.key.isalpha():
        return EVERYDAY_WEIGHT if unit.key in EVERYDAY else WORD_WEIGHT
    return NUMBER_WEIGHT if len(unit.key) < 3 else IDENTIFIER_WEIGHT  # noqa: PLR2004


def share(weighed: Sequence[float], row: Sequence[float]) -> float:
    """The part of the weight that was found, 0 to 1."""
    whole = sum(weighed)
    return sum(w * p for w, p in zip(weighed, row, strict=True)) / whole if whole else 0.0


def telling(unit: Unit) -> bool:
    """Whether a unit is an identifier so particular that finding it whole decides."""
    if not unit.compound or len(unit.key) < 8 or plain(unit):  # noqa: PLR2004
        return False
    return not unit.key.replace(" ", "").isdigit()


def plain(unit: Unit) -> bool:
    """Whether a unit is everyday words with hyphens between (`one-page`): no identifier."""
    if "-" not in unit.whole or "-".join(unit.parts) != unit.whole.lower():
        return False
    return all(part in EVERYDAY or part in WEAK or part in STOP for part in unit.parts)


def particular(unit: Unit) -> bool:
    """Whether a unit is a word or a name that is not of everyday use, or a technical one."""
    from onrecord.retrieval.variants import short_forms  # noqa: PLC0415 - it needs the stem

    if unit.run or unit.weak:
        return False
    return _base(unit) >= WORD_WEIGHT or bool(short_forms(unit.key))


def evidence(
    units: Sequence[Unit],
    weighed: Sequence[float],
    found: Sequence[float],
    titled: Sequence[float],
    text: Text,
) -> float:
    """How much speaks for a text, whatever else the query talks of: for prompts, not questions.

    Forms of one word count once, words that say little not at all, and a long text needs more.
    """
    best: dict[str, float] = {}
    for unit, weight, here, there in zip(units, weighed, found, titled, strict=True):
        if here and not unit.weak:
            worth = weight * (here + IN_TITLE * there)
            if telling(unit) and here == 1.0:
                worth += WHOLE
            name = stem(unit.key)
            best[name] = max(best.get(name, 0.0), worth)
    different = len(set(text.spaced.split()))
    return float(sum(best.values()) / (max(different, SHORT_TEXT) / SHORT_TEXT) ** 0.5)
