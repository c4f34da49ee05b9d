"""Whatever scope an agent names, it reads and writes where it stands; its own calls go on.

The agent stands in one repository. What it must not reach is the best match there could be, in
another repository, in another agent's scope and on a branch of the other repository.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from harness.surroundings import CLAUDE_VARIABLES, SHELL_TOOL
from mcp_client import environment, start_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp_client import ServerProcess

CLAUDE: Final = SHELL_TOOL["claude-plain"]
#: In every hidden text and in no other.
WORD: Final = "kestrelgate"
#: Names of scopes that would widen what is seen.
WIDER: Final = {
    "the other repository": "repo:github.com/acme/shop",
    "its branch": "branch:github.com/acme/shop@main",
    "another agent": "agent:codex",
    "another session": "session:codex:one",
    "an organisation": "org:acme",
    "a wildcard": "*",
    "a wildcard of repositories": "repo:*",
    "a wildcard of SQL": "repo:%",
    "nothing": "",
    "a space": " ",
    "another case": "REPO:github.com/acme/SHOP",
    "a list": "repo,agent:codex",
    "quotes": "repo:' OR 1=1 --",
    "a path upwards": "repo:github.com/acme/other/../shop",
}
#: Commands that take a scope, as an agent runs them.
READS: Final = {
    "recall": ("recall", WORD, "--scope", "{scope}"),
    "list": ("list", "--scope", "{scope}"),
    "list everything": ("list", "--all", "--scope", "{scope}"),
    "diff": ("diff", "--scope", "{scope}"),
    "stats": ("stats", "--scope", "{scope}"),
    "export": ("export", "-", "--scope", "{scope}"),
    "lint": ("lint", "--scope", "{scope}"),
    "log": ("log", "--scope", "{scope}"),
}


class Bench:
    """A shop's store, seen from a checkout of another repository."""

    def __init__(self, folder: Path) -> None:
        self.shop = CommandLine(folder)
        self.other = CommandLine(folder, name="other")
        for scope in ("repo", "agent:codex", "session:codex:one", "branch", "org:acme"):
            self.shop.remember(f"The {WORD} of {scope} opens at six", "--scope", scope)
        self.own = self.other.remember("The lamp here is green")

    def hidden(self) -> list[dict[str, Any]]:
        """What the agent must not reach, as a person sees it."""
        items = self.shop.run("list", "--all", "--json").json["items"]
        return [item for item in items if WORD in json.dumps(item)]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """One for all."""
    return Bench(tmp_path_factory.mktemp("wider"))


@pytest.fixture(scope="module")
def server(bench: Bench) -> Iterator[ServerProcess]:
    """The agent's server in the other repository."""
    env = environment(bench.other.home, bench.other.store, **CLAUDE_VARIABLES)
    with start_server(bench.other.repo, env, "--client", "claude-code") as running:
        running.shake_hands()
        yield running


def test_scope_caller_cannot_widen_what_a_person_sees_is_there(bench: Bench) -> None:
    """The positive control: each hidden text is found where it lies."""
    assert len(bench.hidden()) == 5
    found = bench.shop.run("recall", WORD, "--json").json["hits"]
    assert WORD in json.dumps(found)


@pytest.mark.parametrize("command", READS)
def test_scope_caller_cannot_widen_a_read_on_the_command_line(bench: Bench, command: str) -> None:
    """No answer shows what is hidden; then the agent's own call works."""
    for scope in WIDER.values():
        words = [word.format(scope=scope) for word in READS[command]]
        answer = bench.other.run(*words, around=CLAUDE)
        assert f"The {WORD}" not in answer.out + answer.err, words

    own = bench.other.run("recall", "lamp", "--json", around=CLAUDE)
    assert [hit["item"]["id"] for hit in own.json["hits"]] == [bench.own]


@pytest.mark.parametrize("name", WIDER)
def test_scope_caller_cannot_widen_a_write_on_the_command_line(bench: Bench, name: str) -> None:
    """Nothing becomes active elsewhere, and what is hidden stays as it is."""
    before = bench.hidden()
    text = f"Written for {name}"
    bench.other.run("remember", text, "--scope", WIDER[name], around=CLAUDE)

    elsewhere = [
        item
        for item in bench.shop.run("list", "--all", "--json").json["items"]
        if item["title"] == text and item["status"] == "active"
    ]
    assert all("acme/shop" not in item["scope"] for item in elsewhere)
    assert all("codex" not in item["scope"] for item in elsewhere)
    assert bench.hidden() == before


@pytest.mark.parametrize("name", WIDER)
def test_scope_caller_cannot_widen_over_mcp(
    bench: Bench, server: ServerProcess, name: str
) -> None:
    """The same for the tools that take a scope."""
    before = bench.hidden()
    scope = WIDER[name]
    answers = [
        server.call("recall", query=WORD, scope=[scope]),
        server.call("recall", query=WORD, scope=["repo", scope]),
        server.call("remember", title=f"Told for {name}", scope=scope),
    ]
    own = server.call("recall", query="lamp")

    assert f"The {WORD}" not in json.dumps(answers)
    assert "The lamp here is green" in json.dumps(own)
    active = [
        item
        for item in bench.shop.run("list", "--all", "--json").json["items"]
        if item["title"] == f"Told for {name}" and item["status"] == "active"
    ]
    assert all("acme/shop" not in item["scope"] for item in active)
    assert all("codex" not in item["scope"] for item in active)
    assert bench.hidden() == before
