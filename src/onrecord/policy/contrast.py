"""What a new statement is to one that stands: the same, a contradiction, or neither.

Words decide, no meaning is guessed. `same` needs all the words that carry the claim, in the
same order or in one that only voice or a moved phrase explains: a statement must never be
merged away. `conflict` flags what a person should look at, and nothing more.
"""

from __future__ import annotations

from itertools import pairwise
from unicodedata import normalize

from onrecord.policy import contrast_words as known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

#: Longer texts say more than one thing, which words alone cannot set against each other.
MAX_CHARS = 400
_FEWEST = 2
#: Shares of the standing statement's words that must come again, by kind of clash.
_NEARLY_ALL = 0.8
_MOST = 0.74
_MANY = 0.6
_SOME = 0.5
_MAX_BLOCK = 5
_MAX_SPAN = 4


class Said:
    """One statement, taken apart."""

    __slots__ = ("content", "even", "exact", "folded", "plain", "tokens")

    def __init__(self, text: str) -> None:
        folded = normalize("NFC", text).lower().replace("\u2019", "'").replace("`", "")
        folded = folded.replace("rather than", "not")
        self.folded = f" {' '.join(folded.split())} "
        #: words and marks, spelt in one way, numbers as digits
        self.tokens = _tokens(folded)
        negated = sum(piece in known.NEGATIONS for piece in self.tokens)
        #: whether nothing in it is turned round, or twice
        self.even = negated % 2 == 0
        #: what carries the claim, in order, and the numbers in it
        self.content = [_form(piece) for piece in self.tokens if _carries(piece)]
        self.plain = [one for one in self.content if one not in known.NEGATIONS]
        #: words that are names of code: every character of them counts
        self.exact = sorted(word for word in map(_bare, text.split()) if _is_code(word))

    def has(self, phrases: Sequence[str]) -> bool:
        """Whether any of the phrases stands in it."""
        return any(phrase in self.folded for phrase in phrases)


def compare(standing: str, new: str) -> Literal["same", "conflict", ""]:
    """`same`, `conflict`, or empty where the new statement can stand beside the other."""
    if max(len(standing), len(new)) > MAX_CHARS:
        return ""
    a, b = Said(standing), Said(new)
    if not a.content or not b.content:
        return ""
    if _says_the_same(a, b):
        return "same"
    return "conflict" if _clashes(a, b) else ""


# -- taking apart ---------------------------------------------------------------------------
def _tokens(folded: str) -> list[str]:
    found: list[str] = []
    for word in folded.split():
        whole = word.strip("\"'()[]{},;:!?.\u201e\u201c\u201d\u300c\u300d。、，；：！？")
        if not whole:
            if word in ("=", ":"):
                found.append(word)
            continue
        found.extend(_token(whole))
        if word[-1] in ",;:" or word[-1] in "，；：、":
            found.append(",")
    return _measured(_dated(_french(found)))


def _dated(tokens: list[str]) -> list[str]:
    """4 August 2031 and August 4 2031 as 2031-08-04, 6 pm as 18:00."""
    found: list[str] = []
    plain = [piece for piece in tokens if piece != ","]
    if not any(piece in known.MONTHS or piece in {"am", "pm"} for piece in plain):
        return tokens
    for piece in plain:
        day = found[-2:]
        if len(piece) == 4 and piece.isdecimal() and len(day) == 2:  # noqa: PLR2004
            month = next((known.MONTHS[t] for t in day if t in known.MONTHS), "")
            number = next((t.strip("stndrh.") for t in day if t[:1].isdecimal()), "")
            if month and number.isdecimal():
                found[-2:] = [f"{piece}-{month}-{int(number):02d}"]
                continue
        last = found[-1] if found else ""
        if piece in {"am", "pm"} and last.replace(":", "").isdecimal():
            hour, _, minute = last.partition(":")
            hours = int(hour) % 12 + (12 if piece == "pm" else 0)
            found[-1] = f"{hours:02d}:{minute or '00'}"
            continue
        found.append(piece)
    return found


def _measured(tokens: list[str]) -> list[str]:
    """2 000 as 2000, and a length of time or a size as one word in its smallest unit."""
    found: list[str] = []
    for piece in tokens:
        last = found[-1] if found else ""
        if _groups(last, piece):
            found[-1] = last + piece
        elif piece in known.SCALES and last.replace(".", "", 1).isdecimal():
            unit, factor = known.SCALES[piece]
            found[-1] = f"{float(last) * factor:.15g}{unit}"
        else:
            found.append(piece)
    return found


