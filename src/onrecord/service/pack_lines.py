"""Where the lines of a pack come from, and what may not be delivered (light).

What is shown is active and inside the place's scopes. Text from outside the user's own words
is shown only once a person has reviewed it; an agent's own notes only where it took them. What
was observed (sessions, what they changed) is shown always.
"""

from __future__ import annotations

import time

from onrecord.domain import ulid
from onrecord.domain.limits import FILE_KEY
from onrecord.retrieval import rank
from onrecord.retrieval.lines import (
    FOR_YOU,
    HANDOFFS,
    MOST,
    SESSIONS,
    Line,
    cut_short,
    fold,
    group_of,
    in_order,
    line_of,
)
from onrecord.service.notes import noted_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.scope import Place
    from onrecord.domain.shelf import Shelf

    #: (item, from agent, to agent, branch, HEAD then)
    _Row = tuple[Candidate, str, str, str, str]

#: Marks a handoff that is addressed to the reader by name.
BY_NAME = "for you"
#: Items of the place that are looked at, pinned and newest first.
POOL = 80
#: Characters of a body that are read.
_BODY = 1_500
_HANDOFFS = 6
#: Reminders that are looked at.
_REMINDERS = 20
#: Commits of a session that are told, and characters of one.
_COMMITS = 4
_COMMIT = 84


def standing_lines(
    shelf: Shelf,
    place: Place,
    agent: str,
    now: int,
    *,
    shown: Mapping[str, int],
    handoff: bool,
    fits: Mapping[str, float],
    more: Sequence[Candidate],
) -> tuple[list[Line], list[tuple[str, str]], str]:
    """The lines of a standing pack, what is withheld and why, the handoff on offer."""
    found = shelf.standing(place.ladder(), now=now, body_chars=_BODY, limit=POOL)
    have = {item.id for item in more}
    items = [*more, *(item for item in found if item.id not in have)]
    free, withheld = allowed(shelf, items, place, shown)
    from onrecord.service.doubted import note_broken  # noqa: PLC0415 - not with a prompt

    doubts = note_broken(shelf, free, place)
    kept, folded = fold(in_order(free, now=now, fits=fits))
    lines = due_lines(shelf, place, now, shown=shown)
    lines += [_knowledge(item, doubts) for item in kept]
    withheld += folded
    offered = ""
    handoffs: list[Line] = []
    if handoff:
        handoffs, held = handoff_lines(shelf, place, agent, now, shown)
        lines += handoffs
        withheld += held
        offered = next(
            (line.item.id for line in handoffs if line.group == FOR_YOU and line.item),
            "",
        )
    told = {line.item.session for line in handoffs if line.item is not None}
    lines += _session_lines(shelf, place, now, but=told)
    lines.sort(key=lambda line: line.group)
    lines, crowded = cut_short(lines)
    withheld += crowded
    for line in lines:
        if line.item is not None:
            line.answers = line.item.id in fits
            if not line.answers:
                rank.score(line.item, fit=0.0, title=0.0, best=0.0, now=now)
    return lines, withheld, offered


def _knowledge(item: Candidate, doubts: Mapping[str, str]) -> Line:
    """An item as a line, with what became of what it cites."""
    said = doubts.get(item.id)
    return line_of(item, group_of(item) or 0, extra=(said,) if said else ())


def due_lines(
    shelf: Shelf, place: Place, now: int, *, shown: Mapping[str, int], prompt: str = ""
) -> list[Line]:
    """The lines of reminders that are due at a place, or by the paths that a prompt names."""
    due = shelf.reminders(place.ladder(), now=now, limit=_REMINDERS)
    if not due:
        return []
    from onrecord.service.reminding import lines_of  # noqa: PLC0415 - mostly there is none

    return lines_of(due, place, shown=shown, prompt=prompt)


def allowed(
    shelf: Shelf, items: Sequence[Candidate], place: Place, shown: Mapping[str, int]
) -> tuple[list[Candidate], list[tuple[str, str]]]:
    """What may be delivered here and was not yet; (item, why) of the rest."""
    ladder = set(place.ladder())
    free: list[Candidate] = []
    withheld: list[tuple[str, str]] = []
    for item in items:
        why = _held(item, place, ladder, shown)
        if not why and item.belief == "disputed" and _withholds(shelf, place):
            why = "disputed, which is withheld here"
        if why:
            withheld.append((item.id, why))
        elif group_of(item) is not None:
            free.append(item)
    return free, withheld


def _withholds(shelf: Shelf, place: Place) -> bool:
    """Whether a person wants what is disputed kept out of packs at a place."""
    scopes = [scope for scope in (place.repo, "global") if scope]
    return shelf.setting("disputed", scopes) == "withhold"


def may_show(item: Candidate, place: Place) -> bool:
    """Whether an item may be shown at a place at all, given already or not."""
    return not _held(item, place, set(place.ladder()), {})


