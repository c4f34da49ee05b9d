"""Random or password-like words that stand near a name, in prose of any language."""

# Thresholds are measured on corpora and explained where they stand.
# ruff: noqa: PLR2004

from __future__ import annotations

from onrecord.policy import redact_lexicon as lexicon
from onrecord.policy import redact_values as values
from onrecord.policy.redact_scan import MARKER_START, Free, expression
from onrecord.policy.redact_wording import KEY, PASS, PASSWORD, TOKEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from onrecord.policy.redact_scan import Scan, Span

#: How far a word may stand after and before the name that explains it, in bytes.
AFTER_NAME = 160
BEFORE_NAME = 48
#: The same for a digest or an identifier, which need a name close by.
CLOSE = 40
#: The same for a cell of a table, whose column has a name.
IN_TABLE = 480

#: What a word looks like: drawn by a machine, a digest or identifier, chosen by a person.
RANDOM, DIGEST, CHOSEN, PLAIN = "R", "H", "C", ""
_EXPLAINED_BY = {
    CHOSEN: (PASSWORD, PASS),
    DIGEST: (PASSWORD, PASS, TOKEN),
    RANDOM: (PASSWORD, PASS, TOKEN, KEY),
}


def near(scan: Scan, taken: list[Span]) -> Iterator[Span]:
    """Random or password-like words that stand near a name, in prose of any language.

    Words that share characters with a span already `taken` are left to it.
    """
    if not scan.with_numbers or not (scan.names or scan.with_logins):
        return
    hints = {
        shape: _Hints(scan.view, [name for name in scan.names if name[2] in groups])
        for shape, groups in _EXPLAINED_BY.items()
    }
    logins: _Hints | None = None
    free = Free(taken)
    for found in expression(lexicon.WORDS).finditer(scan.data):
        start, end = found.span()
        if end - start < 8:
            continue
        start, value = _word(scan.view, start, end)
        shape = scan.memo.get(value)
        if shape is None:
            shape = scan.memo[value] = _shape(value)
        if not shape or _is_identifier(scan.view, start, value, shape):
            continue
        end = start + len(value)
        if not free.has(start, end):
            continue
        if hints[shape].explain(start, end, shape):
            yield start, end, "password" if shape == CHOSEN else "token"
        elif shape == CHOSEN and _is_marked(value):
            logins = logins or _Hints(scan.view, _logins(scan))
            if logins.explain(start, end, shape):
                yield start, end, "password"


def _logins(scan: Scan) -> list[tuple[int, int, str]]:
    """Names of tokens and words about logging in, in order: they explain a marked password."""
    found = [name for name in scan.names if name[2] == TOKEN]
    if scan.with_logins:
        hits = [hit.span() for hit in expression(lexicon.LOGINS).finditer(scan.data)]
        found += [(start, end, "L") for start, end in hits if not scan.is_in_marker(start)]
        found.sort()
    return found


class _Hints:
    """Names that may explain the words around them; asked in the order of the text."""

    __slots__ = ("_at", "_names", "_view")

    def __init__(self, view: str, names: list[tuple[int, int, str]]) -> None:
        self._view = view
        self._names = names
        self._at = 0

    def explain(self, start: int, end: int, shape: str) -> bool:
        """Whether a name near enough says that the word of this shape is a secret."""
        names = self._names
        while self._at < len(names) and names[self._at][1] < start - IN_TABLE:
            self._at += 1
        for number in range(self._at, len(names)):
            left, right, _ = names[number]
            if left > end + BEFORE_NAME:
                return False
            if right <= start:
                between = self._view[right:start]
                if shape == DIGEST and not _is_told(between):
                    continue
                if len(between) > AFTER_NAME and between.count("\n|") < 2:
                    continue
            elif left >= end and shape != DIGEST:
                between = self._view[end:left]
            else:
                continue
            if "\n\n" not in between and (". " not in between or len(between) < 30):
                return True
        return False


