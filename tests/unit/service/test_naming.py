"""Names are stored without secrets: refused where they were chosen, left out where observed."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from harness.agents import repository
from harness.swept import canary
from onrecord.capture import agents, event
from onrecord.domain.errors import SecretName
from onrecord.service import naming, observations
from onrecord.service.places import place_at

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = canary("aB3dE6gH9jK2mN5pQ8rS1tU4")


def git(folder: Path, *arguments: str) -> None:
    """Run git."""
    subprocess.run(["git", *arguments], cwd=folder, check=True, timeout=30, capture_output=True)


def test_a_chosen_name_with_a_secret_is_refused_without_repeating_it() -> None:
    """The error has its own code, names the field and says what to do."""
    with pytest.raises(SecretName) as caught:
        naming.parse_scope(f"project:{TOKEN}")

    assert caught.value.code == "redaction.name"
    assert caught.value.hint
    assert caught.value.details == {"field": "scope"}
    assert TOKEN not in f"{caught.value.message}{caught.value.hint}"
    assert naming.parse_scope("project:shop") == "project:shop"


def test_a_branch_named_after_a_secret_is_none(tmp_path: Path) -> None:
    """Its neighbour is one; the repository is the same for both."""
    repo = repository(tmp_path / "shop")
    git(repo, "checkout", "-q", "-b", f"fix/{TOKEN}")
    veiled = place_at(str(repo))
    git(repo, "checkout", "-q", "-b", "fix/login-2")

    assert veiled.branch is None
    assert place_at(str(repo)).branch == f"branch:path:{repo}@fix/login-2"
    assert place_at(str(repo)).repo == veiled.repo


def test_an_origin_with_a_secret_leaves_the_folder(tmp_path: Path) -> None:
    """Two such repositories stay two."""
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    for repo in (one, two):
        git(repo, "remote", "add", "origin", f"https://github.com/acme/{TOKEN}")

    assert place_at(str(one)).repo == f"repo:path:{one}"
    assert place_at(str(two)).repo == f"repo:path:{two}"


def test_folders_named_after_secrets_are_known_by_number(tmp_path: Path) -> None:
    """What stands around them stays, two of them differ, and one keeps its number."""
    one, two = (repository(tmp_path / f"{TOKEN}{end}" / "shop") for end in ("", "9"))
    kept = [naming.kept_path(str(repo)) for repo in (one, two, one)]

    assert TOKEN not in "".join(kept)
    assert kept[0].startswith(f"{tmp_path}/redacted-")
    assert kept[0].endswith("/shop")
    assert kept[0] != kept[1]
    assert kept[0] == kept[2]
    assert TOKEN not in str(place_at(str(one)).repo)
    assert place_at(str(one)).repo != place_at(str(two)).repo


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_what_a_client_tells_of_itself_is_kept_without_secrets(client: str) -> None:
    """Every name that a payload may hold; a plain one beside it stays."""
    told = event.Event(
        client=client,
        name="prompt",
        session="s-1",
        agent_id=TOKEN,
        tool_use_id=TOKEN,
        source=TOKEN,
        reason=TOKEN,
        model=TOKEN,
        tool=TOKEN,
        permission_mode=TOKEN,
        transcript=f"/home/ada/{TOKEN}/t.jsonl",
    )
    assert naming.clean_event(told)

    assert TOKEN not in "".join(str(getattr(told, name)) for name in event.Event.__slots__)
    assert told.agent_id == "redacted"  # still no event of the session itself
    assert told.transcript == "/home/ada/redacted/t.jsonl"
    told.session = TOKEN
    assert not naming.clean_event(told)
    assert agents.find(client) is not None


def test_the_ids_of_calls_stay() -> None:
    """What clients call their tools' calls looks random and is no secret."""
    for call in ("toolu_01AbCdEfGh2JkLmNpQrStUv3", "call_aB3dE6gH9jK2mN5pQ8rS1tU4", "item-7"):
        assert naming.kept_id(call) == call


def test_a_record_written_by_hand_brings_no_secret_in() -> None:
    """Whoever runs as the user can write into the spool; what is read from it is clean."""
    record = (
        '{"client":"codex","session":"s-1","event":"prompt","at":1,'
        + ",".join(
            f'"{name}":"{TOKEN}"'
            for name in (
                *("source", "reason", "model", "cwd", "transcript", "head", "tool_use_id"),
                *("agent_id", "occasion", "handoff"),
            )
        )
        + f',"repo":"repo:github.com/acme/{TOKEN}","withheld":[["a","{TOKEN}"]]'
    )
    seen = observations.read(record + "}", now=9)

    assert seen is not None
    assert TOKEN not in repr(seen)
    assert observations.read(record.replace('"s-1"', f'"{TOKEN}"') + "}", now=9) is None
