"""Whether two statements say the same: all the words that carry it, in an order that fits."""

from __future__ import annotations

from itertools import pairwise

from onrecord.policy import contrast_words as known
from onrecord.policy.said import Said, carries, form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_FEWEST = 2
#: Words from on which it is no chance that two statements have the same ones.
_FEWEST_ALIKE = 4
_MAX_BLOCK = 5


def says_the_same(a: Said, b: Said) -> bool:
    """Every word that carries the claim, as often; another order only where voice explains it."""
    if len(a.content) < _FEWEST or sorted(_ordered(a)) != sorted(_ordered(b)):
        return False
    if a.exact != b.exact:
        return False
    by_a, by_b = (any(t in known.BY for t in one.tokens) for one in (a, b))
    if a.content == b.content:
        # A calls B and A is called by B have their words in one order
        return by_a == by_b and _same_relations(a, b)
    if (by_a != by_b or _voiced(a, b) or _voiced(b, a)) and _anchors(a) == _anchors(b):
        return True
    if _forbids(a, b) or _forbids(b, a):
        return True
    return _moved_block(a, b) or _compounded(a, b) or _listed(a, b)


def resembles(a: Said, b: Said) -> bool:
    """The same words in the same order, whatever small ones stand between; one may come twice."""
    left, right = list(dict.fromkeys(a.content)), list(dict.fromkeys(b.content))
    return (
        left == right
        and len(left) >= _FEWEST_ALIKE
        and abs(len(a.content) - len(b.content)) <= 1
        and a.exact == b.exact
        and a.content.count("not") == b.content.count("not")
    )


def _ordered(said: Said) -> list[str]:
    """What carries the claim; a ban says `must` in one form and not in the other."""
    found = list(said.content)
    if _bans(said):
        found.remove("must")
    return found


def _bans(said: Said) -> bool:
    """Whether something must not be; what need not be is another thing."""
    return any(pair == ("must", "not") for pair in pairwise(said.content))


def _forbids(order: Said, rule: Said) -> bool:
    """Do not do X, and X must not be done."""
    starts = next((t for t in order.tokens if t not in {"please", "do"}), "")
    passive = {"be", "been"} & set(rule.tokens)
    bans = starts in known.NEGATIONS and bool(passive) and _bans(rule) and not _bans(order)
    return bans and _anchors(order) == _anchors(rule)


def _voiced(a: Said, b: Said) -> bool:
    """An unnamed somebody does it in one, and in the other it is done."""
    return _has_nobody(a) and not _has_nobody(b)


def _has_nobody(said: Said) -> bool:
    # French `on` is the subject, English `on` never begins a statement of who does what
    return any(t in known.NOBODY and (t != "on" or not at) for at, t in enumerate(said.tokens))


def _anchors(said: Said) -> list[tuple[str, str]]:
    """Each word of place or direction with the word that it leads to."""
    found: list[tuple[str, str]] = []
    for at, piece in enumerate(said.tokens):
        if piece in known.STARTERS and piece not in known.BY and piece not in known.COMPOUNDING:
            led = next((form(t) for t in said.tokens[at + 1 :] if carries(t)), "")
            found.append((piece, led))
    return sorted(found)


_RELATIONS = frozenset("from to before after over under above below into onto without".split())


def _same_relations(a: Said, b: Said) -> bool:
    return [t for t in a.tokens if t in _RELATIONS] == [t for t in b.tokens if t in _RELATIONS]


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
    bans = "not" in left[0][:lead]
    if bans and not all(any(t in known.AND for t in one.tokens) for one in (a, b)):
        return False  # `never X, Y` has no list: it asks for Y
    # what a ban says again after its verb (`and use Y`) is not banned
    for back in range(1 if bans else min(lead, 2) + 1):
        one, other = (_cut(parts, lead - back, tail) for parts in (left, right))
        if all(one) and sorted(one) == sorted(other):
            return True
    return False


def _elements(said: Said) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for piece in said.tokens:
        if piece == "," or piece in known.AND:
            found.append([])
        elif carries(piece):
            found[-1].append(form(piece))
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
    there = _blocks(b)
    for one in _blocks(a):
        if one not in there:
            continue
        moved = [form(one[0]), *one[1:]] if carries(one[0]) else list(one[1:])
        rest_a, rest_b = _without(a, moved), _without(b, moved)
        if rest_a == rest_b:
            return True
        first_a, first_b = (said.content[: len(moved)] == moved for said in (a, b))
        if first_a != first_b and _inverted(rest_a, rest_b, verb_first=first_a):
            return True
    return False


def _inverted(a: Sequence[str], b: Sequence[str], *, verb_first: bool) -> bool:
    """After a phrase at the start many languages put the verb before its subject."""
    turned, plain = (a, b) if verb_first else (b, a)
    verb, rest = turned[0] if turned else "", list(turned[1:])
    return any([*plain[:n], *plain[n + 1 :]] == rest for n, w in enumerate(plain) if w == verb)


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
            if carries(after):
                words.append(form(after))
                found.append(tuple(words))
    return found


def _without(said: Said, block: Sequence[str]) -> list[str]:
    content = said.content
    for at in range(len(content) - len(block) + 1):
        if content[at : at + len(block)] == list(block):
            return content[:at] + content[at + len(block) :]
    return [*content, "?"]
