"""The gateway's steps 8 and 9: what is there already, and what a statement runs into."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain import scope as scopes
from onrecord.domain import time
from onrecord.domain.errors import IllegalTransition
from onrecord.domain.item import Content, Item, Version
from onrecord.domain.outcome import Candidate, Outcome
from onrecord.domain.provenance import link_kind
from onrecord.policy import authority
from onrecord.policy.fold import count_words, fold
from onrecord.service import affirming, alike, corroborate, disposing, settling
from onrecord.service.caller import noted_here
from onrecord.service.draft import Draft
from onrecord.service.work import Work, states_same

#: An agent may give these another text; what a person stood for only a person changes.
UNREVIEWED = ("unverified", "corroborated")
#: Words of a title or a text that make a claim by themselves, at least.
_WORDS = 4


def find_same(work: Work, draft: Draft) -> Outcome | None:
    """8: a statement that is already there is never stored twice."""
    if draft.command.distinct:
        if not work.principal.is_person and not authority.is_private(
            draft.scope, work.principal, work.caller.place
        ):
            draft.wait("sameness.distinct")
    else:
        found = find_live(work, draft) or alike.said_otherwise(work, draft)
        if found is not None and _is_without_key(draft, found):
            if not _give_key(work, draft, found):
                return None
        elif found is not None and not _is_edit_of(work, draft, found):
            placed = _put_found_in_place(work, draft, found)
            if placed is not None:
                return placed
            if work.principal.is_person and not draft.reasons:
                return affirming.affirm(work, draft, found)
            if not _says_more(work, draft, found):
                return corroborate.answer(work, draft, found)
            _say_more(draft, found)
            return None
        _note_similar(work, draft)
    hold_replaced(work, draft)
    _hold_ended(work, draft)
    return None


def _note_similar(work: Work, draft: Draft) -> None:
    """Name what has much the same words; a person's statement and an agent's own stand beside it.

    An agent's beside anything else waits for a person, and is kept.
    """
    close = alike.resembling(work, draft)
    if not close:
        return
    draft.candidates += [Candidate(id=c.id, why="similar", version=c.version) for c in close]
    draft.remark = f"It is much like m:{close[0].id[-6:]}: {_ways_apart(work, close[0])}."
    if not draft.command.batch and not all(may_replace(work, found) for found in close):
        draft.flag(f"similar:{close[0].id[-6:]}")
        _clash(draft, "conflict.similar")


def _ways_apart(work: Work, found: Item) -> str:
    """What to do about two that are much alike, in the words of the door that was used."""
    short = found.id[-6:]
    if work.principal.channel == "terminal":
        return (
            f"save it again with --replaces {short} to put it in its place, or leave both"
            " (--distinct says that it is another thing)"
        )
    return (
        f"save it again with replaces={short} to put it in its place, or with distinct=true"
        " where it is another thing"
    )


def find_live(work: Work, draft: Draft) -> Item | None:
    """The item that makes the same statement where this one would be made, active ones first."""
    place, command = work.caller.place, draft.command
    bound = scopes.reach_of(draft.scope, place)
    found = [
        item
        for item in work.saying(draft.content, ("active", "proposed"))
        if item.scope in bound
        and not item.expired(work.now)
        and item.kind != "handoff"
        and (item.kind == "rule") == (command.kind == "rule")
        # two keys are two addresses, even where they hold the same words
        and not (command.key and item.key and item.key != command.key)
        and noted_here(item, place)
        and _same_occasion(work, item, draft)
        and not _of_another_time(item.content, draft.content, work.now)
        # a person's word for one place does not settle what is open for a broader one
        and not (work.principal.is_person and _open_elsewhere(item, draft))
    ]
    other = bool(command.key)
    found.sort(key=lambda item: (other and item.key != command.key, item.status != "active"))
    return found[0] if found else None


def _is_without_key(draft: Draft, found: Item) -> bool:
    return bool(draft.command.key) and not found.key and not draft.command.edits[0]


def _give_key(work: Work, draft: Draft, found: Item) -> bool:
    """What stands without a key is said with one: it goes to that address, never beside it.

    Says whether what was replaced or has ended is still to be looked for: a person brings it
    back by saying so, anyone else asks.
    """
    if found.scope != draft.scope:
        return True
    draft.keyless = found
    draft.content = affirming.merged(draft.content, found.content)
    draft.tainted = draft.tainted or found.tainted
    return not work.principal.is_person


def _same_occasion(work: Work, item: Item, draft: Draft) -> bool:
    """A reminder of another day or path is another one; one that was given will not come again."""
    command = draft.command
    if "reminder" not in (item.kind, command.kind):
        return True
    links = {link.target for link in work.tx.provenance.links_from(item.id) if link.kind == "file"}
    return (
        item.kind == command.kind
        and not item.delivered
        and item.content.valid_from == draft.content.valid_from
        and links == {target for target in command.links if link_kind(target) == "file"}
    )


def _of_another_time(held: Content, said: Content, now: int) -> bool:
    """Whether the periods do not meet; what is said without any holds from now on."""
    starts = now if said.valid_from is None and said.valid_to is None else said.valid_from
    return any(
        end is not None and start is not None and end <= start
        for end, start in ((held.valid_to, starts), (said.valid_to, held.valid_from))
    )


def _put_found_in_place(work: Work, draft: Draft, found: Item) -> Outcome | None:
    """What stands already takes another's place, when it is said again as its replacement."""
    if not draft.command.replaces or draft.reasons or found.status != "active":
        return None
    target = work.item(draft.command.replaces)
    fits = target.status == "active" and target.id != found.id and target.scope == found.scope
    if not fits or not all(may_replace(work, item) for item in (target, found)):
        return None
    return settling.take_place(work, found, target)


