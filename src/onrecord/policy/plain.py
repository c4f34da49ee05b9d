"""Names that cannot hold a secret, told without loading the rules that find one (light)."""

from __future__ import annotations

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_MARKS = "._-~+/"
_PLAIN = _LETTERS | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") | frozenset(_MARKS)
_HEX = frozenset("0123456789abcdef")
_UUID = (8, 4, 4, 4, 12)
_UUID_SIZE = 36

#: What a path's part may have before an id: how clients name their transcripts.
_DATED = "rollout-"

#: Longest words of letters alone, in one case, that are not taken for something random.
_LONGEST = 24
_LONGEST_UPPER = 11
#: Longest word of letters and a number behind them, such as `python311`.
_LONGEST_NUMBERED = 13
#: Longest word of any other kind; one stands in a part, since more make a token with marks in it.
_LONGEST_ODD = 8


def looks_plain(name: str) -> bool:
    """Whether every part of a name, branch or path is a word, a number or a UUID.

    True means that redaction would find nothing in it; False means that it has to look.
    """
    if not _PLAIN.issuperset(name):
        return False
    low = name.lower()
    if any(stem in low for stem in ("pass", "pwd", "secret", "token", "cred", "key", "auth")):
        return False
    return all(_is_plain_part(part) for part in name.split("/"))


def _is_plain_part(part: str) -> bool:
    bare = part.removesuffix(".jsonl")
    if _is_uuid(bare):
        return True
    if bare.startswith(_DATED) and _is_uuid(bare[-_UUID_SIZE:]):
        return len(bare) <= len(_DATED) + len("2026-01-01T00-00-00-") + _UUID_SIZE
    for mark in "-.~+":
        part = part.replace(mark, "_")
    odd = [word for word in part.split("_") if not _is_word(word)]
    return not odd or (len(odd) == 1 and len(odd[0]) <= _LONGEST_ODD)


def _is_uuid(text: str) -> bool:
    words = text.split("-")
    return tuple(map(len, words)) == _UUID and all(map(_HEX.issuperset, words))


def _is_word(word: str) -> bool:
    letters = word.rstrip("0123456789")
    if not letters:
        return len(word) < _LONGEST_NUMBERED
    if letters != word and len(word) > _LONGEST_NUMBERED:
        return False
    if not letters.isalpha():
        return False
    tail = letters[1:]
    small = not tail or tail == tail.lower()
    return len(letters) <= (_LONGEST if small else _LONGEST_UPPER) and (
        small or letters == letters.upper()
    )
