"""Where else an erased text stands: prompts, commits and handoffs, in whatever spelling."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from unicodedata import normalize

from onrecord.domain.session import Handoff, Session
from onrecord.policy import fold
from onrecord.policy.confusables import MARKS
from onrecord.service.work import Work

#: A text shorter than this is too common to be told from chance: words, and folded letters.
MIN_WORDS = 2
MIN_LETTERS = 8

#: Fewer words have none in their middle.
MIN_INNER = 3

#: Sessions and handoffs that are looked through, newest first.
_LOOKED_AT = 20_000


class Mentions:
    """Finds texts in other texts whatever their case, spacing, marks and look-alike letters."""

    def __init__(self, texts: Iterable[str]) -> None:
        folded = (fold.fold(text) for text in texts)
        self._needles = {
            needle
            for text in folded
            if fold.count_words(text) >= MIN_WORDS and len(needle := _letters(text)) >= MIN_LETTERS
        }

    def found_in(self, texts: Iterable[str]) -> bool:
        """Whether any of the texts carries one of those looked for."""
        if not self._needles:
            return False
        held = [_letters(fold.fold(text)) for text in texts if text]
        return any(needle in text for text in held for needle in self._needles)


class Wording:
    """Finds texts of several words in many others in one pass.

    Whatever their case, spacing, punctuation, kinds of quotation marks and look-alike letters,
    as tombstones do.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        """A text of fewer than `MIN_INNER` words is not looked for."""
        self._by_word: dict[str, list[str]] = {}
        spelt = (one for text in texts for one in (_plain(text), fold.fold(text)))
        for words in dict.fromkeys(tuple(_words(text)) for text in spelt):
            inner = words[1:-1]
            if inner:
                # wherever the text stands, this word stands as a word of its own
                self._by_word.setdefault(max(inner, key=len), []).append(" ".join(words))

    def found_in(self, text: str) -> bool:
        """Whether it carries one of those looked for."""
        # folding looks at every letter, and what is plain already has none to be folded
        words = _words(_plain(text) if text.isascii() and "&" not in text else fold.fold(text))
        known = self._by_word.keys() & set(words)
        if not known:
            return False
        plain = " ".join(words)
        return any(looked_for in plain for word in known for looked_for in self._by_word[word])


#: Marks of ASCII as folding leaves them: those inside a word go, all others part words.
_MARKS = {ord(mark): " " for mark in string.punctuation} | {ord("'"): "", ord("`"): ""}


def _plain(text: str) -> str:
    return text.lower() if text.isascii() else normalize("NFKC", text).translate(MARKS).lower()


def _words(spelt: str) -> list[str]:
    return spelt.translate(_MARKS).split()


def sessions_with(work: Work, mentions: Mentions, agent: str = "") -> list[Session]:
    """Sessions whose prompts or commits carry it; those of one agent, where one is given."""
    return [
        session
        for session in work.tx.sessions.recent(limit=_LOOKED_AT)
        if (not agent or session.agent == agent) and mentions.found_in(_of_session(session))
    ]


def handoffs_with(work: Work, mentions: Mentions) -> list[Handoff]:
    """Handoffs whose text carries it."""
    return [
        handoff
        for handoff in work.tx.handoffs.recent(limit=_LOOKED_AT)
        if mentions.found_in((handoff.done, handoff.state, handoff.next, handoff.questions))
    ]


def _of_session(session: Session) -> Sequence[str]:
    return (session.first_prompt, session.last_prompt, session.diff_stat, *session.commits)


def _letters(folded: str) -> str:
    return "".join(char for char in folded if char.isalnum())
