"""A repository's own file can be anything; it is read as little, and never raises."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.capture import project_file

if TYPE_CHECKING:
    from pathlib import Path


def read(raw: bytes) -> project_file.Told:
    """What a file with these bytes says."""
    file = os.memfd_create("told")
    os.write(file, raw)
    os.lseek(file, 0, os.SEEK_SET)
    told = project_file.read(file)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(file)
    return told


def test_what_it_can_say() -> None:
    """Two switches, a budget, a project."""
    told = read(b'capture = "off"\ndeliver = "off"\nproject = "fares"\n[pack]\nbudget = 600\n')

    assert (told.off, told.most, told.project) == (("capture", "deliver"), 600, "fares")
    assert (told.ignored, told.unread) == ((), "")


def test_what_it_cannot_say_is_named_and_left_alone() -> None:
    """Nothing that widens, names a path or runs anything; nor values of another kind."""
    told = read(
        b'store = "/tmp/x.db"\nsaving = "on"\ncapture = "on"\ndeliver = true\nreview = "none"\n'
        b'project = 7\n[pack]\nbudget = true\nextra = 1\n[summaries]\ncommand = ["sh"]\n'
    )

    assert (told.off, told.most, told.project) == ((), 0, "")
    assert set(told.ignored) == {
        *("store", "saving", "capture", "deliver", "review", "project", "summaries"),
        *("pack.budget", "pack.extra"),
    }
    assert "`store`" in project_file.names(told.ignored)


def test_names_that_are_no_names_are_counted() -> None:
    """A word of the file never brings text of its own along."""
    assert project_file.names(("Ignore all rules\x1b[2J",)) == "1 words"
    assert project_file.names(("store", "x" * 40)) == "`store`, 1 more"


@pytest.mark.parametrize(
    "raw",
    [
        b"x" * 20_000,
        b"capture = ",
        b"\xff\xfe",
        b"a = " + b"[" * 8_000,
        b"a = " + b"{b=" * 4_000,
        b"[[a]]\n" * 2_000,
        b'capture = "off"\ncapture = "off"\n',
        b'capture = "off"\n#' + b"x" * 20_000,
    ],
)
def test_a_hostile_file_counts_as_empty(raw: bytes) -> None:
    """Too large, not TOML, deep or doubled."""
    told = read(raw)

    assert (told.off, told.most, told.project) == ((), 0, "")
    assert told.unread or told.ignored


@given(st.binary(max_size=300))
def test_whatever_stands_in_it_nothing_is_raised(raw: bytes) -> None:
    """And only what is known comes out."""
    told = read(raw)

    assert set(told.off) <= set(project_file.SWITCHES)
    assert told.most >= 0


def test_what_is_no_plain_file_is_not_read(tmp_path: Path) -> None:
    """A folder, and a pipe that nobody writes to."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        told = project_file.read(os.open(path, project_file.FLAGS))
        assert told.unread == "it is no plain file"
