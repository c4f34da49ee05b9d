"""The lines of a pack: what an item is in one, and in which order they stand (light).

Rules · the handoff for this session · pinned · preferences · decisions, lessons, facts, notes
· tasks · other handoffs · recent sessions. Inside a group: what answers the query, then the
narrower scope, then belief, then how well it answers, then help and recency.
"""

from __future__ import annotations

from onrecord.domain.scope import rank as breadth
from onrecord.retrieval import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from onrecord.domain.candidate import Candidate

RULES, FOR_YOU, PINNED, PREFERENCES, KNOWLEDGE, TASKS, HANDOFFS, SESSIONS = range(8)

#: At most so many of these.
MOST = {TASKS: 5, HANDOFFS: 3, SESSIONS: 3}
#: Characters of a body that are shown, and more of it in some groups.
BODY = 700
BODIES = {RULES: 1_500, FOR_YOU: 2_400, PINNED: 1_200, SESSIONS: 800}

_KINDS = {
    "preference": PREFERENCES,
    "decision": KNOWLEDGE,
    "lesson": KNOWLEDGE,
    "fact": KNOWLEDGE,
    "note": KNOWLEDGE,
    "summary": KNOWLEDGE,
    "task": TASKS,
}
#: What a rule is called that no person wrote or approved: `rule` alone holds.
UNCONFIRMED_RULE = "unconfirmed rule"
#: Beliefs that a reader must know of, wherever an item is shown, and how they are shown.
MARKED = {name: (name,) for name in ("unverified", "disputed", "stale")}
_WITHIN = ("decision", "lesson", "fact", "note", "summary")
_BELIEFS = ("verified", "corroborated", "unverified", "stale", "disputed")


class Line:
    """One entry of a pack on its way into it."""

    __slots__ = (
        "answers",
        "body",
        "brief",
        "group",
        "item",
        "kind",
        "marks",
        "scope",
        "session",
        "title",
        "tokens",
        "when",
    )

    def __init__(
        self,
        group: int,
        title: str,
        *,
        item: Candidate | None = None,
        kind: str = "",
        scope: str = "",
        body: str = "",
        marks: tuple[str, ...] = (),
        when: int = 0,
        session: str = "",
    ) -> None:
        self.group = group
        self.title = title
        #: None for what is no item: a session that was observed
        self.item = item
        self.kind = kind
        self.scope = scope
        self.body = body
        self.marks = marks
        #: when it was recorded, UTC microseconds
        self.when = when
        #: id of the session that was observed, or empty
        self.session = session
        #: answers the query
        self.answers = False
        #: the title alone is shown
        self.brief = False
        self.tokens = 0


def group_of(item: Candidate) -> int | None:
    """The group of an item by what it is; None for what packs do not hold."""
    if item.kind == "rule":
        return RULES
    if item.kind in ("handoff", "reminder"):
        return None  # they come by a side table of their own, or when they are due
    return PINNED if item.pinned else _KINDS.get(item.kind, KNOWLEDGE)


def shown_kind(item: Candidate) -> str:
    """An item's kind as a reader may take it: `rule` is only what a person stands behind."""
    confirmed = item.kind != "rule" or item.belief == "verified" or not item.agent
    return item.kind if confirmed else UNCONFIRMED_RULE


def line_of(item: Candidate, group: int, *, extra: tuple[str, ...] = ()) -> Line:
    """An item as a line, with the marks that a reader must see."""
    pinned = ("pinned",) if item.pinned else ()
    return Line(
        group,
        item.title,
        item=item,
        kind=shown_kind(item),
        scope=item.scope,
        body=item.body,
        marks=(*extra, *MARKED.get(item.belief, ()), *pinned),
        when=item.recorded_at,
    )


def in_order(
    items: Sequence[Candidate], *, now: int, fits: Mapping[str, float]
) -> list[Candidate]:
    """Items in the order of a pack; `fits` holds how well some of them answer a query."""

    def place(item: Candidate) -> tuple[float, ...]:
        group = group_of(item)
        belief = _BELIEFS.index(item.belief) if item.belief in _BELIEFS else len(_BELIEFS)
        kind = _WITHIN.index(item.kind) if item.kind in _WITHIN else len(_WITHIN)
        return (
            SESSIONS if group is None else group,
            0 if not fits or item.id in fits else 1,
            breadth(item.scope),
            belief,
            -fits.get(item.id, 0.0),
            kind,
            -(rank.helped(item) + rank.recency(item, now)),
        )

    return sorted(sorted(items, key=lambda item: item.id, reverse=True), key=place)


def fold(items: Sequence[Candidate]) -> tuple[list[Candidate], list[tuple[str, str]]]:
    """Near-duplicates folded: what stays, and (item, why) of what does not."""
    kept, dropped = rank.diversify(items)
    return kept, [(item.id, f"{why}: {other.id} is shown") for item, other, why in dropped]


def cut_short(lines: Sequence[Line]) -> tuple[list[Line], list[tuple[str, str]]]:
    """At most so many lines of some groups; (item, why) of the rest."""
    kept: list[Line] = []
    dropped: list[tuple[str, str]] = []
    seen: dict[int, int] = {}
    for line in lines:
        seen[line.group] = seen.get(line.group, 0) + 1
        if seen[line.group] <= MOST.get(line.group, len(lines)):
            kept.append(line)
        elif line.item is not None:
            dropped.append((line.item.id, f"more than {MOST[line.group]} of its kind"))
    return kept, dropped


def shown_body(line: Line, name: str) -> str:
    """A body as the pack shows it: cut, with how much is missing and how to get it."""
    if line.brief:
        return ""
    limit = BODIES.get(line.group, BODY)
    whole = len(line.body) if line.item is None else line.item.body_chars
    if whole <= limit and len(line.body) == whole:
        return line.body
    shown = line.body[:limit]
    at = max(shown.rfind("\n"), shown.rfind(" "))
    if at > limit * 2 // 3:
        shown = shown[:at]
    shown = shown.rstrip()
    if line.item is None:
        return shown + " …"
    missing = whole - len(shown)
    return f"{shown}\n[{missing} of {whole} characters not shown: `onrecord show {name}`]"


def short_names(ids: Sequence[str]) -> dict[str, str]:
    """The last characters of each id, six or as many more as tell them apart."""
    length = 6
    while len({name[-length:] for name in ids}) < len(set(ids)):
        length += 1
    return {name: name[-length:] for name in ids}
