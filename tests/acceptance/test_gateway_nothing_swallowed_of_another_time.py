"""What was, is and will be, may and must be are statements of their own: none is merged away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from commandline import CommandLine
from harness.surroundings import CLAUDE_VARIABLES
from mcp_client import environment, start_server

if TYPE_CHECKING:
    from pathlib import Path

#: What stands, what is said next, and whether that may say that it is so no longer.
SAID: Final = (
    ("Prod is on AWS eu-west-1", "Prod was on AWS eu-west-1", True),
    ("Ada owns the billing service", "Ada owned the billing service", True),
    ("We are moving refunds to Stripe", "We moved refunds to Stripe", True),
    ("The dark flag is enabled", "The dark flag was enabled", True),
    ("Deploys will move to Argo", "Deploys moved to Argo", True),
    ("Lena leitet das Team Zahlungen", "Lena leitete das Team Zahlungen", True),
    ("Kiosk pupils may borrow five books", "Kiosk pupils can borrow five books", False),
    ("Run the harbour tests in Docker", "Run the harbour tests with Docker", False),
    ("The first retry waits two seconds", "The last retry waits two seconds", False),
)


def stored(lines: CommandLine) -> list[str]:
    """The titles of all that stands or waits."""
    found: list[dict[str, Any]] = []
    for status in ("active", "proposed"):
        found += lines.run("list", "--all", "--status", status, "--json").json["items"]
    return sorted(item["title"] for item in found)


def test_gateway_nothing_swallowed_of_another_time_by_a_person(tmp_path: Path) -> None:
    """Each is stored; past against present is listed as a conflict; equal text is not stored."""
    lines = CommandLine(tmp_path)
    clashing = 0
    for stands, new, clashes in SAID:
        lines.remember(stands, "--scope", "repo")
        answer = lines.run("remember", new, "--scope", "repo", "--json").json
        assert answer["outcome"] == "created", new
        assert bool([c for c in answer["candidates"] if c["why"] == "contradicts"]) == clashes, new
        clashing += clashes
    again = lines.run("remember", f"{SAID[0][1]}.", "--scope", "repo", "--json").json

    assert stored(lines) == sorted(text for pair in SAID for text in pair[:2])
    assert len(lines.run("conflicts", "list", "--json").json["conflicts"]) == clashing
    assert again["outcome"] == "corroborated"


def test_gateway_nothing_swallowed_of_another_time_by_an_agent(tmp_path: Path) -> None:
    """Against what a person said it waits as a conflict, with the way out."""
    lines = CommandLine(tmp_path)
    env = environment(lines.home, lines.store, **CLAUDE_VARIABLES)
    for stands, _, _ in SAID:
        lines.remember(stands, "--scope", "repo")
    with start_server(lines.repo, env, "--client", "claude-code") as server:
        server.shake_hands()
        for _, new, clashes in SAID:
            answer = server.call("remember", title=new, scope="repo")["structuredContent"]
            assert answer["outcome"] in (("conflict",) if clashes else ("proposed", "conflict")), (
                new
            )

    assert stored(lines) == sorted(text for pair in SAID for text in pair[:2])


def test_gateway_nothing_swallowed_of_a_paraphrase(tmp_path: Path) -> None:
    """What is known in other words keeps those words as evidence, for all to see."""
    lines = CommandLine(tmp_path)
    known = lines.remember("Vehicle lengths are stored in centimetres", "--scope", "repo")
    reworded = "We store vehicle length in centimetres"
    told = lines.run("remember", reworded, "--scope", "repo", "--json").json
    lines.run("remember", reworded, "--scope", "repo")
    shown = lines.run("show", known, "--json").json

    assert told["outcome"] == "corroborated"
    assert told["item"]["id"] == shown["id"]
    assert [row["quote"] for row in shown["evidence"]] == [reworded]


#: Much the same words: what stands, and what is said next.
ALIKE: Final = (
    (
        "Run bin/setup_db before specs or they hang",
        "Run bin/setup_db before running the specs, or they will hang",
    ),
    ("Run the harbour tests in Docker", "Run the harbour tests with Docker"),
)


def test_gateway_nothing_swallowed_of_what_is_alike(tmp_path: Path) -> None:
    """A person's stands beside the other, which is named; an agent's waits as a conflict."""
    lines = CommandLine(tmp_path)
    env = environment(lines.home, lines.store, **CLAUDE_VARIABLES)
    (first, again), (second, like_it) = ALIKE
    ids = [lines.remember(text, "--scope", "repo") for text in (first, second)]
    told = lines.run("remember", again, "--scope", "repo", "--json").json
    with start_server(lines.repo, env, "--client", "claude-code") as server:
        server.shake_hands()

        def remember(title: str, **more: Any) -> dict[str, Any]:
            answer: dict[str, Any] = server.call("remember", title=title, **more)
            found: dict[str, Any] = answer["structuredContent"]
            return found

        theirs = remember(like_it, scope="repo")
        meant = remember("Run harbour tests from Docker", scope="repo", distinct=True)
        placed = remember("Run harbour tests under Docker", scope="repo", replaces=ids[1])
        own = [remember(text, scope="agent") for text in (first, again)]
    names = [[(c["id"], c["why"]) for c in answer["candidates"]] for answer in (told, theirs)]

    assert names == [[(ids[0], "similar")], [(ids[1], "similar")]]
    assert (told["outcome"], theirs["outcome"]) == ("created", "conflict")
    assert (theirs["code"], meant["outcome"]) == ("conflict.similar", "proposed")
    assert placed["outcome"] == "proposed"
    assert "distinct=true" in theirs["say"]
    assert "replaces=" in theirs["say"]
    assert own[0]["outcome"] == "corroborated"
    assert own[1]["outcome"] == "corroborated"
    titles = stored(lines)
    assert {first, again, second, like_it} <= set(titles)
    assert "it resembles another memory" in lines.run("show", theirs["id"]).out