def _groups(before: str, piece: str) -> bool:
    """Whether three digits go on a number that a space has grouped."""
    return len(piece) == 3 and piece.isdecimal() and before.isdecimal() and len(before) <= 3  # noqa: PLR2004


def _token(word: str) -> list[str]:  # noqa: PLR0911 - one answer for each form of a word
    if any("\u3040" <= char <= "\u9fff" for char in word):
        return _unspaced(word)
    if word.endswith("'s"):
        return [*_token(word[:-2]), "'s"]
    for clitic in ("l'", "d'", "n'", "s'", "qu'", "jusqu'"):
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
        if word.startswith("ている", at):
            at += 3
            continue
        end = at
        while end < len(word) and (word[end] in _NUMERALS or word[end] in _POWERS):
            end += 1
        if end > at and (end - at > 1 or word[at : end + 1][-1:] in "日天年月時时分秒人件台週周"):
            found.append(str(_numeral(word[at:end])))
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


def _carries(piece: str) -> bool:
    return piece != "," and piece not in known.FUNCTION and piece not in known.ALWAYS


def _form(piece: str) -> str:
    if piece in known.NEGATIONS:
        return "not"
    return _stem(piece) if piece.isalpha() else piece


def _stem(word: str) -> str:
    """A word without the commonest English inflections; accents and length stay."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:  # noqa: PLR2004
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt":  # noqa: PLR2004
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word  # noqa: PLR2004


# -- the same -----------------------------------------------------------------------------------
def _says_the_same(a: Said, b: Said) -> bool:
    """Every word that carries the claim, as often; another order only where voice explains it."""
    if len(a.content) < _FEWEST or sorted(a.content) != sorted(b.content):
        return False
    if a.exact != b.exact:
        return False
    by_a, by_b = (any(t in known.BY for t in one.tokens) for one in (a, b))
    if a.content == b.content:
        # A calls B and A is called by B have their words in one order
        return by_a == by_b and _same_relations(a, b)
    if by_a != by_b:
        return True
    cues = ((known.NOBODY, a, b), (known.NOBODY, b, a))
    if any(_only_in(words, one, other) for words, one, other in cues):
        return True
    return _moved_block(a, b) or _compounded(a, b) or _listed(a, b)


def _bare(word: str) -> str:
    return word.strip("\"'`()[],;:!?.")


def _is_code(word: str) -> bool:
    """Whether case and punctuation of a word matter: a flag, a path, a name of code, a power."""
    inner = any(x.islower() and y.isupper() for x, y in pairwise(word))
    if word.replace(".", "").isdecimal():
        return False
    marked = word.startswith("-") or any(c in "/\\{}<>$=^_.#@+*~" for c in word)
    return inner or marked or any(c.isdigit() and not c.isdecimal() for c in word)


_RELATIONS = frozenset("from to before after over under above below into onto without".split())


def _same_relations(a: Said, b: Said) -> bool:
    return [t for t in a.tokens if t in _RELATIONS] == [t for t in b.tokens if t in _RELATIONS]


def _only_in(words: frozenset[str], one: Said, other: Said) -> bool:
    return any(t in words for t in one.tokens) and not any(t in words for t in other.tokens)


def _compounded(a: Said, b: Said) -> bool:
    """The import of tables and the table import: a linking word in one of them only."""
    linking = [[t for t in one.tokens if t in known.COMPOUNDING] for one in (a, b)]
    return sorted(linking[0]) != sorted(linking[1]) and _one_block_apart(a.content, b.content)


def _listed(a: Said, b: Said) -> bool:
    """The same things listed in another order."""
    left, right = _elements(a), _elements(b)
    if len(left) < 2 or len(left) != len(right):  # noqa: PLR2004 - a list
        return False
    lead = 0
    while lead < min(len(left[0]), len(right[0])) and left[0][lead] == right[0][lead]:
        lead += 1
    tail = 0
    while (
        tail < min(len(left[-1]), len(right[-1])) and left[-1][-1 - tail] == right[-1][-1 - tail]
    ):
        tail += 1
    for back in range(min(lead, 2) + 1):
        one, other = (_cut(parts, lead - back, tail) for parts in (left, right))
        if all(one) and sorted(one) == sorted(other):
            return True
    return False


def _elements(said: Said) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for piece in said.tokens:
        if piece == "," or piece in known.AND:
            found.append([])
        elif _carries(piece):
            found[-1].append(_form(piece))
    return [one for one in found if one]


def _cut(parts: Sequence[Sequence[str]], lead: int, tail: int) -> list[list[str]]:
    """The elements without what stands before the first and after the last."""
    cut = [list(part) for part in parts]
    cut[0] = cut[0][lead:]
    cut[-1] = cut[-1][: len(cut[-1]) - tail]
    return cut


def _one_block_apart(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether moving one run of words makes the sequences equal."""
    start = next((n for n, (x, y) in enumerate(zip(a, b, strict=True)) if x != y), len(a))
    end = next(
        (n for n, (x, y) in enumerate(zip(a[::-1], b[::-1], strict=True)) if x != y), len(a)
    )
    middle_a, middle_b = list(a[start : len(a) - end]), list(b[start : len(b) - end])
    return any(middle_a[n:] + middle_a[:n] == middle_b for n in range(1, len(middle_a)))


