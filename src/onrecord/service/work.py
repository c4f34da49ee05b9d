"""One gateway transaction at work: what every step and every change needs at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from onrecord.domain import time
from onrecord.domain.errors import NotFound
from onrecord.domain.event import Event
from onrecord.domain.item import Content, Item, Version
from onrecord.domain.outcome import Refused
from onrecord.domain.ports import Clock, Ids, Transaction
from onrecord.domain.principal import Principal
from onrecord.domain.query import Document
from onrecord.policy import fingerprint, statement
from onrecord.retrieval import terms
from onrecord.service import binding
from onrecord.service.caller import Caller
from onrecord.service.owing import owe


@dataclass(frozen=True, kw_only=True, slots=True)
class Secrets:
    """The store's fingerprint key, and those that were in use before it."""

    key_id: str
    key: bytes
    #: (name, key) of each earlier one, the latest first: what was made with them is still known
    older: tuple[tuple[str, bytes], ...] = ()

    @property
    def keys(self) -> tuple[bytes, ...]:
        """All of them, the one in use first."""
        return (self.key, *(key for _, key in self.older))

    @property
    def named(self) -> dict[str, bytes]:
        """All of them by name, the one in use first."""
        return {self.key_id: self.key} | dict(self.older)


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """The transaction, who asks, and the instant that it all happens at."""

    tx: Transaction
    caller: Caller
    now: int
    ids: Ids
    secrets: Secrets
    zone: tzinfo | None
    #: (kind, item, name, mark) of what was put beside items since the last line of the log
    unbound: list[tuple[str, str, str, str]] = field(
        default_factory=list[tuple[str, str, str, str]]
    )

    @property
    def principal(self) -> Principal:
        """Who acts."""
        return self.caller.principal

    # -- finding ------------------------------------------------------------
    def item(self, item: str) -> Item:
        """An item that the caller may know of; anything else is `NotFound`."""
        found = self.tx.items.get(item)
        if found is None or found.status == "forgotten" or not self.caller.sees(found):
            raise NotFound(details={"id": item[-6:]})
        return found

    def every_name(self, names: list[str]) -> list[str]:
        """Scope names, and those that they had before: what was decided there still binds."""
        renamed = self.tx.scopes.renamed()
        return [*names, *(old for old, new in renamed.items() if new in names)]

    def sames(self, content: Content) -> tuple[bytes, ...]:
        """The prints of a statement, one for each key that it may have been kept under."""
        return tuple(dict.fromkeys(same_print(key, content) for key in self.secrets.keys))

    def saying(self, content: Content, statuses: Sequence[str]) -> list[Item]:
        """Items whose current text makes the same statement, oldest first."""
        found = {
            item.id: item
            for same in self.sames(content)
            for item in self.tx.items.by_same(same, statuses)
        }
        return [found[name] for name in sorted(found)]

    # -- building -----------------------------------------------------------
    def version(self, item: str, n: int, content: Content, reason: str = "") -> Version:
        """A version written now by the caller."""
        return Version(
            item=item,
            n=n,
            content=content,
            recorded_at=self.now,
            author=self.principal,
            where=self.caller.where(),
            reason=reason,
            digest=digest_of(self.secrets.key, content),
            same=same_print(self.secrets.key, content),
        )

    def next_version(self, item: Item, content: Content, reason: str = "") -> Item:
        """The item with a further version; its recorded time is never before the last one's."""
        head = self.version(item.id, item.version + 1, content, reason)
        at = time.after(self.now, item.head.recorded_at)
        return replace(item, head=replace(head, recorded_at=at))

    # -- keeping ------------------------------------------------------------
    def keep(self, item: Item, row: binding.Row) -> bool:
        """Put something beside an item; the next line of the log is what it came by.

        Says whether it is new: a session sights an item once.
        """
        added = binding.add(self.tx, row)
        if added:
            mark = binding.mark_of(item, row)
            self.unbound.append((binding.kind_of(row), item.id, binding.name_of(row), mark))
        return added

    def index(self, item: Item) -> None:
        """Put the item's current version into the lexical index."""
        live = item.status == "active"
        self.tx.index.put(document_of(item, item.head, live=live))
        self.tx.index.relabel(item.id, scope=item.scope, live=live)
        owe(self.tx, item, self.now)

    def record(
        self,
        action: str,
        item: Item | None = None,
        *,
        target: str = "",
        fields: tuple[str, ...] = (),
        before: int = 0,
        change: Mapping[str, tuple[object, object]] | None = None,
        code: str = "",
        undoes: int = 0,
        batch: str = "",
        count: int = 1,
        by: Principal | None = None,
    ) -> Event:
        """Append the one event of this change."""
        commitment = commitment_of(item) if item is not None else b""
        if self.unbound:
            change = {**(change or {}), "bound": (None, [list(row) for row in self.unbound])}
            self.unbound.clear()
        return self.tx.events.append(
            Event(
                at=self.now,
                by=by or self.principal,
                action=action,
                target=item.id if item is not None else target,
                fields=fields,
                before=before,
                after=item.version if item is not None else 0,
                change=change or {},
                code=code,
                undoes=undoes,
                batch=batch,
                count=count,
                commitment=commitment,
            )
        )

    def refuse(
        self,
        code: str,
        say: str,
        *,
        item: Item | None = None,
        details: tuple[tuple[str, str], ...] = (),
    ) -> Refused:
        """A refusal; equal ones of one party, rule and minute share a line of the log."""
        self.note_refusal(code, item)
        return Refused(code=code, say=say, item=item, details=details)

    def note_refusal(self, code: str, item: Item | None = None) -> None:
        """Put on record that something was refused, or count it where that was just said."""
        minute = self.now // time.MINUTE
        by = self.principal
        party = f"{by.writer}:{by.channel}:{by.session}:{by.name}"
        if self.tx.events.count_refusal(party, code, minute) == 1:
            self.record("refused", target=item.id if item else "", code=code)

    def note_read(self, item: Item) -> None:
        """The caller's session knows the version it has just written."""
        if self.principal.session:
            self.tx.sessions.note_read(self.principal.session, item.id, item.version, self.now)


