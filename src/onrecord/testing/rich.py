"""Awkward text, and objects whose every field is set: what a round trip must survive."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from onrecord.domain.event import Event
from onrecord.domain.item import Content, Item, Version, Where
from onrecord.domain.principal import Principal
from onrecord.domain.session import Delivery, Handoff, Session
from onrecord.testing.builders import BRANCH, REPO, Maker, digest

#: Text that has gone wrong in one store or another.
AWKWARD = (
    "naïve café, Ünïcödé",
    "東京タワー と 京都",
    "emoji 👩‍👩‍👧‍👦 🎉 and flags 🇩🇪",
    "عربى עברית हिन्दी ไทย",
    'it\'s "quoted", `ticked`, %percent%, _under_, back\\slash',
    "line one\nline two\r\n\ttabbed\n\n",
    "'); DROP TABLE items; --",
    "\u200bzero\u200dwidth\ufeff and \u202ebidi",
    "control \x01\x1b[31m\x7f characters",
    " leading and trailing ",
    "null undefined NaN {} [] true 0",
    "\U0010ffff\U0001f600\ufffd",
)


def rich_principal() -> Principal:
    """A principal whose every field is set."""
    return Principal(
        writer="agent",
        channel="mcp",
        user="ada",
        agent="codex",
        model="some-model",
        session="01KDVDNAZ8XW9MYAGR1EG5VT8T",
        org="acme",
        role="member",
        headless=True,
        confirmed=True,
        proof={"terminal": "none", "ancestor": "codex — é"},
    )


def rich_item(make: Maker, **given: Any) -> Item:
    """An item whose every field is set, but for those that only a later write sets."""
    at = make.tick()
    some: dict[str, Any] = {
        "title": "Use pnpm, not npm",
        "scope": REPO,
        "key": "tooling/manager",
        "kind": "decision",
        "status": "active",
        "verification": "corroborated",
        "pinned": True,
        "tainted": True,
        "flags": ("hidden", "similar:01KDVDNAZ8XW9MYAGR1EG5VT8T"),
        "replaces": make.id(),
        "replaces_version": 3,
        "created_at": at,
        "expires_at": at + 5,
        "delivered": 7,
        "opened": 8,
        "helpful": 9,
        "body": "Because of *workspaces*.",
        "summary": "pnpm",
        "tags": ("tooling", "two words", "ü"),
        "valid_from": at - 10,
        "valid_to": at + 10,
        "prompted_by": "ERR_PNPM",
        "author": rich_principal(),
        "where": Where(cwd="/home/ada/shop", repo=REPO, branch=BRANCH, commit="0f3e"),
        "reason": "asked by ada",
    }
    return make.item(**{**some, **given})


def rich_event(make: Maker, target: str) -> Event:
    """An event whose every field is set; the store sets its place in the chain."""
    return make.event(
        "approved",
        target,
        by=rich_principal(),
        fields=("status", "pinned"),
        before=1,
        after=2,
        change={
            "status": ("proposed", "active"),
            "pinned": (False, True),
            "expires_at": (None, 1_767_225_600_000_000),
            "note": ("é 東京", "it's"),
        },
        code="tombstone.equal",
        count=3,
        undoes=4,
        batch="01KDVDNAZ8XW9MYAGR1EG5VT8T",
        commitment=digest("commitment"),
    )


def rich_session(make: Maker) -> Session:
    """A session whose every field is set."""
    return make.session(
        "claude-code",
        "0f3e-77",
        parent=make.id(),
        model="some-model",
        transcript="/home/ada/.agent/0f3e.jsonl",
        scopes=("session:claude-code:0f3e-77", REPO, "global"),
        cwd="/home/ada/shop",
        branch=BRANCH,
        ended_at=make.tick(),
        last_event_at=make.tick(),
        start_reason="startup",
        end_reason="logout",
        first_prompt=AWKWARD[4],
        last_prompt=AWKWARD[1],
        prompts=4,
        head_start="0f3e",
        head_end="77aa",
        commits=("77aa", "1234"),
        diff_stat="2 files changed",
        headless=True,
        synthetic=True,
        deliver=False,
        busy=True,
        compactions=2,
        failures=3,
        corrections=1,
        nudged=True,
        forgotten=True,
        pid=4711,
        pid_started=123_456,
    )


#: What `unset` can look into.
Kept = Item | Version | Content | Where | Principal | Event | Session | Handoff | Delivery


def unset(thing: Kept) -> set[str]:
    """Names of the fields that hold nothing: a rich object that has one would test less."""
    empty: tuple[object, ...] = (None, "", b"", 0, (), {})
    return {field.name for field in fields(thing) if getattr(thing, field.name) in empty}
