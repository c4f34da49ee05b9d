"""Items as fenced data for a model; the only way in which recalled text leaves to one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace

from onrecord.domain import time
from onrecord.domain.item import Content, Item, Version
from onrecord.domain.session import Handoff, Session
from onrecord.policy.fence import Entry, fence
from onrecord.retrieval.lines import UNCONFIRMED_RULE, short_names
from onrecord.service.listing import counted
from onrecord.service.pack_lines import span

#: Characters of a body in a list of several items, and of one item shown by itself.
SHORT_BODY = 1_200
PAGE = 8_000

#: Commits of one session that are shown.
_COMMITS = 10


def as_data(
    items: Sequence[Item],
    *,
    now: int,
    notes: Sequence[str] = (),
    cites: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Several items, long bodies cut with how much is missing and how to get it.

    `cites`: item -> what became of what it cites.
    """
    names = short_names([item.id for item in items])
    entries: list[Entry] = []
    for item in items:
        body, name = item.content.body, names[item.id]
        missing = len(body) - SHORT_BODY
        if missing > 0:
            body = body[:SHORT_BODY]
            body += f"\n[{missing} of {len(item.content.body)} characters not shown: get {name}]"
        entries.append(_entry(item, body, name, now=now, cites=(cites or {}).get(item.id, ())))
    return fence(entries, nonce(), notes=notes)


def as_page(item: Item, *, now: int, start: int, cites: Sequence[str] = ()) -> str:
    """One item, a page of its body from a character on."""
    whole = item.content.body
    page = whole[start : start + PAGE]
    rest = len(whole) - start - len(page)
    notes = [f"{rest} characters follow: get with offset={start + PAGE}"] if rest > 0 else []
    return fence([_entry(item, page, item.id, now=now, cites=cites)], nonce(), notes=notes)


def sessions_as_data(sessions: Sequence[Session], *, notes: Sequence[str] = ()) -> str:
    """What agents did, one entry a session."""
    names = short_names([session.id for session in sessions])
    entries: list[Entry] = []
    for session in sessions:
        marks = ["synthetic: no hook told of it"] if session.synthetic else []
        if session.synthetic and session.parent and not session.agent_session:
            marks.append(f"joined to {session.parent[-6:]}")
        entries.append(
            Entry(
                id=names[session.id],
                kind="session",
                scope=session.branch or session.repo,
                title=f"{session.agent}: {counted(session.prompts, 'prompt')}",
                body="\n".join(_work_of(session)),
                meta=span(session.started_at, session.ended_at),
                marks=tuple(marks),
            )
        )
    return fence(entries, nonce(), notes=notes)


def handoffs_as_data(
    handoffs: Sequence[tuple[Handoff, Item]], *, now: int, notes: Sequence[str] = ()
) -> str:
    """Handoffs with their state, whole."""
    names = short_names([row.item for row, _ in handoffs])
    entries: list[Entry] = []
    for row, item in handoffs:
        entry = _entry(item, item.content.body, names[row.item], now=now)
        to = f"for {row.to_agent}" if row.to_agent else "for whoever comes next"
        entry.marks = (*entry.marks, row.status, to)
        entries.append(entry)
    return fence(entries, nonce(), notes=notes)


def versions_as_data(item: Item, versions: Sequence[Version], *, now: int) -> str:
    """What an item said over time, 1 first; erased versions say so."""
    entries: list[Entry] = []
    for version in versions:
        content = version.content if version.erased_at is None else Content(title="[erased]")
        then = replace(item, head=replace(version, content=content))
        entries.append(_entry(then, content.body, f"{item.id[-6:]}.{version.n}", now=now))
    return fence(entries, nonce())


def unknown_scope(scope: str, near: Sequence[str]) -> str:
    """A note: nobody ever wrote to that scope, unlike one in which nothing fits."""
    also = f"; near it: {', '.join(near)}" if near else ""
    return f"nothing was ever recorded in {scope}{also}"


def forgotten(scope: str) -> str:
    """A note: what stood under that key was erased, unlike a key that was never used."""
    return f"what stood under that key in {scope} was forgotten on purpose"


def nonce() -> str:
    """A fresh nonce for one block."""
    return secrets.token_hex(8)


def _entry(item: Item, body: str, name: str, *, now: int, cites: Sequence[str] = ()) -> Entry:
    states: Mapping[str, bool] = {
        item.verification: item.verification != "verified",
        item.status: item.status != "active",
        "expired": item.expired(now),
        "pinned": item.pinned,
    }
    author = item.head.author
    return Entry(
        id=name,
        kind=_kind(item),
        scope=item.scope,
        title=item.content.title,
        body=body,
        meta=f"{author.name}, {time.to_iso(item.head.recorded_at)[:10]}, v{item.version}",
        marks=(*(mark for mark, shown in states.items() if shown), *cites),
    )


def _kind(item: Item) -> str:
    """The kind as a reader may take it: `rule` is only what a person stands behind, and holds."""
    stands = item.status == "active" and (
        item.verification == "verified" or item.head.author.is_person
    )
    return item.kind if stands or item.kind != "rule" else UNCONFIRMED_RULE


def _work_of(session: Session) -> list[str]:
    """What a session's row knows of the work in it, a line each."""
    lines = [f"first prompt: {session.first_prompt}"] if session.first_prompt else []
    if session.last_prompt and session.last_prompt != session.first_prompt:
        lines.append(f"last prompt: {session.last_prompt}")
    lines += [f"commit {commit}" for commit in session.commits[:_COMMITS]]
    if len(session.commits) > _COMMITS:
        lines.append(f"[{len(session.commits) - _COMMITS} more commits]")
    if session.diff_stat:
        lines.append(session.diff_stat)
    return lines
