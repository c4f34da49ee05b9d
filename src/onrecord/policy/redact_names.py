"""Values of names: `password=...`, `"apiKey": "..."`, `the token is ...`, `--secret ...`."""

# Thresholds are measured on corpora and explained where they stand.
# ruff: noqa: PLR2004

from __future__ import annotations

from onrecord.policy import redact_lexicon as lexicon
from onrecord.policy import redact_values as values
from onrecord.policy.redact_scan import MARKER_START, REACH, expression
from onrecord.policy.redact_verdict import ARGUMENT, OPERATOR, PAIR, SPACE, VERB, accepts
from onrecord.policy.redact_wording import CODES, classify, kind_of, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from onrecord.policy.redact_scan import Scan, Span

#: A scheme before a value that is not part of it.
_SCHEMES = ("pass:", "base64:", "plain:", "{noop}")


def named(scan: Scan) -> Iterator[Span]:
    """Values assigned to names that carry secrets, in any layout `JOINS` knows.

    Fills `scan.names` for `near`.
    """
    view = scan.view
    size = len(view)
    places = _places(scan)
    following = iter([*places[1:], (size, size)])
    for start, end in places:
        ahead, past = next(following)
        words, group = _grouped(scan, start, end)
        if not group or scan.is_in_marker(start):
            continue
        scan.names.append((start, end, group))
        if ahead <= end + 3 and view[past : past + 1] in (":", "=", "\xe6"):
            continue  # the next name begins right here and has a value of its own
        if view[end : end + 1] == " " and _is_plain_next(view, end + 1, start):
            continue
        found = expression(lexicon.JOINS).match(scan.data, end, min(size, end + REACH))
        span = _value(scan, start, found, group, words) if found else None
        if span:
            kind = kind_of(words, group)
            yield *span, kind
            if group == CODES:
                yield from _more(scan, *span, kind)


def _grouped(scan: Scan, start: int, end: int) -> tuple[tuple[str, ...], str]:
    """The words of the name at a place, with those before it that belong to it, and its group."""
    name = scan.view[start:end]
    words = scan.memo.get(("words", name))
    if words is None:
        words = scan.memo["words", name] = words_of(scan.read(start, end))
    if len(words) == 1 and words[0] not in lexicon.PASSWORD_WORDS:
        words = (*_words_before(scan.view, start), *words)
    group = scan.memo.get(words)
    if group is None:
        group = scan.memo[words] = classify(words)
    return words, group


def _more(scan: Scan, start: int, end: int, kind: str) -> Iterator[Span]:
    """The codes that follow the first of a list: as long, and with a digit."""
    size = end - start
    for found in expression(lexicon.CODES).finditer(scan.data, end, end + REACH):
        left, right = found.span()
        if right - left == size and any(char.isdigit() for char in scan.view[left:right]):
            yield left, right, kind


def _is_plain_next(view: str, at: int, start: int) -> bool:
    """Whether an ordinary short word follows a name after a space: most names in prose."""
    stop = view.find(" ", at, at + 8)
    word = view[at:stop] if stop > at else ""
    return word.isalpha() and view[start] != "-" and word.lower() not in lexicon.JOINING_WORDS


def _places(scan: Scan) -> list[tuple[int, int]]:
    places: list[tuple[int, int]] = []
    if scan.with_names:
        places += [found.span() for found in expression(lexicon.NAMES).finditer(scan.data)]
    if not scan.plain:
        places += [found.span() for found in expression(lexicon.WIDE_NAMES).finditer(scan.data)]
        places.sort()
    return places


def _words_before(view: str, start: int) -> tuple[str, ...]:
    """Up to two plain words that stand directly before a one-word name, on its line."""
    before = view[max(0, start - 32) : start]
    if not before or before[-1] not in " -_":
        return ()
    words = before.rpartition("\n")[2].replace("-", " ").replace("_", " ").split()[-2:]
    out: tuple[str, ...] = ()
    for word in reversed(words):
        plain = word.strip("\"'`(*")
        if not plain.isalpha() or plain.lower() in lexicon.FILLERS:
            break
        out = (plain.lower(), *out)
        if plain != word:
            break
    return out