def document_of(item: Item, version: Version, *, live: bool) -> Document:
    """The form in which a version of an item is found."""
    content = version.content
    return Document(
        item=item.id,
        version=version.n,
        scope=item.scope,
        live=live,
        kind=item.kind,
        title=content.title,
        body=content.body,
        tags=" ".join(content.tags),
        terms=terms.index_terms(
            content.title,
            content.body,
            version.author.name,
            time.to_iso(version.recorded_at)[:10],
        ),
    )


def begin(
    tx: Transaction,
    caller: Caller,
    *,
    clock: Clock,
    ids: Ids,
    secrets: Secrets,
    zone: tzinfo | None,
) -> Work:
    """Everything at hand in a transaction; the log's time never runs backwards."""
    last = tx.events.latest(1)
    now = max(clock.now(), last[0].at if last else 0)
    return Work(tx=tx, caller=caller, now=now, ids=ids, secrets=secrets, zone=zone)


def flat(content: Content) -> tuple[str, str, str, tuple[str, ...]]:
    """What digests and commitments are taken of."""
    valid = f"{content.valid_from}:{content.valid_to}:{content.prompted_by}"
    return (content.title, content.body, f"{content.summary}\x1f{valid}", content.tags)


def commitment_of(item: Item, content: Content | None = None) -> bytes:
    """What an event commits to of an item's content, or of another that it had; key included.

    Empty where the salt was erased.
    """
    if not item.salt:
        return b""
    title, body, rest, tags = flat(content or item.content)
    return fingerprint.commitment(item.salt, item.key, title, body, rest, *tags)


def digest_of(key: bytes, content: Content) -> bytes:
    """The keyed digest that a version is checked against on every read."""
    return fingerprint.content_digest(key, *flat(content))


def same_print(key: bytes, content: Content) -> bytes:
    """The keyed print of the statement itself; equal prints mean the same statement."""
    return fingerprint.key_print(key, "same", _stated(content))


def states_same(one: Content, other: Content) -> bool:
    """Whether two texts make the same statement, whatever they were kept under."""
    return one == other or _stated(one) == _stated(other)


def _stated(content: Content) -> str:
    text = f"{content.title}\n{content.body}" if content.body.strip() else content.title
    return statement.same_key(text)


def flush_refusals(work: Work) -> None:
    """Write the counted rest of earlier minutes' refusals, one line each.

    They are lines of the party that was refused, as the first one is; whoever happens to write
    now has no part in them.
    """
    for party, rule, _minute, count in work.tx.events.due_refusals(work.now // time.MINUTE):
        work.record("refused_again", code=rule, count=count - 1, by=_refused(party))


def _refused(party: str) -> Principal:
    """Who was refused, as `note_refusal` wrote it down."""
    writer, channel, session, name = party.split(":", 3)
    name = "" if name == writer else name
    person = writer == "person"
    return Principal(
        writer=writer,
        channel=channel,
        user=name if person else "",
        agent="" if person else name,
        session=session,
    )
