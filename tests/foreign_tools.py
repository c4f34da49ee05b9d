"""What should come of what other tools keep."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from foreign_files import (
    auto_memory,
    basic_memory,
    chatgpt,
    claude_md,
    claude_mem,
    codex_memories,
    engram,
    lorekit_rows,
    lorekit_store,
    mem0_export,
    mem0_history,
    old_codex_memories,
    server_memory,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHOP: Final = "repo:github.com/acme/shop"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """One memory that has to come of a source."""

    title: str
    kind: str
    scope: str = SHOP
    #: a part of its body
    body: str = ""
    tags: tuple[str, ...] = ()
    key: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """One format: how it is made in a folder, and what comes of it."""

    make: Callable[[Path], Path]
    wanted: tuple[Wanted, ...]
    #: why entries are left out -> how many
    left_out: dict[str, int] = field(default_factory=dict[str, int])


#: format, and form where it has several -> the tool's files and what comes of them
TOOLS: Final[dict[tuple[str, str], Tool]] = {
    ("markdown", "claude-md"): Tool(
        make=claude_md,
        wanted=(
            Wanted(title="Run `bin/setup_db` before the specs", kind="note", tags=("Commands",)),
            Wanted(
                title="Restart the worker after a migration:", kind="note", body="worker restart"
            ),
            Wanted(
                title="Use pnpm in the web folder, never npm.", kind="note", tags=("Conventions",)
            ),
            Wanted(
                title="Ship a release from the main branch:", kind="note", body="bin/ship --blue"
            ),
        ),
        left_out={"pointer": 1},
    ),
    ("markdown", "auto-memory"): Tool(
        make=auto_memory,
        wanted=(
            Wanted(title="The queue stalls when Redis is paused", kind="note"),
            Wanted(title="Fares round half up for each passenger", kind="fact", body="old engine"),
            Wanted(title="Reviews name the risk first", kind="preference", body="regressions"),
        ),
        left_out={"pointer": 2},
    ),
    ("server-memory", "graph"): Tool(
        make=server_memory,
        wanted=(
            Wanted(title="Fare engine: rounds half up", kind="fact", tags=("service",)),
            Wanted(title="Fare engine needs Postgres 16", kind="fact", tags=("service",)),
            Wanted(title="Fare engine is used by Ticket office", kind="fact"),
        ),
        left_out={"empty": 1, "damaged": 1},
    ),
    ("mem0", "history"): Tool(
        make=mem0_history,
        wanted=(
            Wanted(title="Works on the fare engine", kind="fact"),
            Wanted(title="Prefers light roast since spring", kind="fact"),
        ),
        left_out={"deleted": 1},
    ),
    ("mem0", "export"): Tool(
        make=mem0_export,
        wanted=(
            Wanted(title="Runs the specs with the frozen clock", kind="fact", tags=("testing",)),
        ),
        left_out={"damaged": 1},
    ),
    ("lorekit", "store"): Tool(
        make=lorekit_store,
        wanted=(
            Wanted(
                title="Freeze the clock in gate specs",
                kind="lesson",
                key="frozen-clock",
                body="They cross midnight.",
                tags=("specs",),
            ),
            Wanted(title="Keep commits small", kind="lesson", key="small-commits", scope="global"),
        ),
        left_out={"archived": 1},
    ),
    ("lorekit", "rows"): Tool(
        make=lorekit_rows,
        wanted=(
            Wanted(
                title="Tide tables are cached for one hour",
                kind="lesson",
                key="tide-table",
                scope="project:harbour",
            ),
        ),
    ),
    ("claude-mem", "database"): Tool(
        make=claude_mem,
        wanted=(
            Wanted(
                title="Refunds were counted twice",
                kind="lesson",
                body="- The retry had no idempotency key",
                tags=("gotcha",),
            ),
            Wanted(title="Tides come from one table", kind="decision", scope="project:harbour"),
            Wanted(title="Mend the refunds", kind="summary", body="Learned: Retries need a key"),
            Wanted(title="Answer in English", kind="preference", scope="global"),
        ),
        left_out={"empty": 1},
    ),
    ("basic-memory", "notes"): Tool(
        make=basic_memory,
        wanted=(
            Wanted(
                title="Beans come from one roaster #supply (since May)",
                kind="decision",
                tags=("coffee", "quay", "supply"),
            ),
            Wanted(title="Water stays at 93 degrees", kind="note", tags=("coffee", "quay")),
            Wanted(title="Coffee at the quay depends on Ferry timetable", kind="fact"),
            Wanted(title="Coffee at the quay part of Quay guide (second chapter)", kind="fact"),
            Wanted(title="Coffee at the quay", kind="note", body="before the first ferry"),
        ),
        left_out={"empty": 1},
    ),
    ("codex-memories", "folder"): Tool(
        make=codex_memories,
        wanted=(
            Wanted(title="The fare table is read once when the gate opens", kind="fact"),
            Wanted(
                title='when a spec fails, the user asked: "show me the diff first" -> show it'
                " before a fix",
                kind="preference",
                tags=("fares / rounding and its specs",),
            ),
            Wanted(
                title="specs drift at midnight -> the clock was real -> freeze it", kind="lesson"
            ),
            Wanted(title="Ferries are named after birds", kind="fact", scope="global"),
            Wanted(
                title="Ada runs a harbour and likes short answers.", kind="note", scope="global"
            ),
            Wanted(title="Ask before the gate is opened", kind="note", scope="global"),
        ),
        left_out={"raw": 2},
    ),
    ("codex-memories", "old"): Tool(
        make=old_codex_memories,
        wanted=(
            Wanted(
                title="The key of the quay hangs by the door",
                kind="note",
                tags=("how the quay is opened",),
            ),
            Wanted(title="Related skill: skills/quay/SKILL.md", kind="note"),
        ),
    ),
    ("chatgpt", "export"): Tool(
        make=chatgpt,
        wanted=(
            Wanted(title="Keeps a cat called Tide", kind="fact", scope="global"),
            Wanted(title="Sails a small ketch", kind="fact", scope="global"),
            Wanted(title="Prefers tea before noon", kind="fact", scope="global"),
            Wanted(title="Ada runs a harbour", kind="note", scope="global"),
            Wanted(title="Answer in short sentences", kind="preference", scope="global"),
        ),
        left_out={"damaged": 1},
    ),
    ("engram", "database"): Tool(
        make=engram,
        wanted=(
            Wanted(
                title="Queues are per tenant",
                kind="decision",
                key="architecture/queues",
                body="noisy tenant",
            ),
            Wanted(title="Prefers tabs in Go", kind="preference", scope="global"),
        ),
        left_out={"deleted": 1},
    ),
}
