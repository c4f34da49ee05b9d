"""A mistyped scope is an error or a hint with the right or nearest name, on every door."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from commandline import REPO, CommandLine
from harness.surroundings import CLAUDE_VARIABLES
from mcp_client import environment, start_server, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp_client import ServerProcess

#: mistyped -> what the answer must name
TYPOS: Final = {
    "repo::acme/shop": "repo:github.com/acme/shop",
    "repo:acme/shop": "repo:github.com/acme/shop",
    "acme/shop": "repo:github.com/acme/shop",
    "branch::acme/shop::main": "branch:github.com/acme/shop@main",
    "branch:github.com/acme/shop": "branch:host/owner/name@branch",
    "repos": "use repo",
    "proj:fares": "project:<name>",
    "Global": "global",
    "session:s1": "session:<agent>:<id>",
    "": "",
}


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a memory in the repository and one in a project."""
    made = CommandLine(tmp_path)
    made.remember("The harbour gate opens at six", "--scope", "repo")
    made.remember("The fares are in cents", "--scope", "project:fare-gates")
    return made


@pytest.fixture
def server(lines: CommandLine) -> Iterator[ServerProcess]:
    """An agent's server in the repository."""
    env = environment(lines.home, lines.store, **CLAUDE_VARIABLES)
    with start_server(lines.repo, env, "--client", "claude-code") as running:
        running.shake_hands()
        yield running


@pytest.mark.parametrize("typo", [typo for typo in TYPOS if typo])
def test_scope_typo_is_told_on_the_command_line(lines: CommandLine, typo: str) -> None:
    """Recall, remember and list name the right spelling, and nothing is kept elsewhere."""
    answers = [
        lines.run("recall", "harbour gate", "--scope", typo),
        lines.run("remember", "The gate closes at nine", "--scope", typo),
        lines.run("list", "--scope", typo),
    ]

    for answer in answers:
        assert answer.status == 2
        assert "(scope.invalid)" in answer.err
        assert TYPOS[typo] in answer.err
    assert len(lines.run("list", "--all", "--json").json["items"]) == 2


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ("repo:github.com/acme/shopp", REPO),
        ("repo:github.com/acme-inc/shop", REPO),
        ("repo:gitlab.com/acme/shop", REPO),
        ("project:fare-gate", "project:fare-gates"),
        ("project:faregates", "project:fare-gates"),
    ],
)
def test_scope_typo_is_told_where_the_name_could_be_right(
    lines: CommandLine, given: str, nearest: str
) -> None:
    """A scope that nobody ever wrote to is told apart from one in which nothing fits."""
    text = lines.run("recall", "harbour gate", "--scope", given)
    shape = lines.run("recall", "harbour gate", "--scope", given, "--json").json
    right = lines.run("recall", "zeppelin", "--scope", nearest, "--json").json

    assert f"Nothing was ever kept in {given}" in text.out
    assert f"Near: {nearest}" in text.out
    assert shape["unknown_scopes"][0]["given"] == given
    assert shape["unknown_scopes"][0]["nearest"][0] == nearest
    assert (right["unknown_scopes"], right["abstained"]) == ([], True)


def test_scope_typo_is_told_over_mcp(lines: CommandLine, server: ServerProcess) -> None:
    """The same errors reach the agent, with the way out, and nothing is stored."""
    for typo, wanted in TYPOS.items():
        if not typo:
            continue
        recalled = server.call("recall", query="harbour gate", scope=typo)
        saved = server.call("remember", title="The gate closes at nine", scope=typo)
        for result in (recalled, saved):
            assert result["isError"], typo
            assert wanted in next(texts_of(result))
    right = server.call("recall", query="harbour gate", scope=["repo"])

    assert "The harbour gate opens at six" in next(texts_of(right))
    assert len(lines.run("list", "--all", "--json").json["items"]) == 2


@pytest.mark.parametrize(
    "spelling",
    [
        "repo",
        REPO,
        "repo:GitHub.com/Acme/shop",
        "repo:github.com/acme/shop.git",
        "repo::github.com/acme/shop",
        f" {REPO} ",
    ],
)
def test_scope_typo_is_told_and_right_spellings_work(lines: CommandLine, spelling: str) -> None:
    """Short forms, other cases of the host and unambiguous spellings of other tools are read."""
    found = lines.run("recall", "harbour gate", "--scope", spelling, "--json").json
    kept = lines.run("remember", f"Kept as {len(spelling)}", "--scope", spelling, "--json").json

    assert [hit["item"]["title"] for hit in found["hits"]] == ["The harbour gate opens at six"]
    assert kept["item"]["scope"] == REPO
