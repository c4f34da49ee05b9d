"""How the gateway decides on the development corpora: secrets, poison, pairs, tombstones, dates.

Runs `onrecord.evals.probes` under the corpora's own scorers, in one process without a network,
prints their tables, and keeps the measures. The rules were tuned on these halves; figures on
them are an upper bound. The corpora stand beside the checkout in `shared`, or where
ONRECORD_SHARED points.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.util
import json
import os
import platform
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import apsw

from onrecord.evals import probes

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

HERE: Final = Path(__file__).parent


def shared() -> Path:
    """The folder of the corpora."""
    given = os.environ.get("ONRECORD_SHARED")
    folder = Path(given) if given else HERE.parent.parent / "shared"
    if not (folder / "data" / "gateway" / "score.py").exists():
        sys.exit(f"no corpora in {folder}: set ONRECORD_SHARED to the folder that has them")
    return folder / "data"


def scorer(folder: Path) -> ModuleType:
    """The scorer that stands beside a corpus."""
    name = f"score_{folder.name}"
    spec = importlib.util.spec_from_file_location(name, folder / "score.py")
    if spec is None or spec.loader is None:
        sys.exit(f"no scorer in {folder}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def dated(text: str, recorded: str | None, tz: str | None) -> tuple[str, str]:
    """The probe's answer as (action, text)."""
    answer = probes.dates(text, recorded, tz)
    if answer == "ask":
        return "ask", text
    return ("keep" if answer == text else "rewrite"), answer


def safety(data: Path) -> dict[str, Any]:
    """Secrets taken out, clean texts kept, poison held."""
    score = scorer(data / "safety")
    found = score.secrets_score(data / "safety" / "secrets.jsonl", probes.redact)
    secrets = {
        "spans": found["spans"],
        "recall": round(found["recall"], 4),
        "clean": found["clean"],
        "clean_kept": round(found["clean_kept"], 4),
        "prose": found["prose"],
        "seen_kinds": found["seen_kinds"],
        "novel_kinds": found["novel_kinds"],
        "characters_lost": found["over"],
        "missed": [list(row) for row in found["missed"]],
        "damaged": found["damaged"],
    }
    poison, bad = score.poison_score(data / "safety" / "poison.jsonl", probes.judge)
    shown = {name: f"{right} of {n}" for name, (right, n) in poison.items()}
    print(f"\nsecrets: recall {secrets['recall']:.4f}, clean kept {secrets['clean_kept']:.4f}")  # noqa: T201
    print(f"poison: {shown}")  # noqa: T201
    return {"secrets": secrets, "poison": poison, "poison_not_right": [list(row) for row in bad]}


def decisions(data: Path) -> dict[str, Any]:
    """Pairs, tombstones, dates, durable and citations, by the corpus's scorer."""
    score = scorer(data / "gateway")
    functions: dict[str, Callable[..., Any]] = {
        "gateway": probes.gateway,
        "tombstone": probes.tombstone,
        "dates": dated,
        "durable": probes.durable,
        "citations": probes.citations,
    }
    found: dict[str, Any] = score.run(functions, halves=["dev"])
    found["dev"]["pairs"]["became"] = became(score)
    return found


def became(score: ModuleType) -> dict[str, dict[str, int]]:
    """The confusion table of the pairs: what each kind was answered with."""
    table: dict[str, Counter[str]] = {}
    for row in score.load("dev", "pairs"):
        kind = " ".join(filter(None, (row["label"], row.get("subtype", ""))))
        table.setdefault(kind, Counter())[probes.gateway(row["a"], row["b"])] += 1
    return {kind: dict(sorted(counts.items())) for kind, counts in table.items()}


def typed(data: Path) -> dict[str, Any]:
    """Recall of what people type, lexically, through the real store."""
    half = data / "typed" / "dev"
    search = probes.load(half / "items.jsonl")
    print()  # noqa: T201
    found: dict[str, Any] = scorer(data / "typed").score(str(half), search)
    return found


def rounded(value: Any) -> Any:
    """Figures to four places, whatever they stand in."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {str(name): rounded(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(one) for one in value]
    return value


def main() -> None:
    """Run it, show it, keep it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=HERE / "results" / "gateway.json")
    args = parser.parse_args()
    data = shared()
    begun = time.perf_counter()
    told: dict[str, Any] = {
        "benchmark": "gateway",
        "command": "./dev bench gateway",
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "data": "development halves, on which the rules were tuned",
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "versions": {
            "python": platform.python_version(),
            "sqlite": apsw.sqlite_lib_version(),
            "apsw": apsw.apsw_version(),
        },
    }
    for part in (safety, decisions, typed):
        told[part.__name__] = rounded(part(data))
    told["seconds"] = round(time.perf_counter() - begun, 1)
    args.out.parent.mkdir(exist_ok=True)
    args.out.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    print(f"\nkept in {args.out}")  # noqa: T201


if __name__ == "__main__":
    main()
