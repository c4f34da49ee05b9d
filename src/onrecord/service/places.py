"""Where a caller stands, from its working directory (light)."""

from __future__ import annotations

import os

from onrecord.capture import git
from onrecord.domain import scope as scopes
from onrecord.domain.errors import BadScope
from onrecord.service.naming import holds_secret, kept, kept_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

#: Kinds of scopes that can have another name than their place shows.
RENAMED = ("branch", "workstream", "project", "workspace", "repo", "org")


def place_at(
    cwd: str,
    *,
    agent: str = "",
    agent_session: str = "",
    named: Sequence[tuple[str, str, str]] = (),
) -> scopes.Place:
    """The place of a working directory, for an agent and its session where there is one.

    `named` are (scope kind, name, path glob) of the user's own configuration. A repository
    is known by its origin, so that all its clones and worktrees are one place. A branch whose
    name holds a secret is none, and a repository with one in its address is its folder.
    """
    place = scopes.Place(cwd=cwd)
    found = git.locate(cwd) if cwd else None
    if found is not None:
        place.root = found.root
        place.commit = found.head
        place.repo = _scope(f"repo:{_key(found.origin, found.main_root)}")
        if place.repo and kept(found.branch):
            place.branch = _scope(scopes.branch_scope(place.repo, found.branch))
            place.main_branch = found.branch == git.default_branch(found)
    for kind, name, glob in named:
        if getattr(place, kind) is None and fits(cwd, glob):
            setattr(place, kind, _scope(f"{kind}:{name}"))
    if place.root:
        _narrow(place, named)
    if agent:
        place.agent = _scope(f"agent:{agent}")
        if agent_session:
            place.session = _scope(scopes.session_scope(agent, agent_session))
    return place


def _narrow(place: scopes.Place, named: Sequence[tuple[str, str, str]]) -> None:
    """Obey the repository's own file, where there is one: mostly there is none.

    Anyone can write it, so of projects it can only choose among those that the user has for
    this place.
    """
    try:
        file = os.open(place.root + "/.onrecord.toml", _FLAGS)
    except OSError:
        return
    from onrecord.capture.project_file import read  # noqa: PLC0415 - mostly there is none

    told = read(file)
    place.off, place.most = told.off, told.most
    for kind, name, glob in named:
        if kind == "project" and name == told.project and fits(place.cwd, glob):
            place.project, place.chosen = _scope(f"project:{name}"), name


def _key(origin: str, main_root: str) -> str:
    """The repository's key; one whose address holds a secret is known by its folder."""
    key = git.repository_key(origin, main_root)
    if not holds_secret(key.removeprefix("path:")):
        return key
    return git.repository_key("", kept_path(main_root))


def rename(place: scopes.Place, renamed: Mapping[str, str]) -> scopes.Place:
    """The place with its scopes under the names that they have now, changed where it stands."""
    if not renamed:
        return place
    before = place.repo
    for kind in RENAMED:
        name = getattr(place, kind)
        if name in renamed:
            setattr(place, kind, renamed[name])
    if place.repo and before != place.repo and place.branch and place.branch not in renamed:
        branch = scopes.split_branch(place.branch.partition(":")[2])[2]
        place.branch = _scope(scopes.branch_scope(place.repo, branch))
    place.former = tuple(old for old, new in renamed.items() if new == place.repo)
    return place


def _scope(name: str) -> str | None:
    """The canonical name, or None where a path or branch cannot be one."""
    try:
        return scopes.parse(name)
    except BadScope:
        return None


def fits(path: str, glob: str) -> bool:
    """Whether a path lies at or below what a glob names; `*` fits within one folder name."""
    have, want = path.rstrip("/").split("/"), glob.rstrip("/").split("/")
    if want and want[-1] == "**":
        want.pop()
    return len(have) >= len(want) and all(
        _fits_part(part, pattern) for part, pattern in zip(have, want, strict=False)
    )


def _fits_part(part: str, pattern: str) -> bool:
    pieces = pattern.split("*")
    if len(pieces) == 1:
        return part == pattern
    if not part.startswith(pieces[0]) or not part.endswith(pieces[-1]):
        return False
    at = len(pieces[0])
    for piece in pieces[1:-1]:
        at = part.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return at <= len(part) - len(pieces[-1])
