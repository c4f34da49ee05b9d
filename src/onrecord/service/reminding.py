"""Reminders in packs: what is due here, once (light).

A reminder has a date (its text holds from then on), or a path, or neither: then it is due when
its scope is next worked in. It comes up in the first pack that fits; what was given is done.
"""

from __future__ import annotations

from onrecord.retrieval.lines import PINNED, Line, line_of
from onrecord.service.notes import noted_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.scope import Place

#: Reminders in one pack.
MOST = 3
#: Words of a prompt that are read as paths, of so many characters.
_WORDS = 400
_TEXT = 8_000
#: Marks it in the pack.
DUE = "due now, told once"


def lines_of(
    due: Sequence[tuple[Candidate, Sequence[str]]],
    place: Place,
    *,
    shown: Mapping[str, int],
    prompt: str,
) -> list[Line]:
    """The lines of what is due at a place, or by the paths that a prompt names."""
    top = f"{place.root}/"
    named = [path.removeprefix(top) for path in paths_in(prompt)]
    touched = [*_place_paths(place), *named]
    lines: list[Line] = []
    for item, paths in due:
        if shown.get(item.id, 0) >= item.version or not _may_show(item, place):
            continue
        if paths and not any(touches(glob, path) for glob in paths for path in touched):
            continue
        lines.append(line_of(item, PINNED, extra=(DUE,)))
    return lines[:MOST]


def _may_show(item: Candidate, place: Place) -> bool:
    """As for any other item: text from outside waits for a person, notes stay where taken."""
    if item.tainted and item.belief != "verified":
        return False
    return noted_here(item.scope, item.repo, place, by_person=not item.agent)


def _place_paths(place: Place) -> list[str]:
    """The folder that the session works in, from the repository's top."""
    root, cwd = place.root, place.cwd
    return [cwd[len(root) + 1 :]] if root and cwd.startswith(root + "/") else []


def paths_in(text: str) -> list[str]:
    """Words of a text that can be paths of a repository."""
    found: list[str] = []
    for word in text[:_TEXT].split()[:_WORDS]:
        path = word.lstrip("`'\"([{<@").rstrip("`'\")]}>,;:!?.").removeprefix("./")
        if "/" in path or "." in path:
            found.append(path.partition(":")[0])
    return found


def touches(glob: str, path: str) -> bool:
    """Whether a path lies where a glob says; a glob without wildcards means what is below too.

    `*` and `?` stay inside a name, `**` goes over any number of folders.
    """
    wanted = [part for part in glob.removeprefix("./").split("/") if part]
    parts = [part for part in path.split("/") if part]
    if not wanted or not parts:
        return False
    if not any(char in glob for char in "*?"):
        return parts[: len(wanted)] == wanted
    return _fits(wanted, parts)


def _fits(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    """Row by row, so that no glob takes longer than its length times the path's."""
    reached = [True] + [False] * len(parts)
    for want in wanted:
        if want == "**":
            first = reached.index(True) if True in reached else len(reached)
            reached = [at >= first for at in range(len(reached))]
            continue
        fits = [reached[at] and _name_fits(want, part) for at, part in enumerate(parts)]
        reached = [False, *fits]
    return reached[-1]


def _name_fits(want: str, name: str) -> bool:
    reached = [True] + [False] * len(name)
    for char in want:
        if char == "*":
            first = reached.index(True) if True in reached else len(reached)
            reached = [at >= first for at in range(len(reached))]
        else:
            fits = [reached[at] and char in ("?", one) for at, one in enumerate(name)]
            reached = [False, *fits]
    return reached[-1]
