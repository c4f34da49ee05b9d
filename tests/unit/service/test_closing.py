"""A session's end: what was seen of its repository, and one right handoff whatever happens."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from desk import BRANCH, REPO, Desk, id_of
from harness.agents import repository
from onrecord.domain.errors import Clash
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.time import DAY
from onrecord.service.caller import Caller
from onrecord.service.claims import LEASE
from onrecord.service.commands import Forget, ForgetSource, HandOff, Set, Settle
from spooling import Hooks

if TYPE_CHECKING:
    from pathlib import Path

MAIN = "branch:github.com/acme/shop@main"
AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


@pytest.fixture
def hooks(desk: Desk, tmp_path: Path) -> Hooks:
    """Hooks that write into this desk's spool."""
    return Hooks(desk, tmp_path)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A checkout of the shop."""
    folder = repository(tmp_path / "shop")
    git(folder, "remote", "add", "origin", "https://github.com/acme/shop.git")
    return folder


def git(folder: Path, *arguments: str) -> str:
    """What git answers."""
    done = subprocess.run(
        ["git", *AUTHOR, *arguments], cwd=folder, check=True, timeout=30, capture_output=True
    )
    return done.stdout.decode().strip()


def worked(hooks: Hooks, session: str = "a", prompt: str = "Add a cart", **more: Any) -> None:
    """A session with one prompt, from start to end."""
    hooks.start(session, **more)
    hooks.prompt(prompt, session, **more)
    hooks.end(session, **more)
    hooks.drain()


def test_what_was_committed_and_what_lies_open_is_handed_over(hooks: Hooks, shop: Path) -> None:
    """Commits since the start, the size of the change, uncommitted files, the last prompt."""
    there: dict[str, Any] = {"cwd": str(shop), "branch": MAIN}
    hooks.start(head=git(shop, "rev-parse", "HEAD"), **there)
    hooks.prompt("Add a cart", **there)
    (shop / "cart.py").write_text("CART = []\n", encoding="utf-8")
    git(shop, "add", ".")
    git(shop, "commit", "-q", "-m", "cart: begin")
    (shop / "till.py").write_text("TILL = {}\n", encoding="utf-8")
    hooks.prompt("Now the till", **there)
    hooks.end(**there)
    hooks.drain()

    row, (handoff,) = hooks.session(), hooks.handoffs("open")
    head = git(shop, "rev-parse", "HEAD")
    assert row.head_end == head
    assert row.commits == (f"{head[:10]} cart: begin",)
    assert row.diff_stat == "1 file, +1 -0"
    assert handoff.automatic
    assert (handoff.repo, handoff.branch, handoff.head) == (REPO, MAIN, head)
    assert list(handoff.dirty) == ["till.py"]
    assert "cart: begin" in handoff.done
    assert "till.py" in handoff.state
    assert handoff.next == "First asked: Add a cart\nLast asked: Now the till"
    assert handoff.done == f"- {head[:10]} cart: begin\n1 file, +1 -0"
    with hooks.desk.store.read() as tx:
        item = tx.items.get(handoff.item)
    assert item is not None
    assert item.content.title == "Handoff from claude-code on main: Add a cart"
    assert item.content.body == (
        f"## Asked last\nNow the till\n\n## Done\n- {head[:10]} cart: begin\n1 file, +1 -0"
        f"\n\n## State\nHEAD {head[:10]}\nUncommitted: till.py"
    )
    assert (item.kind, item.status, item.scope) == ("handoff", "active", MAIN)


def test_a_prompt_that_the_title_holds_is_not_said_again(hooks: Hooks) -> None:
    """The body is for what the title does not say."""
    worked(hooks)

    (handoff,) = hooks.handoffs()
    with hooks.desk.store.read() as tx:
        item = tx.items.get(handoff.item)
    assert item is not None
    assert item.content.title.endswith(": Add a cart")
    assert "Add a cart" not in item.content.body


def test_what_was_asked_is_not_put_as_a_next_step(hooks: Hooks) -> None:
    """The first prompt is the goal; the row keeps both with the words before them."""
    hooks.start()
    hooks.prompt("Add a cart " * 30)
    hooks.prompt("Now the till\nand its drawer")
    hooks.end()
    hooks.drain()

    (handoff,) = hooks.handoffs()
    with hooks.desk.store.read() as tx:
        item = tx.items.get(handoff.item)
    assert item is not None
    asked = f"## Goal\n{'Add a cart ' * 30}".strip()
    assert item.content.body == f"{asked}\n\n## Asked last\nNow the till\nand its drawer"
    assert item.content.title.startswith("Handoff from claude-code on feature: Add a cart")
    assert handoff.next.startswith("First asked: Add a cart")
    assert handoff.next.endswith("\nLast asked: Now the till\nand its drawer")


def test_a_first_prompt_of_a_word_or_two_does_not_name_it(hooks: Hooks) -> None:
    """`Go on` tells nobody what it was about; it still stands there as what was asked first."""
    hooks.start()
    hooks.prompt("Go on")
    hooks.prompt("Add a cart to the till")
    hooks.end()
    hooks.drain()

    (handoff,) = hooks.handoffs()
    with hooks.desk.store.read() as tx:
        item = tx.items.get(handoff.item)
    assert item is not None
    assert item.content.title.endswith(": Add a cart to the till")
    assert item.content.body == "## Asked first\nGo on"


def test_commits_alone_name_the_handoff_that_tells_of_them(hooks: Hooks, shop: Path) -> None:
    """Where nothing was asked, its title is the first commit and not a hash."""
    there: dict[str, Any] = {"cwd": str(shop), "branch": MAIN}
    hooks.start(head=git(shop, "rev-parse", "HEAD"), **there)
    git(shop, "commit", "-q", "--allow-empty", "-m", "cart: begin")
    hooks.end(**there)
    hooks.drain()

    (handoff,) = hooks.handoffs()
    with hooks.desk.store.read() as tx:
        item = tx.items.get(handoff.item)
    assert item is not None
    assert item.content.title.endswith(
        f"on main: {git(shop, 'rev-parse', 'HEAD')[:10]} cart: begin"
    )


def test_one_whose_claimer_fell_silent_gives_way_to_a_newer_one(hooks: Hooks) -> None:
    """Once the lease ran out, and not while it holds."""
    worked(hooks, "a", "first")
    (given,) = hooks.handoffs()
    hooks.start("b")
    hooks.tell(
        "delivery",
        "b",
        occasion="session_start",
        handoff=given.item,
        shown=[[given.item, 1, 1, 0.5, 9]],
    )
    hooks.prompt("second", "b", branch=MAIN)
    hooks.drain()
    worked(hooks, "c", "third")
    held = {row.next: row.status for row in hooks.handoffs()}
    hooks.desk.clock.advance(LEASE)
    worked(hooks, "d", "fourth")

    assert held == {"Last asked: first": "claimed", "Last asked: third": "open"}
    assert {row.next: row.status for row in hooks.handoffs()} == {
        "Last asked: first": "replaced",
        "Last asked: third": "replaced",
        "Last asked: fourth": "open",
    }


def test_a_question_in_passing_leaves_one_whose_claimer_fell_silent(hooks: Hooks) -> None:
    """It tells of more than the one question; it is free again."""
    hooks.start("work")
    hooks.prompt("Add a cart", "work")
    hooks.prompt("Now the till", "work")
    hooks.end("work")
    hooks.drain()
    (given,) = hooks.handoffs("open")
    hooks.desk.do(Settle(item=given.item, action="claim"), hooks.desk.ada)
    hooks.desk.clock.advance(LEASE)
    worked(hooks, "passing", "What is a till?")

    (row,) = hooks.handoffs()
    assert (row.item, row.status) == (given.item, "claimed")


def test_nothing_done_is_nothing_to_hand_over(hooks: Hooks) -> None:
    """No prompt and no commit, or no repository: the session is closed all the same."""
    hooks.start("idle")
    hooks.end("idle")
    worked(hooks, "nowhere", repo="", branch="")

    assert hooks.handoffs() == []
    assert hooks.session("idle").ended_at is not None
    assert hooks.session("nowhere").ended_at is not None


def test_another_repositorys_facts_are_not_told(hooks: Hooks, shop: Path) -> None:
    """A folder that is a checkout of something else lends nothing to the handoff."""
    git(shop, "remote", "set-url", "origin", "https://github.com/acme/secret.git")
    (shop / "private.txt").write_text("x", encoding="utf-8")
    worked(hooks, cwd=str(shop))

    (handoff,) = hooks.handoffs()
    assert (handoff.head, dict(handoff.dirty), handoff.state) == ("", {}, "")
    assert handoff.next == "Last asked: Add a cart"


def test_the_agents_own_handoff_takes_the_automatic_ones_place(hooks: Hooks) -> None:
    """Written during the session, it is the only one after the end."""
    hooks.start()
    hooks.prompt("Add a cart")
    hooks.drain()
    hooks.desk.do(HandOff(next="Wire the cart to the till"), hooks.desk.agent("claude-code", "a"))
    hooks.end()
    hooks.drain()

    (handoff,) = hooks.handoffs("open", "claimed")
    assert (handoff.automatic, handoff.next) == (False, "Wire the cart to the till")


def test_an_own_handoff_after_the_end_replaces_the_automatic_one(hooks: Hooks) -> None:
    """Whichever came first, the agent's own stands."""
    worked(hooks)
    hooks.desk.do(HandOff(next="Wire the cart to the till"), hooks.desk.agent("claude-code", "a"))

    assert [row.automatic for row in hooks.handoffs("open")] == [False]
    assert [row.automatic for row in hooks.handoffs("replaced")] == [True]


