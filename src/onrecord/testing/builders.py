"""Domain objects with sensible defaults, and a clock and ids that repeat from run to run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from onrecord.domain import ulid
from onrecord.domain.event import Event
from onrecord.domain.item import Content, Item, Version
from onrecord.domain.ports import Transaction
from onrecord.domain.principal import Principal
from onrecord.domain.provenance import Evidence, Feedback, Link, Review, Sighting
from onrecord.domain.query import Document, LexicalQuery
from onrecord.domain.session import Delivered, Delivery, Handoff, Session
from onrecord.domain.time import DAY, SECOND
from onrecord.domain.tombstone import Print, Tombstone

#: Where every fixed clock starts: 2026-01-01T00:00:00Z.
START = 1_767_225_600 * SECOND

REPO = "repo:github.com/acme/shop"
BRANCH = "branch:github.com/acme/shop@main"

PERSON = Principal.person("ada", channel="terminal")
AGENT = Principal.for_agent("codex", channel="mcp", user="ada")

_CONTENT = frozenset(field.name for field in fields_of(Content))
_VERSION = frozenset(field.name for field in fields_of(Version))


class FixedClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, at: int = START) -> None:
        self.at = at

    def now(self) -> int:
        """UTC microseconds."""
        return self.at

    def advance(self, by: int = SECOND) -> int:
        """Move by so many microseconds (backwards too); returns the new time."""
        self.at += by
        return self.at


class SeededIds:
    """Ids and salts that are the same in every run with the same seed."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._given = 0
        self._last = 0

    def new(self, at: int) -> str:
        """A ULID for that instant, greater than every one given before by this source."""
        number = ((at // 1000) << 80) | int.from_bytes(self._bytes()[:10], "big")
        self._last = max(number, self._last + 1)
        return ulid.encode((self._last >> 80) * 1000, (self._last % (1 << 80)).to_bytes(10, "big"))

    def salt(self) -> bytes:
        """Sixteen bytes."""
        return self._bytes()[:16]

    def _bytes(self) -> bytes:
        self._given += 1
        return digest(f"{self._seed}:{self._given}")


def digest(text: str) -> bytes:
    """Thirty-two bytes that stand for a text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


class Maker:
    """Makes domain objects; each one a second after the one before, with a greater id.

    Every method takes any field of the object by name and fills in the rest.
    """

    def __init__(self, *, seed: int = 0, at: int = START) -> None:
        self.clock = FixedClock(at)
        self.ids = SeededIds(seed)

    def tick(self, by: int = SECOND) -> int:
        """Move the clock; returns the new time."""
        return self.clock.advance(by)

    def id(self) -> str:
        """An id a second after the one before."""
        return self.ids.new(self.tick())

    def item(self, title: str = "Use pnpm in this repository", **given: Any) -> Item:
        """An active item; takes the fields of its first version and of its content as well."""
        fresh = self.id()
        given = {"created_at": self.clock.now(), "status": "active", "title": title, **given}
        own, stated, said = _sorted_out(given)
        own.setdefault("id", fresh)
        own.setdefault("scope", "global")
        own.setdefault("salt", self.ids.salt())
        stated.setdefault("recorded_at", own["created_at"])
        stated.setdefault("author", AGENT)
        head = _version(own["id"], 1, Content(**said), stated)
        return Item(**_filled(own, head=head))

    def revised(self, item: Item, title: str | None = None, **given: Any) -> Item:
        """The item with a next version; what is not given stays."""
        own, stated, said = _sorted_out(given if title is None else {**given, "title": title})
        stated.setdefault("recorded_at", self.tick())
        stated.setdefault("author", item.head.author)
        stated.setdefault("where", item.head.where)
        content = replace(item.head.content, **said)
        return replace(item, head=_version(item.id, item.head.n + 1, content, stated), **own)

    def event(self, action: str = "created", target: str = "", **given: Any) -> Event:
        """A line for the audit log, not appended yet."""
        return Event(**_filled(given, at=self.tick(), by=AGENT), action=action, target=target)

    def evidence(self, item: str, **given: Any) -> Evidence:
        """A message that the item rests on."""
        some = _filled(given, version=1, kind="message", pointer="session:codex:1#4")
        return Evidence(**self._dated(some), item=item)

    def sighting(self, item: str, session: str, **given: Any) -> Sighting:
        """A session that stated the item by itself."""
        some = _filled(given, agent="codex", at=self.tick(), independent=True)
        return Sighting(**some, item=item, session=session)

    def link(self, source: str, target: str, kind: str = "about", **given: Any) -> Link:
        """A relation between two items."""
        return Link(**_filled(given, at=self.tick()), source=source, target=target, kind=kind)

    def review(self, item: str, decision: str = "approve", **given: Any) -> Review:
        """A person's decision about the item."""
        some = _filled(given, seen=digest("seen"), became=digest("became"), by=PERSON)
        return Review(**self._dated(some), item=item, decision=decision)

    def feedback(self, item: str, session: str, **given: Any) -> Feedback:
        """A session's verdict on the item."""
        some = _filled(given, verdict="helpful", by=AGENT)
        return Feedback(**self._dated(some), item=item, session=session)

    def tombstone(self, item: str, *texts: str, **given: Any) -> Tombstone:
        """A tombstone with a print of each text: the first is the whole, the rest sentences."""
        prints = tuple(
            Print(part="sentence" if n else "whole", value=digest(text))
            for n, text in enumerate(texts)
        )
        some = _filled(given, scope="global", reason="wrong", by=PERSON, key_id="k1")
        return Tombstone(**self._dated(_filled(some, normaliser=1, prints=prints)), item=item)

    def session(self, agent: str = "codex", agent_session: str = "", **given: Any) -> Session:
        """A session that started just now."""
        fresh = self.id()
        at = given.get("started_at", self.clock.now())
        some = _filled(given, id=fresh, started_at=at, last_event_at=at, repo=REPO)
        return Session(**some, agent=agent, agent_session=agent_session)

    def handoff(self, item: str, session: str = "", **given: Any) -> Handoff:
        """An open handoff that lapses in 14 days."""
        some = _filled(given, created_at=self.tick(), repo=REPO, branch="main", next="the tests")
        some = _filled(some, lapses_at=some["created_at"] + 14 * DAY)
        return Handoff(**some, item=item, session=session)

    def delivery(
        self,
        session: str = "",
        *,
        shown: Sequence[Item] = (),
        withheld: Sequence[Item] = (),
        **given: Any,
    ) -> Delivery:
        """A pack that showed some items and withheld others for lack of room."""
        items = tuple(
            Delivered(
                item=item.id,
                version=item.version,
                rank=rank,
                tokens=12,
                shown=rank <= len(shown),
                why="" if rank <= len(shown) else "budget",
            )
            for rank, item in enumerate([*shown, *withheld], start=1)
        )
        some = _filled(given, channel="hook", occasion="session_start", budget=1500, tokens=12)
        return Delivery(**self._dated(_filled(some, items=items)), session=session)

    def _dated(self, given: dict[str, Any]) -> dict[str, Any]:
        fresh = self.id()
        return _filled(given, id=fresh, at=self.clock.now())


def document(item: Item, **given: Any) -> Document:
    """What the index holds of the item's current version."""
    fields: dict[str, Any] = {
        "item": item.id,
        "version": item.version,
        "scope": item.scope,
        "live": item.status == "active",
        "kind": item.kind,
        "title": item.content.title,
        "body": item.content.body,
        "tags": " ".join(item.content.tags),
        "terms": "",
    }
    return Document(**{**fields, **given})


def query(
    *terms: str, now: int, scopes: Sequence[str] = ("global",), **given: Any
) -> LexicalQuery:
    """A lexical query for the terms."""
    return LexicalQuery(**given, terms=list(terms), scopes=list(scopes), now=now)


def keep(tx: Transaction, *items: Item) -> None:
    """Store new items the way a write does: their scopes noted, their text indexed."""
    for item in items:
        tx.scopes.note(item.scope, item.created_at)
        tx.items.add(item)
        tx.index.put(document(item))


def keep_revised(tx: Transaction, item: Item) -> None:
    """Store the item's next version and bring the index up to it."""
    tx.items.revise(item)
    tx.index.put(document(item))
    tx.index.relabel(item.id, scope=item.scope, live=item.status == "active")


def _version(item: str, n: int, content: Content, given: dict[str, Any]) -> Version:
    same = digest(f"{content.title}\n{content.body}")
    some = _filled(given, content=content, digest=digest(repr(content)), same=same)
    return Version(**some, item=item, n=n)


def _filled(given: dict[str, Any], **defaults: Any) -> dict[str, Any]:
    return {**defaults, **given}


def _sorted_out(
    given: dict[str, Any],
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Given fields by the object that they belong to: the item, its version, its content."""
    own: dict[str, Any] = {}
    stated: dict[str, Any] = {}
    said: dict[str, Any] = {}
    for name, value in given.items():
        place = said if name in _CONTENT else stated if name in _VERSION else own
        place[name] = value
    return own, stated, said
