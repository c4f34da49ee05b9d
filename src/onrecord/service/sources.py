"""Deleting a source, and with it what rests on it: gone, held for review, or without its quote.

A source is an agent's session, one of its messages, an import, a file or an address. What was
made from it alone goes; what rests on something else as well, or was decided by a person, is
held; what a person said in their own words stays and loses only what it cited of the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from onrecord.domain import ulid
from onrecord.domain.errors import BadField, NotFound
from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Outcome, Proposed, Updated
from onrecord.domain.provenance import Evidence
from onrecord.domain.session import Session
from onrecord.domain.status import STATUSES
from onrecord.policy import authority
from onrecord.service import blanking, cited, forgetting, import_undo, lifecycle
from onrecord.service.commands import ForgetSource
from onrecord.service.work import Work

#: What may follow a source's name in a pointer: a message, a commit, a line.
_PARTS = "#@:"

#: A file that a text cites is no source of what it says.
_STATED = ("message", "url", "pr_comment", "person", "command")
#: What an agent's forgetting of a source erases and asks about at once; the rest is told.
_MOST_ERASED, _MOST_ASKED = 200, 50
_KEPT = tuple(status for status in STATUSES if status != "forgotten")
_PAGE = 200
#: An import is known by so many characters of its id.
_MIN_ID = 4
_IMPORT = "import:"


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """What is to be deleted."""

    #: session · import · pointer
    kind: str
    #: id of the session or the import; a pointer without what may follow it
    name: str
    session: Session | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceReach:
    """What deleting a source touches."""

    source: Source
    goes: tuple[Item, ...]
    held: tuple[Item, ...]
    #: items that stay and lose what they cite of it
    kept: tuple[Item, ...]
    #: ids of the evidence that is blanked in items that stay
    evidence: tuple[str, ...]
    #: ids of sessions whose prompts go
    sessions: tuple[str, ...]
    #: ids of handoffs that carry what goes
    handoffs: tuple[str, ...]
    #: ids of deliveries whose query carries it
    queries: tuple[str, ...]


def forget_source(work: Work, command: ForgetSource) -> Outcome:
    """Delete a source with all that was made from it; for a person who typed a key.

    An agent's goes as far as its forgetting does: see `_forget_own`.
    """
    if not work.principal.is_person:
        return _forget_own(work, command.source)
    ruling = authority.rule_on_personal("forget", work.principal)
    if ruling.verdict == "allow" and not work.principal.confirmed:
        ruling = authority.rule_on_personal_forget()
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    touched = reach(work, command.source)
    gone = len(touched.goes)
    going = (*touched.goes, *work.tx.items.many(touched.handoffs))
    forgetting.blank(work, going, quotes=touched.evidence, sessions=touched.sessions)
    for item in going:
        forgetting.erase(work, item)
    for item in touched.held:
        forgetting.hold(work, item)
    if touched.source.session is not None:
        blanking.forget(work, [touched.source.session])
    work.record(
        "source_forgotten",
        target=touched.source.name if touched.source.kind != "pointer" else "",
        fields=("evidence",),
        change={"evidence": (None, list(touched.evidence)), "items": (0, gone)},
        code=touched.source.kind,
    )
    held, quotes = len(touched.held), len(touched.evidence)
    return Updated(
        code="forgotten",
        say=f"Forgotten: that source and {_count(gone, 'memory', 'memories')} made from it"
        + (f"; {held} held for review" if held else "")
        + (f"; {_count(quotes, 'quote', 'quotes')} of it taken out" if quotes else "")
        + ".",
        item=None,
    )


def _forget_own(work: Work, text: str) -> Outcome:
    """Forget what an agent may erase of what rests on a source; the user is asked of the rest.

    A person's own words, prompts, quotes in what others keep, and what the agent may not know of
    stay as they are.
    """
    source = _source(work, text.strip())
    rows = _rows(work, source)
    named = [*work.tx.items.many([row.item for row in rows]), *_authored(work, source)]
    found = {item.id: item for item in named if _is_known(work, item, rows)}
    if not found:
        raise _unknown()
    own, others = _parted(work, list(found.values()), rows, source)
    going = own[:_MOST_ERASED]
    if going:
        forgetting.erase_reached(work, forgetting.reach(work, *going), *going)
    waiting = [
        item
        for item in work.tx.items.many([one.id for one in others])
        if item.status != "forgotten"
    ]
    asked = waiting[:_MOST_ASKED]
    for item in asked:
        lifecycle.ask_to_forget(work, item)
    left = len(own) - len(going) + len(waiting) - len(asked)
    return _told(work, len(going), asked, left)


def _parted(
    work: Work, found: list[Item], rows: list[Evidence], source: Source
) -> tuple[list[Item], list[Item]]:
    """What an agent may erase by itself, and what a person is asked about.

    Those that the agent asked about already come last, so that asking again gets further.
    """
    taken = {row.id for row in rows}
    own: list[Item] = []
    others: list[Item] = []
    for item in found:
        may = authority.rule_on_item("forget", item, work.principal, work.caller.place)
        if may.verdict == "allow" and not _is_in_passing(work, item, taken):
            own.append(item)
        elif may.verdict != "refuse" and _fate(work, item, rows, source) != "kept":
            others.append(item)
    flag = lifecycle.flag_to_forget(work)
    return own, sorted(others, key=lambda item: flag in item.flags)


def _is_known(work: Work, item: Item, rows: Iterable[Evidence]) -> bool:
    """Whether an agent may know that an item rests on a source."""
    if item.status == "forgotten" or not work.caller.sees(item):
        return False
    mine = [row for row in rows if row.item == item.id]
    return not mine or _is_here(work, item, mine)


def _told(work: Work, erased: int, asked: list[Item], left: int) -> Outcome:
    rest = f"the user is asked about {_count(len(asked), 'memory', 'memories')}"
    more = f" {left} more of it {'is' if left == 1 else 'are'} left: ask again." if left else ""
    if erased:
        gone = _count(erased, "memory of your own", "memories of your own")
        say = f"Forgotten: {gone} that rested on that source" + (f"; {rest}." if asked else ".")
        return Updated(code="forgotten", say=say + more, item=None)
    if asked:
        say = f"Nothing was erased; {rest} (onrecord review).{more}"
        return Proposed(code="asked", say=say, item=asked[0])
    return work.refuse("not_your_own", "What rests on that source is not yours to change.")


def _unknown() -> NotFound:
    return NotFound(
        "Nothing on record rests on that source.",
        hint="`onrecord show ID` tells what a memory rests on, as a source is named here.",
    )


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


def reach(work: Work, text: str) -> SourceReach:
    """What deleting a source would touch; raises `NotFound` where nothing rests on it."""
    source = _source(work, text.strip())
    rows = _rows(work, source)
    authored = {item.id: item for item in _authored(work, source)}
    found = authored | {
        item.id: item
        for item in work.tx.items.many(list(dict.fromkeys(row.item for row in rows)))
        if item.status != "forgotten" and _is_here(work, item, rows)
    }
    if not found and source.session is None:
        raise _unknown()
    fates = {item.id: _fate(work, item, rows, source) for item in found.values()}
    goes = {name: item for name, item in found.items() if fates[name] == "goes"}
    # all at once: prompts, handoffs and quotes are looked through once, however many go
    further = [forgetting.reach(work, *goes.values())] if goes else []
    goes |= {item.id: item for one in further for item in one.goes}
    held = {name: item for name, item in found.items() if fates[name] == "held"}
    held |= {item.id: item for one in further for item in one.held}
    carriers = {name for one in further for name in one.handoffs} - goes.keys()
    quoted = {name for one in further for name in one.quotes}
    left = {n: i for n, i in held.items() if n not in goes and n not in carriers}
    kept = {n: i for n, i in found.items() if n not in goes and n not in carriers | left.keys()}
    own = {source.session.id} if source.session else set[str]()
    return SourceReach(
        source=source,
        goes=tuple(goes.values()),
        held=tuple(left.values()),
        kept=tuple(kept.values()),
        evidence=tuple(
            sorted(quoted | {row.id for row in rows if row.item in left or row.item in kept})
        ),
        sessions=tuple(sorted(own | {name for one in further for name in one.sessions})),
        handoffs=tuple(sorted(carriers)),
        queries=tuple(name for one in further for name in one.queries),
    )


def _source(work: Work, text: str) -> Source:
    if not text:
        raise BadField("A source has a name.", details={"field": "source"})
    session = work.tx.sessions.get(text) or _named_session(work, text)
    if session is not None:
        return Source(kind="session", name=session.id, session=session)
    if len(text) >= _MIN_ID and text == text.upper() and set(text) <= set(ulid.ALPHABET):
        summary = import_undo.summary_of(work.tx, text)
        if summary is not None:
            return Source(kind="import", name=summary.target)
    return Source(kind="pointer", name=text)


def _named_session(work: Work, text: str) -> Session | None:
    """The session of `agent:its own id`, as evidence names it."""
    agent, mark, own = text.partition(":")
    return work.tx.sessions.by_agent_session(agent, own) if mark and "#" not in own else None


def _rows(work: Work, source: Source) -> list[Evidence]:
    """The evidence that comes from the source."""
    port = work.tx.provenance
    if source.session is not None:
        row = source.session
        named = f"{row.agent}:{row.agent_session}" if row.agent_session else ""
        found = port.citing(named, session=row.id)
        return [e for e in found if e.session == row.id or _is_of(e.pointer, named)]
    if source.kind == "import":
        items = {event.target for event in import_undo.changes_of(work.tx, source.name)}
        came = [row for item in items for row in port.evidence(item)]
        return _with_companions(work, [e for e in came if e.pointer.startswith(_IMPORT)])
    imported = source.name.startswith(_IMPORT)
    found = port.citing(_IMPORT if imported else source.name)
    return _with_companions(work, [e for e in found if _is_of(e.pointer, source.name)])


def _is_of(pointer: str, name: str) -> bool:
    """Whether a pointer names the source or a part of it; an import's form may be left out."""
    if name.startswith(_IMPORT) and not pointer.startswith(name):
        pointer = _IMPORT + pointer.removeprefix(_IMPORT).partition(":")[2]
    return pointer == name or (pointer.startswith(name) and pointer[len(name)] in _PARTS)


