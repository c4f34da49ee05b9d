"""The hook stays light: few modules, none of the heavy ones, on both of its busy events."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from hooked import CLIENT_VARIABLES, Hooked

if TYPE_CHECKING:
    from pathlib import Path

#: Modules that may be loaded when a hook ends; `python -c pass` alone loads some thirty.
MOST: Final = 110

#: and so many more where something is given whose file has to be read and hashed.
COMPARING: Final = 8

HEAVY: Final = frozenset(
    {
        *("argparse", "asyncio", "collections", "contextlib", "dataclasses", "datetime", "enum"),
        *("functools", "importlib", "inspect", "json", "logging", "operator", "pathlib", "random"),
        *("re", "shutil", "signal", "subprocess", "tempfile", "threading", "tomllib", "typing"),
        *("urllib", "uuid", "warnings", "zoneinfo"),
        # what runs models of meanings
        *("numpy", "onnxruntime", "tokenizers"),
    }
)

#: Runs the hook's main with `os._exit` replaced, and reports what is loaded when it would end.
REPORT: Final = """
import os, sys
def ended(_status):
    os.write(2, "\\n".join(sorted(sys.modules)).encode())
    leave(0)
leave, os._exit = os._exit, ended
sys.argv = ["onrecord-hook", *sys.argv[1:]]
from onrecord.doors.hook.main import main
main()
"""


def loaded(hooked: Hooked, client: str, event: str, **payload: str) -> tuple[set[str], bytes]:
    """Modules that are loaded at the end of a hook call, and what it answered."""
    told = {"session_id": "s-1", "cwd": str(hooked.repo), "hook_event_name": event, **payload}
    done = subprocess.run(
        [sys.executable, "-I", "-c", REPORT, client, event],
        input=json.dumps(told).encode(),
        cwd=hooked.repo,
        env={**hooked.env, **CLIENT_VARIABLES.get(client, {})},
        capture_output=True,
        timeout=60,
        check=True,
    )
    return set(done.stderr.decode().split()), done.stdout


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    """A home in which one thing is known of the repository."""
    made = Hooked(tmp_path)
    made.remember("Install with pnpm", "npm breaks the lock file.")
    return made


@pytest.mark.parametrize("client", ["claude-code", "codex"])
@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "Which one installs packages: pnpm or npm?"}),
    ],
)
def test_a_hook_loads_little(
    hooked: Hooked, client: str, event: str, payload: dict[str, str]
) -> None:
    """Every module is time that a person waits on every prompt."""
    modules, answer = loaded(hooked, client, event, **payload)

    assert b"Install with pnpm" in answer  # the whole way was gone
    assert "onrecord.storage.shelf" in modules
    assert len(modules) <= MOST, sorted(modules)
    assert sorted(modules & HEAVY) == []


def test_a_hook_that_only_watches_loads_less(hooked: Hooked) -> None:
    """Between turns there is no pack to make."""
    modules, answer = loaded(hooked, "claude-code", "Stop")

    assert answer == b""
    assert "onrecord.service.packs" not in modules
    assert "onrecord.retrieval.recall" not in modules


def test_comparing_what_a_prompt_brings_up_loads_nothing_heavy(hooked: Hooked) -> None:
    """A changed file is noticed, a missing one is nobody's to ask git about on this path."""
    prompt = "Please raise the gate limit that is set in gate.py"
    cited = hooked.repo / "gate.py"
    cited.write_text("LIMIT = 4\n", encoding="utf-8")
    hooked.remember("The gate limit is set in gate.py:1", "Rune set it.")
    cited.write_text("LIMIT = 9\n", encoding="utf-8")
    modules, answer = loaded(hooked, "claude-code", "UserPromptSubmit", prompt=prompt)
    cited.unlink()
    without, other = loaded(
        hooked, "claude-code", "UserPromptSubmit", prompt=prompt, session_id="s-2"
    )

    assert b"line 1 reads differently now" in answer
    assert b"The gate limit is set in gate.py:1" in other
    for found in (modules, without):
        assert "onrecord.capture.citation_verdict" in found
        assert len(found) <= MOST + COMPARING, sorted(found)
        assert sorted(found & HEAVY) == []
