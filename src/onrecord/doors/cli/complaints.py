"""What is told of a command line that cannot be read: names of options, never what was given.

A value may be a token that landed behind the wrong option, and errors end up in logs.
"""

from __future__ import annotations

import re

_UNKNOWN = "unrecognized arguments: "
#: an option's name is made of these; anything else may be a value
_NAME = re.compile(r"--?[A-Za-z][A-Za-z-]{0,30}")
_CHOICE = re.compile(r"(?s)invalid choice: .* \(choose from (.*)\)\Z")
_TYPED = re.compile(r"(?s)invalid (\w+) value: .*\Z")
_EXPLICIT = re.compile(r"(?s)ignored explicit argument .*\Z")


def without_values(message: str) -> str:
    """A complaint of the parser with every value that it repeats taken out."""
    if message.startswith(_UNKNOWN):
        return _unknown(message[len(_UNKNOWN) :].split())
    for pattern, told in (
        (_CHOICE, r"there is no such choice; choose from \1"),
        (_TYPED, r"that is no \1"),
        (_EXPLICIT, "it takes no value"),
    ):
        message = pattern.sub(told, message)
    return message


def _unknown(words: list[str]) -> str:
    """Unknown options by name; other words are counted."""
    names: list[str] = []
    others = 0
    for word in words:
        name = word.partition("=")[0]
        if _NAME.fullmatch(name):
            names.append(name)
        else:
            others += 1
    told = ", ".join(dict.fromkeys(names))
    if told and not others:
        return f"{_UNKNOWN}{told}"
    words_told = "1 word" if others == 1 else f"{others} words"
    return f"{_UNKNOWN}{told} and {words_told}" if told else f"{words_told} too many"
