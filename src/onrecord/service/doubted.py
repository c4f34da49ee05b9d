"""What a pack says of citations: compared with the working tree, within a small budget (light).

Nothing is written. What does not hold is shown as stale with what changed, below what holds.
"""

from __future__ import annotations

from onrecord.retrieval.lines import group_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.scope import Place
    from onrecord.domain.shelf import Shelf

#: Citations that one pack compares, and bytes of a file beyond which it is not read for it.
MOST = 16
LARGEST = 256 * 1024
#: The same with a prompt, which a person waits for.
PROMPT_MOST = 4
PROMPT_LARGEST = 64 * 1024
#: Seconds of comparing after which git is not asked about files that are not there: a hook
#: has little time.
GIT_S = 0.12


def note_broken(
    shelf: Shelf, items: Sequence[Candidate], place: Place, *, with_prompt: bool = False
) -> dict[str, str]:
    """Item -> what its citations say now; those that do not hold become stale.

    With a prompt few files are read, none that is large, and git is not asked about those that
    are not there; what is left out stays as it is on record. Only what was written in the
    repository of the place is compared, the first ones first.
    """
    here = [item for item in items if item.repo and item.repo == place.repo]
    if not place.root or not here:
        return {}
    rows = shelf.cited([item.id for item in here])
    if not rows:
        return {}
    from onrecord.capture import citation_verdict as verdicts  # noqa: PLC0415 - mostly none

    notes: dict[str, str] = {}
    within = verdicts.Budget(
        seconds=0.0 if with_prompt else GIT_S,
        most=PROMPT_MOST if with_prompt else MOST,
        largest=PROMPT_LARGEST if with_prompt else LARGEST,
    )
    for item in here:
        own = [row[1:] for row in rows if row[0] == item.id]
        if not own or group_of(item) is None:
            continue
        text = f"{item.title}\n{item.body}"
        found = verdicts.judge_all(own, item.version, text, place.root, within)
        item.belief = verdicts.belief_after(item.belief, found)
        told = [one for one in found if one[1].note]
        if told:
            # what is broken goes before what only moved
            pointer, verdict = max(told, key=lambda one: one[1].broken)
            notes[item.id] = f"{pointer} {verdict.note}"
    return notes
