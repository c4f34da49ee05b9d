"""Secrets that show by how they are written: a prefix, an armour, a URL, a header, a command."""

# Thresholds are measured on corpora and explained where they stand.
# ruff: noqa: PLR2004

from __future__ import annotations

from onrecord.policy import redact_lexicon as lexicon
from onrecord.policy import redact_rules as rules
from onrecord.policy import redact_values as values
from onrecord.policy.redact_scan import Anchors, expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from onrecord.policy.redact_scan import Scan, Span

_PLAIN = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_DIGITS = frozenset("0123456789")
_PREFIXES = tuple(
    (kind, code, least, prefix)
    for kind, code, least, prefixes in rules.PREFIXES
    for prefix in prefixes
)
_ANCHORS = Anchors(tuple((prefix,) for _, _, _, prefix in _PREFIXES))


def prefixed(scan: Scan) -> Iterator[Span]:
    """Tokens that begin as an issuer's tokens begin."""
    for number in _ANCHORS.present(scan.view, scan.data):
        kind, code, least, prefix = _PREFIXES[number]
        tail = expression(rules.TAILS[code])
        at = scan.view.find(prefix)
        while at >= 0:
            begin = end = at + len(prefix)
            if _starts_word(scan.view, at):
                found = tail.match(scan.data, begin)
                end = found.end() if found else begin
                body = scan.view[begin:end].rstrip(".")
                if len(body) >= least and _is_token(body):
                    yield at, begin + len(body), kind
            at = scan.view.find(prefix, end)


def _starts_word(view: str, at: int) -> bool:
    """Whether a token can begin here: after a non-letter, an escape or a percent code."""
    if not at or view[at - 1] not in _PLAIN:
        return True
    return (at >= 2 and view[at - 2] == "\\") or (at >= 3 and view[at - 3] == "%")