def test_a_newer_automatic_one_replaces_the_older_of_its_branch(hooks: Hooks) -> None:
    """Another branch's stays, and so does an agent's own."""
    worked(hooks, "other", branch=MAIN)
    worked(hooks, "older", "first")
    hooks.desk.do(HandOff(next="Own words"), hooks.desk.agent("codex", "s1"))
    worked(hooks, "newer", "second")

    by_session = {row.next: row.status for row in hooks.handoffs()}
    assert by_session == {
        "Last asked: Add a cart": "open",
        "Last asked: first": "replaced",
        "Own words": "open",
        "Last asked: second": "open",
    }
    (replaced,) = hooks.handoffs("replaced")
    with hooks.desk.store.read() as tx:
        item = tx.items.get(replaced.item)
        codes = [event.code for event in tx.events.of(replaced.item)]
    assert item is not None
    assert item.status == "archived"
    assert codes[-1] == "handoff.replaced"


def test_a_run_without_a_person_does_not_displace_a_persons_session(hooks: Hooks) -> None:
    """A script's stands beside it, is offered after it, and gives way to the next of its kind."""
    worked(hooks, "person", "by hand")
    worked(hooks, "script", "by script", headless=True, alone=True)
    worked(hooks, "again", "by script again", headless=True, alone=True)

    assert {row.next for row in hooks.handoffs("open")} == {
        "Last asked: by hand",
        "Last asked: by script again",
    }
    with hooks.desk.store.read() as tx:
        offered = tx.shelf.open_handoffs(REPO, BRANCH, now=hooks.desk.clock.now(), limit=5)
    assert [item.title.rpartition(": ")[2] for item, *_ in offered] == [
        "by hand",
        "by script again",
    ]


