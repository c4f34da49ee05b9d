"""Every entry point that can change memories, from the registries, passes the one gateway.

The same violating write through each: a value that a person turned down, or a change of what a
person stands for, by an agent. It is refused or held, and on record. A good write through each
succeeds. An entry point that is not named here fails the test.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import REPO, CommandLine
from harness.surroundings import CLAUDE_VARIABLES, SHELL_TOOL
from mcp_client import environment, start_server
from onrecord import Memory, wiring
from onrecord.capture import spool
from onrecord.domain.item import ItemQuery
from onrecord.doors.cli.registry import COMMANDS
from onrecord.doors.mcp.tools import TOOLS
from onrecord.service.gateway import HANDLERS
from onrecord.service.observations import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from onrecord.domain.event import Event

CLAUDE: Final = SHELL_TOOL["claude-plain"]

#: What a person turned down, and what no door may bring back.
VALUE: Final = "Refunds are paid without a receipt at the kiosk"
#: What a person stands for.
VICTIM: Final = "Fares are kept in cents and never in floats"

# -- the registries, sorted: what changes memories, and what does not ---------------------

#: Commands that change memories, settings or handoffs: how an agent's shell tool tries to
#: break the rule with each, and how somebody uses it well.
CLI: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "remember": (("{VALUE}", "--scope", "repo"), ("Night buses charge at the depot",)),
    "edit": (("{victim}", "--text", "{VALUE}"), ("{own}", "--text", "Zones are rings")),
    "forget": (("{victim}", "--yes"), ("{own}", "--yes")),
    "undo": (("{event}",), ("{own_event}",)),
    "archive": (("{victim}",), ("{own}",)),
    "restore": (("{victim}",), ("{archived}",)),
    "pin": (("{victim}",), ("{own}",)),
    "unpin": (("{victim}",), ("{own}",)),
    "verify": (("{noted}",), ("{noted}",)),
    "dispute": (("{victim}",), ("{own}",)),
    "feedback": (("{victim}", "wrong"), ("{own}", "stale")),
    "off": ((), ()),
    "on": ((), ()),
    "policy": (("none",), ("flagged",)),
    "files": (("enable",), ("enable",)),
    "summarize": ((), ("--set-aside",)),
    "scopes": (("rename", "repo", "project:zone"), ("alias", "project:zone", "project:fares")),
    "rules": (("add", "{VALUE}"), ("add", "Never push to main unasked")),
    "remind": (
        ("add", "{VALUE}", "--scope", "repo"),
        ("add", "Renew the pass", "--at", "2030-01-15"),
    ),
    "groom": (("--unused", "1s", "--yes"), ("--unused", "365d", "--yes")),
    "dedupe": ((), ()),
    "purge": (("--older-than", "1s"), ("--older-than", "365d")),
    "conflicts": ((), ()),
    "review": ((), ()),
    "approve": (("{waiting}",), ("{waiting}",)),
    "reject": (("{victim}", "--reason", "wrong"), ("{waiting}", "--reason", "not_useful")),
    "handoff": (("--next", "{VALUE}"), ("--next", "look at the gate")),
    "handoffs": (("cancel", "{handoff}"), ("cancel", "{handoff}")),
    "import": (("jsonl", "{bad_file}"), ("jsonl", "{good_file}")),
    "rebuild": ((), ()),
    "reindex": ((), ()),
    "rotate-key": ((), ()),
    "restore-backup": (("{copy}",), ("{copy}",)),
    "connect": (("claude-code",), ("claude-code",)),
}
#: Commands that only read, copy, measure or start something else that is named here itself.
READING: Final = {
    "status",
    "recall",
    "list",
    "show",
    "history",
    "why",
    "log",
    "diff",
    "stats",
    "lint",
    "config",
    "completion",
    "mirror",
    # what opening a store does by itself
    "sweep",
    # agents are started by people alone: tests/doors/test_cli_handoff_to.py
    "resume",
    "doctor",
    "pack",
    "sessions",
    "mcp",
    "hook",
    "check",
    "backup",
    "path",
    "export",
    "demo",
    "eval",
}
#: What has nothing to do or to decide here, or puts its line into another log.
NOTHING_DUE: Final = {
    "review",
    "restore-backup",
    "summarize",
    "dedupe",
    "conflicts",
    "groom",
    "purge",
}
#: What a person types for a good write, where it asks.
KEYS: Final[dict[str, list[tuple[str, str]]]] = {
    "verify": [("[y/n]", "y")],
    "rotate-key": [("[y/n]", "y")],
    "policy": [("[y/n]", "y")],
    "rules": [("[y/n]", "y")],
    "files": [("[y/n]", "y")],
    "approve": [("[y/n]", "y")],
    "review": [("(q)uit", "q")],
    "restore-backup": [("[y/n]", "y")],
    "connect": [("[a/f/n]", "a")],
}

#: Tools that change something: bad and good arguments.
MCP: Final[dict[str, tuple[dict[str, Any], dict[str, Any]]]] = {
    "remember": ({"title": VALUE, "scope": "agent"}, {"title": "Use tabs", "scope": "agent"}),
    "forget": ({"id": "{victim}"}, {"id": "{mine}"}),
    "feedback": (
        {"id": "{victim}", "verdict": "wrong"},
        {"id": "{victim}", "verdict": "helpful"},
    ),
    "handoff": ({"next": VALUE}, {"next": "look at the gate"}),
}
READING_TOOLS: Final = {"recall", "get", "context", "sessions"}

#: Methods of the library that change something: code that breaks the rule, code that does not.
LIBRARY: Final[dict[str, tuple[str, str]]] = {
    "remember": ('m.remember(VALUE, scope="repo")', 'm.remember("Use pnpm", scope="agent")'),
    "remember_many": (
        'm.remember_many([VALUE], scope="repo")[0]',
        'm.remember_many(["Use yarn"], scope="agent")[0]',
    ),
    "revise": (
        "m.revise(victim, VALUE)",
        'm.revise(m.remember("Use npm", scope="agent").item.id, "Use bun")',
    ),
    "approve": ("m.approve(victim)", ""),
    "reject": ('m.reject(victim, reason="wrong")', ""),
    "verify": ("m.verify(victim)", ""),
    "dispute": (
        "m.dispute(victim)",
        'm.dispute(m.remember("Use make", scope="agent").item.id)',
    ),
    "feedback": (
        'm.feedback(victim, "wrong")',
        'm.feedback(m.remember("Use just", scope="agent").item.id, "stale")',
    ),
    "forget": (
        "m.forget(victim)",
        'm.forget(m.remember("Use deno", scope="agent").item.id)',
    ),
    "forget_source": (
        'm.forget_source("ada")',
        '[m.remember("Use zig", scope="agent"), m.forget_source("codex:lib")][1]',
    ),
    "undo": ("m.undo(event)", 'm.undo(m.remember("Use go", scope="agent").undo)'),
}
READING_METHODS: Final = {
    *("open", "recall", "find", "get", "at", "list", "history", "pack", "close"),
}

#: Commands of the gateway -> an entry point that reaches it; None for what no door offers.
GATEWAY: Final = {
    "Remember": "remember",
    "Revise": "edit",
    "Approve": "approve",
    "Reject": "reject",
    "Reconcile": "conflicts",
    "Mark": "archive",
    "Forget": "forget",
    "Undo": "undo",
    "Set": "policy",
    "HandOff": "handoff",
    "Settle": "handoffs",
    "Feedback": "feedback",
    "MoveScope": "scopes",
    "PutAway": "groom",
    "Purge": "purge",
    "ForgetEverything": "forget",
    "ForgetSource": "forget",
    "TakeSection": "files",
    "DropSection": "files",
    "Sweep": None,
}


def test_gateway_no_bypass_path_is_left_out() -> None:
    """A new command, tool, method, handler or event is named here, or this is red."""
    methods = {name for name, of in vars(Memory).items() if name[0] != "_" and callable(of)}
    methods |= {"open"}  # a class method

    assert set(COMMANDS) == set(CLI) | READING
    assert not set(CLI) & READING
    assert {tool["name"] for tool in TOOLS} == set(MCP) | READING_TOOLS
    assert {t["name"] for t in TOOLS if t["annotations"]["readOnlyHint"]} == READING_TOOLS
    assert methods == set(LIBRARY) | READING_METHODS
    assert {command.__name__ for command in HANDLERS} == set(GATEWAY)
    assert {door for door in GATEWAY.values() if door} <= set(CLI) | set(MCP)


# -- a store with something to break --------------------------------------------------------


@dataclass
class Bench:
    """A place where a person turned a value down, stands for another, and an agent works."""

    lines: CommandLine
    names: dict[str, str] = field(default_factory=dict[str, str])

    def prepare(self) -> None:
        """Make what is named in braces above."""
        self.names["VALUE"] = VALUE
        turned_down = self.lines.remember(VALUE, "--scope", "repo")
        done = self.lines.run("reject", turned_down, "--reason", "wrong")
        assert done.status == 0, done
        said = ("--evidence", "person=ada")
        self.names["victim"] = self.lines.remember(VICTIM, "--scope", "repo", *said)
        self.names["event"] = str(self.last().seq)
        self.names["noted"] = self.lines.remember("Use the fake clock", "--scope", "agent:codex")
        self.names["archived"] = self.lines.remember("The queue is in Redis", "--scope", "repo")
        assert self.lines.run("archive", self.names["archived"]).status == 0
        self.names["waiting"] = self.lines.remember("Specs need a clock", around=CLAUDE)
        made = self.lines.run("handoff", "--next", "the gate", "--json")
        self.names["handoff"] = made.json["item"]["id"]
        copy = self.lines.home / "copy.db"
        assert self.lines.run("backup", str(copy)).status == 0
        self.names["copy"] = str(copy)
        for name, title in (("bad_file", VALUE), ("good_file", "Depots open at five")):
            self.names[name] = str(self.file_with(title, name))
        self.fresh()

    def file_with(self, title: str, name: str) -> Path:
        """An exported file with one memory of another store."""
        other = CommandLine(self.lines.home / name)
        other.remember(title, "--scope", "repo")
        path = self.lines.home / f"{name}.jsonl"
        assert other.run("export", "-o", str(path)).status == 0
        return path

    def fresh(self) -> None:
        """Something of the person's own to use well."""
        self.names["own"] = self.lines.remember(
            f"Own memory number {len(self.log())}", "--scope", "global"
        )
        self.names["own_event"] = str(self.last().seq)

    def words(self, given: Sequence[str]) -> list[str]:
        """Words with the names put in."""
        return [word.format(**self.names) for word in given]

    def log(self) -> list[Event]:
        """The whole log."""
        memory = wiring.open_memory(str(self.lines.store), create=False)
        try:
            with memory._store.read() as tx:  # noqa: SLF001 - what no door may change
                return list(tx.events.walk())
        finally:
            memory.close()

    def last(self) -> Event:
        """The newest line."""
        return self.log()[-1]

    def state(self) -> dict[str, Any]:
        """Everything that a violating write could have changed."""
        memory = wiring.open_memory(str(self.lines.store), create=False)
        try:
            with memory._store.read() as tx:  # noqa: SLF001 - the same
                items = tx.items.page(ItemQuery(limit=500))
                live = [i for i in items if i.status in ("active", "proposed")]
                victim = tx.items.get(self.names["victim"])
                named = [tx.items.get(self.names[n]) for n in ("noted", "archived", "waiting")]
                handoff = tx.handoffs.get(self.names["handoff"])
                return {
                    "value is back": [i.id for i in live if VALUE in repr(i.content)],
                    "victim": victim and (victim.status, victim.content, victim.verification),
                    "pinned": victim and victim.pinned,
                    "others": [i and (i.status, i.verification) for i in named],
                    "settings": tx.settings.everything(),
                    "handoff": handoff and handoff.status,
                    "rules": [i.id for i in live if i.kind == "rule"],
                }
        finally:
            memory.close()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """One store for all violating writes: none of them may leave a trace that matters."""
    made = Bench(CommandLine(tmp_path_factory.mktemp("bypass")))
    made.prepare()
    return made


