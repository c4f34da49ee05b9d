"""Tombstones: leaving them, meeting them, lifting them and putting them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from onrecord.domain import scope as scopes
from onrecord.domain import time
from onrecord.domain.item import Content, Item, split
from onrecord.domain.outcome import Outcome
from onrecord.domain.tombstone import Print, Tombstone
from onrecord.policy import fingerprint, fold, redact
from onrecord.policy.dates import asides
from onrecord.policy.fingerprint import Prints
from onrecord.service.draft import Draft
from onrecord.service.work import Work


def is_recognised(work: Work, content: Content) -> bool:
    """Whether a value would be known again; one of fewer than four words is nobody's claim."""
    return fingerprint.prints(work.secrets.key, content.title, content.body).whole is not None


def prints_of(key: bytes, contents: Iterable[Content]) -> list[Prints]:
    """The prints of texts as they stand, and as they read without the dates put beside words."""
    texts: dict[tuple[str, str], None] = {}
    for content in contents:
        texts[content.title, content.body] = None
        texts[asides.fold(content.title).text, asides.fold(content.body).text] = None
    return [fingerprint.prints(key, title, body) for title, body in texts]


def met(work: Work, scope: str, contents: Iterable[Content]) -> Iterator[tuple[Tombstone, str]]:
    """Tombstones in force that know one of the texts, with `refused` or `flagged`.

    A value that was turned down in a scope that does not bind this one is only flagged here;
    so is what an agent forgot of its own, to everyone but that agent.
    """
    contents = list(contents)
    tried = {name: prints_of(key, contents) for name, key in work.secrets.named.items()}
    every = [prints for each in tried.values() for prints in each]
    values = list({value for prints in every for value in prints.asked()})
    stones = {stone.id: stone for stone in work.tx.tombstones.with_prints(values)}
    stones |= {stone.id: stone for stone in work.tx.tombstones.with_sketches()}
    bound = work.every_name(scopes.reach_of(scope, work.caller.place))
    for stone in stones.values():
        if stone.lifted_for(bound):
            continue
        verdicts = {fingerprint.verdict(stone, p) for p in tried.get(stone.key_id, every)}
        binds = stone.by.is_person or stone.by.same_party(work.principal)
        if "refused" in verdicts and stone.scope in bound and binds:
            yield stone, "refused"
        elif verdicts & {"refused", "flagged"}:
            yield stone, "flagged"


def keep_tombstones(work: Work, draft: Draft) -> Outcome | None:
    """7: a rejected or forgotten value does not come back by itself."""
    texts = (draft.content, _as_written(draft), *_bare(draft))
    for stone, verdict in met(work, draft.scope, texts):
        if verdict == "flagged":
            if _may_know(work, stone):
                draft.flag(f"tombstone:{stone.id}")
            else:
                draft.flag(f"held:{stone.id}")  # whoever wrote it can read its flags
            if not work.principal.is_person:
                draft.wait(_held(work, stone))
        elif _said_here(work, draft, stone):
            continue
        elif work.principal.is_person and draft.command.override:
            (draft.lifts if stone.scope == draft.scope else draft.passes).append(stone)
        else:
            return refusal(work, stone)
    return None


def _as_written(draft: Draft) -> Content:
    """What the caller wrote, before dates were put beside its words."""
    given = draft.command.content
    return replace(
        given, title=redact.redact(given.title).text, body=redact.redact(given.body).text
    )


def _bare(draft: Draft) -> Iterator[Content]:
    """The same words without what their source put around them."""
    for text in draft.command.bare:
        title, body = split(redact.redact(text).text)
        yield Content(title=title, body=body)


def _held(work: Work, stone: Tombstone) -> str:
    """Why it waits; who cannot read the tombstone's scope is not told that there is one."""
    return "tombstone.similar" if _may_know(work, stone) else "policy.held"


def _may_know(work: Work, stone: Tombstone) -> bool:
    """Whether the caller can read the tombstone's scope."""
    return work.principal.is_person or stone.scope in work.caller.place.ladder()


