"""Who may do what, where: authority follows the channel, never the payload."""

from __future__ import annotations

from dataclasses import replace

import pytest

from onrecord.domain.event import Event
from onrecord.domain.item import Content, Item, Version, Where
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.policy import authority

REPO = "repo:github.com/acme/shop"
BRANCH = "branch:github.com/acme/shop@feature"
MAIN = "branch:github.com/acme/shop@main"

ADA = Principal.person("ada", channel="terminal")
TYPED = replace(ADA, confirmed=True)
AGENT = Principal.for_agent("codex", session="01S", channel="mcp")
HEADLESS = replace(AGENT, headless=True)
ALL = ("session", "agent", "branch", "project", "repo", "global")


def place(**given: object) -> Place:
    """A checkout of the shop on a feature branch."""
    some: dict[str, object] = {
        "cwd": "/src/shop",
        "repo": REPO,
        "branch": BRANCH,
        "main_branch": False,
        "project": "project:fares",
        "workstream": "workstream:autumn",
        "agent": "agent:codex",
        "session": "session:codex:s1",
    }
    return Place(**{**some, **given})  # type: ignore[arg-type]


def named(kind: str) -> str:
    """The scope of a kind in that place."""
    return str(getattr(place(), kind, None) or "global")


def item(scope: str = REPO, by: Principal = AGENT, **given: object) -> Item:
    """An item written in that checkout."""
    repo = str(given.pop("repo", REPO))
    head = Version(
        item="i",
        n=1,
        content=Content(title="t"),
        recorded_at=1,
        author=by,
        where=Where(repo=repo),
    )
    some: dict[str, object] = {"id": "i", "scope": scope, "created_at": 1, "head": head}
    return Item(**{**some, **given})  # type: ignore[arg-type]


# -- scopes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "private"),
    [
        ("session:codex:s1", True),
        ("session:codex:01S", True),
        ("session:codex:other", False),
        ("session:claude-code:s1", False),
        ("agent:codex", True),
        ("agent:claude-code", False),
        (BRANCH, True),
        (MAIN, False),
        ("project:fares", True),
        ("project:other", False),
        ("workstream:autumn", True),
        (REPO, False),
        ("workspace:w", False),
        ("org:acme", False),
        ("global", False),
    ],
)
def test_private_is_the_callers_own_working_ground(scope: str, *, private: bool) -> None:
    """Own session, own agent; branch, project and workstream of the place it is in."""
    assert authority.is_private(scope, AGENT, place()) == private


def test_the_default_branch_is_never_private() -> None:
    """Everyone works from it."""
    on_main = place(branch=MAIN, main_branch=True)

    assert not authority.is_private(MAIN, AGENT, on_main)


@pytest.mark.parametrize("kind", ["branch", "project", "workstream"])
def test_with_several_users_those_are_shared(kind: str) -> None:
    """On a server only session and agent are private."""
    scope = named(kind)

    assert not authority.is_private(scope, AGENT, place(), single_user=False)
    assert authority.is_private("agent:codex", AGENT, place(), single_user=False)


@pytest.mark.parametrize("scope", ["agent:claude-code", "session:codex:other", "session:x:s1"])
def test_another_agents_scope_is_refused(scope: str) -> None:
    """`agent:` and `session:` belong to the caller that the channel proves."""
    ruling = authority.rule_on_scope(scope, AGENT, place())

    assert (ruling.verdict, ruling.rule) == ("refuse", "authority.foreign_scope")
    assert authority.rule_on_scope(scope, ADA, place()).verdict == "allow"


@pytest.mark.parametrize("scope", ["repo:github.com/acme/depot", MAIN, "project:x", "org:acme"])
def test_a_scope_argument_never_widens(scope: str) -> None:
    """Outside of the ladder is outside; a person may name any."""
    ruling = authority.rule_on_reach(scope, AGENT, place())

    assert (ruling.verdict, ruling.rule) == ("refuse", "authority.outside_scope")
    assert authority.rule_on_reach(scope, ADA, place()).verdict == "allow"


@pytest.mark.parametrize("scope", ALL)
def test_every_scope_of_the_ladder_may_be_named(scope: str) -> None:
    """Positive control."""
    assert authority.rule_on_reach(named(scope), AGENT, place()).verdict == "allow"


# -- writing ----------------------------------------------------------------------


