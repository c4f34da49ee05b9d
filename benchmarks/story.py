"""How much of a person's time it takes until one agent's lesson reaches the other agent.

Plays the main job with recorded payloads in throw-away homes and measures the one part that a
person has to be there for: from starting `onrecord review` to its end, with the key typed as
soon as the question stands there. Reading and deciding come on top; the target is that all of
it stays under 10 s.

    .venv/bin/python benchmarks/story.py
"""

from __future__ import annotations

import datetime as dt
import json
import platform
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROUNDS = 9
RESULT = Path(__file__).parent / "results" / "story.json"


def play() -> float:
    """Seconds of the person's time in one story."""
    program = Path(sys.executable).parent / "onrecord"
    done = subprocess.run(  # noqa: S603 - our own program
        [str(program), "demo", "--replay"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    found = re.search(r"took the person ([0-9.]+) s", done.stdout)
    if found is None:
        raise SystemExit("the demo did not say how long the person took")
    return float(found.group(1))


def main() -> None:
    """Play, print, and keep the figures."""
    times = [play() for _ in range(ROUNDS)]
    result = {
        "what": "seconds of a person's time from starting `onrecord review` to its end, one key",
        "command": ".venv/bin/python benchmarks/story.py",
        "rounds": ROUNDS,
        "median_s": round(statistics.median(times), 2),
        "worst_s": max(times),
        "target_s": 10,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))  # noqa: T201 - a benchmark prints its result


if __name__ == "__main__":
    main()
