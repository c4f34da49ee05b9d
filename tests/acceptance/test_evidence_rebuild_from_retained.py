"""What is derived can be dropped: everything is found again from what is kept."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

import apsw

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path


def test_evidence_rebuild_from_retained(tmp_path: Path) -> None:
    """Facts that nobody could guess: found, gone with the index, found again, in packs too."""
    lines = CommandLine(tmp_path)
    words = [f"w{secrets.token_hex(8)}" for _ in range(6)]
    for n, word in enumerate(words):
        lines.remember(f"Berth {word} is reserved", "--scope", "repo", "--tag", f"t{n}")
    assert all(word in lines.run("recall", word, "--json").out for word in words)
    connection = apsw.Connection(str(lines.store))
    connection.execute("DELETE FROM documents")
    connection.close()
    emptied = [lines.run("recall", word, "--json").json["hits"] for word in words]
    assert lines.run("rebuild").status == 0
    again = [lines.run("recall", word, "--json").json["hits"] for word in words]
    pack = lines.run("pack").out

    assert emptied == [[]] * len(words)
    for word, hits in zip(words, again, strict=True):
        assert [word in json.dumps(hit["item"]) for hit in hits] == [True]
        assert word in pack
