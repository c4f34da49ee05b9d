"""A value that holds from a day on leaves what held until then true of that time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from commandline import CommandLine
from harness.surroundings import CLAUDE_VARIABLES
from mcp_client import environment, start_server

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = "Refunds are paid by the depot", "Refunds are paid by the head office"


def recalled(lines: CommandLine, at: str) -> list[str]:
    """What recall finds of refunds at a day."""
    hits: list[dict[str, Any]] = lines.run("recall", "refunds", "--valid-at", at, "--json").json[
        "hits"
    ]
    return [hit["item"]["title"] for hit in hits]


@pytest.mark.parametrize("way", ["key", "replaces"])
def test_time_as_of_stable_at_a_key(tmp_path: Path, way: str) -> None:
    """The old one ends where the new one begins, by whichever way it was given."""
    lines = CommandLine(tmp_path)
    key = ("--scope", "repo", "--key", "refunds")
    old = lines.remember(OLD, *key, "--valid-from", "2026-01-01", "--pin", "--kind", "decision")
    later = ("--valid-from", "2026-06-01")
    words = {
        "key": ("remember", NEW, *key, *later),
        "replaces": ("remember", NEW, "--scope", "repo", "--replaces", old, *later),
    }
    done = lines.run(*words[way], "--json")
    assert done.status == 0, done

    assert recalled(lines, "2026-03-01") == [OLD]
    assert recalled(lines, "2026-07-01") == [NEW]
    assert recalled(lines, "2025-07-01") == []
    (stands,) = lines.run("list", "--all", "--json").json["items"]
    assert (stands["title"], stands["key"]) == (NEW, "refunds")
    if way != "replaces":
        assert (stands["pinned"], stands["kind"]) == (True, "decision")
    assert "2026-01-01 to 2026-06-01" in lines.run("history", old).out
    lines.run("undo", str(done.json["undo"]))
    assert recalled(lines, "2026-07-01") == [OLD]
    assert lines.run("check").status == 0


def test_time_as_of_stable_at_a_key_by_an_agent(tmp_path: Path) -> None:
    """Its own note is closed and kept in the same way; without a day it is a new version."""
    lines = CommandLine(tmp_path)
    env = environment(lines.home, lines.store, **CLAUDE_VARIABLES)
    with start_server(lines.repo, env, "--client", "claude-code") as server:
        server.shake_hands()

        def remember(title: str, **more: Any) -> str:
            answer = server.call("remember", title=title, scope="agent", key="refunds", **more)
            outcome: str = answer["structuredContent"]["outcome"]
            return outcome

        assert remember(OLD, valid_from="2026-01-01") == "created"
        assert remember(NEW, valid_from="2026-06-01") == "created"
        text = server.call("recall", query="refunds", valid_at="2026-03-01")["content"][0]["text"]
        assert remember("Refunds are paid by nobody") == "updated"

    assert OLD in text
    assert NEW not in text
