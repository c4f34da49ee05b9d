"""What a store costs as it grows: searching, typing, packing, writing, the hook, space.

Takes the stores that `stores` makes, or makes those that lack; a fresh process measures each on
a copy of its own. Questions have eight words, common ones among them. Growth is the ratio from
one size to the next. Making a million takes about forty minutes: with `--keep` it is done once.
Vectors, where they are asked for with `--vectors`, are seeded directions of 384 numbers and mean
nothing, so what is found by them is not looked at, only what it costs.

    ./dev bench scale --sizes 10000,100000,1000000 --keep FOLDER --vectors 100000
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import apsw
import numpy as np
from stores import FILE, SEED, Stores, Writer, command_of, say, somewhere

from onrecord import wiring
from onrecord.domain.embedding import Space, Spec
from onrecord.service.finding import find
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


RESULT: Final = Path(__file__).parent / "results" / "scale.json"
HOOK: Final = str(Path(sys.executable).with_name("onrecord-hook"))
#: What grows is compared from one size to the next.
MEASURED: Final = (
    *("recall", "find", "pack", "pack_query", "show", "remember", "remember_distinct"),
    "hook_prompt",
)
_DIMENSION: Final = 384


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
    keys = _keys(writer)

    def pack(query: str) -> None:
        nonce = "0123456789abcdef"
        memory.pack(caller, query=query, budget=1_500, channel="cli", nonce=nonce)

    some = memory.recall(writer.some_name(), caller, limit=1).hits[0].item.id
    found: dict[str, Any] = {
        "recall": timed(lambda: memory.recall(writer.question(), caller, limit=10), rounds),
        "find": timed(lambda: find(memory, next(keys), caller), rounds),
        "pack": timed(lambda: pack(""), rounds // 4),
        "pack_query": timed(lambda: pack(writer.question()), rounds // 2),
        "show": timed(lambda: memory.get(some[-6:], caller), rounds // 4),
    }
    numbers = iter(range(count, 2 * count))

    def write(*, distinct: bool) -> None:
        command = replace(command_of(writer, next(numbers)), distinct=distinct)
        memory.do(command, somewhere())

    # an ordinary write also looks for the same and the opposite of what it says
    found["remember"] = timed(lambda: write(distinct=False), rounds // 2)
    found["remember_distinct"] = timed(lambda: write(distinct=True), rounds // 2)
    found["rss_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024
    memory.close()
    found["hook_prompt"] = percentiles(list(_hooks(path, writer, max(9, rounds // 20))))
    found["python_pass"] = percentiles(
        [_spent([sys.executable, "-c", "pass"], b"", {}) for _ in range(15)]
    )
    return found


def _keys(writer: Writer) -> Iterator[str]:
    """What stands in a search field after each key of two words that are typed, from three on."""
    while True:
        typed = f"{writer.some_name()} {writer.question().split()[0]}"
        for n in range(3, len(typed) + 1):
            yield typed[:n]


def measure_vectors(path: str, count: int, rounds: int) -> dict[str, Any]:
    """What the nearest of a scope's meanings costs, in a process of its own.

    Every active item has one seeded direction; the first question of a process reads those of
    the scopes in sight, and is told apart.
    """
    from onrecord.service.meaning import Asked, Meaning  # noqa: PLC0415 - only with vectors

    draw = np.random.default_rng(SEED + count)
    store = open_sqlite(path, create=False)
    spec = Spec(model="seeded", digest="0" * 64, dimension=_DIMENSION, pooling="mean", form="1")
    with store.write() as tx:
        tx.vectors.open(Space(id="scale", spec=spec, made_at=1))
        tx.vectors.switch("scale")
    after = ""
    while True:
        with store.write() as tx:
            lacking = tx.vectors.lacking("scale", after=after, limit=5_000)
            for (item, version), vector in zip(
                lacking, _directions(draw, len(lacking)), strict=True
            ):
                tx.vectors.put("scale", item, version, [vector])
        if not lacking:
            break
        after = lacking[-1][0]
    meaning = Meaning(_no_model)
    scopes = somewhere(1).place.ladder()

    asked = iter(_directions(draw, rounds))

    def ask() -> None:
        with store.read() as tx:
            meaning.near(tx, Asked(space="scale", vector=next(asked)), scopes, kinds=None, now=1)

    begun = time.process_time()
    ask()
    first = (time.process_time() - begun) * 1_000
    found = {"near_first_cpu_ms": round(first, 1), "near": timed(ask, rounds // 2)}
    found["near_rss_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024
    found["near_file_mib"] = round(Path(path).stat().st_size / 1_048_576, 1)
    store.close()
    return found


def _directions(draw: np.random.Generator, count: int) -> list[bytes]:
    numbers = draw.normal(size=(count, _DIMENSION))
    return [row.tobytes() for row in np.clip(numbers * 40, -127, 127).astype(np.int8)]


def _no_model(name: str) -> Any:
    raise AssertionError(name)


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


def at_size(stores: Stores, disk: Path, count: int, rounds: int, most: int) -> dict[str, Any]:
    """Copy a store to a disk and measure it there, in processes of their own."""
    row: dict[str, Any] = {"items": count}
    for what in ("--measure", "--measure-vectors"):
        if what == "--measure-vectors" and count > most:
            continue
        shutil.rmtree(disk, ignore_errors=True)
        shutil.copytree(stores.path(count).parent, disk)
        words = [sys.executable, __file__, what, str(disk / FILE), str(count)]
        done = subprocess.run(  # noqa: S603 - this program
            [*words, "--rounds", str(rounds)],
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=True,
        )
        row |= json.loads(done.stdout)
    size, text = stores.path(count).stat().st_size, stores.note(count)["text_bytes"]
    row["file_mib"] = round(size / 1_048_576, 1)
    row["bytes_per_item"] = size // count
    row["text_bytes_per_item"] = text // count
    row["space_over_target"] = round(size / (2_048 * count + 3 * text), 2)
    say(json.dumps(row))
    return row


def growth(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """How much slower each size is than the one before."""
    found: list[dict[str, Any]] = []
    for small, large in pairwise(rows):
        both = {what for what in (*MEASURED, "near") if what in small and what in large}
        step: dict[str, Any] = {"from": small["items"], "to": large["items"]}
        for name in ("p99_ms", "cpu_p50_ms"):
            step[name.removesuffix("_ms")] = {
                what: round(large[what][name] / max(small[what][name], 0.01), 2)
                for what in sorted(both)
                if name in large[what]
            }
        found.append(step)
    return found


def main() -> None:
    """Measure and keep the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--keep", help="the folder that holds the stores (`./dev bench stores`)")
    parser.add_argument("--disk", default=tempfile.gettempdir(), help="where to measure")
    parser.add_argument("--vectors", type=int, default=0, help="measure them up to this size")
    parser.add_argument("--result", default=str(RESULT), help="the file to write")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--measure-vectors", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    for given, way in ((args.measure, measure), (args.measure_vectors, measure_vectors)):
        if given:
            sys.stdout.write(json.dumps(way(given[0], int(given[1]), args.rounds)))
            return
    sizes = sorted(int(size) for size in args.sizes.split(","))
    with tempfile.TemporaryDirectory(dir=args.disk) as disk:
        stores = Stores(Path(args.keep) if args.keep else Path(disk) / "kept")
        stores.make(sizes)
        where = Path(disk) / "store"
        rows = [at_size(stores, where, size, args.rounds, args.vectors) for size in sizes]
    result = {
        "benchmark": "scale",
        "command": f"./dev bench scale --sizes {args.sizes} --rounds {args.rounds}"
        + (f" --vectors {args.vectors}" if args.vectors else ""),
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "seed": SEED,
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, shared",
        "versions": {"python": platform.python_version(), "sqlite": apsw.sqlite_lib_version()},
        "sizes": rows,
        "growth": growth(rows),
    }
    Path(args.result).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(f"{json.dumps(result, indent=2)}\n")


if __name__ == "__main__":
    main()