def _with_companions(work: Work, rows: list[Evidence]) -> list[Evidence]:
    """What an import brought beside its own mark came from there too."""
    found = {row.id: row for row in rows}
    for row in rows:
        if row.pointer.startswith(_IMPORT):
            others = work.tx.provenance.evidence(row.item)
            found |= {e.id: e for e in others if e.version == row.version and not e.session}
    return list(found.values())


def _authored(work: Work, source: Source) -> Iterator[Item]:
    """Items that a session wrote, whoever changed them since."""
    if source.session is None:
        return
    for item in work.tx.items.many(work.tx.provenance.written_in(source.session.id)):
        if item.status != "forgotten":
            yield item


def _writers(work: Work, item: Item) -> set[str]:
    if item.version == 1:
        return {item.head.author.session}
    return {version.author.session for version in work.tx.items.history(item.id)}


def _is_here(work: Work, item: Item, rows: Iterable[Evidence]) -> bool:
    """A path means the repository's own file; everything else is one everywhere."""
    here = item.head.where.repo == (work.caller.place.repo or "")
    return here or any(row.kind != "file" for row in rows if row.item == item.id)


def _fate(work: Work, item: Item, rows: list[Evidence], source: Source) -> str:
    """What becomes of an item: goes, held or kept."""
    author = item.head.author
    if source.session is not None and author.session == source.session.id:
        return "held" if item.verification == "verified" else "goes"
    if author.is_person:
        edited = source.session is not None and source.session.id in _writers(work, item)
        return "held" if edited else "kept"
    if author.writer not in authority.OUTSIDE_WRITERS or item.verification == "verified":
        return "held"
    taken = {row.id for row in rows}
    others = [
        row
        for row in _given(work, item)
        if row.id not in taken and row.kind in _STATED and (row.pointer or row.quote)
    ]
    return "held" if others or _is_in_passing(work, item, taken) else "goes"


def _is_in_passing(work: Work, item: Item, taken: set[str]) -> bool:
    """Whether an item only names the source; perhaps it was not made from it: a person looks."""
    named = taken & {row.id for row in work.tx.provenance.evidence(item.id)}
    return bool(named) and not named & {row.id for row in _given(work, item)}


def _given(work: Work, item: Item) -> list[Evidence]:
    """What an item was said to rest on, without what its text names by itself."""
    own = {version.n: version.content for version in work.tx.items.history(item.id)}
    rows = work.tx.provenance.evidence(item.id)
    return [row for row in rows if not cited.is_mentioned(row, _text(own.get(row.version)))]


def _text(content: Content | None) -> str:
    return f"{content.title}\n{content.body}" if content is not None else ""