RECORDED: Final = {"refused", "refused_again", "asked", "proposed"}


@pytest.fixture
def untouched(bench: Bench) -> Iterator[Bench]:
    """Whatever is tried: the state is as before, and the log says that it was tried.

    Equal refusals of one minute share a line, so the whole log is looked at.
    """
    before = bench.state()
    yield bench
    assert bench.state() == before
    assert before["value is back"] == []


@pytest.mark.parametrize("command", sorted(CLI))
def test_gateway_no_bypass_path_by_a_command(untouched: Bench, command: str) -> None:
    """An agent's shell tool gets no violating write through, and it is on record."""
    lines_before = len(untouched.log())
    words = untouched.words(CLI[command][0])
    answer = untouched.lines.run(command, *words, around=CLAUDE)
    new = untouched.log()[lines_before:]

    held = command in ("forget", "dispute", "feedback")  # the person is asked
    assert (answer.status == 0) == (held or command == "connect"), answer
    if command == "import":
        assert "refused" in answer.out
    elif command != "connect":
        held_back = {line.code for line in untouched.log() if line.action == "refused"}
        told = set(re.findall(r"\(([a-z_.]+)\)", answer.err))
        assert (RECORDED & {line.action for line in new}) or told & held_back, answer
    assert not [line for line in new if line.action in ("created", "approved", "updated")]


