"""Lessons that a failure brings up, and the many failures that bring up nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onrecord import wiring
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.retrieval.failure import excerpt, reads_as_failure, relevant_to_failure
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember
from onrecord.service.places import place_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from onrecord.domain.shelf import Shelf

NOW = 1 << 60
LESSONS = {
    "db": ("ECONNREFUSED on port 5433 means the test database is down", "Start it: make db-up."),
    "lock": ("pnpm fails with ERR_PNPM_OUTDATED_LOCKFILE in CI", "Run pnpm install locally."),
    "path": ("src/pay/refund.py needs PAYMENTS_URL in the environment", "Copy .env.example."),
    "class": ("StaleLeaseError comes from two workers on one queue", "Stop the second one."),
    "wheel": ("psycopg2 does not build here: install libpq-dev first", ""),
    "code": ("E4012 from the gateway means that the terminal id is unknown", "Register it."),
}

NAMED = {
    "db": "Exit code 1\nError: connect ECONNREFUSED 127.0.0.1:5433\n    at TCPConnectWrap",
    "lock": "Exit code 1\n ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with frozen-lockfile",
    "path": 'Traceback (most recent call last):\n  File "src/pay/refund.py", line 8, in <module>\n'
    "KeyError: 'PAYMENTS_URL'",
    "class": "Exit code 1\nworker.lease.StaleLeaseError: lease 81 was taken",
    "wheel": "error: subprocess-exited-with-error\n  Building wheel for psycopg2 failed",
    "code": "request failed: gateway answered E4012",
}

UNRELATED = [
    "Exit code 1",
    "Exit code 127\n/bin/bash: line 1: foo: command not found",
    "Exit code 2\nls: cannot access 'docs/old': No such file or directory",
    "ModuleNotFoundError: No module named 'requests'",
    "Exit code 1\nFAILED tests/test_cart.py::test_total - AssertionError: assert 3 == 4\n1 failed",
    "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
    "File has not been read yet. Read it first before writing to it.",
    "String to replace not found in file.",
    "Exit code 128\nfatal: not a git repository (or any of the parent directories): .git",
    "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! site@1.0.0 build: `vite build`",
    "error[E0382]: borrow of moved value: `queue`\n --> src/main.rs:14:20",
    "PermissionError: [Errno 13] Permission denied: '/var/log/app.log'",
    "curl: (6) Could not resolve host: example.org",
    "make: *** [Makefile:12: lint] Error 2",
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    "Request timed out after 30000ms while waiting for the database",
    "src/app/page.tsx(14,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    "Error: listen EADDRINUSE: address already in use :::3000",
    'psql: error: connection to server failed: FATAL: role "ci" does not exist',
    "Exit code 1\nerror: Your local changes to README.md would be overwritten by merge.",
]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Shelf, dict[str, str]]]:
    """A store with the lessons, and a decision that names the same; titles by their names."""
    folder: Path = tmp_path_factory.mktemp("failures")
    store = str(folder / "memory.db")
    memory = wiring.open_memory(store)
    caller = Caller(
        principal=Principal.person("ada", channel="terminal", confirmed=True),
        place=place_at(str(folder)),
    )
    for title, body in LESSONS.values():
        content = Content(title=title, body=body)
        memory.do(Remember(content=content, scope="global", kind="lesson"), caller)
    other = Content(title="We chose port 5433 and map ECONNREFUSED to 503")
    memory.do(Remember(content=other, scope="global", kind="decision"), caller)
    memory.close()
    opened = wiring.open_shelf(store)
    yield opened, {name: title for name, (title, _) in LESSONS.items()}
    opened.close()


@pytest.mark.parametrize("name", NAMED)
def test_a_failure_brings_up_the_lesson_that_names_it(
    shelf: tuple[Shelf, dict[str, str]], name: str
) -> None:
    """A code, an identifier or a path is enough; and lessons only are brought up."""
    found = relevant_to_failure(shelf[0], NAMED[name], ["global"], NOW)

    assert [item.title for item in found] == [shelf[1][name]]
    assert reads_as_failure(NAMED[name])


@pytest.mark.parametrize("error", UNRELATED)
def test_an_unrelated_failure_brings_up_nothing(
    shelf: tuple[Shelf, dict[str, str]], error: str
) -> None:
    """What every program fails with says nothing of what failed."""
    assert relevant_to_failure(shelf[0], error, ["global"], NOW) == []


def test_only_its_scopes_and_as_many_as_asked(shelf: tuple[Shelf, dict[str, str]]) -> None:
    """Nothing of another scope, nothing that is not visible, never more than the limit."""
    every = "\n".join(NAMED.values())

    assert len(relevant_to_failure(shelf[0], every, ["global"], NOW, 3)) == 3
    assert relevant_to_failure(shelf[0], every, ["repo:github.com/a/b"], NOW) == []
    assert relevant_to_failure(shelf[0], every, ["global"], NOW, 0) == []
    hidden = relevant_to_failure(shelf[0], every, ["global"], NOW, visible=lambda _: False)
    assert hidden == []


def test_a_long_output_is_read_at_both_ends(shelf: tuple[Shelf, dict[str, str]]) -> None:
    """The error stands at the end of what a program printed, or at its beginning."""
    noise = "ok 12 in 3 ms\n" * 2_000

    for error in (noise + NAMED["db"], NAMED["db"] + "\n" + noise):
        found = relevant_to_failure(shelf[0], error, ["global"], NOW)
        assert [item.title for item in found] == [shelf[1]["db"]]
    assert len(excerpt(noise)) < 2_100
    assert not reads_as_failure(noise)
