"""What was observed of sessions, without what a person turned down.

Packs tell of the last sessions in a repository without a review. A prompt or a commit's subject
that says what was turned down stays out of them; that it was asked or made is told.
"""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.item import Content
from onrecord.domain.session import Session
from onrecord.service import stones
from onrecord.service.work import Work

#: Stands for a text that says what was turned down.
WITHHELD = "(withheld: it says what was turned down)"

#: Sessions that are looked at anew once something was turned down: more than packs tell of.
RECENT = 20


def is_turned_down(work: Work, text: str, scope: str) -> bool:
    """Whether a text says what a person turned down where it binds this scope."""
    met = stones.met(work, scope, (Content(title="-", body=text),))
    return any(verdict == "refused" and stone.by.is_person for stone, verdict in met)


def without_turned_down(work: Work, session: Session) -> Session:
    """A session whose prompts and commits say nothing that was turned down."""
    scope = session.branch or session.repo or "global"
    texts = {session.first_prompt, session.last_prompt, *map(_subject, session.commits)}
    told = {text for text in texts if text and is_turned_down(work, text, scope)}
    if not told:
        return session
    return replace(
        session,
        first_prompt=WITHHELD if session.first_prompt in told else session.first_prompt,
        last_prompt=WITHHELD if session.last_prompt in told else session.last_prompt,
        commits=tuple(
            f"{commit.partition(' ')[0]} {WITHHELD}" if _subject(commit) in told else commit
            for commit in session.commits
        ),
    )


def withhold(work: Work) -> None:
    """Take what was just turned down out of the latest sessions."""
    for session in work.tx.sessions.recent(limit=RECENT):
        left = without_turned_down(work, session)
        if left is not session:
            work.tx.sessions.put(left)


def _subject(commit: str) -> str:
    return commit.partition(" ")[2]
