"""The gateway's steps 1 to 9, in order; each decides one thing or answers at once.

A step takes the work at hand and the draft, changes the draft, and returns an outcome only
where the write ends there. The tenth step, the writing, is `service.writing`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from onrecord.capture import citations
from onrecord.domain import item as limits
from onrecord.domain import scope as scopes
from onrecord.domain import time
from onrecord.domain.errors import IllegalTransition
from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Candidate, Outcome
from onrecord.domain.provenance import OUTSIDE_KINDS
from onrecord.domain.tombstone import Tombstone
from onrecord.policy import authority, dates, fingerprint, redact, review, screen, shape
from onrecord.service.commands import Claim
from onrecord.service.draft import Draft
from onrecord.service.work import Work, same_print

Step = Callable[[Work, Draft], Outcome | None]


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
    if work.principal.is_person or work.tx.settings.get("saving") != "off":
        return None
    return work.refuse(
        "saving.off",
        "Saving is off, so nothing was stored. Tell the user plainly that it was not saved;"
        " only they can turn it on again with `onrecord on`.",
    )


def check_shape(work: Work, draft: Draft) -> Outcome | None:
    """3: sizes, UTF-8, kinds, intervals; an error names the field, never the text."""
    command = draft.command
    problem = (
        shape.problem_in(draft.content)
        or shape.kind_problem(command.kind)
        or shape.key_problem(command.key)
        or shape.ttl_problem(command.ttl)
        or _first_problem(draft.evidence)
    )
    if problem is None and len(command.links) > limits.MAX_LINKS:
        problem = shape.Problem(
            field="links",
            code="shape.links_too_long",
            say="That is too many links.",
            limit=f"{limits.MAX_LINKS} links",
            given=str(len(command.links)),
        )
    if problem is not None:
        details = (("field", problem.field), ("limit", problem.limit), ("given", problem.given))
        return work.refuse(problem.code, problem.say, details=details)
    hidden = screen.title_problem(draft.content.title)
    if hidden:
        return work.refuse("shape.title_characters", hidden, details=(("field", "title"),))
    return None


def _first_problem(evidence: tuple[Claim, ...]) -> shape.Problem | None:
    for claim in evidence:
        problem = shape.evidence_problem(claim.kind, claim.pointer, claim.quote)
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

    draft.content = replace(
        content,
        title=clean(content.title)[: limits.MAX_TITLE],
        body=clean(content.body),
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
        reason=clean(draft.command.reason)[: limits.MAX_REASON],
        links=tuple(clean(link) for link in draft.command.links),
    )
    return None


def screen_instructions(work: Work, draft: Draft) -> Outcome | None:
    """5: text that tries to steer a model is flagged, and held whoever the agent is."""
    found = screen.screen(draft.content.title, draft.content.body)
    draft.content = replace(draft.content, title=found.visible_title, body=found.visible_body)
    more = screen.screen(
        "-", "\n".join([draft.content.summary, draft.content.prompted_by, *draft.content.tags])
    )
    for flag in (*found.flags, *more.flags):
        draft.flag(flag)
    outside = any(claim.kind in OUTSIDE_KINDS for claim in draft.evidence)
    draft.tainted = draft.tainted or draft.command.tainted or outside
    if (draft.flags or draft.tainted) and not work.principal.is_person:
        draft.wait("screening.flagged" if draft.flags else "screening.tainted")
    return None


def settle_dates(work: Work, draft: Draft) -> Outcome | None:
    """6: a relative date gets the absolute one beside it, or the question goes back."""
    if draft.command.dates_as_written:
        return None
    moment = time.to_datetime(work.now)
    texts: dict[str, str] = {}
    for name in ("title", "body", "summary"):
        answer = dates.annotate(getattr(draft.content, name), moment, work.zone)
        if isinstance(answer, dates.Ask):
            return work.refuse(
                "dates.ask",
                f"{answer.question} Write the date out and save it again; nothing was stored yet.",
                details=(("field", name),),
            )
        if isinstance(answer, dates.Annotated):
            texts[name] = answer.text
    if len(texts.get("title", "")) > limits.MAX_TITLE:
        del texts["title"]
        draft.flag("dates.title_full")
    draft.content = replace(draft.content, **texts)  # type: ignore[arg-type]
    return None


def keep_tombstones(work: Work, draft: Draft) -> Outcome | None:
    """7: a rejected or forgotten value does not come back by itself."""
    before = draft.command.content
    tried = [
        fingerprint.prints(work.secrets.key, content.title, content.body)
        for content in dict.fromkeys((draft.content, _redacted(before)))
    ]
    values = list({value for prints in tried for value in prints.asked()})
    stones = [t for t in work.tx.tombstones.with_prints(values) if t.lifted_at is None]
    near = [t for t in work.tx.tombstones.with_sketches() if t not in stones]
    bound = scopes.reach_of(draft.scope, work.caller.place)
    for stone in (*stones, *near):
        verdicts = {fingerprint.verdict(stone, prints) for prints in tried}
        if "refused" in verdicts and stone.scope in bound:
            answer = _meet_tombstone(work, draft, stone)
            if answer is not None:
                return answer
        elif verdicts & {"refused", "flagged"}:
            draft.flag(f"tombstone:{stone.id}")
            if not work.principal.is_person:
                draft.wait("tombstone.similar")
    return None


def _meet_tombstone(work: Work, draft: Draft, stone: Tombstone) -> Outcome | None:
    if work.principal.is_person and draft.command.override:
        draft.lifts.append(stone)
        return None
    readable = work.principal.is_person or stone.scope in work.caller.place.ladder()
    if not readable:
        return work.refuse("tombstone.equal", "That value was turned down before.")
    day = time.to_iso(stone.at)[:10]
    out = (
        " Save it with --override and your reason if you now mean it."
        if work.principal.is_person
        else " Do not save it again; if the user now says otherwise, they can save it themselves."
    )
    return work.refuse(
        "tombstone.equal",
        f"That was turned down as {stone.reason} by {stone.by.name} on {day}.{out}",
    )


def _redacted(content: Content) -> Content:
    return replace(
        content,
        title=redact.redact(content.title).text,
        body=redact.redact(content.body).text,
    )


def find_same(work: Work, draft: Draft) -> Outcome | None:
    """8: a statement that is already there is never stored twice."""
    from onrecord.service import corroborate  # noqa: PLC0415 - the steps and their answers

    if draft.command.distinct:
        if not work.principal.is_person and not authority.is_private(
            draft.scope, work.principal, work.caller.place
        ):
            draft.wait("sameness.distinct")
        return None
    same = same_print(work.secrets.key, draft.content)
    bound = scopes.reach_of(draft.scope, work.caller.place)
    live = [
        found
        for found in work.tx.items.by_same(same, ("active", "proposed"))
        if found.scope in bound and not found.expired(work.now)
    ]
    live = [found for found in live if not _other_address(found, draft)]
    if live:
        live.sort(key=lambda found: found.status != "active")
        return corroborate.answer(work, draft, live[0])
    for version in work.tx.items.superseded_same(same):
        owner = work.tx.items.get(version.item)
        if (
            owner is None
            or owner.scope not in bound
            or owner.status not in ("active", "superseded")
        ):
            continue
        day = time.to_iso(version.superseded_at or version.recorded_at)[:10]
        draft.candidates.append(Candidate(id=owner.id, why="superseded", version=owner.version))
        draft.remark = f"This was replaced on {day}."
        draft.wait("sameness.superseded")
        break
    return None


def _other_address(found: Item, draft: Draft) -> bool:
    """Two keys are two addresses, even where they hold the same words."""
    return bool(draft.command.key and found.key and found.key != draft.command.key)


def find_contradiction(work: Work, draft: Draft) -> Outcome | None:
    """9: the same key with another value, or a value that was meant to replace one."""
    target = _target(work, draft)
    if target is None:
        return None
    draft.candidates.append(Candidate(id=target.id, why="same_key", version=target.version))
    stale = _stale(work, draft, target)
    if stale:
        draft.replaces = target
        draft.conflict = stale
        draft.wait(stale)
        return None
    if _may_replace(work, target) and draft.status == "active" and not draft.waits:
        if draft.command.replaces:
            draft.replaces = target
        else:
            draft.revises = target
        return None
    own_proposal = target.status == "proposed" and target.head.author.same_party(work.principal)
    if own_proposal and not draft.command.replaces:
        draft.revises = target
        draft.wait("key.own_proposal")
        return None
    draft.replaces = target
    draft.wait("key.replacement")
    return None


def _target(work: Work, draft: Draft) -> Item | None:
    command = draft.command
    if command.replaces:
        found = work.item(command.replaces)
        if found.status not in ("active", "proposed"):
            raise IllegalTransition(
                f"An item that is {found.status} cannot be replaced.",
                hint="Leave out `replaces` to save it on its own.",
            )
        return found
    if not command.key:
        return None
    active = work.tx.items.by_key(draft.scope, command.key, ("active",))
    if active:
        return active[0]
    own = [
        found
        for found in work.tx.items.by_key(draft.scope, command.key, ("proposed",))
        if found.head.author.same_party(work.principal) and not found.replaces
    ]
    return own[0] if own else None


def _stale(work: Work, draft: Draft, target: Item) -> str:
    """The conflict's code where the caller has not seen the current version."""
    wanted = draft.command.if_version
    if wanted is not None:
        return "" if wanted == target.version else "conflict.version"
    session = work.principal.session
    if not session or work.principal.is_person:
        return ""
    read = work.tx.sessions.read_version(session, target.id)
    if read is None:
        row = work.tx.sessions.get(session)
        fresh = row is None or target.head.recorded_at <= row.started_at
        return "" if fresh else "conflict.unread"
    return "" if read >= target.version else "conflict.unread"


def _may_replace(work: Work, target: Item) -> bool:
    if work.principal.is_person:
        return True
    own = target.head.author.same_party(work.principal)
    return own and target.verification in ("unverified", "corroborated") and not target.pinned


def apply_review_policy(work: Work, draft: Draft) -> None:
    """What a person decided about agents' writes to shared scopes; part of step 10."""
    if draft.status == "active" or draft.waits != "authority.shared_scope":
        return
    policy = _policy(work, draft.scope)
    cited = policy == "flagged" and _cited(work, draft)
    wanted = review.disposition(
        policy, flags=tuple(draft.flags), tainted=draft.tainted, cited=cited
    )
    if wanted == "active":
        draft.status, draft.waits = "active", ""


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
    keep_tombstones,
    find_same,
    find_contradiction,
)
