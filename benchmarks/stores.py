"""The stores that `scale` measures: seeded statements of many repositories, through the gateway.

Makes a store of every size in a folder and keeps it there, so that measuring can be done apart
from building, on a machine that is quiet. A kept store is taken again while seed, size and schema
are those of today; tables and indices that came since are added. A run that was stopped goes on
from the largest store that there is.

    ./dev bench stores --sizes 10000,100000,1000000 --keep FOLDER
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from contextlib import closing
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import apsw

from onrecord import wiring
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember
from onrecord.storage import migrate, schema

if TYPE_CHECKING:
    from onrecord.service.memory import Memory

SEED: Final = 20_260_101
#: Repositories; the first has the most memories, as 1/n (Zipf 1949).
REPOS: Final = 60
#: Names of things in the code, as many as a large company has.
NAMES: Final = 20_000
#: Statements of one transaction while a store is made.
BATCH: Final = 250
#: So many statements are lost at most when making is stopped.
STEP: Final = 100_000
FILE: Final = "memory.db"
_NOTE: Final = "made.json"

_SYLLABLES = "ar bel cor dan el fin gra hol in jo kel lum mar nor os pel qua ren sol tur".split()
_THINGS = (
    "cache queue worker schema client server router index cursor gateway loader writer reader "
    "filter batcher limiter guard broker planner encoder decoder resolver tracker registry adapter"
).split()
_VERBS = (
    "retries drops locks validates rounds sorts escapes batches skips ignores truncates repeats "
    "flushes reopens rejects accepts delays needs keeps writes reads splits"
).split()
_COMMON = (
    "the service has a default that we do not change before the release because the test needs it "
    "when a request is late or a file is missing and the build runs on every branch with the same "
    "version of the database and the user gets an error about the time zone or the config"
).split()
_KINDS = ("fact", "lesson", "decision", "preference", "note")


class Writer:
    """Statements of a company's engineers, always the same for a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - repeatable, not secret
        self._names = [self._name(n) for n in range(NAMES)]
        self._weights = list(accumulate(1 / (n + 1) for n in range(NAMES)))
        self._repos = [f"repo:github.com/acme/service-{n}" for n in range(REPOS)]
        self._loads = list(accumulate(1 / (n + 1) for n in range(REPOS)))

    def _name(self, n: int) -> str:
        word = "".join(self._random.choices(_SYLLABLES, k=3))
        thing = self._random.choice(_THINGS)
        return f"{word}{thing.title()}" if n % 2 else f"{word}_{thing}"

    def some_name(self) -> str:
        """A name of something in the code, the common ones most often."""
        return self._random.choices(self._names, cum_weights=self._weights)[0]

    def statement(self, n: int) -> tuple[str, Content, str]:
        """(scope, content, kind) of the n-th statement."""
        draw = self._random
        subject, other = self.some_name(), self.some_name()
        rest = " ".join(draw.choices(_COMMON, k=draw.randint(4, 9)))
        title = f"{subject} {draw.choice(_VERBS)} {other} {rest}"
        body = ""
        if n % 3:
            words = draw.choices(_COMMON, k=draw.randint(12, 40))
            words[3] = f"`src/{other}/{subject}.py:{draw.randint(1, 900)}`"
            words[7] = f"v{draw.randint(0, 9)}.{draw.randint(0, 40)}.{draw.randint(0, 20)}"
            body = " ".join(words)
        repo = draw.choices(self._repos, cum_weights=self._loads)[0] if n % 20 else ""
        return repo or "global", Content(title=title, body=body), draw.choice(_KINDS)

    def question(self) -> str:
        """Eight words, of which two name something."""
        words = [*self._random.choices(_COMMON, k=6), self.some_name(), self.some_name()]
        self._random.shuffle(words)
        return " ".join(words)


def somewhere(repo: int = 0) -> Caller:
    """A person in one of the repositories."""
    place = Place(cwd="/src/service", repo=f"repo:github.com/acme/service-{repo}")
    return Caller(
        principal=Principal.person("ada", channel="terminal", confirmed=True), place=place
    )


def command_of(writer: Writer, n: int) -> Remember:
    """The command that keeps the n-th statement."""
    scope, content, kind = writer.statement(n)
    return Remember(content=content, scope=scope, kind=kind, distinct=True, dates_as_written=True)