def test_of_sessions_that_are_gone_at_once_the_latest_hands_over(hooks: Hooks) -> None:
    """After a crash of everything it does not matter in which order they are found."""
    gone: dict[str, Any] = {"pid": 2**30, "pid_started": 5}
    hooks.start("late", **gone)
    hooks.start("early", pid=2**30 + 1, pid_started=6)
    hooks.prompt("early words", "early", pid=2**30 + 1, pid_started=6)
    hooks.prompt("late words", "late", **gone)
    hooks.drain()

    assert [row.next for row in hooks.handoffs("open")] == ["Last asked: late words"]


def test_a_session_that_goes_on_is_closed_again_at_its_next_end(hooks: Hooks) -> None:
    """The second end has a handoff of its own, in the first one's place."""
    worked(hooks, "a", "first")
    hooks.start("a", "resume")
    hooks.prompt("second", "a")
    hooks.end("a")
    hooks.drain()

    assert [(row.next, row.done) for row in hooks.handoffs("open")] == [
        ("First asked: first\nLast asked: second", "")
    ]
    assert len(hooks.handoffs("replaced")) == 1


def test_what_it_took_over_gives_way_to_what_it_hands_over(hooks: Hooks) -> None:
    """An automatic handoff that a session claimed is not offered again beside its own."""
    worked(hooks, "a", "first")
    (given,) = hooks.handoffs()
    hooks.start("b")
    hooks.tell(
        "delivery",
        "b",
        occasion="session_start",
        handoff=given.item,
        shown=[[given.item, 1, 1, 0.5, 9]],
    )
    hooks.prompt("second", "b")
    hooks.drain()
    assert [row.status for row in hooks.handoffs()] == ["claimed"]
    hooks.end("b")
    hooks.drain()

    assert {row.next: row.status for row in hooks.handoffs()} == {
        "Last asked: first": "replaced",
        "Last asked: second": "open",
    }


