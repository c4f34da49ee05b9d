"""Where the secrets of a text are: the finders that the rules drive.

A finder reads a `Scan` and yields `(start, end, kind)` in bytes of the UTF-8 text. Spans may
overlap; `onrecord.policy.redact` joins them. Expressions run in RE2's Latin-1 mode over those
bytes, and Python looks at the same bytes as Latin-1 characters, so one offset serves both.
"""

from __future__ import annotations

from onrecord.policy import redact_rules as rules
from onrecord.policy import redact_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Span = tuple[int, int, str]

#: Bytes of a value that are looked at, and how far a name reaches before and after itself.
REACH = 512
BEFORE = 90
AFTER = 48

_PLAIN = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_compiled: dict[str, Any] = {}
_options: list[Any] = []


def expression(pattern: str) -> Any:
    """The compiled expression over bytes, compiled once and only when first wanted."""
    found = _compiled.get(pattern)
    if found is None:
        import re2  # noqa: PLC0415  # a text without any anchor never needs it

        if not _options:
            options = re2.Options()
            options.encoding = re2.Options.Encoding.LATIN1
            _options.append(options)
        found = _compiled[pattern] = re2.compile(pattern.encode(), _options[0])
    return found


def opaque(scan: Scan) -> list[tuple[int, int]]:
    """Stretches in which a name, or a word near one, means nothing."""
    out: list[tuple[int, int]] = []
    for anchor, pattern in rules.OPAQUE:
        if anchor in scan.low:
            out += [found.span() for found in expression(pattern).finditer(scan.data)]
    return out


class Scan:
    """One text under examination: its bytes, the same as Latin-1, lower-cased, and its names."""

    __slots__ = ("data", "low", "names", "plain", "view")

    def __init__(self, text: str) -> None:
        #: Whether the text is ASCII.
        self.plain = text.isascii()
        self.data = text.encode("utf-8", "surrogatepass")
        self.view = text if self.plain else self.data.decode("latin-1")
        self.low = self.view.lower()
        #: (start, end, class) of each name, in order; filled by `named`.
        self.names: list[tuple[int, int, str]] = []


def prefixed(scan: Scan) -> Iterator[Span]:
    """Tokens that begin as an issuer's tokens begin."""
    view = scan.view
    for kind, code, least, prefixes in rules.PREFIXES:
        for prefix in prefixes:
            if prefix in view:
                yield from _after_prefix(scan, kind, code, least, prefix)


def _after_prefix(scan: Scan, kind: str, code: str, least: int, prefix: str) -> Iterator[Span]:
    view = scan.view
    tail = expression(rules.TAILS[code])
    at = view.find(prefix)
    while at >= 0:
        begin = end = at + len(prefix)
        if _starts_word(view, at):
            found = tail.match(scan.data, begin)
            if found:
                end = found.end()
                body = view[begin:end].rstrip(".")
                if len(body) >= least and _is_token(body):
                    yield at, begin + len(body), kind
        at = view.find(prefix, end)


def _starts_word(view: str, at: int) -> bool:
    """Whether a token can begin here: after a non-letter, an escape or a percent code."""
    if not at or view[at - 1] not in _PLAIN:
        return True
    return (at > 1 and view[at - 2] == "\\") or (at > 2 and view[at - 3] == "%")


def _is_token(body: str) -> bool:
    if values.is_placeholder(body):
        return False
    if len(set(body[: values.LOOK])) < min(8, len(body) // 2):
        return False
    shape = values.Shape(body)
    if not shape.digit and not (shape.lower and shape.upper and shape.change * 5 >= shape.size):
        return False
    return shape.change * 8 >= shape.size - shape.other


def patterned(scan: Scan) -> Iterator[Span]:
    """Secrets of a known layout: keys in armour, URLs, headers, command lines."""
    low = scan.low
    for kind, anchors, pattern, check in rules.PATTERNS:
        for anchor in anchors:
            if anchor in low:
                for found in expression(pattern).finditer(scan.data):
                    start, end = _part(found)
                    if check in ("token", "jwt", "any", "long"):
                        start, end = _trimmed(scan.view, start, end)
                    if start < end and _passes(check, scan.view[start:end], scan, start):
                        yield start, end, kind
                break


def _trimmed(view: str, start: int, end: int) -> tuple[int, int]:
    """The span without an escape's letters before it and full stops after it."""
    if start and view[start - 1] == "\\" and view[start] in "nrt":
        start += 1
    elif start and view[start - 1] == "%" and view[start : start + 2].isalnum():
        start += 2
    while end > start and view[end - 1] == ".":
        end -= 1
    return start, end


def _part(found: Any) -> tuple[int, int]:
    """The first group that matched, or the whole match."""
    for number in range(1, found.re.groups + 1):
        start, end = found.span(number)
        if start >= 0:
            return start, end
    start, end = found.span()
    return start, end


def _passes(check: str, part: str, scan: Scan, start: int) -> bool:  # noqa: C901, PLR0911, PLR0912  # a table of checks
    if check == "any":
        return True
    if check == "armour":
        return values.longest_run(part) >= 24
    if check == "jwt":
        return (
            len(part) >= 30
            and part.count(".") + part.lower().count("%2e") >= 1
            and (len(part.partition(".")[2]) >= 10 or "%2" in part)
        )
    if check == "webhook":
        tail = part.rstrip("/").rpartition("/")[2]
        return len(tail) >= 16 and not values.is_placeholder(part.rpartition("//")[2])
    if check == "words":
        return len(set(part.split())) > 8
    if values.is_placeholder(part):
        return False
    if check == "token":
        return _is_token(part) and len(part) >= 16 and _starts_word(scan.view, start)
    if check == "key_id":
        return len(set(part)) >= 8 and _starts_word(scan.view, start)
    if check == "long":
        return len(part) >= 20 and len(set(part)) >= 8
    if check == "bearer":
        return len(part) >= 16 and _is_token(part)
    if check == "base64_pair":
        return part.endswith("=") or values.is_mixed(part)
    if check == "credential":
        return len(part) >= 8 and (part.endswith("=") or any(c in "0123456789" for c in part))
    if check == "url_password":
        return _is_url_password(part, scan.view, start)
    if check == "strong":
        return values.is_chosen(part) == 2 or values.is_random(part)
    if check == "password":
        return part.lower() not in values.STOCK and len(part) >= 3
    return len(part) >= 4


def _is_url_password(part: str, view: str, start: int) -> bool:
    low = part.lower()
    if len(part) < 4 or low in values.STOCK or part[0] in "{<[*" or "${" in part or "}" in part:
        return False
    user = view.rfind("/", 0, start) + 1
    return low != view[user : start - 1].lower()
