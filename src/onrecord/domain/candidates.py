"""An item as recall and packs look at it: the one place where its row is made from it."""

from __future__ import annotations

from onrecord.domain.candidate import Candidate
from onrecord.domain.item import Item


def candidate_of(
    item: Item, *, body_chars: int | None = None, lexical: float = 0.0, counted: bool = True
) -> Candidate:
    """The row of an item's current version, with at most so much of its body.

    Without `counted` it says nothing of how often the item was used, which changes after
    every instant that is asked about.
    """
    head, content = item.head, item.content
    return Candidate(
        id=item.id,
        version=head.n,
        scope=item.scope,
        kind=item.kind,
        title=content.title,
        body=content.body[:body_chars],
        key=item.key,
        summary=content.summary,
        tags=" ".join(content.tags),
        body_chars=len(content.body),
        belief=item.verification,
        pinned=item.pinned,
        tainted=item.tainted,
        user=head.author.user,
        agent=head.author.agent,
        session=head.author.session,
        repo=head.where.repo,
        recorded_at=head.recorded_at,
        created_at=item.created_at,
        valid_from=content.valid_from,
        valid_to=content.valid_to,
        delivered=item.delivered if counted else 0,
        helpful=item.helpful if counted else 0,
        lexical=lexical,
    )