def test_an_open_handoff_lapses_after_two_weeks(hooks: Hooks) -> None:
    """Not a day earlier; whoever drains finds it."""
    worked(hooks)
    hooks.desk.clock.advance(13 * DAY)
    hooks.drain()
    assert [row.status for row in hooks.handoffs()] == ["open"]
    hooks.desk.clock.advance(DAY)
    hooks.drain()

    assert [row.status for row in hooks.handoffs()] == ["expired"]


def test_saving_off_hands_nothing_over(hooks: Hooks) -> None:
    """A person who switched learning off gets no automatic handoffs either."""
    hooks.desk.do(Set(name="saving", value="off"), hooks.desk.ada_typed)
    worked(hooks)

    assert hooks.handoffs() == []
    assert hooks.session().ended_at is not None


def test_secrets_in_commits_and_file_names_are_not_kept(hooks: Hooks, shop: Path) -> None:
    """Neither in the session's row nor in the handoff."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    there: dict[str, Any] = {"cwd": str(shop), "branch": MAIN}
    hooks.start(head=git(shop, "rev-parse", "HEAD"), **there)
    (shop / f"{secret}.txt").write_text("x", encoding="utf-8")
    git(shop, "commit", "-q", "--allow-empty", "-m", f"till: use {secret}")
    hooks.prompt("x" * 195 + f" {secret}", **there)
    hooks.end(**there)
    hooks.drain()

    (handoff,) = hooks.handoffs()
    with hooks.desk.store.read() as tx:
        item = tx.items.get(handoff.item)
    kept = repr((hooks.session(), handoff, item))
    assert "till: use" in kept
    assert secret[:16] not in kept


def test_a_reader_of_the_place_is_who_the_handoff_is_for(hooks: Hooks) -> None:
    """It is offered where the session worked, and nowhere else."""
    worked(hooks)
    with hooks.desk.store.read() as tx:
        here = tx.shelf.open_handoffs(REPO, BRANCH, now=hooks.desk.clock.now(), limit=5)
        elsewhere = tx.shelf.open_handoffs(
            "repo:github.com/acme/other", BRANCH, now=hooks.desk.clock.now(), limit=5
        )

    assert [(row[1], row[2]) for row in here] == [("claude-code", "")]
    assert elsewhere == []
    assert [row.branch for row in hooks.handoffs()] == [BRANCH]


def test_a_question_in_passing_does_not_take_a_better_ones_place(hooks: Hooks) -> None:
    """It asked once and changed nothing; what it had claimed is free for the next one at once."""
    hooks.start("work")
    hooks.prompt("Add a cart", "work")
    hooks.prompt("Now the till", "work")
    hooks.end("work")
    hooks.drain()
    (given,) = hooks.handoffs("open")
    hooks.start("passing")
    hooks.tell(
        "delivery",
        "passing",
        occasion="session_start",
        handoff=given.item,
        shown=[[given.item, 1, 1, 0.5, 9]],
    )
    hooks.prompt("What is a till?", "passing")
    hooks.drain()
    assert [row.status for row in hooks.handoffs()] == ["claimed"]
    hooks.end("passing")
    hooks.drain()

    (row,) = hooks.handoffs()
    assert (row.item, row.status, row.claimed_by) == (given.item, "open", "")
    hooks.start("more")
    hooks.prompt("Mend the gate", "more")
    hooks.prompt("And the fence", "more")
    hooks.end("more")
    hooks.drain()
    asked = ["First asked: Mend the gate\nLast asked: And the fence"]
    assert [row.next for row in hooks.handoffs("open")] == asked


def test_one_question_that_left_something_behind_is_handed_over(hooks: Hooks, shop: Path) -> None:
    """An uncommitted file is work, however little was asked for it."""
    there: dict[str, Any] = {"cwd": str(shop), "branch": MAIN}
    hooks.start("work", **there)
    hooks.prompt("Add a cart", "work", **there)
    hooks.prompt("Now the till", "work", **there)
    hooks.end("work", **there)
    hooks.drain()
    hooks.start("next", **there)
    hooks.prompt("Write it", "next", **there)
    (shop / "till.py").write_text("TILL = {}\n", encoding="utf-8")
    hooks.end("next", **there)
    hooks.drain()

    assert [row.next for row in hooks.handoffs("open")] == ["Last asked: Write it"]


def test_recall_leaves_automatic_handoffs_to_who_asks_for_them(hooks: Hooks) -> None:
    """By kind, or by a question about handoffs; what an agent wrote itself is found as ever."""
    worked(hooks, "a", "Paint the harbour gate")
    own = hooks.desk.do(
        HandOff(next="The harbour gate wants a second coat"), hooks.desk.agent("codex", "s1")
    )
    assert own.item is not None

    def found(query: str, *kinds: str) -> set[bool]:
        hits = hooks.desk.memory.recall(query, hooks.desk.ada, kinds=kinds).hits
        return {hit.item.id == own.item.id for hit in hits}  # type: ignore[union-attr]

    assert found("harbour gate") == {True}
    assert found("harbour gate", "handoff") == {True, False}
    assert found("handoff about the harbour gate") == {True, False}


def test_a_worktree_hands_over_its_own_branch_and_files(
    hooks: Hooks, shop: Path, tmp_path: Path
) -> None:
    """It is the same repository, and what lies open in the main checkout is not its work."""
    other = tmp_path / "shop-cart"
    git(shop, "worktree", "add", "-q", "-b", "cart", str(other))
    (shop / "main.py").write_text("MAIN = 1\n", encoding="utf-8")
    (other / "cart.py").write_text("CART = []\n", encoding="utf-8")
    branch = "branch:github.com/acme/shop@cart"
    there: dict[str, Any] = {"cwd": str(other), "branch": branch}
    hooks.start(head=git(other, "rev-parse", "HEAD"), **there)
    hooks.prompt("Add a cart", **there)
    hooks.end(**there)
    hooks.drain()

    (row,) = hooks.handoffs("open")
    assert (row.repo, row.branch) == (REPO, branch)
    assert list(row.dirty) == ["cart.py"]


def test_a_session_is_busy_from_a_prompt_to_its_stop(hooks: Hooks) -> None:
    """A subagent's events and a compaction say nothing of whose turn it is."""
    seen: list[bool] = []
    for event, more in (
        ("session_start", {"source": "startup"}),
        ("prompt", {"prompt": "Add a cart", "human": True}),
        ("session_start", {"source": "compact"}),
        ("stop", {"agent_id": "helper"}),
        ("stop", {}),
        ("prompt", {"prompt": "<task-notification>"}),
        ("interrupt", {}),
    ):
        hooks.tell(event, **more)
        hooks.drain()
        seen.append(hooks.session().busy)

    assert seen == [False, True, True, True, False, True, False]


