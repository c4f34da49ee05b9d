"""Blanking everything that can carry text and belongs to one item."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.item import Content, Version, Where
from onrecord.storage.inmemory.rows import Rows, note_state


def erase(rows: Rows, item: str, at: int) -> None:
    """Blank the item's own text and that of what is bound to it; rows stay."""
    if item not in rows.items:
        return
    versions = tuple(_blank(version, at) for version in rows.versions[item])
    rows.versions[item] = versions
    rows.items[item] = replace(
        rows.items[item],
        status="forgotten",
        key="",
        flags=(),
        salt=b"",
        replaces="",
        replaces_version=0,
        head=versions[-1],
    )
    note_state(rows, item, at)
    _erase_provenance(rows, item)
    _erase_handoff(rows, item)
    for name, delivery in rows.deliveries.items():
        if any(each.item == item for each in delivery.items):
            rows.deliveries[name] = replace(delivery, query="")
    for given, answer in rows.answers.items():
        if answer[2] == item:
            rows.answers[given] = (b"", "", item)
    for key in [key for key in rows.documents if key[0] == item]:
        del rows.documents[key]
    for space, name in [key for key in rows.vectors if key[1] == item]:
        del rows.vectors[space, name]
        rows.revisions[space] += 1


def _blank(version: Version, at: int) -> Version:
    return replace(
        version,
        content=Content(title=""),
        where=Where(),
        reason="",
        digest=b"",
        same=b"",
        erased_at=at if version.erased_at is None else version.erased_at,
    )


def _erase_provenance(rows: Rows, item: str) -> None:
    for name, evidence in rows.evidence.items():
        if evidence.item == item:
            blank = replace(evidence, pointer="", quote="", author="", digest=b"")
            rows.evidence[name] = blank
    for name, review in rows.reviews.items():
        if review.item == item:
            rows.reviews[name] = replace(review, note="", reason="", seen=b"", became=b"")
    for name, feedback in rows.feedback.items():
        if feedback.item == item:
            rows.feedback[name] = replace(feedback, note="")
    for key in [key for key in rows.links if key[0] == item]:
        del rows.links[key]


def _erase_handoff(rows: Rows, item: str) -> None:
    handoff = rows.handoffs.get(item)
    if handoff is not None:
        rows.handoffs[item] = replace(
            handoff,
            done="",
            state="",
            next="",
            questions="",
            repo="",
            branch="",
            head="",
            dirty={},
        )
