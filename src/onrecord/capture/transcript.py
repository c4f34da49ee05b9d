"""Finding which session a tool call belongs to in the clients' own transcripts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from onrecord.capture.agents.base import is_id

#: How many of the newest transcripts are searched, and how much of each one's end, in bytes.
MAX_FILES = 24
MAX_TAIL = 512 * 1024


def claude_session_of(call: str, home: str, environ: Mapping[str, str]) -> str:
    """The Claude Code session whose transcript holds a tool use id.

    The id stands in the transcript before the call reaches a server, so this needs no hook; a
    subagent's stands in a file below its session's. Empty where no transcript holds it, and
    where those of several sessions do.
    """
    if not is_id(call):
        return ""
    given = environ.get("CLAUDE_CONFIG_DIR", "")
    folder = Path(given if given.startswith("/") else f"{home}/.claude") / "projects"
    wanted = f'"{call}"'.encode()
    found = {_session(path) for path in _newest(folder) if wanted in _tail(path)}
    name = found.pop() if len(found) == 1 else ""
    return name if is_id(name) else ""


def _session(path: Path) -> str:
    """`<session>.jsonl`, or `<session>/subagents/agent-<id>.jsonl`."""
    return path.parent.parent.name if path.parent.name == "subagents" else path.stem


def _newest(folder: Path) -> Iterator[Path]:
    found: list[tuple[float, Path]] = []
    for pattern in ("*/*.jsonl", "*/*/subagents/*.jsonl"):
        for path in folder.glob(pattern):
            try:
                found.append((path.lstat().st_mtime, path))
            except OSError:
                continue
    yield from (path for _, path in sorted(found, key=lambda f: -f[0])[:MAX_FILES])


def _tail(path: Path) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        size = os.fstat(descriptor).st_size
        return os.pread(descriptor, MAX_TAIL, max(0, size - MAX_TAIL))
    except OSError:
        return b""
    finally:
        os.close(descriptor)
