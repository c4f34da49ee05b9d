"""The same thing written otherwise: joined and apart, short and long, in stores of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from library import REPO
from onrecord.retrieval.terms import read_units, terms_of
from onrecord.retrieval.variants import TABLE, apart, joined, short_forms, thing
from onrecord.retrieval.words import fold

if TYPE_CHECKING:
    from library import Library

SETUP = "Run bin/setup_db before specs"
ASKED = [
    "set up database",
    "setup database",
    "set up database specs",
    "database setup",
    "how do I set up the database?",
]
#: Words that share a letter or two, and a topic or two, with what is looked for.
OTHERS = (
    "The gantry closes at nine",
    "Payments are settled in Danish crowns",
    "Use tabs in the Makefile",
    "The set of colours is frozen until May",
    "Log lines have no colours",
    "Time zones are those of the stop",
    "Retries back off by half a second",
    "The specs of the lantern hang in the workshop",
)


def fill(library: Library, size: int) -> None:
    """So many more items; one of the first of them holds `specs`, as the wanted one does."""
    with library.store.write() as tx:
        for n in range(size):
            other = OTHERS[n % 8] if n < 8 else f"{OTHERS[n % 7]}, case {n}"
            library.add(tx, library.maker.item(other, kind="fact", scope=REPO))


@pytest.mark.parametrize("text", ASKED)
@pytest.mark.parametrize("size", [0, 14, 1_500])
def test_a_thing_is_found_however_it_is_written(library: Library, text: str, size: int) -> None:
    """`set up` is setup, a database is a db, in a store of one item and of many."""
    library.put(SETUP, kind="fact", scope=REPO)
    fill(library, size)

    assert library.titles(text)[:1] == [SETUP]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("log in fails", "The login page needs a cookie"),
        ("login fails", "Log in with the badge first"),
        ("time out", "The gateway's timeout is nine seconds"),
        ("timeouts", "Calls time out after nine seconds"),
        ("data base", "The database is read only on Mondays"),
        ("roll back", "A rollback takes a minute"),
        ("rollback", "Roll back by tag, never by hand"),
        ("configuration of the gate", "gate_cfg.toml is written by hand"),
        ("env", "The environment comes from direnv"),
        ("environment variables", "Env files are not committed"),
        ("repository packages", "The repo has three packages"),
        ("auth", "Authentication is by badge"),
        ("dependencies", "Pin all deps"),
        ("prod", "Production is read only on Fridays"),
        ("kubernetes", "k8s runs in two zones"),
        ("continuous integration", "CI runs on every push"),
        ("message queue", "msg_queue is drained at night"),
        ("databases", "db migrations run at night"),
        ("temporary directory", "Clean the tmp dir at night"),
        ("setup_db", "Set up the database first"),
    ],
)
def test_joined_apart_short_and_long_are_one(library: Library, text: str, title: str) -> None:
    """Both ways, whole and inside identifiers; other items stay behind."""
    library.put(title, scope=REPO)
    fill(library, 7)

    assert library.titles(text)[:1] == [title]


def test_a_small_store_says_what_it_has(library: Library) -> None:
    """One particular word of several is enough where there is little; an everyday one is not."""
    library.put(SETUP, kind="fact", scope=REPO)
    fill(library, 3)

    assert library.titles("flaky specs on the merge train of Tuesday") == [SETUP]
    assert library.titles("before lunch on a sunny Tuesday in the harbour") == []
    assert library.titles("kangaroo husbandry") == []


def test_a_large_store_does_not_give_the_least_bad(library: Library) -> None:
    """The same chance word in a large store is no answer."""
    library.put(SETUP, kind="fact", scope=REPO)
    fill(library, 300)

    assert library.titles("flaky specs on the merge train of Tuesday") == []


def test_what_is_written_as_asked_comes_first(library: Library) -> None:
    """Another spelling is found, behind the very word."""
    library.put("The db of the gate", scope=REPO)
    library.put("The database of the gate", scope=REPO)

    assert library.titles("database gate") == ["The database of the gate", "The db of the gate"]
    assert library.titles("db gate") == ["The db of the gate", "The database of the gate"]


def test_variants_are_folded_words_and_both_ways() -> None:
    """The table holds folded words, none twice in a line, each with all the others."""
    for line in TABLE.strip().split("\n"):
        row = [form.replace("_", " ") for form in line.split()]
        assert len(set(row)) == len(row) > 1
        assert all(form == fold(form) for form in row)
        for form in row:
            assert set(row) - {form} <= set(short_forms(form))


def test_words_are_joined_and_taken_apart() -> None:
    """Any two words of two letters, and a verb with its particle in any form."""
    assert joined("data", "base") == "database"
    assert joined("a", "base") == ""
    assert thing("set", "up") == ("setup", "set")
    assert thing("timed", "out") == ("timeout", "time")
    assert thing("running", "in") == ("", "")
    assert thing("lantern", "up") == ("", "")
    assert apart("timeout") == apart("timeouts") == "time out"
    assert apart("login") == "log in"
    assert apart("up") == ""
    assert apart("lantern") == ""


def test_variants_do_not_push_out_what_was_typed() -> None:
    """In a long text the words themselves come first."""
    typed = terms_of(read_units("set up the database of the gantry for the lantern "), 3)

    assert {"gantry", "lantern", "database"} == set(typed)
