"""The first replies need nothing heavy: a client waits for them at every start of a session."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from mcp_client import ENVELOPE, ONRECORD, PATIENCE_S, environment

if TYPE_CHECKING:
    from pathlib import Path

#: Modules in the process once a client has its list of tools, Python's own included.
CEILING: Final = 85

#: What is loaded at the first call and not before, or never.
HEAVY: Final = (
    *("apsw", "re2", "rapidfuzz", "tomlkit", "tomllib", "sqlite3", "hashlib", "hmac"),
    *("dataclasses", "typing", "inspect", "pathlib", "argparse", "logging", "subprocess"),
    *("datetime", "uuid", "random", "tempfile", "urllib", "asyncio", "threading", "signal"),
    *("mcp", "pydantic", "onrecord.service", "onrecord.storage", "onrecord.policy"),
    *("onrecord.domain", "onrecord.retrieval", "onrecord.config", "onrecord.doors.cli.command"),
)

#: Runs the installed program, and writes down what it has loaded when it ends.
WATCH: Final = """\
import atexit, sys
def tell():
    with open({path!r}, "w") as file:
        file.write("\\n".join(sorted(sys.modules)))
atexit.register(tell)
"""


def ask(method: str, number: int, **params: object) -> bytes:
    """A request as a line."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


HANDSHAKE: Final = [
    ask("server/discover", 0, _meta=ENVELOPE),
    ask("initialize", 1, protocolVersion="2025-11-25", capabilities={"roots": {}}),
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
    ask("ping", 2),
    ask("tools/list", 3),
]


def modules(folder: Path, *lines: bytes) -> tuple[set[str], list[bytes]]:
    """What is loaded in the process that got these lines, and what it answered."""
    told = folder / "modules.txt"
    (folder / "watch").mkdir(exist_ok=True)
    watch = WATCH.format(path=str(told))
    (folder / "watch" / "sitecustomize.py").write_text(watch, encoding="utf-8")
    env = environment(folder, folder / "data" / "memory.db", PYTHONPATH=str(folder / "watch"))
    done = subprocess.run(
        [ONRECORD, "mcp", "--client", "claude-code"],
        input=b"".join(lines),
        capture_output=True,
        cwd=folder,
        env=env,
        timeout=PATIENCE_S,
        check=True,
    )
    return set(told.read_text(encoding="utf-8").split()), done.stdout.splitlines()


def test_nothing_heavy_is_loaded_before_the_first_call(tmp_path: Path) -> None:
    """Handshake and list of tools cost a ceiling of modules, and no store is even looked for."""
    loaded, answers = modules(tmp_path, *HANDSHAKE)
    heavy = {name for name in loaded for bad in HEAVY if name == bad or name.startswith(f"{bad}.")}

    assert len(answers) == 4
    assert heavy == set()
    assert len(loaded) <= CEILING, sorted(loaded)
    assert not (tmp_path / "data").exists()


def test_the_first_call_loads_the_store(tmp_path: Path) -> None:
    """The watch sees what a call loads, so the test above would notice it."""
    loaded, _ = modules(tmp_path, ask("tools/call", 1, name="context", arguments={}))

    assert {"apsw", "dataclasses", "onrecord.service.memory"} <= loaded
    assert (tmp_path / "data" / "memory.db").exists()


@pytest.mark.parametrize("module", ["onrecord.doors.mcp.stdio", "onrecord.doors.mcp.tools"])
def test_the_light_modules_are_light_by_themselves(module: str) -> None:
    """Whoever adds an import to one of them learns it here."""
    code = f"import sys; import {module}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, encoding="utf-8", check=True
    ).stdout.split()

    assert not {name for name in loaded if name.startswith(tuple(f"{h}." for h in HEAVY))}
    assert not set(loaded) & set(HEAVY)