def _moved_block(a: Said, b: Said) -> bool:
    """A phrase such as `in design notes` or `every month` that stands elsewhere."""
    for one in _blocks(a):
        if one in _blocks(b) and _without(a, one[1:]) == _without(b, one[1:]):
            return True
    return False


def _blocks(said: Said) -> list[tuple[str, ...]]:
    """A starter and one to five words that carry a claim after it."""
    found: list[tuple[str, ...]] = []
    for at, piece in enumerate(said.tokens):
        if piece not in known.STARTERS and piece not in {"all", "每"}:
            continue
        words: list[str] = [piece]
        for after in said.tokens[at + 1 :]:
            if after == "," or len(words) > _MAX_BLOCK:
                break
            if _carries(after):
                words.append(_form(after))
                found.append(tuple(words))
    return found


def _without(said: Said, block: Sequence[str]) -> list[str]:
    content = said.content
    for at in range(len(content) - len(block) + 1):
        if content[at : at + len(block)] == list(block):
            return content[:at] + content[at + len(block) :]
    return [*content, "?"]


# -- a contradiction ----------------------------------------------------------------------------
def _clashes(a: Said, b: Said) -> bool:
    if len(a.plain) < _FEWEST:
        return False
    share = _share(a.plain, b.plain)
    return (
        _flipped(a, b, share)
        or _taken_back(a, b, share)
        or _narrowed(a, b, share)
        or _another_number(a, b)
        or _another_value(a, b)
    )


def _share(a: Sequence[str], b: Sequence[str]) -> float:
    """How much of what a says comes again in b."""
    wanted = set(a)
    return len(wanted & set(b)) / len(wanted)


def _flipped(a: Said, b: Said, share: float) -> bool:
    """The same claim with its polarity turned, in the clause that makes it."""
    if share < _MOST or (a.has(known.EXCEPTIONS) and b.has(known.EXCEPTIONS)):
        return False
    clause = _closest(a, b)
    here = _share(a.plain, _plain(clause))
    odd_a = not a.even
    odd_b = sum(piece in known.NEGATIONS for piece in clause) % 2 == 1
    # a clause that says much else speaks of another thing
    back = _share(_plain(clause), a.plain)
    return here >= _NEARLY_ALL and odd_a != odd_b and back >= _MANY


def _closest(a: Said, b: Said) -> list[str]:
    """The clause of b that says most of what a says."""
    return max(_clauses(b), key=lambda one: _share(a.plain, _plain(one)))


def _clauses(said: Said) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for piece in said.tokens:
        if piece == "," or piece in known.BUT or piece in known.BECAUSE:
            found.append([])
        else:
            found[-1].append(piece)
    return [one for one in found if one]


def _plain(clause: Sequence[str]) -> list[str]:
    return [_form(t) for t in clause if _carries(t) and t not in known.NEGATIONS]


def _taken_back(a: Said, b: Said, share: float) -> bool:
    """Retracted or replaced, in so many words, with enough of it said again."""
    if b.has(known.RETRACTIONS) and not a.has(known.RETRACTIONS) and share >= _MANY:
        return True
    if not b.has(known.REPLACEMENTS) or a.has(known.REPLACEMENTS):
        return False
    if a.folded.rstrip(" .") in b.folded:
        return False  # it is said again whole, and something is added
    # what it was is named: the last word of the standing statement is its value
    return share >= _SOME or (a.plain[-1] in b.plain and b.has(known.RETRACTIONS))


