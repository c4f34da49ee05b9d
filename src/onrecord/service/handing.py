"""Writing a handoff: an item that carries the text, and a row that carries its state."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain import time
from onrecord.domain.errors import BadField
from onrecord.domain.item import MAX_TITLE, Content
from onrecord.domain.outcome import Outcome, Proposed, Refused
from onrecord.domain.session import Handoff
from onrecord.service import steps, writing
from onrecord.service.commands import HandOff, Remember
from onrecord.service.draft import Draft
from onrecord.service.work import Work

#: An open handoff lapses after this.
LIFE = 14 * time.DAY

_STEPS = (
    steps.obey_saving_switch,
    steps.check_shape,
    steps.redact_secrets,
    steps.screen_instructions,
    steps.keep_tombstones,
)

_SECTIONS = ("done", "state", "next", "questions")


def hand_off(work: Work, command: HandOff) -> Outcome:
    """Store a handoff where the caller stands, and let it take an older one's place.

    An agent's words are delivered inside their repository, marked unverified; flagged or
    headless ones wait for a person. What onrecord observed by itself never waits.
    """
    if not any(getattr(command, name).strip() for name in _SECTIONS):
        raise BadField(
            "A handoff needs at least one of done, state, next or questions.",
            details={"field": "next"},
        )
    place = work.caller.place
    session = work.tx.sessions.get(work.principal.session) if work.principal.session else None
    scope = place.branch or place.repo or "global"
    draft = Draft(
        command=Remember(content=_content(work, command), scope=scope, kind="handoff"),
        scope=scope,
        content=_content(work, command),
    )
    if work.principal.headless and not command.automatic:
        draft.wait("authority.headless")
    for step in _STEPS:
        answer = step(work, draft)
        if answer is not None:
            return answer
    if command.automatic:
        draft.status, draft.waits = "active", ""
    made = writing.write(work, draft)
    if isinstance(made, Refused) or made.item is None:
        return made
    clean = _clean_sections(work, command)
    row = Handoff(
        item=made.item.id,
        session=work.principal.session,
        to_agent=command.to_agent,
        done=clean["done"],
        state=clean["state"],
        next=clean["next"],
        questions=clean["questions"],
        repo=place.repo or "",
        branch=place.branch or "",
        head=command.head,
        dirty=dict(command.dirty),
        automatic=command.automatic,
        created_at=work.now,
        lapses_at=work.now + LIFE,
    )
    _replace_older(work, row, line=session.id if session else "")
    work.tx.handoffs.add(row)
    who = f"for {command.to_agent}" if command.to_agent else "for whoever comes next"
    held = " once the user approves it" if isinstance(made, Proposed) else ""
    return replace(
        made,
        say=f"Handoff m:{made.item.id[-6:]} is ready {who}{held}. Undo: onrecord undo {made.undo}",
    )


def _content(work: Work, command: HandOff) -> Content:
    parts = [
        f"## {name.capitalize()}\n{getattr(command, name).strip()}"
        for name in _SECTIONS
        if getattr(command, name).strip()
    ]
    branch = (work.caller.place.branch or "").rpartition("@")[2]
    on = f" on {branch}" if branch else ""
    gist = (command.next or command.state or command.done or command.questions).strip()
    gist = gist.splitlines()[0]
    title = f"Handoff from {work.principal.name or 'onrecord'}{on}: {gist}"
    if len(title) > MAX_TITLE:
        title = title[: MAX_TITLE - 1] + "…"
    return Content(title=title, body="\n\n".join(parts))


def _clean_sections(work: Work, command: HandOff) -> dict[str, str]:
    """The row's own text passes redaction and screening like the item's."""
    clean = {}
    for name in _SECTIONS:
        draft = Draft(
            command=Remember(content=Content(title="-")),
            scope="global",
            content=Content(title="-", body=getattr(command, name)),
        )
        steps.redact_secrets(work, draft)
        steps.screen_instructions(work, draft)
        clean[name] = draft.content.body
    return clean


def _replace_older(work: Work, new: Handoff, *, line: str) -> None:
    """A newer automatic handoff of the same branch replaces the older one of that kind.

    Within one session the agent's own takes the automatic one's place.
    """
    for old in work.tx.handoffs.recent(
        repo=new.repo, branch=new.branch, statuses=("open",), limit=50
    ):
        same_session = bool(line) and old.session == line
        if not old.automatic or not (new.automatic or same_session):
            continue
        work.tx.handoffs.change(replace(old, status="replaced"))
        item = work.tx.items.get(old.item)
        if item is not None and item.status == "active":
            archived = replace(item, status="archived")
            work.tx.items.change(archived)
            work.index(archived)
            work.record(
                "archived",
                archived,
                fields=("status",),
                before=item.version,
                change={"status": ("active", "archived")},
                code="handoff.replaced",
            )
