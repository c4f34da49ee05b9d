"""Lines that only name another file are no statements, and what is glued to them is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onrecord.capture.formats.foreign import Foreign, Origin, Skipped
from onrecord.capture.formats.markdown import records

if TYPE_CHECKING:
    from pathlib import Path

POINTERS = [
    ("@docs/rules.md\nUse tabs always\n", ["Use tabs always"], [1]),
    ("[Topic](topic.md)\nUse tabs always\n", ["Use tabs always"], [1]),
    ("Use tabs always\n@docs/rules.md\n", ["Use tabs always"], [2]),
    ("- [A](a.md)\n  Use tabs always\n", ["Use tabs always"], [1]),
    ("- @docs/a.md\n\n  Use tabs always\n", ["Use tabs always"], [1]),
    ("- [B](b.md) — how she wants\n  them, at length\n", [], [1]),
    ("- [A](a.md#top).\n- [B](b.md): words\n", [], [1, 2]),
    ("- see [C](c.md) first\n", ["see [C](c.md) first"], []),
    ("[Site](https://example.org/a.md)\n", ["[Site](https://example.org/a.md)"], []),
    ("Ship it so:\n\n```sh\n@bin\n```\n", ["Ship it so:\n\n```sh\n@bin\n```"], []),
]


@pytest.mark.parametrize(("text", "said", "pointers"), POINTERS)
def test_a_pointer_line_becomes_no_title(
    tmp_path: Path, text: str, said: list[str], pointers: list[int]
) -> None:
    """It is told as left out, with its line; the words beside it come in without it."""
    path = tmp_path / "CLAUDE.md"
    path.write_text(text, encoding="utf-8")

    found = list(records(Origin(path=str(path))))

    assert [one.text for one in found if isinstance(one, Foreign)] == said
    skipped = [one for one in found if isinstance(one, Skipped)]
    assert [(one.line, one.why) for one in skipped] == [(n, "pointer") for n in pointers]
