"""The spool's files: whole, private, in order, and nobody else's."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from onrecord.capture import spool
from onrecord.domain.errors import StoreUnsafe

AT = 1_800_000_000_000_000


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Where the spool is; it is not there yet."""
    return str(tmp_path / "data" / "memory.db.spool")


@pytest.fixture(params=[0o000, 0o077, 0o777], ids=["open", "private", "closed"])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """What new files are not to be, as the process that runs the hook was told."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def wrote(folder: str, *, at: int = AT, **record: object) -> str:
    """One record's file name."""
    given = {"client": "codex", "session": "s", "event": "prompt", **record}
    return spool.write(folder, given, at=at)


def test_a_record_is_read_as_it_was_written(folder: str) -> None:
    """Until it is dropped; dropping it twice is fine."""
    name = wrote(folder, prompt="naïve “x”\n")

    assert spool.names(folder) == [name]
    assert json.loads(spool.read(folder, name) or "")["prompt"] == "naïve “x”\n"
    spool.drop(folder, name)
    spool.drop(folder, name)
    assert spool.names(folder) == []
    assert spool.read(folder, name) is None


def test_records_come_in_the_order_of_time(folder: str) -> None:
    """Whatever the order they were written in."""
    late, early = wrote(folder, at=AT + 1), wrote(folder, at=AT)

    assert spool.names(folder) == [early, late]


def test_nothing_waits_where_there_is_no_spool(folder: str) -> None:
    """Looking makes nothing."""
    assert spool.names(folder) == []
    assert spool.set_aside_count(folder) == 0
    assert spool.pending(folder, "codex", "s") == {}
    spool.tidy(folder, now_s=0)
    spool.set_aside(folder, "x.json")
    assert not Path(folder).exists()


@pytest.mark.usefixtures("umask")
def test_only_the_owner_can_read(folder: str) -> None:
    """Folder and file, whatever the umask."""
    Path(folder).parent.mkdir(mode=0o700)
    Path(folder).parent.chmod(0o700)
    name = wrote(folder)

    assert stat.S_IMODE(Path(folder).stat().st_mode) == 0o700
    assert Path(folder, name).stat().st_mode & 0o077 == 0


def test_a_folder_that_others_may_write_is_closed_to_them(folder: str) -> None:
    """Before anything is put into it."""
    Path(folder).mkdir(parents=True)
    Path(folder).chmod(0o777)
    wrote(folder)

    assert stat.S_IMODE(Path(folder).stat().st_mode) == 0o700


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_folder_that_is_none_is_refused(folder: str, tmp_path: Path, kind: str) -> None:
    """A link could lead anywhere; nothing is written behind it."""
    Path(folder).parent.mkdir()
    if kind == "link":
        (tmp_path / "elsewhere").mkdir()
        Path(folder).symlink_to(tmp_path / "elsewhere")
    else:
        Path(folder).touch()
    with pytest.raises(StoreUnsafe) as caught:
        wrote(folder)

    assert caught.value.details == {"path": folder}
    assert caught.value.hint
    assert not list(tmp_path.rglob("*.json"))


@pytest.mark.parametrize("event", ["prompt", "session_end"])
def test_records_of_one_instant_are_all_kept(folder: str, event: str) -> None:
    """Of one process, session and event too."""
    names = [wrote(folder, event=event, prompt=str(n)) for n in range(4)]

    assert spool.names(folder) == sorted(set(names))
    assert len(set(names)) == 4
    assert {spool.tells_end(name) for name in names} == {event == "session_end"}


def test_a_session_finds_its_own_records(folder: str) -> None:
    """Oldest first, the ends among them; those of others are not even read."""
    wrote(folder, at=AT + 2, event="session_end")
    wrote(folder, at=AT + 1)
    wrote(folder, session="other")
    wrote(folder, client="claude-code")

    found = [json.loads(text)["event"] for text in spool.pending(folder, "codex", "s").values()]
    assert found == ["prompt", "session_end"]


def test_a_full_spool_takes_no_more(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came first is worth more than a flood; it goes on once something was taken in."""
    monkeypatch.setattr(spool, "MAX_RECORDS", 2)
    kept = [wrote(folder, at=AT + n) for n in range(2)]

    assert wrote(folder, at=AT + 2) == ""
    assert spool.names(folder) == kept
    spool.drop(folder, kept[0])
    assert wrote(folder, at=AT + 3) != ""


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "large", "bytes", "gone"])
def test_what_no_hook_wrote_is_not_read(folder: str, tmp_path: Path, kind: str) -> None:
    """And reading it never waits."""
    Path(folder).mkdir(parents=True)
    target = Path(folder, "x.json")
    (tmp_path / "secret").write_text("{}", encoding="utf-8")
    if kind == "link":
        target.symlink_to(tmp_path / "secret")
    elif kind == "pipe":
        os.mkfifo(target)
    elif kind == "folder":
        target.mkdir()
    elif kind != "gone":
        target.write_bytes(b" " * (spool.MAX_BYTES + 1) if kind == "large" else b"\xff")

    assert spool.read(folder, "x.json") is None


def test_what_cannot_be_read_is_set_aside_and_counted(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to a number; beyond it, it is removed. Either way it waits no longer."""
    monkeypatch.setattr(spool, "MAX_ASIDE", 2)
    for n in range(3):
        spool.set_aside(folder, wrote(folder, at=AT + n))

    assert spool.names(folder) == []
    assert spool.set_aside_count(folder) == 2
    assert len(list(Path(folder).iterdir())) == 2


def test_drafts_of_killed_hooks_are_tidied_away(folder: str) -> None:
    """Those that are old enough; a hook may still be writing the others."""
    name = wrote(folder)
    old, new = Path(folder, f".0{name}"), Path(folder, f".0{name}-1")
    for draft in (old, new):
        draft.write_text("{", encoding="utf-8")
    now = new.stat().st_mtime
    os.utime(old, (now - spool.DRAFT_LIFE_S - 1,) * 2)
    spool.tidy(folder, now_s=now)

    assert {path.name for path in Path(folder).iterdir()} == {new.name, name}
    assert spool.names(folder) == [name]