def _word(view: str, start: int, end: int) -> tuple[int, str]:
    """The part of a run of characters that may be the secret, and where it starts."""
    run = view[start:end]
    value = run.lstrip(".,:;*_=|\\/-+#&?")
    start += len(run) - len(value)
    value = value.rstrip(".,:;*_|\\").partition(MARKER_START)[0]
    if "://" in value:
        return start, ""
    for mark in "=:/":
        left, found, right = value.partition(mark)
        if not found or not right or right[0] == "=" or len(left) > 24:
            continue
        if left.replace("_", "").replace("-", "").isalpha() and (
            left.islower() or left.istitle() or (mark != ":" and left.isupper())
        ):
            start += len(left) + 1
            value = right
    password, at, host = value.rpartition("@")
    if at and password and _is_host(host):
        value = password
    return start, value


def _is_host(host: str) -> bool:
    plain = host.replace(".", "").replace("-", "").replace(":", "")
    return plain.isalnum() and ("." in host or host.islower())


def _shape(value: str) -> str:
    """What a word looks like."""
    size = len(value)
    if size < 8 or "%2" in value or "%3" in value or values.is_placeholder(value):
        return PLAIN
    if values.is_uuid(value) or (values.is_hex(value) and size >= 32):
        return DIGEST
    if values.is_hex(value) or values.is_code(value) or _is_json(value):
        return PLAIN
    if size >= 20 and values.is_random(value):
        shape = values.Shape(value)
        return RANDOM if shape.lower > 1 and shape.upper > 1 and shape.digit else DIGEST
    if (
        "/" in value
        or ("&" in value and "=" in value)
        or value.lower().startswith(("sha", "utf", "http", "ghsa-", "cve-", "rfc"))
    ):
        return PLAIN
    return CHOSEN if _is_password_like(value) else PLAIN


def _is_json(value: str) -> bool:
    """Whether the value is one JSON object in base64: a cursor, a header, not a signed token."""
    return value.startswith("eyJ") and "." not in value


def _is_password_like(value: str) -> bool:
    """Whether a person chose it, and not an issue's number or a product's name."""
    if values.is_chosen(value) != values.SURELY:
        return False
    before, mark, number = value.rpartition("#")
    if mark and number.isdigit() and before.replace("-", "").isalpha():
        return False
    shape = values.Shape(value)
    return bool(shape.other) or (shape.size >= 12 and shape.wordy * 2 < shape.size)


def _is_marked(value: str) -> bool:
    """Whether a word is no product or machine: it has a mark, is random or ends in a number."""
    if any(char in "!@#$%^&*?" for char in value):
        return True
    shape = values.Shape(value)
    if shape.rise * 10 >= shape.size * 3:
        return True
    number = value[len(value.rstrip("0123456789")) :]
    return len(number) > 4 or (len(number) > 2 and not number.startswith(("19", "20")))


def _is_identifier(view: str, start: int, value: str, shape: str) -> bool:
    """Whether the words before say it is a digest or an identifier, or it reads as a file."""
    if start and view[start - 1] in "@#$":
        return True
    if view[start + len(value) : start + len(value) + 1] == "(":
        return True
    tail = value.partition("#")[0].rpartition(".")[2]
    if "." in value and tail.isalpha() and len(tail) <= 5:
        return True
    before = view[max(0, start - 40) : start].lower()
    last = before.replace(":", " ").replace("=", " ").rstrip("\"'`( ").rpartition(" ")[2]
    last = last.strip("\"'`(,")
    if last in lexicon.IDENTIFIERS:
        return True
    if shape != DIGEST:
        return False
    clause = before.rpartition(". ")[2]
    return (
        last in lexicon.OWNERS
        or last.endswith("id")
        or any(word in clause for word in lexicon.DIGESTS)
    )


def _is_told(between: str) -> bool:
    """Whether what stands between a name and a digest hands the digest over."""
    if len(between) > CLOSE:
        return False
    gap = between.rstrip("\"'`* ")
    return gap.endswith((":", "=", "(", "->", "=>", " is", " are", " to", " with", "|", "use"))