def _narrowed(a: Said, b: Said, share: float) -> bool:
    """An exception, an end, or a part with another value."""
    if share >= _MOST:
        clause = f" {' '.join(_closest(a, b))} "
        unspaced = clause.replace(" ", "")
        excepts = any(
            e.strip(".;") in clause or (not e.isascii() and e[0] > "\u3000" and e in unspaced)
            for e in known.EXCEPTIONS
        )
        if excepts and share >= _NEARLY_ALL and not a.has(known.EXCEPTIONS):
            return True
        if b.has(known.BOUNDS) and not a.has(known.BOUNDS):
            return True
    differs = any(t in known.BUT for t in b.tokens) and not any(t in known.BUT for t in a.tokens)
    return differs and _SOME < share < 1.0


def _another_number(a: Said, b: Said) -> bool:
    """One sentence with another quantity in the same place."""
    if a.even != b.even:
        return False
    left, right = _template(a), _template(b)
    if left[0] != right[0] or left[1] == right[1]:
        return False
    differing = [n for n, (x, y) in enumerate(zip(left[1], right[1], strict=True)) if x != y]
    return len(differing) == 1 and _is_value(left[0], differing[0], left[1][differing[0]])


def _template(said: Said) -> tuple[list[str], list[str]]:
    """The words with each number and its unit as `#`, and those numbers."""
    words: list[str] = []
    values: list[str] = []
    for piece in said.tokens:
        if piece[0].isdecimal() and not any(c.isdigit() and not c.isdecimal() for c in piece):
            words.append("#")
            values.append(piece)
        elif words and words[-1] == "#" and piece in known.UNITS:
            values[-1] += f" {piece}"
        elif piece != ",":
            words.append(piece)
    return words, values


def _is_value(words: Sequence[str], which: int, value: str) -> bool:
    """Whether a number says how much, and is not the name of what is spoken of."""
    at = [n for n, word in enumerate(words) if word == "#"][which]
    before = words[at - 1] if at else ""
    if "-" in value.strip("-") and value.replace("-", "").isdecimal():
        return any(word in known.DATED for word in words[max(0, at - 2) : at])
    if " " in value:
        return True
    if before in known.NUMBERED or before.endswith(("-", "/", "#")):
        # a port that something listens on is a value; port 9100 at the start is a name
        return at > 2 and any(w in {"on", "is", "to"} for w in words[1:at])  # noqa: PLR2004
    if before in known.COPULAS or before in {"of", "least", "most", "than", "to", "after", "de"}:
        return True
    if at == 0:
        return any(word.endswith("s") for word in words[1:3])
    return at > 1 and "." not in value


def _another_value(a: Said, b: Said) -> bool:
    """The X of Y is this, and is that: one attribute of one thing with two values."""
    said_a, said_b = _clauses(a)[0], _clauses(b)[0]
    at_a, at_b = _copula(said_a), _copula(said_b)
    if at_a < 0 or at_b < 0 or {*said_a, *said_b} & known.NEGATIONS:
        return False
    subject_a, subject_b = said_a[:at_a], said_b[:at_b]
    if _plain(subject_a) != _plain(subject_b) or not _has_one(subject_a):
        return False
    value_a, value_b = (_plain(one[at + 1 :]) for one, at in ((said_a, at_a), (said_b, at_b)))
    if not value_a or not value_b or set(value_a) & set(value_b):
        return False
    return len(value_a) <= _MAX_SPAN and not (
        _participle(said_a[at_a + 1 :]) or _participle(said_b[at_b + 1 :])
    )


def _copula(tokens: Sequence[str]) -> int:
    return next((n for n, piece in enumerate(tokens) if n and piece in known.COPULAS), -1)


def _has_one(subject: Sequence[str]) -> bool:
    """Whether a thing has one of what the subject names."""
    head: list[str] = []
    for word in subject:
        if word in {"of", "for", "in", "on", "at"} and head:
            break
        head.append(word)
    return bool(head) and head[-1] in known.ATTRIBUTES


def _participle(predicate: Sequence[str]) -> bool:
    """Whether what follows says how it is done, which many things can be at once."""
    return any(t.endswith(("ed", "ing", "able", "ible")) for t in predicate if _carries(t))
