"""Finding and reading a project's own files, and nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from onrecord.capture import project_files
from onrecord.capture.file_sections import in_force, sections
from onrecord.capture.project_files import Unreadable, find, fits, read

if TYPE_CHECKING:
    from pathlib import Path


def put(root: Path, path: str, text: str = "# A heading\n\nWords.\n") -> Path:
    """A file in a project."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_the_files_that_count_are_found(tmp_path: Path) -> None:
    """By name at the top and in docs, every decision record, and what the user's globs name."""
    for path in (
        *("decisions.md", "docs/PLAN.md", "doc/log.md", "docs/adr/0001-use-x.md"),
        *("docs/adr/README.md", "src/decisions.md", "notes/deep/er/why.md", "README.md"),
        *(".git/decisions.md", "node_modules/a/why.md"),
    ):
        put(tmp_path, path)

    found = {file.path: (file.whole, file.kind) for file in find(str(tmp_path), ["**/why.md"])}

    assert found == {
        "decisions.md": (False, "decision"),
        "doc/log.md": (False, "note"),
        "docs/PLAN.md": (False, "note"),
        "docs/adr/0001-use-x.md": (True, "decision"),
        "notes/deep/er/why.md": (False, "note"),
    }


@pytest.mark.parametrize("glob", ["/etc/*.md", "../*.md", "a/../../*.md", "a//b.md", "", "./x.md"])
def test_a_glob_that_leaves_the_project_fits_nothing(tmp_path: Path, glob: str) -> None:
    """It is passed over; the good one beside it still counts."""
    put(tmp_path, "outside.md")
    put(tmp_path, "project/inside.md")

    found = find(str(tmp_path / "project"), [glob, "*.md"])

    assert [file.path for file in found] == ["inside.md"]


@pytest.mark.parametrize(
    ("path", "glob", "expected"),
    [
        ("a/b.md", "a/*.md", True),
        ("a/b/c.md", "a/*.md", False),
        ("a/b/c.md", "a/**/*.md", True),
        ("a/c.md", "a/**/*.md", True),
        ("c.md", "**", True),
        ("a/b/c.md", "**/b/**", True),
        ("a/c.md", "**/b/**", False),
    ],
)
def test_globs_fit_name_by_name(path: str, glob: str, *, expected: bool) -> None:
    """A star stays within a name, two of them stand for any folders or none."""
    assert fits(tuple(path.split("/")), tuple(glob.split("/"))) is expected


def test_links_out_are_neither_found_nor_read(tmp_path: Path) -> None:
    """Of files, and of folders on the way; the plain file beside them is read."""
    secret = put(tmp_path, "elsewhere/decisions.md", "# Secret\n\nNot yours.\n")
    root = tmp_path / "project"
    put(root, "plan.md")
    (root / "decisions.md").symlink_to(secret)
    (root / "docs").symlink_to(secret.parent, target_is_directory=True)

    found = {file.path: file.wrong for file in find(str(root))}

    assert found == {"decisions.md": "not_a_file", "plan.md": ""}
    assert "Words." in read(str(root), "plan.md")
    for path in ("decisions.md", "docs/decisions.md", "../elsewhere/decisions.md"):
        with pytest.raises(Unreadable) as refused:
            read(str(root), path)
        assert refused.value.why == "not_a_file"


def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    """Pipes do not block, big and binary files are not taken in."""
    os.mkfifo(tmp_path / "plan.md")
    (tmp_path / "log.md").write_bytes(b"\xff\xfe\x00words")
    (tmp_path / "decisions.md").write_bytes(b"a" * (project_files.MAX_BYTES + 1))

    assert {file.path: file.wrong for file in find(str(tmp_path))} == {
        "decisions.md": "too_big",
        "log.md": "",
        "plan.md": "not_a_file",
    }
    told = {}
    for name in ("plan.md", "log.md", "decisions.md", "gone.md"):
        with pytest.raises(Unreadable) as refused:
            read(str(tmp_path), name)
        told[name] = refused.value.why
    assert told == {
        "plan.md": "not_a_file",
        "log.md": "not_text",
        "decisions.md": "too_big",
        "gone.md": "gone",
    }


TEXT = """---
title: Decisions
---
# Decisions

<!-- a comment
## Not a heading
-->
## Use apsw
One SQLite <!-- psst --> everywhere.

### Why

```markdown
## not a heading either
<!-- shown, since it is code -->
```

## Empty one

## Money is kept in cents always
Under it `<!--` is code.

Old style
---------
It counts.
"""


def test_sections_are_what_stands_under_headings() -> None:
    """Comments and front matter are out, code is left alone, deeper headings stay inside."""
    found = sections(TEXT)

    assert [(one.heading, one.line) for one in found] == [
        ("Use apsw", 9),
        ("Money is kept in cents always", 21),
        ("Old style", 24),
    ]
    assert found[0].above == ("Decisions",)
    assert found[0].text.startswith("One SQLite  everywhere.\n\n### Why\n\n```markdown\n## not a")
    assert "<!-- shown, since it is code -->" in found[0].text
    assert found[1].text == "Under it `<!--` is code."


def test_a_file_without_headings_is_one_section() -> None:
    """And one without anything is none."""
    (found,) = sections("Fares go by zone.\nFrom May on.\n")

    assert (found.heading, found.text, found.line) == ("", "Fares go by zone.\nFrom May on.", 1)
    assert sections("") == sections("<!-- nothing yet -->\n") == []


def test_a_record_is_one_section() -> None:
    """Its first heading names it, and all of the rest is its text."""
    (found,) = sections(
        "# 7. Use apsw\n\n## Status\n\nAccepted\n\n## Context\n\nIt is.\n", whole=True
    )

    assert (found.heading, found.line) == ("7. Use apsw", 1)
    assert found.text == "## Status\n\nAccepted\n\n## Context\n\nIt is."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\n## Status\n\nAccepted\n", True),
        ("# A\n\n## Status\n\nSuperseded by 9\n", False),
        ("# A\n\n* Status: **rejected**\n", False),
        ("---\nstatus: draft\n---\n# A\n", False),
        ("# A\n\nNo word of it.\n", True),
        ("# A\n\n## Status\n\n**Deprecated.**\n", False),
    ],
)
def test_a_record_out_of_force_is_known(text: str, *, expected: bool) -> None:
    """By the first word of its status, however that is written."""
    assert in_force(text) is expected
