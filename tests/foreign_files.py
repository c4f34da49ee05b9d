"""What other tools keep, made by us in the forms that they write."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import apsw

if TYPE_CHECKING:
    from pathlib import Path


def written(path: Path, text: str) -> Path:
    """A text in a file, with the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# -- markdown ---------------------------------------------------------------------

CLAUDE_MD: Final = """\
# CLAUDE.md

<!-- reviewed in spring; nobody sees this line -->

## Commands

- Run `bin/setup_db` before the specs
- Restart the worker after a migration:

      bin/worker restart

## Conventions

Use pnpm in the web folder, never npm.

Ship a release from the main branch:

```sh
bin/ship --blue
```

@docs/house-rules.md
"""


def claude_md(folder: Path) -> Path:
    """A project's instructions for agents."""
    return written(folder / "CLAUDE.md", CLAUDE_MD)


def auto_memory(folder: Path) -> Path:
    """The folder that Claude Code keeps for a project: an index and topic files."""
    root = folder / "memory"
    written(
        root / "MEMORY.md",
        "- [Fare rounding](fare-rounding.md) — half up, per passenger\n"
        "- [Reviews](reviews.md) — how she wants them\n",
    )
    written(
        root / "fare-rounding.md",
        "---\nname: fare-rounding\ndescription: Fares round half up for each passenger\n"
        "metadata:\n  type: project\n---\n\nThe old engine rounded the sum. [[reviews]]\n",
    )
    written(
        root / "reviews.md",
        "---\nname: reviews\ndescription: Reviews name the risk first\n"
        "metadata:\n  node_type: memory\n  type: feedback\n  originSessionId: 0b7c4d1e\n---\n\n"
        "**Why:** two regressions slipped through.\n",
    )
    written(root / "debugging.md", "# Debugging\n\n- The queue stalls when Redis is paused\n")
    return root


# -- server-memory ----------------------------------------------------------------


def server_memory(folder: Path) -> Path:
    """The reference server's graph."""
    lines = [
        {
            "type": "entity",
            "name": "Fare engine",
            "entityType": "service",
            "observations": ["rounds half up", "Fare engine needs Postgres 16"],
        },
        {"type": "entity", "name": "Quay", "entityType": "place", "observations": []},
        {
            "type": "relation",
            "from": "Fare engine",
            "to": "Ticket office",
            "relationType": "is_used_by",
        },
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    return written(folder / "memory.jsonl", text + '\n{"type": "entity", "name": \n')


# -- mem0 -------------------------------------------------------------------------

_MEM0: Final = """
CREATE TABLE history (
  id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
  created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);
CREATE TABLE messages (
  id TEXT PRIMARY KEY, session_scope TEXT, role TEXT, content TEXT, name TEXT,
  created_at DATETIME);
"""


def mem0_history(folder: Path) -> Path:
    """The database beside the vectors: two memories, one of them changed; a deleted one."""
    path = folder / "history.db"
    changes: list[tuple[str, str | None, str | None, str]] = [
        ("m1", None, "Prefers dark roast", "ADD"),
        ("m2", None, "Works on the fare engine", "ADD"),
        ("m3", None, "Lives on a boat", "ADD"),
        ("m1", "Prefers dark roast", "Prefers light roast since spring", "UPDATE"),
        ("m3", "Lives on a boat", None, "DELETE"),
    ]
    with apsw.Connection(str(path)) as db:
        db.execute(_MEM0)
        for n, (memory, old, new, event) in enumerate(changes):
            db.execute(
                "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    f"h{n}",
                    memory,
                    old,
                    new,
                    event,
                    "2026-03-01T08:00:00-08:00",
                    None,
                    int(event == "DELETE"),
                    "ada",
                    "user",
                ),
            )
    db.close()
    return path


def mem0_export(folder: Path) -> Path:
    """What the client's get_all answers."""
    rows = [
        {
            "id": "892db2ae-06d9-49e5-8b3e-585ef9b85b8e",
            "memory": "Runs the specs with the frozen clock",
            "user_id": "ada",
            "hash": "0f2e",
            "metadata": {"category": "work"},
            "categories": ["testing"],
            "created_at": "2026-02-01T10:00:00+00:00",
            "updated_at": None,
        },
        {"id": "892db2ae-0000", "memory": None},
    ]
    return written(folder / "mem0.json", json.dumps({"results": rows}))


