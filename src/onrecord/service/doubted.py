"""What a pack says of citations: compared with the working tree, within a small budget (light).

Nothing is written. What does not hold is shown as stale with what changed, below what holds.
"""

from __future__ import annotations

import time

from onrecord.retrieval.lines import group_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.ports import Shelf
    from onrecord.domain.scope import Place

#: Citations that one pack compares, and bytes of a file beyond which it is not read for it.
MOST = 16
LARGEST = 256 * 1024
#: Seconds that git may take in all for files that are not there: a hook has little time.
GIT_S = 0.12


def note_broken(shelf: Shelf, items: Sequence[Candidate], place: Place) -> dict[str, str]:
    """Item -> what its citations say now; those that do not hold become stale.

    Only what was written in the repository of the place is compared, the first ones first.
    """
    here = [item for item in items if item.repo and item.repo == place.repo]
    if not place.root or not here:
        return {}
    rows = shelf.cited([item.id for item in here])
    if not rows:
        return {}
    from onrecord.capture.citation_verdict import in_force, judge  # noqa: PLC0415 - mostly none

    notes: dict[str, str] = {}
    left, git_s = MOST, GIT_S
    for item in here:
        own = [row[1:] for row in rows if row[0] == item.id]
        if not own or group_of(item) is None:
            continue
        text = f"{item.title}\n{item.body}"
        for pointer, kept in in_force(own, item.version, text)[: max(0, left)]:
            left -= 1
            begun = time.monotonic()
            verdict = judge(pointer, kept, place.root, largest=LARGEST, timeout_s=git_s)
            if verdict.state == "gone":
                git_s -= time.monotonic() - begun
            if verdict.note:
                notes.setdefault(item.id, f"{pointer} {verdict.note}")
            if verdict.broken and item.belief != "disputed":
                item.belief = "stale"
                notes[item.id] = f"{pointer} {verdict.note}"
    return notes
