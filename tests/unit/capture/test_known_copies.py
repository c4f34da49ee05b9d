"""Known copies outside of a store: what is erased there, and what is left alone."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from onrecord.capture.known_copies import KnownCopies
from onrecord.capture.mirror_folder import Kept, MirrorFolder, digest_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

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


def test_a_mirror_that_was_removed_is_let_go_of(copies: KnownCopies, tmp_path: Path) -> None:
    """One whose place is not there is waited for."""
    copies.note(str(tmp_path / "removed"))
    assert copies.reach([GONE]) == 0
    copies.note(str(tmp_path / "away" / "mirror"))
    assert copies.reach([GONE]) == 1
    assert copies.reach([]) == 1
    mirror(tmp_path / "away" / "mirror")
    assert copies.reach([]) == 0
    assert not (tmp_path / "away" / "mirror" / "global" / f"{GONE}.md").exists()


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


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b'{"relative": []}', b'{"/x": 7}', b"\xff"])
def test_a_damaged_list_names_nothing(copies: KnownCopies, tmp_path: Path, raw: bytes) -> None:
    """And keeps no erasing from being done."""
    (tmp_path / "memory.db.mirrors").write_bytes(raw)

    assert copies.reach([GONE]) == 0
    copies.note(str(mirror(tmp_path / "one")))
    assert copies.reach([GONE]) == 0
    assert not (tmp_path / "one" / "global" / f"{GONE}.md").exists()


def test_answers_that_were_set_aside_go(copies: KnownCopies, tmp_path: Path) -> None:
    """All of them, since nobody can tell what they carry; how far summaries are stays known."""
    folder = tmp_path / "summaries"
    folder.mkdir()
    for name in ("01A.answer.json", "01B.answer.json", "progress"):
        (folder / name).write_text("{}", encoding="utf-8")

    assert copies.reach([GONE]) == 0

    assert [path.name for path in folder.iterdir()] == ["progress"]