def _is_token(body: str) -> bool:
    """Whether the letters after a prefix, or of a layout, are drawn and not written."""
    if values.is_placeholder(body):
        return False
    if len(set(body[: values.LOOK])) < min(8, len(body) // 2):
        return False
    shape = values.Shape(body)
    if not shape.digit and not (shape.lower and shape.upper and shape.change * 5 >= shape.size):
        return False
    return shape.change * 10 >= shape.size - shape.other


def patterned(scan: Scan) -> Iterator[Span]:
    """Secrets of a known layout: keys in armour, URLs, headers, command lines."""
    for number in scan.layouts:
        kind, _, check, pattern = rules.PATTERNS[number]
        passes = _CHECKS[check]
        for found in expression(pattern).finditer(scan.data):
            start, end = _trimmed(scan.view, *_part(found))
            if start < end and passes(scan.read(start, end), scan.view, start):
                yield start, end, kind


def _part(found: Any) -> tuple[int, int]:
    """The first group that matched, or the whole match."""
    for number in range(1, found.re.groups + 1):
        start, end = found.span(number)
        if start >= 0:
            return start, end
    start, end = found.span()
    return start, end


def _trimmed(view: str, start: int, end: int) -> tuple[int, int]:
    """The span without an escape's letters before it and full stops after it."""
    if start and view[start - 1] == "\\" and view[start] in "nrt":
        start += 1
    elif start and view[start - 1] == "%" and view[start : start + 2].isalnum():
        start += 2
    while end > start and view[end - 1] == ".":
        end -= 1
    return start, end


def _is_anything(part: str, view: str, start: int) -> bool:  # noqa: ARG001  # one of `_CHECKS`
    return True


def _is_armour(part: str, view: str, start: int) -> bool:  # noqa: ARG001  # one of `_CHECKS`
    """A key between its lines, and not just the lines or dots between them."""
    return bool(expression("[0-9A-Za-z+/_-]{24}").search(part.encode()))


def _is_jwt(part: str, view: str, start: int) -> bool:  # noqa: ARG001  # one of `_CHECKS`
    """A header and a payload; a header alone is no credential."""
    payload = part.replace("%2E", ".").replace("%2e", ".").partition(".")[2]
    return len(part) >= 30 and len(payload) >= 10


def _is_webhook(part: str, view: str, start: int) -> bool:  # noqa: ARG001  # one of `_CHECKS`
    tail = part.rstrip("/").rpartition("/")[2]
    if len(tail) < 16 and "zapier" not in part:
        return False
    return not values.is_placeholder(part.rpartition("//")[2])


def _is_phrase(part: str, view: str, start: int) -> bool:  # noqa: ARG001  # one of `_CHECKS`
    """Twelve words or more, hardly any of them twice: a wallet's phrase."""
    return len(set(part.split())) > 8


def _is_spread(part: str, view: str, start: int) -> bool:  # noqa: ARG001  # one of `_CHECKS`
    return len(set(part)) >= 8 and not values.is_counted(part)


def _is_bound(part: str, view: str, start: int) -> bool:
    return len(part) >= 16 and _is_token(part) and _starts_word(view, start)


def _is_brief(part: str, view: str, start: int) -> bool:
    """A token of a key's size, and not a stretch of some encoded file."""
    return len(part) <= 100 and _is_bound(part, view, start)


def _is_inner(part: str, view: str, start: int) -> bool:  # noqa: ARG001  # one of `_CHECKS`
    return len(part) >= 16 and _is_token(part)


def _is_mixed(part: str, view: str, start: int) -> bool:
    return not values.is_placeholder(part) and values.is_mixed(part) and _starts_word(view, start)


def _is_key_id(part: str, view: str, start: int) -> bool:
    return (
        _is_spread(part, view, start)
        and _is_value(part, view, start)
        and _starts_word(view, start)
    )


def _is_user_token(part: str, view: str, start: int) -> bool:
    """A token in place of a user's name; Sentry's addresses hold a public key there."""
    after = start + len(part)
    return len(part) >= 20 and _is_token(part) and "sentry" not in view[after : after + 64]


def _is_value(part: str, view: str, start: int) -> bool:  # noqa: ARG001  # one of `_CHECKS`
    return len(part) >= 4 and not values.is_placeholder(part)


def _is_long(part: str, view: str, start: int) -> bool:
    return len(part) >= 20 and len(set(part)) >= 8 and _is_value(part, view, start)


def _is_base64_pair(part: str, view: str, start: int) -> bool:
    """What follows `Basic`: padded or mixed, unlike the next word of a sentence."""
    if not _is_value(part, view, start):
        return False
    return len(part) >= 8 and (part.endswith("=") or values.is_mixed(part))


def _is_credential(part: str, view: str, start: int) -> bool:
    if len(part) < 8 or not _is_value(part, view, start):
        return False
    return part.endswith("=") or any(char in _DIGITS for char in part)


def _is_serial(part: str, view: str, start: int) -> bool:
    return values.is_serial(part) and _is_spread(part, view, start)


def _is_password(part: str, view: str, start: int) -> bool:  # noqa: ARG001  # one of `_CHECKS`
    if len(part) < 3 or values.is_placeholder(part):
        return False
    return part.lower() not in lexicon.STOCK


def _is_strong(part: str, view: str, start: int) -> bool:
    if not _is_value(part, view, start):
        return False
    return values.is_chosen(part) == values.SURELY or values.is_random(part)


def _is_url_password(part: str, view: str, start: int) -> bool:
    """A password in a URL, and not a template, a stock word or the user's name again."""
    low = part.lower()
    if (
        not _is_value(part, view, start)
        or low in lexicon.STOCK
        or part[0] in "{<[*"
        or "}" in part
    ):
        return False
    user = view.rfind("/", 0, start) + 1
    return low != view[user : start - 1].lower()


#: What a match must be, by the name that `PATTERNS` gives: over the secret part as it is
#: written, the whole text as Latin-1 and where the part starts in it.
_CHECKS: dict[str, Callable[[str, str, int], bool]] = {
    "any": _is_anything,
    "armour": _is_armour,
    "jwt": _is_jwt,
    "webhook": _is_webhook,
    "phrase": _is_phrase,
    "spread": _is_spread,
    "token": _is_bound,
    "brief token": _is_brief,
    "inner token": _is_inner,
    "mixed": _is_mixed,
    "key id": _is_key_id,
    "user token": _is_user_token,
    "value": _is_value,
    "long": _is_long,
    "base64 pair": _is_base64_pair,
    "credential": _is_credential,
    "serial": _is_serial,
    "password": _is_password,
    "strong": _is_strong,
    "url password": _is_url_password,
}


def cookies(scan: Scan) -> Iterator[Span]:
    """Values of `Cookie:` and `Set-Cookie:` headers that are random."""
    if not scan.with_cookies:
        return
    for header in expression(rules.COOKIES).finditer(scan.data):
        at = header.start(1)
        for pair in scan.view[at : header.end(1)].split(";"):
            name, _, value = pair.partition("=")
            body = value.strip().strip("\"'")
            if len(body) >= 16 and not values.is_placeholder(body):  # shorter ones are settings
                begin = at + len(name) + 1 + value.find(body)
                if values.is_random(body) or values.is_uuid(body):
                    yield begin, begin + len(body), "session"
            at += len(pair) + 1


def manifests(scan: Scan) -> Iterator[Span]:
    """Values under `data:` and `stringData:` of a Kubernetes Secret, whatever their names."""
    if not scan.with_data or "kind:" not in scan.view:
        return
    end = -1
    for part in expression(rules.SECRET_KINDS).finditer(scan.data):
        if part.start() < end:
            continue  # a second kind in the same document
        start = scan.view.rfind("\n---", 0, part.start()) + 1
        end = scan.view.find("\n---", part.end())
        end = len(scan.view) if end < 0 else end
        for block in expression(rules.SECRET_DATA).finditer(scan.data, start, end):
            yield from _entries(scan, block.end(), end, len(block.group(1)))


def _entries(scan: Scan, at: int, end: int, margin: int) -> Iterator[Span]:
    """The values of the lines that stand deeper than `margin`, up to the first that does not."""
    while at < end:
        stop = scan.view.find("\n", at, end)
        stop = end if stop < 0 else stop
        line = scan.view[at:stop]
        body = line.strip()
        if body and len(line) - len(line.lstrip()) <= margin:
            return
        value = body.partition(": ")[2].strip().strip("\"'").partition(" ")[0]
        if _is_password(value, line, 0):
            begin = at + line.rindex(value)
            yield begin, begin + len(value), "kubernetes_secret"
        at = stop + 1


def opaque(scan: Scan) -> list[Span]:
    """Stretches in which a name, or a word near one, means nothing."""
    out: list[Span] = []
    for number in scan.opaque:
        pattern = rules.OPAQUE[number][1]
        out += [(*found.span(), "") for found in expression(pattern).finditer(scan.data)]
    return out
