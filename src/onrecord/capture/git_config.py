"""Git's settings files, read as data: nothing in them is ever run."""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: Bytes of one settings file that are looked at; a longer one is cut there.
MAX_BYTES = 262_144

_MAX_FILES = 16
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}


def read_regular(path: str, limit: int = MAX_BYTES) -> str | None:
    """At most `limit` bytes of a regular file as text; None for anything else.

    Never waits: a pipe or a device in the file's place is left alone.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        parts: list[bytes] = []
        while limit > 0 and (part := os.read(descriptor, min(limit, 65_536))):
            parts.append(part)
            limit -= len(part)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return b"".join(parts).decode("utf-8", "replace")


def settings(path: str) -> list[tuple[str, str, str, str]]:
    """Every (section, subsection, key, value) of a file and of the files it includes.

    Sections and keys are lowercase. Conditional includes are not followed.
    """
    found: list[tuple[str, str, str, str]] = []
    waiting, opened = [path], 0
    while waiting and opened < _MAX_FILES:
        current = waiting.pop()
        opened += 1
        text = read_regular(current)
        for entry in parse(text or ""):
            found.append(entry)
            if entry[0] == "include" and entry[2] == "path" and entry[3]:
                target = os.path.expanduser(entry[3])  # noqa: PTH111 - pathlib is too slow here
                waiting.append(os.path.join(os.path.dirname(current), target))  # noqa: PTH118, PTH120
    return found


def parse(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Every (section, subsection, key, value) of a settings text; what is malformed is skipped."""
    section = subsection = ""
    lines = iter(text.lstrip("\ufeff").replace("\r\n", "\n").split("\n"))
    for whole in lines:
        line = whole.strip()
        if line.startswith("["):
            section, subsection, line = _header(line)
        name, equals, rest = line.partition("=")
        key = name.strip().lower()
        if section and key.replace("-", "").isalnum():
            yield section, subsection, key, _value(rest, lines) if equals else "true"


def _header(line: str) -> tuple[str, str, str]:
    """`[section "subsection"] rest`; an empty section where it is malformed."""
    at, quoted, part = 1, False, ["", ""]
    while at < len(line):
        char = line[at]
        if char == "\\" and quoted:
            at += 1
            char = line[at : at + 1]
            part[1] += char
        elif char == '"':
            quoted = not quoted
        elif char == "]" and not quoted:
            name, dot, after = part[0].strip().lower().partition(".")
            return name, after if dot else part[1], line[at + 1 :].strip()
        else:
            part[quoted] += char
        at += 1
    return "", "", ""


def _value(rest: str, lines: Iterator[str]) -> str:
    """The value after `=`: quotes, escapes, comments and lines that go on."""
    if not any(char in rest for char in '"\\#;'):
        return rest.strip()
    out, kept, quoted = "", 0, False
    rest = rest.lstrip()
    at = 0
    while at < len(rest):
        char = rest[at]
        if char == "\\":
            if at + 1 == len(rest):
                rest, at = next(lines, ""), 0
                continue
            at += 1
            out += _ESCAPES.get(rest[at], rest[at])
            kept = len(out)
        elif char == '"':
            quoted = not quoted
            kept = len(out)
        elif char in "#;" and not quoted:
            break
        else:
            out += char
            if quoted or not char.isspace():
                kept = len(out)
        at += 1
    return out[:kept]
