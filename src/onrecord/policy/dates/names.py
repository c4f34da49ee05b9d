"""Date words that are names here, or that are spoken about: the Today tab, `called tomorrow`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.policy.dates.words import MONTHS, WEEKDAYS, word_set
from onrecord.policy.regex import Pattern

if TYPE_CHECKING:
    from onrecord.policy.dates.context import Context
    from onrecord.policy.dates.guards import Span

_SPOKEN_ABOUT = Pattern(
    r"(?i)\b(?:words?|terms?|literals?|keywords?|named|called|titled|labell?ed|alias|strings?|"
    r"rename|reads|spelled|spelt|enter|typing|"
    r"(?:values?|names?|labels?|options?|keywords?|aliases|words|inputs?|phrases?|placeholders?)"
    r"(?: like| such as| are| is|:))\s\z"
)
#: words with a capital wherever they stand
_CAPITALISED = tuple(name[:3] for name in (*WEEKDAYS, *MONTHS))
#: a capital on one of these inside a phrase makes a title: "The Day After Tomorrow"
_NOUNS = word_set(
    "day week weekend month quarter year night morning evening yesterday today tomorrow now ago"
)
_JOINTS = ("", "and", "or", "/")
#: how far words are looked for that say what is spoken about, in code points
_NEAR = 32


class Names:
    """Finds the date words of a text that name a thing."""

    def __init__(self, context: Context) -> None:
        """Nothing has been found yet."""
        self._context = context
        self._spoken: set[int] = set()

    def name(self, span: Span) -> bool:
        """Whether the words are a name, or are spoken about instead of used."""
        head = self._context.text[max(0, span.start - _NEAR) : span.start]
        if _SPOKEN_ABOUT.search(head) or self._goes_on(head, span.start):
            self._spoken.add(span.end)
            return True
        return self._capitals(span)

    def _goes_on(self, head: str, start: int) -> bool:
        """Whether a list goes on in which a word was spoken about: "today, tomorrow and ..."."""
        joints = (back for back in range(1, len(", and ") + 1) if start - back in self._spoken)
        return any(head[-back:].strip(" ,") in _JOINTS for back in joints)

    def _capitals(self, span: Span) -> bool:
        """Whether capitals make a name of the words where none are due."""
        context, words = self._context, self._context.text[span.start : span.end]
        due = context.leads(span.start)
        if words.isupper():
            whole = context.sentence(span.start)
            shouted = context.text[whole.start : whole.end].isupper()
            return not (due or context.closes(span.end) or shouted)
        first, *others = words.split()
        if any(word[0].isupper() and word.lower() in _NOUNS for word in others):
            return True
        return first[0].isupper() and not due and not _always_capital(first)


def _always_capital(word: str) -> bool:
    return word.lower().startswith(_CAPITALISED)
