"""What is told of a command line that cannot be read: names of options, never what was given.

A value may be a token that landed behind the wrong option, and errors end up in logs.
"""

from __future__ import annotations

_UNKNOWN = "unrecognized arguments: "
_CHOICE = "invalid choice: "
_CHOICES = " (choose from "
_EXPLICIT = "ignored explicit argument "
#: Longest name of an option that is told.
_MAX_NAME = 32


def without_values(message: str) -> str:
    """A complaint of the parser with every value that it repeats taken out."""
    if message.startswith(_UNKNOWN):
        return _unknown(message[len(_UNKNOWN) :].split())
    before, found, rest = message.partition(_CHOICE)
    if found:
        _, _, choices = rest.rpartition(_CHOICES)
        return f"{before}there is no such choice; choose from {choices.removesuffix(')')}"
    before, found, _ = message.partition(_EXPLICIT)
    if found:
        return f"{before}it takes no value"
    before, found, rest = message.partition(": invalid ")
    kind, found_value, _ = rest.partition(" value: ")
    return f"{before}: that is no {kind}" if found and found_value else message


def _unknown(words: list[str]) -> str:
    """Unknown options by name; other words are counted."""
    names: list[str] = []
    others = 0
    for word in words:
        name = word.partition("=")[0]
        if _is_name(name):
            names.append(name)
        else:
            others += 1
    told = ", ".join(dict.fromkeys(names))
    if told and not others:
        return f"{_UNKNOWN}{told}"
    more = "1 more word" if others == 1 else f"{others} more words"
    words_told = "1 word" if others == 1 else f"{others} words"
    return f"{_UNKNOWN}{told} and {more}" if told else f"{words_told} too many"


def _is_name(word: str) -> bool:
    """Whether a word can be an option's name; anything else may be a value."""
    bare = word.lstrip("-").replace("-", "")
    dashes = len(word) - len(word.lstrip("-"))
    return dashes in (1, 2) and bare.isascii() and bare.isalpha() and len(word) <= _MAX_NAME