def _held(item: Candidate, place: Place, ladder: set[str], shown: Mapping[str, int]) -> str:
    """Why an item may not be shown here and now, or nothing."""
    if item.scope not in ladder:
        return "outside this place"
    if item.tainted and item.belief != "verified" and not _of_project(item):
        return "from outside, and not reviewed"
    if not noted_here(item.scope, item.repo, place, by_person=not item.agent):
        return "noted in another repository"
    return "already given to this session" if shown.get(item.id, 0) >= item.version else ""


def _of_project(item: Candidate) -> bool:
    """Whether it is what the project's own files say, which a person switched on there.

    Nobody but the file channel makes an active item at such an address without being named.
    """
    believed = item.belief in ("unverified", "corroborated")
    return believed and item.key.startswith(FILE_KEY) and not (item.user or item.agent)


def handoff_lines(
    shelf: Shelf, place: Place, agent: str, now: int, shown: Mapping[str, int]
) -> tuple[list[Line], list[tuple[str, str]]]:
    """Open handoffs: first the one for this session, if there is one, then the others."""
    if not place.repo:
        return [], []
    ladder = set(place.ladder())
    free: list[_Row] = []
    withheld: list[tuple[str, str]] = []
    for row in shelf.open_handoffs(place.repo, place.branch or "", now=now, limit=_HANDOFFS):
        item, _, target, *_ = row
        # a handoff is for its repository, whichever branch its text is filed under
        why = _held(item, place, ladder | {item.scope}, shown)
        if not why and target not in ("", agent):
            why = f"addressed to {target}"
        if why:
            withheld.append((item.id, why))
        else:
            free.append(row)
    mine = _addressed(free, place, agent)
    free.sort(key=lambda row: row is not mine)
    return [_handoff_line(row, place, mine=row is mine) for row in free], withheld


def _handoff_line(row: _Row, place: Place, *, mine: bool) -> Line:
    item, source, target, branch, head = row
    extra = [f"from {source}"] if source else []
    extra += [BY_NAME] if target else []
    extra += [branch] if branch and branch != place.branch else []
    # what lies uncommitted is compared when it is claimed: that is too much for a hook
    moved = head and place.commit and branch == place.branch and head != place.commit
    extra += [f"HEAD was {head[:10]} then and is {place.commit[:10]} now"] if moved else []
    group = FOR_YOU if mine else HANDOFFS
    return line_of(item, group, extra=tuple(extra))


def _addressed(free: Sequence[_Row], place: Place, agent: str) -> _Row | None:
    """The handoff for this session: by the agent's name, else this branch's for whoever comes."""
    named = [row for row in free if agent and row[2] == agent]
    here = [row for row in free if not row[2] and row[3] == (place.branch or "")]
    return next(iter(named + here), None)


def _session_lines(shelf: Shelf, place: Place, now: int, *, but: set[str]) -> list[Line]:
    """What was observed of the last sessions here: facts, whoever worked.

    Neither of those `but` whose handoff tells the same, nor of the one that is given this.
    """
    if not place.repo:
        return []
    before = ulid.encode(now, bytes(10))
    limit = MOST[SESSIONS] + len(but) + 1
    lines: list[Line] = []
    for row in shelf.recent_sessions(place.repo, before=before, limit=limit):
        agent, started, ended, first, last, changes, name, own_name, commits = row
        if name in but or place.session == f"session:{agent}:{own_name}":
            continue
        # what was made stands first: long prompts must not cut it off
        said = _made(commits)
        said += [changes] if changes else []
        said += [f"first prompt: {first}"] if first else []
        said += [f"last prompt: {last}"] if last and last != first else []
        if not said:
            continue
        lines.append(
            Line(
                SESSIONS,
                f"{agent} worked here, {span(started, ended)}",
                kind="session",
                scope=place.repo,
                body="\n".join(said),
                marks=("observed",),
                when=started,
                session=name,
            )
        )
    return lines


def _made(commits: Sequence[str]) -> list[str]:
    """A session's commits by their short ids and subjects, and how many more there are."""
    told = [
        f"commit {one}" if len(one) <= _COMMIT else f"commit {one[: _COMMIT - 1]}…"
        for one in commits[:_COMMITS]
    ]
    more = len(commits) - len(told)
    return told + ([f"and {more} more: `onrecord sessions`"] if more > 0 else [])


def day(at: int) -> str:
    """The UTC date of an instant."""
    return time.strftime("%Y-%m-%d", time.gmtime(at // 1_000_000))


def span(start: int, end: int | None) -> str:
    """From when to when, in UTC and to the minute; what would be said twice is said once."""
    since = _clock(start)
    if end is None:
        return f"since {since}"
    until = _clock(end)
    if day(start) == day(end):
        until = until.rpartition(" ")[2]
    return since if since.endswith(until) else f"{since} to {until}"


def _clock(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at // 1_000_000))
