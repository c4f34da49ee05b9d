"""Addresses, options, functions and commits in a text, told from what only looks like them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.capture.citation_patterns import Found, before, compiled, joined, word_before
from onrecord.capture.citation_words import (
    CHANGES,
    COMMIT_WORDS,
    EXTENSIONS,
    NOT_COMMITS,
    NOT_FUNCTIONS,
    OPTION_WORDS,
    PLURALS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_URL = (
    r"(?:[A-Za-z][A-Za-z0-9+.-]{1,15}://|www\.)[!#$%&'()*+,./0-9:;=?@A-Z_a-z~\[\]-]+|"
    r"git@[A-Za-z0-9.-]+:[A-Za-z0-9._/-]+"
)
_VALUE = r"[^\s`\"'<>()\[\]{},;，。、）]+"
_FLAG = (
    rf"--[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*(?:=(?:\"[^\"\n]*\"|'[^'\n]*'|{_VALUE}))?|"
    rf"-[A-Za-z][A-Za-z0-9_-]*(?:={_VALUE})?"
)
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_FUNCTION = (
    rf"([A-Za-z_$][A-Za-z0-9_$]*(?:(?:::|\.|->|#)~?{_NAME})*[!?]?)"
    r"(\((?:[^()\n]|\([^()\n]*\))*\))|"
    rf"{_NAME}(?:(?:::|#){_NAME})+[!?]?"
)
_COMMIT = r"[0-9a-f]{7,40}"
_TRAILING = ".,;:!?'*_~"
#: what stands before a minus sign
_OPERANDS = frozenset("bcdfghjklmnpqrstvwxz0123456789")
_BEFORE_FLAG = "`\"'([{|/,=“„«「"
#: an abbreviated commit id is seldom longer, a whole one has exactly 40 characters
_LONGEST_SHORT, _WHOLE = 16, 40


def urls(text: str) -> Iterator[Found]:
    """Addresses, without the punctuation of the sentence around them."""
    for match in compiled(_URL).finditer(text):
        start, words = match.start(), _closed((match.group() or "").rstrip(_TRAILING))
        if not joined(text, start) and len(words) > words.find("://") + len("://"):
            yield Found(start, start + len(words), "url", words)


def _closed(words: str) -> str:
    """Without the brackets at the end that were opened before the address."""
    for opening, closing in (("(", ")"), ("[", "]")):
        extra = words.count(closing) - words.count(opening)
        while extra > 0 and words.endswith(closing):
            words, extra = words[:-1].rstrip(_TRAILING), extra - 1
    return words


def flags(text: str) -> Iterator[Found]:
    """Options: two dashes, or one dash where the place makes it an option."""
    for match in compiled(_FLAG).finditer(text):
        start, words = match.start(), (match.group() or "").rstrip(".:!?-")
        mark = before(text, start)
        if not (mark.isspace() or mark in _BEFORE_FLAG or not mark.isascii()):
            continue
        if words.startswith("--") or (len(words) > 1 and _is_short(text, start, words)):
            yield Found(start, start + len(words), "flag", words)


def _is_short(text: str, start: int, words: str) -> bool:
    """Whether one dash begins an option, not a difference (`x -y`) or an ending (`-able`)."""
    name, last = words[1:].partition("=")[0], word_before(text, start)
    if len(name) == 1 or name[1:].isdigit():
        return last not in _OPERANDS
    return (
        name[0].isupper()
        or last.startswith("-")
        or last in OPTION_WORDS
        or before(text, start) == "`"
        or _in_ticks(text, start)
    )


def _in_ticks(text: str, at: int) -> bool:
    line = text.rfind("\n", 0, at) + 1
    return text.count("`", line, at) % 2 == 1


def functions(text: str) -> Iterator[Found]:
    """Names with their brackets, and qualified names of methods without."""
    for match in compiled(_FUNCTION).finditer(text):
        start, words, name = match.start(), match.group() or "", match.group(1)
        if joined(text, start) or before(text, start) in "$:/@.-\\#&":
            continue
        arguments, after = (match.group(2) or "")[1:-1], text[match.end() : match.end() + 1]
        if _is_called(name, arguments, after) if name else _is_method(words):
            yield Found(start, match.end(), "function", words)


def _is_called(name: str, arguments: str, after: str) -> bool:
    """Whether brackets call something, not `file(s)`, `fix(cli):`, `RTT(ms)` or `O(n)`."""
    if len(name) == 1 or name in NOT_FUNCTIONS or arguments in PLURALS:
        return False
    if after == ":" and name.rstrip("!") in CHANGES:
        return False
    if arguments.isdecimal() and "." in name and name.rpartition(".")[2] in EXTENSIONS:
        return False  # lens.py(40) is a line
    return not (name.isupper() and arguments.isalpha() and arguments.islower())


def _is_method(words: str) -> bool:
    """`Gate::open`, not a module (`std::fs`), nor a variant (`Error::Closed`), nor `QUAY#a`."""
    *owners, last = words.replace("#", "::").split("::")
    owned = "_" in last or any(name[0].isupper() for name in owners)
    return owned and last[0].islower() and not owners[0].isupper()


def commits(text: str) -> Iterator[Found]:
    """Commit ids; words and numbers only where a commit is spoken of."""
    for match in compiled(_COMMIT).finditer(text):
        start, end, words = match.start(), match.end(), match.group() or ""
        after, next_one = text[end : end + 1], text[end + 1 : end + 2]
        if joined(text, start) or before(text, start) in "#-/&" or after in ("-", "_", "/"):
            continue
        if (after.isascii() and after.isalnum()) or (after == "." and next_one.isalnum()):
            continue
        if _is_commit(words, word_before(text, start)):
            yield Found(start, end, "commit", words)


def _is_commit(words: str, last: str) -> bool:
    if last in COMMIT_WORDS:
        return True
    mixed = any(char.isdigit() for char in words) and any(char.isalpha() for char in words)
    number = words.replace("e", "", 1).isdecimal()  # 12e345678
    usual = len(words) <= _LONGEST_SHORT or len(words) == _WHOLE
    return mixed and usual and not number and last not in NOT_COMMITS
