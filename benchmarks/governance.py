"""Which acceptance criteria hold: runs their tests, prints the table, and keeps it.

The same run as `onrecord eval governance`, with what a reader needs to judge it beside it. It
takes minutes.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.metadata
import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any, Final

import apsw

from onrecord.evals import governance

HERE: Final = Path(__file__).parent
README: Final = HERE.parent / "README.md"
PACKAGES: Final = ("pytest", "hypothesis", "google-re2", "psycopg")


def commit(root: Path) -> dict[str, Any]:
    """What was tested: the commit, and whether the tree had changes on top of it."""
    told = [
        subprocess.run(  # noqa: S603 - git, with fixed words
            ["git", *words],  # noqa: S607 - found on the path, as everywhere
            cwd=root,
            capture_output=True,
            check=False,
            encoding="utf-8",
        ).stdout.strip()
        for words in (
            ("rev-parse", "HEAD"),
            ("status", "--porcelain", "--untracked-files=no", "--", "src", "tests"),
        )
    ]
    return {"commit": told[0], "changes_on_top": bool(told[1])}


def write_readme(told: dict[str, Any]) -> None:
    """Put the run into the README, between the marks that it has for it."""
    text = README.read_text(encoding="utf-8")
    before, found, rest = text.partition(f"{governance.START}\n")
    _, ended, after = rest.partition(f"{governance.END}\n")
    if not found or not ended:
        raise SystemExit("the README has no place for the criteria")
    made = "\n".join((governance.START, *governance.told_in_readme(told), governance.END))
    README.write_text(f"{before}{made}\n{after}", encoding="utf-8")


def tell(doing: str, done: int, total: int) -> None:
    """A line now and then."""
    if done % 10 == 0:
        print(f"{doing}: {done} of {total}", flush=True)  # noqa: T201 - a benchmark prints


def main() -> int:
    """Run it, show it, keep it; status 1 where something that is built does not pass."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "governance.json")
    parser.add_argument("--no-readme", action="store_true", help="leave the README as it is")
    args = parser.parse_args()
    root = governance.checkout()
    before = commit(root)
    report = governance.run(governance.chosen((), ()), root, workers=args.workers, tell=tell)
    told = {
        "benchmark": "governance",
        "command": "./dev bench governance",
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "versions": {
            "python": platform.python_version(),
            "sqlite": apsw.sqlite_lib_version(),
            "apsw": apsw.apsw_version(),
            **{name: importlib.metadata.version(name) for name in PACKAGES},
        },
        **before,
        **report.to_json(),
    }
    for one in report.verdicts:
        counts = f"{one.passed} passed, {one.failed} failed, {one.skipped} not run"
        print(f"{one.criterion.id:<44} {one.state:<13} {counts}")  # noqa: T201
        for test in one.failing:
            print(f"    {test}")  # noqa: T201
    args.out.parent.mkdir(exist_ok=True)
    args.out.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    if not args.no_readme:
        write_readme(told)
    print(f"\n{report.counts}, kept in {args.out}")  # noqa: T201
    return 0 if report.good else 1


if __name__ == "__main__":
    raise SystemExit(main())
