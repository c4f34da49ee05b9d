"""The entrance says what it can do, and what to do when it cannot."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from corpora import ROOT

DEV = ROOT / "dev"


def dev(*arguments: str, script: Path = DEV, path: str = "/usr/bin:/bin") -> tuple[int, str]:
    """Exit status and all output."""
    done = subprocess.run(
        ["/bin/sh", str(script), *arguments],
        env={"PATH": path, "HOME": "/nonexistent"},
        cwd="/",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout


def test_without_a_command_it_explains_each() -> None:
    """Every command has its sentence, wherever it is called from."""
    code, text = dev()

    assert code == 0
    for command in ("demo", "test", "check", "bench", "golden", "docs"):
        assert f"\n  {command} " in text


def test_an_unknown_command_is_a_usage_error() -> None:
    """A mistyped command explains the right ones and exits with 2."""
    code, text = dev("tset")

    assert code == 2
    assert "usage: ./dev COMMAND" in text


def test_a_mistyped_benchmark_is_told_the_right_ones() -> None:
    """Without the name of a benchmark nothing is installed; the names are listed."""
    there = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
    code, text = dev("bench", "no-such-benchmark")

    assert code == 1
    assert text.split("one of:")[1].split() == (there or ["none", "yet"])


@pytest.fixture
def tools_without_python(tmp_path: Path) -> str:
    """A PATH with the system's tools and no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("dirname", "cksum", "cat", "grep", "head", "rm", "date"):
        found = shutil.which(name)
        assert found, name
        (folder / name).symlink_to(found)
    return str(folder)


def test_a_missing_python_is_said_with_the_way_out(
    tmp_path: Path, tools_without_python: str
) -> None:
    """Where no Python is new enough, one line says so and the next what to install."""
    clone = tmp_path / "a clone"
    clone.mkdir()
    shutil.copy(DEV, clone)
    shutil.copy(ROOT / "pyproject.toml", clone)
    code, text = dev("demo", script=clone / "dev", path=tools_without_python)

    assert code == 1
    assert "no Python 3.11 or newer" in text
    assert "ONRECORD_PYTHON" in text
    assert not (clone / ".venv").exists()


def test_an_old_python_is_passed_over(tmp_path: Path, tools_without_python: str) -> None:
    """A `python3` that is too old is not taken, whatever its name says."""
    old = Path(tools_without_python) / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    shutil.copy(DEV, tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    code, text = dev("test", script=tmp_path / "dev", path=tools_without_python)

    assert code == 1
    assert "no Python 3.11 or newer" in text
