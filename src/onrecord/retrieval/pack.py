"""Assembling a pack: what goes in, in which order, and what a budget leaves out (light).

Rules · the handoff for this session · pinned · preferences · decisions, lessons, facts, notes
· tasks · other handoffs · recent sessions. Inside a group: what answers the query, then the
narrower scope, then belief, then how well it answers, then use and recency. How lines become
text is the caller's: `render` is given, and its whole result is held to the budget.
"""

from __future__ import annotations

from onrecord.domain.scope import rank as breadth
from onrecord.retrieval import rank
from onrecord.retrieval.explain import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from onrecord.domain.candidate import Candidate

    Render: TypeAlias = Callable[[Sequence["Line"], Sequence[str]], str]
    Single: TypeAlias = Callable[["Line"], str]

RULES, FOR_YOU, PINNED, PREFERENCES, KNOWLEDGE, TASKS, HANDOFFS, SESSIONS = range(8)

#: At most so many of these.
MOST = {TASKS: 5, HANDOFFS: 3, SESSIONS: 3}
#: Characters of a body that are shown, by group; the handoff for this session is read whole.
BODY = 700
BODIES = {RULES: 1_500, FOR_YOU: 2_400, PINNED: 1_200, SESSIONS: 600}
#: Groups that keep their bodies where there is more than the budget holds, and how many of the
#: others do: those that answer the query, then the newest. The rest have a line each. What is
#: pinned keeps its body unless a query is answered by something else.
KEPT_WHOLE = (RULES, FOR_YOU, PINNED)
OTHERS_WHOLE = 4
#: A pack is never longer than this, in bytes of UTF-8, whatever its tokens.
MAX_BYTES = 9_500
#: After so many lines in a row that do not fit, the rest is not tried.
_MISSES = 4
#: Where there is too much, the last part of the budget goes to titles.
_TITLES = 3
#: Characters of a token, about, over a whole pack: to see early that not all will fit.
_CHARS = 3

_KINDS = {
    "preference": PREFERENCES,
    "decision": KNOWLEDGE,
    "lesson": KNOWLEDGE,
    "fact": KNOWLEDGE,
    "note": KNOWLEDGE,
    "summary": KNOWLEDGE,
    "task": TASKS,
}
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
        #: answers the query
        self.answers = False
        #: the title alone is shown
        self.brief = False
        self.tokens = 0


class Packed:
    """What became of the lines."""

    __slots__ = ("lines", "text", "tokens", "withheld")

    def __init__(self, withheld: list[tuple[str, str]]) -> None:
        self.text = ""
        self.tokens = 0
        #: in the order shown
        self.lines: list[Line] = []
        #: (item, why)
        self.withheld = withheld


def group_of(item: Candidate) -> int | None:
    """The group of an item by what it is; None for what packs do not hold."""
    if item.kind == "rule":
        return RULES
    if item.kind in ("handoff", "reminder"):
        return None  # they come by a side table of their own, or when they are due
    return PINNED if item.pinned else _KINDS.get(item.kind, KNOWLEDGE)


