"""Items of one scope that say nearly the same, found by their keyed sketches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from onrecord.domain.item import Item
from onrecord.policy import contrast, sketch

#: Share of features that two texts have in common from which on they are shown as one pair.
ALIKE = 0.7
#: A feature of more items than this tells nothing, and is no reason to compare two.
_COMMON = 40
#: Features that two texts share before they are compared.
_SHARED = 3

Step = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two active items that say nearly the same."""

    #: the one that should stay: pinned, verified, used more, said first
    keep: Item
    other: Item
    #: share of features in common, 0 to 1
    alike: float


def pairs(key: bytes, items: Iterable[Item], step: Step) -> list[Pair]:
    """Near-duplicates, the most alike first; each item is the `other` of one pair at most."""
    rows = [(item, sketch.sketch(key, _text(item))) for item in items]
    by_feature: dict[tuple[str, int], list[int]] = {}
    for at, (item, packed) in enumerate(rows):
        for feature in sketch.unpack_sketch(packed)[1]:
            by_feature.setdefault((item.scope, feature), []).append(at)
    shared: dict[tuple[int, int], int] = {}
    for done, found in enumerate(by_feature.values()):
        if done % 1_000 == 0:
            step(done, len(by_feature))
        if len(found) > _COMMON:
            continue
        for at, left in enumerate(found):
            for right in found[at + 1 :]:
                shared[left, right] = shared.get((left, right), 0) + 1
    return _best(rows, [both for both, n in shared.items() if n >= _SHARED])


def _best(rows: list[tuple[Item, bytes]], close: list[tuple[int, int]]) -> list[Pair]:
    found: list[Pair] = []
    for left, right in close:
        alike = sketch.similarity(rows[left][1], rows[right][1])
        if alike < ALIKE or rows[left][0].kind != rows[right][0].kind:
            continue
        if contrast.opposed(*(_text(rows[at][0]) for at in (left, right))):
            continue
        keep, other = sorted((rows[left][0], rows[right][0]), key=_worth)
        if not other.pinned:
            found.append(Pair(keep=keep, other=other, alike=alike))
    found.sort(key=lambda pair: (-pair.alike, pair.keep.id))
    gone: set[str] = set()
    kept: list[Pair] = []
    for pair in found:
        if pair.other.id not in gone and pair.keep.id not in gone:
            gone.add(pair.other.id)
            kept.append(pair)
    return kept


def _text(item: Item) -> str:
    return f"{item.content.title}\n{item.content.body}"


def _worth(item: Item) -> tuple[bool, bool, int, str]:
    used = item.opened + item.delivered + 3 * item.helpful
    return (not item.pinned, item.verification != "verified", -used, item.id)
