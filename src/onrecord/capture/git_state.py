"""What git says about a working tree and its history.

Runs git, so never on the hook's fast path. A repository's own settings cannot make it run
anything: no hooks, monitors, filters, pagers, external diffs, signatures or fetches.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from onrecord.capture.git import is_commit

#: Changed files that are listed, and the size above which one is not digested.
MAX_FILES = 200
MAX_FILE_BYTES = 8_388_608

#: Commits that are looked through for renamed files, and lengths of a commit's id.
_RENAMING = 2_000
_SHORTEST, _LONGEST = 7, 64

#: Seconds that one call of git may take.
TIMEOUT_S = 5.0
#: The exit status of a git that is not there, or took too long; none of its own.
_NO_ANSWER = -1_000

_QUIET = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "diff.external=",
    "log.showSignature=false",
    "protocol.allow=never",
)

_LIST_FILTERS = (
    *("config", "--includes", "--show-scope", "--name-only", "-z", "--get-regexp"),
    r"^filter\..*\.(clean|smudge|process|required)$",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkingState:
    """A working tree as it stands."""

    #: empty on a detached HEAD
    branch: str
    #: commit id, empty before the first commit
    head: str
    #: changed path -> sha256 of its content, or `gone`, `folder`, `large`, `unreadable`
    dirty: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    #: changed paths beyond MAX_FILES
    more: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Commit:
    """One commit."""

    id: str
    #: first line of its message, unredacted
    subject: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DiffStat:
    """How much changed."""

    files: int
    insertions: int
    deletions: int

    def __str__(self) -> str:
        """As one short phrase."""
        files = "1 file" if self.files == 1 else f"{self.files} files"
        return f"{files}, +{self.insertions} -{self.deletions}"


def state(root: str, *, timeout_s: float = TIMEOUT_S) -> WorkingState | None:
    """Branch, commit and changed files of the checkout at `root`; None if git cannot tell."""
    raw = _git(
        root,
        (
            "status",
            "--porcelain=v2",
            "--branch",
            "-z",
            "--no-renames",
            "--ignore-submodules=dirty",
        ),
        timeout_s,
    )
    if raw is None:
        return None
    branch = head = ""
    paths: list[str] = []
    for line in raw.split("\0"):
        if line.startswith("# branch.oid "):
            head = line[13:] if line[13:] != "(initial)" else ""
        elif line.startswith("# branch.head "):
            branch = line[14:] if line[14:] != "(detached)" else ""
        elif line[:2] in ("1 ", "u ", "? "):
            paths.append(line.split(" ", {"1": 8, "u": 10, "?": 1}[line[0]])[-1])
    listed = sorted(paths)[:MAX_FILES]
    return WorkingState(
        branch=branch,
        head=head,
        dirty=MappingProxyType({path: _digest(root, path) for path in listed}),
        more=len(paths) - len(listed),
    )


def commits_between(root: str, old: str, new: str, *, limit: int = 100) -> list[Commit] | None:
    """Commits that are in `new` and not in `old`, newest first; None if git cannot tell.

    Both are full commit ids; without `old`, the newest of `new`.
    """
    if not is_commit(new) or not (is_commit(old) or not old):
        return None
    span = f"{old}..{new}" if old else new
    raw = _git(root, ("log", "-z", "--format=%H %s", f"--max-count={limit}", span, "--"))
    if raw is None:
        return None
    lines = (line.partition(" ") for line in raw.split("\0") if line)
    return [Commit(id=commit, subject=subject) for commit, _, subject in lines]


def diff_stat(root: str, old: str, new: str = "") -> DiffStat | None:
    """How much differs between two commits, or between one and the working tree."""
    if not is_commit(old) or not (is_commit(new) or not new):
        return None
    span = (old, new) if new else (old,)
    options = ("--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")
    raw = _git(root, ("diff", *options, "--ignore-submodules=dirty", *span, "--"))
    if raw is None:
        return None
    rows = [line.split("\t") for line in raw.split("\0") if line.count("\t") > 1]
    return DiffStat(
        files=len(rows),
        insertions=sum(int(row[0]) for row in rows if row[0].isdigit()),
        deletions=sum(int(row[1]) for row in rows if row[1].isdigit()),
    )


def renames(
    root: str, commit: str, *, timeout_s: float = TIMEOUT_S
) -> list[tuple[str, str]] | None:
    """(old path, new path) since a commit, in the order in which they happened.

    Those of the history since, then what differs between the commit and what is staged now.
    `commit` may be abbreviated; of one that git does not know there are none. None where git
    is not there, or gave no whole answer within so many seconds in all.
    """
    if not is_abbreviated(commit):
        return []
    until = time.monotonic() + timeout_s
    asked = ("-M", "-l400", "--diff-filter=R", "--name-status", "-z", "--no-ext-diff")
    past = ("log", *asked, "--format=", "--reverse", f"--max-count={_RENAMING}")
    found: list[tuple[str, str]] = []
    for words in ((*past, f"{commit}..HEAD", "--"), ("diff", "--cached", *asked, commit, "--")):
        # one call of git is two processes
        left = (until - time.monotonic()) / 2
        status, raw = _asked(root, words, left) if left > 0 else (_NO_ANSWER, "")
        if status == _NO_ANSWER:
            return None
        told = raw if status == 0 else ""
        parts = [part for part in told.replace("\n", "").split("\0") if part]
        rows = zip(parts[::3], parts[1::3], parts[2::3], strict=False)
        found += [(old, new) for how, old, new in rows if how.startswith("R")]
    return found


def is_abbreviated(commit: str) -> bool:
    """Whether a text can be a commit id, whole or cut short."""
    return _SHORTEST <= len(commit) <= _LONGEST and set(commit) <= set("0123456789abcdef")


def _git(root: str, arguments: tuple[str, ...], timeout_s: float = TIMEOUT_S) -> str | None:
    status, out = _asked(root, arguments, timeout_s)
    return out if status == 0 else None


def _asked(root: str, arguments: tuple[str, ...], timeout_s: float) -> tuple[int, str]:
    """(exit status, output) of git; `_NO_ANSWER` where it is not there or took too long."""
    program = shutil.which("git", path=_search_path())
    if program is None or not Path(root).is_absolute():
        return _NO_ANSWER, ""
    settings = [word for setting in _QUIET for word in ("-c", setting)]
    command = [program, "-C", root, "--no-pager", "--no-optional-locks", *settings]
    environ = _environ()
    status, filters = _run([*command, *_LIST_FILTERS], environ, timeout_s)
    if status not in (0, 1):  # 1: there are none
        return status, ""
    return _run([*command, *arguments], environ | _without(filters), timeout_s)


def _search_path() -> str:
    """PATH without relative folders: the repository must not bring its own git."""
    parts = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(part for part in parts if Path(part).is_absolute())


def _environ() -> dict[str, str]:
    """No GIT_ variable of the caller's gets through: it would name another repository."""
    kept = ("HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR")
    return {name: os.environ[name] for name in kept if name in os.environ} | {
        "PATH": _search_path(),
        "LC_ALL": "C.UTF-8",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_PAGER": "cat",
    }


