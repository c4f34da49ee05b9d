"""A file of a mirror that somebody edited, taken in: in the place of the memory that it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from commandline import CommandLine

OLD, NEW = "The API port is 8080", "The API port is 8081"
LATER = "2099-01-01T00:00:00.000000Z"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with one memory without a key, and a mirror of it."""
    made = CommandLine(tmp_path)
    made.remember(OLD, "--scope", "global", "--tag", "api")
    made.remember("Use pnpm in the web folder", "--scope", "global")
    mirror(made)
    return made


def mirror(lines: CommandLine) -> dict[str, object]:
    """One run of the mirror; what it says."""
    found: dict[str, object] = lines.run("mirror", str(lines.home / "mirror"), "--json").json
    return found


def files(lines: CommandLine) -> dict[str, Path]:
    """The mirror's files by their title."""
    found = (lines.home / "mirror").rglob("*.md")
    return {
        one.read_text(encoding="utf-8").partition("\n# ")[2].split("\n")[0]: one for one in found
    }


def edited(lines: CommandLine, was: str = OLD, now: str = NEW) -> Path:
    """The file of a memory, after somebody changed it."""
    path = files(lines)[was]
    path.write_text(path.read_text(encoding="utf-8").replace(was, now), encoding="utf-8")
    return path


def titles(lines: CommandLine) -> set[str]:
    """What counts."""
    return {item["title"] for item in lines.run("list", "--json").json["items"]}


def test_an_edited_file_is_proposed_in_the_place_of_its_memory(lines: CommandLine) -> None:
    """One memory stands after approval, and the mirror takes the file again."""
    old = next(i for i in lines.run("list", "--json").json["items"] if i["title"] == OLD)
    path = edited(lines)
    assert lines.run("import", "mirror", str(path), "--json").json["outcomes"] == {"proposed": 1}
    (waiting,) = lines.run("review", "--json").json["waiting"]
    assert waiting["replaces"]["id"] == old["id"]
    assert mirror(lines)["edited"] == [path.relative_to(lines.home / "mirror").as_posix()]

    assert lines.run("approve", waiting["item"]["id"], keys=[("[y/n]", "y")]).status == 0

    assert titles(lines) == {NEW, "Use pnpm in the web folder"}
    done = mirror(lines)
    assert (done["edited"], done["written"], done["unchanged"]) == ([], 1, 1)
    assert set(files(lines)) == titles(lines)
    assert mirror(lines)["written"] == 0


@pytest.mark.parametrize(
    ("was", "now", "field", "value"),
    [
        ('tags: ["api"]', 'tags: ["api", "gateway"]', "tags", ["api", "gateway"]),
        ('kind: "note"', 'kind: "fact"', "kind", "fact"),
        (
            "\ntags:",
            '\nsummary: "where the API answers"\ntags:',
            "summary",
            "where the API answers",
        ),
        ("\ntags:", f'\nvalid_to: "{LATER}"\ntags:', "valid_to", LATER),
    ],
    ids=["tags", "kind", "summary", "valid_to"],
)
def test_an_edit_beside_the_words_is_a_change_too(
    lines: CommandLine, was: str, now: str, field: str, value: object
) -> None:
    """It waits in the place of its memory, and once approved the file is the mirror's again."""
    untouched = lines.run("import", str(lines.home / "mirror"), "--json").json["outcomes"]
    assert untouched == {"corroborated": 2}
    path = files(lines)[OLD]
    text = path.read_text(encoding="utf-8")
    assert was in text
    path.write_text(text.replace(was, now), encoding="utf-8")

    answer = lines.run("import", "mirror", str(path), "--json").json

    assert answer["outcomes"] == {"proposed": 1}
    (waiting,) = lines.run("review", "--json").json["waiting"]
    assert waiting["replaces"]["title"] == waiting["item"]["title"] == OLD
    assert waiting["item"][field] == value
    lines.run("approve", waiting["item"]["id"], keys=[("[y/n]", "y")])
    (stands,) = (i for i in lines.run("list", "--json").json["items"] if i["title"] == OLD)
    assert stands[field] == value
    assert mirror(lines)["edited"] == []


def test_a_file_of_a_memory_that_changed_since_replaces_nothing(lines: CommandLine) -> None:
    """What was written meanwhile is not put away by an older copy's edit."""
    path = edited(lines)
    old = next(i for i in lines.run("list", "--json").json["items"] if i["title"] == OLD)
    assert lines.run("edit", old["id"], "--text", "The API port is 9090").status == 0

    assert lines.run("import", "mirror", str(path), "--json").json["outcomes"] == {"proposed": 1}

    (waiting,) = lines.run("review", "--json").json["waiting"]
    assert waiting["replaces"] is None
    assert "The API port is 9090" in titles(lines)


def test_an_edit_that_was_changed_in_review_stays_named(lines: CommandLine) -> None:
    """A file that says something else than what is on record is left as it is."""
    path = edited(lines)
    old = next(i for i in lines.run("list", "--json").json["items"] if i["title"] == OLD)
    assert lines.run("edit", old["id"], "--text", "The API port is 9090").status == 0

    assert mirror(lines)["edited"] == [path.relative_to(lines.home / "mirror").as_posix()]
    assert NEW in path.read_text(encoding="utf-8")


def test_an_edit_that_was_made_by_hand_too_is_taken_again(lines: CommandLine) -> None:
    """Where the memory itself was given the file's text, the file is ours again."""
    edited(lines)
    old = next(i for i in lines.run("list", "--json").json["items"] if i["title"] == OLD)
    assert lines.run("edit", old["id"], "--text", NEW).status == 0

    assert mirror(lines)["edited"] == []
    assert set(files(lines)) == titles(lines)


def test_what_only_a_file_holds_is_kept(lines: CommandLine) -> None:
    """A field of somebody's own above a text that nobody changed is no reason to write it anew."""
    path = files(lines)[OLD]
    text = path.read_text(encoding="utf-8").replace("\ntags:", "\nmood: fine\ntags:")
    path.write_text(text, encoding="utf-8")

    assert mirror(lines)["edited"] == [path.relative_to(lines.home / "mirror").as_posix()]
    assert path.read_text(encoding="utf-8") == text
