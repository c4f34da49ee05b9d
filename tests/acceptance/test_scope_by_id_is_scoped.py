"""An id from another scope answers like an id that never was, for every verb; its owner can.

The agent stands in one repository, what it asks about lies in another's, in another agent's
scope, or waits there as someone else's proposal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import SCRIPT, Answer, CommandLine
from harness.surroundings import CLAUDE_VARIABLES, SHELL_TOOL
from mcp_client import environment, start_server, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp_client import ServerProcess

CLAUDE: Final = SHELL_TOOL["claude-plain"]
UNKNOWN: Final = "01M8N6QZV39KTQZT4EKNR3N9SH"

#: Commands that take an id, where an agent runs them.
BY_ID: Final = {
    "show": ("show", "{id}"),
    "history": ("history", "{id}"),
    "log": ("log", "{id}"),
    "edit": ("edit", "{id}", "--text", "Mine now"),
    "forget": ("forget", "{id}"),
    "forget dry run": ("forget", "{id}", "--dry-run"),
    "archive": ("archive", "{id}"),
    "restore": ("restore", "{id}"),
    "pin": ("pin", "{id}"),
    "unpin": ("unpin", "{id}"),
    "verify": ("verify", "{id}"),
    "dispute": ("dispute", "{id}"),
    "feedback": ("feedback", "{id}", "wrong"),
    "approve": ("approve", "{id}"),
    "reject": ("reject", "{id}", "--reason", "wrong"),
    "reject dry run": ("reject", "{id}", "--reason", "wrong", "--dry-run"),
    "replaces": ("remember", "Mine now", "--replaces", "{id}"),
    "claim": ("handoffs", "claim", "{id}"),
}
#: The same over MCP.
TOOLS: Final[dict[str, dict[str, Any]]] = {
    "get": {},
    "forget": {},
    "feedback": {"verdict": "wrong"},
    "handoff": {"action": "claim"},
}


class Bench:
    """A shop's store, seen from a checkout of another repository."""

    def __init__(self, folder: Path) -> None:
        self.shop = CommandLine(folder)
        self.other = CommandLine(folder, name="other")
        self.hidden = {
            "of another repository": self.shop.remember("The shop's gate opens at six"),
            "of another agent": self.shop.remember("Codex alone", "--scope", "agent:codex"),
            "waiting elsewhere": self.shop.remember(
                "The shop uses pnpm", around=SHELL_TOOL["codex-plain"]
            ),
        }
        handoff = self.shop.run("handoff", "--next", "fix the shop's gate", "--json")
        self.hidden["a handoff elsewhere"] = handoff.json["item"]["id"]
        self.own = self.other.remember("The other one's lamp is green", around=CLAUDE)

    def asks(self, words: tuple[str, ...], item: str) -> Answer:
        """What an agent in the other repository is told."""
        return self.other.run(*(word.format(id=item) for word in words), around=CLAUDE)

    def everything(self) -> list[dict[str, Any]]:
        """Every memory as a person sees it."""
        items: list[dict[str, Any]] = self.shop.run("list", "--all", "--json").json["items"]
        return items


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """One for all: nothing that is asked here changes anything."""
    return Bench(tmp_path_factory.mktemp("scoped"))


@pytest.fixture(scope="module")
def server(bench: Bench) -> Iterator[ServerProcess]:
    """The agent's server in the other repository."""
    env = environment(bench.other.home, bench.other.store, **CLAUDE_VARIABLES)
    with start_server(bench.other.repo, env, "--client", "claude-code") as running:
        running.shake_hands()
        yield running


@pytest.mark.parametrize("verb", BY_ID)
def test_scope_by_id_is_scoped_on_the_command_line(bench: Bench, verb: str) -> None:
    """Word for word the answer for an unknown id, whichever part of the id is given."""
    before = bench.everything()
    unknown = bench.asks(BY_ID[verb], UNKNOWN)

    assert unknown.status in (1, 4)
    for item in bench.hidden.values():
        for part in (item, item[-6:]):
            answer = bench.asks(BY_ID[verb], part)
            assert answer == unknown
    assert bench.everything() == before


@pytest.mark.parametrize("tool", TOOLS)
def test_scope_by_id_is_scoped_over_mcp(bench: Bench, server: ServerProcess, tool: str) -> None:
    """The same for the tools; saving as a replacement of what is hidden stores nothing."""
    before = bench.everything()
    unknown = server.call(tool, id=UNKNOWN, **TOOLS[tool])
    replacing = server.call("remember", title="Mine now", replaces=UNKNOWN, scope="agent")

    assert unknown["isError"]
    for item in bench.hidden.values():
        assert server.call(tool, id=item, **TOOLS[tool]) == unknown
        assert server.call("remember", title="Mine now", replaces=item, scope="agent") == replacing
    assert bench.everything() == before


def test_scope_by_id_is_scoped_for_undo_and_why(bench: Bench) -> None:
    """Numbers of events and ids of deliveries tell an agent nothing of what is elsewhere."""
    unknown = bench.other.run("undo", "9999", around=CLAUDE)
    last = bench.shop.run("log", "--limit", "1", "--json").json["events"][0]["seq"]
    own = {event["seq"] for event in bench.shop.run("log", bench.own, "--json").json["events"]}
    pack = bench.shop.run("pack", "--query", "gate", "--json").json
    no_delivery = bench.other.run("why", UNKNOWN, around=CLAUDE)

    assert pack["delivery"]
    assert bench.other.run("why", pack["delivery"], around=CLAUDE) == no_delivery
    for number in set(range(1, last + 1)) - own:
        assert bench.other.run("undo", str(number), around=CLAUDE) == unknown


def test_scope_by_id_is_scoped_for_lists(bench: Bench, server: ServerProcess) -> None:
    """Lists, counts, scopes and near names hold what is here, and nothing of elsewhere."""
    hidden = (*bench.hidden.values(), "shop", "codex")
    for words in (
        ("list", "--json"),
        ("recall", "gate opens pnpm codex", "--json"),
        ("scopes", "--json"),
        ("status", "--json"),
        ("sessions", "--json"),
        ("handoffs", "--all", "--json"),
        ("review", "--json"),
        ("pack", "--json"),
        ("why", "--json"),
        ("recall", "lamp", "--scope", "branch", "--json"),
    ):
        answer = bench.other.run(*words, around=CLAUDE)
        assert answer.status == 0
        found = answer.out.replace(str(bench.other.home), "")
        assert not [word for word in hidden if word in found], words
    recalled = next(texts_of(server.call("recall", query="gate opens pnpm lamp")))
    assert "shop" not in recalled


def test_scope_by_id_is_scoped_and_the_owner_can(bench: Bench) -> None:
    """A person sees all of it, and an agent what is its own."""
    for item in bench.hidden.values():
        for verb in ("show", "history", "log", "forget dry run"):
            words = [word.format(id=item) for word in BY_ID[verb]]
            assert bench.other.run(*words).status == 0
    for verb in ("show", "history", "log", "forget dry run", "reject dry run"):
        assert bench.asks(BY_ID[verb], bench.own).status == 0
    assert "gate opens" in bench.shop.run("recall", "gate opens", around=SCRIPT).out
