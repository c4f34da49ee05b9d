"""Scopes as people write them, and the ladder from narrow to broad."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.domain.errors import BadScope
from onrecord.domain.scope import (
    LADDER,
    MAX_BYTES,
    Place,
    branch_scope,
    kind_of,
    parse,
    rank,
    reach_of,
    session_scope,
    split_branch,
)

REPO = "repo:github.com/acme/shop"
BRANCH = f"branch:{REPO[5:]}@feat/till"
HERE = Place(
    repo=REPO,
    branch=BRANCH,
    project="project:shop",
    agent="agent:codex",
    session="session:codex:7",
)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("global", "global"),
        (" global\n", "global"),
        ("repo:github.com/acme/shop", REPO),
        ("repo:GitHub.com/Acme/shop.git/", REPO),
        ("repo:git.example/group/sub/Name", "repo:git.example/group/sub/Name"),
        ("repo::github.com/Acme/shop", REPO),
        ("repo:path:/home/ada/My Shop", "repo:path:/home/ada/My Shop"),
        ("branch:github.com/acme/shop@feat/till", BRANCH),
        ("branch::github.com/acme/shop::feat/till", BRANCH),
        ("branch:github.com/acme/shop.git@a@b", "branch:github.com/acme/shop@a@b"),
        ("branch:path:/home/a@b/shop@main", "branch:path:/home/a@b/shop@main"),
        ("project:Shop", "project:shop"),
        ("project::Shop", "project:shop"),
        ("org:Acme", "org:acme"),
        ("workspace:Till Team", "workspace:Till Team"),
        ("agent:codex", "agent:codex"),
        ("session:Codex:a:b", "session:codex:a:b"),
        ("project:cafe\u0301", "project:café"),
    ],
)
def test_a_scope_has_one_name(written: str, name: str) -> None:
    """Case of host and owner, `.git`, other tools' marks and outer spaces make no difference."""
    assert parse(written) == name
    assert parse(name) == name


@pytest.mark.parametrize("kind", ["repo", "branch", "project", "agent", "session"])
def test_a_short_form_means_the_place(kind: str) -> None:
    """`repo` is the repository that the caller stands in."""
    assert parse(kind, HERE) == getattr(HERE, kind)
    assert kind_of(parse(kind, HERE)) == kind


@pytest.mark.parametrize("place", [None, Place(), Place(repo=REPO)])
def test_a_short_form_without_its_place_is_refused(place: Place | None) -> None:
    """With the form to write out."""
    with pytest.raises(BadScope) as caught:
        parse("project", place)

    assert "project:<name>" in caught.value.hint


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("Global", "use global"),
        ("repo:acme/shop", "use repo:github.com/acme/shop"),
        ("repo::acme/shop", "use repo:github.com/acme/shop"),
        ("acme/shop", "use repo:github.com/acme/shop"),
        ("github.com/acme/shop", "use repo:github.com/acme/shop"),
        ("https://github.com/acme/shop.git", "use repo:github.com/acme/shop"),
        ("repo:https://github.com/acme/shop", "use repo:github.com/acme/shop"),
        ("repo:git@github.com:acme/shop.git", "use repo:github.com/acme/shop"),
        ("repo:github.com/acme", "use repo:host/owner/name"),
        ("repo:shop", "use repo:host/owner/name"),
        ("repo:../..", "use repo:host/owner/name"),
        ("Repo:github.com/acme/shop", "use repo:host/owner/name"),
        ("branch::acme/shop::main", "use branch:github.com/acme/shop@main"),
        ("branch::shop::main", "use branch:host/owner/name@main"),
        ("branch:github.com/acme/shop", "use branch:host/owner/name@branch"),
        ("projct:shop", "use project:<name>"),
        ("rep", "use repo"),
        ("session:codex", "use session:<agent>:<id>"),
        ("project:", "use project:<name>"),
        ("project:a/../b", "use project:<name>"),
        ("project:*", "use project:<name>"),
        ("user:ada", "kind:key in full"),
    ],
)
def test_a_wrong_spelling_is_answered_with_a_right_one(written: str, right: str) -> None:
    """The hint can be followed: a name in it is a scope, or says what to fill in."""
    with pytest.raises(BadScope) as caught:
        parse(written)

    assert right in caught.value.hint
    word = caught.value.hint.removeprefix("use ")
    if word.startswith("repo:github") or word == "global":
        assert parse(word) == word


@pytest.mark.parametrize(
    "written",
    ["", "   ", "project:a\x00b", "project:a\u200bb", "project:" + "é" * 300, "x" * 9999],
)
def test_what_cannot_be_a_name_is_refused(written: str) -> None:
    """Nothing, hidden characters, more bytes than an index takes."""
    with pytest.raises(BadScope):
        parse(written)


def test_a_password_in_an_address_is_not_repeated() -> None:
    """The refusal shows what was written, without what stands before the host."""
    with pytest.raises(BadScope) as caught:
        parse("repo:https://ada:hunter2@git.example/shop")

    told = f"{caught.value} {caught.value.hint} {caught.value.details}"
    assert "git.example/shop" in told
    assert "hunter2" not in told


@given(
    st.text(max_size=80) | st.tuples(st.sampled_from(LADDER), st.text(max_size=60)).map(":".join)
)
def test_every_text_is_a_scope_or_refused(text: str) -> None:
    """A name, given or hinted at, is its own name again, short, and has a place in the ladder."""
    try:
        name = parse(text)
    except BadScope as error:
        hinted = error.hint.removeprefix("use ")
        name = parse(hinted) if hinted.startswith("repo:") else "global"

    assert parse(name) == name
    assert len(name.encode()) <= MAX_BYTES
    assert 0 <= rank(name) < len(LADDER)


def test_the_ladder_goes_from_narrow_to_broad() -> None:
    """Only what the place has is in it, and `global` always is its last step."""
    assert HERE.ladder() == [
        "session:codex:7",
        "agent:codex",
        BRANCH,
        "project:shop",
        REPO,
        "global",
    ]
    assert Place().ladder() == ["global"]
    assert [rank(name) for name in HERE.ladder()] == sorted(map(rank, HERE.ladder()))


def test_a_branch_belongs_to_its_repository() -> None:
    """Both ways, whatever characters they have."""
    for repo in (REPO, "repo:path:/home/a@b/shop"):
        branch = branch_scope(repo, "main")
        assert f"repo:{split_branch(branch.partition(':')[2])[0]}" == repo
        assert parse(branch) == branch
    assert branch_scope(REPO, "feat/till") == BRANCH
    assert session_scope("codex", "7") == "session:codex:7"


def test_broader_scopes_bind_a_write() -> None:
    """Those of the caller's ladder, a branch's repository from anywhere, and `global`."""
    assert reach_of(BRANCH, HERE) == [BRANCH, REPO, "project:shop", "global"]
    assert reach_of(REPO, HERE) == [REPO, "global"]
    assert reach_of("global", HERE) == ["global"]
    assert reach_of(BRANCH, Place()) == [BRANCH, REPO, "global"]
    assert reach_of("project:other", HERE) == ["project:other", "global"]