#: writer -> what its statement becomes in private and in shared scopes
WRITERS = [
    (ADA, "allow", "allow"),
    (AGENT, "allow", "propose"),
    (HEADLESS, "propose", "propose"),
    (Principal(writer="webhook", channel="webhook"), "propose", "propose"),
    (Principal(writer="summariser", channel="summariser"), "propose", "propose"),
    (Principal(writer="import", channel="import"), "propose", "propose"),
    (Principal(writer="system", channel="system"), "allow", "allow"),
]
PRIVATE = ("session", "agent", "branch", "project")
#: only persons and agents can name an agent's own scopes
STATEMENTS = [
    (scope, writer, private if scope in PRIVATE else shared)
    for writer, private, shared in WRITERS
    for scope in ALL
    if writer.writer in ("person", "agent") or scope not in ("session", "agent")
]


@pytest.mark.parametrize(("scope", "writer", "verdict"), STATEMENTS)
def test_what_a_writers_statement_becomes(scope: str, writer: Principal, verdict: str) -> None:
    """The table of the product, whole."""
    assert authority.rule_on_write(named(scope), "note", writer, place()).verdict == verdict


def test_a_projects_files_are_active_in_their_project() -> None:
    """In a repository that a person enabled, nowhere else."""
    files = Principal(writer="file", channel="file")

    assert authority.rule_on_write(REPO, "note", files, place()).verdict == "allow"
    assert authority.rule_on_write("global", "note", files, place()).verdict == "propose"


def test_a_client_that_says_no_place_only_reads() -> None:
    """Nothing can be told of whom a change would reach."""
    nowhere = place(cwd="", repo=None, branch=None, project=None, workstream=None)

    assert authority.rule_on_place(AGENT, nowhere).rule == "authority.nowhere"
    assert authority.rule_on_write("global", "note", AGENT, nowhere).verdict == "refuse"
    assert authority.rule_on_place(AGENT, place()).verdict == "allow"


@pytest.mark.parametrize("writer", [AGENT, HEADLESS, Principal(writer="import", channel="import")])
def test_a_rule_is_a_persons_with_a_typed_key(writer: Principal) -> None:
    """In any scope, private ones included."""
    for scope in (REPO, "global"):
        assert authority.rule_on_write(scope, "rule", writer, place()).verdict == "refuse"
    assert authority.rule_on_write(REPO, "rule", ADA, place()).rule.endswith("needs_key")
    assert authority.rule_on_write(REPO, "rule", TYPED, place()).verdict == "allow"


# -- what only persons do -------------------------------------------------------------


@pytest.mark.parametrize("action", sorted(authority.PERSONAL))
def test_personal_actions(action: str) -> None:
    """No agent; a person, and with a typed key where that is wanted."""
    assert authority.rule_on_personal(action, AGENT).rule == f"authority.{action}_needs_person"
    untyped = authority.rule_on_personal(action, ADA)
    wanted = action in authority.CONFIRMED
    assert (untyped.verdict, untyped.rule.endswith("needs_key")) == (
        "refuse" if wanted else "allow",
        wanted,
    )
    assert authority.rule_on_personal(action, TYPED).verdict == "allow"


def test_the_actions_that_want_a_typed_key_are_those_of_the_model() -> None:
    """Approving, verifying, rules, policy, override, undoing a rejection, purging."""
    assert {
        "purge",
        "approve",
        "verify",
        "rule",
        "policy",
        "override",
        "reconcile",
        "undo_reject",
    } == authority.CONFIRMED


@pytest.mark.parametrize("channel", ["mcp", "hook", "python", "terminal", "rest", "import"])
def test_no_channel_makes_an_agent_a_person(channel: str) -> None:
    """Not even with a key that was "typed" and a user's name."""
    claimed = replace(AGENT, channel=channel, confirmed=True, user="ada", role="owner")

    for action in authority.PERSONAL:
        assert authority.rule_on_personal(action, claimed).verdict == "refuse"


# -- changing what exists ---------------------------------------------------------------


@pytest.mark.parametrize("action", ["revise", "archive", "forget", "dispute", "stale"])
def test_an_agents_own_unreviewed_private_note_is_its_own(action: str) -> None:
    """It may do all of these."""
    own = item("session:codex:s1", status="active")

    assert authority.rule_on_item(action, own, AGENT, place()).verdict == "allow"


