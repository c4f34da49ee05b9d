"""Seeded months of ordinary writes through the gateway: what it asks about without need.

Prints and keeps how many of them were refused, asked about or merged away, month by month. A
person alone, and a person and two agents in turn, write into one repository of a real store.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import tempfile
import time
from pathlib import Path
from typing import Final

from onrecord import wiring
from onrecord.domain.item import Content, split
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.evals.month import Counting, Tally, writes
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember

HERE: Final = Path(__file__).parent
REPO: Final = "repo:month.example/acme/shop"
#: The first was looked at while the rules were made, the other two were not.
SEEDS: Final = (20310303, 20310808, 20310909)
#: 2031-03-03T09:00:00Z in microseconds; a write every twenty minutes.
START: Final = 1_930_381_200_000_000
EVERY: Final = 1_200_000_000


class Clock:
    """A clock that moves by itself at every write."""

    def __init__(self) -> None:
        self.at = START

    def now(self) -> int:
        """UTC microseconds."""
        return self.at


def callers() -> list[Caller]:
    """A person, and two agents of theirs."""
    found = [
        Caller(
            principal=Principal.person("ada", channel="terminal", confirmed=True),
            place=Place(cwd="/month", repo=REPO),
        )
    ]
    for name in ("claude-code", "codex"):
        place = Place(cwd="/month", repo=REPO, agent=f"agent:{name}")
        principal = Principal.for_agent(name, session="", channel="mcp")
        found.append(Caller(principal=principal, place=place))
    return found


def play(count: int, seed: int, *, person_only: bool = False) -> Tally:
    """So many writes into a new store."""
    clock, counting = Clock(), Counting()
    by = callers()[:1] if person_only else callers()
    with tempfile.TemporaryDirectory(prefix="onrecord-month-") as folder:
        memory = wiring.open_measured(str(Path(folder) / "memory.db"), clock)
        try:
            for n, write in enumerate(writes(count, seed)):
                title, body = split(write.text)
                caller = by[n % len(by)]
                scope = "agent" if caller.principal.agent else "repo"
                command = Remember(content=Content(title=title, body=body), scope=scope)
                counting.add(write, memory.do(command, caller))
                clock.at += EVERY
        finally:
            memory.close()
    return counting.tally()


def month_of(count: int, seed: int) -> dict[str, object]:
    """What became of one month, with and without agents."""
    told: dict[str, object] = {"seed": seed}
    for name, alone in (("person", True), ("person_and_agents", False)):
        tally = play(count, seed, person_only=alone)
        told[name] = {
            "counts": tally.counts,
            "ordinary": tally.ordinary,
            "false_refusals": len(tally.refused),
            "false_conflicts": len(tally.asked),
            "false_conflicts_percent": round(100 * len(tally.asked) / tally.ordinary, 2),
            "wrong_merges": len(tally.merged),
            "examples": [*tally.refused[:5], *tally.asked[:5], *tally.merged[:5]],
        }
    print(json.dumps(told, indent=1))  # noqa: T201
    return told


def main() -> None:
    """Run it, show it, keep it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--writes", type=int, default=2_200)
    parser.add_argument("--seed", type=int, action="append", default=[], help="repeat")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "month.json")
    args = parser.parse_args()
    begun = time.perf_counter()
    told: dict[str, object] = {
        "benchmark": "month",
        "command": "./dev bench month",
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "writes": args.writes,
        "target": "false refusals and false conflicts at most 0.5 % of ordinary writes each",
        "months": [month_of(args.writes, seed) for seed in args.seed or SEEDS],
    }
    told["seconds"] = round(time.perf_counter() - begun, 1)
    args.out.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    print(f"kept in {args.out}")  # noqa: T201


if __name__ == "__main__":
    main()
