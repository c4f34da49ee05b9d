"""What a store costs as it grows: searching, packing, writing, the hook, space.

Fills one store through the gateway with seeded statements of many repositories, and stops at
each size: the file is copied to a disk, and a fresh process measures there. Questions have eight
words, common ones among them. Growth is the ratio from one size to the next. The largest size
takes as long as its writes do, about half an hour a million.

    ./dev bench scale --sizes 10000,100000,1000000
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import apsw

from onrecord import wiring
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from onrecord.service.memory import Memory

RESULT: Final = Path(__file__).parent / "results" / "scale.json"
HOOK: Final = str(Path(sys.executable).with_name("onrecord-hook"))
SEED: Final = 20_260_101
#: Repositories; the first has the most memories, as 1/n (Zipf 1949).
REPOS: Final = 60
#: Names of things in the code, as many as a large company has.
NAMES: Final = 20_000

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
        self._weights = [1 / (n + 1) for n in range(NAMES)]
        self._repos = [f"repo:github.com/acme/service-{n}" for n in range(REPOS)]
        self._loads = [1 / (n + 1) for n in range(REPOS)]

    def _name(self, n: int) -> str:
        word = "".join(self._random.choices(_SYLLABLES, k=3))
        thing = self._random.choice(_THINGS)
        return f"{word}{thing.title()}" if n % 2 else f"{word}_{thing}"

    def _some_name(self) -> str:
        return self._random.choices(self._names, self._weights)[0]

    def statement(self, n: int) -> tuple[str, Content, str]:
        """(scope, content, kind) of the n-th statement."""
        draw = self._random
        subject, other = self._some_name(), self._some_name()
        rest = " ".join(draw.choices(_COMMON, k=draw.randint(4, 9)))
        title = f"{subject} {draw.choice(_VERBS)} {other} {rest}"
        body = ""
        if n % 3:
            words = draw.choices(_COMMON, k=draw.randint(12, 40))
            words[3] = f"`src/{other}/{subject}.py:{draw.randint(1, 900)}`"
            words[7] = f"v{draw.randint(0, 9)}.{draw.randint(0, 40)}.{draw.randint(0, 20)}"
            body = " ".join(words)
        scope = "global" if n % 20 == 0 else draw.choices(self._repos, self._loads)[0]
        return scope, Content(title=title, body=body), draw.choice(_KINDS)

    def question(self) -> str:
        """Eight words, of which two name something."""
        words = [*self._random.choices(_COMMON, k=6), self._some_name(), self._some_name()]
        self._random.shuffle(words)
        return " ".join(words)


def somewhere(repo: int = 0) -> Caller:
    """A person in one of the repositories."""
    place = Place(cwd="/src/service", repo=f"repo:github.com/acme/service-{repo}")
    return Caller(
        principal=Principal.person("ada", channel="terminal", confirmed=True), place=place
    )


def keep(memory: Memory, writer: Writer, n: int) -> None:
    """Write one statement through the gateway."""
    scope, content, kind = writer.statement(n)
    command = Remember(
        content=content, scope=scope, kind=kind, distinct=True, dates_as_written=True
    )
    made = memory.do(command, somewhere())
    if made.item is None and made.code != "same.affirmed":
        message = f"statement {n} was not kept: {made.code}"
        raise SystemExit(message)


def percentiles(values: list[float]) -> dict[str, float]:
    """Median and 99th percentile, in milliseconds."""
    ordered = sorted(values)
    last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return {"p50_ms": round(statistics.median(ordered), 2), "p99_ms": round(last, 2)}


def timed(work: Callable[[], object], rounds: int) -> dict[str, float]:
    """How long it takes, on the wall and on the processor, after one round that warms up."""
    work()
    wall: list[float] = []
    cpu: list[float] = []
    for _ in range(rounds):
        begun, spent = time.perf_counter(), time.process_time()
        work()
        wall.append((time.perf_counter() - begun) * 1_000)
        cpu.append((time.process_time() - spent) * 1_000)
    return {**percentiles(wall), "cpu_p50_ms": round(statistics.median(cpu), 2)}


def measure(path: str, count: int, rounds: int) -> dict[str, Any]:
    """Everything of one size, in the process that is asked for it."""
    writer = Writer(SEED + count)
    memory = wiring.open_memory(path, create=False)
    caller = somewhere(1)
    found: dict[str, Any] = {
        "recall": timed(lambda: memory.recall(writer.question(), caller, limit=10), rounds),
        "pack": timed(
            lambda: memory.pack(caller, budget=1_500, channel="cli", nonce="0123456789abcdef"),
            rounds // 4,
        ),
    }
    numbers = iter(range(count, 2 * count))
    found["remember"] = timed(lambda: keep(memory, writer, next(numbers)), rounds // 2)
    found["rss_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024
    memory.close()
    found["hook_prompt"] = percentiles(list(_hooks(path, writer, max(9, rounds // 20))))
    found["python_pass"] = percentiles(
        [_spent([sys.executable, "-c", "pass"], b"", {}) for _ in range(15)]
    )
    return found


def _hooks(path: str, writer: Writer, rounds: int) -> Iterator[float]:
    with tempfile.TemporaryDirectory() as folder:
        git = Path(folder) / ".git"
        (git / "refs").mkdir(parents=True)
        (git / "objects").mkdir()
        (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        origin = "https://github.com/acme/service-1.git"
        (git / "config").write_text(f'[remote "origin"]\n\turl = {origin}\n', encoding="utf-8")
        env = {**os.environ, "ONRECORD_DB": path, "HOME": folder}
        for n in range(rounds + 1):
            payload = {
                "session_id": f"scale-{n}",
                "hook_event_name": "UserPromptSubmit",
                "prompt": writer.question(),
                "cwd": folder,
            }
            words = [HOOK, "claude-code", "UserPromptSubmit"]
            spent = _spent(words, json.dumps(payload).encode(), env)
            if n:
                yield spent


def _spent(words: list[str], given: bytes, env: dict[str, str]) -> float:
    begun = time.perf_counter()
    subprocess.run(words, input=given, env=env or None, capture_output=True, check=True)  # noqa: S603 - our own programs
    return (time.perf_counter() - begun) * 1_000


def at_size(store: Path, disk: Path, count: int, text: int, rounds: int) -> dict[str, Any]:
    """Copy the store to a disk and measure it there, in a process of its own."""
    shutil.rmtree(disk, ignore_errors=True)
    shutil.copytree(store.parent, disk)
    words = [sys.executable, __file__, "--measure", str(disk / store.name), str(count)]
    done = subprocess.run(  # noqa: S603 - this program
        [*words, "--rounds", str(rounds)], capture_output=True, encoding="utf-8", check=True
    )
    row: dict[str, Any] = {"items": count, **json.loads(done.stdout)}
    size = store.stat().st_size
    row["file_mib"] = round(size / 1_048_576, 1)
    row["bytes_per_item"] = size // count
    row["text_bytes_per_item"] = text // count
    row["space_over_target"] = round(size / (2_048 * count + 3 * text), 2)
    return row


def fill(sizes: list[int], folder: Path, disk: Path, rounds: int) -> list[dict[str, Any]]:
    """One row for each size."""
    store = folder / "store" / "memory.db"
    writer = Writer(SEED)
    rows: list[dict[str, Any]] = []
    memory = wiring.open_memory(str(store))
    text, begun = 0, time.perf_counter()
    for n in range(max(sizes)):
        keep(memory, writer, n)
        if n + 1 in sizes:
            memory.close()
            connection = apsw.Connection(str(store))
            text = connection.execute(
                "SELECT sum(octet_length(title) + octet_length(body)) FROM versions"
            ).get
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()
            rows.append(at_size(store, disk, n + 1, text, rounds))
            sys.stderr.write(f"{json.dumps(rows[-1])}\n")
            memory = wiring.open_memory(str(store))
        elif n % 10_000 == 0 and n:
            sys.stderr.write(f"{n} kept in {time.perf_counter() - begun:.0f} s\n")
    memory.close()
    return rows


def growth(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How much slower each size is than the one before."""
    found: list[dict[str, Any]] = []
    for small, large in pairwise(rows):
        factors = {
            what: round(large[what]["p99_ms"] / small[what]["p99_ms"], 2)
            for what in ("recall", "pack", "remember", "hook_prompt")
        }
        found.append({"from": small["items"], "to": large["items"], "p99": factors})
    return found


def main() -> None:
    """Measure and keep the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--measure", nargs=2, metavar=("PATH", "ITEMS"), help=argparse.SUPPRESS)
    parser.add_argument("--disk", default=tempfile.gettempdir(), help="where to measure")
    args = parser.parse_args()
    if args.measure:
        found = measure(args.measure[0], int(args.measure[1]), args.rounds)
        sys.stdout.write(json.dumps(found))
        return
    sizes = sorted(int(size) for size in args.sizes.split(","))
    fast = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a folder of our own in it
    with (
        tempfile.TemporaryDirectory(dir=fast) as folder,
        tempfile.TemporaryDirectory(dir=args.disk) as disk,
    ):
        rows = fill(sizes, Path(folder), Path(disk) / "store", args.rounds)
    result = {
        "benchmark": "scale",
        "command": f"./dev bench scale --sizes {args.sizes} --rounds {args.rounds}",
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "seed": SEED,
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, shared",
        "versions": {"python": platform.python_version(), "sqlite": apsw.sqlite_lib_version()},
        "sizes": rows,
        "growth": growth(rows),
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(f"{json.dumps(result, indent=2)}\n")


if __name__ == "__main__":
    main()
