"""Citations are compared beside the store, not inside of it, and in a bounded time."""

from __future__ import annotations

import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from desk import BRANCH, REPO, Desk, id_of
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.storage.inmemory import InMemoryStore

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from onrecord.domain.ports import Transaction

FILES = 6


class WatchedStore(InMemoryStore):
    """A store that knows whether somebody is reading it."""

    open_now = 0

    @contextmanager
    def read(self) -> Generator[Transaction]:
        """As the store's own."""
        with super().read() as tx:
            self.open_now += 1
            try:
                yield tx
            finally:
                self.open_now -= 1


class Cited:
    """A repository whose cited files are renamed, and the memories that cite them."""

    def __init__(self, root: Path) -> None:
        (root / "src").mkdir(parents=True)
        self.root = root
        for n in range(FILES):
            (root / "src" / f"gate{n}.py").write_text(f"LIMIT = {n}\n" * 9, encoding="utf-8")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "gates")
        self.store = WatchedStore()
        self.desk = Desk(self.store)
        here = Place(cwd=str(root), root=str(root), repo=REPO, branch=BRANCH, main_branch=False)
        self.ada = Caller(principal=self.desk.ada.principal, place=here)
        self.items = [
            id_of(
                self.desk.remember(
                    f"The gate limit {n} is set in src/gate{n}.py:3",
                    self.ada,
                    scope=REPO,
                    distinct=True,
                )
            )
            for n in range(FILES)
        ]
        for n in range(FILES):
            self.git("mv", f"src/gate{n}.py", f"src/door{n}.py")

    def git(self, *words: str) -> None:
        """Run git as Ada."""
        who = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")
        subprocess.run(
            ["git", *who, *words], cwd=self.root, check=True, timeout=30, capture_output=True
        )


@pytest.fixture
def cited(tmp_path: Path) -> Cited:
    """Six renamed files with a memory each."""
    return Cited(tmp_path / "shop")


def test_no_transaction_is_open_while_git_is_asked(
    cited: Cited, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recall, get, what is cited and what an item rests on; each asks git."""
    inside: list[int] = []

    class Watched(subprocess.Popen[bytes]):
        def __init__(self, *given: Any, **more: Any) -> None:
            inside.append(cited.store.open_now)
            super().__init__(*given, **more)

    monkeypatch.setattr(subprocess, "Popen", Watched)
    monkeypatch.setattr("onrecord.capture.citation_moves._REMEMBERED", 1)
    memory, (item, *_) = cited.desk.memory, cited.items

    def forgets() -> None:
        monkeypatch.setattr("onrecord.capture.citation_moves._known", {})
        assert inside, "git was not asked"
        assert not any(inside)
        inside.clear()

    hits = memory.recall("gate limit", cited.ada).hits
    assert "moved to src/door" in hits[0].cites[0]
    assert hits[0].cites[0] in hits[0].reasons
    forgets()
    assert memory.get(item, cited.ada).verification == "verified"
    forgets()
    assert "moved to src/door0.py:3" in memory.cites(item, cited.ada)[0]
    forgets()
    assert "src/door0.py:3" in [rest.now for rest in memory.rests(item, cited.ada)]
    forgets()


def test_a_recall_waits_for_git_once_in_all(
    cited: Cited, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where git never answers, six hits take no more than one; none of them is stale."""
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 30\n", encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:/usr/bin:/bin")
    monkeypatch.setattr("onrecord.service.cited.GIT_S", 0.4)
    begun = time.monotonic()
    hits = cited.desk.memory.recall("gate limit", cited.ada).hits
    took = time.monotonic() - begun

    assert [hit.item.verification for hit in hits] == ["verified"] * FILES
    assert [hit.cites for hit in hits] == [()] * FILES
    assert took < 2
