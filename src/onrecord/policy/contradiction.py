"""Whether a statement takes back, turns round, narrows or revalues one that stands (light)."""

from __future__ import annotations

from functools import lru_cache

from onrecord.policy import choice
from onrecord.policy import contrast_words as known
from onrecord.policy.said import KEPT, Said, carries, clauses, form, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_FEWEST = 2
#: Shares of the standing statement's words that must come again, by kind of clash.
_NEARLY_ALL = 0.8
_MOST = 0.74
_MANY = 0.6
_SOME = 0.5
_MAX_SPAN = 4
#: Stands for a number and its unit; with white space in it, so that no word of a text is it.
_NUMBER = " #"


def clashes(a: Said, b: Said) -> bool:
    """Whether `b` says otherwise of what `a` says, as far as words alone can tell."""
    if len(a.plain) < _FEWEST or not clauses(a) or not clauses(b):
        return False  # words such as `because` alone claim nothing
    share = _share(a.plain, b.plain)
    return (
        _flipped(a, b, share)
        or _taken_back(a, b, share)
        or _narrowed(a, b, share)
        or _another_number(a, b)
        or _another_value(a, b)
        or _another_day(a, b)
        or choice.turned(a, b)
    )


def _share(a: Sequence[str], b: Sequence[str]) -> float:
    """How much of what a says comes again in b; none of it where it says nothing."""
    wanted = set(a)
    return len(wanted & set(b)) / len(wanted) if wanted else 0.0


def _flipped(a: Said, b: Said, share: float) -> bool:
    """The same claim with its polarity turned, in the clause that makes it."""
    if share < _MOST or (a.has(known.EXCEPTIONS) and b.has(known.EXCEPTIONS)):
        return False
    if _on_other_occasions(a, b):
        return False
    clause = _closest(a, b)
    if _of_another(a.plain, plain(clause)):
        return False
    here = _share(a.plain, plain(clause))
    odd_a = not a.even
    odd_b = sum(piece in known.NEGATIONS for piece in clause) % 2 == 1
    # a clause that says much else speaks of another thing
    back = _share(plain(clause), a.plain)
    return here >= _NEARLY_ALL and odd_a != odd_b and back >= _MANY


def _on_other_occasions(a: Said, b: Said) -> bool:
    """Each names a day or a number, and none of them is the other's."""
    named = [
        {form(t) for t in said.tokens if t in known.WEEKDAYS or t[0].isdecimal()}
        for said in (a, b)
    ]
    return all(named) and not named[0] & named[1]


def _of_another(a: Sequence[str], b: Sequence[str]) -> bool:
    """Word for word the same, but for one place where another name stands."""
    left, right = ([w for w in one if w not in known.MODALS] for one in (a, b))
    shortest = min(len(left), len(right))
    start = next((n for n in range(shortest) if left[n] != right[n]), shortest)
    most = shortest - start
    end = next((n for n in range(most) if left[-1 - n] != right[-1 - n]), most)
    middles = len(left) - start - end, len(right) - start - end
    return min(middles) > 0 and max(middles) <= _MAX_SPAN and start + end > max(middles)


def _closest(a: Said, b: Said) -> list[str]:
    """The clause of b that says most of what a says."""
    return max(clauses(b), key=lambda one: _share(a.plain, plain(one)))


def _taken_back(a: Said, b: Said, share: float) -> bool:
    """Retracted or replaced, in so many words, with enough of it said again."""
    if share < _SOME and a.plain[-1] not in b.plain:
        return False  # too little is said again, which costs least to tell
    if share >= _MANY and _retracts(b) and not _retracts(a):
        return True
    if not _replaces(b) or _replaces(a):
        return False
    if a.folded.rstrip(" .") in b.folded:
        return False  # it is said again whole, and something is added
    # what it was is named: the last word of the standing statement is its value
    return share >= _SOME or (a.plain[-1] in b.plain and _retracts(b))