def _value(
    scan: Scan, start: int, found: Any, group: str, words: tuple[str, ...]
) -> tuple[int, int] | None:
    """Where the value of a name is, if it has one and that is a secret."""
    view = scan.view
    if view[max(0, start - 2) : start] == "//" or _is_in_arn(view, start):
        return None
    end = found.start()
    left, right = found.span(1)
    how = _how(view[end : left if left >= 0 else found.end()])
    quoted, begin, value = _read(scan, found.end(), view[left:right] if left >= 0 else "")
    if (how == ARGUMENT and not quoted) or len(value) < 4:
        return None
    name = view[start:end]
    loud = name.isupper()
    if how == SPACE:
        if name[0] == "-" or (loud and "_" in name):
            how = OPERATOR
        elif len(value) < 8 and not quoted:
            return None  # an ordinary next word
    tight = loud or quoted or name[0] == "-" or _is_in_string(view, start, found.end())
    phrase = "passphrase" in words
    key = (value, group, how, quoted, tight, phrase)
    judged = scan.memo.get(key)
    if judged is None:
        said = scan.read(begin, begin + len(value))
        judged = accepts(group, said, how, quoted=quoted, tight=tight, phrase=phrase)
        scan.memo[key] = judged
    return (begin, begin + len(value)) if judged else None


def _how(joined: str) -> int:
    """Which way of joining the text between a name and its value is."""
    word = joined.strip(" \t")
    if not word:
        return SPACE
    if joined[0] in " \t" and (word[0].isalpha() or word in ("-", "\xe2\x80\x93", "\xe2\x80\x94")):
        return PAIR if word[-1] in ":=" and word[:5].lower() in ("value", "defau") else VERB
    if word.lstrip("\\\"'") == ",":
        return ARGUMENT
    return PAIR if "value" in word or "default" in word or word[:2] in ("-b", "--") else OPERATOR


def _is_in_arn(view: str, start: int) -> bool:
    """Whether the name is a field of an Amazon resource name."""
    at = view.rfind("arn:", max(0, start - 90), start)
    return at >= 0 and " " not in view[at:start]


def _is_in_string(view: str, start: int, begin: int) -> bool:
    """Whether the name stands in a connection string or a query: `;Pwd=`, `?key=`, `&token=`."""
    return start > 0 and view[start - 1] in ";?&," and view[begin - 1] == "="


def _read(scan: Scan, begin: int, quote: str) -> tuple[bool, int, str]:
    """The value after a join: whether it is quoted, where it starts, its text."""
    view = scan.view
    if quote:
        mark = quote
        if not scan.plain or quote[0] == "<":
            opened = quote.encode("latin-1").decode("utf-8", "replace")
            mark = lexicon.CLOSERS.get(opened, opened).encode().decode("latin-1")
        close = view.find(mark, begin, begin + REACH)
        if close >= 0 and view.find("\n", begin, close) < 0:
            value = view[begin:close].partition(MARKER_START)[0]
            return True, begin, value.removesuffix("\\n").removesuffix("\\r")
    begin, value = _bare(scan, begin)
    return False, begin, value


def _bare(scan: Scan, begin: int) -> tuple[int, str]:
    """An unquoted value from `begin` on: where it starts and its text."""
    view = scan.view
    while view[begin : begin + 1] in ("(", "[", "{"):
        begin += 1
    end = expression(lexicon.BARE).match(scan.data, begin, begin + REACH).end()
    if view[end : end + 1] == "%" and view[end + 1 : end + 2] != "2":
        end += 1
    value = view[begin:end].partition(MARKER_START)[0]
    if "&" in value:
        value = _before_field(value.partition("&quot;")[0].partition("&#")[0])
    for opener, closer in ("()", "[]", "{}"):
        if closer in value and opener not in value:
            value = value.partition(closer)[0]
    inner = _core(value)
    return begin + len(value) - len(inner), inner.rstrip(".:*")


def _before_field(value: str) -> str:
    """The value up to the next field of a query string: `&name=`."""
    at = value.find("&")
    while at >= 0:
        if value[at + 1 :].partition("=")[0].replace("-", "_").isidentifier():
            return value[:at]
        at = value.find("&", at + 1)
    return value


def _core(value: str) -> str:
    """The value without a `name=`, a `user:` or a scheme in front of it."""
    left, found, right = value.partition("=")
    if found and right and right[0] != "=" and len(left) <= 32 and left.isidentifier():
        value = right
    for scheme in _SCHEMES:
        if value.startswith(scheme):
            return value[len(scheme) :]
    left, found, right = value.partition(":")
    user = found and left.isalpha() and len(left) <= 20 and len(right) >= 6 and right[0] != "/"
    return right if user and not values.is_hex(right) else value