def _open_elsewhere(item: Item, draft: Draft) -> bool:
    return item.scope != draft.scope and (
        item.status == "proposed" or item.verification != "verified"
    )


def _is_edit_of(work: Work, draft: Draft, found: Item) -> bool:
    """Whether the draft is a copy of it that somebody changed, be it in its tags alone."""
    edited = _edited(work, draft)
    if edited is None or edited.id != found.id:
        return False
    said, kept, command = draft.content, found.content, draft.command
    beside = (said.summary, said.tags, said.valid_from, said.valid_to, command.expires_at)
    was = (kept.summary, kept.tags, kept.valid_from, kept.valid_to, found.expires_at)
    return not states_same(said, kept) or beside != was or command.kind != found.kind


def _says_more(work: Work, draft: Draft, found: Item) -> bool:
    """Whether an agent restates its own note with other tags, another kind or another end."""
    command, content = draft.command, draft.content
    if found.scope != draft.scope or not may_replace(work, found):
        return False
    if draft.reasons and found.status == "active":
        return False
    told = (content.summary, content.tags, content.valid_from, content.valid_to)
    kept = found.content
    return (
        (any(told) and told != (kept.summary, kept.tags, kept.valid_from, kept.valid_to))
        or command.ttl is not None
        or command.expires_at is not None
        or command.kind not in ("note", found.kind)
    )


def _say_more(draft: Draft, found: Item) -> None:
    draft.revises = found
    draft.content = affirming.merged(draft.content, found.content)
    if found.status == "proposed":
        draft.wait("key.own_proposal")


def _claims(work: Work, content: Content) -> list[Content]:
    """The statement, and from anyone but a person its title and its text each for itself.

    A file puts a heading over what it says, or says it once more below one.
    """
    if work.principal.is_person or not content.body:
        return [content]
    parts = [text for text in (content.title, content.body) if count_words(fold(text)) >= _WORDS]
    return [content, *(Content(title=text) for text in parts)]


def _once_saying(work: Work, content: Content) -> list[Version]:
    """Versions that are no longer current and make the statement, newest first."""
    found = [v for same in work.sames(content) for v in work.tx.items.superseded_same(same)]
    return sorted(found, key=lambda version: version.recorded_at, reverse=True)


def _hold_ended(work: Work, draft: Draft) -> None:
    """What held until a day and is said again without one waits, unless a person says it."""
    content = draft.content
    if work.principal.is_person or (content.valid_from, content.valid_to) != (None, None):
        return
    bound = scopes.reach_of(draft.scope, work.caller.place)
    told = (item for part in _claims(work, content) for item in work.saying(part, ("active",)))
    for item in told:
        end = item.content.valid_to
        if end is None or end > work.now or item.scope not in bound:
            continue
        draft.candidates.append(Candidate(id=item.id, why="same", version=item.version))
        draft.remark = f"It held until {time.to_iso(end)[:10]}."
        draft.wait("sameness.ended")
        return