@pytest.mark.parametrize(
    "other",
    [
        item(by=ADA, status="active"),
        item(by=Principal.for_agent("claude-code"), status="active"),
        item(status="active", verification="verified"),
        item("agent:codex", status="active", repo="repo:github.com/acme/depot"),
    ],
    ids=["a person's", "another agent's", "verified", "of another repository"],
)
@pytest.mark.parametrize(
    ("action", "verdict"),
    [
        ("revise", "propose"),
        ("forget", "propose"),
        ("dispute", "propose"),
        ("stale", "propose"),
        ("archive", "refuse"),
    ],
)
def test_elsewhere_an_agent_may_only_ask(other: Item, action: str, verdict: str) -> None:
    """Change, erasing and doubt are proposals; putting away is refused."""
    assert authority.rule_on_item(action, other, AGENT, place()).verdict == verdict


def test_an_agents_own_proposal_is_worded_anew_and_withdrawn_but_not_erased() -> None:
    """Erasing would leave a tombstone in a shared scope."""
    own = item(status="proposed")
    verdicts = {
        action: authority.rule_on_item(action, own, AGENT, place()).verdict
        for action in ("revise", "archive", "forget")
    }

    assert verdicts == {"revise": "allow", "archive": "allow", "forget": "propose"}


@pytest.mark.parametrize("action", ["revise", "forget", "dispute", "archive"])
def test_a_headless_session_changes_nothing_by_itself(action: str) -> None:
    """Not even its own notes."""
    own = item("session:codex:s1", HEADLESS, status="active")

    assert authority.rule_on_item(action, own, HEADLESS, place()).verdict != "allow"


def test_a_person_changes_anything_and_types_a_key_to_forget_anothers() -> None:
    """Their own goes on their word."""
    theirs, own = item(status="active"), item(by=ADA, status="active")

    assert authority.rule_on_item("revise", theirs, ADA, place()).verdict == "allow"
    assert authority.rule_on_item("forget", own, ADA, place()).verdict == "allow"
    untyped = authority.rule_on_item("forget", theirs, ADA, place())
    assert untyped.rule == "authority.forget_needs_key"
    assert authority.rule_on_item("forget", theirs, TYPED, place()).verdict == "allow"


@pytest.mark.parametrize("action", ["revise", "archive", "forget", "dispute", "pin"])
def test_a_rule_item_wants_a_person_with_a_key_for_everything(action: str) -> None:
    """Whoever wrote it."""
    rule = item(by=ADA, status="active", kind="rule")

    assert authority.rule_on_item(action, rule, AGENT, place()).verdict == "refuse"
    assert authority.rule_on_item(action, rule, ADA, place()).verdict == "refuse"
    assert authority.rule_on_item(action, rule, TYPED, place()).verdict == "allow"


@pytest.mark.parametrize("scope", ["agent:claude-code", "session:codex:other"])
def test_an_item_of_another_agents_scope_is_out_of_reach(scope: str) -> None:
    """Whatever is asked."""
    ruling = authority.rule_on_item("revise", item(scope), AGENT, place())

    assert ruling.rule == "authority.foreign_scope"


# -- undo --------------------------------------------------------------------------------


def made(by: Principal = AGENT) -> Event:
    """An event of that party."""
    return Event(seq=1, at=1, by=by, action="created", target="i")


@pytest.mark.parametrize(
    ("event", "target", "caller", "verdict"),
    [
        (made(), item("session:codex:s1"), AGENT, "allow"),
        (made(), item(REPO), AGENT, "refuse"),
        (made(replace(AGENT, session="02S")), item("agent:codex"), AGENT, "refuse"),
        (made(ADA), item("agent:codex"), AGENT, "refuse"),
        (made(HEADLESS), item("session:codex:s1"), HEADLESS, "refuse"),
        (made(), item(REPO), ADA, "allow"),
        (made(ADA), item(kind="rule"), ADA, "refuse"),
        (made(ADA), item(kind="rule"), TYPED, "allow"),
    ],
)
def test_undo_is_for_persons_and_for_an_agents_own_private_change(
    event: Event, target: Item, caller: Principal, verdict: str
) -> None:
    """Rules want the key."""
    assert authority.rule_on_undo(event, target, "", caller, place()).verdict == verdict


@pytest.mark.parametrize("effect", ["undo_reject", "approve", "verify"])
def test_an_undo_that_amounts_to_more_wants_what_that_wants(effect: str) -> None:
    """The key is typed for what happens, not for what it is called."""
    own = made(ADA)

    assert authority.rule_on_undo(own, item(), effect, ADA, place()).rule.endswith("needs_key")
    assert authority.rule_on_undo(own, item(), effect, TYPED, place()).verdict == "allow"
    assert authority.rule_on_undo(own, item(), effect, AGENT, place()).verdict == "refuse"
