"""Erasing: what goes, what stays, and what else is reached."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from onrecord.domain.item import Item
from onrecord.domain.outcome import Outcome, Updated
from onrecord.domain.status import STATUSES, step
from onrecord.policy import authority, fingerprint, fold
from onrecord.policy.dates import asides
from onrecord.service import blanking, lifecycle, settling, stones
from onrecord.service import mentions as mentions_of
from onrecord.service.commands import Forget
from onrecord.service.mentions import Mentions, Wording
from onrecord.service.work import Work, states_same

#: A sentence of at least so many words is looked for in prompts, handoffs and queries.
MIN_WORDS = 4

#: Derived items of these kinds go with their source; other kinds are held for review.
GO_WITH_SOURCE = ("summary", "handoff")

_KEPT = tuple(status for status in STATUSES if status != "forgotten")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reach:
    """What erasing an item touches, and others that go at once."""

    item: Item
    #: items that go too: copies of its text, and what was derived from it
    goes: tuple[Item, ...]
    #: items that are held for review
    held: tuple[Item, ...]
    #: ids of sessions whose prompts carry the text
    sessions: tuple[str, ...]
    #: ids of handoffs whose text carries it
    handoffs: tuple[str, ...]
    #: ids of evidence of other items that quotes it
    quotes: tuple[str, ...] = ()
    #: ids of deliveries whose query carries it; for a person alone
    queries: tuple[str, ...] = ()


def reach(work: Work, item: Item, *more: Item) -> Reach:
    """What would go with items, for the preview and for the erasing itself.

    A person's erasing reaches copies, derived items, prompts and handoffs wherever they are,
    as far as that person may erase them; an agent's reaches what that agent may erase itself.
    """
    items = (item, *more)
    own = {one.id for one in items}
    goes, held = _items_reached(work, items)
    texts = list(dict.fromkeys(text for one in items for text in _texts(work, one)))
    mentions = Mentions(texts)
    by = work.principal
    agent = "" if by.is_person else by.agent
    sessions = mentions_of.sessions_with(work, mentions, agent)
    carriers = {
        handoff.item: found
        for handoff in mentions_of.handoffs_with(work, mentions)
        if handoff.item not in own
        and (found := work.tx.items.get(handoff.item)) is not None
        and found.status != "forgotten"
    }
    return Reach(
        item=item,
        goes=tuple(found for found in goes if found.id not in carriers),
        held=held,
        sessions=tuple(s.id for s in sessions if by.is_person or s.agent == by.agent),
        handoffs=tuple(
            name for name, found in carriers.items() if by.is_person or _may_erase(work, found)
        ),
        quotes=_quotes(work, texts, {*own, *(found.id for found in goes), *carriers}),
        queries=_queries(work, texts) if by.is_person else (),
    )


def _quotes(work: Work, texts: list[str], gone: set[str]) -> tuple[str, ...]:
    """Evidence of what stays that quotes one of the texts; an agent's reaches its own."""
    by = work.principal
    quoted = Wording(texts)
    return tuple(
        row.id
        for row in (work.tx.provenance.quoting("") if texts else ())
        if row.item not in gone
        and (by.is_person or (row.session and row.session == by.session))
        and quoted.found_in(row.quote)
    )


def _queries(work: Work, texts: Iterable[str]) -> tuple[str, ...]:
    """Deliveries whose query carries one of the texts."""
    looked_for = Wording(texts)
    asked = work.tx.deliveries.queries()
    return tuple(name for name, query in asked if looked_for.found_in(query))


def _items_reached(work: Work, items: Sequence[Item]) -> tuple[list[Item], tuple[Item, ...]]:
    own = {item.id for item in items}
    goes: dict[str, Item] = {}
    held: dict[str, Item] = {}
    waiting = list(items)
    while waiting:
        source = waiting.pop()
        for found, goes_too in (*_copies(work, source), *_derived(work, source)):
            if found.id in own or found.id in goes:
                continue
            if goes_too:
                goes[found.id] = found
                held.pop(found.id, None)
                waiting.append(found)
            else:
                held[found.id] = found
    return list(goes.values()), tuple(held.values())


def _copies(work: Work, item: Item) -> list[tuple[Item, bool]]:
    """Items of any scope that make the same statement; another's goes with a typed key only.

    What says something that this item said before its last edit is held, where its tombstone
    will bind. An agent decides nothing about what others keep.
    """
    same = work.saying(item.content, _KEPT) if item.head.same else []
    copies = [(found, _may_erase(work, found)) for found in same if found.id != item.id]
    if not work.principal.is_person:
        return [(found, goes) for found, goes in copies if goes]
    history = [version.content for version in work.tx.items.history(item.id)]
    before = [text for text in history if not states_same(text, item.content)]
    said = {f.id: f for text in before for f in work.saying(text, ("active", "proposed"))}
    return copies + [
        (found, False)
        for found in said.values()
        if found.id != item.id
        and item.scope in stones.bound_of(found)
        and not stones.stands_apart(found, item.scope)
    ]