def committed(hooks: Hooks, shop: Path, subject: str) -> dict[str, Any]:
    """A session that made one commit and is still open; where it stands."""
    there: dict[str, Any] = {"cwd": str(shop), "branch": MAIN, "transcript": "/a.jsonl"}
    hooks.start(head=git(shop, "rev-parse", "HEAD"), **there)
    hooks.prompt("Add a cart", **there)
    (shop / "cart.py").write_text("CART = []\n", encoding="utf-8")
    git(shop, "add", ".")
    git(shop, "commit", "-q", "-m", subject)
    return there


def test_a_forgotten_session_is_not_closed(hooks: Hooks, shop: Path) -> None:
    """Whatever was owed of it: no commits, no handoff; its row says that it ended."""
    there = committed(hooks, shop, "cart: begin")
    hooks.end(**there)
    hooks.intake.drain(close=False)
    hooks.desk.do(ForgetSource(source=hooks.session().id), hooks.desk.ada_typed)
    with hooks.desk.store.read() as tx:
        assert tx.outbox.due("close") == []
    hooks.drain()

    row = hooks.session()
    assert row.ended_at is not None
    assert (row.first_prompt, row.commits, row.diff_stat, row.transcript) == ("", (), "", "")
    assert hooks.handoffs() == []


def test_a_forgotten_session_that_goes_on_stays_forgotten(hooks: Hooks, shop: Path) -> None:
    """Nothing more that it was asked is kept, nor where its transcript lies; others are kept."""
    there = committed(hooks, shop, "cart: begin")
    hooks.intake.drain(close=False)
    hooks.desk.do(ForgetSource(source=hooks.session().id), hooks.desk.ada_typed)
    hooks.prompt("Add a till", **there)
    hooks.end(**there)
    hooks.prompt("Add a shelf", "other", **there)
    hooks.drain()

    row = hooks.session()
    assert (row.first_prompt, row.last_prompt, row.commits, row.transcript) == ("", "", (), "")
    assert row.ended_at is not None
    assert hooks.handoffs() == []
    assert hooks.session("other").last_prompt == "Add a shelf"


