"""Writing a handoff: an item that carries the text, and a row that carries its state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from onrecord.domain import time
from onrecord.domain.errors import BadField, Clash
from onrecord.domain.item import MAX_TITLE, Content, Item
from onrecord.domain.outcome import Corroborated, Outcome, Proposed, Refused
from onrecord.domain.session import Handoff, Session
from onrecord.policy import screen
from onrecord.policy.redact import redact
from onrecord.service import deriving, steps, stones, writing
from onrecord.service.claims import LIVE, is_free, standing
from onrecord.service.commands import HandOff, Remember
from onrecord.service.draft import Draft
from onrecord.service.roster import whole_name
from onrecord.service.withholding import WITHHELD, is_turned_down
from onrecord.service.work import Work

#: What stands before a session's prompts in the row of an automatic handoff.
_FIRST_ASKED = "First asked: "
_LAST_ASKED = "Last asked: "

#: The code of what is said where there is no repository, and what is said.
NO_REPOSITORY = "handoff.no_repository"
_NOWHERE = (
    "A handoff is given to whoever works in its repository next, and here is none, so it was not"
    " kept. Run it inside the repository, or keep a memory instead."
)

#: An open handoff lapses after this.
LIFE = 14 * time.DAY

_STEPS = (
    steps.obey_saving_switch,
    steps.check_shape,
    steps.redact_secrets,
    steps.screen_instructions,
    deriving.inherit_taint,
    stones.keep_tombstones,
)

#: Longest name of an agent that a handoff is addressed to.
MAX_AGENT = 64

_SECTIONS = ("done", "state", "next", "questions")

#: Headings by how well what stands below one tells what it is all about, the best one first:
#: of what was seen, and of what somebody wrote.
_SEEN = ("Goal", "Asked last", "Next", "Done", "State", "Questions")
_WRITTEN = ("Next", "State", "Done", "Questions")

#: A first prompt of fewer words gives its place in the title to the last one.
_TELLING = 3

#: Handoffs of a repository that are looked at for one that is there already.
_LOOK_BACK = 200


def hand_off(work: Work, command: HandOff) -> Outcome:
    """Store a handoff where the caller stands, and let it take an older one's place.

    An agent's words are delivered inside their repository, marked unverified; flagged or
    headless ones wait for a person. What onrecord observed by itself never waits, and is
    stored once for one end of a session.
    """
    if not command.asked and not any(getattr(command, name).strip() for name in _SECTIONS):
        raise BadField(
            "A handoff needs at least one of done, state, next or questions.",
            details={"field": "next"},
        )
    place = work.caller.place
    if not place.repo:
        return work.refuse(NO_REPOSITORY, _NOWHERE)
    session = work.tx.sessions.get(work.principal.session) if work.principal.session else None
    there = _there(work, session, command)
    if there is not None:
        return there
    scope = place.branch or place.repo
    command = _without_turned_down(work, command, scope)
    content = _content(work, command)
    draft = Draft(
        command=Remember(content=_as_given(command), scope=scope, kind="handoff"),
        scope=scope,
        content=content,
    )
    draft.handing = lambda item: _row(work, command, item)
    _hold(work, draft, command)
    for step in _steps(command):
        answer = step(work, draft)
        if answer is not None:
            return answer
    if command.automatic:
        draft.reasons.clear()
    made = writing.write(work, draft)
    if isinstance(made, Refused) or made.item is None:
        return made
    row = _row(work, command, made.item)
    if made.item.status == "active":
        for old in list(_older(work, row, session)):
            _retire(work, old)
    who = f"for {row.to_agent}" if row.to_agent else "for whoever comes next"
    held = " once the user approves it" if isinstance(made, Proposed) else ""
    return replace(
        made,
        say=f"Handoff m:{made.item.id[-6:]} is ready {who}{held}. Undo: onrecord undo {made.undo}",
    )


def _steps(command: HandOff) -> tuple[steps.Step, ...]:
    """What onrecord observed is a fact, whoever said the like before."""
    own = not command.automatic
    return tuple(step for step in _STEPS if own or step is not deriving.inherit_taint)


def _row(work: Work, command: HandOff, item: Item) -> Handoff:
    """The handoff's own row beside its item."""
    place = work.caller.place
    return Handoff(
        item=item.id,
        session=work.principal.session,
        to_agent=whole_name(_clean(command.to_agent))[:MAX_AGENT],
        done=_clean(command.done),
        state=_clean(command.state),
        next=_clean(command.next),
        questions=_clean(command.questions),
        repo=place.repo or "",
        branch=place.branch or "",
        head=command.head,
        dirty=dict(command.dirty),
        automatic=command.automatic,
        created_at=work.now,
        lapses_at=work.now + LIFE,
    )


