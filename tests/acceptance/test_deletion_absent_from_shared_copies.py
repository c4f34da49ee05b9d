"""What was copied before it was deleted is absent from the copies; siblings there survive.

The copies are those that one machine has: a second scope, mirrors, an export beside the store's
own copies, and a copy of the store that is restored. The control at each is the sibling.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from commandline import CommandLine
from mcp_client import CLAUDE, AgentProcess, environment

if TYPE_CHECKING:
    from collections.abc import Callable

SESSION: Final = "0b7c4d1e-0000-4000-8000-000000000001"
YES: Final = [("[y/n]", "y")]

GONE: Final = "The vault hint is kestrelquill under the harbour stairs"
SIBLING: Final = "The harbour pilot answers on channel ospreychannel"
WORD: Final = b"kestrelquill"
KEPT: Final = b"ospreychannel"

PYTHON: Final = """
import sys
from onrecord import Memory
memory = Memory.open(sys.argv[1])
outcome = memory.forget(sys.argv[2])
memory.close()
print(outcome.code)
"""


class Shared:
    """A store whose memories were copied wherever one machine copies them to."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.copies = Path(f"{self.lines.store}.backups")

    def copy(self) -> None:
        """Two mirrors, an export and a copy of the store."""
        for name in ("mirror", "second"):
            assert self.lines.run("mirror", str(self.lines.home / name)).status == 0
        self.copies.mkdir(mode=0o700, exist_ok=True)
        out = ("export", "-o", str(self.copies / "out.jsonl"))
        assert self.lines.run(*out).status == 0
        self.backup = self.lines.run("backup", "--json").json["path"]
        assert self.has(WORD) == {"mirror", "second", "export", "store"}

    def places(self) -> dict[str, bytes]:
        """Every byte of each place."""
        found = {
            name: [path for path in (self.lines.home / name).rglob("*") if path.is_file()]
            for name in ("mirror", "second")
        }
        found["export"] = [self.copies / "out.jsonl"]
        parent, name = self.lines.store.parent, self.lines.store.name
        found["store"] = [path for path in parent.glob(f"{name}*") if path.is_file()]
        return {
            place: b"".join(path.read_bytes() + path.name.encode() for path in paths).lower()
            for place, paths in found.items()
        }

    def has(self, word: bytes) -> set[str]:
        """The places that hold a word."""
        return {place for place, raw in self.places().items() if word in raw}

    def scopes_with(self, title: str) -> set[str]:
        """The scopes in which something counts or waits."""
        kept = self.lines.run("list", "--all", "--json").json["items"]
        return {one["scope"] for one in kept if one["title"] == title}


@pytest.fixture
def shared(tmp_path: Path) -> Shared:
    """A place without a store."""
    return Shared(tmp_path)


def by_command(shared: Shared, item: str) -> None:
    """A person's `forget`."""
    assert shared.lines.run("forget", item, keys=YES).status == 0


def by_python(shared: Shared, item: str) -> None:
    """A program that a person runs in their terminal."""
    done = shared.lines.people.run([sys.executable, "-c", PYTHON, str(shared.lines.store), item])
    assert "forgotten" in done.text, done.text


@pytest.mark.parametrize("forget", [by_command, by_python])
def test_deletion_absent_from_shared_copies(
    shared: Shared, forget: Callable[[Shared, str], None]
) -> None:
    """Deleted once, it is gone from all of them; a restored copy does not bring it back."""
    for title in (GONE, SIBLING):
        shared.lines.remember(title, "--scope", "repo")
        shared.lines.remember(title, "--scope", "global")
    shared.copy()
    assert len(shared.scopes_with(GONE)) == 2
    (item, *_) = [
        one["id"]
        for one in shared.lines.run("list", "--all", "--json").json["items"]
        if one["title"] == GONE
    ]

    forget(shared, item)

    assert shared.has(WORD) == set()
    assert shared.has(KEPT) == {"mirror", "second", "export", "store"}
    assert shared.scopes_with(GONE) == set()
    assert len(shared.scopes_with(SIBLING)) == 2
    # what was made before can still be used, and brings nothing back
    assert shared.lines.run("mirror", str(shared.lines.home / "mirror")).status == 0
    done = shared.lines.run("import", str(shared.copies / "out.jsonl"), "--json").json
    assert done["outcomes"] == {"corroborated": 2}
    assert shared.lines.run("restore-backup", shared.backup, keys=YES).status == 0
    assert shared.scopes_with(GONE) == set()
    assert len(shared.scopes_with(SIBLING)) == 2
    assert WORD not in shared.places()["store"]


def test_deletion_absent_from_shared_copies_by_an_agent(shared: Shared) -> None:
    """What an agent kept for itself and forgets by MCP is gone from the person's mirror too."""
    env = environment(shared.lines.home, shared.lines.store)
    with AgentProcess(CLAUDE, cwd=shared.lines.repo, env=env) as agent:
        agent.start(SESSION)
        server = agent.serve()
        server.shake_hands()
        kept = [
            server.call("remember", title=title, scope=scope)["structuredContent"]
            for title in (GONE, SIBLING)
            for scope in ("session", "agent")
        ]
        assert {one["outcome"] for one in kept} == {"created"}
        shared.copy()
        done = server.call("forget", id=kept[0]["id"])["structuredContent"]

    assert done["outcome"] == "updated"
    assert shared.scopes_with(GONE) == set()
    assert shared.has(WORD) == set()
    assert shared.has(KEPT) == {"mirror", "second", "export", "store"}


def test_deletion_absent_from_shared_copies_later(shared: Shared) -> None:
    """A mirror that is not there now is said to hold it still, and loses it with the next."""
    away = shared.lines.home / "drive"
    item = shared.lines.remember(GONE, "--scope", "global")
    other = shared.lines.remember(SIBLING, "--scope", "global")
    third = shared.lines.remember("Night buses start from the depot at ten", "--scope", "global")
    for name in ("mirror", "second"):
        assert shared.lines.run("mirror", str(away / name)).status == 0
    away.rename(shared.lines.home / "unplugged")

    first = shared.lines.run("forget", item, keys=YES)

    assert "2 mirrors or exports of it could not be reached" in first.out
    (shared.lines.home / "unplugged").rename(away)
    pages = [path.read_bytes() for path in away.rglob("*.md")]
    assert any(WORD in raw.lower() for raw in pages)

    second = shared.lines.run("forget", third, keys=YES)

    assert "could not be reached" not in second.out
    pages = [path.read_bytes() for path in away.rglob("*.md")]
    assert not any(WORD in raw.lower() for raw in pages)
    assert all(KEPT in raw.lower() for raw in pages)
    assert len(pages) == 2
    assert shared.lines.status_of(other) == "active"