def hold_replaced(work: Work, draft: Draft) -> None:
    """Text that an item said before it was replaced waits, with the day it was replaced on."""
    bound = scopes.reach_of(draft.scope, work.caller.place)
    whole, *parts = _claims(work, draft.content)
    once: list[tuple[Version, tuple[str, ...]]] = [
        (version, ("active", "superseded")) for version in _once_saying(work, whole)
    ]
    # a title may well stay while the text below it changes: there only another item counts
    once += [(version, ("superseded",)) for p in parts for version in _once_saying(work, p)]
    for version, statuses in once:
        owner = work.tx.items.get(version.item)
        if owner is None or owner.scope not in bound:
            continue
        if owner.status not in statuses:
            continue
        if owner.status == "active" and states_same(owner.content, draft.content):
            continue
        day = time.to_iso(version.superseded_at or version.recorded_at)[:10]
        draft.candidates.append(Candidate(id=owner.id, why="superseded", version=owner.version))
        draft.remark = f"This was replaced on {day}."
        draft.wait("sameness.superseded")
        return


def find_contradiction(work: Work, draft: Draft) -> Outcome | None:
    """9: the same key with another value, or a value that was meant to replace one."""
    _tell_if_over(work, draft)
    if draft.revises is not None:
        return None
    target = _target(work, draft)
    if target is None:
        if draft.command.if_version and draft.command.key:
            _clash(draft, "conflict.gone")
        else:
            _note_contradictions(work, draft, None)
            _put_keyless_in_place(work, draft)
        return None
    if "rule" in (target.kind, draft.command.kind):
        ruling = authority.rule_on_personal("rule", work.principal)
        if ruling.verdict == "refuse":
            return work.refuse(ruling.rule, ruling.say, item=target)
    draft.candidates.append(Candidate(id=target.id, why="same_key", version=target.version))
    clash = _key_taken(work, draft, target) or unseen(work, target, draft.command.if_version)
    if clash:
        _clash(draft, clash)
        draft.replaces = target
    else:
        _note_contradictions(work, draft, target)
        _put_in_place(work, draft, target)
    return None


def _put_keyless_in_place(work: Work, draft: Draft) -> None:
    """What has the key now takes the place of what said the same without one."""
    found = draft.keyless
    if found is None or draft.replaces is not None:
        return
    if not may_replace(work, found):
        if draft.revises is not None:
            return  # it has the key by itself
        draft.wait("key.replacement")
    if draft.revises is None:
        in_its_place(draft, found)
        draft.remark = draft.remark or f"m:{found.id[-6:]} said so without that key."
    draft.replaces = found


def in_its_place(draft: Draft, old: Item) -> None:
    """Let the draft replace an item and keep what it leaves open: its kind, pin and end."""
    command = draft.command
    draft.replaces = old
    draft.command = replace(
        command,
        kind=old.kind if command.kind == "note" else command.kind,
        pin=command.pin or old.pinned,
        expires_at=old.expires_at if command.ttl is None else command.expires_at,
    )


def _tell_if_over(work: Work, draft: Draft) -> None:
    start, end = draft.content.valid_from, draft.content.valid_to
    if start is not None and start > work.now and draft.command.kind != "reminder":
        draft.remark = (
            f"It counts from {time.to_iso(start)[:10]}; until then recall and packs leave it out."
        )
    if end is not None and end <= work.now and not draft.remark:
        draft.remark = (
            f"It held until {time.to_iso(end)[:10]}, so recall and packs leave it out"
            " unless they are asked about that time."
        )


