"""What a cited file holds, as a digest: kept when it is cited, compared when it is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from onrecord.capture import citation_tree, citations
from onrecord.capture.citation_tree import Pointer
from onrecord.capture.citations import Citation


def cited_files(text: str, limit: int) -> list[Citation]:
    """The files and lines that a text cites, each once."""
    return files_of(citations.find(text), limit)


def files_of(cites: Iterable[Citation], limit: int) -> list[Citation]:
    """The files and lines among citations, each once."""
    found = (one for one in cites if one.kind in ("file", "line"))
    return list({(one.target, one.lines): one for one in found}.values())[:limit]


def parsed(pointer: str) -> Citation | None:
    """A pointer such as `src/app.py@c0ffee1:3-9` as a citation; None where it names no file."""
    found = cited_files(pointer, 1)
    if not found:
        return None
    lines = citation_tree.read_pointer(pointer).lines
    if found[0].lines is None and "@" in pointer and lines is not None:
        return replace(found[0], kind="line", lines=lines)
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
    try:
        lines = citation_tree.lines_of(citation.target, root)
    except OSError:
        return b""
    if lines is None:
        return b""
    if citation.lines is None:
        return citation_tree.whole(lines)
    first, last = citation.lines
    return citation_tree.digest(lines[first - 1 : last])


def compare(citation: Citation, root: str, kept: bytes) -> str:
    """What became of it: `holds`, `moved` in its file, `changed`, `gone` or `unchecked`."""
    pointer = Pointer(citation.target, lines=citation.lines)
    return citation_tree.compare(pointer, root, kept)[0]