def _derived(work: Work, item: Item) -> list[tuple[Item, bool]]:
    return [
        (found, found.kind in GO_WITH_SOURCE)
        for link in work.tx.provenance.links_to(item.id)
        if link.kind == "derived_from"
        and (found := work.tx.items.get(link.source)) is not None
        and found.status != "forgotten"
    ]


def _may_erase(work: Work, item: Item) -> bool:
    if work.principal.is_person and work.principal.confirmed:
        return True
    ruling = authority.rule_on_item("forget", item, work.principal, work.caller.place)
    return ruling.verdict == "allow"


def forget(work: Work, command: Forget) -> Outcome:
    """Erase an item; an agent may only ask for it where the item is shared."""
    item = work.item(command.item)
    ruling = authority.rule_on_item("forget", item, work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    if ruling.verdict == "propose":
        return lifecycle.ask_to_forget(work, item)
    known = stones.is_recognised(work, item.content)
    touched = reach(work, item)
    going = erase_reached(work, touched, item)
    return Updated(
        code="forgotten",
        say=f"Forgotten: m:{item.id[-6:]}"
        + (f" and {going} that carried it" if going else "")
        + (f"; {len(touched.held)} held for review" if touched.held else "")
        + (
            ". Its text is erased, and its value will not come back by itself."
            if known
            else ". Its text is erased; it is too short to be kept from coming back."
        ),
        item=work.tx.items.get(item.id),
    )


def erase_reached(work: Work, touched: Reach, *items: Item) -> int:
    """Erase items with what they reach, in one pass; how many more went with them."""
    own = {item.id for item in items}
    going = {found.id: found for found in touched.goes}
    going |= {found.id: found for found in work.tx.items.many(touched.handoffs)}
    for found in touched.held:
        hold(work, found)
    everything = (*items, *going.values())
    blank(work, everything, quotes=touched.quotes, sessions=touched.sessions)
    for found in going.values():
        erase(work, found, by=items[0])
    for item in items:
        erase(work, item)
    return len(going.keys() - own)


def blank(
    work: Work, items: Collection[Item], *, quotes: Sequence[str], sessions: Sequence[str]
) -> None:
    """Blank what carries the items' texts beside them; they are still there to be read."""
    texts = (text for item in items for text in _texts(work, item))
    work.tx.deliveries.blank(_queries(work, texts))
    work.tx.provenance.blank(quotes)
    for session in sessions:
        blanking.blank(work, session)


def erase(work: Work, item: Item, *, by: Item | None = None) -> None:
    """Blank one item, leave its tombstones and its event."""
    status = step("forget", item.status)
    held = [version.content for version in work.tx.items.history(item.id)]
    imposed = stones.bury(work, item, "forgotten", held)
    if item.key:
        work.tx.tombstones.note_erased_key(
            fingerprint.key_print(work.secrets.key, item.scope, item.key), work.now
        )
    work.record(
        "forgotten",
        target=item.id,
        fields=("content",),
        before=item.version,
        change={"status": (item.status, status), "imposed": (None, imposed)}
        | ({"with": (None, by.id)} if by else {}),
    )
    row = work.tx.handoffs.get(item.id) if item.kind == "handoff" else None
    if row is not None and row.status in ("open", "claimed"):
        work.tx.handoffs.change(replace(row, status="cancelled"))
    work.tx.items.erase(item.id, work.now)


def hold(work: Work, item: Item) -> None:
    """A person decides what becomes of an item whose source is gone."""
    held = replace(
        item,
        status="proposed" if item.status == "active" else item.status,
        flags=tuple(dict.fromkeys((*item.flags, "source_forgotten"))),
    )
    work.tx.items.change(held, at=work.now)
    work.index(held)
    change = settling.difference(item, held)
    work.record("held", held, fields=tuple(change), before=item.version, change=change)


def _texts(work: Work, item: Item) -> list[str]:
    """What all its versions say, in pieces that are long enough to be told from chance.

    Each as it stands and as it read before a date was put beside its words: a prompt holds
    what was typed.
    """
    found: list[str] = []
    for version in work.tx.items.history(item.id):
        content = version.content
        whole = [content.title, content.summary, content.prompted_by, version.reason]
        found += [*whole, *fold.sentences(content.body), *content.body.splitlines()]
    found += [evidence.quote for evidence in work.tx.provenance.evidence(item.id)]
    plain = [asides.fold(text).text for text in found]
    texts = dict.fromkeys(text.strip() for text in (*found, *plain))
    return [text for text in texts if len(text.split()) >= MIN_WORDS]
