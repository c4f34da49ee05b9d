"""Who may know whom: the import contracts hold, and would notice if they did not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

from corpora import ROOT
from harness import sourcecode as code

#: Started on every prompt of every agent: what these import when they load is all they import.
LIGHT: Final = ("onrecord.doors.hook.main",)
#: What each of these costs a start is more than the hook's whole budget allows.
HEAVY: Final = frozenset(
    {
        *("argparse", "ast", "asyncio", "collections", "contextlib", "dataclasses", "datetime"),
        *("decimal", "difflib", "email", "enum", "fractions", "functools", "glob", "importlib"),
        *("inspect", "ipaddress", "json", "logging", "pathlib", "pickle", "platform", "random"),
        *("re", "shlex", "shutil", "socket", "sqlite3", "ssl", "statistics", "string"),
        *("subprocess", "tempfile", "textwrap", "threading", "tomllib", "traceback", "typing"),
        *("urllib", "uuid", "warnings", "zoneinfo"),
    }
)
#: (module, module that it must not import, contract that must then break)
TRESPASSES: Final = [
    ("onrecord.domain.item", "onrecord.policy.redact", "layers"),
    ("onrecord.policy.redact", "onrecord.retrieval.terms", "layers"),
    ("onrecord.service.memory", "onrecord.storage.sqlite", "concrete"),
    ("onrecord.doors.cli", "onrecord.doors.hook", "doors"),
    ("onrecord.doors.errors", "onrecord.policy.authority", "rules"),
]


def contracts(folder: Path, *only: str) -> subprocess.CompletedProcess[str]:
    """Check the import contracts of the tree in a folder."""
    chosen = [part for name in only for part in ("--contract", name)]
    return subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", *chosen],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_contracts_are_kept() -> None:
    """Layers, doors and concrete classes are where the architecture says."""
    done = contracts(ROOT)

    assert done.returncode == 0, done.stdout
    assert " 0 broken" in done.stdout


@pytest.mark.parametrize(("module", "other", "contract"), TRESPASSES)
def test_a_trespass_breaks_its_contract(
    tmp_path: Path, module: str, other: str, contract: str
) -> None:
    """One wrong import in a copy of the tree, and the contract that forbids it says so."""
    shutil.copytree(code.SOURCE, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    file = tmp_path / file_of(module).relative_to(ROOT)
    file.write_text(f"{file.read_text(encoding='utf-8')}\nimport {other}\n", encoding="utf-8")
    done = contracts(tmp_path, contract)

    assert file_of(other).exists(), "the example names a module that is gone; choose another"
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{module} -> {other}" in done.stdout


def test_every_door_is_under_the_contract() -> None:
    """A new door is named in the contract that keeps doors apart."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = {c["id"]: c for c in settings["tool"]["importlinter"]["contracts"]}["doors"]
    folder = code.SOURCE / "onrecord" / "doors"
    there = {f"onrecord.doors.{init.parent.name}" for init in folder.glob("*/__init__.py")}

    assert set(listed["modules"]) == there


def test_the_domain_imports_the_standard_library_alone() -> None:
    """Nothing of the domain rests on a package, or on another room."""
    foreign = [
        f"{path.relative_to(ROOT)}:{found.line}: {found.module}"
        for path in code.python_files(code.SOURCE / "onrecord" / "domain")
        for found in code.imports(code.parse(path))
        if found.module.split(".")[0] not in sys.stdlib_module_names
        and not found.module.startswith("onrecord.domain")
    ]

    assert foreign == []


def test_nothing_on_the_fast_path_is_heavy_to_load() -> None:
    """What the hook's modules import when they load costs a start next to nothing."""
    heavy = [
        f"{module}:{found.line}: {found.module}"
        for module in reached_at_start(LIGHT)
        for found in code.imports(code.parse(file_of(module)))
        if found.when == "start" and found.module.split(".")[0] in HEAVY
    ]

    assert heavy == []


def file_of(module: str) -> Path:
    """The file of a module of ours."""
    base = code.SOURCE.joinpath(*module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def reached_at_start(roots: tuple[str, ...]) -> list[str]:
    """Modules of ours that load with these, the packages that hold them included."""
    seen: dict[str, None] = {}
    waiting = list(roots)
    while waiting:
        module = waiting.pop()
        if module in seen or not file_of(module).exists():
            continue
        seen[module] = None
        parts = module.split(".")
        waiting += [".".join(parts[:length]) for length in range(1, len(parts))]
        waiting += [
            found.module
            for found in code.imports(code.parse(file_of(module)))
            if found.when == "start" and found.module.startswith("onrecord")
        ]
    assert set(roots) <= set(seen), "the fast path begins in a module that is not there"
    return list(seen)
