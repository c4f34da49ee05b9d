"""What is built and installed is whole: files, scripts, declared and explained dependencies."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import apsw
import pytest

from corpora import ROOT
from harness import sourcecode as code

SETTINGS: Final[dict[str, Any]] = tomllib.loads(
    (ROOT / "pyproject.toml").read_text(encoding="utf-8")
)
NAME: Final = re.compile(r"[A-Za-z0-9._-]+")


def named(requirements: list[str]) -> set[str]:
    """Names of the packages that requirements ask for."""
    return {found[0].lower() for one in requirements if (found := NAME.match(one))}


def runtime() -> set[str]:
    """Packages that onrecord asks for, its extras included."""
    project = SETTINGS["project"]
    extras = project.get("optional-dependencies", {}).values()
    return named([*project["dependencies"], *(one for extra in extras for one in extra)])


def imported() -> dict[str, str]:
    """Package that provides it -> one place where onrecord imports it."""
    providers = metadata.packages_distributions()
    found: dict[str, str] = {}
    for path in code.python_files(code.SOURCE):
        for one in code.imports(code.parse(path)):
            top = one.module.split(".")[0]
            if top not in sys.stdlib_module_names and top not in ("onrecord", ""):
                package = providers.get(top, [top])[0].lower()
                found.setdefault(package, f"{path.relative_to(ROOT)}:{one.line}")
    return found


def run(*command: str, **environment: str) -> str:
    """Output of a command that must end well."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PIP_NO_INDEX": "1", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{command[:4]}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without network by the build tool that is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session", params=["wheel", "editable"])
def installed(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of scripts of a new environment with onrecord installed, in either way."""
    folder = tmp_path_factory.mktemp(request.param) / "venv"
    venv.create(folder, symlinks=True)
    if request.param == "editable":
        build = "import sys, hatchling.build as b; b.build_editable(sys.argv[1])"
        run(sys.executable, "-c", build, str(folder.parent))
        (wheel,) = folder.parent.glob("*.whl")
    python = str(folder / "bin" / "python")
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", str(wheel))
    return folder / "bin"


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    """SQL, the typing mark and whatever else lies in the package is in the wheel, no more."""
    there = {
        str(path.relative_to(code.SOURCE))
        for path in code.SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("onrecord/")}

    assert packed == there
    assert "onrecord/py.typed" in packed
    assert any(name.endswith(".sql") for name in packed)


def test_the_wheel_carries_its_licence(wheel: Path) -> None:
    """The licence text and its name are in the metadata."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        text = archive.read(about).decode()

    assert "License-Expression: Apache-2.0" in text
    assert any(name.endswith("/LICENSE") for name in names)


def test_scripts_start_the_right_python_and_little_else(installed: Path) -> None:
    """Both commands are there; the hook's is our own few lines, run by this environment."""
    hook = installed / "onrecord-hook"
    first, rest = hook.read_text(encoding="utf-8").split("\n", 1)
    ours = (ROOT / "scripts" / "onrecord-hook").read_text(encoding="utf-8")

    assert first in (f"#!{installed}/python", f"#!{installed}/python3")
    assert rest == ours.partition("\n")[2]
    assert [line for line in rest.splitlines() if line.startswith("import ")] == [
        "import os",
        "import sys",
    ]
    assert hook.stat().st_mode & stat.S_IXUSR
    assert (installed / "onrecord").stat().st_mode & stat.S_IXUSR


def test_the_hook_starts_and_never_stands_in_the_way(installed: Path, tmp_path: Path) -> None:
    """Called as an agent would call it, with an event it does not know, it says nothing."""
    packages = Path(apsw.__file__).parents[1]
    done = subprocess.run(
        [str(installed / "onrecord-hook"), "claude-code", "NoSuchEvent"],
        env={"HOME": str(tmp_path), "PATH": os.defpath, "PYTHONPATH": str(packages)},
        input=b"{}",
        capture_output=True,
        timeout=20,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_package_imports_where_it_is_installed(installed: Path) -> None:
    """An environment with onrecord alone can import it and see where its SQL lies."""
    program = (
        "import json, onrecord, importlib.resources as r; "
        "sql = [f.name for f in r.files('onrecord.storage').joinpath('sql').iterdir()]; "
        "print(json.dumps([onrecord.__version__, sql]))"
    )
    version, sql = json.loads(run(str(installed / "python"), "-I", "-c", program))

    assert version == SETTINGS["project"]["version"]
    assert any(name.endswith(".sql") for name in sql)


def test_every_import_is_declared() -> None:
    """What onrecord imports from outside, it asks for."""
    missing = {package: where for package, where in imported().items() if package not in runtime()}

    assert missing == {}


def test_every_needed_package_is_imported() -> None:
    """What onrecord always asks for, it uses."""
    assert named(SETTINGS["project"]["dependencies"]) - set(imported()) == set()


@pytest.mark.docs
def test_every_dependency_is_explained() -> None:
    """docs/dependencies.md has a line on each package, and on no other."""
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `([^`]+)`", text, re.MULTILINE))
    agents = json.loads((ROOT / "tests/harness/npm/package.json").read_text(encoding="utf-8"))
    development = named(SETTINGS["dependency-groups"]["dev"])

    assert explained == runtime() | development | set(agents["dependencies"])


def test_the_lock_of_the_agents_names_no_host() -> None:
    """Agent CLIs are pinned by version and checksum, and fetched from where npm is told to."""
    folder = ROOT / "tests" / "harness" / "npm"
    asked = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    text = (folder / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]

    assert "://" not in text
    for name, version in asked.items():
        assert packages[f"node_modules/{name}"]["version"] == version
    assert all("integrity" in one for name, one in packages.items() if name)
