"""Erasing: what goes, what stays, and what else is reached."""

from __future__ import annotations

from dataclasses import dataclass, replace

from onrecord.domain.item import Item
from onrecord.domain.outcome import Outcome, Updated
from onrecord.domain.status import step
from onrecord.policy import authority, fingerprint, fold
from onrecord.service import lifecycle
from onrecord.service.commands import Forget
from onrecord.service.work import Work

#: A sentence of at least so many words is looked for in prompts, handoffs and queries.
MIN_WORDS = 4

#: Derived items of these kinds go with their source; other kinds are held for review.
GO_WITH_SOURCE = ("summary", "handoff")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reach:
    """What erasing one item touches."""

    item: Item
    #: derived items that go too
    goes: tuple[Item, ...]
    #: derived items that are held for review
    held: tuple[Item, ...]
    #: ids of sessions whose prompts carry the text
    sessions: tuple[str, ...]
    #: ids of handoffs whose text carries it
    handoffs: tuple[str, ...]


def reach(work: Work, item: Item) -> Reach:
    """What would go with an item, for the preview and for the erasing itself."""
    derived = [
        found
        for link in work.tx.provenance.links_to(item.id)
        if link.kind == "derived_from"
        and (found := work.tx.items.get(link.source)) is not None
        and found.status != "forgotten"
    ]
    words = _words(work, item)
    return Reach(
        item=item,
        goes=tuple(found for found in derived if found.kind in GO_WITH_SOURCE),
        held=tuple(found for found in derived if found.kind not in GO_WITH_SOURCE),
        sessions=tuple(
            dict.fromkeys(s.id for text in words for s in work.tx.sessions.mentioning(text))
        ),
        handoffs=tuple(
            dict.fromkeys(
                h.item
                for text in words
                for h in work.tx.handoffs.mentioning(text)
                if h.item != item.id
            )
        ),
    )


def forget(work: Work, command: Forget) -> Outcome:
    """Erase an item; an agent may only ask for it where the item is shared."""
    item = work.item(command.item)
    ruling = authority.rule_on_item("forget", item, work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    if ruling.verdict == "propose":
        return lifecycle.ask_to_forget(work, item)
    touched = reach(work, item)
    for found in touched.held:
        _hold(work, found)
    for text in _words(work, item):
        work.tx.deliveries.blank_queries(text)
    for session in touched.sessions:
        _blank_prompts(work, session)
    for handoff in touched.handoffs:
        other = work.tx.items.get(handoff)
        if other is not None and other.status != "forgotten":
            erase(work, other, by=item)
    for found in touched.goes:
        erase(work, found, by=item)
    erase(work, item)
    gone = 1 + len(touched.goes) + len(touched.handoffs)
    return Updated(
        code="forgotten",
        say=f"Forgotten: m:{item.id[-6:]}"
        + (f" and {gone - 1} that carried it" if gone > 1 else "")
        + ". Its text is erased, and its value will not come back by itself.",
        item=work.tx.items.get(item.id),
    )


def erase(work: Work, item: Item, *, by: Item | None = None) -> None:
    """Blank one item, leave its tombstone and its event."""
    status = step("forget", item.status)
    lifecycle.bury(work, item, "forgotten")
    if item.key:
        work.tx.tombstones.note_erased_key(
            fingerprint.key_print(work.secrets.key, item.scope, item.key), work.now
        )
    work.record(
        "forgotten",
        target=item.id,
        fields=("content",),
        before=item.version,
        change={"status": (item.status, status)} | ({"with": (None, by.id)} if by else {}),
    )
    work.tx.items.erase(item.id, work.now)


def _hold(work: Work, item: Item) -> None:
    held = replace(
        item,
        status="proposed" if item.status == "active" else item.status,
        flags=tuple(dict.fromkeys((*item.flags, "source_forgotten"))),
    )
    work.tx.items.change(held)
    work.index(held)
    work.record(
        "held",
        held,
        fields=("status", "flags"),
        before=item.version,
        change={"status": (item.status, held.status)},
    )


def _blank_prompts(work: Work, session: str) -> None:
    row = work.tx.sessions.get(session)
    if row is not None:
        work.tx.sessions.put(replace(row, first_prompt="", last_prompt="", diff_stat=""))


def _words(work: Work, item: Item) -> list[str]:
    """The texts of all its versions that are long enough to be told from chance."""
    found: list[str] = []
    for version in work.tx.items.history(item.id):
        content = version.content
        parts = [content.title, *fold.sentences(content.body), content.summary]
        found += [part.strip() for part in parts if len(part.split()) >= MIN_WORDS]
    return list(dict.fromkeys(found))
