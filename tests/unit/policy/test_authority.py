"""Who may do what, where: the whole table, principal by principal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from onrecord.domain.item import Item, Where
from onrecord.domain.principal import WRITERS, Principal
from onrecord.domain.scope import Place
from onrecord.policy import authority
from onrecord.policy.authority import CONFIRMED, PERSONAL
from onrecord.testing.builders import Maker

REPO = "repo:github.com/acme/shop"
BRANCH = "branch:github.com/acme/shop@feat"
OWN, OTHER = "agent:codex", "agent:claude-code"
SESSION = "session:codex:7"
HERE = Place(
    cwd="/home/ada/shop",
    repo=REPO,
    branch=BRANCH,
    main_branch=False,
    project="project:shop",
    agent=OWN,
    session=SESSION,
)
ON_MAIN = Place(cwd="/home/ada/shop", repo=REPO, branch=BRANCH, main_branch=True, agent=OWN)

ADA = Principal.person("ada", channel="terminal")
TYPED = replace(ADA, confirmed=True)
CODEX = Principal.for_agent("codex", channel="mcp", session="01S", user="ada")
ALONE = replace(CODEX, headless=True)
CLAUDE = Principal.for_agent("claude-code", channel="mcp", session="01T", user="ada")
OUTSIDERS = [Principal(writer=w, channel=w) for w in ("import", "webhook", "summariser")]


def item(scope: str = BRANCH, author: Principal = CODEX, **given: Any) -> Item:
    """An unreviewed item, written in the shop's repository."""
    return Maker().item("Use pnpm", scope=scope, author=author, where=Where(repo=REPO), **given)


@pytest.mark.parametrize("writer", [name for name in WRITERS if name != "person"])
@pytest.mark.parametrize("action", sorted(PERSONAL))
def test_personal_actions_are_for_persons(action: str, writer: str) -> None:
    """No other writer takes one, whatever it says of itself; the sentence names the way."""
    by = Principal(writer=writer, channel="terminal", user="ada", confirmed=True)
    ruling = authority.rule_on_personal(action, by)

    assert (ruling.verdict, ruling.rule) == ("refuse", f"authority.{action}_needs_person")
    assert "in their own terminal" in ruling.say


@pytest.mark.parametrize("action", sorted(PERSONAL))
def test_the_weightiest_want_a_typed_key(action: str) -> None:
    """A person alone is enough for the others."""
    bare = authority.rule_on_personal(action, ADA)

    assert authority.rule_on_personal(action, TYPED) == authority.ALLOW
    if action in CONFIRMED:
        assert (bare.verdict, bare.rule) == ("refuse", f"authority.{action}_needs_key")
    else:
        assert bare == authority.ALLOW


@pytest.mark.parametrize(
    ("scope", "place", "private"),
    [
        (SESSION, HERE, True),
        ("session:codex:01S", HERE, True),
        ("session:codex:8", HERE, False),
        ("session:claude-code:7", HERE, False),
        (OWN, HERE, True),
        (OTHER, HERE, False),
        (BRANCH, HERE, True),
        (BRANCH, ON_MAIN, False),
        ("branch:github.com/acme/shop@other", HERE, False),
        ("project:shop", HERE, True),
        ("project:other", HERE, False),
        ("workstream:shop", HERE, False),
        (REPO, HERE, False),
        ("org:acme", HERE, False),
        ("workspace:till", HERE, False),
        ("global", HERE, False),
    ],
)
def test_an_agents_own_ground(scope: str, place: Place, *, private: bool) -> None:
    """Its session, itself, the side branch and project it works in; with others about, less."""
    assert authority.is_private(scope, CODEX, place) is private
    alone = authority.is_private(scope, CODEX, place, single_user=False)
    assert alone is (private and scope.startswith(("session:", "agent:")))


@pytest.mark.parametrize("scope", [OWN, SESSION, "agent:", "session:codex:"])
def test_who_is_no_agent_owns_no_agents_scope(scope: str) -> None:
    """An empty name fits no scope, a person's neither."""
    for by in (ADA, *OUTSIDERS, Principal(writer="agent", channel="python")):
        assert authority.owns(scope, by, Place()) is False


