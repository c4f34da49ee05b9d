"""The PostgreSQL that tests get is real, private to the run, and fresh for each test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from harness import postgres

if TYPE_CHECKING:
    from harness.postgres import Databases

SEEN: list[str] = []


@pytest.mark.parametrize("turn", ["first", "second"])
def test_each_test_gets_an_empty_database_of_its_own(postgres_url: str, turn: str) -> None:
    """What one test writes is not there for the next."""
    with psycopg.connect(postgres_url) as connection:
        tables = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()
        connection.execute("CREATE TABLE mark (turn text)")
    SEEN.append(postgres_url)

    assert tables == [], turn
    assert len(set(SEEN)) == len(SEEN)


def test_the_server_is_new_enough_and_has_vectors(postgres_url: str) -> None:
    """The release and the extension that the schema relies on are there."""
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE EXTENSION vector")
        nearest = connection.execute("SELECT '[1,2]'::vector <-> '[1,4]'::vector").fetchone()

        assert connection.info.server_version >= 180000
        assert nearest == (2.0,)


def test_text_is_compared_the_same_on_every_machine(postgres_url: str) -> None:
    """Databases are UTF-8 and sort by code point, whatever the machine's locale."""
    with psycopg.connect(postgres_url) as connection:
        rows = connection.execute(
            "SELECT w FROM (VALUES ('b'), ('B'), ('é'), ('a')) AS t (w) ORDER BY w"
        ).fetchall()

    assert [row[0] for row in rows] == ["B", "a", "b", "é"]


def test_copies_of_a_template_start_equal_and_stay_apart(postgres_server: Databases) -> None:
    """A template is prepared once; each copy has its content and its own changes."""
    prepared: list[str] = []

    def prepare(url: str) -> None:
        prepared.append(url)
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE word AS SELECT 'one'::text AS w")

    for _ in range(2):
        with (
            postgres_server.fresh(postgres_server.template("words", prepare)) as url,
            psycopg.connect(url) as connection,
        ):
            assert connection.execute("SELECT w FROM word").fetchall() == [("one",)]
            connection.execute("INSERT INTO word VALUES ('two')")

    assert len(prepared) == 1


def test_a_database_is_gone_after_use_though_a_connection_stays(
    postgres_server: Databases,
) -> None:
    """A test that forgets to close a connection does not keep its database alive."""
    with postgres_server.fresh() as url:
        forgotten = psycopg.connect(url)
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(url)
    forgotten.close()


def test_a_server_can_crash_and_come_back() -> None:
    """Stopped as by a crash and started again, a server still has what was committed."""
    with postgres.private_server({"fsync": "on", "synchronous_commit": "on"}) as server:
        with psycopg.connect(server.url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
        server.stop(at_once=True)
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(server.url)
        server.start()
        with psycopg.connect(server.url) as connection:
            assert connection.execute("SELECT n FROM kept").fetchone() == (1,)


def test_the_server_ends_with_the_tests() -> None:
    """A test process that is killed leaves no server running."""
    program = (
        "import sys, time\nfrom harness import postgres\n"
        "with postgres.private_server() as server:\n"
        "    print(server.folder, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    tests = str(Path(postgres.__file__).parents[1])
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": tests},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as tests_process:
        assert tests_process.stdout is not None
        folder = Path(tests_process.stdout.readline().strip())
        postmaster = int(
            (folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0]
        )
        os.kill(tests_process.pid, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while (folder / "data" / "postmaster.pid").exists() and time.monotonic() < deadline:
        os.sched_yield()
    ended = not (folder / "data" / "postmaster.pid").exists()
    subprocess.run(["rm", "-rf", str(folder)], check=True)

    assert ended, f"PostgreSQL {postmaster} still runs"


def test_a_given_server_is_used(postgres_server: Databases) -> None:
    """The name of a database replaces the one in a given URL, its options stay."""
    databases = postgres.Databases("postgresql://u:p%40@db.example:6543/admin?sslmode=require")

    assert databases.url_of("x") == "postgresql://u:p%40@db.example:6543/x?sslmode=require"
    assert postgres_server.url_of("x").startswith("postgresql://")


def test_missing_postgres_is_an_error_in_ci(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without a server's programs CI fails instead of passing over the tests."""
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(util, "find_spec", dict[str, None]().get)
    with pytest.raises(pytest.fail.Exception, match="PostgreSQL is missing"):
        postgres.PrivateServer(tmp_path)
