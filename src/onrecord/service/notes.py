"""Where an agent's own notes may be seen: one rule for recall, ids and packs (light)."""

from __future__ import annotations

from onrecord.domain.scope import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.scope import Place


def noted_here(scope: str, repo: str, place: Place, *, by_person: bool) -> bool:
    """Whether what stands in that scope may be seen by an agent in this place.

    An agent's scope goes with it into every repository, but what it noted itself is seen only
    in the one (`repo`) where it was noted. What a person wrote there is for all of them.
    """
    return kind_of(scope) != "agent" or by_person or repo in (place.repo or "", *place.former)


def visible_in(place: Place) -> Callable[[Candidate], bool]:
    """The same rule for rows of a shelf."""

    def visible(found: Candidate) -> bool:
        return noted_here(found.scope, found.repo, place, by_person=not found.agent)

    return visible