# -- lorekit ----------------------------------------------------------------------


def lore(**fields: object) -> str:
    """An entry of LoreKit."""
    names = ("scope", "key", "tags", "source_agent", "trigger", "created", "updated")
    lines = [f"{name}: {json.dumps(fields.get(name))}" for name in names]
    lines.append(f"archived_at: {json.dumps(fields.get('archived_at'))}")
    return "---\n" + "\n".join(lines) + f"\n---\n{fields['value']}\n"


def lorekit_store(folder: Path) -> Path:
    """Its folder: one entry a file."""
    root = folder / ".lorekit"
    written(
        root / "repo" / "acme" / "shop" / "frozen-clock.md",
        lore(
            scope="repo::acme/shop",
            key="frozen-clock",
            tags=["specs"],
            source_agent="claude-code",
            trigger="expected 10:00, got 11:00",
            value="Freeze the clock in gate specs\n\nThey cross midnight.",
        ),
    )
    written(
        root / "global" / "small-commits.md",
        lore(scope="global", key="small-commits", value="Keep commits small"),
    )
    written(
        root / "global" / "old.md",
        lore(scope="global", key="old", value="Old", archived_at="2026-01-01T00:00:00Z"),
    )
    return root


def lorekit_rows(folder: Path) -> Path:
    """What its API answers with."""
    row = {
        "id": "6f0e",
        "scope": "project::harbour",
        "key": "tide-table",
        "value": "Tide tables are cached for one hour",
        "tags": ["cache"],
        "created_at": "2026-01-05T00:00:00Z",
        "updated_at": "2026-01-06T00:00:00Z",
        "archived_at": None,
    }
    return written(folder / "lorekit.json", json.dumps({"memories": [row], "next": None}))


# -- claude-mem -------------------------------------------------------------------

_CLAUDE_MEM: Final = """
PRAGMA journal_mode = WAL;
CREATE TABLE sdk_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL,
  memory_session_id TEXT UNIQUE, project TEXT NOT NULL, user_prompt TEXT,
  started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'active');
CREATE TABLE observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
  text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT,
  concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER,
  discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, agent_type TEXT, agent_id TEXT,
  merged_into_project TEXT, generated_by_model TEXT, metadata TEXT, created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL, UNIQUE(memory_session_id, content_hash));
CREATE TABLE session_summaries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
  request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
  files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER,
  merged_into_project TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE user_prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL,
  prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL);
CREATE TABLE directives (
  id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL DEFAULT 'global', project TEXT,
  content TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'active',
  source TEXT NOT NULL DEFAULT 'manual', created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL, updated_at_epoch INTEGER NOT NULL);
CREATE VIRTUAL TABLE observations_fts USING fts5(title, content='observations');
CREATE TRIGGER observations_ai AFTER INSERT ON observations BEGIN
  INSERT INTO observations_fts(rowid, title) VALUES (new.id, new.title);
END;
"""

_OBSERVED: Final = (
    "INSERT INTO observations (memory_session_id, project, type, title, subtitle, facts,"
    " narrative, concepts, files_modified, content_hash, created_at, created_at_epoch)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '2026-04-02T09:00:00.000Z', 1775120400000)"
)


