"""Whichever room of the service is entered first, it loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import onrecord.service

LOOP = """
import importlib, sys
failed = []
for name in sys.argv[1:]:
    for loaded in [known for known in sys.modules if known.startswith("onrecord")]:
        del sys.modules[loaded]
    try:
        importlib.import_module(f"onrecord.service.{name}")
    except Exception as error:
        failed.append(f"{name}: {error}")
sys.exit("\\n".join(failed) or 0)
"""


def test_every_module_can_be_the_first_to_be_imported() -> None:
    """Each by itself, with nothing of ours loaded before it: no ring of imports."""
    folder = Path(onrecord.service.__file__).parent
    names = sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")
    done = subprocess.run(
        [sys.executable, "-c", LOOP, *names], capture_output=True, timeout=300, check=False
    )

    assert len(names) > 50
    assert done.returncode == 0, done.stderr.decode("utf-8")