@pytest.mark.parametrize(
    ("by", "scope", "verdict", "rule"),
    [
        (ADA, "global", "allow", ""),
        (ADA, OTHER, "allow", ""),
        (CODEX, OWN, "allow", ""),
        (CODEX, SESSION, "allow", ""),
        (CODEX, BRANCH, "allow", ""),
        (CODEX, REPO, "propose", "shared_scope"),
        (CODEX, "global", "propose", "shared_scope"),
        (CODEX, OTHER, "refuse", "foreign_scope"),
        (CODEX, "session:claude-code:7", "refuse", "foreign_scope"),
        (CODEX, "repo:github.com/acme/other", "refuse", "outside_scope"),
        (CODEX, "project:other", "refuse", "outside_scope"),
        (ALONE, BRANCH, "propose", "headless"),
        (ALONE, OWN, "propose", "headless"),
        (ALONE, "project:other", "refuse", "outside_scope"),
        *((by, BRANCH, "propose", "outside_writer") for by in OUTSIDERS),
        *((by, OWN, "refuse", "foreign_scope") for by in OUTSIDERS),
        (Principal(writer="file", channel="file"), REPO, "allow", ""),
        (Principal(writer="file", channel="file"), "project:shop", "allow", ""),
        (Principal(writer="file", channel="file"), "global", "propose", "outside_writer"),
        (Principal(writer="system", channel="system"), "global", "allow", ""),
    ],
)
def test_a_new_statement(by: Principal, scope: str, verdict: str, rule: str) -> None:
    """Active on the writer's own ground, proposed where others read, refused beyond its reach."""
    ruling = authority.rule_on_write(scope, "note", by, HERE)

    assert (ruling.verdict, ruling.rule) == (verdict, f"authority.{rule}" if rule else "")
    assert bool(ruling.say) is (verdict == "refuse")


def test_a_rule_is_a_persons_wherever_it_stands() -> None:
    """An agent's own ground makes no difference, nor whose item it is."""
    for scope in (OWN, BRANCH, REPO):
        own = item(scope, kind="rule")
        for ruling in (
            authority.rule_on_write(scope, "rule", CODEX, HERE),
            authority.rule_on_item("revise", own, CODEX, HERE),
            authority.rule_on_undo(Maker().event(by=CODEX), own, "", CODEX, HERE),
        ):
            assert ruling.rule == "authority.rule_needs_person"
    assert authority.rule_on_write("global", "rule", ADA, HERE).rule == "authority.rule_needs_key"
    assert authority.rule_on_write("global", "rule", TYPED, HERE) == authority.ALLOW


def test_a_client_that_says_no_place_changes_nothing() -> None:
    """It has none of its own ground either; other channels always know where they are."""
    nowhere = Place(agent=OWN, session=SESSION)
    for by, verdict in ((CODEX, "refuse"), (replace(CODEX, channel="hook"), "allow")):
        assert authority.rule_on_place(by, nowhere).verdict == verdict
        assert authority.rule_on_write(OWN, "note", by, nowhere).verdict == verdict
    assert authority.rule_on_write(OWN, "note", CODEX, nowhere).rule == "authority.nowhere"