def claude_mem(folder: Path) -> Path:
    """Its database, with the latest rows still in the log beside it."""
    path = folder / "claude-mem.db"
    db = apsw.Connection(str(path))
    for _ in db.execute(_CLAUDE_MEM):
        pass
    db.execute(
        _OBSERVED,
        (
            "s1",
            "shop",
            "bugfix",
            "Refunds were counted twice",
            "A retry without its key",
            json.dumps(["The retry had no idempotency key", "Amounts are in cents"]),
            "The worker retried after a timeout.",
            json.dumps(["gotcha"]),
            json.dumps(["app/refunds.rb", "/home/ada/elsewhere.rb"]),
            "a1",
        ),
    )
    db.execute(
        _OBSERVED,
        ("s1", "harbour", "decision", "Tides come from one table", "", "[]", "", "[]", "[]", "a2"),
    )
    db.execute(_OBSERVED, ("s1", "shop", "change", "", "", None, None, None, None, "a3"))
    db.execute(
        "INSERT INTO session_summaries (memory_session_id, project, request, learned,"
        " next_steps, created_at, created_at_epoch) VALUES ('s1', 'shop', 'Mend the refunds',"
        " 'Retries need a key', 'Backfill March', '2026-04-02T10:00:00.000Z', 1775124000000)"
    )
    db.execute(
        "INSERT INTO directives (content, created_at, created_at_epoch, updated_at_epoch)"
        " VALUES ('Answer in English', '2026-04-02', 1775120400000, 1775120400000)"
    )
    _kept_open.append(db)
    return path


#: Connections that hold a log beside their file, as a tool that runs does.
_kept_open: Final[list[apsw.Connection]] = []


# -- basic-memory -----------------------------------------------------------------

NOTE: Final = """\
---
title: Coffee at the quay
type: note
tags: [coffee, quay]
permalink: quay/coffee-at-the-quay
---

# Coffee at the quay

The kiosk opens before the first ferry.

## Observations
- [decision] Beans come from one roaster #supply (since May)
- [technique] Water stays at 93 degrees
- [x] order filters

## Relations
- depends_on [[Ferry timetable]]
- part_of [[Quay guide]] (second chapter)

```md
- [decision] an example inside of code
```
"""


def basic_memory(folder: Path) -> Path:
    """A folder of notes."""
    root = folder / "notes"
    written(root / "quay" / "coffee.md", NOTE)
    written(root / "quay" / "empty.md", "---\ntitle: Nothing yet\n---\n")
    return root


# -- engram -----------------------------------------------------------------------

_ENGRAM: Final = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL,
  started_at TEXT NOT NULL, ended_at TEXT, summary TEXT);
CREATE TABLE observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT, session_id TEXT NOT NULL,
  type TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL, tool_name TEXT, project TEXT,
  scope TEXT NOT NULL DEFAULT 'project', topic_key TEXT, normalized_hash TEXT,
  revision_count INTEGER NOT NULL DEFAULT 1, duplicate_count INTEGER NOT NULL DEFAULT 1,
  last_seen_at TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')),
  updated_at TEXT NOT NULL DEFAULT (datetime('now')), deleted_at TEXT);
"""


def engram(folder: Path) -> Path:
    """Its database."""
    path = folder / "engram.db"
    rows = [
        ("architecture", "Queues are per tenant", "One noisy tenant stalled the rest.", "project"),
        ("preference", "Prefers tabs in Go", "gofmt decides.", "personal"),
        ("bugfix", "Gone", "Deleted there.", "project"),
    ]
    with apsw.Connection(str(path)) as db:
        db.execute(_ENGRAM)
        for n, (kind, title, content, scope) in enumerate(rows):
            db.execute(
                "INSERT INTO observations (sync_id, session_id, type, title, content, project,"
                " scope, topic_key, deleted_at) VALUES (?, 's1', ?, ?, ?, 'shop', ?, ?, ?)",
                (
                    f"obs-{n}",
                    kind,
                    title,
                    content,
                    scope,
                    "architecture/queues" if n == 0 else None,
                    "2026-05-01 10:00:00" if title == "Gone" else None,
                ),
            )
    db.close()
    return path


# -- codex ------------------------------------------------------------------------

HANDBOOK: Final = """\
# Task Group: fares / rounding and its specs

scope: how fares are rounded, and what their specs need
applies_to: cwd=/home/ada/src/shop; reuse_rule=safe in any checkout of the shop

## Task 1: mend the rounding of fares, success

### rollout_summary_files

- rollout_summaries/a.md (cwd=/home/ada/src/shop, updated_at=2026-03-02T10:00:00Z)

### keywords

- fares, half up, frozen clock

## User preferences

- when a spec fails, the user asked: "show me the diff first" -> show it before a fix [Task 1]

## Reusable knowledge

- The fare table is read once when the gate opens [Task 1]

## Failures and how to do differently

