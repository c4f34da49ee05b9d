"""Items as fenced data for a model; the only way in which recalled text leaves to one."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from onrecord.domain import time
from onrecord.domain.item import Item
from onrecord.domain.session import Handoff, Session
from onrecord.policy.fence import Entry, fence

#: Characters of a body in a list of several items, and of one item shown by itself.
SHORT_BODY = 1_200
PAGE = 8_000


def as_data(items: Sequence[Item], *, now: int, notes: Sequence[str] = ()) -> str:
    """Several items, long bodies cut with how much is missing and how to get it."""
    return fence(
        [entry_of(item, now=now, start=0, length=SHORT_BODY) for item in items],
        nonce(),
        notes=notes,
    )


def as_page(item: Item, *, now: int, start: int) -> str:
    """One item, a page of its body from a character on."""
    total = len(item.content.body)
    rest = total - start - PAGE
    notes = [f"{rest} characters follow: get with offset={start + PAGE}"] if rest > 0 else []
    return fence([entry_of(item, now=now, start=start, length=PAGE)], nonce(), notes=notes)


def entry_of(item: Item, *, now: int, start: int, length: int) -> Entry:
    """One item as the fence shows it."""
    content = item.content
    body = content.body[start : start + length]
    missing = len(content.body) - start - len(body)
    if missing > 0 and length < PAGE:
        body += f"\n[{missing} of {len(content.body)} characters not shown: get {item.id[-6:]}]"
    marks = [item.verification] if item.verification != "verified" else []
    marks += [item.status] if item.status != "active" else []
    marks += ["expired"] if item.expired(now) else []
    marks += ["pinned"] if item.pinned else []
    author = item.head.author
    return Entry(
        id=item.id[-6:],
        kind=item.kind,
        scope=item.scope,
        title=content.title,
        body=body,
        meta=f"{author.name}, {time.to_iso(item.head.recorded_at)[:10]}, v{item.version}",
        marks=tuple(marks),
    )


def sessions_as_data(sessions: Sequence[Session]) -> str:
    """What agents did, one entry a session."""
    entries = []
    for session in sessions:
        lines = [f"first prompt: {session.first_prompt}"] if session.first_prompt else []
        if session.last_prompt and session.last_prompt != session.first_prompt:
            lines.append(f"last prompt: {session.last_prompt}")
        lines += [f"commit {commit}" for commit in session.commits]
        if session.diff_stat:
            lines.append(session.diff_stat)
        end = "open" if session.ended_at is None else time.to_iso(session.ended_at)[:16]
        entries.append(
            Entry(
                id=session.id[-6:],
                kind="session",
                scope=session.branch or session.repo,
                title=f"{session.agent}: {session.prompts} prompts",
                body="\n".join(lines),
                meta=f"{time.to_iso(session.started_at)[:16]} to {end}",
                marks=("synthetic: no hook told of it",) if session.synthetic else (),
            )
        )
    return fence(entries, nonce())


def handoffs_as_data(handoffs: Sequence[tuple[Handoff, Item]], *, now: int) -> str:
    """Handoffs with their state."""
    entries = []
    for row, item in handoffs:
        entry = entry_of(item, now=now, start=0, length=PAGE)
        to = f"for {row.to_agent}" if row.to_agent else "for whoever comes next"
        entry.marks = (*entry.marks, row.status, to)
        entries.append(entry)
    return fence(entries, nonce())


def nonce() -> str:
    """A fresh nonce for one block."""
    return secrets.token_hex(8)
