"""A repository's own `.onrecord.toml` narrows what happens there, and can do nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine
from hooked import Hooked
from onrecord.service.places import place_at

if TYPE_CHECKING:
    from pathlib import Path

WISH = "Order the brass lanterns today"


def write(repo: Path, text: str) -> None:
    """Put the file at the top of a repository."""
    (repo / ".onrecord.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    """A home with a store, a repository and the hook."""
    made = Hooked(tmp_path)
    for n in range(6):
        made.remember(f"Gate number {n} opens at six", "and stays so. " * 20)
    return made


def test_delivery_is_off_there(hooked: Hooked) -> None:
    """The same start gives something without the file, below its folder too."""
    assert hooked.start(session="s-0").titles
    write(hooked.repo, 'deliver = "off"\n')

    assert hooked.start(session="s-1").context == ""
    assert hooked.prompt("Gate number 3 opens at six", session="s-1").context == ""


def test_nothing_of_what_is_said_is_captured_there(hooked: Hooked) -> None:
    """The prompt is in the spool without the file, and not with it."""
    hooked.prompt(WISH, session="s-0")
    assert WISH.encode() in hooked.spooled
    hooked.drain()
    write(hooked.repo, 'capture = "off"\n')
    hooked.prompt(WISH, session="s-1")

    assert WISH.encode() not in hooked.spooled


def test_packs_are_smaller_there_and_never_larger(hooked: Hooked) -> None:
    """A large budget changes nothing."""
    whole = hooked.start(session="s-0").context
    write(hooked.repo, "[pack]\nbudget = 100000\n")
    same = hooked.start(session="s-1").context
    write(hooked.repo, "[pack]\nbudget = 400\n")
    less = hooked.start(session="s-2").context

    assert len(same) == len(whole)
    assert 0 < len(less) < len(whole)


@pytest.mark.parametrize("text", ["[" * 9_000, "capture = ", "x = 1\n" * 9_000, 'store = "/x"\n'])
def test_a_hostile_file_breaks_no_hook(hooked: Hooked, text: str) -> None:
    """The hook answers as if it were not there, and notes no fault."""
    write(hooked.repo, text)

    assert hooked.start().titles
    assert hooked.faults == []


def test_a_link_is_not_followed(hooked: Hooked, tmp_path: Path) -> None:
    """Wherever it leads."""
    (tmp_path / "there.toml").write_text('deliver = "off"\n', encoding="utf-8")
    (hooked.repo / ".onrecord.toml").symlink_to(tmp_path / "there.toml")

    assert hooked.start().titles


def test_it_chooses_among_the_users_own_projects(tmp_path: Path) -> None:
    """Of those that the user has for this place; another name is nothing."""
    lines = CommandLine(tmp_path)
    named = [
        ("project", "shop", f"{tmp_path}/*"),
        ("project", "fares", f"{tmp_path}/shop"),
        ("project", "bank", f"{tmp_path}/bank"),
    ]

    def chosen(text: str) -> str | None:
        write(lines.repo, text)
        return place_at(str(lines.repo), named=named).project

    assert chosen("") == "project:shop"
    assert chosen('project = "fares"\n') == "project:fares"
    assert chosen('project = "bank"\n') == "project:shop"
    assert chosen('project = "other"\n') == "project:shop"


def test_status_and_doctor_say_so(tmp_path: Path) -> None:
    """What it narrows, what of it is not obeyed, and why it is not read."""
    lines = CommandLine(tmp_path)
    lines.remember("The gate opens at six")
    bare = lines.run("status", "--json").json["project_file"]
    write(lines.repo, 'deliver = "off"\nproject = "bank"\n[semantic]\nurl = "http://x"\n')
    status = lines.run("status")
    shape = lines.run("status", "--json").json["project_file"]
    found = lines.run("doctor", "codex", "--json").json["findings"]
    said = {one["code"]: one["say"] for one in found}
    packed = lines.run("pack", "--for", "codex")
    write(lines.repo, "capture = ")
    broken = lines.run("doctor", "codex", "--json").json["findings"]

    assert bare is None
    assert ".onrecord.toml of this repository: deliver off" in status.out
    assert shape == ["deliver off"]
    assert "deliver off" in said["project_file.obeyed"]
    assert "`semantic`, `project`" in said["project_file.ignored"]
    assert "delivery is off in .onrecord.toml" in packed.err
    assert "project_file.unread" in {one["code"] for one in broken}
