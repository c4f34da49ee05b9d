"""`sessions`, `handoffs`, `why` and the switches, as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine
from mcp_client import CLAUDE, CODEX, AgentProcess, environment
from onrecord import wiring

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Bench:
    """Two agents that worked in one repository, and the person who asks about it."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.store = self.lines.store
        self.store.parent.mkdir(parents=True)
        wiring.open_memory(str(self.store)).close()
        self.env = environment(self.lines.home, self.store)
        self.agents: list[AgentProcess] = []

    def agent(self, cli: object, session: str, *prompts: str, **env: str) -> AgentProcess:
        """An agent whose session took these prompts."""
        one = AgentProcess(cli, cwd=self.lines.repo, env={**self.env, **env})  # type: ignore[arg-type]
        self.agents.append(one)
        one.start(session)
        for prompt in prompts:
            one.prompt(session, prompt)
        return one


def given(agent: AgentProcess, session: str) -> str:
    """What a session is given when it is cleared."""
    return agent.hook("SessionStart", session, source="clear")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Everything in place."""
    made = Bench(tmp_path)
    yield made
    for agent in made.agents:
        agent.close()


def test_sessions_are_told_in_words(bench: Bench) -> None:
    """What runs, what was lost, and how many prompts there were, in the words of a person."""
    bench.agent(CLAUDE, "c-11111111", "Mend the till")
    bench.agent(CODEX, "x-22222222", "Look at the cart", "And at the gate").close()
    said = bench.lines.run("sessions").out
    rows = bench.lines.run("sessions", "--json").json["sessions"]
    short = {row["agent"]: row["id"][-6:] for row in rows}

    assert f"{short['claude-code']}  running  github.com/acme/shop" in said
    assert "1 prompt, last: Mend the till" in said
    assert f"{short['codex']}  lost: its agent is gone  github.com/acme/shop" in said
    assert "2 prompts, last: And at the gate" in said


def test_a_session_goes_by_what_is_shown_and_by_its_agents_name(bench: Bench) -> None:
    """Wherever one is asked for: the short id, the whole one, or a part of the agent's own."""
    bench.lines.remember("Release on Thursdays", "--scope", "repo")
    bench.agent(CLAUDE, "c-11111111", "Mend the till")
    bench.agent(CODEX, "x-22222222", "Look at the cart")
    rows = bench.lines.run("sessions", "--json").json["sessions"]
    (name,) = (row["id"] for row in rows if row["agent"] == "claude-code")
    told = [
        bench.lines.run("why", which)
        for which in (name[-6:], name[-6:].lower(), name, "c-11111111", "c-111", "11111")
    ]
    unclear = bench.lines.run("why", name[:4])

    assert [answer.status for answer in told] == [0] * len(told)
    assert {answer.out for answer in told} == {told[0].out}
    assert f"session {name[-6:]}" in told[0].out
    assert (unclear.status, "Several sessions" in unclear.err) == (1, True)
    assert bench.lines.run("why", "zzzz").status == 1


def test_sessions_are_filtered_and_go_on(bench: Bench) -> None:
    """By agent, state and time; a page that is full says where the next one begins."""
    bench.agent(CLAUDE, "c-1", "Mend the till")
    bench.agent(CODEX, "x-1", "Look at the cart").close()

    def names(*words: str) -> list[str]:
        answer = bench.lines.run("sessions", "--json", *words)
        assert answer.status == 0, answer
        return [row["agent_session"] for row in answer.json["sessions"]]

    assert sorted(names()) == ["c-1", "x-1"]
    assert names("--agent", "codex") == ["x-1"]
    assert names("--state", "running") == ["c-1"]
    assert names("--state", "lost") == ["x-1"]
    assert names("--since", "2100-01-01") == []
    first = bench.lines.run("sessions", "--json", "--limit", "1").json
    rest = bench.lines.run("sessions", "--json", "--after", first["next_cursor"]).json
    assert rest["next_cursor"] is None
    both = [row["agent_session"] for page in (first, rest) for row in page["sessions"]]
    assert sorted(both) == ["c-1", "x-1"]
    assert bench.lines.run("sessions", "--after", "nonsense").status == 2


