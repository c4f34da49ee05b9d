"""What a summariser kept, as statements that wait: nobody's word, with what they rest on."""

from __future__ import annotations

from contextlib import suppress

from onrecord.capture.transcripts import Message
from onrecord.domain import time
from onrecord.domain.errors import OnrecordError
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.service.caller import Caller
from onrecord.service.commands import Claim, Remember
from onrecord.service.summary_answer import Kept
from onrecord.service.summary_parts import Part

#: Characters of a message that an item quotes.
MAX_QUOTE = 300


def commands_of(
    kept: list[Kept], part: Part, session: Session, *, batch: str, again: str = ""
) -> list[Remember]:
    """The statements of an answer, held for review.

    Each has a name of its own by session, part and place in the answer, so that a part whose
    answer was kept by a run that was cut off is not kept twice; `again` makes it another.
    """
    name = f"summary {session.id} {part.messages[0].offset} {again}"
    return [_command(one, part, session, batch, f"{name} {n}") for n, one in enumerate(kept)]


def _command(kept: Kept, part: Part, session: Session, batch: str, name: str) -> Remember:
    cited = [part.messages[number - 1] for number in kept.messages]
    evidence = tuple(
        Claim(
            kind="message",
            pointer=f"{session.agent}:{session.agent_session}#{one.id or one.offset}",
            quote=one.text[:MAX_QUOTE],
            author=one.role,
        )
        for one in cited
    )
    return Remember(
        content=Content(title=kept.title, body=kept.body),
        scope=session.repo,
        kind=kept.kind,
        evidence=evidence,
        links=(session.id,),
        propose=True,
        tainted=True,
        dates_flagged=True,
        said_at=_said(cited),
        batch=batch,
        idempotency_key=name,
    )


def _said(cited: list[Message]) -> int | None:
    """When it was said; None where that is not known, or was on more than one day."""
    if len({one.at[:10] for one in cited}) != 1 or not cited[0].at:
        return None
    with suppress(OnrecordError, OverflowError):
        return time.from_iso(cited[0].at)
    return None


def caller_of(session: Session) -> Caller:
    """Output of a model: nobody's word, from a session that is named."""
    principal = Principal(writer="summariser", channel="summariser", session=session.id)
    return Caller(
        principal=principal,
        place=Place(
            cwd=session.cwd,
            repo=session.repo or None,
            branch=session.branch or None,
            commit=session.head_end or session.head_start,
        ),
    )