def line_of(item: Candidate, group: int, *, extra: tuple[str, ...] = ()) -> Line:
    """An item as a line, with the marks that a reader must see."""
    pinned = ("pinned",) if item.pinned else ()
    return Line(
        group,
        item.title,
        item=item,
        kind=item.kind,
        scope=item.scope,
        body=item.body,
        marks=(*extra, *marks(item), *pinned),
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
            -(rank.use(item) + rank.recency(item, now)),
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


def assemble(
    lines: Sequence[Line],
    withheld: list[tuple[str, str]],
    *,
    budget: int,
    render: Render,
    single: Single,
) -> Packed:
    """The text of as many lines as the budget holds, in their order; it is never exceeded.

    `render` makes the whole text of lines and closing notes, `single` the text of one line, to
    count it beforehand. Where not everything fits, what is not among the first groups or the
    newest is shown by its title. No line at all: no text.
    """
    packed = Packed(withheld)
    if not lines:
        return packed
    room = _Room(budget, render((), _notes(len(lines), brief=True)))
    if _shorten(lines, budget):
        room.keep_for_titles()
    misses = 0
    for line in lines:
        if misses >= _MISSES:
            break
        if room.take(line, single):
            packed.lines.append(line)
            misses = 0
        else:
            misses += 1
    _settle(packed, lines, budget, render, room.seen)
    return packed


class _Room:
    """What is left of a pack's tokens and bytes."""

    __slots__ = ("_bytes", "_kept_bytes", "_kept_tokens", "_tokens", "seen")

    def __init__(self, budget: int, frame: str) -> None:
        from onrecord.retrieval.tokens import count  # noqa: PLC0415 - only where there are lines

        #: what lines of text cost
        self.seen: dict[str, int] = {}
        self._tokens = budget - count(frame, self.seen)
        self._bytes = MAX_BYTES - _size(frame)
        self._kept_tokens = self._kept_bytes = 0

    def keep_for_titles(self) -> None:
        """Leave the last part to lines that show their title alone."""
        self._kept_tokens, self._kept_bytes = self._tokens // _TITLES, self._bytes // _TITLES

    def take(self, line: Line, single: Single) -> bool:
        """Whether the line fits, by its title alone if not whole; then its room is taken."""
        if not line.brief and self._fits(line, single, self._kept_tokens, self._kept_bytes):
            return True
        if line.body or line.brief:
            line.brief = True
        return self._fits(line, single, 0, 0)

    def _fits(self, line: Line, single: Single, kept_tokens: int, kept_bytes: int) -> bool:
        from onrecord.retrieval.tokens import count  # noqa: PLC0415 - as above

        text = single(line)
        tokens, size = count(text, self.seen) + 1, _size(text) + 1
        if tokens > self._tokens - kept_tokens or size > self._bytes - kept_bytes:
            return False
        self._tokens -= tokens
        self._bytes -= size
        line.tokens = tokens
        return True


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _shorten(lines: Sequence[Line], budget: int) -> bool:
    """Whether there is more than would fit; then most lines are marked to be titles only."""
    size = sum(
        len(line.title) + min(len(line.body), BODIES.get(line.group, BODY)) for line in lines
    )
    if size <= min(budget * _CHARS, MAX_BYTES):
        return False
    asked = any(line.answers for line in lines)
    kept = KEPT_WHOLE[:-1] if asked else KEPT_WHOLE
    others = [line for line in lines if line.group not in (*kept, SESSIONS)]
    others.sort(key=lambda line: (not line.answers, -line.when))
    for line in others[OTHERS_WHOLE:]:
        line.brief = True
    return True


def _settle(
    packed: Packed, lines: Sequence[Line], budget: int, render: Render, seen: dict[str, int]
) -> None:
    """Render, and drop lines from the end until the whole text is inside its limits."""
    from onrecord.retrieval.tokens import count  # noqa: PLC0415 - as above

    while packed.lines:
        left_out = len(lines) - len(packed.lines)
        brief = any(line.brief and line.body for line in packed.lines)
        packed.text = render(packed.lines, _notes(left_out, brief=brief))
        packed.tokens = count(packed.text, seen)
        if packed.tokens <= budget and _size(packed.text) <= MAX_BYTES:
            break
        packed.lines.pop()
    else:
        packed.text, packed.tokens = "", 0
    inside = {id(line) for line in packed.lines}
    packed.withheld += [
        (line.item.id, "over budget")
        for line in lines
        if line.item is not None and id(line) not in inside
    ]


def _notes(left_out: int, *, brief: bool) -> list[str]:
    notes: list[str] = []
    if brief:
        notes.append("Entries without text are titles only: `get` the id, or `onrecord show` it.")
    if left_out:
        notes.append(f"{left_out} more not shown: `recall`, or `onrecord recall`.")
    return notes
