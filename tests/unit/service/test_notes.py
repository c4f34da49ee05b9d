"""An agent's own notes: seen where they were taken, by one rule in every way of reading."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from onrecord.domain.errors import NotFound
from onrecord.domain.scope import Place
from onrecord.policy.fence import parse
from onrecord.service.notes import noted_here

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.service.caller import Caller

TITLE = "Refunds print a receipt at the kiosk"
QUERY = "refunds receipt kiosk"


def titles(desk: Desk, caller: Caller) -> tuple[list[str], list[str]]:
    """Bodies that a recall and a pack give a caller."""
    found = [hit.item.content.body for hit in desk.memory.recall(QUERY, caller).hits]
    made, _ = desk.memory.pack(caller, query=QUERY, channel="mcp", nonce="7kq2m9x4tb3d")
    return found, [entry.body for entry in parse(made.text)] if made.text else []


def test_the_rule_by_itself() -> None:
    """An agent's note in its repository; a person's, and other scopes, anywhere."""
    here = Place(cwd="/src/shop", repo="repo:a")

    assert noted_here("agent:codex", "repo:a", here, by_person=False)
    assert not noted_here("agent:codex", "repo:b", here, by_person=False)
    assert noted_here("agent:codex", "repo:b", here, by_person=True)
    assert noted_here("global", "repo:b", here, by_person=False)
    assert noted_here("agent:codex", "", Place(cwd="/tmp"), by_person=False)  # noqa: S108 - a name


def test_recall_and_packs_agree_on_where_a_note_is_seen(desk: Desk) -> None:
    """Given where it was taken, neither found nor given elsewhere; a person finds it."""
    made = desk.remember(TITLE, desk.agent(), body="noted here", scope="agent")
    assert made.item is not None
    away = desk.elsewhere()
    person = replace(desk.ada, place=desk.agent().place)

    assert titles(desk, desk.agent()) == (["noted here"], ["noted here"])
    assert titles(desk, away) == ([], [])
    with pytest.raises(NotFound):
        desk.memory.get(made.item.id, away)
    found = desk.memory.recall(QUERY, person).hits
    assert [hit.item.id for hit in found] == [made.item.id]


def test_a_note_from_elsewhere_hides_nothing(desk: Desk) -> None:
    """What may not be seen does not stand for what may, though its scope is narrower."""
    away = desk.elsewhere()
    made = desk.remember(TITLE, desk.ada, body="shared by all", scope="global")
    assert made.item is not None
    desk.remember(TITLE, desk.agent(), body="noted here", scope="agent")
    with desk.store.write() as tx:
        tx.items.change(
            replace(made.item, verification="unverified"), at=made.item.head.recorded_at
        )

    assert titles(desk, away) == (["shared by all"], ["shared by all"])


def test_what_a_person_wrote_for_an_agent_goes_with_it(desk: Desk) -> None:
    """By recall, by id and in packs alike, in whichever repository it was written."""
    person = replace(desk.ada, place=desk.agent().place)
    made = desk.remember(TITLE, person, body="for codex", scope="agent")
    assert made.item is not None
    away = desk.elsewhere()

    assert titles(desk, away) == (["for codex"], ["for codex"])
    assert desk.memory.get(made.item.id, away).content.body == "for codex"