def _said_here(work: Work, draft: Draft, stone: Tombstone) -> bool:
    """Whether a person said it for a narrower scope, which a broader refusal leaves alone."""
    bound = scopes.reach_of(draft.scope, work.caller.place)
    return any(
        stands_apart(found, stone.scope)
        for found in work.saying(draft.content, ("active",))
        if found.scope in bound
    )


def stands_apart(item: Item, scope: str) -> bool:
    """Whether an item is a person's word for a narrower scope than the given one."""
    narrower = scopes.rank(item.scope) < scopes.rank(scope)
    return narrower and (item.verification == "verified" or item.head.author.is_person)


def refusal(work: Work, stone: Tombstone, item: Item | None = None) -> Outcome:
    """What a caller is told of the tombstone that its text met."""
    ladder = work.every_name(work.caller.place.ladder())
    readable = work.principal.is_person or stone.scope in ladder
    if not readable:
        return work.refuse("policy.turned_down", "That value cannot be saved here.", item=item)
    day = time.to_iso(stone.at)[:10]
    out = (
        " Save it with --override and your reason if you now mean it."
        if work.principal.is_person
        else " Do not save it again; if the user now says otherwise, they can save it themselves."
    )
    return work.refuse(
        "tombstone.equal",
        f"That was turned down as {stone.reason} by {stone.by.name} on {day}.{out}",
        item=item,
    )


def bury(work: Work, item: Item, reason: str, contents: Sequence[Content] = ()) -> list[list[str]]:
    """Leave the keyed fingerprints of an item's value; no text stays in them.

    `contents` are further texts that the item ever held. Returns (tombstone, item) pairs.
    """
    kept: list[list[str]] = []
    address: tuple[Print, ...] = ()
    if item.key:
        value = fingerprint.key_print(work.secrets.key, item.scope, item.key)
        address = (Print(part="key", value=value),)
    for content in dict.fromkeys((item.content, *contents)):
        made = prints_of(work.secrets.key, (content,))
        prints = dict.fromkeys(one for each in made for one in each.stored())
        if kept and not prints:
            continue
        stone = Tombstone(
            id=work.ids.new(work.now),
            item=item.id,
            scope=item.scope,
            reason=reason,
            by=work.principal,
            at=work.now,
            key_id=work.secrets.key_id,
            normaliser=fold.NORMALISER_VERSION,
            prints=(*prints, *address),
            sketch=made[0].sketch,
        )
        work.tx.tombstones.add(stone)
        kept.append([stone.id, item.id, stone.digest])
        address = ()
    return kept


def lift(work: Work, stones: Iterable[Tombstone], scope: str | None = None) -> list[list[str]]:
    """Take tombstones out of force, or for one scope only, on record; none is ever deleted."""
    lifted: list[list[str]] = []
    for stone in stones:
        work.tx.tombstones.lift(stone.id, work.now, work.principal.name, scope=scope)
        lifted.append([stone.id, stone.item])
    return lifted


def impose_again(work: Work, stones: Iterable[Tombstone], scope: str = "") -> list[list[str]]:
    """Put lifted tombstones back in force, or for one scope only, as new ones."""
    imposed: list[list[str]] = []
    for stone in stones:
        again = replace(
            stone,
            id=work.ids.new(work.now),
            scope=scope or stone.scope,
            at=work.now,
            lifted_at=None,
            lifted_by="",
            lifts=(),
        )
        work.tx.tombstones.add(again)
        imposed.append([again.id, again.item, again.digest])
    return imposed


def named(work: Work, rows: Iterable[Sequence[str]]) -> list[Tombstone]:
    """The tombstones that an event names by (tombstone, item, …)."""
    return [
        stone
        for name, item, *_ in rows
        for stone in work.tx.tombstones.of(item)
        if stone.id == name
    ]


def bound_of(item: Item) -> list[str]:
    """The scopes whose tombstones bind an item, as far as it shows where it was written."""
    where = (item.head.where.branch, item.head.where.repo)
    wider = [item.scope, "global"]
    wider += [s for s in where if s and scopes.rank(s) > scopes.rank(item.scope)]
    if scopes.kind_of(item.scope) == "branch":
        wider.append("repo:" + scopes.split_branch(item.scope.partition(":")[2])[0])
    return wider
