"""Retrieval runs in every hook: it loads nothing that costs an agent time."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

from corpora import ROOT

HEAVY: Final = (
    *("re", "enum", "json", "typing", "dataclasses", "functools", "collections", "contextlib"),
    *("datetime", "pathlib", "random", "inspect", "importlib", "logging", "subprocess", "string"),
)
MODULES: Final = sorted(
    f"onrecord.retrieval.{path.stem}"
    for path in (ROOT / "src/onrecord/retrieval").glob("*.py")
    # `dense` needs numpy, and is loaded where a model of meanings answers alone
    if path.stem not in ("__init__", "dense")
)


SCRIPT: Final = """
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
for name in sys.argv[2:]:
    __import__(name)
print(*(set(sys.modules) - before))
"""


def test_no_module_of_the_room_loads_a_heavy_one() -> None:
    """All of them together, and the service's packs, in a bare process."""
    asked = [*MODULES, "onrecord.service.packs"]
    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-c", SCRIPT, str(ROOT / "src"), *asked],
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout.split()

    assert "onrecord.retrieval.recall" in loaded
    assert sorted(set(loaded) & set(HEAVY)) == []