- specs drift at midnight -> the clock was real -> freeze it [Task 1]

# Task Group: habits of the harbour

scope: everything
applies_to: cwd=several checkouts; reuse_rule=always

## Reusable knowledge

- Ferries are named after birds
"""

OLD_HANDBOOK: Final = """\
---
rollout_summary_files:
  - a.md (success, cwd=/home/ada/src/shop, updated_at=2026-02-12T10:30:00Z)
description: how the quay is opened
keywords: quay, keys
---

- The key of the quay hangs by the door
- Related skill: skills/quay/SKILL.md
"""


def codex_memories(folder: Path) -> Path:
    """The folder that Codex keeps for all its runs."""
    root = folder / "memories"
    written(root / "MEMORY.md", HANDBOOK)
    written(
        root / "memory_summary.md",
        "v1\n\n## User Profile\n\nAda runs a harbour and likes short answers.\n\n"
        "## General Tips\n\n- Ask before the gate is opened\n\n"
        "## What's in Memory\n\n- fares: rounding, half up\n  - desc: how fares are rounded\n",
    )
    written(root / "raw_memories.md", "# Raw Memories\n\nOn the tide.\n")
    written(root / "rollout_summaries" / "2026-03-02-fares.md", "thread_id: 0b7c\n")
    return root


def old_codex_memories(folder: Path) -> Path:
    """The same in the form that it had first."""
    return written(folder / "memories" / "MEMORY.md", OLD_HANDBOOK)


# -- chatgpt ----------------------------------------------------------------------


def conversation(number: int, *messages: dict[str, object]) -> dict[str, object]:
    """One conversation of an export, each message below the one before."""
    nodes: dict[str, dict[str, object]] = {
        "root": {"id": "root", "message": None, "parent": None, "children": []}
    }
    above = "root"
    for n, message in enumerate(messages):
        name = f"m{n}"
        told = {
            "id": name,
            "author": {"role": "assistant", "name": None, "metadata": {}},
            "create_time": 1_700_000_000.5 + 86_400 * number + n,
            "recipient": "all",
            **message,
        }
        nodes[name] = {"id": name, "message": told, "parent": above, "children": []}
        above = name
    return {
        "id": f"c{number}",
        "conversation_id": f"c{number}",
        "title": f"Conversation {number}",
        "create_time": 1_700_000_000.0 + 86_400 * number,
        "update_time": 1_700_000_000.0 + 86_400 * number,
        "current_node": above,
        "mapping": nodes,
    }


def listed(*entries: str) -> dict[str, object]:
    """What a conversation was begun with: the list of what is remembered."""
    lines = [f"{n}. [2026-01-0{n}]. {entry}" for n, entry in enumerate(entries, 1)]
    return {
        "content": {
            "content_type": "model_editable_context",
            "model_set_context": "\n\n".join(lines),
        }
    }


def remembered(text: str) -> dict[str, object]:
    """A call of the tool that remembers."""
    return {"recipient": "bio", "content": {"content_type": "text", "parts": [text]}}


def chatgpt(folder: Path) -> Path:
    """An unpacked export: a list in an older and a newer state, and what came after it."""
    said: dict[str, object] = {
        "author": {"role": "user"},
        "content": {"content_type": "text", "parts": ["Hello"]},
    }
    own: dict[str, object] = {
        "author": {"role": "user"},
        "content": {
            "content_type": "user_editable_context",
            "user_profile": "The user provided this:\n```Ada runs a harbour```",
            "user_instructions": "```Answer in short sentences```",
        },
    }
    rows = [
        conversation(1, listed("Keeps bees on the roof"), remembered("Is fond of old charts")),
        conversation(2, own, listed("Keeps a cat called Tide", "Sails a small ketch"), said),
        conversation(3, said, remembered("Prefers tea before noon")),
    ]
    root = folder / "export"
    written(root / "conversations.json", json.dumps([*rows, {"id": "broken"}]))
    written(root / "user.json", json.dumps({"id": "user-1", "email": "ada@example.org"}))
    return root


#: tool -> the tables of its database
SCHEMAS: Final = {"claude-mem": _CLAUDE_MEM, "engram": _ENGRAM}