@pytest.mark.parametrize(
    ("action", "of", "by", "verdict", "rule"),
    [
        # its own unreviewed note on its own ground
        *((action, {}, CODEX, "allow", "") for action in ("revise", "archive", "forget")),
        ("revise", {"scope": OWN}, CODEX, "allow", ""),
        ("revise", {"verification": "corroborated"}, CODEX, "allow", ""),
        # … reviewed, disputed, somebody else's, or with nobody at the session
        ("revise", {"verification": "verified"}, CODEX, "propose", "not_your_own"),
        ("revise", {"verification": "disputed"}, CODEX, "propose", "not_your_own"),
        ("archive", {"verification": "verified"}, CODEX, "refuse", "not_your_own"),
        ("revise", {"author": CLAUDE}, CODEX, "propose", "not_your_own"),
        ("revise", {"author": ADA}, CODEX, "propose", "not_your_own"),
        ("archive", {"author": ADA}, CODEX, "refuse", "not_your_own"),
        ("revise", {}, ALONE, "propose", "not_your_own"),
        ("archive", {}, ALONE, "refuse", "not_your_own"),
        # its own proposal, which others read once it is approved
        ("revise", {"scope": REPO, "status": "proposed"}, CODEX, "allow", ""),
        ("archive", {"scope": REPO, "status": "proposed"}, CODEX, "allow", ""),
        ("forget", {"scope": REPO, "status": "proposed"}, CODEX, "propose", "not_your_own"),
        # shared
        *((a, {"scope": REPO}, CODEX, "propose", "not_your_own") for a in ("revise", "dispute")),
        ("archive", {"scope": REPO}, CODEX, "refuse", "not_your_own"),
        # another agent's ground
        ("revise", {"scope": OTHER}, CODEX, "refuse", "foreign_scope"),
        ("dispute", {"scope": "session:claude-code:7"}, CODEX, "refuse", "foreign_scope"),
        # persons
        ("revise", {"scope": OTHER}, ADA, "allow", ""),
        ("archive", {}, ADA, "allow", ""),
        ("forget", {}, ADA, "refuse", "forget_needs_key"),
        ("forget", {}, TYPED, "allow", ""),
        ("forget", {"author": ADA}, ADA, "allow", ""),
        ("approve", {"status": "proposed"}, ADA, "refuse", "approve_needs_key"),
        ("approve", {"status": "proposed"}, CODEX, "refuse", "approve_needs_person"),
        ("pin", {}, CODEX, "refuse", "pin_needs_person"),
    ],
)
def test_a_change_of_an_item(
    action: str, of: dict[str, Any], by: Principal, verdict: str, rule: str
) -> None:
    """Freely what is one's own and unreviewed; a proposal or a refusal for the rest."""
    ruling = authority.rule_on_item(action, item(**of), by, HERE)

    assert (ruling.verdict, ruling.rule) == (verdict, f"authority.{rule}" if rule else "")


def test_an_agents_notes_of_another_repository_are_not_at_hand() -> None:
    """Its scope goes with it everywhere; what it wrote elsewhere is changed from there."""
    elsewhere = Place(cwd="/home/ada/other", repo="repo:github.com/acme/other", agent=OWN)
    note = item(OWN)

    assert authority.is_own_ground(note, CODEX, HERE) is True
    assert authority.is_own_ground(note, CODEX, elsewhere) is False
    assert authority.rule_on_item("revise", note, CODEX, elsewhere).verdict == "propose"


@pytest.mark.parametrize(
    ("done_by", "scope", "by", "allowed"),
    [
        (CODEX, BRANCH, CODEX, True),
        (CODEX, OWN, CODEX, True),
        (CODEX, REPO, CODEX, False),
        (CODEX, BRANCH, ALONE, False),
        (CODEX, BRANCH, replace(CODEX, session="01X"), False),
        (CLAUDE, BRANCH, CODEX, False),
        (ADA, BRANCH, CODEX, False),
        (CODEX, REPO, ADA, True),
    ],
)
def test_taking_a_change_back(
    done_by: Principal, scope: str, by: Principal, *, allowed: bool
) -> None:
    """An agent only what it did itself in this session on its own ground; a person anything."""
    event = Maker().event("revised", by=done_by)
    ruling = authority.rule_on_undo(event, item(scope), "", by, HERE)

    assert (ruling.verdict == "allow") is allowed
    assert allowed or ruling.rule == "authority.undo_not_your_own"


def test_taking_back_what_amounts_to_a_personal_action() -> None:
    """Undoing a rejection brings back the value, so it wants what that would want."""
    event = Maker().event("rejected", by=ADA)
    for by, rule in ((CODEX, "needs_person"), (ADA, "needs_key")):
        ruling = authority.rule_on_undo(event, item(), "undo_reject", by, HERE)
        assert ruling.rule == f"authority.undo_reject_{rule}"
    assert authority.rule_on_undo(event, item(), "undo_reject", TYPED, HERE) == authority.ALLOW
