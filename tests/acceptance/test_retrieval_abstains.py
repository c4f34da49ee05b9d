"""retrieval.abstains: nothing relevant is said, and told apart from a scope nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from recalling import Doors, text_of

if TYPE_CHECKING:
    from pathlib import Path

ITEMS: Final = (
    ("The ledger uses Postgres 16.4", "Upgraded from 15.9 in spring."),
    ("Certificates of the kiosk rotate every 45 days", "The rotation is a cron job."),
    ("Reviewers answer within a day", "Or say when they will."),
    ("Parking at the depot is free for staff", "Until the new gate is built."),
    ("Invoices are rounded half up", "Per line, not per sum."),
    *((f"Ordinary note number {n}", "Nothing else to say of the yard.") for n in range(50)),
)
NOTHING: Final = (
    "cryptocurrency wallet seed",
    "parental leave policy",
    "which font does the brand guide ask for",
    "EXC_BAD_ACCESS",
    "始発列車時刻表",
    "yard wallpaper",
    "zzqx",
)
SOMETHING: Final = ("kiosk certificates", "postgres version", "is parking at the depot free")
PROMPT: Final = (
    "Write a haiku about a train that dreams of the sea, and then two more in the same mood for "
    "the farewell card of our colleague, who retires in May after thirty years as a driver. They "
    "should be warm but not sentimental, and one of them should have the word lantern in it."
)


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Doors:
    """A store with the items."""
    folder: Path = tmp_path_factory.mktemp("nothing")
    made = Doors(folder)
    made.seed(ITEMS)
    return made


def test_retrieval_abstains_in_the_library(doors: Doors) -> None:
    """No least bad answer is given; where there is one, it is."""
    answers = doors.library("recall", [*NOTHING, *SOMETHING])

    abstained = [answer["abstained"] for answer in answers]
    assert abstained == [True] * len(NOTHING) + [False] * len(SOMETHING)
    assert [bool(answer["hits"]) for answer in answers] == [not one for one in abstained]


def test_retrieval_abstains_through_the_server(doors: Doors) -> None:
    """An agent is told in words, and given no block to read."""
    answers = [text_of(answer) for answer in doors.server("recall", [*NOTHING, *SOMETHING])]

    told = ["nothing relevant is on record" in text.lower() for text in answers]
    assert told == [True] * len(NOTHING) + [False] * len(SOMETHING)
    assert ["<onrecord-memory" in text for text in answers] == [not one for one in told]


def test_retrieval_abstains_on_the_command_line(doors: Doors) -> None:
    """The same in the JSON of a command."""
    assert doors.command("recall", "--json", NOTHING[0])["abstained"]
    assert not doors.command("recall", "--json", SOMETHING[0])["abstained"]


def test_retrieval_abstains_from_an_unrelated_prompt(doors: Doors) -> None:
    """A whole prompt that needs nothing gets an empty pack; one that needs something does not."""
    empty, full = doors.library("pack", [PROMPT, "kiosk certificates expired again"], budget=400)
    searched, _ = doors.library("recall", [PROMPT, SOMETHING[0]])

    assert searched["abstained"]
    assert "haiku" not in empty["text"]
    assert "Certificates of the kiosk" in full["text"]


def test_retrieval_tells_an_unknown_scope_from_no_match(doors: Doors) -> None:
    """A scope that nobody ever wrote to is named; one that has nothing of the kind is not."""
    nowhere = "agent:codex"
    for query in (NOTHING[0], SOMETHING[0]):
        (unknown,) = doors.library("recall", [query], scope=nowhere)
        assert [row["given"] for row in unknown["unknown_scopes"]] == [nowhere]
        assert unknown["abstained"]
        (known,) = doors.library("recall", [query], scope="global")
        assert known["unknown_scopes"] == []
    (by_server,) = doors.server("recall", [SOMETHING[0]], scope=[nowhere])
    assert "nothing was ever recorded in agent:codex" in text_of(by_server).lower()
    assert "agent:codex" not in text_of(doors.server("recall", [NOTHING[0]], scope=["global"])[0])