def test_handoffs_say_where_for_whom_and_how_old(bench: Bench) -> None:
    """An automatic one and one that is addressed."""
    bench.agent(CODEX, "x-1", "Look at the cart").close()
    bench.lines.run("handoff", "--next", "Mend the gate", "--for", "codex")
    said = bench.lines.run("handoffs").out

    assert "github.com/acme/shop@main, written just now, for codex" in said
    assert "github.com/acme/shop@main, automatic just now, for whoever comes next" in said


def test_why_names_the_receiver(bench: Bench) -> None:
    """The agent, its session and where it worked; or that none was given it."""
    bench.lines.remember("Release on Thursdays", "--scope", "repo")
    bench.agent(CLAUDE, "c-11111111", "Mend the till")
    bench.lines.run("pack")
    said = bench.lines.run("why").out
    (row,) = bench.lines.run("sessions", "--json").json["sessions"]

    assert f"to claude-code, session {row['id'][-6:]}, github.com/acme/shop" in said
    assert "to no session: it was printed for whoever asked for it" in said


@pytest.mark.parametrize(
    "where",
    [("--repo",), ("--agent", "claude-code"), ("--session", "c-0"), ()],
    ids=["repo", "agent", "session", "everywhere"],
)
def test_delivery_off_is_obeyed_and_shown(bench: Bench, where: tuple[str, ...]) -> None:
    """Per repository, kind of agent and session; `status` shows it, and on brings it back."""
    bench.lines.remember("Release on Thursdays", "--scope", "repo")
    agent = bench.agent(CLAUDE, "c-0", "Mend the till")
    assert "Release on Thursdays" in given(agent, "c-0")
    off = bench.lines.run("off", "deliver", *where)
    assert off.status == 0, off
    assert "Release on Thursdays" not in given(agent, "c-0")
    assert "deliver" in bench.lines.run("status").out
    assert ": OFF" in bench.lines.run("status").out
    assert bench.lines.run("on", "deliver", *where).status == 0
    assert "Release on Thursdays" in given(agent, "c-0")


def test_delivery_off_for_one_kind_leaves_the_other(bench: Bench) -> None:
    """`deliver_to`: the switch of one kind of agent is its alone."""
    bench.lines.remember("Release on Thursdays", "--scope", "repo")
    assert bench.lines.run("off", "deliver", "--agent", "codex").status == 0
    claude, codex = bench.agent(CLAUDE, "c-1"), bench.agent(CODEX, "x-1")

    assert "Release on Thursdays" in given(claude, "c-1")
    assert "Release on Thursdays" not in given(codex, "x-1")
    assert bench.lines.run("off", "deliver", "--agent", "codecs").status == 2


def test_an_agent_started_with_delivery_off_gets_nothing(bench: Bench) -> None:
    """A variable at its start narrows its sessions, and the session's row says so."""
    bench.lines.remember("Release on Thursdays", "--scope", "repo")
    agent = bench.agent(CLAUDE, "c-1", "Mend the till", ONRECORD_DELIVER="off")
    assert "Release on Thursdays" not in given(agent, "c-1")
    assert "delivery off" in bench.lines.run("sessions").out


def test_pack_says_that_delivery_is_off(bench: Bench) -> None:
    """It is printed all the same: a person asked for it."""
    bench.lines.remember("Release on Thursdays", "--scope", "repo")
    bench.lines.run("off", "deliver", "--repo")
    answer = bench.lines.run("pack")

    assert "Release on Thursdays" in answer.out
    assert "delivery is off in repo:github.com/acme/shop" in answer.err
    bench.lines.run("on", "deliver", "--repo")
    assert bench.lines.run("pack").err == ""
