"""Where a memory applies: parsing, short forms, and the ladder from narrow to broad."""

from __future__ import annotations

import unicodedata

from onrecord.domain.errors import BadScope

#: Scope kinds from narrow to broad; recall merges them in this order.
LADDER = (
    "session",
    "agent",
    "branch",
    "workstream",
    "project",
    "workspace",
    "repo",
    "org",
    "global",
)

#: Longest canonical scope name, in bytes of UTF-8.
MAX_BYTES = 512

#: Characters of a caller's own words that a message repeats: one line of a terminal.
_MAX_SHOWN = 80

_SHORT = ("repo", "branch", "project", "workstream", "workspace", "session", "agent", "org")


class Place:
    """Where a caller stands: what the short forms of a scope mean, and what the ladder holds.

    Every field is a canonical scope name or None. `main_branch` says that the branch is the
    repository's default one, which is never private to an agent.
    """

    __slots__ = (
        "agent",
        "branch",
        "chosen",
        "commit",
        "cwd",
        "former",
        "main_branch",
        "most",
        "off",
        "org",
        "project",
        "repo",
        "root",
        "session",
        "workspace",
        "workstream",
    )

    def __init__(
        self,
        *,
        cwd: str = "",
        root: str = "",
        repo: str | None = None,
        branch: str | None = None,
        commit: str = "",
        main_branch: bool = True,
        project: str | None = None,
        workspace: str | None = None,
        workstream: str | None = None,
        org: str | None = None,
        agent: str | None = None,
        session: str | None = None,
        former: tuple[str, ...] = (),
    ) -> None:
        self.cwd = cwd
        self.root = root
        self.repo = repo
        self.branch = branch
        self.commit = commit
        self.main_branch = main_branch
        self.project = project
        self.workspace = workspace
        self.workstream = workstream
        self.org = org
        self.agent = agent
        self.session = session
        #: names that the repository had before: what was noted under them was noted here
        self.former = former
        #: what the repository's own file says: switches that are off, tokens of a pack at most
        #: (0 for nothing said), and which of the user's projects it is
        self.off: tuple[str, ...] = ()
        self.most = 0
        self.chosen = ""

    def at_most(self, budget: int) -> int:
        """A pack's budget here, in tokens."""
        return min(budget, self.most) if self.most else budget

    def ladder(self) -> list[str]:
        """The scopes visible from here, narrow to broad; always ends with `global`."""
        found = [getattr(self, kind, None) for kind in LADDER[:-1]]
        return [name for name in found if name] + ["global"]


def kind_of(name: str) -> str:
    """The kind of a canonical scope name."""
    return name.partition(":")[0]


def rank(name: str) -> int:
    """How broad a canonical scope is: 0 for a session, 8 for global."""
    return LADDER.index(kind_of(name))


def branch_scope(repo: str, branch: str) -> str:
    """The branch scope of a repository scope."""
    return f"branch:{repo.partition(':')[2]}@{branch}"


def split_branch(key: str) -> tuple[str, str, str]:
    """A branch scope's key as (repository key, `@`, branch).

    A host, owner or name holds no `@`; a path may, so there the last one counts.
    """
    return key.rpartition("@") if key.startswith("path:") else key.partition("@")


def session_scope(agent: str, session: str) -> str:
    """The scope of one agent session."""
    return f"session:{agent}:{session}"


def reach_of(scope: str, place: Place) -> list[str]:
    """The scopes whose tombstones and keys bind a write to `scope`: itself and broader ones.

    A branch is bound by its repository wherever the caller stands; other broader scopes
    are those of the caller's own ladder.
    """
    wider = [scope]
    if kind_of(scope) == "branch":
        wider.append("repo:" + split_branch(scope.partition(":")[2])[0])
    ladder = place.ladder()
    if scope in ladder:
        wider += [name for name in ladder if rank(name) > rank(scope)]
    wider.append("global")
    return list(dict.fromkeys(wider))


def parse(text: str, place: Place | None = None) -> str:
    """The canonical name of a scope as a person or an agent wrote it.

    Short forms (`repo`, `branch`, `project` …) resolve from `place`. Spellings of other tools
    are accepted where they are unambiguous. Raises `BadScope` with the right spelling in its
    hint where one can be guessed.
    """
    given = unicodedata.normalize("NFC", text).strip()
    _check_characters(given)
    if given == "global":
        return given
    if given in _SHORT:
        return _short(given, place)
    kind, colon, key = given.partition(":")
    if not colon or kind not in LADDER or kind == "global":
        raise BadScope(
            f"`{_shown(given)}` is not a scope.",
            hint=_suggestion(given),
            details={"given": _shown(given)},
        )
    if key.startswith(":"):
        return _foreign(kind, key[1:], given)
    return _canonical(kind, key, given)


def _short(kind: str, place: Place | None) -> str:
    name = getattr(place, kind, None) if place else None
    if not name:
        hint = f"Write it out ({_example(kind)}), or run this where there is one."
        if kind == "branch" and place is not None and place.repo:
            hint = (
                "No branch is checked out here, or its name holds characters that a scope"
                " cannot (hidden ones, `..`): use repo."
            )
        raise BadScope(
            f"There is no {kind} here to use as a scope.", hint=hint, details={"given": kind}
        )
    return str(name)


