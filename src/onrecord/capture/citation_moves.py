"""Where a cited file went: renamed since the commit that it was cited at, as git tells.

Runs git, so never on the hook's path for a prompt.
"""

from __future__ import annotations

import os
from pathlib import Path

from onrecord.capture import git, git_state

#: Seconds that git may take for one commit.
TIMEOUT_S = 1.0
#: Answers that a process remembers.
_REMEMBERED = 64

_known: dict[tuple[object, ...], list[tuple[str, str]]] = {}


def new_paths(
    path: str, root: str, commit: str, *, timeout_s: float = TIMEOUT_S
) -> list[str] | None:
    """Where a file of a commit may be now, the likeliest first; empty where it went nowhere.

    None where git did not tell: it gets so many seconds, and is not asked where that is none.

    Without a commit only what is renamed since the last one is found.
    """
    if timeout_s <= 0:
        return None
    found = git.locate(root)
    if found is None or not found.head:
        return []
    since = commit if git_state.is_abbreviated(commit) else found.head
    told = _renames(found, since, timeout_s)
    if told is None:
        return None
    places: list[str] = []
    name = path
    for old, new in told:
        if old == name:
            name = new
            places.insert(0, new)
        elif old == path and new not in places:
            places.append(new)
    return places


def _renames(found: git.Repository, since: str, timeout_s: float) -> list[tuple[str, str]] | None:
    """What git says, asked once as long as neither HEAD nor the index changes."""
    try:
        index = Path(found.git_dir, "index").stat().st_mtime_ns
    except OSError:
        index = 0
    key = (os.fspath(found.root), since, found.head, index)
    if key not in _known:
        told = git_state.renames(found.root, since, timeout_s=timeout_s)
        if told is None:
            return None  # asked again with the next one
        while len(_known) >= _REMEMBERED:
            del _known[next(iter(_known))]
        _known[key] = told
    return _known[key]
