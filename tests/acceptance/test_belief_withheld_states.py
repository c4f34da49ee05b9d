"""What does not count is in no pack, no prompt's pack and no recall; its active sibling is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from harness.surroundings import SHELL_TOOL
from mcp_client import CLAUDE as CLAUDE_CLI
from mcp_client import AgentProcess, environment, texts_of

if TYPE_CHECKING:
    from pathlib import Path

CLAUDE: Final = SHELL_TOOL["claude-plain"]
SESSION: Final = "0b7c4d1e-0000-4000-8000-000000000001"
YES: Final = [("[y/n]", "y")]

#: One word that nobody else has for each state.
WORDS: Final = {
    "proposed": "kestrelquill",
    "rejected": "merlinport",
    "archived": "ospreychannel",
    "expired": "falconvale",
    "superseded": "buzzardmoor",
    "forgotten": "harrierfen",
    "not yet": "kitebarrow",
    "no longer": "owlstead",
    "tainted": "goshawkley",
}
SIBLING: Final = "sparrowheath"
ASKED: Final = "the harbour gate answers on channel"


def said(word: str) -> str:
    """A statement with a word of its own."""
    return f"The harbour gate answers on channel {word}"


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A place with one memory in each state, and one that counts."""
    made = CommandLine(tmp_path_factory.mktemp("withheld"))
    ids = {
        state: made.remember(said(WORDS[state]), "--scope", "repo", *more)
        for state, more in {
            "rejected": (),
            "archived": (),
            "expired": ("--ttl", "1s"),
            "superseded": (),
            "forgotten": (),
            "not yet": ("--valid-from", "2099-01-01"),
            "no longer": ("--valid-to", "2020-01-01"),
        }.items()
    }
    made.remember(said(WORDS["proposed"]), "--scope", "repo", around=CLAUDE)
    outside = ("--scope", "agent", "--evidence", "url=https://vendor.example/news")
    made.remember(said(WORDS["tainted"]), *outside, around=CLAUDE)
    for words, keys in (
        (("reject", ids["rejected"], "--reason", "not_useful"), []),
        (("archive", ids["archived"]), []),
        (("forget", ids["forgotten"]), YES),
    ):
        assert made.run(*words, keys=keys).status == 0
    made.remember(said(SIBLING), "--scope", "repo", "--replaces", ids["superseded"])
    return made


def check(text: str) -> None:
    """The sibling is there, and nothing else."""
    assert SIBLING in text
    assert [state for state, word in WORDS.items() if word in text] == []


def test_belief_withheld_states_at_a_sessions_start(lines: CommandLine) -> None:
    """From the hook that a client calls."""
    env = environment(lines.home, lines.store)
    with AgentProcess(CLAUDE_CLI, cwd=lines.repo, env=env) as agent:
        check(agent.hook("SessionStart", SESSION, source="startup"))


def test_belief_withheld_states_with_a_prompt(lines: CommandLine) -> None:
    """A prompt about all of them brings up the one that counts."""
    env = environment(lines.home, lines.store)
    with AgentProcess(CLAUDE_CLI, cwd=lines.repo, env=env) as agent:
        agent.hook("SessionStart", SESSION.replace("1", "2"), source="resume")
        told = agent.hook(
            "UserPromptSubmit",
            SESSION.replace("1", "2"),
            prompt="On which channel does the harbour gate answer now?",
        )
    check(told)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("recall", {"query": ASKED}),
        ("context", {}),
        ("context", {"query": f"{ASKED} {' '.join(WORDS.values())}"}),
        *(("recall", {"query": word}) for word in WORDS.values()),
    ],
)
def test_belief_withheld_states_over_mcp(
    lines: CommandLine, tool: str, given: dict[str, Any]
) -> None:
    """Recall and context, also asked for the very word."""
    env = environment(lines.home, lines.store)
    with AgentProcess(CLAUDE_CLI, cwd=lines.repo, env=env) as agent:
        peer = agent.serve()
        peer.shake_hands()
        told = "\n".join(texts_of(peer.call(tool, **given)))

    assert [state for state, word in WORDS.items() if word in told] == []
    if ASKED in json.dumps(given) or tool == "context":
        assert SIBLING in told


def test_belief_withheld_states_by_the_commands(lines: CommandLine) -> None:
    """Pack and recall as a person runs them; what is disputed is shown as that."""
    pack = lines.run("pack", "--query", ASKED)
    recall = lines.run("recall", ASKED, "--json")
    texts = json.dumps(recall.json["hits"])

    check(pack.out)
    check(texts)


def test_belief_withheld_states_leave_a_disputed_one_with_its_mark(tmp_path: Path) -> None:
    """Doubt is told, not hidden."""
    made = CommandLine(tmp_path)
    item = made.remember(said(SIBLING), "--scope", "repo")
    assert made.run("dispute", item).status == 0
    told = made.run("pack").out

    assert SIBLING in told
    assert "disputed" in told


def test_belief_withheld_states_disputed_by_policy(tmp_path: Path) -> None:
    """Where a person wants it so, what is disputed is in no pack; the rest is."""
    made = CommandLine(tmp_path)
    doubted = made.remember(said(SIBLING), "--scope", "repo")
    made.remember("The harbour gate is painted teal", "--scope", "repo")
    assert made.run("dispute", doubted).status == 0
    refused = made.run("policy", "show", "--scope", "repo", around=CLAUDE)
    assert made.run("policy", "withhold", "--scope", "repo", keys=YES).status == 0
    env = environment(made.home, made.store)
    with AgentProcess(CLAUDE_CLI, cwd=made.repo, env=env) as agent:
        start = agent.hook("SessionStart", SESSION, source="startup")
        prompt = agent.hook("UserPromptSubmit", SESSION, prompt=f"So {ASKED} which?")
    pack = made.run("pack", "--query", ASKED).out
    found = made.run("recall", ASKED).out
    assert made.run("undo", keys=YES).status == 0

    assert refused.status == 4
    assert "teal" in start
    assert "teal" in pack
    assert SIBLING not in start + prompt + pack
    assert SIBLING in found
    assert SIBLING in made.run("pack").out
