"""The gateway's steps 1 to 9, in order; each decides one thing or answers at once.

A step takes the work at hand and the draft, changes the draft, and returns an outcome only
where the write ends there. Tombstones are `service.stones`, sameness and contradiction
`service.likeness`; the tenth step, the writing, is `service.writing`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from onrecord.domain import item as limits
from onrecord.domain import scope as scopes
from onrecord.domain import time
from onrecord.domain.item import Content
from onrecord.domain.outcome import Outcome
from onrecord.domain.provenance import OUTSIDE_KINDS
from onrecord.policy import authority, durable, redact, review, screen, shape
from onrecord.policy.invisible import without_hidden
from onrecord.service.bounding import bound
from onrecord.service.commands import Claim, Remember
from onrecord.service.deriving import inherit_taint
from onrecord.service.draft import Draft
from onrecord.service.likeness import find_contradiction, find_live, find_same
from onrecord.service.stones import keep_tombstones
from onrecord.service.work import Work

if TYPE_CHECKING:
    from onrecord.policy.dates import Earlier

Step = Callable[[Work, Draft], Outcome | None]

#: The reason that a review policy may lift.
SHARED = "authority.shared_scope"


def decide_authority(work: Work, draft: Draft) -> Outcome | None:
    """1: principal and scope → allowed, held as proposed, or refused with the rule's name."""
    command, principal, place = draft.command, work.principal, work.caller.place
    if command.override:
        ruling = authority.rule_on_personal("override", principal)
        if ruling.verdict == "refuse":
            return work.refuse(ruling.rule, ruling.say)
    if command.pin:
        ruling = authority.rule_on_personal("pin", principal)
        if ruling.verdict == "refuse":
            return work.refuse(ruling.rule, ruling.say)
    ruling = authority.rule_on_write(draft.scope, command.kind, principal, place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    if ruling.verdict == "propose":
        draft.wait(ruling.rule)
    if command.propose:
        draft.wait("asked_to_propose")
    return None


def obey_saving_switch(work: Work, _draft: Draft) -> Outcome | None:
    """2: with saving off nothing is learned from anyone but a person; reading goes on."""
    return refuse_learning(work)


def refuse_learning(work: Work) -> Outcome | None:
    """The refusal of everyone but a person while saving is off; what one imports waits anyway."""
    by = work.principal
    import_of_a_person = (by.writer, by.channel, by.agent) == ("import", "import", "")
    if by.is_person or import_of_a_person or work.tx.settings.get("saving") != "off":
        return None
    return work.refuse(
        "saving.off",
        "Saving is off, so nothing was stored. Tell the user plainly that it was not saved;"
        " only they can turn it on again with `onrecord on`.",
    )


def check_shape(work: Work, draft: Draft) -> Outcome | None:
    """3: sizes, UTF-8, kinds, intervals; an error names the field, never the text."""
    problem = shape.problem_in(draft.content) or _problem_beside(work, draft)
    if problem is not None:
        details = (("field", problem.field), ("limit", problem.limit), ("given", problem.given))
        return work.refuse(problem.code, problem.say, details=details)
    hidden = screen.title_problem(draft.content.title)
    if hidden and not _known_without(work, draft):
        return work.refuse("shape.title_characters", hidden, details=(("field", "title"),))
    if screen.visible(draft.command.key) != draft.command.key:
        return work.refuse(
            "shape.key_characters",
            "A key holds no hidden characters.",
            details=(("field", "key"),),
        )
    return None


def _known_without(work: Work, draft: Draft) -> bool:
    """Whether a statement is there already but for the hidden characters in its title.

    Nothing new is stored of such a text, so they are left out and it is corroborated.
    """
    if draft.command.distinct or draft.command.key or draft.command.replaces:
        return False
    title = " ".join(redact.redact(without_hidden(draft.content.title)).text.split())
    plain = replace(draft, content=replace(draft.content, title=title))
    if not title or find_live(work, plain) is None:
        return False
    draft.content = plain.content
    return True


def _problem_beside(work: Work, draft: Draft) -> shape.Problem | None:
    """The first problem of what stands beside the content."""
    command: Remember = draft.command
    return (
        shape.kind_problem(command.kind)
        or shape.key_problem(command.key)
        or shape.ttl_problem(command.ttl)
        or shape.expiry_problem(command.expires_at, work.now)
        or shape.links_problem(command.links)
        or shape.note_problem("reason", command.reason)
        or shape.note_problem("override", command.override)
        or _first_problem(draft.evidence)
    )


def _first_problem(evidence: tuple[Claim, ...]) -> shape.Problem | None:
    if len(evidence) > limits.MAX_LINKS:
        return shape.over("evidence", limits.MAX_LINKS, len(evidence), "pieces")
    for claim in evidence:
        problem = shape.evidence_problem(claim.kind, claim.pointer, claim.quote, claim.author)
        if problem:
            return problem
    return None


def redact_secrets(work: Work, draft: Draft) -> Outcome | None:
    """4: secrets become `[redacted:<kind>]` before anything else sees the text."""
    content = draft.content
    whole = redact.redact(f"{content.title}\n{content.body}")
    if redact.is_mostly_secret(f"{content.title}\n{content.body}", whole):
        return work.refuse(
            "redaction.mostly_secret",
            "That is mostly a secret, so nothing was stored."
            " Save where the secret is kept and what it is for, not its value.",
            details=tuple((f"redacted.{kind}", str(n)) for kind, n in whole.kinds.items()),
        )

    def clean(text: str) -> str:
        found = redact.redact(text)
        for kind, n in found.kinds.items():
            draft.redacted[kind] = draft.redacted.get(kind, 0) + n
        return found.text

    title, body = _fitted(clean(content.title), clean(content.body))
    draft.content = replace(
        content,
        title=title,
        body=body,
        summary=clean(content.summary),
        prompted_by=clean(content.prompted_by),
        tags=tuple(clean(tag) for tag in content.tags),
    )
    draft.evidence = tuple(
        replace(
            claim,
            pointer=clean(claim.pointer),
            quote=clean(claim.quote),
            author=clean(claim.author),
        )
        for claim in draft.evidence
    )
    draft.command = replace(
        draft.command,
        key=clean(draft.command.key),
        reason=clean(draft.command.reason or draft.command.override)[: limits.MAX_REASON],
        links=tuple(clean(link) for link in draft.command.links),
    )
    return None


def _fitted(title: str, body: str) -> tuple[str, str]:
    """A title that its markers made too long is cut; the body then holds the whole of it."""
    if len(title) <= limits.MAX_TITLE:
        return title, body
    return title[: limits.MAX_TITLE - 1] + "…", f"{title}\n\n{body}".rstrip()


def screen_instructions(work: Work, draft: Draft) -> Outcome | None:
    """5: text that tries to steer a model is flagged, and held whoever the agent is.

    Taint follows the channel and the kind of evidence, never an argument. A project's own
    files are enabled by a person for that project, so there only flags hold.
    """
    content, by = draft.content, work.principal
    found = screen.screen(content.title, content.body)
    draft.content = replace(
        content,
        title=found.visible_title,
        body=found.visible_body,
        summary=screen.visible(content.summary),
        prompted_by=screen.visible(content.prompted_by),
        tags=tuple(screen.visible(tag) for tag in content.tags),
    )
    more = screen.screen("-", "\n".join(_beside(draft, content)))
    for flag in (*found.flags, *more.flags):
        draft.flag(flag)
    outside = any(claim.kind in OUTSIDE_KINDS for claim in draft.evidence)
    draft.tainted = (
        draft.tainted or draft.command.tainted or outside or by.writer in authority.OUTSIDE_WRITERS
    )
    if by.is_person:
        return None
    if durable.is_sensitive(f"{content.title}\n{content.body}"):
        draft.flag("sensitive")  # whoever it is about has a say in whether it is kept
    if draft.flags:
        draft.wait("screening.flagged")
    elif draft.tainted and by.writer != "file":
        draft.wait("screening.tainted")
    return None


def _beside(draft: Draft, content: Content) -> list[str]:
    """Texts that a reader may be shown beside title and body."""
    quotes = [text for claim in draft.evidence for text in (claim.quote, claim.author)]
    return [content.summary, content.prompted_by, *content.tags, draft.command.key, *quotes]


def settle_dates(work: Work, draft: Draft) -> Outcome | None:
    """6: a relative date gets the absolute one beside it, or the question goes back.

    In a text that is reworded, words that stood there before are seen from when they were kept.
    """
    if draft.command.dates_as_written:
        return None
    from onrecord.policy import dates  # noqa: PLC0415 - only where a text is written

    command, texts = draft.command, dict[str, str]()
    moment: datetime | None = time.to_datetime(work.now)
    if command.dates_flagged:
        moment = time.to_datetime(command.said_at) if command.said_at is not None else None
    for name in ("title", "body", "summary"):
        earlier = _earlier(draft, name)
        answer = dates.annotate(getattr(draft.content, name), moment, work.zone, earlier)
        if isinstance(answer, dates.Ask) and command.dates_flagged:
            draft.flag("dates.unclear")
        elif isinstance(answer, dates.Ask):
            return work.refuse(
                "dates.ask",
                f"{answer.question} Nothing was stored yet."
                f" Where the words mean no one day, {_way_out(work)}.",
                details=(("field", name),),
            )
        elif isinstance(answer, dates.Annotated):
            texts[name] = answer.text
    if texts and command.dates_flagged and find_live(work, draft) is not None:
        return None  # it is here with these very words
    if len(texts.get("title", "")) > limits.MAX_TITLE:
        del texts["title"]
        draft.flag("dates.title_full")
    draft.content = replace(draft.content, **texts)  # type: ignore[arg-type]
    return None


#: How words that mean no one day are kept, by the channel that asks; elsewhere they are worded
#: anew.
_KEPT_BY = {
    "terminal": "keep them with --dates-as-written",
    "python": "keep them with dates_as_written=True",
}


def _way_out(work: Work) -> str:
    return _KEPT_BY.get(work.principal.channel, "say it without them")


def _earlier(draft: Draft, name: str) -> Earlier | None:
    """What a reworded field said before, and when; what was unclear then is not known now."""
    from onrecord.policy import dates  # noqa: PLC0415 - only where a text is written

    before = draft.before
    if before is None:
        return None
    unknown = "dates.unclear" in before.flags
    recorded = None if unknown else time.to_datetime(before.head.recorded_at)
    return dates.Earlier(text=getattr(before.content, name), recorded=recorded)


def apply_review_policy(work: Work, draft: Draft) -> Outcome | None:
    """Between 7 and 8: what a person decided about agents' writes to shared scopes.

    It lifts the one reason that it speaks of; whatever else holds a draft goes on holding it.
    """
    if draft.reasons != [SHARED]:
        return None
    policy = _policy(work, draft.scope)
    cited = policy == "flagged" and _cited(work, draft)
    wanted = review.first_status(
        policy, flags=tuple(draft.flags), tainted=draft.tainted, cited=cited
    )
    if wanted == "active":
        draft.release(SHARED)
    return None


def _policy(work: Work, scope: str) -> str:
    for name in dict.fromkeys((scope, *scopes.reach_of(scope, work.caller.place))):
        value = work.tx.settings.get("review", name)
        if value:
            return value
    return review.DEFAULT


def _cited(work: Work, draft: Draft) -> bool:
    root = work.caller.place.root
    if not root:
        return False
    from onrecord.capture import citations  # noqa: PLC0415 - only under that policy

    text = f"{draft.content.title}\n{draft.content.body}"
    found = [c for c in citations.find(text) if c.kind in ("file", "line")]
    return bool(found) and all(citations.holds(c, root).ok for c in found)


#: The order is part of the contract: nothing is fingerprinted before it is redacted.
STEPS: tuple[Step, ...] = (
    decide_authority,
    obey_saving_switch,
    check_shape,
    redact_secrets,
    screen_instructions,
    settle_dates,
    inherit_taint,
    keep_tombstones,
    apply_review_policy,
    find_same,
    find_contradiction,
    bound,
)