@lru_cache(maxsize=KEPT)
def _retracts(said: Said) -> bool:
    return said.has(known.RETRACTIONS)


@lru_cache(maxsize=KEPT)
def _replaces(said: Said) -> bool:
    return said.has(known.REPLACEMENTS)


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
    if not _SOME < share < 1.0:
        return False
    return not known.BUT.isdisjoint(b.tokens) and known.BUT.isdisjoint(a.tokens)


def _another_number(a: Said, b: Said) -> bool:
    """One sentence with another quantity in the same place."""
    if a.even != b.even:
        return False
    right = _template(b)
    if not right[1] or _begins(a) != _begins(b):
        return False
    left = _template(a)
    if left[0] != right[0] or left[1] == right[1]:
        return False
    differing = [n for n, (x, y) in enumerate(zip(left[1], right[1], strict=True)) if x != y]
    return len(differing) == 1 and _is_value(left[0], differing[0], left[1][differing[0]])


@lru_cache(maxsize=KEPT)
def _begins(said: Said) -> str:
    """What its template begins with."""
    return next((_NUMBER if _is_number(t) else t for t in said.tokens if t != ","), "")


def _is_number(piece: str) -> bool:
    return piece[0].isdecimal() and not any(c.isdigit() and not c.isdecimal() for c in piece)


@lru_cache(maxsize=KEPT)
def _template(said: Said) -> tuple[list[str], list[str]]:
    """The words with each number and its unit as one mark, and those numbers."""
    words: list[str] = []
    values: list[str] = []
    for piece in said.tokens:
        if _is_number(piece):
            words.append(_NUMBER)
            values.append(piece)
        elif words and words[-1] == _NUMBER and piece in known.UNITS:
            values[-1] += f" {piece}"
        elif words and words[-1] == "all" and piece.removesuffix("s") in known.TURNS:
            words.append(_NUMBER)
            values.append(f"1 {piece}")
        elif piece != ",":
            words.append(piece)
    return words, values


def _is_value(words: Sequence[str], which: int, value: str) -> bool:
    """Whether a number says how much, and is not the name of what is spoken of."""
    at = [n for n, word in enumerate(words) if word == _NUMBER][which]
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
    said_a, said_b = clauses(a)[0], clauses(b)[0]
    at_b = _copula(said_b)
    at_a = _copula(said_a) if at_b >= 0 else -1
    if at_a < 0 or {*said_a, *said_b} & known.NEGATIONS:
        return False
    subject_a, subject_b = said_a[:at_a], said_b[:at_b]
    if plain(subject_a) != plain(subject_b) or not _has_one(subject_a):
        return False
    value_a, value_b = (plain(one[at + 1 :]) for one, at in ((said_a, at_a), (said_b, at_b)))
    if not value_a or not value_b or set(value_a) & set(value_b):
        return False
    return len(value_a) <= _MAX_SPAN and not (
        _participle(said_a[at_a + 1 :]) or _participle(said_b[at_b + 1 :])
    )


def _another_day(a: Said, b: Said) -> bool:
    """It is on this day of the week, and it is on that one, in the same words."""
    if known.WEEKDAYS.isdisjoint(b.tokens):
        return False
    days = [[n for n, t in enumerate(said.tokens) if t in known.WEEKDAYS] for said in (a, b)]
    if len(days[0]) != 1 or days[0] != days[1] or a.even != b.even:
        return False
    at = days[0][0]
    if a.tokens[:at] != b.tokens[:at] or a.tokens[at + 1 :] != b.tokens[at + 1 :]:
        return False
    # what happens on a day may happen on another one as well; what is on it has its day
    is_at = _copula(a.tokens[:at])
    between = a.tokens[is_at + 1 : at]
    return is_at > 0 and a.tokens[at] != b.tokens[at] and not any(map(carries, between))


def _copula(tokens: Sequence[str]) -> int:
    if known.COPULAS.isdisjoint(tokens):
        return -1
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
    return any(t.endswith(("ed", "ing", "able", "ible")) for t in predicate if carries(t))