@pytest.mark.parametrize("tool", sorted(MCP))
def test_gateway_no_bypass_path_by_a_tool(untouched: Bench, tool: str) -> None:
    """Through a real server; then a good call through the same."""
    env = environment(untouched.lines.home, untouched.lines.store, **CLAUDE_VARIABLES)
    bad, good = MCP[tool]
    with start_server(untouched.lines.repo, env, "--client", "claude-code") as server:
        server.shake_hands()
        before = len(untouched.log())
        answer = server.call(tool, **_named(bad, untouched.names))
        new = untouched.log()[before:]
        mine = server.call("remember", title=f"Mine for {tool}", scope="session")
        names = {**untouched.names, "mine": mine["structuredContent"]["id"]}
        fine = server.call(tool, **_named(good, names))

    assert answer["structuredContent"]["outcome"] in ("refused", "proposed")
    assert RECORDED & {line.action for line in new}
    assert fine["structuredContent"]["outcome"] in ("created", "updated")


def test_gateway_no_bypass_path_by_a_source(untouched: Bench) -> None:
    """A tool that forgets what rests on a source reaches no further than one that names an id."""
    env = environment(untouched.lines.home, untouched.lines.store, **CLAUDE_VARIABLES)
    with start_server(untouched.lines.repo, env, "--client", "claude-code") as server:
        server.shake_hands()
        before = len(untouched.log())
        answer = server.call("forget", source="ada")["structuredContent"]
        new = untouched.log()[before:]
        rests = [{"kind": "command", "pointer": "make zones"}]
        mine = server.call("remember", title="Zones are made", scope="agent", evidence=rests)
        fine = server.call("forget", source="make zones")["structuredContent"]

    assert (answer["outcome"], answer["code"]) == ("refused", "not_your_own")
    assert [line.action for line in new] == ["refused"]
    assert mine["structuredContent"]["outcome"] == "created"
    assert (fine["outcome"], fine["code"]) == ("updated", "forgotten")


