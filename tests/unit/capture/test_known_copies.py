"""Known copies outside of a store: what is erased there, and what is left alone."""

from __future__ import annotations

import json
import os
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from onrecord.capture.known_copies import MAX_MIRRORS, MAX_OWED, KnownCopies
from onrecord.capture.mirror_folder import Kept, MirrorFolder, digest_of
from onrecord.domain.errors import StoreCorrupt, StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from onrecord.capture.mirror_folder import Sign

GONE, KEPT = "01JABCDEFGHJKMNPQRSTVWXYZ0", "01JABCDEFGHJKMNPQRSTVWXYZ1"


def seal(shape: Mapping[str, object]) -> str:
    """A seal of ours."""
    return digest_of(json.dumps(["ours", shape]).encode())


@pytest.fixture
def copies(tmp_path: Path) -> KnownCopies:
    """The copies of a store in a folder."""
    (tmp_path / "backups").mkdir()
    return KnownCopies(
        str(tmp_path / "memory.db.mirrors"),
        exports=str(tmp_path / "backups"),
        answers=str(tmp_path / "summaries"),
        spool=str(tmp_path / "spool"),
        signs=lambda: (seal,),
    )


def mirror(path: Path) -> Path:
    """A mirror of two memories."""
    folder = MirrorFolder(str(path))
    folder.trust(seal)
    for item in (GONE, KEPT):
        folder.write(f"global/{item}.md", item.encode())
        kept = Kept(item=item, digests=(digest_of(item.encode()),))
        folder.index.files[f"global/{item}.md"] = kept
    folder.save()
    return path


def export(path: Path, *items: str) -> Path:
    """An export of these memories."""
    rows: list[object] = [{"onrecord": "export", "version": 1, "items": len(items)}]
    rows += [{"id": item, "title": f"About {item}"} for item in items]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_files_of_an_item_go_from_every_mirror(copies: KnownCopies, tmp_path: Path) -> None:
    """Its siblings stay, the index follows, and the list is for the owner alone."""
    paths = [mirror(tmp_path / name) for name in ("one", "two")]
    for path in paths:
        copies.note(str(path))

    assert copies.reach([GONE]) == 0

    for path in paths:
        assert [file.name for file in path.rglob("*.md")] == [f"{KEPT}.md"]
        assert list(MirrorFolder(str(path)).index.files) == [f"global/{KEPT}.md"]
    assert (tmp_path / "memory.db.mirrors").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["mirror", "drive/mirror"])
def test_a_mirror_that_is_away_is_waited_for(
    copies: KnownCopies, tmp_path: Path, name: str
) -> None:
    """Whether its folder alone is not there or that one's place too; it is told each time."""
    place = tmp_path / name
    copies.note(str(place))
    assert copies.reach([GONE]) == 1
    assert copies.reach([]) == 1
    mirror(place)
    assert copies.reach([]) == 0
    assert [file.name for file in place.rglob("*.md")] == [f"{KEPT}.md"]


def test_a_folder_of_somebody_else_is_left_alone(copies: KnownCopies, tmp_path: Path) -> None:
    """Whatever stands in the list."""
    for name, shape in (("plain", None), ("forged", {"seal": ""})):
        folder = tmp_path / name
        (folder / "global").mkdir(parents=True)
        (folder / "global" / f"{GONE}.md").write_text("mine", encoding="utf-8")
        if shape is not None:
            files = {f"global/{GONE}.md": {"item": GONE, "digests": [digest_of(b"mine")]}}
            index = {"onrecord": "mirror", "version": 1, "scopes": [], "files": files, **shape}
            (folder / ".onrecord-mirror.json").write_text(json.dumps(index), encoding="utf-8")
        copies.note(str(folder))

    assert copies.reach([GONE]) == 2

    for name in ("plain", "forged"):
        assert (tmp_path / name / "global" / f"{GONE}.md").read_text(encoding="utf-8") == "mine"


def test_exports_lose_their_lines(copies: KnownCopies, tmp_path: Path) -> None:
    """The header counts what is left; other files, and links to elsewhere, are left alone."""
    ours = export(tmp_path / "backups" / "out.jsonl", GONE, KEPT)
    other = tmp_path / "backups" / "other.jsonl"
    other.write_text(json.dumps({"id": GONE}) + "\n", encoding="utf-8")
    elsewhere = export(tmp_path / "elsewhere.jsonl", GONE, KEPT)
    (tmp_path / "backups" / "link.jsonl").symlink_to(elsewhere)
    os.link(elsewhere, tmp_path / "backups" / "hard.jsonl")
    (tmp_path / "backups" / "folder").mkdir()

    assert copies.reach([GONE]) == 0

    rows = [json.loads(line) for line in ours.read_text(encoding="utf-8").splitlines()]
    assert (rows[0]["items"], [row["id"] for row in rows[1:]]) == (1, [KEPT])
    assert ours.stat().st_mode & 0o777 == 0o600
    assert GONE in other.read_text(encoding="utf-8")
    assert GONE in elsewhere.read_text(encoding="utf-8")
    assert sorted(path.name for path in (tmp_path / "backups").iterdir()) == [
        "folder",
        "hard.jsonl",
        "link.jsonl",
        "other.jsonl",
        "out.jsonl",
    ]


@pytest.mark.parametrize("raw", [b"", b'{"relative": []}', b'{"/x": 7}'])
def test_what_is_no_mirror_in_the_list_is_passed_over(
    copies: KnownCopies, tmp_path: Path, raw: bytes
) -> None:
    """And keeps no erasing from being done."""
    (tmp_path / "memory.db.mirrors").write_bytes(raw)

    assert copies.reach([GONE]) == 0
    copies.note(str(mirror(tmp_path / "one")))
    assert copies.reach([GONE]) == 0
    assert not (tmp_path / "one" / "global" / f"{GONE}.md").exists()


