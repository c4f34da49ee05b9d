"""Sessions go by a part of their names, among those that the asker may know of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from onrecord.domain.errors import NotFound
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.service.session_names import NONE

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.service.caller import Caller

DEPOT = "repo:github.com/acme/depot"
DEPOT_BRANCH = "branch:github.com/acme/depot@main"


def asked(desk: Desk, name: str, caller: Caller) -> list[str]:
    """What is said of a session that is named, and of what it was given."""
    with pytest.raises(NotFound) as session:
        desk.memory.session(name, caller)
    with pytest.raises(NotFound) as given:
        desk.memory.deliveries(caller, name)
    return [session.value.message, given.value.message]


def test_sessions_elsewhere_answer_an_agent_like_none(desk: Desk) -> None:
    """Whether none, one or several there have that name; a person is told that several have."""
    for name in ("abcd-1111", "abcd-2222"):
        desk.agent("codex", name, repo=DEPOT, branch=DEPOT_BRANCH)
    here = desk.agent("claude-code", "zzzz-1111")

    for name in ("abcd", "abcd-1", "efgh"):
        assert asked(desk, name, here) == [NONE, NONE]
    assert asked(desk, "abcd", desk.ada) == ["Several sessions fit that."] * 2
    assert desk.memory.session("abcd-1", desk.ada).agent_session == "abcd-1111"


def test_sessions_elsewhere_make_no_name_ambiguous(desk: Desk) -> None:
    """Those of the agent's own repository do."""
    desk.agent("codex", "abcd-1111", repo=DEPOT, branch=DEPOT_BRANCH)
    here = desk.agent("claude-code", "abcd-3333")

    assert desk.memory.session("abcd", here).agent_session == "abcd-3333"
    desk.agent("codex", "abcd-4444")
    assert asked(desk, "abcd", here) == ["Several sessions fit that."] * 2


def test_a_session_of_another_folder_is_none_where_there_is_no_repository(desk: Desk) -> None:
    """As in the list of sessions; its own folder's are found."""
    agent = desk.agent("claude-code", "zzzz-1111")
    here = replace(agent, place=Place(agent=agent.place.agent, cwd="/notes"))
    with desk.store.write() as tx:
        for name, cwd in (("abcd-1111", "/letters"), ("efgh-1111", "/notes")):
            now = desk.clock.now()
            tx.sessions.put(
                Session(
                    id=desk.ids.new(now),
                    agent="codex",
                    agent_session=name,
                    started_at=now,
                    last_event_at=now,
                    cwd=cwd,
                )
            )

    assert asked(desk, "abcd-1111", here) == [NONE, NONE]
    assert desk.memory.session("efgh", here).cwd == "/notes"
    assert [one.cwd for one in desk.memory.sessions(here)] == ["/notes"]