def _without_turned_down(work: Work, command: HandOff, scope: str) -> HandOff:
    """A prompt that says what a person turned down is not handed on; that it was asked is."""
    if not command.asked:
        return command
    asked = tuple(
        WITHHELD if is_turned_down(work, prompt, scope) else prompt for prompt in command.asked
    )
    told = [_FIRST_ASKED + first for first in asked[:-1]] + [_LAST_ASKED + asked[-1]]
    return replace(command, asked=asked, next="\n".join(told))


def _as_given(command: HandOff) -> Content:
    """Every section in full: what tombstones are looked up for, whatever the title takes."""
    return Content(title="-", body="\n\n".join(getattr(command, name) for name in _SECTIONS))


def _hold(work: Work, draft: Draft, command: HandOff) -> None:
    """An agent's waits where nobody sat at it."""
    if work.principal.headless and not command.automatic:
        draft.wait("authority.headless")


def _content(work: Work, command: HandOff) -> Content:
    """The item's text: its title is the gist, which the body does not say again."""
    sections = _observed(command) if command.automatic else _written(command)
    branch = (work.caller.place.branch or "").rpartition("@")[2]
    on = f" on {branch}" if branch else ""
    order = _SEEN if command.automatic else _WRITTEN
    found = [name for name in order if sections.get(name)]
    # `Go on` is what many a session begins with
    terse = found[:2] == ["Goal", "Asked last"] and len(sections["Goal"].split()) < _TELLING
    main = found[1 if terse else 0]
    if terse:
        sections = {"Asked first": sections.pop("Goal"), **sections}
    first, *others = sections[main].splitlines()
    # before the cut, which could leave half a secret that nobody recognises
    gist = redact(first.removeprefix("- ") if command.automatic else first).text
    title = f"Handoff from {work.principal.name or 'onrecord'}{on}: {gist}"
    if len(title) > MAX_TITLE:
        title = title[: MAX_TITLE - 1] + "…"
    elif not others:
        del sections[main]
    parts = [f"## {name}\n{text}" for name, text in sections.items() if text]
    return Content(title=title, body="\n\n".join(parts))


def _written(command: HandOff) -> dict[str, str]:
    """What somebody wrote, by heading."""
    return {name.capitalize(): getattr(command, name).strip() for name in _SECTIONS}


def _observed(command: HandOff) -> dict[str, str]:
    """What was seen of a session, by heading.

    What was asked is no step to take: a successor would do it again. The first prompt is what
    the session was for, as far as anybody can tell.
    """
    if not command.asked:
        return _written(command)
    goal, *later = command.asked
    last = later[-1] if later else ""
    seen = _written(replace(command, next=""))
    return {"Goal": goal.strip(), "Asked last": last.strip(), **seen}


def _clean(text: str) -> str:
    """The row's own text: without secrets, and what is hidden in it made visible.

    Whatever the item's steps decide about the whole, a part of it is cleaned by itself.
    """
    return screen.visible(redact(text).text)


def _there(work: Work, session: Session | None, command: HandOff) -> Outcome | None:
    """The answer where another handoff makes an automatic one needless.

    Raises `Clash` where its session was forgotten.
    """
    if not command.automatic or session is None:
        return None
    if session.forgotten:
        raise Clash("That session was forgotten, so nothing of it is handed over.")
    return _stands_already(work, session) or _left_as_it_was(work, session, command)


