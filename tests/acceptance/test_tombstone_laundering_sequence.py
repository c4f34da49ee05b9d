"""A value that a person turned down does not come back by any sequence or disguise."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from harness.surroundings import SHELL_TOOL
from mcp_client import CLAUDE, AgentProcess, environment
from onrecord import wiring
from onrecord.domain.item import ItemQuery
from statements import CLAIM, DISGUISES, NEIGHBOUR, PARAPHRASE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp_client import McpPeer

SHELL: Final = SHELL_TOOL["claude-plain"]
SESSION: Final = "0b7c4d1e-0000-4000-8000-00000000000"
YES: Final = [("[y/n]", "y")]


class Bench:
    """A place where an agent's claim was turned down, and its neighbour stands."""

    def __init__(self, folder: Path, *, scope: str = "repo") -> None:
        self.lines = CommandLine(folder)
        self.neighbour = self.lines.remember(NEIGHBOUR, "--scope", "repo")
        self.claim = self.lines.remember(CLAIM, "--scope", scope, around=SHELL)
        self.turn_down()

    def turn_down(self) -> None:
        """As wrong, by the person."""
        done = self.lines.run("reject", self.claim, "--reason", "wrong")
        assert done.status == 0, done

    def live(self) -> list[str]:
        """Titles and bodies of all that is active or waits."""
        found: list[str] = []
        for status in ("active", "proposed"):
            more = ("--status", status, "--limit", "200", "--json")
            items = self.lines.run("list", "--all", *more).json["items"]
            found += [f"{item['title']}\n{item['body']}" for item in items]
        return found

    def units(self) -> int:
        """How many items there are, whatever their state; nothing is hidden from this."""
        memory = wiring.open_memory(str(self.lines.store), create=False)
        try:
            with memory._store.read() as tx:  # noqa: SLF001 - what no door may add to
                return len(tx.items.page(ItemQuery(limit=500)))
        finally:
            memory.close()

    def agent(self) -> AgentProcess:
        """An agent at work here."""
        env = environment(self.lines.home, self.lines.store)
        return AgentProcess(CLAUDE, cwd=self.lines.repo, env=env)

    def gives(self, query: str = CLAIM) -> str:
        """What a session here is given."""
        return self.lines.run("recall", query).out + self.lines.run("pack", "--query", query).out


def say(peer: McpPeer, title: str, **more: Any) -> dict[str, Any]:
    """An agent's statement."""
    answer = peer.call("remember", **{"title": title, "scope": "repo", **more})
    found: dict[str, Any] = answer["structuredContent"]
    return found


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A fresh one."""
    return Bench(tmp_path)


@pytest.fixture
def peer(bench: Bench) -> Iterator[McpPeer]:
    """An agent's connection in it."""
    with bench.agent() as agent:
        agent.start(SESSION + "1")
        found = agent.serve()
        found.shake_hands()
        yield found


def test_tombstone_laundering_sequence(bench: Bench, peer: McpPeer) -> None:
    """Superseded by another, restated, corroborated by others: still inactive."""
    other = say(peer, "The harbour master approves refunds with a receipt only")
    approved = bench.lines.run("approve", other["id"], keys=YES)
    replaced = say(peer, CLAIM, replaces=other["id"])
    by_key = say(peer, CLAIM, key="refunds")
    distinct = say(peer, CLAIM, distinct=True)
    private = say(peer, CLAIM, scope="session")
    again = []
    for n in range(2, 5):
        with bench.agent() as agent:
            agent.start(f"{SESSION}{n}")
            more = agent.serve()
            more.shake_hands()
            again.append(say(more, CLAIM))
            again.append(say(more, CLAIM, scope="agent"))

    assert approved.status == 0
    answers = [replaced, by_key, distinct, private, *again]
    assert {answer["code"] for answer in answers} == {"tombstone.equal"}
    assert not [text for text in bench.live() if CLAIM in text]
    assert CLAIM not in bench.gives()
    assert NEIGHBOUR in bench.gives("harbour master reviews large refunds")


def test_tombstone_laundering_sequence_by_rewording(bench: Bench, peer: McpPeer) -> None:
    """Something harmless is saved, then turned into the claim: the harmless text stays."""
    harmless = say(peer, "The harbour office closes at five", scope="session")
    turned = peer.call("remember", title=CLAIM, scope="session", key="x", replaces=harmless["id"])[
        "structuredContent"
    ]
    said = say(peer, "Refunds", body=f"We asked around. {CLAIM}. So it is.", scope="session")

    assert turned["code"] == "tombstone.equal"
    assert said["code"] == "tombstone.equal"
    assert not [text for text in bench.live() if CLAIM in text]


@pytest.mark.parametrize("n", range(len(DISGUISES)))
def test_tombstone_key_normalization_attack(bench: Bench, n: int) -> None:
    """Look-alikes, case, spaces, invisible, full-width, punctuation, in title and in body."""
    with bench.agent() as agent:
        agent.start(SESSION + "1")
        peer = agent.serve()
        peer.shake_hands()
        as_title = say(peer, DISGUISES[n].strip())
        as_body = say(peer, "Refunds", body=DISGUISES[n])
        neighbour = say(peer, f"The pilot logs in daily, take {n}", scope="session")

    assert as_title["code"] in ("tombstone.equal", "shape.title_characters")
    assert as_body["code"] == "tombstone.equal"
    assert neighbour["outcome"] == "created"