def _note_contradictions(work: Work, draft: Draft, target: Item | None) -> None:
    """Flag what says otherwise of the same thing; both stand until somebody decides.

    An agent's statement against anything but its own unreviewed note waits for a person. What
    a policy disposes of is only what has no target of its own; what an import brings is flagged.
    """
    against = alike.contradicted(work, draft)
    if not against:
        return
    own = all(may_replace(work, found) for found in against)
    plain = target is None and draft.keyless is None and not draft.command.batch
    decided = plain and disposing.prepare(work, draft, against, may_replace=own)
    draft.candidates += [
        Candidate(id=found.id, why="contradicts", version=found.version) for found in against
    ]
    if decided:
        return
    draft.remark = _ways_out(work, against[0].id[-6:])
    if not own and not draft.command.batch:
        _clash(draft, "conflict.contradiction")


def _ways_out(work: Work, short: str) -> str:
    """How to settle a contradiction, in the words of the door that was used."""
    clash = f"It may contradict m:{short}:"
    if work.principal.channel != "terminal":
        return (
            f"{clash} save it again with replaces={short} to put it in its place, or leave both."
        )
    if not work.principal.is_person:
        return f"{clash} save it again with --replaces {short} to put it in its place."
    return f"{clash} `onrecord conflicts` asks which of them holds."


def _clash(draft: Draft, code: str) -> None:
    """The text is kept as proposed, and the answer says what it ran into."""
    draft.conflict = code
    draft.wait(code)


def _put_in_place(work: Work, draft: Draft, target: Item) -> None:
    """A new version, a replacement, or a proposal of one: whatever the caller may do."""
    by_name = bool(draft.command.replaces)
    if may_replace(work, target) and not draft.reasons:
        if by_name:
            draft.replaces = target
        elif begins_later(draft.content, target.content):
            in_its_place(draft, target)
        else:
            draft.revises = target
            if target.status == "active":
                _put_keyless_in_place(work, draft)
    elif (
        target.status == "proposed"
        and target.head.author.same_party(work.principal)
        and not by_name
    ):
        draft.revises = target
        draft.wait("key.own_proposal")
    else:
        draft.replaces = target
        draft.wait("key.replacement")


def begins_later(said: Content, stands: Content) -> bool:
    """Whether another text holds from a day on: what stands held until then, and is kept so."""
    start, before = said.valid_from, stands.valid_from
    later = start is not None and (before is None or start > before)
    return later and not states_same(said, stands)


def _target(work: Work, draft: Draft) -> Item | None:
    command = draft.command
    if command.replaces:
        found = work.item(command.replaces)
        if found.status not in ("active", "proposed"):
            raise IllegalTransition(
                f"An item that is {found.status} cannot be replaced.",
                hint="Leave out `replaces` to save it on its own.",
                details={"from": found.status, "to": "superseded"},
            )
        return found
    edited = _edited(work, draft)
    if edited is not None or not command.key:
        return edited
    active = work.tx.items.by_key(draft.scope, command.key, ("active",))
    if active:
        return active[0]
    if work.principal.is_person:
        return None
    own = [
        found
        for found in work.tx.items.by_key(draft.scope, command.key, ("proposed",))
        if found.head.author.same_party(work.principal) and not found.replaces
    ]
    return own[0] if own else None


def _edited(work: Work, draft: Draft) -> Item | None:
    """The item that the draft is an edited copy of, where it still is what was copied."""
    name, version = draft.command.edits
    found = work.tx.items.get(name) if name else None
    if found is None or (work.principal.agent and not work.caller.sees(found)):
        return None
    stands = found.status in ("active", "proposed") and found.version == version
    return found if stands and found.scope == draft.scope and found.kind != "rule" else None


def _key_taken(work: Work, draft: Draft, target: Item) -> str:
    """The conflict's code where the address asked for belongs to a third item."""
    key = draft.command.key
    held = work.tx.items.by_key(draft.scope, key, ("active",)) if key else []
    others = [found for found in held if found.id != target.id]
    draft.candidates += [Candidate(id=o.id, why="same_key", version=o.version) for o in others]
    return "conflict.key_taken" if others else ""


def unseen(work: Work, target: Item, wanted: int | None) -> str:
    """The conflict's code where the caller has not seen the current version."""
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


def may_replace(work: Work, target: Item) -> bool:
    """Whether the caller may put another text in an item's place by itself."""
    if work.principal.is_person:
        return True
    if not noted_here(target, work.caller.place):
        return False
    own = target.head.author.same_party(work.principal)
    return own and target.verification in UNREVIEWED and not target.pinned