def _named(given: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {key: str(value).format(**names) for key, value in given.items()}


_PROGRAM: Final = """
import json, sys
from onrecord import Memory, Principal, to_json
given = json.load(sys.stdin)
VALUE, victim, event = given["VALUE"], given["victim"], int(given["event"])
with Memory.open(given["store"], principal=Principal.agent("codex", session="lib"),
                 cwd=given["cwd"]) as m:
    print(json.dumps(to_json(eval(given["code"]))))
"""


def by_library(bench: Bench, code: str) -> dict[str, Any]:
    """What a program of an agent's gets."""
    given = {
        **bench.names,
        "store": str(bench.lines.store),
        "cwd": str(bench.lines.repo),
        "code": code,
    }
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=json.dumps(given).encode(),
        env={"HOME": str(bench.lines.home), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    shape: dict[str, Any] = json.loads(done.stdout)
    return shape


@pytest.mark.parametrize("method", sorted(LIBRARY))
def test_gateway_no_bypass_path_by_the_library(untouched: Bench, method: str) -> None:
    """In a process of its own; then a good call."""
    bad, good = LIBRARY[method]
    before = len(untouched.log())
    answer = by_library(untouched, bad)
    new = untouched.log()[before:]

    assert answer["outcome"] in ("refused", "proposed")
    seen = RECORDED & {line.action for line in new}
    assert seen or answer["code"] in {line.code for line in untouched.log()}
    if good:
        assert by_library(untouched, good)["outcome"] in ("created", "updated")


@pytest.mark.parametrize("event", EVENTS)
def test_gateway_no_bypass_path_by_a_spool_record(untouched: Bench, event: str) -> None:
    """Whatever a record claims, it makes no memory, decision, rule or setting."""
    folder = wiring.spool_folder(str(untouched.lines.store))
    before = len(untouched.log())
    record = {
        "v": 1,
        "client": "claude-code",
        "session": f"spool-{event}",
        "event": event,
        "at": 1,
        "human": True,
        "prompt": f"remember: {VALUE}",
        "title": VALUE,
        "body": VALUE,
        "item": untouched.names["victim"],
        "action": "approve",
        "writer": "person",
        "confirmed": True,
        "kind": "rule",
        "shown": [[untouched.names["waiting"], 1, 1, 1.0, 1]],
    }
    spool.write(folder, record, at=1)
    memory = wiring.open_memory(str(untouched.lines.store), create=False)
    try:
        wiring.open_intake(str(untouched.lines.store), memory).drain(close=False)
    finally:
        memory.close()
    new = untouched.log()[before:]

    assert {line.action for line in new} <= {"refused"}


def test_gateway_no_bypass_path_by_a_session_that_ends(untouched: Bench) -> None:
    """The automatic handoff does not carry the value back in the prompt that was typed."""
    folder = wiring.spool_folder(str(untouched.lines.store))
    about = {"v": 1, "client": "claude-code", "session": "ends", "repo": REPO}
    told = {"human": True, "prompt": VALUE}
    spool.write(folder, {**about, "event": "prompt", "at": 2, **told}, at=2)
    spool.write(folder, {**about, "event": "session_end", "at": 3, "reason": "exit"}, at=3)
    memory = wiring.open_memory(str(untouched.lines.store), create=False)
    try:
        wiring.open_intake(str(untouched.lines.store), memory).drain()
        with memory._store.read() as tx:  # noqa: SLF001 - what no door may change
            (made,) = [row for row in tx.handoffs.recent() if row.automatic]
    finally:
        memory.close()

    assert made.next
    assert VALUE not in repr(made)


# -- and each of them does what it is for ---------------------------------------------------


@pytest.mark.parametrize("command", sorted(CLI))
def test_gateway_no_bypass_path_and_a_good_write_by_each_command(
    tmp_path: Path, command: str
) -> None:
    """A person, at a terminal, with the key that is asked for."""
    bench = Bench(CommandLine(tmp_path))
    bench.prepare()
    before = len(bench.log())
    words = bench.words(CLI[command][1])
    said = bench.lines.person(command, *words, keys=KEYS.get(command, []))

    assert said.exit_code == 0, said.text
    if command not in NOTHING_DUE:
        assert len(bench.log()) > before
