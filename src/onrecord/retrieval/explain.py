"""Why an item was found, in words for people (light)."""

from __future__ import annotations

from onrecord.domain.scope import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.retrieval.found import Read, Recalled

_BELIEFS = {
    "verified": "verified by a person",
    "corroborated": "seen in several sessions",
    "disputed": "disputed: check before relying on it",
    "stale": "stale: what it cites has changed",
}
_MANY = 3


def explain(recalled: Recalled, chosen: Sequence[Read]) -> None:
    """Set the reasons of every hit."""
    by_id = {one.item.id: one for one in chosen}
    for item in recalled.hits:
        item.reasons = [
            *_matches(recalled, by_id[item.id]),
            *_standing(item),
            *_instead_of(recalled, item),
        ]


def _matches(recalled: Recalled, one: Read) -> list[str]:
    units = list(zip(recalled.units, one.found, one.titled, strict=True))
    have = [unit.whole for unit, found, _ in units if found]
    titled = [unit.whole for unit, _, there in units if there]
    reasons: list[str] = []
    if have:
        reasons.append(f"matches {len(have)} of {len(units)}: {_listed(have)}")
    near = {name: own for name, (own, _) in recalled.near.items()}
    if near.get(one.item.id, 0.0) > max(near.values(), default=0.0) / 2:
        reasons.append("near in meaning")
    if one.quoted:
        reasons.append("has the words in that row")
    if one.context > 0:
        reasons.append("said next to what matches")
    if titled:
        reasons.append(f"in the title: {_listed(titled)}")
    reasons += [
        f"`{typed}` taken for `{meant}`"
        for typed, meant in recalled.corrected.items()
        if any(unit.whole == typed and found for unit, found, _ in units)
    ]
    return reasons


def _standing(item: Candidate) -> list[str]:
    reasons = [f"{kind_of(item.scope)} scope"]
    if item.belief in _BELIEFS:
        reasons.append(_BELIEFS[item.belief])
    if item.pinned:
        reasons.append("pinned")
    if item.helpful:
        reasons.append(f"helpful {item.helpful} times")
    return reasons


def _instead_of(recalled: Recalled, item: Candidate) -> list[str]:
    return [
        f"{why}: stands for the one in {kind_of(dropped.scope)} scope"
        for dropped, kept, why in recalled.folded
        if kept is item
    ]


def _listed(words: Sequence[str]) -> str:
    shown = ", ".join(words[:_MANY])
    return shown if len(words) <= _MANY else f"{shown} and {len(words) - _MANY} more"