@pytest.mark.parametrize("raw", [b"{", b"[1]", b"\xff", b"7", b" " * (32 << 20)])
def test_a_damaged_list_is_left_as_it_is(copies: KnownCopies, tmp_path: Path, raw: bytes) -> None:
    """It may name mirrors, so it is neither written over nor taken for an empty one."""
    listed = tmp_path / "memory.db.mirrors"
    listed.write_bytes(raw)
    ours = export(tmp_path / "backups" / "out.jsonl", GONE, KEPT)

    for attempt in (lambda: copies.reach([GONE]), lambda: copies.note(str(tmp_path / "one"))):
        with pytest.raises(StoreCorrupt):
            attempt()
    assert copies.folders() == []
    assert listed.read_bytes() == raw
    # what needs no list is done all the same
    assert GONE not in ours.read_text(encoding="utf-8")


def test_a_list_that_is_a_link_is_left_as_it_is(copies: KnownCopies, tmp_path: Path) -> None:
    """What it leads to is not ours to read."""
    (tmp_path / "other").write_text("{}", encoding="utf-8")
    (tmp_path / "memory.db.mirrors").symlink_to(tmp_path / "other")

    with pytest.raises(StoreCorrupt):
        copies.note(str(tmp_path / "one"))
    assert (tmp_path / "memory.db.mirrors").is_symlink()


def test_the_longest_list_can_be_read_again(copies: KnownCopies, tmp_path: Path) -> None:
    """As many mirrors as are remembered, each owed as much as one can be."""
    owed = [f"01JABCDEFGHJKMNPQRST{n:06}" for n in range(MAX_OWED)]
    known = {f"{tmp_path}/away/{n}": owed for n in range(MAX_MIRRORS)}
    (tmp_path / "memory.db.mirrors").write_text(json.dumps(known), encoding="utf-8")

    assert copies.reach([]) == MAX_MIRRORS


def test_what_is_owed_and_cannot_be_kept_is_told(copies: KnownCopies, tmp_path: Path) -> None:
    """Nobody would try it again; what was owed before still stands."""
    copies.note(str(tmp_path / "away" / "mirror"))
    listed = (tmp_path / "memory.db.mirrors").read_bytes()
    blocked = tmp_path / f"memory.db.mirrors.{os.getpid()}.part"
    blocked.mkdir()

    with pytest.raises(StoreError):
        copies.reach([GONE])
    assert (tmp_path / "memory.db.mirrors").read_bytes() == listed
    blocked.rmdir()
    assert copies.reach([GONE]) == 1


def test_a_mirror_that_is_noted_during_an_erasing_stays_known(
    copies: KnownCopies, tmp_path: Path
) -> None:
    """Who notes it waits until the list is written, and neither takes the other's away."""
    copies.note(str(mirror(tmp_path / "one")))
    other = KnownCopies(
        str(tmp_path / "memory.db.mirrors"),
        exports=str(tmp_path / "backups"),
        answers=str(tmp_path / "summaries"),
        spool=str(tmp_path / "spool"),
        signs=lambda: (seal,),
    )
    noting = Thread(target=other.note, args=(str(tmp_path / "away" / "two"),))

    def signs() -> tuple[Sign, ...]:
        if noting.ident is None:
            noting.start()
            noting.join(timeout=0.3)
        return (seal,)

    erasing = KnownCopies(
        str(tmp_path / "memory.db.mirrors"),
        exports=str(tmp_path / "backups"),
        answers=str(tmp_path / "summaries"),
        spool=str(tmp_path / "spool"),
        signs=signs,
    )
    assert erasing.reach([GONE]) == 0
    noting.join()

    assert list(json.loads((tmp_path / "memory.db.mirrors").read_bytes())) == [
        str(tmp_path / "one"),
        str(tmp_path / "away" / "two"),
    ]
    assert copies.reach([KEPT]) == 1


def test_answers_that_were_set_aside_go(copies: KnownCopies, tmp_path: Path) -> None:
    """All of them, since nobody can tell what they carry; how far summaries are stays known."""
    folder = tmp_path / "summaries"
    folder.mkdir()
    for name in ("01A.answer.json", "01B.answer.json", "progress"):
        (folder / name).write_text("{}", encoding="utf-8")

    assert copies.reach([GONE]) == 0

    assert [path.name for path in folder.iterdir()] == ["progress"]


def test_records_that_were_set_aside_go(copies: KnownCopies, tmp_path: Path) -> None:
    """What hooks left and nobody could read may hold a prompt; what waits is taken in later."""
    folder = tmp_path / "spool"
    folder.mkdir()
    for name in ("0001.json.bad", "0002.json.bad", "0003.json"):
        (folder / name).write_text('{"prompt": "the vau', encoding="utf-8")

    assert copies.reach([GONE]) == 0

    assert [path.name for path in folder.iterdir()] == ["0003.json"]


def test_a_folder_among_them_is_nobodys_copy(copies: KnownCopies, tmp_path: Path) -> None:
    """It is left alone and nothing is owed for it; the record and the link beside it go."""
    folder = tmp_path / "spool"
    (folder / "x.json.bad").mkdir(parents=True)
    (folder / "0001.json.bad").write_text("{", encoding="utf-8")
    (folder / "0002.json.bad").symlink_to(tmp_path)

    assert copies.reach([GONE]) == 0

    assert [path.name for path in folder.iterdir()] == ["x.json.bad"]
    assert tmp_path.is_dir()
