"""How long an agent waits for the hook: whole processes, from exec to exit.

Makes a store of 10,000 items, then runs `python -c pass` and the installed `onrecord-hook` in
turns, with the store in each of its states, and gives the medians and their ratios to the
bare interpreter. Every start of a session is one of its own; the spool is emptied between
rounds, as the next to open the store does. Figures are of one machine in one run.
"""

from __future__ import annotations

import argparse
import compileall
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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import apsw

from onrecord import wiring
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember
from onrecord.service.places import place_at
from onrecord.wiring import spool_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

HERE: Final = Path(__file__).parent
HOOK: Final = str(Path(sys.executable).with_name("onrecord-hook"))
SEED: Final = 20_260_101

#: Words that names are made of: 40 times 40 give as many modules as a large code base has.
_FIRST = (
    "cart checkout search login billing report export import sync upload invoice catalog price "
    "stock order basket coupon refund account profile address payment tax ledger shipping parcel "
    "label carrier route depot scanner ticket inbox digest alert quota tenant audit policy theme"
).split()
_SECOND = (
    "parser cache queue worker schema client server router renderer scheduler index cursor "
    "gateway loader writer reader mapper filter sorter batcher limiter guard broker lexer "
    "planner encoder decoder resolver tracker sampler merger splitter builder runner poller "
    "notifier registry adapter bridge shim"
).split()
_VERBS = (
    "retries drops locks validates rounds sorts escapes batches skips ignores truncates repeats "
    "reorders flushes reopens rejects accepts delays mangles forgets"
).split()
_THINGS = (
    "the lock file|empty values|duplicate rows|time zones|large files|negative amounts|stale "
    "handles|the nightly job|unicode names|rate limits|the staging database|signed links|webhook "
    "replays|trailing commas|leap days|half-open ranges|missing headers|gzip bodies|long polls|"
    "partial writes|cold starts|clock skew|deadlocks|orphaned rows|soft deletes"
).split("|")
_KINDS = ("fact", "lesson", "decision", "preference", "note")
#: What people ask that nothing is known of.
UNRELATED: Final = (
    "Please write a short poem about the sea.",
    "Move the {0} {1} into a module of its own.",
    "Rename the variable in line 40 and run the tests again.",
)
#: What they add to the name of something that is known.
WISHES: Final = (
    "Look at the code and fix it.",
    "Write a test for that first.",
    "Is that still so?",
)
#: The hook events that are measured: as a client names them, and what they are called here.
RELATED: Final = "UserPromptSubmit, something is known"
EVENTS: Final = {
    "SessionStart": "SessionStart",
    "UserPromptSubmit": "UserPromptSubmit",
    RELATED: "UserPromptSubmit",
    "Stop": "Stop",
}


def _pick(rng: random.Random, words: Sequence[str]) -> str:
    """A word, the first ones far more often than the last, as in any text."""
    return words[min(int(rng.paretovariate(0.7)) - 1, len(words) - 1)]


def texts(rng: random.Random, count: int) -> Iterator[Content]:
    """So many statements as agents and people make them; the same for the same seed."""
    for number in range(count):
        first, second = rng.choice(_FIRST), rng.choice(_SECOND)
        what = f"{_pick(rng, _VERBS)} {_pick(rng, _THINGS)}"
        body = " ".join(
            f"See {rng.choice(_FIRST)}/{rng.choice(_SECOND)}_{rng.randrange(9_999)}.py, where it"
            f" {_pick(rng, _VERBS)} {_pick(rng, _THINGS)}."
            for _ in range(rng.randrange(0, 4))
        )
        yield Content(title=f"The {first} {second} {what} (case {number})", body=body)


