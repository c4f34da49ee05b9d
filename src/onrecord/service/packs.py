"""Packs: what an agent is given at a session's start, with a prompt, or when it asks (light).

Retrieval chooses and measures, policy fences; here both meet. What may be delivered at all is
`pack_lines`' to say.
"""

from __future__ import annotations

from onrecord.policy.fence import Entry, fence
from onrecord.policy.fence import render as render_entry
from onrecord.retrieval import pack as packing
from onrecord.retrieval.lines import (
    KNOWLEDGE,
    Line,
    line_of,
    short_names,
    shown_body,
)
from onrecord.service import pack_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.scope import Place
    from onrecord.domain.shelf import Shelf

#: Tokens of a pack at a session's start, and with a prompt.
BUDGET = 1_500
PROMPT_BUDGET = 600
#: Items with a prompt, at most.
PROMPT_ITEMS = 3
#: Tokens with a failure, and lessons, at most.
FAILURE_BUDGET = 600
FAILURE_ITEMS = 3
#: Items that a query adds to those of the place.
ANSWERS = 30


class Pack:
    """A pack, and the account of it."""

    __slots__ = (
        "budget",
        "handoff",
        "needed",
        "occasion",
        "shown",
        "text",
        "tokens",
        "withheld",
    )

    def __init__(self, occasion: str, budget: int) -> None:
        #: fenced text for the model; empty where there is nothing to say
        self.text = ""
        self.tokens = 0
        self.budget = budget
        #: where the budget is too small for anything: one that is not; else 0
        self.needed = 0
        #: (item, version, rank, score, parts of the score, tokens)
        self.shown: list[tuple[str, int, int, float, dict[str, float], int]] = []
        #: (item, why)
        self.withheld: list[tuple[str, str]] = []
        #: id of the handoff that is offered to this session, or empty
        self.handoff = ""
        #: session_start · prompt · tool_failure · context
        self.occasion = occasion


def nothing(made: Pack) -> str:
    """What to say of a pack without text: nothing is there, or it does not fit."""
    if not made.needed:
        return "Nothing is on record for this place."
    return f"A budget of {made.budget} tokens is too small: {made.needed} hold the first entry."


def session_pack(
    shelf: Shelf,
    place: Place,
    agent: str,
    now: int,
    budget: int,
    nonce: str,
    *,
    shown: Mapping[str, int],
    handoff: bool = True,
) -> Pack:
    """What a session is given at its start.

    `shown`: item -> version that it was given already. `handoff` off leaves all handoffs out.
    """
    lines, withheld, offered = pack_lines.standing_lines(
        shelf, place, agent, now, shown=shown, handoff=handoff, fits={}, more=[]
    )
    made = _made(lines, withheld, "session_start", budget=place.at_most(budget), nonce=nonce)
    made.handoff = offered if any(row[0] == offered for row in made.shown) else ""
    return made


def handoff_pack(
    shelf: Shelf,
    place: Place,
    agent: str,
    now: int,
    budget: int,
    nonce: str,
    *,
    shown: Mapping[str, int],
) -> Pack:
    """The handoff that is addressed to this agent by name, alone: for a resumed session."""
    lines, withheld = pack_lines.handoff_lines(shelf, place, agent, now, shown)
    mine = [line for line in lines if pack_lines.BY_NAME in line.marks][:1]
    made = _made(mine, withheld, "session_start", budget=place.at_most(budget), nonce=nonce)
    made.handoff = made.shown[0][0] if made.shown else ""
    return made


def prompt_pack(
    shelf: Shelf,
    place: Place,
    agent: str,
    prompt: str,
    now: int,
    budget: int,
    nonce: str,
    *,
    shown: Mapping[str, int],
) -> Pack:
    """What a prompt brings up and the session was not given yet: mostly nothing."""
    del agent  # what may be shown follows from the place; named for the others' likeness
    from onrecord.retrieval.recall import relevant_to_prompt  # noqa: PLC0415 - not at a start

    found = relevant_to_prompt(
        shelf,
        prompt,
        place.ladder(),
        now,
        PROMPT_ITEMS + len(shown),
        visible=lambda item: pack_lines.may_show(item, place),
    )
    allowed, withheld = pack_lines.allowed(shelf, found, place, shown)
    lines = pack_lines.due_lines(shelf, place, now, shown=shown, prompt=prompt)
    lines += _compared(shelf, allowed[:PROMPT_ITEMS], place)
    return _made(lines, withheld, "prompt", budget=place.at_most(budget), nonce=nonce)


