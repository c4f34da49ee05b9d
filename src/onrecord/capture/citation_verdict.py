"""What became of a citation: it holds, moved, changed, or its file is gone (light).

Lines that stand elsewhere in their file, and files that git knows under another name, still hold.
"""

from __future__ import annotations

import time

from onrecord.capture import citation_tree
from onrecord.capture.citation_tree import Pointer, compare, read_pointer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: New names of one file that are looked at.
_NAMES = 3
#: Seconds that git may take for one citation.
GIT_S = 1.0


class Budget:
    """What comparing many citations may take in all."""

    __slots__ = ("largest", "left", "seconds")

    def __init__(self, *, seconds: float, most: int, largest: int = citation_tree.LARGEST) -> None:
        #: of comparing, after which git is not asked any more
        self.seconds = seconds
        #: citations that are compared yet; the rest stay as they are
        self.left = most
        #: bytes of a file beyond which it is not read
        self.largest = largest

    def judge(self, pointer: str, kept: bytes, root: str) -> Verdict:
        """As `judge`, out of the budget; `unchecked` where that is used up."""
        if self.left <= 0:
            return Verdict("unchecked")
        begun = time.monotonic()
        verdict = judge(
            pointer, kept, root, largest=self.largest, timeout_s=min(GIT_S, self.seconds)
        )
        self.seconds -= time.monotonic() - begun
        self.left -= 1
        return verdict


class Verdict:
    """What became of one citation."""

    __slots__ = ("note", "now", "state")

    def __init__(self, state: str, *, now: str = "", note: str = "") -> None:
        #: holds · moved · changed · gone · unchecked
        self.state = state
        #: where it stands now, for what moved
        self.now = now
        #: what is different, as a phrase that follows the pointer; empty where it holds
        self.note = note

    @property
    def broken(self) -> bool:
        """Whether what cites it can no longer be relied on."""
        return self.state in ("changed", "gone")


def in_force(
    rows: Iterable[tuple[str, int, bytes]], version: int, text: str
) -> list[tuple[str, bytes]]:
    """(pointer, digest) of the citations that speak for an item as it is worded now.

    Rows are (pointer, version, digest). Those of the current version; of one before only where
    the text still names the file and nothing newer cites it.
    """
    newest: dict[str, int] = {}
    found: list[tuple[str, int, bytes, str]] = []
    for pointer, of_version, digest in rows:
        path = read_pointer(pointer).path
        if digest and (of_version == version or path in text):
            newest[path] = max(of_version, newest.get(path, 0))
            found.append((pointer, of_version, digest, path))
    return [(pointer, kept) for pointer, of, kept, path in found if of == newest[path]]


def judge_all(
    rows: Iterable[tuple[str, int, bytes]],
    version: int,
    text: str,
    root: str,
    within: Budget,
) -> list[tuple[str, Verdict]]:
    """(pointer, verdict) of the citations in force of one item, as far as the budget goes."""
    chosen = in_force(rows, version, text)
    return [(pointer, within.judge(pointer, kept, root)) for pointer, kept in chosen]


def belief_after(belief: str, found: Sequence[tuple[str, Verdict]]) -> str:
    """An item's belief where one of its citations is broken: stale, unless it is disputed."""
    broken = any(verdict.broken for _, verdict in found)
    return "stale" if broken and belief != "disputed" else belief


def judge(
    text: str,
    kept: bytes,
    root: str,
    *,
    largest: int = citation_tree.LARGEST,
    timeout_s: float = GIT_S,
) -> Verdict:
    """Compare a stored pointer with the working tree at a root; `kept` is its digest.

    Git is asked only for a file that is not there, for so many seconds at most. A file that
    may have another name, for all that git said by then, is `unchecked`.
    """
    if not kept:
        return Verdict("unchecked")
    pointer = read_pointer(text)
    state, lines, length = compare(pointer, root, kept, largest=largest)
    if state == "moved":
        now = pointer.at(pointer.path, lines)
        return Verdict("moved", now=now, note=f"moved to {now}")
    if state == "changed":
        return Verdict("changed", note=_changed(pointer, length))
    if state == "gone":
        return _renamed(pointer, kept, root, largest=largest, timeout_s=timeout_s)
    return Verdict(state)


def _renamed(
    pointer: Pointer, kept: bytes, root: str, *, largest: int, timeout_s: float
) -> Verdict:
    """The verdict on a file that is not where it was."""
    if timeout_s <= 0:
        return Verdict("unchecked")
    from onrecord.capture.citation_moves import new_paths  # noqa: PLC0415 - it runs git

    names = new_paths(pointer.path, root, pointer.commit, timeout_s=timeout_s)
    if names is None:
        return Verdict("unchecked")
    differs = ""
    for path in names[:_NAMES]:
        there = Pointer(path, lines=pointer.lines)
        state, lines, _ = compare(there, root, kept, largest=largest)
        if state in ("holds", "moved"):
            now = pointer.at(path, lines)
            return Verdict("moved", now=now, note=f"moved to {now}")
        differs = differs or (path if state == "changed" else "")
    if differs:
        return Verdict("changed", note=f"changed: it is {differs} now and reads differently")
    return Verdict("gone", note="is gone")


def _changed(pointer: Pointer, length: int) -> str:
    if pointer.lines is None:
        return "changed: the file reads differently now"
    first, last = pointer.lines
    if last > length:
        return f"changed: the file has {length} {'line' if length == 1 else 'lines'} now"
    what = f"line {first} reads" if first == last else f"lines {first}-{last} read"
    return f"changed: {what} differently now"
