"""Every MCP call lands in its own session, or in a synthetic one that says so; never another's.

The agent CLI is a running program of its name that starts the installed server and runs the
installed hook as its children, so that processes, spool, store and doors are the real ones.
"""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from harness.agents import repository
from mcp_client import CLAUDE, CODEX, AgentProcess, environment, start_server, tool_use, turn
from onrecord import wiring
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_client import Cli, McpPeer
    from onrecord.domain.session import Session

PERSON = Caller(principal=Principal.person("ada", channel="terminal"), place=Place())
A, B, C = (f"0b7c4d1e-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))


class Bench:
    """One home, one repository, one store; sessions are read from the store itself."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.repo = repository(folder / "repo")
        self.store = folder / "data" / "memory.db"
        self.env = environment(self.home, self.store)
        self._saved = count(1)
        wiring.open_memory(str(self.store)).close()

    def agent(self, cli: Cli = CLAUDE, *arguments: str) -> AgentProcess:
        """An agent CLI that runs in the repository."""
        return AgentProcess(cli, cwd=self.repo, env=self.env, arguments=arguments)

    def save(self, server: McpPeer, meta: dict[str, Any]) -> str:
        """Make one call that writes; the id of what it wrote."""
        title = f"Statement number {next(self._saved)} of this very test"
        result = server.call("remember", meta, title=title, scope="agent")
        shape = result["structuredContent"]
        assert shape["outcome"] in ("created", "proposed"), shape
        return str(shape["id"])

    def landed(self, server: McpPeer, meta: dict[str, Any]) -> Session:
        """The session that a call of that server lands in, as the store has it."""
        return self.session_of(self.save(server, meta))

    def session_of(self, item: str) -> Session:
        """The session that wrote an item."""
        memory = wiring.open_memory(str(self.store))
        try:
            author = memory.get(item, PERSON, opened=False).head.author
            return next(s for s in memory.sessions(PERSON) if s.id == author.session)
        finally:
            memory.close()

    def sessions(self) -> list[Session]:
        """Every session on record."""
        memory = wiring.open_memory(str(self.store))
        try:
            return memory.sessions(PERSON)
        finally:
            memory.close()

    def named(self, agent_session: str) -> Session:
        """The session of that name."""
        return next(s for s in self.sessions() if s.agent_session == agent_session)

    def transcribe(self, session: str, call: str, *, below: str = "") -> None:
        """What Claude Code writes into its transcript before it makes a call."""
        folder = self.home / ".claude" / "projects" / "-repo"
        path = folder / session / "subagents" / f"agent-{below}.jsonl" if below else None
        path = path or folder / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        block = {"type": "tool_use", "id": call, "name": "mcp__onrecord__remember", "input": {}}
        line = {"type": "assistant", "sessionId": session, "message": {"content": [block]}}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A place to work in."""
    return Bench(tmp_path)


def test_session_attribution_two_windows_in_one_repository(bench: Bench) -> None:
    """Two windows at once: each call is its window's, recorded by the hook before it or not."""
    with bench.agent() as one, bench.agent() as two:
        first, second = one.serve(), two.serve()
        one.start(A)
        two.start(B)
        one.prompt(A)
        two.prompt(B)
        two.before_tool(B, "toolu_2")
        one.before_tool(A, "toolu_1")

        assert bench.landed(first, tool_use("toolu_1")).agent_session == A
        assert bench.landed(second, tool_use("toolu_2")).agent_session == B
        assert bench.named(A).pid != bench.named(B).pid
    with bench.agent() as one, bench.agent() as two:
        first, second = one.serve(), two.serve()
        one.prompt(A)
        two.prompt(B)

        assert bench.landed(first, tool_use("toolu_3")).agent_session == A
        assert bench.landed(second, tool_use("toolu_4")).agent_session == B


@pytest.mark.parametrize("recorded", [True, False])
def test_session_attribution_after_clear(bench: Bench, *, recorded: bool) -> None:
    """`/clear` keeps the process and the server, and begins a session with the old as parent.

    So it is where the hook recorded the calls themselves, and where it told other events only.
    """
    with bench.agent() as claude:
        server = claude.serve()
        claude.start(A)
        claude.prompt(A)
        if recorded:
            claude.before_tool(A, "toolu_1")
        before = bench.landed(server, tool_use("toolu_1"))
        claude.end(A, "clear")
        claude.start(B, "clear")
        if recorded:
            claude.before_tool(B, "toolu_2")
        after = bench.landed(server, tool_use("toolu_2"))

        assert (before.agent_session, after.agent_session) == (A, B)
        assert bench.named(B).parent == bench.named(A).id
        assert bench.named(A).ended_at is not None


def test_session_attribution_after_resume_in_the_same_process(bench: Bench) -> None:
    """`/resume` goes back to another session of the same process, and continues it."""
    with bench.agent() as claude:
        server = claude.serve()
        claude.start(A)
        claude.prompt(A)
        claude.end(A, "clear")
        claude.start(B, "clear")
        claude.prompt(B)
        claude.end(B, "resume")
        claude.start(A, "resume")
        claude.prompt(A)
        claude.before_tool(A, "toolu_1")

        assert bench.landed(server, tool_use("toolu_1")).agent_session == A
        assert bench.named(A).ended_at is None
        assert len(bench.sessions()) == 2


def test_session_attribution_after_fork(bench: Bench) -> None:
    """A fork that names its new id at its start: the call is the fork's."""
    with bench.agent() as claude:
        claude.start(A)
        claude.prompt(A)
    with bench.agent() as claude:
        server = claude.serve()
        claude.start(B, "fork")
        claude.prompt(B)

        assert bench.landed(server, tool_use("toolu_1")).agent_session == B


def test_session_attribution_after_a_fork_that_starts_with_the_old_id(bench: Bench) -> None:
    """Claude Code 2.1.197 tells the old id at a fork's start, and the new one from then on."""
    with bench.agent() as claude:
        claude.start(A)
        claude.prompt(A)
    with bench.agent() as claude:
        server = claude.serve()
        claude.start(A, "resume")
        claude.prompt(B)
        without_record = bench.landed(server, tool_use("toolu_1"))
        claude.before_tool(B, "toolu_2")
        with_record = bench.landed(server, tool_use("toolu_2"))

        assert (without_record.agent_session, with_record.agent_session) == (B, B)
        assert bench.named(B).parent == bench.named(A).id


def test_session_attribution_after_compaction(bench: Bench) -> None:
    """Compaction continues the session, though it starts anew."""
    with bench.agent() as claude:
        server = claude.serve()
        claude.start(A)
        claude.prompt(A)
        claude.hook("PreCompact", A, trigger="manual")
        claude.start(A, "compact")
        claude.before_tool(A, "toolu_1")

        assert bench.landed(server, tool_use("toolu_1")).agent_session == A
        assert len(bench.sessions()) == 1


def test_session_attribution_of_subagents(bench: Bench) -> None:
    """A subagent's calls are the session's, in Claude Code and in Codex."""
    with bench.agent() as claude, bench.agent(CODEX) as codex:
        ours, theirs = claude.serve(), codex.serve()
        claude.start(A)
        claude.prompt(A)
        claude.before_tool(A, "toolu_1", agent_id="agent-7", agent_type="general")
        codex.start(B)
        codex.before_tool(B, "call_1", agent_id=C, agent_type="worker")

        assert bench.landed(ours, tool_use("toolu_1")).agent_session == A
        assert bench.landed(theirs, turn(B, thread=C)).agent_session == B
        assert {s.agent_session for s in bench.sessions()} == {A, B}


def test_session_attribution_of_a_subagent_that_outlives_clear(bench: Bench) -> None:
    """What still runs for the session before is that one's, whichever is the newest now."""
    bench.transcribe(A, "toolu_2", below="7")
    with bench.agent() as claude:
        server = claude.serve()
        claude.start(A)
        claude.prompt(A)
        claude.end(A, "clear")
        claude.start(B, "clear")
        claude.prompt(B)
        by_transcript = bench.landed(server, tool_use("toolu_2"))
        claude.before_tool(A, "toolu_1", agent_id="agent-7", agent_type="general")
        by_record = bench.landed(server, tool_use("toolu_1"))
        claude.before_tool(B, "toolu_3")

        assert (by_transcript.agent_session, by_record.agent_session) == (A, A)
        assert bench.landed(server, tool_use("toolu_3")).agent_session == B


def test_session_attribution_in_a_shared_codex_daemon(bench: Bench) -> None:
    """One process holds many sessions: the ids in the call decide, without them nobody does."""
    with bench.agent(CODEX, "app-server") as daemon:
        first, second = daemon.serve(), daemon.serve()
        daemon.start(A)
        daemon.start(B)
        daemon.prompt(B)

        assert bench.landed(first, turn(A)).agent_session == A
        assert bench.landed(second, turn(B)).agent_session == B
        assert bench.landed(first, turn(A)).agent_session == A
        unknown = bench.landed(second, {"callId": "call_9"})
        assert (unknown.agent_session, unknown.synthetic) == ("", True)


def test_session_attribution_in_one_codex_process_with_many_threads(bench: Bench) -> None:
    """Without a daemon a Codex process holds many sessions too: its newest is not asked."""
    with bench.agent(CODEX) as codex:
        first, second = codex.serve(), codex.serve()
        codex.start(A)
        codex.prompt(A)
        codex.start(B, "clear")
        codex.prompt(B)

        assert bench.landed(first, turn(A)).agent_session == A
        assert bench.landed(second, turn(B)).agent_session == B
        assert bench.landed(first, {}).synthetic is True


def test_session_attribution_without_hooks_by_transcript(bench: Bench) -> None:
    """No hook at all: the transcript that holds the tool use says it, for a subagent too."""
    bench.transcribe(A, "toolu_1")
    bench.transcribe(B, "toolu_2", below="7")
    with bench.agent() as claude:
        server = claude.serve()
        own = bench.landed(server, tool_use("toolu_1"))
        below = bench.landed(server, tool_use("toolu_2"))

        assert (own.agent_session, below.agent_session) == (A, B)
        assert own.synthetic is True
        assert own.cwd == str(bench.repo)


def test_session_attribution_without_hooks_or_transcript(bench: Bench) -> None:
    """Nothing to go by: a synthetic session for each window, which says so where it is shown."""
    with bench.agent() as one, bench.agent() as two:
        first, second = one.serve(), two.serve()
        mine = bench.landed(first, tool_use("toolu_1"))
        again = bench.landed(first, tool_use("toolu_2"))
        other = bench.landed(second, tool_use("toolu_3"))
        shown = first.call("sessions", tool_use("toolu_4"))["content"][0]["text"]

        assert mine.synthetic
        assert other.synthetic
        assert mine.id == again.id != other.id
        assert "synthetic: no hook told of it" in shown


def test_session_attribution_in_two_transcripts_is_nobodys(bench: Bench) -> None:
    """A tool use that stands in two sessions' transcripts is not guessed at."""
    bench.transcribe(A, "toolu_1")
    bench.transcribe(B, "toolu_1")
    with bench.agent() as claude:
        assert bench.landed(claude.serve(), tool_use("toolu_1")).agent_session == ""


def test_session_attribution_of_a_server_started_before_the_session(bench: Bench) -> None:
    """The server runs and was asked before any hook fired; later calls are the session's."""
    with bench.agent() as claude:
        server = claude.serve()
        server.shake_hands()
        server.ask("tools/list")
        early = bench.save(server, tool_use("toolu_1"))
        claude.start(A)
        claude.prompt(A)
        claude.before_tool(A, "toolu_2")

        assert bench.session_of(early).synthetic is True
        assert bench.landed(server, tool_use("toolu_2")).agent_session == A
        assert bench.session_of(early).parent == ""


def test_session_attribution_joins_a_stand_in_once_its_calls_are_known(bench: Bench) -> None:
    """What a stand-in did becomes the session's own when the transcript names all its calls."""
    with bench.agent() as claude:
        server = claude.serve()
        early = bench.session_of(bench.save(server, tool_use("toolu_1")))
        bench.transcribe(A, "toolu_1")
        claude.start(A)
        claude.before_tool(A, "toolu_2")
        later = bench.landed(server, tool_use("toolu_2"))

        assert early.synthetic is True
        assert later.agent_session == A
        joined = next(s for s in bench.sessions() if s.id == early.id)
        assert (joined.parent, joined.end_reason) == (later.id, "joined")


def test_session_attribution_never_joins_a_stand_in_to_whatever_comes_next(bench: Bench) -> None:
    """A call from before `/clear` that nothing placed is not given to the session after it."""
    with bench.agent() as claude:
        server = claude.serve()
        early = bench.session_of(bench.save(server, tool_use("toolu_1")))
        claude.start(B, "clear")
        claude.before_tool(B, "toolu_2")
        bench.landed(server, tool_use("toolu_2"))

        left = next(s for s in bench.sessions() if s.id == early.id)
        assert (left.parent, left.ended_at, left.synthetic) == ("", None, True)


def test_session_attribution_ignores_the_servers_environment(bench: Bench) -> None:
    """The session id in the environment is stale after `/clear`, so it is never read."""
    bench.env["CLAUDE_CODE_SESSION_ID"] = A
    with bench.agent() as claude:
        server = claude.serve()

        assert bench.landed(server, tool_use("toolu_1")).agent_session == ""
        claude.prompt(B)
        assert bench.landed(server, tool_use("toolu_2")).agent_session == B


def test_session_attribution_stops_at_the_first_client(bench: Bench) -> None:
    """A worker below another session's process is not that session's."""
    with bench.agent() as outer:
        outer.start(A)
        outer.prompt(A)
        program = outer.program
        held = outer.serve(around=f"{program} -c '\"$@\"; exit $?' claude")
        direct = outer.serve(around="sh -c '\"$@\"; exit $?' sh")

        assert bench.landed(direct, tool_use("toolu_1")).agent_session == A
        assert bench.landed(held, tool_use("toolu_2")).agent_session == ""


def test_session_attribution_below_another_kind_of_client(bench: Bench) -> None:
    """A server that says it is one client's, run by another's, is the one's that runs it.

    A call that names no session of that one's gets none.
    """
    with bench.agent(CODEX) as codex:
        codex.start(A)
        codex.prompt(A)
        server = codex.serve(client="claude-code")
        unnamed = bench.landed(server, tool_use("toolu_1"))
        named = bench.landed(server, turn(A))

        assert (unnamed.agent, unnamed.agent_session) == ("codex", "")
        assert (named.agent, named.agent_session) == ("codex", A)


def test_session_attribution_once_hooks_no_longer_run(bench: Bench) -> None:
    """Hooks that recorded earlier calls and not this one say nothing of it any more."""
    with bench.agent() as claude:
        server = claude.serve()
        claude.start(A)
        claude.before_tool(A, "toolu_1")

        assert bench.landed(server, tool_use("toolu_1")).agent_session == A
        assert bench.landed(server, tool_use("toolu_2")).synthetic is True


def test_session_attribution_outside_any_client(bench: Bench) -> None:
    """A server that no client started has a synthetic session, whatever others are open."""
    with bench.agent() as claude:
        claude.start(A)
        claude.prompt(A)
        with start_server(bench.repo, bench.env, "--client", "claude-code") as server:
            assert bench.landed(server, tool_use("toolu_1")).agent_session == ""
        assert bench.landed(claude.serve(), tool_use("toolu_2")).agent_session == A


def test_session_attribution_of_runs_without_a_person(bench: Bench) -> None:
    """Where nobody sits at the client, its private notes wait, with hooks or without."""
    with bench.agent(CLAUDE, "-p") as claude, bench.agent(CODEX) as codex:
        ours, theirs = claude.serve(), codex.serve()
        alone = ours.call("remember", tool_use("toolu_1"), title="Said by nobody", scope="agent")
        codex.start(A)
        run = theirs.call("remember", turn(A, trigger="exec"), title="Run alone", scope="agent")
        sat = theirs.call("remember", turn(A), title="Said with a person", scope="agent")

        assert alone["structuredContent"]["code"] == "authority.headless"
        assert run["structuredContent"]["code"] == "authority.headless"
        assert sat["structuredContent"]["outcome"] == "created"
