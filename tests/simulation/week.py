"""A week of two agents and one person over one store, chosen by a seed and lived by the clock."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass, field
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from desk import OTHER_REPO, REPO, SECRETS, Desk, place
from onrecord.domain.errors import OnrecordError
from onrecord.domain.item import Content, ItemQuery
from onrecord.domain.outcome import name_of
from onrecord.domain.principal import Principal
from onrecord.domain.time import DAY, HOUR, MINUTE
from onrecord.service import packs
from onrecord.service.caller import Caller
from onrecord.service.commands import (
    Approve,
    Forget,
    HandOff,
    Reconcile,
    Reject,
    Remember,
    Undo,
)
from onrecord.service.upkeep import Upkeep
from onrecord.testing.builders import START
from simulation.sayings import COMMITS, HANDED, KEPT, PROMPTS
from spooling import Hooks

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from onrecord.domain.item import Item
    from onrecord.domain.outcome import Outcome
    from onrecord.domain.scope import Place
    from onrecord.service.answers import Waiting
    from onrecord.service.contradictions import Opposed

#: Monday, 5 January 2026, 09:00 UTC.
MONDAY: Final = START + 4 * DAY + 9 * HOUR
#: Sessions of each day: 40 in all.
SESSIONS: Final = (7, 7, 6, 7, 6, 4, 3)
AGENTS: Final = ("claude-code", "codex")
MAIN: Final = "branch:github.com/acme/shop@main"
FEATURE: Final = "branch:github.com/acme/shop@currency"
DEPOT: Final = "branch:github.com/acme/depot@main"
#: Share of the contradictions that the person decides on the evening that they are shown.
DECIDED: Final = 0.5
#: Share of the handoffs that were taken over whose agent acknowledges them.
ACKNOWLEDGED: Final = 0.6
ALL: Final = ItemQuery(limit=200)
#: A process that is no more.
DEAD: Final[dict[str, Any]] = {"pid": 4_194_399, "pid_started": 1}


def told(answer: Outcome | str) -> str:
    """An outcome in one line."""
    return answer if isinstance(answer, str) else f"{name_of(answer)} [{answer.code}] {answer.say}"


def titles(made: packs.Pack) -> str:
    """The items of a pack by the ends of their ids."""
    return ", ".join(f"m:{row[0][-6:]}" for row in made.shown)


def known(item: Item) -> bool:
    """Whether an item is knowledge that stands."""
    return item.status == "active" and item.kind not in ("handoff", "rule", "reminder")


def git(tree: Path, *arguments: str) -> str:
    """What git answers."""
    author = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    done = subprocess.run(
        ["git", *author, *arguments], cwd=tree, check=True, timeout=30, capture_output=True
    )
    return done.stdout.decode().strip()


def commit(tree: Path, subject: str) -> None:
    """One file more, with a commit of its own."""
    name = subject.partition(":")[0]
    with (tree / f"{name}.py").open("a", encoding="utf-8") as file:
        file.write(f"# {subject}\n")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", subject)


@dataclass(kw_only=True)
class Given:
    """One pack, as a session was given it."""

    session: str
    #: how often the session had been compacted by then
    age: int
    pack: packs.Pack
    at: int


@dataclass(kw_only=True)
class Life:
    """One session of the week, as whoever watched it would tell."""

    name: str
    agent: str
    branch: str
    source: str
    headless: bool
    age: int = 0
    said: list[str] = field(default_factory=list[str])

    @property
    def repo(self) -> str:
        """The repository that it works in."""
        return OTHER_REPO if self.branch == DEPOT else REPO


class Week:
    """Lives the week day by day; what happened can be read off it."""

    def __init__(
        self, desk: Desk, folder: Path, seed: int, *, trees: tuple[str, ...] = ()
    ) -> None:
        self.desk = desk
        self.hooks = Hooks(desk, folder)
        self.folder = folder
        #: branches of the shop that have a checkout, below the folder
        self.trees = trees
        self.random = random.Random(seed)  # noqa: S311 - the same week each time
        self.given: list[Given] = []
        #: (text, outcome or error code) of every remember
        self.kept: list[tuple[str, Outcome | str]] = []
        #: id -> when a person turned it down or had it forgotten
        self.gone: dict[str, int] = {}
        self.today: list[Life] = []
        self.evening: list[str] = []
        self._unkept = list(KEPT)
        self._unhanded = list(HANDED)
        self._uncommitted = list(COMMITS)
        self._heads: dict[str, str] = {}
        self._count = 0
        self._last: dict[str, Life] = {}

    # -- the day ----------------------------------------------------------------
    def live(self, day: int) -> None:
        """One day from its morning to the person's review in the evening."""
        self.desk.clock.at = MONDAY + day * DAY
        self.today, self.evening = [], []
        for _ in range(SESSIONS[day]):
            self._session()
            self.desk.clock.advance(self.random.randint(5, 40) * MINUTE)
        self.desk.clock.at = max(self.desk.clock.at, MONDAY + day * DAY + 9 * HOUR)
        self._review(day)
        self.hooks.drain()

    def _session(self) -> None:
        life = self._begin()
        where = self._where(life)
        self.hooks.start(life.name, life.source, **where)
        self.hooks.drain()
        self._give(life, "start")
        compacts = self.random.random() < 0.15
        prompts = self.random.randint(1, 4)
        for turn in range(prompts):
            self._turn(life, where)
            if compacts and turn == 0:
                self.hooks.start(life.name, "compact", **where)
                self.hooks.intake.drain(close=False)
                life.age += 1
                life.said.append("was compacted")
                self._give(life, "start")
        if self.random.random() < 0.15 and self._unhanded:
            self._hand_over(life)
        self._settle(life)
        self._finish(life, where)
        self._last[life.agent] = life

    def _begin(self) -> Life:
        """Whose session it is, and whether it goes on from one before it."""
        self._count += 1
        agent = self.random.choice(AGENTS)
        source = self.random.choices(("startup", "resume", "clear"), (8, 2, 1))[0]
        former = self._last.get(agent)
        branch = self.random.choices((MAIN, FEATURE, DEPOT), (5, 3, 1))[0]
        headless = source == "startup" and self.random.random() < 0.1
        if former is None or (source == "resume" and former.headless):
            source = "startup"
        name = f"{agent[:2]}{self._count:02}"
        if source != "startup" and former is not None:
            branch = former.branch
            name = former.name if source == "resume" else name
        age = former.age if former is not None and source == "resume" else 0
        life = Life(
            name=name, agent=agent, branch=branch, source=source, headless=headless, age=age
        )
        self.today.append(life)
        return life

    def _where(self, life: Life) -> dict[str, Any]:
        """What a hook tells of where its session runs."""
        told: dict[str, Any] = {
            "client": life.agent,
            "repo": life.repo,
            "branch": life.branch,
        }
        tree = self.folder / life.branch.rpartition("@")[2]
        if life.branch in self.trees:
            told |= {"cwd": str(tree), "head": self._head(life.branch)}
        return told | ({"headless": True, "alone": True} if life.headless else {})

    def _turn(self, life: Life, where: Mapping[str, Any]) -> None:
        """A prompt, what it brings up, what the agent keeps and commits."""
        self.desk.clock.advance(self.random.randint(1, 9) * MINUTE)
        prompt = self.random.choice(PROMPTS)
        self.hooks.prompt(prompt, life.name, **where)
        life.said.append(f"asked: {prompt}")
        self._give(life, prompt)
        if self.random.random() < 0.45 and self._unkept:
            kind, text = self._unkept.pop(0)
            self._keep(life, kind, text)
        if self.random.random() < 0.2 and self._uncommitted and life.branch in self.trees:
            subject = self._uncommitted.pop(0)
            commit(self.folder / life.branch.rpartition("@")[2], subject)
            self._heads.clear()
            life.said.append(f"committed: {subject}")
        self.desk.clock.advance(self.random.randint(1, 6) * MINUTE)
        self.hooks.tell("stop", life.name, **where)

    def _keep(self, life: Life, kind: str, text: str) -> None:
        """The agent remembers; asked back about a date, it says the words as they are."""
        caller = self._agent(life)
        answer = self._tried(Remember(content=Content(title=text), kind=kind), caller, life, text)
        if not isinstance(answer, str) and answer.code == "dates.ask":
            again = Remember(content=Content(title=text), kind=kind, dates_as_written=True)
            self._tried(again, caller, life, text)

    def _tried(self, command: Remember, caller: Caller, life: Life, text: str) -> Outcome | str:
        try:
            answer: Outcome | str = self.desk.do(command, caller)
        except OnrecordError as error:
            answer = error.code
        self.kept.append((text, answer))
        life.said.append(f"kept ({command.kind}): {text}\n      -> {told(answer)}")
        return answer

    def _hand_over(self, life: Life) -> None:
        done, state, following, questions = self._unhanded.pop(0)
        to = self.random.choice(("", "", *AGENTS))
        command = HandOff(done=done, state=state, next=following, questions=questions, to_agent=to)
        answer = self.desk.do(command, self._agent(life))
        life.said.append(f"handed over to {to or 'anyone'}: {told(answer)}")

    def _settle(self, life: Life) -> None:
        """An agent that took a handoff over mostly says so once it has done it."""
        self.hooks.intake.drain(close=False)
        mine = self.hooks.session(life.name, life.agent).id
        for row in self.hooks.handoffs("claimed"):
            if row.claimed_by != mine:
                continue
            life.said.append(f"took over m:{row.item[-6:]}")
            if self.random.random() < ACKNOWLEDGED:
                self.desk.memory.settle_handoff("ack", row.item, self._agent(life))
                life.said.append(f"acknowledged m:{row.item[-6:]}")

    def _finish(self, life: Life, where: Mapping[str, Any]) -> None:
        """The session ends in so many words, is killed, or is never heard of again."""
        self.desk.clock.advance(MINUTE)
        how = self.random.choices(("end", "killed", "silent"), (8, 2, 1))[0]
        if how == "end":
            self.hooks.end(life.name, **where)
        elif how == "killed":
            self.hooks.tell("post_tool", life.name, **{**where, **DEAD})
        life.said.append({"end": "ended", "killed": "was killed", "silent": "fell silent"}[how])

    # -- packs ------------------------------------------------------------------
    def place_of(self, life: Life) -> Place:
        """Where a session stands."""
        here = place(life.agent, life.name, repo=life.repo, branch=life.branch)
        if life.branch in self.trees:
            here.commit = self._head(life.branch)
        return here

    def _head(self, branch: str) -> str:
        """The commit that a branch of the shop is at, read once for each change."""
        if branch not in self._heads:
            tree = self.folder / branch.rpartition("@")[2]
            self._heads[branch] = git(tree, "rev-parse", "HEAD")
        return self._heads[branch]

    def next_pack(self, agent: str, branch: str) -> packs.Pack:
        """What the next session of an agent would be given on a branch."""
        life = Life(name="next", agent=agent, branch=branch, source="startup", headless=False)
        return self._pack(life, "start", shown={})

    def _pack(self, life: Life, asked: str, *, shown: Mapping[str, int]) -> packs.Pack:
        now, nonce = self.desk.clock.now(), f"{len(self.given):016x}"
        here = self.place_of(life)
        with self.desk.store.read() as tx:
            if asked != "start":
                budget = packs.PROMPT_BUDGET
                return packs.prompt_pack(
                    tx.shelf, here, life.agent, asked, now, budget, nonce, shown=shown
                )
            goes_on = life.source == "resume" and not life.age
            make = packs.handoff_pack if goes_on else packs.session_pack
            return make(tx.shelf, here, life.agent, now, packs.BUDGET, nonce, shown=shown)

    def _give(self, life: Life, asked: str) -> None:
        """A pack, told as the hook tells it."""
        with self.desk.store.read() as tx:
            shown = dict(tx.shelf.shown(life.agent, life.name))
        begins = asked == "start" and life.source != "resume"
        made = self._pack(life, asked, shown={} if begins else shown)
        if not made.text:
            return
        self.given.append(
            Given(session=life.name, age=life.age, pack=made, at=self.desk.clock.now())
        )
        if asked != "start":
            life.said.append(f"was given {titles(made)}")
        self.hooks.tell(
            "delivery",
            life.name,
            life.agent,
            repo=life.repo,
            branch=life.branch,
            occasion="prompt" if asked != "start" else "session_start",
            budget=made.budget,
            tokens=made.tokens,
            handoff=made.handoff,
            shown=[[*row[:4], row[5], row[4]] for row in made.shown],
            withheld=[list(row) for row in made.withheld],
        )
        self.hooks.intake.drain(close=False)

    def _agent(self, life: Life) -> Caller:
        row = self.hooks.session(life.name, life.agent)
        principal = Principal.for_agent(
            life.agent, session=row.id, channel="mcp", user="ada", headless=life.headless
        )
        return Caller(principal=principal, place=self.place_of(life))

    # -- the evening --------------------------------------------------------------
    def _review(self, day: int) -> None:
        """The person looks through the queue, and does on some days what is rarer."""
        for entry in self.desk.memory.queue(self.desk.ada_typed):
            if not entry.asked:
                self._decide(entry)
        for pair in self.opposed():
            self.evening.append(f"sees m:{pair.new.id[-6:]} against m:{pair.old.id[-6:]}")
            if pair.new.status == "active" and self.random.random() < DECIDED:
                way = self.random.choice(("new", "old", "dispute"))
                self._did(
                    f"decides for {way}",
                    Reconcile(new=pair.new.id, old=pair.old.id, way=way),
                    pair.new.content.title,
                )
        rare = {1: self._forget, 2: self._set_rule, 3: self._undo, 4: self._remind}
        if day in rare:
            rare[day]()

    def opposed(self) -> list[Opposed]:
        """The pairs that speak against each other, as `onrecord conflicts` lists them."""
        desk = self.desk
        upkeep = Upkeep(
            desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=UTC
        )
        return upkeep.opposed(desk.ada_typed)

    def _decide(self, entry: Waiting) -> None:
        item, title = entry.item, entry.item.content.title
        shown = f" [{' '.join(item.flags)}]" if item.flags else ""
        self.evening.append(f"sees {item.kind} m:{item.id[-6:]} {title}{shown}")
        luck = self.random.random()
        if luck < 0.55 and not any("instruct" in flag for flag in item.flags):
            self._did("approves", Approve(item=item.id), title)
        elif luck < 0.65 and not any("instruct" in flag for flag in item.flags):
            edited = Content(title=f"{title.rstrip('.')} (checked)")
            self._did("edits and approves", Approve(item=item.id, content=edited), title)
        elif luck < 0.85 or item.flags:
            why = self.random.choice(("wrong", "unwanted", "not_useful"))
            if self._did(f"rejects as {why}", Reject(item=item.id, reason=why), title):
                self.gone[item.id] = self.desk.clock.now()

    def _did(self, what: str, command: Any, title: str) -> bool:
        """Do it as the person; says whether it was done."""
        try:
            answer = told(self.desk.do(command, self.desk.ada_typed))
        except OnrecordError as error:
            answer = f"{error.code}: {error}"
        self.evening.append(f"  {what}: {title}\n      -> {answer}")
        return "refused" not in answer

    def _forget(self) -> None:
        standing = [i for i in self.desk.memory.page(ALL, self.desk.ada_typed) if known(i)]
        if standing:
            item = self.random.choice(standing)
            self._did("forgets", Forget(item=item.id), item.content.title)
            self.gone[item.id] = self.desk.clock.now()

    def _set_rule(self) -> None:
        rule = Content(title="Never push to main without a review")
        self._did("sets a rule", Remember(content=rule, kind="rule", scope="repo"), rule.title)

    def _remind(self) -> None:
        text = Content(title="Renew the certificate of staging", valid_from=MONDAY + 5 * DAY)
        command = Remember(content=text, kind="reminder", scope="repo")
        self._did("sets a reminder", command, text.title)

    def _undo(self) -> None:
        """Takes the last decision of the evening back."""
        self._did("undoes the latest change", Undo(), "")
        for item in list(self.gone):
            if self.desk.stored(item).status in ("active", "proposed"):
                del self.gone[item]
