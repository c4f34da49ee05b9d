"""`Memory`: a store in a program's own process, typed and synchronous."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import islice
from types import TracebackType
from typing import Any, Self

from onrecord import wire, wiring
from onrecord.config import load
from onrecord.domain import principal as proven
from onrecord.domain.errors import KeyUnreadable, StoreBusy, StoreFull, StoreReadOnly
from onrecord.domain.item import Content, Item, ItemQuery, Version, split
from onrecord.domain.outcome import Outcome
from onrecord.domain.time import from_datetime, from_iso
from onrecord.doors.python.principal import Principal
from onrecord.service import finding, who
from onrecord.service.answers import Recall
from onrecord.service.caller import Caller
from onrecord.service.clocks import SystemClock
from onrecord.service.commands import (
    Approve,
    Claim,
    Feedback,
    Forget,
    ForgetSource,
    Mark,
    Reject,
    Remember,
    Revise,
    Undo,
)
from onrecord.service.finding import MOST
from onrecord.service.intake import Intake
from onrecord.service.memory import Memory as Facade
from onrecord.service.packs import BUDGET, Pack
from onrecord.service.places import place_at, rename
from onrecord.service.reminders import arranged

#: Statements that `remember_many` keeps in one transaction.
_BATCH = 100

#: An instant: ISO 8601 text, an aware datetime, or None for now.
When = str | datetime | None


def to_json(answer: Any) -> dict[str, Any]:
    """An answer of `Memory` in its stable JSON shape."""
    if isinstance(answer, Item):
        return wire.item(answer)
    if isinstance(answer, Recall):
        return wire.recall(answer)
    if isinstance(answer, Pack):
        return wire.pack(answer, "")
    if isinstance(answer, Version):
        return wire.version(answer)
    return wire.outcome(answer)


class Memory:
    """One open store, and the one for whom it is used.

    Errors are the tree of `onrecord.domain.errors`. Methods may be called from threads.
    """

    def __init__(self, facade: Facade, caller: Caller, intake: Intake | None = None) -> None:
        self._facade = facade
        self._caller = caller
        self._intake = intake

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        principal: Principal | None = None,
        cwd: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Open the store at `path` (default: the user's own), made where there is none.

        `principal` says for whom the program acts; left out, it is the user on a terminal of
        their own, else a script. `cwd` is where short scopes like `repo` resolve from.
        Raises `NeedsPerson` for a person claimed under an agent, and `StoreError`.
        """
        config = load(os.environ, store=os.fspath(path) if path else "")
        acting = who.in_process(
            _proven(principal),
            who.look(os.environ),
            account_store=who.is_account_store(config.store),
        )
        facade = wiring.open_memory(config.store, semantic=config.tables.get("semantic", {}))
        acting = facade.join_session(acting)
        place = place_at(
            os.fspath(cwd) if cwd else os.getcwd(),  # noqa: PTH109 - a plain string is wanted
            agent=acting.agent,
            agent_session=principal.session if principal else "",
            named=config.places,
        )
        opened = cls(
            facade,
            Caller(principal=acting, place=rename(place, facade.renamed())),
            wiring.open_intake(config.store, facade),
        )
        opened._take_in()
        return opened

    def remember(
        self,
        text: str,
        *,
        scope: str = "",
        kind: str = "note",
        key: str = "",
        tags: Sequence[str] = (),
        title: str = "",
        summary: str = "",
        prompted_by: str = "",
        evidence: Sequence[Claim] = (),
        links: Sequence[str] = (),
        pin: bool = False,
        propose: bool = False,
        valid_from: When = None,
        valid_to: When = None,
        expires: When = None,
        replaces: str = "",
        distinct: bool = False,
        if_version: int | None = None,
        ttl: int | None = None,
        at: When = None,
        paths: Sequence[str] = (),
        override: str = "",
        dates_as_written: bool = False,
        idempotency_key: str = "",
    ) -> Outcome:
        """Keep a statement. The first line becomes the title unless one is given.

        `summary` is the gist of a long body, `prompted_by` what led to it (an error line, say).
        `evidence` is what it rests on: `onrecord.Claim(kind="file", pointer="src/app.py:12")`.
        `links` are ids, paths or addresses that it is about. `propose` lets it wait for review;
        `pin` puts a person's first in every pack.

        `valid_from` and `valid_to` bound when it is true: from the one, until the other. After
        `expires`, or `ttl` seconds (up to 365 days), no pack holds it. `dates_as_written` keeps
        words like "every Friday" without asking which day they mean.
        A `reminder` comes up `at` a date (also words such as "in 3 days"), or when one of
        `paths` (globs from the top of the repository) is next touched, or else next time.
        """
        head, body = (title, text) if title else split(text)
        command = Remember(
            content=Content(
                title=head,
                body=body,
                summary=summary,
                tags=tuple(tags),
                valid_from=_instant(valid_from),
                valid_to=_instant(valid_to),
                prompted_by=prompted_by,
            ),
            scope=scope,
            kind=kind,
            key=key,
            evidence=tuple(evidence),
            links=(links,) if isinstance(links, str) else tuple(links),
            pin=pin,
            propose=propose,
            expires_at=_instant(expires),
            replaces=self._whole(replaces),
            distinct=distinct,
            if_version=if_version,
            ttl=ttl,
            override=override,
            dates_as_written=dates_as_written,
            idempotency_key=idempotency_key,
        )
        command = arranged(
            command,
            at=from_datetime(at) if isinstance(at, datetime) else at,
            paths=(paths,) if isinstance(paths, str) else paths,
            place=self._caller.place,
            now=SystemClock().now(),
            zone=wiring.local_zone(),
        )
        return self._facade.do(command, self._caller)

    def remember_many(
        self,
        texts: Iterable[str],
        *,
        scope: str = "",
        kind: str = "note",
        progress: Callable[[int], None] | None = None,
    ) -> list[Outcome]:
        """Keep many statements through the same gateway, many to a transaction.

        What is wrong with one is its answer, and the others go on. `progress` is called with
        how many are answered so far; a store that fails keeps those.
        """
        outcomes: list[Outcome] = []
        waiting = iter(texts)
        while batch := [_statement(text, scope, kind) for text in islice(waiting, _BATCH)]:
            outcomes += self._facade.do_many(batch, self._caller)
            if progress:
                progress(len(outcomes))
        return outcomes

    def find(
        self, typed: str, *, scope: str | Sequence[str] | None = None, limit: int = MOST
    ) -> list[Item]:
        """What fits the letters typed so far, best first, for a list that changes with every key.

        The last word may go on. By words alone; at most eight, and none for fewer than three
        letters.
        """
        given = () if scope is None else (scope,) if isinstance(scope, str) else tuple(scope)
        hits = finding.find(self._facade, typed, self._caller, given=given, limit=limit)
        return [hit.item for hit in hits]

    def recall(
        self,
        query: str,
        *,
        scope: str | Sequence[str] | None = None,
        limit: int = 10,
        as_of: When = None,
        valid_at: When = None,
        mode: str = "",
    ) -> Recall:
        """What is believed and fits the words; at most `limit` hits, none is an answer too.

        After `onrecord reindex` what means the same is found as well, and the answer's `mode`
        says `hybrid`. With `mode` it is `lexical`, `semantic` or `hybrid`, or an error.

        `as_of` asks what was believed at an instant, `valid_at` what was true at one: ISO 8601
        text or an aware datetime, here and in the other reading methods. Default: now.
        """
        given = () if scope is None else (scope,) if isinstance(scope, str) else tuple(scope)
        return self._facade.recall(
            query,
            self._caller,
            given=given,
            limit=limit,
            as_of=_instant(as_of),
            valid_at=_instant(valid_at),
            mode=mode,
        )

    def get(self, item: str, *, as_of: When = None, valid_at: When = None) -> Item:
        """An item by its id, or a unique start or end of it."""
        return self._facade.get(
            item, self._caller, as_of=_instant(as_of), valid_at=_instant(valid_at)
        )

    def at(self, key: str, *, scope: str = "", as_of: When = None, valid_at: When = None) -> Item:
        """The active item under a key; `NotFound` tells a forgotten key from one never used."""
        return self._facade.at(
            key, self._caller, scope=scope, as_of=_instant(as_of), valid_at=_instant(valid_at)
        )

    def list(
        self,
        *,
        scope: str | None = None,
        limit: int = 50,
        as_of: When = None,
        valid_at: When = None,
    ) -> Sequence[Item]:
        """Active items, newest first."""
        scopes = (scope,) if scope else None
        query = ItemQuery(
            scopes=scopes,
            statuses=("active",),
            limit=limit,
            as_of=_instant(as_of),
            valid_at=_instant(valid_at),
        )
        return self._facade.page(query, self._caller)

    def history(
        self, item: str, *, as_of: When = None, valid_at: When = None
    ) -> Sequence[Version]:
        """All versions of an item, 1 first."""
        return self._facade.history(
            item, self._caller, as_of=_instant(as_of), valid_at=_instant(valid_at)
        )

    def revise(
        self,
        item: str,
        text: str,
        *,
        if_version: int | None = None,
        dates_as_written: bool = False,
    ) -> Outcome:
        """Give an item another title and body; all else of it stays.

        `dates_as_written` as in `remember`.
        """
        found = self.get(item)
        title, body = split(text)
        return self._facade.do(
            Revise(
                item=found.id,
                content=replace(found.content, title=title, body=body),
                if_version=if_version,
                dates_as_written=dates_as_written,
            ),
            self._caller,
        )

    def approve(self, item: str) -> Outcome:
        """Refused here: approving wants a key typed at a terminal (`onrecord review`)."""
        return self._facade.do(Approve(item=self.get(item).id), self._caller)

    def reject(self, item: str, *, reason: str) -> Outcome:
        """Turn an item down; a person only."""
        return self._facade.do(Reject(item=self.get(item).id, reason=reason), self._caller)

    def verify(self, item: str) -> Outcome:
        """Refused here: verifying wants a key typed at a terminal (`onrecord verify`)."""
        return self._facade.do(Mark(item=self.get(item).id, action="verify"), self._caller)

    def dispute(self, item: str) -> Outcome:
        """Mark an item as doubtful; of what the caller may not change, the user is asked."""
        return self._facade.do(Mark(item=self.get(item).id, action="dispute"), self._caller)

    def feedback(self, item: str, verdict: str, *, note: str = "") -> Outcome:
        """Say what became of an item that was given: helpful, wrong, stale or not_relevant.

        `wrong` disputes it and `stale` calls it out of date, at once where the caller may change
        it; else the user is asked. `note` says why, in at most 1,000 characters.
        """
        command = Feedback(item=self._whole(item), verdict=verdict, note=note)
        return self._facade.do(command, self._caller)

    def forget(self, item: str) -> Outcome:
        """Erase an item's content, also from what hooks saw and is still to be taken in."""
        self._take_in()
        return self._facade.do(Forget(item=self.get(item).id), self._caller)

    def forget_source(self, source: str) -> Outcome:
        """Delete a source with what was made from it.

        That is an agent's session, one of its messages (`codex:SESSION#MESSAGE`), an import, a
        file or an address, as `show` names it.

        An agent's reaches its own private memories, and the user is asked about the others. A
        person does it with a key typed at a terminal: `onrecord forget --source`. Raises
        `NotFound` where nothing rests on it.
        """
        self._take_in()
        return self._facade.do(ForgetSource(source=source), self._caller)

    def undo(self, event: int = 0) -> Outcome:
        """Take one change back; 0 means the latest own one."""
        return self._facade.do(Undo(event=event), self._caller)

    def pack(self, query: str = "", *, budget: int = BUDGET) -> Pack:
        """The context for an agent that works here, fenced and within the budget of tokens."""
        made, _ = self._facade.pack(
            self._caller,
            query=query,
            budget=budget,
            channel="python",
            nonce=secrets.token_hex(8),
        )
        return made

    def close(self) -> None:
        """Release the store."""
        self._facade.close()

    def __enter__(self) -> Self:
        """Use as a context manager; closes at the end."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def _take_in(self) -> None:
        """Take in what hooks left; a store that cannot be written now is read all the same."""
        if self._intake is not None:
            with suppress(StoreBusy, StoreReadOnly, StoreFull, KeyUnreadable):
                self._intake.drain()

    def _whole(self, part: str) -> str:
        return self._facade.get(part, self._caller, opened=False).id if part else ""


def _statement(text: str, scope: str, kind: str) -> Remember:
    head, body = split(text)
    return Remember(content=Content(title=head, body=body), scope=scope, kind=kind)


def _instant(when: When) -> int | None:
    """An instant as UTC microseconds; `BadField` for what is none, or has no zone."""
    if when is None:
        return None
    return from_datetime(when) if isinstance(when, datetime) else from_iso(when)


def _proven(claim: Principal | None) -> proven.Principal | None:
    if claim is None:
        return None
    if claim.kind == "person":
        return proven.Principal.person(claim.name)
    return proven.Principal.for_agent(claim.name, session=claim.session)