def _foreign(kind: str, key: str, given: str) -> str:
    """Other tools write `repo::owner/name`, `branch::owner/name::branch`, `project::name`."""
    if kind == "repo" and key.count("/") == 1:
        raise _hostless(given, _nearest_repo(key))
    if kind == "repo" and key.count("/") >= 2:  # noqa: PLR2004 - host/owner/name
        return _canonical(kind, key, given)
    if kind == "branch" and "::" in key:
        repo, _, branch = key.partition("::")
        if repo.count("/") >= 2:  # noqa: PLR2004 - host/owner/name
            return _canonical(kind, f"{repo}@{branch}", given)
        raise _hostless(given, f"branch:{_nearest_repo(repo)[5:]}@{branch}")
    if kind in ("project", "org", "workspace", "workstream", "agent"):
        return _canonical(kind, key, given)
    raise BadScope(f"`{_shown(given)}` is not a scope.", hint=f"use {_example(kind)}")


def _hostless(given: str, nearest: str) -> BadScope:
    return BadScope(
        f"`{_shown(given)}` leaves out the host.",
        hint=f"use {nearest}",
        details={"given": _shown(given), "nearest": [nearest]},
    )


def _nearest_repo(text: str) -> str:
    """The repository that an address, or a part of one, seems to mean; the form otherwise."""
    scheme, slashes, rest = text.partition("://")
    bare = (rest if slashes else scheme).rpartition("@")[2]
    if not slashes:
        bare = bare.replace(":", "/", 1)  # git@host:owner/name
    parts = bare.strip("/").removesuffix(".git").split("/")
    if len(parts) == 2 and "." not in parts[0]:  # noqa: PLR2004 - owner/name
        parts.insert(0, "github.com")
    named = len(parts) > 2 and "." in parts[0] and all(parts)  # noqa: PLR2004 - host/owner/name
    plain = ".." not in parts and "*" not in bare and "%" not in bare and len(bare) <= _MAX_SHOWN
    return "repo:" + ("/".join(parts) if named and plain else "host/owner/name")


def _canonical(kind: str, key: str, given: str) -> str:
    if kind == "repo":
        key = _repo_key(key, given)
    elif kind == "branch":
        repo, at, branch = split_branch(key)
        if not at or not branch:
            raise BadScope(
                f"`{_shown(given)}` names no branch.", hint="use branch:host/owner/name@branch"
            )
        # git allows `%` in the name of a branch, and no `*`
        _segment(branch.replace("%", "_"), given)
        key = f"{_repo_key(repo, given)}@{branch}"
    elif kind == "session":
        agent, colon, session = key.partition(":")
        if not colon or not agent or not session:
            raise BadScope(f"`{_shown(given)}` is not a session.", hint="use session:<agent>:<id>")
        key = f"{_segment(agent.lower(), given)}:{_segment(session, given)}"
    elif kind in ("org", "project"):
        key = _segment(key.lower(), given)
    else:
        key = _segment(key, given)
    name = f"{kind}:{key}"
    if len(name.encode()) > MAX_BYTES:
        raise BadScope(
            f"A scope has at most {MAX_BYTES} bytes; this one has {len(name.encode())}."
        )
    return name


def _repo_key(key: str, given: str) -> str:
    key = key.strip("/") if not key.startswith("path:") else key
    if key.startswith("path:"):
        return "path:" + _segment(key[5:], given)
    parts = key.removesuffix(".git").split("/")
    if len(parts) < 3 or not all(parts):  # noqa: PLR2004 - host/owner/name
        nearest = _nearest_repo(key)
        raise BadScope(
            f"`{_shown(given)}` is not a repository's name.",
            hint=f"use {nearest}",
            details={"given": _shown(given), "nearest": [nearest]},
        )
    parts[:-1] = [part.lower() for part in parts[:-1]]
    return _segment("/".join(parts), given)


def _segment(key: str, given: str) -> str:
    hint = f"use {_example(kind_of(given))}"
    if not key or ".." in key.split("/"):
        raise BadScope(
            f"`{_shown(given)}` is not a scope: its name is empty or climbs with `..`.", hint=hint
        )
    if "*" in key or "%" in key:
        raise BadScope(f"`{_shown(given)}` holds a wildcard; a scope is named in full.", hint=hint)
    return key


def _check_characters(given: str) -> None:
    if not given:
        raise BadScope(
            "A scope cannot be empty.", hint="use global, repo, branch, project, session or agent"
        )
    if len(given) > MAX_BYTES * 4:
        raise BadScope(f"A scope has at most {MAX_BYTES} bytes; this one is longer.")
    for char in given:
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
            raise BadScope(
                f"A scope cannot hold the character U+{ord(char):04X}.",
                details={"given": _shown(given)},
            )


def _shown(given: str) -> str:
    """The caller's own word, short, printable and without a password, for a message."""
    clean = "".join(c if c.isprintable() else "?" for c in given)
    scheme, slashes, rest = clean.partition("://")
    clean = scheme + slashes + rest.rpartition("@")[2]
    return clean if len(clean) <= _MAX_SHOWN else clean[: _MAX_SHOWN - 3] + "..."


def _suggestion(given: str) -> str:
    word = given.partition(":")[0].lower()
    near = [kind for kind in LADDER if kind.startswith(word[:3]) or word.startswith(kind)]
    if near:
        return f"use {_example(near[0])}" if ":" in given else f"use {near[0]}"
    if "/" in given:
        return f"use {_nearest_repo(given)}"
    return "use global, repo, branch, project, workstream, session or agent, or kind:key in full"


def _example(kind: str) -> str:
    return {
        "repo": "repo:host/owner/name",
        "branch": "branch:host/owner/name@branch",
        "session": "session:<agent>:<id>",
        "global": "global",
    }.get(kind, f"{kind}:<name>")
