"""The order of what was found: one score of named parts, and near-duplicates folded (light)."""

from __future__ import annotations

from onrecord.domain.scope import rank as breadth
from onrecord.retrieval.words import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.domain.candidate import Candidate

#: What each part of a score counts at most. A part is 0 to 1, or down to -1 for belief.
WEIGHTS = {
    "lexical": 0.25,
    "fit": 0.55,
    "title": 0.10,
    "scope": 0.06,
    "belief": 0.20,
    "pin": 0.03,
    "kind": 0.02,
    "recency": 0.03,
    "use": 0.02,
}
#: How well the session of a turn fits counts so much of what a full match does; it is worth its
#: best turn and so much of each of the next ones.
SESSION = 0.5
SESSION_REST = 0.3
SESSION_NEXT = 3
#: A question that names somebody asks for what they said.
AUTHOR = 0.08
#: A turn of more than the usual characters says more, up to MUCH: its match counts so much more
#: for every USUAL characters.
SAID = 0.05
USUAL = 120
MUCH = 400
#: `recency` counts this much where the query asks for what is newest.
LATEST_RECENCY = 0.20

#: Where a belief stands between -1 and 1; what is in doubt is pushed down, not hidden.
BELIEF = {
    "verified": 0.20,
    "corroborated": 0.10,
    "unverified": 0.0,
    "stale": -0.50,
    "disputed": -0.75,
}
KIND = {
    "rule": 1.0,
    "decision": 0.8,
    "lesson": 0.8,
    "preference": 0.7,
    "fact": 0.7,
    "task": 0.4,
    "handoff": 0.4,
    "reminder": 0.4,
    "note": 0.3,
    "summary": 0.2,
}
#: After this time half of the recency is gone.
HALF_LIFE = 90 * 86_400 * 1_000_000
#: Marked helpful or delivered this often, `use` is full.
_FULL_USE = 20
_BROADEST = 8


def score(
    item: Candidate, *, fit: float, title: float, best: float, now: int, latest: bool = False
) -> float:
    """Set and return the score of a candidate; `parts` holds what each part added to it.

    `fit` and `title` are shares of the query found in the whole text and in the title; `best`
    is the largest engine score among the candidates, so that no engine's scale matters.
    """
    values = {
        "lexical": item.lexical / best if best > 0 else 0.0,
        "fit": fit,
        "title": title,
        "scope": 1 - breadth(item.scope) / _BROADEST,
        "belief": BELIEF.get(item.belief, 0.0),
        "pin": 1.0 if item.pinned else 0.0,
        "kind": KIND.get(item.kind, 0.0),
        "recency": recency(item, now),
        "use": use(item),
    }
    item.parts = {name: WEIGHTS[name] * value for name, value in values.items()}
    if latest:
        item.parts["recency"] = LATEST_RECENCY * values["recency"]
    item.score = sum(item.parts.values())
    return item.score


def put_in_context(turns: Sequence[tuple[Candidate, float, str, bool]]) -> None:
    """Add to the scores what was said around each (0 to 1), and how well its session fits.

    Each comes with the conversation that it is a turn of, and whether the query names who said
    it; what is no turn stands for itself.
    """
    match = WEIGHTS["lexical"] + WEIGHTS["fit"]
    own = [item.parts["lexical"] + item.parts["fit"] for item, *_ in turns]
    sessions: dict[str, list[float]] = {}
    for (_, _, talk, _), worth in zip(turns, own, strict=True):
        if talk:
            sessions.setdefault(talk, []).append(worth)
    fitting = {talk: _of_session(worth) for talk, worth in sessions.items()}
    best = max((*own, *fitting.values()))
    for (item, context, talk, named), worth in zip(turns, own, strict=True):
        item.parts["context"] = match * context
        item.parts["author"] = AUTHOR if named else 0.0
        item.parts["said"] = SAID * worth * (min(_chars(item), MUCH) - USUAL) / USUAL
        item.parts["session"] = SESSION * match * (fitting.get(talk, worth) / best if best else 0)
        item.score = sum(item.parts.values())


def _chars(item: Candidate) -> int:
    return len(item.title) + item.body_chars


def _of_session(worth: list[float]) -> float:
    """Its best turn, and a part of each of the next ones."""
    first, *others = sorted(worth, reverse=True)
    return first + SESSION_REST * sum(others[:SESSION_NEXT])


def recency(item: Candidate, now: int) -> float:
    """1 for what was recorded (or became true) just now, half of it after `HALF_LIFE`."""
    at = item.recorded_at
    if item.valid_from is not None and item.valid_from <= now:
        at = max(at, item.valid_from)
    return float(0.5 ** (max(now - at, 0) / HALF_LIFE))


def use(item: Candidate) -> float:
    """How much the item was of use: helpful counts in full, a delivery a little."""
    return float(min(1.0, (item.helpful + item.delivered / 10) / _FULL_USE))


def helped(item: Candidate) -> float:
    """Use without deliveries: what packs show must not keep its place by having been shown."""
    return float(min(1.0, item.helpful / _FULL_USE))


def in_order(items: Sequence[Candidate]) -> list[Candidate]:
    """By score, best first; equal ones newest first, so that the order never wavers."""
    return sorted(sorted(items, key=lambda item: item.id, reverse=True), key=lambda i: -i.score)


def diversify(
    items: Sequence[Candidate],
) -> tuple[list[Candidate], list[tuple[Candidate, Candidate, str]]]:
    """Fold what says the same: what stays, in the order given, and (dropped, kept, why).

    Two items are one where they share a key, or a title and either live in different scopes or
    say nothing different below it. The narrower scope stays and takes the better place; but
    nothing stands for a rule, and no title alone lets an unverified item stand for a verified
    one.
    """
    kept: list[Candidate] = []
    dropped: list[tuple[Candidate, Candidate, str]] = []
    places: dict[str, int] = {}
    for item in items:
        names = _names(item)
        at, why = _twin(item, names, places, kept)
        if at < 0:
            places |= {name: len(kept) for name in names if name not in places}
            kept.append(item)
            continue
        other = kept[at]
        if breadth(item.scope) < breadth(other.scope):
            item.score = max(item.score, other.score)
            kept[at], other, item = item, item, other  # noqa: PLW2901 - they change places
        dropped.append((item, other, why))
    return kept, dropped


def _names(item: Candidate) -> list[str]:
    names = ["title:" + " ".join(fold(item.title).split())]
    return ["key:" + item.key, *names] if item.key else names


def _twin(
    item: Candidate, names: list[str], places: dict[str, int], kept: list[Candidate]
) -> tuple[int, str]:
    """Where an item that says the same stands, and why it counts as the same; or -1."""
    for name in names:
        at = places.get(name, -1)
        if at < 0:
            continue
        other = kept[at]
        if (item.kind == "rule") != (other.kind == "rule"):
            continue
        if name.startswith("key:"):
            # what nobody verified displaces nothing that somebody did
            near = min(item, other, key=lambda one: breadth(one.scope))
            if near.belief != "verified" and "verified" in (item.belief, other.belief):
                continue
            return at, "same key in a narrower scope" if item.scope != other.scope else "same key"
        if (item.belief == "verified") != (other.belief == "verified"):
            continue
        if item.scope != other.scope:
            return at, "same title in a narrower scope"
        if _says_no_more(item, other):
            return at, "same text"
    return -1, ""


def _says_no_more(item: Candidate, other: Candidate) -> bool:
    left, right = (" ".join(fold(one.body).split()) for one in (item, other))
    return left in right or right in left
