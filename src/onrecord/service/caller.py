"""Who asks, and from where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from onrecord.domain.candidate import Candidate
from onrecord.domain.item import Item, Where
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place, kind_of, split_branch
from onrecord.service import notes
from onrecord.service.naming import kept_path


@dataclass(frozen=True, kw_only=True, slots=True)
class Caller:
    """One asking party; doors build it once per call from what their channel proves."""

    principal: Principal
    place: Place

    def where(self) -> Where:
        """What a version written now keeps of the place."""
        return Where(
            cwd=kept_path(self.place.cwd),
            repo=self.place.repo or "",
            branch=self.place.branch or "",
            commit=self.place.commit,
        )

    def sees(self, item: Item) -> bool:
        """Whether the caller may know that the item exists.

        A person sees the whole local store. An agent sees what is active in its ladder, and
        what it wrote there itself; what it noted in its own scope, in that repository alone;
        and the handoffs of its repository, whichever branch they are filed under.
        Anything else looks to it like an id that never was.
        """
        if self.principal.is_person or self.principal.writer == "system":
            return True
        if item.scope not in self.place.ladder() and not self._handed_here(item):
            return False
        if not noted_here(item, self.place):
            return False
        return item.status == "active" or item.head.author.same_party(self.principal)

    def _handed_here(self, item: Item) -> bool:
        """Whether it is a handoff of another branch of the repository: packs offer that too."""
        key = item.scope.partition(":")[2]
        repo, repo_name = split_branch(key)[0], (self.place.repo or "").partition(":")[2]
        filed = item.kind == "handoff" and kind_of(item.scope) == "branch"
        return filed and bool(repo) and repo == repo_name

    @property
    def visible(self) -> Callable[[Candidate], bool] | None:
        """What a recall may find before it is ranked; None for a person, who sees all."""
        if self.principal.is_person:
            return None
        return notes.visible_in(self.place)


def noted_here(item: Item, place: Place) -> bool:
    """Whether an agent's own note was taken where the caller stands; true for all others."""
    author, repo = item.head.author, item.head.where.repo
    return notes.noted_here(item.scope, repo, place, by_person=author.is_person)