def fill(store: Path, repo: Path, count: int) -> list[str]:
    """A store of that many items: a tenth in this repository, the rest in nineteen others.

    Returns the titles of those in this repository.
    """
    rng = random.Random(SEED)  # noqa: S311 - the same store every time
    memory = wiring.open_memory(str(store))
    caller = Caller(
        principal=Principal.person("ada", channel="terminal", confirmed=True),
        place=place_at(str(repo)),
    )
    titles: list[str] = []
    for number, content in enumerate(texts(rng, count)):
        if number % 10 == 0:
            titles.append(content.title)
        scope = "repo" if number % 10 == 0 else f"repo:github.com/acme/shop-{number % 19}"
        kind = rng.choice(_KINDS)
        memory.do(Remember(content=content, scope=scope, kind=kind, distinct=True), caller)
    memory.close()
    return titles


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """What one process took."""

    #: milliseconds from exec to exit
    whole: float
    #: milliseconds of computing in it, which a busy machine changes less
    cpu: float
    printed: bytes


class Bench:
    """A home with a store, and hook calls in it."""

    def __init__(self, folder: Path, items: int) -> None:
        self.home = folder / "home"
        self.repo = folder / "repo"
        self.store = self.home / ".local" / "share" / "onrecord" / "memory.db"
        self.home.mkdir()
        begin = ["git", "init", "-q", "-b", "main", str(self.repo)]
        subprocess.run(begin, check=True)  # noqa: S603 - fixed words
        self.titles = fill(self.store, self.repo, items)
        self.env = {
            "HOME": str(self.home),
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            "CLAUDECODE": "1",
            "ONRECORD_HOOK_DEADLINE_MS": "5000",  # slow answers are measured, not cut
        }
        self.number = 0

    def pass_(self) -> Spent:
        """The interpreter doing nothing."""
        return self.timed([sys.executable, "-c", "pass"], b"")

    def call(self, what: str) -> Spent:
        """One hook call of a session of its own."""
        self.number += 1
        rng = random.Random(self.number)  # noqa: S311 - the same questions every time
        words = (rng.choice(_FIRST), rng.choice(_SECOND))
        prompt = rng.choice(UNRELATED).format(*words)
        if what == RELATED:
            prompt = f"{rng.choice(self.titles)}. {rng.choice(WISHES)}"
        told = {
            "session_id": f"bench-{self.number}",
            "transcript_path": str(self.home / "t.jsonl"),
            "cwd": str(self.repo),
            "hook_event_name": EVENTS[what],
            "source": "startup",
            "prompt": prompt,
        }
        return self.timed([HOOK, "claude-code", EVENTS[what]], json.dumps(told).encode())

    def timed(self, command: list[str], payload: bytes) -> Spent:
        """From exec to exit."""
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(  # noqa: S603 - our own programs
            command,
            input=payload,
            cwd=self.repo,
            env=self.env,
            stdout=subprocess.PIPE,
            check=True,
        )
        whole = (time.perf_counter() - begun) * 1_000
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1_000
        return Spent(whole=whole, cpu=cpu, printed=done.stdout)

    def sweep(self) -> None:
        """Leave no record behind."""
        shutil.rmtree(spool_folder(str(self.store)), ignore_errors=True)

    # -- states of the store ------------------------------------------------------------
    @contextmanager
    def free(self) -> Iterator[None]:
        """Nobody else is there."""
        yield

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Somebody is in the middle of a long change."""
        connection = apsw.Connection(str(self.store))
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE items SET pinned = pinned")
        yield
        connection.execute("ROLLBACK")
        connection.close()

    @contextmanager
    def shut(self) -> Iterator[None]:
        """Somebody keeps readers out too."""
        connection = apsw.Connection(str(self.store))
        connection.pragma("locking_mode", "exclusive")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("UPDATE items SET pinned = pinned")
        yield
        connection.execute("ROLLBACK")
        connection.close()

    @contextmanager
    def missing(self) -> Iterator[None]:
        """There is no store."""
        with self.moved():
            yield

    @contextmanager
    def corrupt(self) -> Iterator[None]:
        """The file holds something else."""
        with self.moved():
            self.store.write_bytes(b"this is no database at all\n" * 4_000)
            yield
            self.store.unlink()

    @contextmanager
    def moved(self) -> Iterator[None]:
        """The store's files are elsewhere meanwhile."""
        files = [path for path in self.store.parent.glob("memory.db*") if path.is_file()]
        aside = self.store.parent.parent / "aside"
        aside.mkdir()
        for path in files:
            path.rename(aside / path.name)
        yield
        for path in aside.iterdir():
            path.rename(self.store.parent / path.name)
        aside.rmdir()

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """File and folder may not be written (root is not bound by modes: a mark, at least)."""
        self.store.chmod(0o400)
        self.store.parent.chmod(0o500)
        yield
        self.store.parent.chmod(0o700)
        self.store.chmod(0o600)

    @contextmanager
    def full(self) -> Iterator[None]:
        """No file may grow, as on a full disk."""
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
        yield
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