def test_a_session_that_is_forgotten_while_it_is_closed_is_not_handed_over(hooks: Hooks) -> None:
    """Git is asked outside of the transaction, so somebody can forget it meanwhile."""
    hooks.start()
    hooks.prompt("Add a cart")
    hooks.drain()
    row = hooks.session()
    hooks.desk.do(ForgetSource(source=row.id), hooks.desk.ada_typed)
    itself = Principal(writer="system", channel="hook", agent="claude-code", session=row.id)
    caller = Caller(principal=itself, place=Place(cwd=row.cwd, repo=REPO, branch=MAIN))

    with pytest.raises(Clash):
        hooks.desk.do(HandOff(next="Last asked: Add a cart", automatic=True), caller)
    assert hooks.handoffs() == []


def test_a_commit_that_carried_what_was_forgotten_does_not_come_back(
    hooks: Hooks, shop: Path
) -> None:
    """The session's end names the commits that came after, and no earlier one."""
    said = "The harbour horn drifts by an hour"
    there = committed(hooks, shop, said)
    hooks.end(**there)
    hooks.drain()
    assert said in hooks.session().commits[0]
    item = id_of(hooks.desk.remember(said, hooks.desk.ada, scope="repo"))
    hooks.desk.do(Forget(item=item), hooks.desk.ada_typed)
    hooks.prompt("Now the till", head=git(shop, "rev-parse", "HEAD"), **there)
    (shop / "till.py").write_text("TILL = {}\n", encoding="utf-8")
    git(shop, "add", ".")
    git(shop, "commit", "-q", "-m", "till: begin")
    hooks.end(**there)
    hooks.drain()

    assert [commit[11:] for commit in hooks.session().commits] == ["till: begin"]
    assert said not in hooks.handoffs("open")[0].done
