"""One story through every door: the same words, the same outcomes, the same JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

import pytest

from harness.terminal import Person

BIN = Path(sys.executable).parent

STORY: tuple[tuple[str, dict[str, str], str], ...] = (
    # (what is said, fields, outcome for an agent)
    ("Run bin/setup_db before the specs", {"kind": "lesson", "scope": "repo"}, "proposed"),
    ("run bin/setup_db before the specs.", {"kind": "lesson", "scope": "repo"}, "corroborated"),
    ("The gate spec uses the fake clock", {"scope": "agent"}, "created"),
    ("", {}, "refused"),
    ("Never force-push", {"kind": "rule", "scope": "repo"}, "refused"),
    ("Fares are in cents", {"scope": "agent:someone-else"}, "refused"),
)


class Door(Protocol):
    """A way in for an agent."""

    def remember(self, title: str, **fields: str) -> dict[str, Any]:
        """The outcome's JSON."""
        ...

    def recall(self, query: str) -> list[str]:
        """Titles that are found."""
        ...


class CommandLine:
    """`onrecord` as a script runs it."""

    agent = "script"

    def __init__(self, home: Path, repo: Path) -> None:
        self._env = {"HOME": str(home), "PATH": f"{BIN}:/usr/bin:/bin", "LANG": "C.UTF-8"}
        self._repo = repo

    def _run(self, *words: str) -> dict[str, Any]:
        done = subprocess.run(
            [str(BIN / "onrecord"), words[0], "--json", *words[1:]],
            env=self._env,
            cwd=self._repo,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert "Traceback" not in done.stderr
        if not done.stdout:
            return {"outcome": "refused", **json.loads(done.stderr)}
        shape: dict[str, Any] = json.loads(done.stdout)
        return shape

    def remember(self, title: str, **fields: str) -> dict[str, Any]:
        """Through the command."""
        flags = [word for name, value in fields.items() for word in (f"--{name}", value)]
        return self._run("remember", *flags, "--", title or " ")

    def recall(self, query: str) -> list[str]:
        """Through the command."""
        return [hit["item"]["title"] for hit in self._run("recall", query)["hits"]]


class Library:
    """`onrecord.Memory` in a process of its own, so that nothing of the tests is above it."""

    agent = "codex"

    def __init__(self, home: Path, repo: Path) -> None:
        self._env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        self._repo = repo

    def _run(self, code: str, *words: str) -> Any:
        program = (
            "import json, sys\n"
            "from onrecord import Memory, Principal, to_json\n"
            "with Memory.open(principal=Principal.agent('codex', session='s1')) as memory:\n"
            f"    {code}\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, *words],
            env=self._env,
            cwd=self._repo,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def remember(self, title: str, **fields: str) -> dict[str, Any]:
        """Through the library."""
        code = (
            "print(json.dumps(to_json(memory.remember(sys.argv[1], **json.loads(sys.argv[2])))))"
        )
        shape: dict[str, Any] = self._run(code, title, json.dumps(fields))
        return shape

    def recall(self, query: str) -> list[str]:
        """Through the library."""
        code = "print(json.dumps(to_json(memory.recall(sys.argv[1]))))"
        return [hit["item"]["title"] for hit in self._run(code, query)["hits"]]


class Server:
    """MCP on stdio, raw."""

    agent = "codex"

    def __init__(self, home: Path, repo: Path) -> None:
        self._env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        self._repo = repo

    def _call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        meta = {"sessionId": "s1", "threadId": "s1"}
        lines = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
            {
                "jsonrpc": "2.0",
                "id": 2,
                "method": "tools/call",
                "params": {"name": tool, "arguments": arguments, "_meta": meta},
            },
        ]
        done = subprocess.run(
            [str(BIN / "onrecord"), "mcp", "--client", "codex"],
            input="".join(json.dumps(line) + "\n" for line in lines),
            env=self._env,
            cwd=self._repo,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        result: dict[str, Any] = json.loads(done.stdout.splitlines()[1])["result"]
        return result

    def remember(self, title: str, **fields: str) -> dict[str, Any]:
        """Through the tool; an argument that does not fit is an error, told as refused here."""
        result = self._call("remember", {"title": title, **fields})
        shape: dict[str, Any] = result.get("structuredContent") or {"outcome": "refused"}
        return shape

    def recall(self, query: str) -> list[str]:
        """Through the tool: fenced text, one line an item."""
        text: str = self._call("recall", {"query": query})["content"][0]["text"]
        lines = [line for line in text.splitlines() if line.startswith("[m:")]
        return [line.partition(") ")[2] for line in lines]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A fresh home."""
    path = tmp_path / "home"
    path.mkdir()
    return path


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with an origin."""
    path = tmp_path / "shop"
    path.mkdir()
    for words in (
        ("init", "-q", "-b", "main"),
        ("remote", "add", "origin", "https://github.com/acme/shop.git"),
    ):
        subprocess.run(["git", *words], cwd=path, check=True)
    return path


@pytest.mark.parametrize("door", [CommandLine, Library, Server])
def test_one_story_through_every_door(
    door: type[CommandLine | Library | Server], home: Path, repo: Path
) -> None:
    """Each door gives the same outcomes, and nothing unapproved is recalled until it is."""
    way = door(home, repo)
    headless = door is CommandLine
    outcomes = [way.remember(title, **fields)["outcome"] for title, fields, _ in STORY]
    wanted = [
        # a script has nobody at it, so it proposes in its own scope as well
        "proposed" if headless and outcome == "created" else outcome
        for _, _, outcome in STORY
    ]
    before = way.recall("how do I set up the database for specs? setup_db")
    reviewed = Person(home, cwd=repo).run(
        [str(BIN / "onrecord"), "review"], keys=[("(q)uit", "a"), *([("(q)uit", "a")] * headless)]
    )
    after = way.recall("how do I set up the database for specs? setup_db")

    assert outcomes == wanted
    assert "Run bin/setup_db before the specs" not in before
    assert reviewed.exit_code == 0
    assert after[0] == "Run bin/setup_db before the specs"


def test_every_door_writes_the_same_item(home: Path, repo: Path) -> None:
    """What the library made and what the command shows is one and the same JSON."""
    made = Library(home, repo).remember("The depot charges at night", scope="agent", kind="fact")
    shown = Person(home, cwd=repo).run(
        [str(BIN / "onrecord"), "show", made["item"]["id"], "--json"]
    )
    item = json.loads(shown.text[shown.text.index("{") :])

    made["item"]["use"], item["use"] = None, None
    assert item.pop("first")["author"] == item["author"]
    assert item.pop("reviews") == []
    assert item.pop("expired") is False
    assert item == made["item"]
