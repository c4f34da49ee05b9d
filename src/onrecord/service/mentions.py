"""Where else an erased text stands: prompts, commits and handoffs, in whatever spelling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from onrecord.domain.session import Handoff, Session
from onrecord.policy import fold
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


class Verbatim:
    """Finds texts of several words in many others, letter for letter, in one pass."""

    def __init__(self, texts: Iterable[str]) -> None:
        """A text of fewer than `MIN_INNER` words is not looked for."""
        self._by_word: dict[str, list[str]] = {}
        for text in texts:
            inner = text.split()[1:-1]
            if inner:
                # wherever the text stands, this word stands as a word of its own
                self._by_word.setdefault(max(inner, key=len), []).append(text)

    def found_in(self, text: str) -> bool:
        """Whether it carries one of those looked for."""
        words = self._by_word.keys() & set(text.split())
        return any(looked_for in text for word in words for looked_for in self._by_word[word])


def sessions_with(work: Work, mentions: Mentions) -> list[Session]:
    """Sessions whose prompts or commits carry it."""
    return [
        session
        for session in work.tx.sessions.recent(limit=_LOOKED_AT)
        if mentions.found_in(_of_session(session))
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
