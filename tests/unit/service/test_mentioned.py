"""Addresses, commits and comments that a text names are kept as evidence; that taints nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.domain.principal import Principal
from onrecord.service.commands import Claim, ForgetSource

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.domain.provenance import Evidence

ADDRESS = "https://docs.example.org/fares"
TEXT = f"Fares are in cents since commit 3fa9c1e, see {ADDRESS}; PR #12 comment by rune"


def rows_of(desk: Desk, item: str) -> list[Evidence]:
    """What is kept of what an item cites."""
    return desk.memory.background(item, desk.ada)[0]


def test_what_a_text_names_is_kept_with_its_kind(desk: Desk) -> None:
    """An address, a commit, and a comment with its author."""
    item = id_of(desk.remember(TEXT, desk.ada))
    found = {row.kind: (row.pointer, row.author) for row in rows_of(desk, item)}

    assert found == {
        "url": (ADDRESS, ""),
        "commit": ("3fa9c1e", ""),
        "pr_comment": ("PR #12", "rune"),
    }


@pytest.mark.parametrize("who", ["ada", "agent"])
def test_what_a_text_names_taints_nothing(desk: Desk, who: str) -> None:
    """A person's and an agent's own words are theirs, addresses in them included."""
    caller = desk.ada if who == "ada" else desk.agent()
    made = desk.remember(TEXT, caller, scope="" if who == "ada" else "agent")
    item = desk.stored(id_of(made))

    assert (item.status, item.tainted) == ("active", False)


def test_what_an_agent_says_to_rest_on_an_address_is_tainted(desk: Desk) -> None:
    """The kind of evidence decides, also where the text names the same address."""
    rests = (Claim(kind="url", pointer=ADDRESS),)
    made = desk.remember(TEXT, desk.agent(), scope="agent", evidence=rests)
    item = desk.stored(id_of(made))

    assert (item.status, item.tainted) == ("proposed", True)
    assert [row.kind for row in rows_of(desk, item.id)].count("url") == 1


def summary(desk: Desk, title: str, *evidence: Claim) -> str:
    """What a model made of an agent's session."""
    by = Principal(
        writer="summariser", channel="summariser", session=desk.agent().principal.session
    )
    made = desk.remember(title, replace(desk.ada, principal=by), scope="repo", evidence=evidence)
    return id_of(made)


def test_deleting_an_address_holds_what_only_names_it(desk: Desk) -> None:
    """What was made from it goes, what names it in passing waits, a person's own word stays."""
    made = summary(desk, "The fares page gives cents", Claim(kind="url", pointer=ADDRESS))
    named = summary(desk, f"Riders were pointed to {ADDRESS}")
    own = id_of(desk.remember(f"My page of fares is {ADDRESS}", desk.ada))
    desk.do(ForgetSource(source=ADDRESS), desk.ada_typed)

    states = [desk.stored(item).status for item in (made, named, own)]
    assert states == ["forgotten", "proposed", "active"]
    assert "source_forgotten" in desk.stored(named).flags
    assert [row.pointer for row in rows_of(desk, own)] == [""]


def test_what_a_text_names_does_not_keep_it_from_going_with_its_source(desk: Desk) -> None:
    """A message that is deleted takes what was made from it, whatever address stands in that."""
    said = Claim(kind="message", pointer="codex:s1#u1", quote="see the page")
    made = summary(desk, f"The page of fares is {ADDRESS}", said)
    desk.do(ForgetSource(source="codex:s1#u1"), desk.ada_typed)

    assert desk.stored(made).status == "forgotten"
