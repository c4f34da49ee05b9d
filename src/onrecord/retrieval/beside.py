"""What was said around an item: a turn of a conversation is read in the light of its neighbours.

An answer often has none of the words of the question that it answers: the turn before has. So
in a conversation, where several parties take turns in one session, what stands next to an item
counts for it a little, and how well the whole session fits counts as well. Neighbours are read
when a question is asked and nowhere kept, so what is erased has left no trace in them. What a
single party keeps in its session are statements of their own: they are left as they are (light).
"""

from __future__ import annotations

from onrecord.retrieval.found import BODY, Read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.query import LexicalQuery
    from onrecord.domain.shelf import Shelf
    from onrecord.retrieval import fit

#: What is found so many turns away counts so much.
NEAR = (0.5, 0.3)
#: Turns further apart than this are no neighbours, microseconds.
GAP = 3_600 * 1_000_000
#: So many turns in sight, of two parties or more, are a conversation.
TURNS = 4
PARTIES = 2
#: So many turns that meaning brings up are read as those are that words bring up.
MEANT = 40


def read_beside(
    shelf: Shelf,
    read: Sequence[Read],
    probes: Sequence[fit.Probe],
    query: LexicalQuery,
    visible: Callable[[Candidate], bool] | None,
    *,
    by_day: bool = False,
) -> list[list[Read]]:
    """The conversations that candidates are turns of: each with the turns next to them, in order.

    Turns that are no candidates match too little by themselves to be among them.
    """
    said = [one for one in read if one.item.session]
    if not said:
        return []
    ids = [one.item.id for one in said]
    found = shelf.beside(ids, query.scopes, now=query.now, reach=len(NEAR), body_chars=BODY)
    rows: dict[str, list[Candidate]] = {}
    for item in (*[one.item for one in said], *found):
        if not visible or visible(item):
            rows.setdefault(item.session, []).append(item)
    # only the texts of conversations are read
    talks = [row for row in rows.values() if _is_conversation(row)]
    known = {one.item.id: one for one in said}
    return [
        [
            known.get(item.id) or Read(item, probes, by_name=True, by_day=by_day)
            for item in sorted(row, key=lambda item: item.id)
        ]
        for row in talks
    ]


def turns(
    near: Sequence[tuple[Candidate, float]],
    read: Sequence[Read],
    matching: Sequence[Candidate],
    probes: Sequence[fit.Probe],
    visible: Callable[[Candidate], bool] | None,
    dated: bool,
) -> list[Read]:
    """The nearest that were said in a session and are not among those that were read.

    What is also `matching` keeps what it matches.
    """
    known = {one.item.id for one in read}
    matched = {item.id: item for item in matching}
    said = [item for item, _ in near if item.session and (visible is None or visible(item))]
    return [
        Read(matched.get(item.id, item), probes, by_name=True, by_day=dated)
        for item in said[:MEANT]
        if item.id not in known
    ]


def in_talks(some: Sequence[Read], conversations: Sequence[Sequence[Read]]) -> list[Read]:
    """Those that are turns of a conversation."""
    said = {one.item.id for row in conversations for one in row}
    return [one for one in some if one.item.id in said]


def _is_conversation(row: Sequence[Candidate]) -> bool:
    return len(row) >= TURNS and len({(item.agent, item.user) for item in row}) >= PARTIES


def brought_up(
    conversations: Sequence[Sequence[Read]], candidates: set[str], kinds: Sequence[str] | None
) -> list[Read]:
    """The turns of the kinds asked for that come up by what stands next to them alone."""
    return [
        one
        for row in conversations
        for one in row
        if one.item.id not in candidates and (kinds is None or one.item.kind in kinds)
    ]


def light_up(
    conversations: Sequence[Sequence[Read]], candidates: set[str]
) -> list[tuple[Read, Read, int]]:
    """What one of two neighbours has counts for the other; the pairs, and how far apart each is.

    One of the two is a candidate: between others, turns may be missing.
    """
    pairs: list[tuple[Read, Read, int]] = []
    for row in conversations:
        for at, one in enumerate(row):
            one.talk = one.item.session
            for away, (part, other) in enumerate(zip(NEAR, row[at + 1 :], strict=False), 1):
                known = one.item.id in candidates or other.item.id in candidates
                if known and abs(one.item.recorded_at - other.item.recorded_at) <= GAP:
                    _give(one, other, part)
                    _give(other, one, part)
                    pairs.append((one, other, away))
    return pairs


def _give(one: Read, other: Read, part: float) -> None:
    given = [part * value for value in other.found]
    had = one.beside or given
    one.beside = [max(pair) for pair in zip(had, given, strict=True)]