def _stands_already(work: Work, session: Session) -> Outcome | None:
    """The answer where this end of the session needs no automatic handoff (any more).

    The agent wrote its own, or this one was written before a crash, or work on the branch went
    on in a session that ended later.
    """
    over = session.ended_at or session.last_event_at
    for row in work.tx.handoffs.recent(repo=session.repo, limit=_LOOK_BACK):
        if row.session == session.id:
            written = standing(row, work.tx.items.get(row.item))
            own = not row.automatic and written.status in LIVE
            stands = own or (row.automatic and row.created_at >= over)
        else:
            stands = _went_on(work, row, session)
        item = work.tx.items.get(row.item) if stands else None
        if item is not None:
            say = f"Handoff m:{item.id[-6:]} is there already."
            return Corroborated(code="handoff.there", say=say, item=item)
    return None


def _left_as_it_was(work: Work, session: Session, command: HandOff) -> Outcome | None:
    """The answer where a session did nothing worth a handoff, and a better one stands.

    It asked once at most, and left commits and files as that handoff has them. One that it had
    claimed, in somebody's own words even, is free again at once: nobody works on it any more.
    """
    if session.prompts > 1 or session.commits:
        return None
    recent = work.tx.handoffs.recent(
        repo=session.repo, statuses=("open", "claimed"), limit=_LOOK_BACK
    )
    for row in recent:
        mine = row.status == "claimed" and row.claimed_by == session.id
        here = row.branch == session.branch and row.session != session.id
        same = row.head == command.head and dict(row.dirty) == dict(command.dirty)
        worth = mine if not row.automatic else _is_worth_more(work, row)
        if not (here and same and (mine or _is_free(work, row)) and worth):
            continue
        item = work.tx.items.get(row.item)
        if item is None or item.status != "active":
            continue
        if mine:
            free = replace(row, status="open", claimed_by="", claimed_at=None, lease_until=None)
            work.tx.handoffs.change(free)
        say = f"Handoff m:{item.id[-6:]} still says how things stand."
        return Corroborated(code="handoff.there", say=say, item=item)
    return None


def _is_free(work: Work, row: Handoff) -> bool:
    """Whether it is open, or whoever claimed it fell silent."""
    return row.status == "open" or is_free(row, work.now)


def _is_worth_more(work: Work, row: Handoff) -> bool:
    """Whether an automatic handoff tells of more than one question."""
    other = work.tx.sessions.get(row.session)
    if other is None:
        return False
    return other.prompts > 1 or bool(other.commits) or bool(row.dirty)


def _went_on(work: Work, row: Handoff, session: Session) -> bool:
    """Whether a handoff is of later work on the same branch, by someone who ranks no lower."""
    if not row.automatic or row.status != "open" or row.branch != session.branch:
        return False
    other = work.tx.sessions.get(row.session)
    if other is None or other.headless > session.headless:
        return False
    return (other.ended_at or 0) > (session.ended_at or session.last_event_at)


def _older(work: Work, new: Handoff, session: Session | None) -> Iterator[Handoff]:
    """The automatic handoffs whose place a new one takes.

    Those of its own session and those that its session took over; and from one automatic
    handoff to the next, those of the branch that nobody has, or has any more. What a person's
    session left is not displaced by a run that nobody sat at.
    """
    line = session.id if session else ""
    recent = work.tx.handoffs.recent(repo=new.repo, statuses=("open", "claimed"), limit=_LOOK_BACK)
    for old in recent:
        taken_over = old.status == "claimed" and old.claimed_by == line
        if old.item == new.item or not old.automatic or not line:
            continue
        if taken_over or (old.status == "open" and old.session == line):
            yield old
        elif new.automatic and old.branch == new.branch and _is_free(work, old):
            other = work.tx.sessions.get(old.session)
            if session is None or other is None or other.headless >= session.headless:
                yield old


def _retire(work: Work, old: Handoff) -> None:
    work.tx.handoffs.change(replace(old, status="replaced"))
    item = work.tx.items.get(old.item)
    if item is not None and item.status == "active":
        archived = replace(item, status="archived")
        work.tx.items.change(archived, at=work.now)
        work.index(archived)
        work.record(
            "archived",
            archived,
            fields=("status",),
            before=item.version,
            change={"status": ("active", "archived")},
            code="handoff.replaced",
        )