def _compared(shelf: Shelf, items: Sequence[Candidate], place: Place) -> list[Line]:
    """The few that are given with a prompt, with what became of the files that they cite.

    Git is not asked here, so what cites a file that is not there stays as it is on record.
    """
    here = [item.id for item in items if item.repo and item.repo == place.repo]
    if not here or not place.root or not shelf.cited(here):
        return [line_of(item, KNOWLEDGE) for item in items]
    from onrecord.service.doubted import note_broken  # noqa: PLC0415 - mostly none

    doubts = note_broken(shelf, items, place, with_prompt=True)
    told = [(item, doubts.get(item.id)) for item in items]
    return [line_of(item, KNOWLEDGE, extra=(said,) if said else ()) for item, said in told]


def reads_as_failure(output: str) -> bool:
    """Whether what a command printed reads like a failure, where nobody says how it ended."""
    from onrecord.retrieval import failure  # noqa: PLC0415 - not at a start

    return failure.reads_as_failure(output)


def failure_pack(
    shelf: Shelf,
    place: Place,
    error: str,
    now: int,
    budget: int,
    nonce: str,
    *,
    shown: Mapping[str, int],
) -> Pack:
    """The lessons that name what failed and the session was not given yet: mostly none."""
    from onrecord.retrieval.failure import relevant_to_failure  # noqa: PLC0415 - only here

    found = relevant_to_failure(
        shelf,
        error,
        place.ladder(),
        now,
        FAILURE_ITEMS + len(shown),
        visible=lambda item: pack_lines.may_show(item, place),
    )
    allowed, withheld = pack_lines.allowed(shelf, found, place, shown)
    lines = _compared(shelf, allowed[:FAILURE_ITEMS], place)
    return _made(lines, withheld, "tool_failure", budget=place.at_most(budget), nonce=nonce)


def context_pack(
    shelf: Shelf,
    place: Place,
    agent: str,
    query: str,
    now: int,
    budget: int,
    nonce: str,
    *,
    shown: Mapping[str, int] | None = None,
) -> Pack:
    """What someone who asks is given; with a query, what answers it comes first in its group."""
    fits: dict[str, float] = {}
    more: list[Candidate] = []
    if query.strip():
        from onrecord.retrieval.recall import recall  # noqa: PLC0415 - not on a hook's path

        more = recall(
            shelf,
            query,
            place.ladder(),
            now,
            ANSWERS,
            visible=lambda item: pack_lines.may_show(item, place),
        ).hits
        fits = {item.id: item.score for item in more}
    lines, withheld, offered = pack_lines.standing_lines(
        shelf, place, agent, now, shown=shown or {}, handoff=True, fits=fits, more=more
    )
    made = _made(lines, withheld, "context", budget=place.at_most(budget), nonce=nonce)
    made.handoff = offered if any(row[0] == offered for row in made.shown) else ""
    return made


def _made(
    lines: Sequence[Line],
    withheld: list[tuple[str, str]],
    occasion: str,
    *,
    budget: int,
    nonce: str,
) -> Pack:
    """Lines, fenced and held to the budget, with the account of what was shown."""
    made = Pack(occasion, budget)
    single = _entries(lines)

    def whole(some: Sequence[Line], notes: Sequence[str]) -> str:
        return fence([single(line) for line in some], nonce, notes=notes)

    packed = packing.assemble(
        lines,
        withheld,
        budget=budget,
        render=whole,
        single=lambda line: render_entry(single(line), nonce),
    )
    made.text, made.tokens, made.withheld = packed.text, packed.tokens, packed.withheld
    made.needed = packed.needed
    made.shown = [
        (item.id, item.version, at, item.score, item.parts, tokens)
        for at, (item, tokens) in enumerate(
            ((line.item, line.tokens) for line in packed.lines if line.item is not None), 1
        )
    ]
    return made


def _entries(lines: Sequence[Line]) -> Callable[[Line], Entry]:
    """What makes an entry of a line, under a name that is its own in this pack."""
    names = short_names([line.item.id for line in lines if line.item is not None])
    sessions = short_names([line.session for line in lines if line.session])

    def entry(line: Line) -> Entry:
        item = line.item
        if item is None:
            name, meta = sessions[line.session], pack_lines.day(line.when)
        else:
            name = names[item.id]
            meta = f"{item.agent or item.user or 'unknown'}, {pack_lines.day(line.when)}"
            # what stands under a key is overwritten by its version
            meta += f", v{item.version}" if item.key else ""
        return Entry(
            id=name,
            kind=line.kind,
            scope=line.scope,
            title=line.title,
            body=shown_body(line, name),
            meta=meta,
            marks=line.marks,
        )

    return entry
