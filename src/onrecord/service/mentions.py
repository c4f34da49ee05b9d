"""Where else an erased text stands: prompts, commits and handoffs, in whatever spelling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from onrecord.domain.session import Handoff, Session
from onrecord.policy import fold
from onrecord.service.work import Work

#: A text shorter than this is too common to be told from chance: words, and folded letters.
MIN_WORDS = 2
MIN_LETTERS = 8

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
