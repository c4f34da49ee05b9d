"""Fitting a pack's lines into its budget (light).

How lines become text is the caller's: `render` is given, and its whole result is held to the
budget of tokens and to a length that clients take.
"""

from __future__ import annotations

from onrecord.retrieval.lines import BODIES, BODY, FOR_YOU, PINNED, RULES, SESSIONS, Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    Render: TypeAlias = Callable[[Sequence[Line], Sequence[str]], str]
    Single: TypeAlias = Callable[[Line], str]

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


class Packed:
    """What became of the lines."""

    __slots__ = ("lines", "needed", "text", "tokens", "withheld")

    def __init__(self, withheld: list[tuple[str, str]]) -> None:
        self.text = ""
        self.tokens = 0
        #: where nothing fits: a budget that holds something; else 0
        self.needed = 0
        #: in the order shown
        self.lines: list[Line] = []
        #: (item, why)
        self.withheld = withheld


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
    taken: list[Line] = []
    for line in sorted(lines, key=_claim):
        if misses >= _MISSES:
            break
        if room.take(line, single):
            taken.append(line)
            misses = 0
        else:
            misses += 1
    _settle(packed, lines, taken, budget, render, room.seen)
    return packed


def _claim(line: Line) -> int:
    """Who is given room first: what the user pinned comes before what an agent left."""
    pinned = line.item is not None and line.item.pinned
    return (
        FOR_YOU
        if pinned and line.group in (FOR_YOU, PINNED)
        else line.group + (line.group >= FOR_YOU)
    )


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
    packed: Packed,
    lines: Sequence[Line],
    taken: list[Line],
    budget: int,
    render: Render,
    seen: dict[str, int],
) -> None:
    """Render what was taken; drop what was taken last until the text is inside its limits."""
    from onrecord.retrieval.tokens import count  # noqa: PLC0415 - as above

    while taken:
        inside = {id(line) for line in taken}
        packed.lines = [line for line in lines if id(line) in inside]
        left_out = len(lines) - len(taken)
        brief = any(line.brief and line.body for line in taken)
        packed.text = render(packed.lines, _notes(left_out, brief=brief))
        packed.tokens = count(packed.text, seen)
        if packed.tokens <= budget and _size(packed.text) <= MAX_BYTES:
            break
        taken.pop()
    else:
        packed.lines, packed.text, packed.tokens = [], "", 0
        packed.needed = max(_least(lines, render, seen), budget + 1)
    inside = {id(line) for line in packed.lines}
    packed.withheld += [
        (line.item.id, "over budget")
        for line in lines
        if line.item is not None and id(line) not in inside
    ]


def _least(lines: Sequence[Line], render: Render, seen: dict[str, int]) -> int:
    """Tokens that hold the first line by its title."""
    from onrecord.retrieval.tokens import count  # noqa: PLC0415 - as above

    first = min(lines, key=_claim)
    first.brief = True
    return count(render([first], _notes(len(lines), brief=True)), seen) + 1


def _notes(left_out: int, *, brief: bool) -> list[str]:
    notes: list[str] = []
    if brief:
        notes.append("Entries without text are titles only: `get` the id, or `onrecord show` it.")
    if left_out:
        notes.append(f"{left_out} more not shown: `recall`, or `onrecord recall`.")
    return notes
