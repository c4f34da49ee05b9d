"""What a statement was made from: other items, whose taint it inherits and to which it is linked.

An agent names them as evidence (`m:7QK2ZD`, or a whole id), by what it replaces, or, for a
summary, as links; and text that is word for word another item's is that item's, whoever says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from onrecord.domain import ulid
from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Outcome
from onrecord.domain.provenance import Link
from onrecord.policy import fold
from onrecord.service.draft import Draft
from onrecord.service.work import Work

#: How an item is named among evidence.
_NAMED = "m:"
#: Words below which a line is nobody's in particular.
_MIN_WORDS = 4
#: Lines of a text that are looked up.
_LINES = 200

_KEPT = ("active", "proposed", "archived")


def inherit_taint(work: Work, draft: Draft) -> Outcome | None:
    """After 6: what is made from text that came from outside came from there too.

    A person's own words are theirs, also where they put them in a tainted item's place.
    """
    if draft.tainted or work.principal.is_person:
        return None
    sources = (*sources_of(work, draft), *_replaced(work, draft), *_copied(work, draft))
    if any(source.tainted for source in sources):
        draft.tainted = True
        if work.principal.writer != "file":
            draft.wait("screening.tainted")
    return None


def sources_of(work: Work, draft: Draft) -> list[Item]:
    """The items that a draft says it was made from, as far as its writer may see them."""
    names = [claim.pointer for claim in draft.evidence]
    if draft.command.kind == "summary":
        names += draft.command.links
    found = {item.id: item for name in names for item in _named(work, name)}
    return list(found.values())


def link_sources(work: Work, draft: Draft, item: Item) -> None:
    """Keep what a written item was made from; deleting that reaches it."""
    for source in sources_of(work, draft):
        if source.id != item.id:
            link = Link(source=item.id, kind="derived_from", target=source.id, at=work.now)
            work.keep(item, link)


def _named(work: Work, name: str) -> Iterator[Item]:
    part = ulid.normalise(name.removeprefix(_NAMED))
    if ulid.is_ulid(part):
        ids = [part]
    elif name.startswith(_NAMED):
        ids = work.tx.items.ids_like(part, limit=2)
    else:
        return
    found = [item for item in work.tx.items.many(ids) if item.status != "forgotten"]
    if len(found) == 1 and work.caller.sees(found[0]):
        yield found[0]


def _replaced(work: Work, draft: Draft) -> Iterator[Item]:
    """The item in whose place another's words are put: a revision by another name."""
    found = work.tx.items.get(draft.command.replaces) if draft.command.replaces else None
    if found is not None and work.caller.sees(found):
        yield found
    key = draft.command.key
    if key:
        yield from work.tx.items.by_key(draft.scope, key, ("active", "proposed"))


def _copied(work: Work, draft: Draft) -> Iterator[Item]:
    """Items that say or said the same as the draft or one of its lines, in whatever scope."""
    texts: list[Content] = []
    for content in (draft.content, draft.command.content):
        texts.append(content)
        lines = (content.title, *content.body.splitlines()[:_LINES])
        told = (line for line in lines if fold.count_words(fold.fold(line)) >= _MIN_WORDS)
        texts += [Content(title=line.strip(" #*>-")) for line in told]
    for same in dict.fromkeys(same for text in texts for same in work.sames(text)):
        yield from work.tx.items.by_same(same, _KEPT)
        earlier = [version.item for version in work.tx.items.superseded_same(same)]
        yield from work.tx.items.many(earlier)
