"""The JSON of every command is a promise: one file a shape, from real processes and a store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import SCRIPT, Answer, CommandLine, stable
from harness.surroundings import SHELL_TOOL
from mcp_client import CLAUDE, AgentProcess, environment, tool_use
from onrecord.service import who

if TYPE_CHECKING:
    from collections.abc import Callable

CLAUDE_TOOL: Final = SHELL_TOOL["claude-plain"]
NEAR: Final = "github.com/acme/shopp"
YES: Final = [("[y/n]", "y")]

#: Files of tests/golden/cli/json, each one answer of the story.
SHAPES: Final = (
    "remember-created remember-updated remember-proposed remember-known remember-refused"
    " remember-conflict recall recall-nothing recall-unknown-scope list show history review"
    " status scopes log log-item pack why sessions handoff handoffs handoffs-claim approve"
    " reject archive-two undo-dry-run undo edit forget-dry-run forget policy policy-set off"
    " check path needs-person not-found usage ambiguous nothing-list feedback"
).split()


class Story:
    """One story, told once; each step leaves what it answered."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.answers: dict[str, Answer] = {}
        self._nothing()
        self._write()
        self._read()
        self._meet_an_agent()
        self._decide()
        self._end()

    def _keep(self, name: str, *words: str, **around: Any) -> Answer:
        answer = self.lines.run(*words, "--json", **around)
        self.answers[name] = answer
        return answer

    def _nothing(self) -> None:
        self._keep("nothing-list", "list")
        self._keep("path", "path")

    def _write(self) -> None:
        made = self._keep(
            *("remember-created", "remember", "Run bin/setup_db before specs", "--kind", "fact"),
            *("--scope", "repo", "--tag", "specs", "--evidence", "file=bin/setup_db"),
            *("--link", "spec/support/database.rb", "--summary", "The schema comes first"),
        )
        self.fact = made.json["item"]["id"]
        self.lines.run("remember", "The gate listens on port 5432", "--key", "port")
        keyed = self._keep(
            "remember-updated", "remember", "The gate listens on port 6432", "--key", "port"
        )
        self.keyed = keyed.json["item"]["id"]
        proposed = self._keep(
            *("remember-proposed", "remember", "The gate spec needs the fake clock"),
            around=CLAUDE_TOOL,
        )
        self.proposed = proposed.json["item"]["id"]
        self.second = self.lines.remember("Use pnpm in the web folder", around=CLAUDE_TOOL)
        self._keep("remember-known", "remember", "Run bin/setup_db before specs")
        self._keep("remember-refused", "remember", "x", "--kind", "gossip")

    def _read(self) -> None:
        self._keep("recall", "recall", "setup_db specs")
        self._keep("recall-nothing", "recall", "zeppelin")
        self._keep("recall-unknown-scope", "recall", "setup_db", "--scope", f"repo:{NEAR}")
        self._keep("list", "list", "--limit", "2")
        self._keep("show", "show", self.fact)
        self._keep("scopes", "scopes")
        self._keep("review", "review")
        self._keep("status", "status")
        pack = self._keep("pack", "pack", "--query", "setup_db", "--budget", "400")
        self._keep("why", "why", pack.json["delivery"])

    def _meet_an_agent(self) -> None:
        env = environment(self.lines.home, self.lines.store)
        with AgentProcess(CLAUDE, cwd=self.lines.repo, env=env) as agent:
            agent.start("0b7c4d1e-0000-4000-8000-000000000001")
            agent.prompt("0b7c4d1e-0000-4000-8000-000000000001", "Fix the gate spec")
            server = agent.serve()
            server.shake_hands()
            server.call("context", tool_use("toolu_1"), query="setup_db specs")
        self._keep("sessions", "sessions")
        self._keep("handoff", "handoff", "--next", "fix the gate test", "--for", "codex")
        handoffs = self._keep("handoffs", "handoffs")
        self._keep("handoffs-claim", "handoffs", "claim", handoffs.json["handoffs"][0]["id"])

    def _decide(self) -> None:
        self._keep("needs-person", "approve", self.proposed, around=SCRIPT)
        self._keep("approve", "approve", self.proposed, keys=YES)
        self._keep("history", "history", self.proposed)
        self._keep("reject", "reject", self.second, "--reason", "wrong", "--note", "npm")
        self._keep("archive-two", "archive", self.fact, self.keyed)
        self._keep("undo-dry-run", "undo", "--dry-run")
        self._keep("undo", "undo")
        self._keep(
            "edit", "edit", self.keyed, "--text", "The gate is on 8432", "--reason", "moved"
        )
        self._keep("remember-conflict", "remember", "On 9", "--key", "port", "--if-version", "1")
        self._keep("log", "log", "--limit", "3")
        self._keep("log-item", "log", self.second)

    def _end(self) -> None:
        self._keep("forget-dry-run", "forget", self.second, "--dry-run")
        self._keep("forget", "forget", self.second, keys=YES)
        self._keep("policy-set", "policy", "flagged", "--scope", "repo", keys=YES)
        self._keep("policy", "policy")
        self._keep("off", "off")
        self._keep("check", "check")
        self._keep("not-found", "show", "ZZZZZZ")
        self._keep("usage", "list", "--limit", "many")
        self._keep("ambiguous", "show", self.fact[:4])
        self._keep("feedback", "feedback", self.keyed, "stale")


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    """The whole story, once for all its shapes."""
    return Story(tmp_path_factory.mktemp("story"))


@pytest.mark.parametrize("name", SHAPES)
def test_the_shape_of_an_answer(
    story: Story, name: str, golden: Callable[[str, str], None]
) -> None:
    """Standard output is one JSON value, or standard error one JSON line; never both."""
    answer = story.answers[name]
    text = answer.out or answer.err
    shown = json.dumps(json.loads(text), ensure_ascii=False, indent=2)

    assert bool(answer.out) != bool(answer.err)
    golden(
        f"cli/json/{name}.json",
        stable(f"{shown}\n", story.lines, who.user_name()),
    )


def test_every_step_of_the_story_has_its_file(story: Story) -> None:
    """No answer goes unlooked at."""
    assert sorted(story.answers) == sorted(SHAPES)
