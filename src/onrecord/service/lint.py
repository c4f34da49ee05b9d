"""Lint: what a reader would want mended in the memories, each with its way out."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from datetime import tzinfo

from onrecord.capture import citations
from onrecord.capture.citation_tree import inside
from onrecord.domain import time
from onrecord.domain.item import Item
from onrecord.domain.scope import Place
from onrecord.policy import dates
from onrecord.service.contradictions import Opposed
from onrecord.service.duplicates import Pair

#: code -> what it means and what to do; `{id}` is the short id
CODES = {
    "title.vague": ("the title does not say what it is about", "onrecord edit {id}"),
    "title.long": ("the title is hard to take in", "onrecord edit {id}"),
    "body.long": ("the body is over 4 KB, so packs cut it", "onrecord edit {id}"),
    "date.relative": ("a relative date has no absolute one beside it", "onrecord edit {id}"),
    "duplicate.near": ("another memory says nearly the same", "onrecord dedupe"),
    "belief.stale": ("it is marked as out of date", "onrecord verify {id}, or archive {id}"),
    "belief.disputed": (
        "it is disputed and nobody settled that",
        "onrecord verify {id}, or reject {id}",
    ),
    "belief.opposed": ("another memory says otherwise, and nobody decided", "onrecord conflicts"),
    "use.never": ("it was never given to an agent nor opened", "onrecord archive {id}"),
    "time.expired": ("its time is over", "onrecord groom"),
    "time.ended": ("it was true until a day that is past", "onrecord archive {id}"),
    "citation.broken": (
        "a file that it cites is not as it says",
        "onrecord edit {id}, or verify {id} if it holds",
    ),
    "citation.unseen": (
        "a file or line that it cites is not here, and never was as far as is known",
        "onrecord edit {id}",
    ),
    "scope.twin": ("two scopes differ by case alone", "onrecord scopes merge OLD NEW"),
    "mirror.gone": (
        "a mirror is not there, and would keep what you forget",
        "onrecord mirror FOLDER once it is back; if never: onrecord mirror --drop FOLDER",
    ),
    "mirror.owed": ("a mirror may still hold what you forgot", "onrecord mirror FOLDER"),
}

#: What is told of a file that is not as it is cited.
BROKEN = "citation.broken"
#: What is told of one that is not there, unless it was seen when it was cited.
UNSEEN = "citation.unseen"

#: Words of a title that say what anything could be called.
_EMPTY = frozenset(
    "note notes fix fixes update updates todo important info misc stuff thing things remember"
    " memory this that it new a an the my our test of for about".split()
)
_LONG_TITLE = 120
_LONG_BODY = 4_096
_UNUSED = 60 * time.DAY


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing to mend."""

    code: str
    #: id of the item; empty for a finding about scopes
    item: str = ""
    #: what it is about beside the item: another id, names of scopes, a cited path
    about: str = ""


def findings(
    items: Iterable[Item], place: Place, *, now: int, zone: tzinfo | None
) -> Iterator[Finding]:
    """What is wrong with each active item by itself."""
    for item in items:
        for code in _of_words(item, zone):
            yield Finding(code=code, item=item.id)
        for code in _of_state(item, now):
            yield Finding(code=code, item=item.id)
        for path in _unseen(item, place):
            yield Finding(code=UNSEEN, item=item.id, about=path)


def _of_words(item: Item, zone: tzinfo | None) -> Iterator[str]:
    content = item.content
    words = [word.strip(".,:;!?()[]'\"`").casefold() for word in content.title.split()]
    if len([word for word in words if word and word not in _EMPTY]) < 2:  # noqa: PLR2004 - two
        yield "title.vague"
    if len(content.title) > _LONG_TITLE:
        yield "title.long"
    if len(content.body.encode()) > _LONG_BODY:
        yield "body.long"
    recorded = time.to_datetime(item.head.recorded_at)
    for text in (content.title, content.body):
        if not isinstance(dates.annotate(text, recorded, zone), dates.Unchanged):
            yield "date.relative"
            return


def _of_state(item: Item, now: int) -> Iterator[str]:
    if item.verification in ("stale", "disputed"):
        yield f"belief.{item.verification}"
    if item.expired(now):
        yield "time.expired"
    elif item.content.valid_to is not None and item.content.valid_to <= now:
        yield "time.ended"
    untouched = not (item.delivered or item.opened or item.helpful or item.pinned)
    if untouched and now - item.created_at > _UNUSED and item.kind not in ("rule", "reminder"):
        yield "use.never"


def _unseen(item: Item, place: Place) -> list[str]:
    """Files that it cites and that are not so, in the repository at hand only.

    A path outside of it, such as `/var/log/shop`, is nothing that a repository holds or lacks.
    """
    if not place.root or item.scope not in (place.repo, place.branch):
        return []
    found = citations.find(f"{item.content.title}\n{item.content.body}")
    broken = [
        "/".join(steps)
        for one in found
        if one.kind in ("file", "line")
        and (steps := inside(one.target, place.root))
        and not citations.holds(one, place.root).ok
    ]
    return list(dict.fromkeys(broken))


def of_opposed(pairs: Iterable[Opposed], shown: Container[str]) -> list[Finding]:
    """What speaks against something else, where both are among the items that are looked at."""
    return [
        Finding(code="belief.opposed", item=pair.new.id, about=pair.old.id)
        for pair in pairs
        if pair.new.id in shown and pair.old.id in shown
    ]


def of_pairs(pairs: Iterable[Pair]) -> list[Finding]:
    """Near-duplicates, each told of the one that would go."""
    return [
        Finding(code="duplicate.near", item=pair.other.id, about=pair.keep.id) for pair in pairs
    ]


def of_scopes(names: Iterable[str]) -> list[Finding]:
    """Scopes that are mostly one."""
    return [Finding(code="scope.twin", about=" ".join(same)) for same in twins(set(names))]


def twins(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Names of scopes that differ by case alone, which are mostly one thing."""
    alike: dict[str, list[str]] = {}
    for name in sorted(names):
        alike.setdefault(name.casefold(), []).append(name)
    return [tuple(same) for same in alike.values() if len(same) > 1]
