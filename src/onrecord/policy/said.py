"""A statement taken apart into words: numbers as digits, negations, what carries the claim."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from unicodedata import normalize

from onrecord.policy import contrast_words as known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


#: Digits of a day or an hour.
_DIGITS_OF_A_PART = 2
#: Digits that are still told apart after a change of unit, and numerals that are read as one.
_EXACT_DIGITS = 11
#: Longer words are kept as they are: no statement that is compared has one.
_LONGEST_WORD = 400
#: Words that are kept as they were taken apart: the statements of one store share most of them.
_WORDS = 2_048
#: Statements of which is kept what was told of them: a new one is set against many.
KEPT = 512
#: A word without any of these says nothing of a day or an hour.
_DATING = frozenset({*known.MONTHS, "am", "pm"})
_CLITICS = ("l'", "d'", "n'", "s'", "qu'", "jusqu'")


class Said:
    """One statement, taken apart."""

    __slots__ = ("_exact", "_text", "content", "even", "folded", "negated", "plain", "tokens")

    def __init__(self, text: str) -> None:
        folded = normalize("NFC", text).lower().replace("\u2019", "'").replace("`", "")
        self.folded = f" {' '.join(folded.split())} "
        #: words and marks, spelt in one way, numbers as digits
        self.tokens = _tokens(_phrased(self.folded))
        #: how many of them turn it round
        self.negated = sum(map(known.NEGATIONS.__contains__, self.tokens))
        #: whether nothing in it is turned round, or twice
        self.even = self.negated % 2 == 0
        #: what carries the claim, in order, and the numbers in it
        self.content = [one for one in map(_claimed, self.tokens) if one is not None]
        self.plain = [one for one in self.content if one not in known.NEGATIONS]
        self._text = text
        self._exact: list[str] | None = None

    @property
    def exact(self) -> list[str]:
        """Words that are names of code: every character of them counts."""
        # few texts come so near to another that this is asked of them
        if self._exact is None:
            words = map(_bare, self._text.split())
            self._exact = sorted(word for word in words if _is_code(word))
        return self._exact

    def has(self, phrases: Sequence[str]) -> bool:
        """Whether any of the phrases stands in it."""
        folded = self.folded
        for phrase in phrases:  # noqa: SIM110 - a generator costs more than what it looks for
            if phrase in folded:
                return True
        return False


def _phrased(folded: str) -> str:
    for said, plainly in known.PHRASES:
        if said in folded:
            folded = folded.replace(said, plainly)
    return folded


def _tokens(folded: str) -> list[str]:
    found: list[str] = []
    for word in folded.split():
        found += _pieces(word)
    return _measured(_dated(_french(found)))


@lru_cache(maxsize=_WORDS)
def _pieces(word: str) -> tuple[str, ...]:
    """What one word is taken apart into, by itself, and the mark that it ends with."""
    whole = word.strip("\"'()[]{},;:!?.\u201e\u201c\u201d\u300c\u300d。、，；：！？")
    if not whole:
        return (word,) if word in ("=", ":") else ()
    marked = word[-1] in ",;:" or word[-1] in "，；：、"
    return (*_taken_apart(whole), ",") if marked else tuple(_taken_apart(whole))


def _dated(tokens: list[str]) -> list[str]:
    """4 August 2031 and August 4 2031 as 2031-08-04, 6 pm as 18:00."""
    if _DATING.isdisjoint(tokens):
        return tokens
    found: list[str] = []
    for piece in tokens:
        if piece == ",":
            continue
        day = found[-2:]
        if len(piece) == 4 and piece.isdecimal() and len(day) == 2:  # noqa: PLR2004
            month = next((known.MONTHS[t] for t in day if t in known.MONTHS), "")
            number = next((t.strip("stndrh.") for t in day if t[:1].isdecimal()), "")
            if month and number.isdecimal() and len(number) <= _DIGITS_OF_A_PART:
                found[-2:] = [f"{piece}-{month}-{int(number):02d}"]
                continue
        last = found[-1] if found else ""
        hour, _, minute = last.partition(":")
        timed = last.replace(":", "").isdecimal() and 0 < len(hour) <= _DIGITS_OF_A_PART
        if piece in {"am", "pm"} and timed:
            hours = int(hour) % 12 + (12 if piece == "pm" else 0)
            found[-1] = f"{hours:02d}:{minute or '00'}"
            continue
        found.append(piece)
    return found


def _measured(tokens: list[str]) -> list[str]:
    """2 000 as 2000, and a length of time or a size as one word in its smallest unit."""
    found: list[str] = []
    for piece in tokens:
        if len(piece) != 3 and piece not in known.SCALES:  # noqa: PLR2004 - most words
            found.append(piece)
            continue
        last = found[-1] if found else ""
        if _groups(last, piece):
            found[-1] = last + piece
        elif piece in known.SCALES and _is_exact(last):
            unit, factor = known.SCALES[piece]
            found[-1] = f"{float(last) * factor:.15g}{unit}"
        else:
            found.append(piece)
    return found


def _is_exact(number: str) -> bool:
    """Whether it is a number whose digits all outlast a change of unit."""
    return number.replace(".", "", 1).isdecimal() and len(number) <= _EXACT_DIGITS


def _groups(before: str, piece: str) -> bool:
    """Whether three digits go on a number that a space has grouped."""
    return len(piece) == 3 and piece.isdecimal() and before.isdecimal() and len(before) <= 3  # noqa: PLR2004


def _taken_apart(word: str) -> list[str]:
    if any("\u3040" <= char <= "\u9fff" for char in word):
        return _unspaced(word)
    return _token(word) if len(word) <= _LONGEST_WORD else [word]


def _token(word: str) -> list[str]:  # noqa: PLR0911 - one answer for each form of a word
    if word.endswith("'s"):
        return [*_token(word[:-2]), "'s"]
    for clitic in _CLITICS:
        if word.startswith(clitic) and len(word) > len(clitic):
            return [clitic.rstrip("'"), *_token(word[len(clitic) :])]
    if word in known.NUMBERS:
        return [known.NUMBERS[word]]
    if word in known.ALIKE:
        return known.ALIKE[word].split()
    parts = _number_and_unit(word)
    if parts:
        return parts
    if "," in word and word.replace(",", "").isdecimal() and len(word.rpartition(",")[2]) == 3:  # noqa: PLR2004
        return [word.replace(",", "")]
    if "-" in word[1:-1] and word.replace("-", "").isalpha() and word.count("-") == 1:
        return word.split("-") if len(word) < 14 else [word]  # noqa: PLR2004 - read-only, not names
    return [word]


def _number_and_unit(word: str) -> list[str]:
    """5mb and 70% as a number and its unit."""
    end = 0
    while end < len(word) and (word[end].isdecimal() or word[end] in ".,:"):
        end += 1
    unit = word[end:]
    if end and unit in known.UNITS:
        return [word[:end], unit]
    if end and unit in known.ALIKE:
        return [word[:end], *known.ALIKE[unit].split()]
    return []


def _french(tokens: list[str]) -> list[str]:
    """`ne … plus` turns round as `ne … pas` does."""
    if "ne" in tokens or "n" in tokens:
        tokens = ["pas" if one == "plus" else one for one in tokens if one not in ("ne", "n")]
    return tokens


_NUMERALS = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6,
             "七": 7, "八": 8, "九": 9}  # fmt: skip
_POWERS = {"十": 10, "百": 100, "千": 1000}


def _unspaced(word: str) -> list[str]:
    """Characters one by one, numerals as digits, a negation as a word of its own."""
    found: list[str] = []
    at = 0
    while at < len(word):
        negation = next((n for n in known.UNSPACED_NEGATIONS if word.startswith(n, at)), "")
        if negation:
            found.append("not")
            # 許可されている and 許可されていない differ by the negation alone
            at += len(negation)
            continue
        ending = next((e for e in known.UNSPACED_ENDINGS if word.startswith(e, at)), "")
        if ending:
            at += len(ending)
            continue
        end = at
        while end < len(word) and (word[end] in _NUMERALS or word[end] in _POWERS):
            end += 1
        if end > at and (end - at > 1 or word[at : end + 1][-1:] in "日天年月時时分秒人件台週周"):
            few = end - at <= _EXACT_DIGITS
            found.append(str(_numeral(word[at:end])) if few else word[at:end])
            at = end
            continue
        if word[at].isascii() and word[at].isalnum():
            end = at
            while end < len(word) and word[end].isascii() and word[end].isalnum():
                end += 1
            found.append(word[at:end])
            at = end
            continue
        if word[at] not in "のはがをにでとも的了个。、，；：":
            found.append(word[at])
        at += 1
    return found


def _numeral(text: str) -> int:
    total = current = 0
    for char in text:
        if char in _POWERS:
            total += (current or 1) * _POWERS[char]
            current = 0
        else:
            current = current * 10 + _NUMERALS[char]
    return total + current


def carries(piece: str) -> bool:
    """Whether a word is part of the claim and no mark, article or the like."""
    return piece != "," and piece not in known.FUNCTION and piece not in known.ALWAYS


@lru_cache(maxsize=_WORDS)
def form(piece: str) -> str:
    """The form in which a word is compared: its stem, one word for every negation."""
    if piece in known.NEGATIONS:
        return "not"
    stem = _stem(piece) if piece.isalpha() else piece
    return known.ONE_WORD.get(stem, stem)


@lru_cache(maxsize=_WORDS)
def _claimed(piece: str) -> str | None:
    """The form of a word that carries a claim, None for any other."""
    return form(piece) if carries(piece) else None


def _spelt(word: str) -> str:
    """Colour as color, organise as organize; short words (hour, rise) stay."""
    if len(word) > 5:  # noqa: PLR2004 - longer than hour and rise
        for british, american in known.SPELLINGS:
            if word.endswith(british):
                return word.removesuffix(british) + american
    return word


def _stem(word: str) -> str:
    """A word without the commonest English inflections, spelt in one way.

    Accents and length stay.
    """
    word = _spelt(word)
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:  # noqa: PLR2004
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt":  # noqa: PLR2004
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word  # noqa: PLR2004


@lru_cache(maxsize=KEPT)
def clauses(said: Said) -> list[list[str]]:
    """The words of each part between commas, `but` and `because`."""
    found: list[list[str]] = [[]]
    for piece in said.tokens:
        if piece == "," or piece in known.BUT or piece in known.BECAUSE:
            found.append([])
        else:
            found[-1].append(piece)
    return [one for one in found if one]


def plain(clause: Sequence[str]) -> list[str]:
    """What carries the claim in a clause, negations left out."""
    words = [_claimed(t) for t in clause if t not in known.NEGATIONS]
    return [one for one in words if one is not None]


def _bare(word: str) -> str:
    return word.strip("\"'`()[],;:!?.")


def _is_code(word: str) -> bool:
    """Whether case and punctuation of a word matter: a flag, a path, a name of code, a power."""
    inner = any(x.islower() and y.isupper() for x, y in pairwise(word))
    if word.replace(".", "").isdecimal():
        return False
    marked = word.startswith("-") or any(c in "/\\{}<>$=^_.#@+*~" for c in word)
    return inner or marked or any(c.isdigit() and not c.isdecimal() for c in word)