def _without(filters: str) -> dict[str, str]:
    """Variables that switch off the filters which the repository itself sets up.

    The user's own, such as for large files, stay.
    """
    words = filters.split("\0")
    own = {
        name.rpartition(".")[0]
        for scope, name in zip(words[::2], words[1::2], strict=False)
        if scope in ("local", "worktree")
    }
    values = [
        (f"{name}.{key}", value)
        for name in sorted(own)
        for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    ]
    found = {"GIT_CONFIG_COUNT": str(len(values))}
    for number, (key, value) in enumerate(values):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


def _run(command: list[str], environ: dict[str, str], timeout_s: float) -> tuple[int, str]:
    """(exit status, output); what it started ends with it when it takes too long."""
    try:
        running = subprocess.Popen(  # noqa: S603 - git, found outside the repository
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environ,
            cwd="/",
            start_new_session=True,
        )
    except (OSError, ValueError):
        return _NO_ANSWER, ""
    with running:
        try:
            out, _ = running.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            return _NO_ANSWER, ""
    return running.returncode, out.decode("utf-8", "replace")


def _digest(root: str, path: str) -> str:
    """The sha256 of a changed file inside `root`, or a word for why there is none."""
    target = Path(root, path)
    try:
        found = target.lstat()
        if not target.parent.resolve().is_relative_to(Path(root).resolve()):
            return "unreadable"
        if stat.S_ISLNK(found.st_mode):
            return hashlib.sha256(os.fsencode(target.readlink())).hexdigest()
        if not stat.S_ISREG(found.st_mode):
            return "folder" if stat.S_ISDIR(found.st_mode) else "unreadable"
        return _content_digest(target)
    except FileNotFoundError:
        return "gone"
    except (OSError, ValueError):
        return "unreadable"


def _content_digest(target: Path) -> str:
    with os.fdopen(os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    return "large" if len(content) > MAX_FILE_BYTES else hashlib.sha256(content).hexdigest()