#: State of the store -> how it is brought about.
STATES: Final[dict[str, Callable[[Bench], Any]]] = {
    "free": Bench.free,
    "a writer at work": Bench.locked,
    "readers shut out": Bench.shut,
    "missing": Bench.missing,
    "corrupt": Bench.corrupt,
    "read-only": Bench.read_only,
    "disk full": Bench.full,
}


def measure(bench: Bench, runs: int) -> dict[str, Any]:
    """Every case once a round, in turns, so that a slow moment falls on all of them."""
    cases = [
        (event, state)
        for state in STATES
        for event in EVENTS
        if state == "free" or event in ("SessionStart", "UserPromptSubmit")
    ]
    taken: dict[tuple[str, str], list[Spent]] = {case: [] for case in cases}
    bare: list[Spent] = []
    for number in range(runs + 1):
        for event, state in cases:
            with ExitStack() as stack:
                stack.enter_context(STATES[state](bench))
                spent = bench.call(event)
            bench.sweep()
            nothing = bench.pass_()
            if number:  # the first round warms the caches of files
                taken[event, state].append(spent)
                bare.append(nothing)
    whole = statistics.median(spent.whole for spent in bare)
    cpu = statistics.median(spent.cpu for spent in bare)
    return {
        "python -c pass": {
            "median_ms": round(whole, 2),
            "cpu_ms": round(cpu, 2),
            "runs": len(bare),
        },
        "cases": [
            {
                "event": event,
                "store": state,
                "median_ms": round(statistics.median(one.whole for one in spent), 2),
                "worst_ms": round(max(one.whole for one in spent), 2),
                "ratio": round(statistics.median(one.whole for one in spent) / whole, 2),
                "cpu_ms": round(statistics.median(one.cpu for one in spent), 2),
                "cpu_ratio": round(statistics.median(one.cpu for one in spent) / cpu, 2),
                "answered": sum(bool(one.printed) for one in spent),
                "runs": len(spent),
            }
            for (event, state), spent in taken.items()
        ],
    }


def about(items: int) -> dict[str, Any]:
    """What the figures depend on."""
    return {
        "benchmark": "hook",
        "command": "./dev bench hook",
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "seed": SEED,
        "items": items,
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "load_before": [round(load, 2) for load in os.getloadavg()],
        "versions": {
            "python": platform.python_version(),
            "sqlite": apsw.sqlite_lib_version(),
            "apsw": apsw.apsw_version(),
        },
    }


def main() -> None:
    """Run it, show it, keep it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "hook.json")
    args = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir(HERE.parent / "src" / "onrecord", quiet=2)
    told = about(args.items)
    with tempfile.TemporaryDirectory(prefix="onrecord-bench-") as folder:
        print(f"making a store of {args.items} items ...", flush=True)  # noqa: T201
        bench = Bench(Path(folder), args.items)
        print(f"measuring {args.runs} rounds ...", flush=True)  # noqa: T201
        told["store_bytes"] = bench.store.stat().st_size
        told |= measure(bench, args.runs)
    args.out.parent.mkdir(exist_ok=True)
    args.out.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    print(f"python -c pass {told['python -c pass']['median_ms']} ms")  # noqa: T201
    for case in told["cases"]:
        print(  # noqa: T201
            f"{case['event']:<37} {case['store']:<17} {case['median_ms']:>7.1f} ms"
            f" {case['ratio']:>5.2f} x  cpu {case['cpu_ratio']:>5.2f} x"
            f"  answered {case['answered']} of {case['runs']}"
        )


if __name__ == "__main__":
    main()
