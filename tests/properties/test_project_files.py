"""Whatever a project's file holds, its sections have addresses of their own that can be kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onrecord.capture.file_sections import in_force, sections
from onrecord.capture.project_files import Found, fits
from onrecord.domain.item import MAX_TITLE
from onrecord.policy import redact, shape
from onrecord.service.sections import MAX_TEXT, address, file_part, parts_of, path_in

#: Lines that Markdown gives a meaning, and some that it does not.
LINES = st.sampled_from(
    [
        *(
            "# A",
            "## A",
            "## A 2",
            "## a",
            "### Deep",
            "A",
            "===",
            "---",
            "```",
            "~~~",
            "    code",
        ),
        *("<!--", "-->", "<!-- x -->", "`<!--`", "", "> ## quoted", "- ## item", "Status: draft"),
        *("## password: hunter2-Xk9_q", "## ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"),
        *("## " + "long " * 80, "## zo\u200bne", "word " * 2_000),
    ]
)
TEXTS = st.one_of(st.text(max_size=400), st.lists(LINES, max_size=40).map("\n".join))
PATHS = st.sampled_from(
    ["plan.md", "docs/a#b%.md", "x/" * 80 + "plan.md", "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6.md"]
)


@given(text=TEXTS, path=PATHS)
def test_every_section_has_an_address_of_its_own(text: str, path: str) -> None:
    """Which redaction leaves alone, and a title and a body that can be kept."""
    parts = parts_of(Found(path=path, stamp=(0, 0, 0, 0)), text, commit="c0ffee")

    keys = [part.command.key for part in parts]
    assert len(set(keys)) == len(keys)
    for part in parts:
        command = part.command
        assert shape.key_problem(command.key) is None
        assert redact.redact(command.key).text == command.key
        assert file_part(command.key) == address(path)
        assert 0 < len(command.content.title) <= MAX_TITLE
        assert len(command.content.body) < MAX_TEXT + 1_000


@given(text=TEXTS)
def test_sections_keep_their_lines(text: str) -> None:
    """Each heading stands in the line that is named for it, and they come in order."""
    found = sections(text)
    lines = text.split("\n")

    assert [one.line for one in found] == sorted({one.line for one in found})
    for one in found:
        assert 1 <= one.line <= len(lines)
    assert in_force(text) in (True, False)


@given(st.text(st.characters(exclude_characters="\0/"), min_size=1, max_size=60))
def test_a_short_path_is_read_back(name: str) -> None:
    """From its address, whatever characters it has."""
    part = address(f"{name}.md")

    if "~" not in part:
        assert path_in(part) == f"{name}.md"


@given(
    st.lists(st.sampled_from(["a", "b", "*", "**"]), min_size=1, max_size=6),
    st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=6),
)
def test_patterns_fit_as_a_plain_reading_says(pattern: list[str], path: list[str]) -> None:
    """Compared with the definition, one name after the other."""
    assert fits(tuple(path), tuple(pattern)) == _plain(path, pattern)


def _plain(path: list[str], pattern: list[str]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        return _plain(path, pattern[1:]) or (bool(path) and _plain(path[1:], pattern))
    return bool(path) and pattern[0] in ("*", path[0]) and _plain(path[1:], pattern[1:])
