"""How a session is named by whoever asks for it: by its id, or by the agent's own id of it."""

from __future__ import annotations

from collections.abc import Iterable

from onrecord.domain import ulid
from onrecord.domain.errors import NotFound
from onrecord.domain.session import Session

#: Characters of a start or an end that name a session, and of the end that is shown.
LEAST = 4
SHOWN = 6

#: What is said where a name leads to none, or to one that the asker may not know of.
NONE = "There is no session or delivery under that id."


def shown(session: Session) -> str:
    """The one short form that is shown wherever a session is: the end of its id."""
    return session.id[-SHOWN:]


def is_named(session: Session, text: str) -> bool:
    """Whether a text is the session's id or the agent's own id of it, or a start or end of one."""
    text = text.strip()
    own = session.agent_session
    if text and text == own:
        return True
    part = ulid.normalise(text)
    ends = session.id.startswith(part) or session.id.endswith(part)
    return len(text) >= LEAST and (ends or own.startswith(text) or own.endswith(text))


def pick(sessions: Iterable[Session], text: str) -> Session:
    """The session that a text names; the first of those that have it as a whole name.

    Raises `NotFound` where none is named, or several are by a part of their names.
    """
    found = [session for session in sessions if is_named(session, text)]
    whole = [one for one in found if text.strip() in (one.agent_session, one.id, shown(one))]
    if whole or len(found) == 1:
        return (whole or found)[0]
    raise missing("Several sessions fit that." if found else NONE)


def missing(why: str = NONE) -> NotFound:
    """The error for a name that leads to no session."""
    hint = "`onrecord sessions` lists them; give the name that stands there."
    return NotFound(why, hint=hint)
