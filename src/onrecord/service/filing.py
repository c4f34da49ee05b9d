"""What a project's own files say, as items: taken in, kept up in place, and put away.

The file channel alone sends these commands. An item of a file has the address of its section,
so that the same item follows the text; what a person decided about it is not decided anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from onrecord.domain.event import Event
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.limits import FILE_KEY
from onrecord.domain.outcome import Corroborated, Outcome, Refused, Updated
from onrecord.domain.status import step
from onrecord.policy.fold import count_words, fold
from onrecord.service import lifecycle, settling, steps, writing
from onrecord.service.commands import DropSection, Remember, TakeSection
from onrecord.service.draft import Draft
from onrecord.service.rewording import pass_steps
from onrecord.service.work import Work

#: Writer and channel of what files say.
FILE = "file"

#: Statuses under which a section may be known already.
_KNOWN = ("active", "proposed", "archived", "rejected", "superseded")
_LIVE = ("active", "proposed")
_AWAY = ("archived", "rejected")

#: A shorter text may well stand under two headings.
_LEAST_WORDS = 4

#: Items of a scope that are looked through for one that was put away.
_PAGES, _PAGE = 10, 200


def take(work: Work, command: TakeSection) -> Outcome:
    """A section as it stands: kept anew, in place of what it said before, or as it is."""
    away = _not_files(work)
    if away is not None:
        return away
    remember = Remember(
        content=command.content,
        scope=work.tx.scopes.resolve(work.caller.place.repo or ""),
        kind=command.kind,
        key=command.key,
        evidence=command.evidence,
        dates_as_written=True,
    )
    draft = _draft(remember)
    answer = steps.obey_saving_switch(work, draft) or pass_steps(work, draft)
    if answer is not None:
        return answer
    known = work.tx.items.by_key(remember.scope, draft.command.key, _KNOWN)
    equal = [item for item in known if _says(item, draft)]
    return (
        _as_known(work, equal, known, draft)
        or _as_decided(work, known, draft)
        or _anew(work, known, draft, remember)
    )


def drop(work: Work, command: DropSection) -> Outcome:
    """Put away an item whose section is gone; where a person stands for it, they are asked."""
    away = _not_files(work)
    if away is not None:
        return away
    item = work.item(command.item)
    if not is_of_files(item) or item.scope != work.tx.scopes.resolve(work.caller.place.repo or ""):
        return work.refuse("authority.file_is_own", _OWN, item=item)
    if item.status == "active" and (item.pinned or item.verification == "verified"):
        flag = f"stale:{work.principal.name}"
        if flag in item.flags:
            return _as_it_is(item)
        return lifecycle.ask_review(work, item, flag)
    return _moved(work, item, step("archive", item.status), "archived")


def is_of_files(item: Item) -> bool:
    """Whether an item says what a project's own file does."""
    author = item.head.author
    return author.writer == FILE and author.channel == FILE and item.key.startswith(FILE_KEY)


_OWN = "Only a project's own files change what they say here."


def _not_files(work: Work) -> Outcome | None:
    by = work.principal
    if by.writer == FILE and by.channel == FILE and work.caller.place.repo:
        return None
    return work.refuse("authority.file_is_own", _OWN)


def _draft(command: Remember) -> Draft:
    return Draft(
        command=command,
        scope=command.scope,
        content=command.content,
        evidence=command.evidence,
    )


def _says(item: Item, draft: Draft) -> bool:
    have, want = item.content, draft.content
    return (have.title, have.body) == (want.title, want.body)


def _as_known(
    work: Work, equal: Sequence[Item], known: Sequence[Item], draft: Draft
) -> Outcome | None:
    """The answer where the section says what an item says or said; None where it is news."""
    for item in equal:
        if item.status in ("active", "proposed"):
            return _as_it_is(item)
    put_away = [item for item in equal if item.status == "archived"]
    for item in put_away:
        gone = _put_away_by_files(work, item)
        free = not any(one.status == "active" for one in known)
        if gone is not None and free:
            waits = bool(draft.reasons) or gone.change["status"][0] == "proposed"
            way = "reopen" if waits else "restore"
            return _moved(work, item, step(way, item.status), "restored")
    if put_away or any(item.status == "rejected" for item in equal):
        return _decided()
    return None


def _as_decided(work: Work, known: Sequence[Item], draft: Draft) -> Outcome | None:
    """The answer where a person put the text away as it stood under another heading or file."""
    text = _under_headings(draft.content.body)
    if count_words(text) < _LEAST_WORDS or any(one.status in _LIVE for one in known):
        return None
    for item in _put_away(work, draft.scope):
        if _under_headings(item.content.body) != text:
            continue
        if item.status == "rejected" or _put_away_by_files(work, item) is None:
            return _decided()
    return None


def _under_headings(body: str) -> str:
    """What a text says, whatever the headings in it are."""
    lines = [line for line in body.split("\n") if not line.lstrip().startswith("#")]
    return fold("\n".join(lines))


def _put_away(work: Work, scope: str) -> Iterator[Item]:
    """What files said in a scope and counts no more, as far back as is looked."""
    after: str | None = None
    for _ in range(_PAGES):
        asked = ItemQuery(scopes=(scope,), statuses=_AWAY, after=after, limit=_PAGE)
        page = work.tx.items.page(asked)
        yield from (item for item in page if is_of_files(item))
        if len(page) < _PAGE:
            return
        after = page[-1].id


def _decided() -> Outcome:
    return Refused(
        code="file.decided",
        say="A person put that away, so it does not come back by itself.",
        item=None,
    )


def _as_it_is(item: Item) -> Outcome:
    """Nothing to do, and nothing to put on record."""
    known = item.status == "active"
    return Corroborated(
        code="same.known" if known else "same.waiting",
        say="That is known already." if known else "That already waits for review.",
        item=item,
    )


def _put_away_by_files(work: Work, item: Item) -> Event | None:
    """The event by which the item left, where its file no longer had it; else None."""
    for event in reversed(work.tx.events.of(item.id)):
        if event.change.get("status", ("", ""))[1] == "archived":
            by = event.by
            return event if (by.writer, by.channel) == (FILE, FILE) else None
    return None


def _anew(work: Work, known: Sequence[Item], draft: Draft, remember: Remember) -> Outcome:
    """Another text at the address: the item that was there takes it on, if it may."""
    active = any(item.status == "active" for item in known)
    for item in known:
        own = is_of_files(item)
        if own and item.status == "proposed" and (item.replaces or not draft.reasons):
            _moved(work, item, step("archive", item.status), "archived")
    back = [item for item in known if item.status == "archived" and is_of_files(item)]
    if back and not active and not draft.reasons:
        gone = _put_away_by_files(work, back[-1])
        if gone is not None and gone.change["status"][0] == "active":
            _moved(work, back[-1], step("restore", "archived"), "restored")
    fresh = _draft(remember)
    for one in steps.STEPS:
        answer = one(work, fresh)
        if answer is not None:
            return answer
    return writing.write(work, fresh)


def _moved(work: Work, item: Item, status: str, name: str) -> Outcome:
    """The item in another status, on record."""
    moved = replace(item, status=status, pinned=item.pinned and status == "active")
    change = settling.difference(item, moved)
    work.tx.items.change(moved, at=work.now)
    work.index(moved)
    event = work.record(name, moved, fields=tuple(change), before=item.version, change=change)
    return Updated(
        code=name,
        say=f"{name.capitalize()} m:{item.id[-6:]}. Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=moved,
    )