def keep_many(memory: Memory, writer: Writer, start: int, end: int) -> None:
    """Keep some statements in one transaction; a person's own are never turned down."""
    made = memory.do_many([command_of(writer, n) for n in range(start, end)], somewhere())
    for n, outcome in enumerate(made, start):
        if outcome.item is None and outcome.code != "same.affirmed":
            message = f"statement {n} was not kept: {outcome.code}"
            raise SystemExit(message)


class Stores:
    """Stores of a seed in a folder, each in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, size: int) -> Path:
        """Where the store of a size is, or would be."""
        return self._folder / f"seed-{SEED}-items-{size}" / FILE

    def note(self, size: int) -> dict[str, Any]:
        """What was noted when the store was made."""
        text = self.path(size).with_name(_NOTE).read_text(encoding="utf-8")
        return dict(json.loads(text))

    def usable(self, size: int) -> bool:
        """Whether there is a whole store of the size, made with the schema of today."""
        path = self.path(size)
        if not path.with_name(_NOTE).exists():
            return False
        if self.note(size).get("seed") != SEED or self.note(size).get("items") != size:
            return False
        with closing(apsw.Connection(str(path))) as store:
            return _brought_up(store)

    def make(self, sizes: list[int]) -> None:
        """Make those that lack, each by going on from the one before."""
        lacking = [size for size in sizes if not self.usable(size)]
        if not lacking:
            return
        stops = sorted({*lacking, *range(STEP, max(lacking), STEP)})
        begun = max(
            (n for n in {*sizes, *stops} if n < min(lacking) and self.usable(n)), default=0
        )
        fast = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a folder of our own in it
        with tempfile.TemporaryDirectory(dir=fast) as made:
            work = Path(made) / "store" / FILE
            if begun:
                shutil.copytree(self.path(begun).parent, work.parent)
            writer = Writer(SEED)
            for n in range(begun):
                writer.statement(n)
            done = begun
            for stop in (size for size in stops if size > begun):
                spent = self._fill(work, writer, done, stop, max(lacking))
                self._keep(work, stop, spent)
                if done not in sizes:
                    shutil.rmtree(self.path(done).parent, ignore_errors=True)
                done = stop

    def _fill(self, work: Path, writer: Writer, start: int, end: int, last: int) -> float:
        """Statements from one number to another; the processor's seconds that took."""
        memory = wiring.open_memory(str(work))
        begun, spent = time.perf_counter(), time.process_time()
        for n in range(start, end, BATCH):
            keep_many(memory, writer, n, min(n + BATCH, end))
            kept = min(n + BATCH, end)
            if kept % 10_000 < BATCH or kept == end:
                rate = (kept - start) / (time.perf_counter() - begun)
                left = (last - kept) / rate / 60
                say(f"{kept} of {last} kept, {rate:.0f} a second, {left:.0f} minutes to go")
        memory.close()
        return time.process_time() - spent

    def _keep(self, work: Path, size: int, spent: float) -> None:
        with closing(apsw.Connection(str(work))) as store:
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            text = store.execute(
                "SELECT sum(octet_length(title) + octet_length(body)) FROM versions"
            ).get
        place = self.path(size).parent
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(work.parent, place)
        note = {
            "seed": SEED,
            "items": size,
            "text_bytes": text,
            "file_bytes": self.path(size).stat().st_size,
            "cpu_seconds_since_last": round(spent, 1),
        }
        (place / _NOTE).write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")
        say(f"kept the store of {size} in {place}")


def _brought_up(store: apsw.Connection) -> bool:
    """Give a store the tables and indices that came since; whether it has all as of today."""
    wanted = schema.declared()
    lacking = schema.differences(schema.parts(store), wanted)
    if any(how != "missing" for how, _ in lacking):
        return False
    names = {name for _, name in lacking}
    for part in sorted(wanted, key=lambda part: part[0] != "table"):
        if part[1] in names:
            store.execute(str(part[3]))
    # what the planner is to expect is part of the schema, and no part that is compared
    with closing(apsw.Connection(":memory:")) as fresh:
        for _, script in migrate.scripts():
            fresh.execute(migrate.text_of(script))
        rows = fresh.execute("SELECT tbl, idx, stat FROM sqlite_stat1").fetchall()
    store.execute("DELETE FROM sqlite_stat1")
    store.executemany("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", rows)
    return True


def say(text: str) -> None:
    """Tell how far it is; what is measured goes to the other stream."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def main() -> None:
    """Make the stores and keep them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--keep", required=True, help="the folder that holds the stores")
    args = parser.parse_args()
    os.umask(0o077)
    Stores(Path(args.keep)).make(sorted(int(size) for size in args.sizes.split(",")))


if __name__ == "__main__":
    main()
