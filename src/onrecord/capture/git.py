"""Which repository a folder belongs to, read from git's files without running git.

On the hook's fast path. What needs git itself stands in `onrecord.capture.git_state`.
"""
# pathlib costs more than the rest of the hook:
# ruff: noqa: PTH112, PTH113, PTH118, PTH120

from __future__ import annotations

import os
import unicodedata

from onrecord.capture.git_config import read_regular, settings

#: Bytes of `packed-refs` that are searched.
MAX_PACKED = 8_388_608

#: Longest repository key, in bytes; a longer one is named by its path.
MAX_KEY = 400

_SCHEMES = ("https", "http", "ssh", "git", "git+ssh", "ssh+git", "git+https", "ftp", "ftps")

#: Hosts that are second names of one service, used to reach it past firewalls.
_SAME_HOST = {
    "ssh.github.com": "github.com",
    "www.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}


class Repository:
    """A git repository as seen from one folder."""

    __slots__ = ("bare", "branch", "common_dir", "git_dir", "head", "main_root", "origin", "root")

    def __init__(
        self,
        *,
        root: str,
        main_root: str,
        git_dir: str,
        common_dir: str,
        bare: bool = False,
        branch: str = "",
        head: str = "",
        origin: str = "",
    ) -> None:
        #: top folder of this worktree (the repository itself where it is bare)
        self.root = root
        #: top folder of the main checkout, the same for all its worktrees
        self.main_root = main_root
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.bare = bare
        #: empty on a detached HEAD
        self.branch = branch
        #: commit id, empty before the first commit
        self.head = head
        #: URL of the remote `origin` as it is configured, empty where there is none
        self.origin = origin

    @property
    def key(self) -> str:
        """The key that all clones and worktrees share (see `repository_key`)."""
        return repository_key(self.origin, self.main_root)


def locate(cwd: str) -> Repository | None:
    """The repository that an absolute path of a folder lies in, or None. Never raises.

    A folder that is a git folder itself counts in the git folder of its checkout, and outside
    of every checkout: a clone may bring one with it, under whatever origin its author liked
    (what git's `safe.bareRepository` guards against).
    """
    if not cwd.startswith("/") and not os.path.splitdrive(cwd)[0]:
        return None
    try:
        folder = os.path.realpath(cwd)
        if not os.path.isdir(folder):
            return None
        bare = ""
        while True:
            found = _at(folder)
            if found is not None:
                its_own = bare and f"{bare}/".startswith(f"{found.common_dir}/")
                return _describe(bare, "") if its_own else found
            if not bare and _is_git_dir(folder):
                bare = folder
            parent = os.path.dirname(folder)
            if parent == folder:
                return _describe(bare, "") if bare else None
            folder = parent
    except (OSError, ValueError):
        return None


def default_branch(repository: Repository) -> str:
    """The branch that a clone would start on.

    Where the files do not tell, the branch at hand, so that none passes for a side branch
    without proof.
    """
    told = read_regular(f"{repository.common_dir}/refs/remotes/origin/HEAD", 4096) or ""
    prefix = "ref: refs/remotes/origin/"
    if told.startswith(prefix):
        return _name(told[len(prefix) :])
    for name in ("main", "master"):
        for ref in (f"refs/remotes/origin/{name}", f"refs/heads/{name}"):
            if _resolve(repository.common_dir, ref):
                return name
    return repository.branch


def repository_key(origin: str, main_root: str) -> str:
    """`host/owner/name` of an origin URL, or `path:<main checkout>` where it names no host.

    https, ssh and scp-like spellings of one repository give one key: port, user, `.git` and
    case of host and owner are dropped.
    """
    return _remote_key(unicodedata.normalize("NFC", origin.strip())) or (
        "path:" + unicodedata.normalize("NFC", main_root)
    )


def _at(folder: str) -> Repository | None:
    """The repository whose checkout has this folder as its top, if it is one."""
    dot_git = f"{folder}/.git"
    if os.path.isfile(dot_git):
        told = read_regular(dot_git, 8192) or ""
        if told.startswith("gitdir:"):
            dot_git = os.path.join(folder, told[7:].strip())
    if _is_git_dir(dot_git):
        return _describe(os.path.realpath(dot_git), folder)
    return None


def _is_git_dir(path: str) -> bool:
    return os.path.lexists(f"{path}/HEAD") and (
        os.path.isfile(f"{path}/commondir")
        or (os.path.isdir(f"{path}/objects") and os.path.isdir(f"{path}/refs"))
    )


def _describe(git_dir: str, root: str) -> Repository:
    shared = read_regular(f"{git_dir}/commondir", 8192)
    common = os.path.realpath(os.path.join(git_dir, shared.strip())) if shared else git_dir
    entries = settings(f"{common}/config")
    main_root = _main_root(common, entries)
    linked = read_regular(f"{git_dir}/gitdir", 8192) if shared else None
    if not root:
        root = os.path.dirname(linked.strip()) if linked else main_root
    branch, head = _head(git_dir, common)
    urls = [value for *name, value in entries if name == ["remote", "origin", "url"] and value]
    return Repository(
        root=root,
        main_root=main_root,
        git_dir=git_dir,
        common_dir=common,
        bare=root == git_dir,
        branch=branch,
        head=head,
        origin=urls[0] if urls else "",
    )


def _main_root(common: str, entries: list[tuple[str, str, str, str]]) -> str:
    """The main checkout's top folder; the git folder itself where that cannot be told."""
    for section, _, key, value in entries:
        if section == "core" and key == "worktree" and value:
            return os.path.realpath(os.path.join(common, value))
    parent, name = os.path.split(common)
    return parent if name == ".git" else common


def _head(git_dir: str, common: str) -> tuple[str, str]:
    """(branch, commit), each empty where there is none."""
    text = (read_regular(f"{git_dir}/HEAD", 4096) or "").strip()
    if not text.startswith("ref:"):
        return "", text if is_commit(text) else ""
    ref = text[4:].strip()
    branch = _name(ref.removeprefix("refs/heads/")) if ref.startswith("refs/heads/") else ""
    return branch, _resolve(common, ref) if branch else ""


def _resolve(common: str, ref: str) -> str:
    """The commit that a ref names; empty for none."""
    loose = (read_regular(f"{common}/{ref}", 128) or "").strip()
    if is_commit(loose):
        return loose
    packed = "\n" + (read_regular(f"{common}/packed-refs", MAX_PACKED) or "")
    before, found, _ = packed.partition(f" {ref}\n")
    commit = before.rpartition("\n")[2] if found else ""
    return commit if is_commit(commit) else ""


def _name(text: str) -> str:
    """A branch name as a scope can hold it; empty for one that git would not make."""
    name = text.strip()
    odd = not name.isprintable() or ".." in name or " " in name or name == ".invalid"
    return "" if odd or len(name) > 250 or name.startswith(("/", "-")) else name  # noqa: PLR2004


def is_commit(text: str) -> bool:
    """Whether the text is a full commit id."""
    return len(text) in (40, 64) and all(char in "0123456789abcdef" for char in text)


def _remote_key(url: str) -> str:
    """`host/owner/name`, or an empty string for a URL that names no host."""
    scheme, slashes, rest = url.partition("://")
    if slashes:
        authority, _, path = rest.partition("/")
        path = _decode(path.partition("?")[0].partition("#")[0])
        if scheme.lower() not in _SCHEMES:
            return ""
    else:
        authority, path = _scp_like(url)
    host = _host(authority)
    parts = [part for part in path.split("/") if part]
    if parts and parts[-1] == ".git":
        parts.pop()
    while parts and parts[-1].endswith(".git"):
        parts[-1] = parts[-1].removesuffix(".git")
    if not host or not parts or not parts[-1]:
        return ""
    owner = [part.lower() for part in parts[:-1]] or ["-"]
    key = "/".join([host, *owner, parts[-1]])
    odd = any(part in (".", "..") for part in parts) or any(char in "*%@\\ " for char in key)
    return "" if odd or not key.isprintable() or len(key.encode()) > MAX_KEY else key


def _scp_like(url: str) -> tuple[str, str]:
    """(authority, path) of `user@host:path`; empty for a local path or a transport helper."""
    start = url.find("]") + 1 if "[" in url.partition("/")[0] else 0
    before, colon, path = url[start:].partition(":")
    authority = url[:start] + before
    is_local = not colon or "/" in before or path.startswith(":") or len(authority) == 1
    return ("", "") if is_local or "\\" in authority else (authority, path)


def _host(authority: str) -> str:
    inner = authority[1:-1] if authority.startswith("[") and authority.endswith("]") else ""
    if "@" in inner or inner.count(":") == 1:
        # `[git@host:22]:path` wraps a port, `[::1]:path` an address.
        authority = inner
    host = authority.rpartition("@")[2]
    host = host.partition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
    host = host.lower().rstrip(".")
    return _SAME_HOST.get(host, host)


def _decode(path: str) -> str:
    """Percent escapes resolved; a broken one stays, and its `%` spoils the key."""
    head, *rest = path.split("%")
    raw = head.encode("utf-8", "replace")
    for part in rest:
        digits = part[:2]
        try:
            raw += bytes([int(digits, 16)]) + part[2:].encode("utf-8", "replace")
        except ValueError:
            raw += b"%" + part.encode("utf-8", "replace")
    return unicodedata.normalize("NFC", raw.decode("utf-8", "replace"))
