"""Other programs' settings are replaced whole, or left alone with a coded error."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from onrecord.capture import settings_file
from onrecord.capture.connection import FileEdit
from onrecord.domain.errors import ConfigChanged, ConfigUnsafe


def edit(path: Path, before: str | None, after: str | None, root: Path | None = None) -> FileEdit:
    """One edit of a file in a home."""
    return FileEdit(path=str(path), root=str(root or path.parent), before=before, after=after)


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    """Text, line ends and byte order mark are written as they are; the mode stays."""
    path = tmp_path / "settings.json"
    path.write_bytes(b"old\r\n")
    path.chmod(0o640)
    settings_file.write_all([edit(path, "old\r\n", "\ufeffnew\r\n\u00e9")])

    assert path.read_bytes() == "\ufeffnew\r\n\u00e9".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(tmp_path) == ["settings.json"]


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_a_new_file_is_its_owners_alone(mask: int, tmp_path: Path) -> None:
    """Whatever the umask, the file is 0600 and its folder 0700."""
    path = tmp_path / "new" / "settings.json"
    before = os.umask(mask)
    try:
        settings_file.write_all([edit(path, None, "{}", tmp_path)])
    finally:
        os.umask(before)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_was_made_goes_again(tmp_path: Path) -> None:
    """An edit to nothing removes the file; one that changes nothing touches nothing."""
    path = tmp_path / "settings.json"
    path.write_text("made", encoding="utf-8")
    settings_file.write_all([edit(path, "made", None), edit(tmp_path / "never", None, None)])

    assert names(tmp_path) == []


def test_a_link_is_followed_inside_the_home(tmp_path: Path) -> None:
    """Settings kept in a folder of dotfiles are edited there, and the link stays."""
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("old", encoding="utf-8")
    real.chmod(0o644)
    link = tmp_path / "settings.json"
    link.symlink_to(real)
    settings_file.write_all([edit(link, "old", "new")])

    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o644


def test_a_link_out_of_the_home_is_refused(tmp_path: Path) -> None:
    """A file elsewhere is not edited through a link, nor through a linked folder."""
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    (outside / "settings.json").write_text("old", encoding="utf-8")
    (home / "settings.json").symlink_to(outside / "settings.json")
    (home / "folder").symlink_to(outside)
    for path in (home / "settings.json", home / "folder" / "settings.json"):
        with pytest.raises(ConfigUnsafe) as caught:
            settings_file.write_all([edit(path, "old", "new", home)])

        assert caught.value.code == "config.unsafe"
    assert (outside / "settings.json").read_text(encoding="utf-8") == "old"


def test_a_file_that_changed_since_is_left_alone(tmp_path: Path) -> None:
    """What the client wrote in the meantime is not overwritten."""
    path = tmp_path / "settings.json"
    for before, now in (("old", "newer"), (None, "there now"), ("old", None)):
        path.unlink(missing_ok=True)
        if now is not None:
            path.write_text(now, encoding="utf-8")
        with pytest.raises(ConfigChanged) as caught:
            settings_file.write_all([edit(path, before, "ours")])

        assert caught.value.code == "config.changed"
        assert (path.read_text(encoding="utf-8") if path.exists() else None) == now


def test_all_edits_are_made_or_none(tmp_path: Path) -> None:
    """When the second file cannot be written, the first gets its text back."""
    first, second, made = tmp_path / "first", tmp_path / "second", tmp_path / "made"
    first.write_text("old", encoding="utf-8")
    second.write_text("changed meanwhile", encoding="utf-8")
    edits = [edit(first, "old", "new"), edit(made, None, "new"), edit(second, "old", "new")]
    with pytest.raises(ConfigChanged):
        settings_file.write_all(edits)

    assert first.read_text(encoding="utf-8") == "old"
    assert names(tmp_path) == ["first", "second"]


def test_every_file_is_checked_before_the_first_is_written(tmp_path: Path) -> None:
    """An unsafe file stops the whole before anything is touched."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("old", encoding="utf-8")
    before = first.stat().st_mtime_ns
    second.mkdir()
    with pytest.raises(ConfigUnsafe):
        settings_file.write_all([edit(first, "old", "new"), edit(second, None, "new")])

    assert first.stat().st_mtime_ns == before
    assert first.read_text(encoding="utf-8") == "old"


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    """A person who takes their own right to write away means it."""
    path = tmp_path / "settings.json"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o444)
    with pytest.raises(ConfigUnsafe, match="read-only"):
        settings_file.write_all([edit(path, "old", "new")])

    assert path.read_text(encoding="utf-8") == "old"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to someone else")
def test_another_users_file_is_left_alone(tmp_path: Path) -> None:
    """A file that belongs to someone else is not ours to replace."""
    path = tmp_path / "settings.json"
    path.write_text("old", encoding="utf-8")
    os.chown(path, 12345, 12345)
    with pytest.raises(ConfigUnsafe, match="another user"):
        settings_file.write_all([edit(path, "old", "new")])


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    """A pipe or a folder in the file's place is an error at once."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        with pytest.raises(ConfigUnsafe):
            settings_file.read_file(str(path))
    with pytest.raises(ConfigUnsafe):
        settings_file.write_all([edit(pipe, "", "new")])


def test_no_file_is_told_from_an_empty_one(tmp_path: Path) -> None:
    """A missing file is None, also behind a link to nowhere; an empty one is empty."""
    (tmp_path / "empty").touch()
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")

    assert settings_file.read_file(str(tmp_path / "empty")) == b""
    assert settings_file.read_file(str(tmp_path / "gone")) is None
    assert settings_file.read_file(str(tmp_path / "nowhere")) is None


def test_an_endless_file_is_refused(tmp_path: Path) -> None:
    """A file above the limit is not read into memory."""
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(settings_file.MAX_BYTES + 1)
    with pytest.raises(ConfigUnsafe, match="more than"):
        settings_file.read_file(str(tmp_path / "huge"))


def test_a_path_through_a_file_or_in_circles_is_refused(tmp_path: Path) -> None:
    """What the system itself cannot follow is a coded error."""
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "file" / "settings.json", tmp_path / "loop"):
        with pytest.raises(ConfigUnsafe, match="cannot be read"):
            settings_file.read_file(str(path))
    with pytest.raises(ConfigUnsafe):
        settings_file.write_all([edit(tmp_path / "file" / "settings.json", None, "new", tmp_path)])


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    """When the new text cannot be put beside the old, both files keep theirs."""
    first, second = tmp_path / "first", tmp_path / ("x" * 250)
    first.write_text("old", encoding="utf-8")
    second.write_text("old", encoding="utf-8")
    with pytest.raises(ConfigUnsafe, match="cannot be written"):
        settings_file.write_all([edit(first, "old", "new"), edit(second, "old", "new")])

    assert first.read_text(encoding="utf-8") == "old"
    assert names(tmp_path) == ["first", second.name]
