"""The texts that an item's meaning is taken of: pieces that a small model reads whole."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Names how the pieces are made; vectors of texts that were made otherwise are not compared.
FORM = "speaker-title-body-tags/1"

#: Characters of a piece: about 220 tokens of English, so that a reader of 256 reads all of it.
PIECE = 900
#: Pieces of one item, without the one for its tags; what stands below is found by words alone.
MAX_PIECES = 16


def pieces(title: str, body: str, tags: Sequence[str] = ()) -> list[str]:
    """The title with each stretch of the body, cut at paragraphs, lines, sentences or words.

    Where there are tags, the first of these comes a second time, with them beside the title: they
    are often what a thing is also called, and as often only a drawer that it lies in.
    """
    rest = body.strip()
    found: list[str] = []
    room = max(PIECE - len(title), PIECE // 2)
    while rest and len(found) < MAX_PIECES:
        part = rest if len(rest) <= room else rest[: _cut(rest, room)]
        found.append(f"{title}\n{part.strip()}")
        rest = rest[len(part) :].strip()
    found = found or [title]
    if tags:
        found.append(f"{title} ({', '.join(tags)}){found[0][len(title) :]}")
    return found


def _cut(text: str, room: int) -> int:
    """Where to cut a text so that no more than `room` stands before it."""
    for mark in ("\n\n", "\n", ". ", " "):
        at = text.rfind(mark, room // 2, room)
        if at > 0:
            return at + len(mark)
    return room