def test_tombstone_key_normalization_attack_stores_the_paraphrase(
    bench: Bench, peer: McpPeer
) -> None:
    """Other words are kept, and wait with a flag where the sketch knows them again."""
    answer = say(peer, PARAPHRASE, scope="session")

    assert answer["outcome"] in ("created", "proposed")
    if answer["outcome"] == "proposed":
        shown = bench.lines.run("show", answer["id"], "--json").json
        assert any(flag.startswith("tombstone:") for flag in shown["flags"])


def test_tombstone_survives_ttl_and_prune(bench: Bench, peer: McpPeer) -> None:
    """After a year, every sweep, a copy and its restore: refused; the sibling stands."""
    copy = bench.lines.home / "copy.db"
    assert bench.lines.run("backup", str(copy)).status == 0
    short = say(peer, "The tide table is out of date", scope="session", ttl_days=1)
    later = _years_later(
        bench,
        f"""
        from onrecord.service.commands import Sweep
        memory.do(Sweep(), itself)
        intake.drain()
        memory.check()
        print(say({CLAIM!r}), say("The tide table is out of date, too"))
    """,
    )
    restored = bench.lines.run("restore-backup", str(copy), keys=YES)
    assert bench.lines.run("rebuild").status == 0
    again = say(peer, CLAIM)
    person = bench.lines.run("remember", CLAIM, "--scope", "repo", "--json")

    assert short["outcome"] == "created"
    assert later.split() == ["tombstone.equal", "authority.shared_scope"]
    assert restored.status == 0, restored
    assert again["code"] == "tombstone.equal"
    assert person.json["code"] == "tombstone.equal"
    assert bench.lines.status_of(bench.neighbour) == "active"


#: Opens the store with a clock that is a year and more ahead, as the service does.
_LATER: Final = """
import sys
from onrecord import wiring
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.item import Content
from onrecord.domain.time import DAY
from onrecord.service import clocks
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember
before = clocks.SystemClock.now
clocks.SystemClock.now = lambda self: before(self) + 400 * DAY
memory = wiring.open_memory(sys.argv[1])
intake = wiring.open_intake(sys.argv[1], memory)
itself = Caller(principal=Principal(writer="system", channel="system"), place=Place())
place = Place(cwd="/", repo="repo:github.com/acme/shop")
agent = Caller(principal=Principal.for_agent("codex"), place=place)
def say(title):
    return memory.do(Remember(content=Content(title=title)), agent).code
"""


def _years_later(bench: Bench, code: str) -> str:
    import subprocess  # noqa: PLC0415 - one test only
    import textwrap  # noqa: PLC0415 - the same

    done = subprocess.run(
        [sys.executable, "-c", _LATER + textwrap.dedent(code), str(bench.lines.store)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_tombstone_reextraction_stays_inactive(bench: Bench, tmp_path: Path) -> None:
    """A transcript's prompt, a handoff and an import bring it again: what else they hold comes."""
    other = CommandLine(tmp_path / "other")
    for title in (CLAIM, "The pilot boat is painted yellow"):
        other.remember(title, "--scope", "repo")
    file = bench.lines.home / "memories.jsonl"
    assert other.run("export", "-o", str(file)).status == 0
    imported = bench.lines.run("import", "jsonl", str(file), "--json")
    with bench.agent() as agent:
        agent.start(SESSION + "7")
        agent.prompt(SESSION + "7", f"Please note: {CLAIM}")
        agent.prompt(SESSION + "7", CLAIM)
        peer = agent.serve()
        peer.shake_hands()
        handed = peer.call("handoff", next="paint the boat", state=f"Known: {CLAIM}.")
        agent.end(SESSION + "7", "other")
    with bench.agent() as agent:
        given = agent.hook("SessionStart", SESSION + "8", source="startup")
    live = bench.live()

    assert imported.json["outcomes"] == {"proposed": 1, "refused": 1}
    assert handed["structuredContent"]["outcome"] in ("refused", "proposed")
    assert not [text for text in live if text.strip() == CLAIM]
    assert not [item for item in active(bench) if CLAIM in json.dumps(item)]
    assert [text for text in live if "painted yellow" in text]
    assert f"] {CLAIM}" not in given


def active(bench: Bench) -> list[dict[str, Any]]:
    """All that counts."""
    more = ("--status", "active", "--limit", "200", "--json")
    items: list[dict[str, Any]] = bench.lines.run("list", "--all", *more).json["items"]
    return items


def test_tombstone_no_second_memory_unit(bench: Bench, peer: McpPeer) -> None:
    """No new unit exists afterwards, and the log says what kept it out."""
    before = bench.units()
    for more in ({}, {"scope": "agent"}, {"key": "refunds"}, {"distinct": True}):
        say(peer, CLAIM, **more)
    for text in DISGUISES[:4]:
        say(peer, "Refunds", body=text)
    events = bench.lines.run("log", "--json").json["events"]
    refused = [event["code"] for event in events if event["action"].startswith("refused")]

    assert bench.units() == before
    assert set(refused) == {"tombstone.equal"}


def test_tombstone_is_lifted_by_a_persons_override_alone(bench: Bench, peer: McpPeer) -> None:
    """Positive control: with a key and a reason the value may be said again, by agents too."""
    words = ("--scope", "repo", "--override", "the law changed", "--json")
    lifted = bench.lines.run("remember", CLAIM, *words, keys=YES)
    after = say(peer, CLAIM)

    assert lifted.json["outcome"] == "created"
    assert after["outcome"] == "corroborated"
    assert CLAIM in bench.gives()
