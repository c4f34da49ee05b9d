"""What a cited file holds, as a digest: kept when it is cited, compared when it is read."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from dataclasses import replace

from onrecord.capture import citations
from onrecord.capture.citations import Citation

#: Files beyond this are not read; their citations are not compared.
_LARGEST = 2 * 1024 * 1024
#: Digests that a process remembers, by what the file system says of the file.
_REMEMBERED = 512

_known: OrderedDict[tuple[object, ...], list[bytes]] = OrderedDict()


def cited_files(text: str, limit: int) -> list[Citation]:
    """The files and lines that a text cites, each once."""
    found = (one for one in citations.find(text) if one.kind in ("file", "line"))
    return list({(one.target, one.lines): one for one in found}.values())[:limit]


def parsed(pointer: str) -> Citation | None:
    """A pointer such as `src/app.py@c0ffee1:3-9` as a citation; None where it names no file."""
    found = cited_files(pointer, 1)
    if not found:
        return None
    tail = pointer.rpartition(":")[2]
    first, _, last = tail.partition("-")
    if found[0].lines is None and "@" in pointer and first.isdecimal():
        return replace(found[0], kind="line", lines=(int(first), int(last or first)))
    return found[0]


def pointer_of(citation: Citation, commit: str) -> str:
    """Where it points, with the commit that was checked out."""
    at = f"@{commit[:12]}" if commit else ""
    if citation.lines is None:
        return f"{citation.target}{at}"
    first, last = citation.lines
    return f"{citation.target}{at}:{first}" + (f"-{last}" if last != first else "")


def digest_of(citation: Citation, root: str) -> bytes:
    """The digest of the cited lines, or of the whole file; empty where it does not hold."""
    if not citations.holds(citation, root).ok:
        return b""
    lines = _lines(citation.target, root)
    if lines is None:
        return b""
    if citation.lines is None:
        return hashlib.sha256(b"".join(lines)).digest()
    first, last = citation.lines
    return _of(lines[first - 1 : last])


def compare(citation: Citation, root: str, kept: bytes) -> str:
    """What became of it in the working tree: `holds`, `moved`, `changed` or `gone`.

    Lines that stand elsewhere in their file still hold (`moved`).
    """
    if not citations.holds(replace(citation, kind="file", lines=None), root).ok:
        return "gone"
    if digest_of(citation, root) == kept:
        return "holds"
    lines = _lines(citation.target, root)
    if citation.lines is None or lines is None:
        return "changed"
    size = citation.lines[1] - citation.lines[0] + 1
    spread = range(max(0, len(lines) - size + 1))
    return "moved" if any(_of(lines[at : at + size]) == kept for at in spread) else "changed"


def _of(lines: list[bytes]) -> bytes:
    return hashlib.sha256(b"".join(line.rstrip() + b"\n" for line in lines)).digest()


def _lines(target: str, root: str) -> list[bytes] | None:
    """The lines of a plain file below the root; None where there is none, or a large one."""
    try:
        file = citations.open_inside(target, root)
    except OSError:
        return None
    with open(file, "rb") as source:  # noqa: PTH123 - a descriptor, not a path
        seen = os.fstat(source.fileno())
        if seen.st_size > _LARGEST:
            return None
        key = (seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns)
        if key in _known:
            _known.move_to_end(key)
            return _known[key]
        lines = source.read(_LARGEST).splitlines(keepends=True)
    _known[key] = lines
    if len(_known) > _REMEMBERED:
        _known.popitem(last=False)
    return lines
