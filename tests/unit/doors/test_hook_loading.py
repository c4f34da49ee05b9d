"""Loading the hook's modules by their compiled files."""

from __future__ import annotations

import compileall
import importlib.util
import os
import subprocess
import sys
from importlib.machinery import ModuleSpec
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest

from onrecord.doors.hook import loading
from onrecord.doors.hook.loading import CompiledFinder


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of that name with a module and a package in it, compiled."""
    folder = tmp_path / "onrecord"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("", encoding="utf-8")
    (folder / "inner" / "__init__.py").write_text("NAME = __name__\n", encoding="utf-8")
    (folder / "inner" / "leaf.py").write_text("HERE = __file__\n", encoding="utf-8")
    compileall.compile_dir(folder, quiet=2)
    return folder


@pytest.fixture
def finder(package: Path) -> CompiledFinder:
    """The finder of that package."""
    tag = sys.implementation.cache_tag
    assert tag
    return CompiledFinder(f"{package.parent}{os.sep}", MAGIC_NUMBER, tag, ModuleSpec)


def test_a_module_is_what_python_would_have_made(finder: CompiledFinder, package: Path) -> None:
    """Its file, name and content; it is no package."""
    spec = finder.find_spec("onrecord.inner.leaf")

    assert spec is not None
    made = importlib.util.module_from_spec(spec)
    finder.exec_module(made)
    assert made.HERE == made.__file__ == str(package / "inner" / "leaf.py")
    assert made.__package__ == "onrecord.inner"
    assert not hasattr(made, "__path__")


def test_a_package_knows_its_folder(finder: CompiledFinder, package: Path) -> None:
    """What is below it is found there."""
    spec = finder.find_spec("onrecord.inner")

    assert spec is not None
    assert spec.submodule_search_locations == [str(package / "inner")]
    made = importlib.util.module_from_spec(spec)
    finder.exec_module(made)
    assert made.NAME == "onrecord.inner"


@pytest.mark.parametrize("name", ["json", "onrecord", "onrecordx.inner", "onrecord.inner.none"])
def test_other_names_are_left_to_python(finder: CompiledFinder, name: str) -> None:
    """The package itself, others, and what is not there."""
    assert finder.find_spec(name) is None


def test_a_changed_source_is_left_to_python(finder: CompiledFinder, package: Path) -> None:
    """A compiled file of another time or size is not used."""
    leaf = package / "inner" / "leaf.py"
    leaf.write_text("HERE = 'changed'\n", encoding="utf-8")

    assert finder.find_spec("onrecord.inner.leaf") is None


def test_a_touched_source_of_the_same_size_is_left_to_python(
    finder: CompiledFinder, package: Path
) -> None:
    """The time alone tells it apart."""
    leaf = package / "inner" / "leaf.py"
    os.utime(leaf, (1, 1))

    assert finder.find_spec("onrecord.inner.leaf") is None


@pytest.mark.parametrize("damage", [b"", b"\0" * 16, b"short"])
def test_a_damaged_compiled_file_is_left_to_python(
    finder: CompiledFinder, package: Path, damage: bytes
) -> None:
    """Python makes it anew."""
    leaf = package / "inner" / "leaf.py"
    Path(cache_from_source(str(leaf))).write_bytes(damage)

    assert finder.find_spec("onrecord.inner.leaf") is None


def test_files_that_are_checked_otherwise_are_left_to_python(
    finder: CompiledFinder, package: Path
) -> None:
    """Compiled files that name a digest of their source are Python's to check."""
    checked = PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(package, quiet=2, force=True, invalidation_mode=checked)

    assert finder.find_spec("onrecord.inner.leaf") is None


def test_the_hooks_modules_come_by_it() -> None:
    """In a fresh interpreter, a module of the hook's path is loaded by the finder."""
    code = (
        "import onrecord.domain.limits, sys\n"  # leaves compiled files behind
        "from onrecord.doors.hook.loading import load_compiled\n"
        "load_compiled()\n"
        "import onrecord.domain.scope as scope\n"
        "print(type(scope.__spec__.loader).__name__, scope.parse('global'))\n"
    )
    env = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    command = [sys.executable, "-c", "import onrecord.domain.scope"]
    subprocess.run(command, check=True, env=env)
    done = subprocess.run([sys.executable, "-c", code], check=True, env=env, capture_output=True)

    assert done.stdout.split() == [b"CompiledFinder", b"global"]


def test_nothing_changes_where_compiled_files_are_kept_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python's own way stays."""
    before = list(sys.meta_path)
    monkeypatch.setattr(sys, "pycache_prefix", "/nowhere")

    loading.load_compiled()

    assert sys.meta_path == before
