"""Lists of words that are asked for a few times only (light).

To make a set of thousands of words takes longer than a hook may take to look up dozens of
them. So the words stay the text that they are written in, and are looked for there.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class WordList:
    """Some hundreds of words, in any order, between white space."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = f" {text.replace(chr(10), ' ')} "

    def __contains__(self, word: str) -> bool:
        """Whether that is one of the words."""
        return f" {word} " in self._text and bool(word) and " " not in word

    def __iter__(self) -> Iterator[str]:
        """Each word, in the order of the text."""
        return iter(self._text.split())


class Lexicon:
    """Thousands of words: those of one first letter together, with a blank line between."""

    __slots__ = ("_lists",)

    def __init__(self, text: str) -> None:
        self._lists = {block[0]: WordList(block) for block in text.strip().split("\n\n")}

    def __contains__(self, word: str) -> bool:
        """Whether that is one of the words."""
        words = self._lists.get(word[:1])
        return words is not None and word in words

    def __iter__(self) -> Iterator[str]:
        """Each word, by its first letter."""
        return (word for words in self._lists.values() for word in words)
