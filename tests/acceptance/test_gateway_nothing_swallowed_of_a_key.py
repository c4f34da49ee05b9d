"""A key that is given is kept, and what stands at another address is looked at all the same."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

from commandline import REPO, CommandLine
from harness.surroundings import CLAUDE_VARIABLES
from mcp_client import environment, start_server

if TYPE_CHECKING:
    from pathlib import Path

MAKE: Final = "The build uses make from the root folder"
NINJA: Final = "The build uses ninja from the out folder"


def stored(lines: CommandLine, status: str = "active") -> list[dict[str, Any]]:
    """All of a status, with titles, keys and pins."""
    found: list[dict[str, Any]] = lines.run("list", "--all", "--status", status, "--json").json[
        "items"
    ]
    return found


def keyed(lines: CommandLine, status: str = "active") -> list[tuple[str, str | None]]:
    """Titles and keys of all of a status."""
    return sorted((item["title"], item["key"]) for item in stored(lines, status))


def say(lines: CommandLine, text: str, *words: str) -> dict[str, Any]:
    """What a person is answered."""
    told: dict[str, Any] = lines.run("remember", text, "--scope", "repo", *words, "--json").json
    return told


def test_gateway_nothing_swallowed_of_a_key_given_later(tmp_path: Path) -> None:
    """The same text takes the address, keeps its pin, and its next value replaces it; undo too."""
    lines = CommandLine(tmp_path)
    say(lines, "Deploys go out on Mondays", "--kind", "decision", "--pin", "--tag", "ops")
    told = say(lines, "Deploys go out on Mondays", "--key", "deploy")
    assert keyed(lines) == [("Deploys go out on Mondays", "deploy")]
    assert (stored(lines)[0]["kind"], stored(lines)[0]["pinned"]) == ("decision", True)
    assert stored(lines)[0]["tags"] == ["ops"]
    lines.run("undo", str(told["undo"]))
    assert keyed(lines) == [("Deploys go out on Mondays", None)]
    say(lines, "Deploys go out on Mondays", "--key", "deploy")
    say(lines, "Deploys go out on Thursdays", "--key", "deploy")

    assert keyed(lines) == [("Deploys go out on Thursdays", "deploy")]
    assert lines.run("check").status == 0


def test_gateway_nothing_swallowed_of_a_key_that_is_taken(tmp_path: Path) -> None:
    """Saying an old value of a key again goes to that key, never beside its new value."""
    lines = CommandLine(tmp_path)
    say(lines, MAKE, "--key", "build")
    say(lines, NINJA, "--key", "build")
    waits = say(lines, MAKE)
    back = say(lines, MAKE, "--key", "build")

    assert waits["outcome"] == "proposed"
    assert back["outcome"] == "updated"
    assert keyed(lines) == [(MAKE, "build")]
    assert keyed(lines, "proposed") == []
    lines.run("undo", str(back["undo"]))
    assert keyed(lines) == [(NINJA, "build")]
    assert keyed(lines, "proposed") == [(MAKE, None)]
    assert lines.run("check").status == 0


def test_gateway_nothing_swallowed_of_a_key_from_an_agent(tmp_path: Path) -> None:
    """Its own note gets the key; a person's waits with it, and the approval gives it."""
    lines = CommandLine(tmp_path)
    say(lines, "Deploys go out on Mondays")
    env = environment(lines.home, lines.store, **CLAUDE_VARIABLES)
    with start_server(lines.repo, env, "--client", "claude-code") as server:
        server.shake_hands()

        def remember(**told: Any) -> str:
            answer = server.call("remember", **told)["structuredContent"]
            outcome: str = answer["outcome"]
            return outcome

        own = {"title": "Cache is warm by nine", "scope": "agent"}
        assert remember(**own) == "created"
        assert remember(**own, key="cache") == "created"
        assert remember(title="Cache is warm by ten", scope="agent", key="cache") == "updated"
        theirs = {"title": "Deploys go out on Mondays", "scope": "repo", "key": "deploy"}
        assert remember(**theirs) == "proposed"
        assert remember(**theirs) == "corroborated"
    (waits,) = stored(lines, "proposed")

    assert waits["key"] == "deploy"
    assert ("Cache is warm by ten", "cache") in keyed(lines)
    assert len(keyed(lines)) == 2
    assert lines.run("approve", waits["id"], keys=[("[y/n]", "y")]).status == 0
    assert ("Deploys go out on Mondays", "deploy") in keyed(lines)
    assert len(keyed(lines)) == 2


_PROGRAM: Final = """
from onrecord import Memory
with Memory.open() as memory:
    memory.remember("Deploys go out on Mondays", scope="repo")
    memory.remember("Deploys go out on Mondays", scope="repo", key="deploy")
"""


def test_gateway_nothing_swallowed_of_a_key_from_python(tmp_path: Path) -> None:
    """A person's own program gives it as well."""
    lines = CommandLine(tmp_path)
    done = lines.people.run([sys.executable, "-c", _PROGRAM], timeout_s=60)

    assert done.exit_code == 0, done.text
    assert keyed(lines) == [("Deploys go out on Mondays", "deploy")]


def test_gateway_nothing_swallowed_of_what_has_a_key(tmp_path: Path) -> None:
    """Another value is flagged with a key, beside one, with --distinct and in a new version."""
    lines = CommandLine(tmp_path)
    say(lines, "The API timeout is 30 seconds", "--key", "timeout")
    say(lines, "The pool size is 20")
    shapes = [
        say(lines, "The API timeout is 45 seconds"),
        say(lines, "The pool size is 30", "--key", "pool"),
        say(lines, "The pool size is 40", "--distinct"),
        say(lines, "The pool size is 50", "--key", "pool"),
        say(lines, "The queue name is orders", "--key", "queue"),
    ]
    clashes = [
        [one for one in told["candidates"] if one["why"] == "contradicts"] for told in shapes
    ]
    env = environment(lines.home, lines.store, **CLAUDE_VARIABLES)
    with start_server(lines.repo, env, "--client", "claude-code") as server:
        server.shake_hands()
        answer = server.call("remember", title="The pool size is 60", scope="repo", key="pool.max")

    assert [bool(found) for found in clashes] == [True] * 4 + [False]
    assert [told["outcome"] for told in shapes] == ["created"] * 3 + ["updated", "created"]
    assert answer["structuredContent"]["outcome"] == "conflict"
    assert len(lines.run("conflicts", "list", "--json").json["conflicts"]) >= 4


def test_gateway_nothing_swallowed_of_an_import(tmp_path: Path) -> None:
    """What an import says against what stands is flagged when it arrives; the rest is not."""
    lines = CommandLine(tmp_path)
    say(lines, "The API timeout is 30 seconds")
    file = lines.home / "some.jsonl"
    texts = ("The API timeout is 45 seconds", "Fares are kept in cents")
    rows = [{"onrecord": "export", "version": 1}, *({"title": t, "scope": REPO} for t in texts)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert lines.run("import", "jsonl", str(file)).status == 0
    pairs = lines.run("conflicts", "list", "--json").json["conflicts"]

    assert len(stored(lines, "proposed")) == 2
    assert len(pairs) == 1
