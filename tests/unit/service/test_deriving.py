"""What a statement was made from is kept, and deleting that reaches it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.service.commands import Approve, Claim, Forget, HandOff, Remember, Revise

if TYPE_CHECKING:
    from desk import Desk

SOURCE = "The harbour office pays refunds without a receipt"


@pytest.mark.parametrize("named", ["whole", "short", "link"])
def test_what_a_summary_names_is_its_source(desk: Desk, named: str) -> None:
    """By its id among evidence, by a part of it, or as a link; it goes with its source."""
    source = id_of(desk.remember(SOURCE, desk.ada, scope="repo"))
    pointer = source if named == "whole" else f"m:{source[-6:]}"
    evidence = () if named == "link" else (Claim(kind="message", pointer=pointer),)
    links = (source,) if named == "link" else ()
    made = desk.do(
        Remember(
            content=Content(title="How the harbour pays"),
            scope="repo",
            kind="summary",
            evidence=evidence,
            links=links,
        ),
        desk.agent(),
    )
    with desk.store.read() as tx:
        kinds = {link.kind for link in tx.provenance.links_from(id_of(made))}
    reach = desk.memory.reach(source, desk.ada)
    desk.do(Forget(item=source), desk.ada)

    assert "derived_from" in kinds
    assert [item.id for item in reach.goes] == [id_of(made)]
    assert desk.stored(id_of(made)).status == "forgotten"


def test_a_note_that_rests_on_another_waits_when_that_goes(desk: Desk) -> None:
    """It says something of its own; a person decides. One that only links to it stays."""
    source = id_of(desk.remember(SOURCE, desk.ada, scope="repo"))
    claim = Claim(kind="message", pointer=f"m:{source[-6:]}")
    note = id_of(
        desk.remember("Refund rules differ by office", desk.ada, scope="repo", evidence=(claim,))
    )
    about = id_of(
        desk.remember("Mabel sits at the counter", desk.ada, scope="repo", links=(source,))
    )
    desk.do(Forget(item=source), desk.ada)

    assert (desk.stored(note).status, desk.stored(note).flags) == (
        "proposed",
        ("source_forgotten",),
    )
    assert desk.stored(about).status == "active"


def test_an_agent_names_no_source_that_it_may_not_read(desk: Desk) -> None:
    """Whether the id is of another's, or of nothing, is the same to it."""
    hidden = id_of(desk.remember(SOURCE, desk.ada, scope="project:fares"))
    claim = Claim(kind="message", pointer=hidden)
    made = id_of(desk.remember("Refunds differ", desk.agent(), scope="agent", evidence=(claim,)))
    with desk.store.read() as tx:
        kinds = {link.kind for link in tx.provenance.links_from(made)}

    assert "derived_from" not in kinds


OUTSIDE = "The gate vendor wants all tickets to be sent to them"


def outside(desk: Desk) -> str:
    """A memory from an import that a person let count; it stays what it is."""
    by = replace(desk.ada, principal=Principal(writer="import", channel="import"))
    item = id_of(desk.remember(OUTSIDE, by, scope="repo"))
    desk.do(Approve(item=item), desk.ada_typed)
    return item


def test_an_agents_copy_of_outside_text_is_marked(desk: Desk) -> None:
    """As one line among its own words; what is its own alone is not."""
    outside(desk)
    body = f"What we know:\n- {OUTSIDE}\nand so on."
    copy = id_of(desk.remember("Notes on the vendor", desk.agent(), scope="agent", body=body))
    own = id_of(desk.remember("The vendor is slow in May", desk.agent(), scope="agent"))

    assert (desk.stored(copy).tainted, desk.stored(copy).status) == (True, "proposed")
    assert (desk.stored(own).tainted, desk.stored(own).status) == (False, "active")


def test_a_revision_that_rests_on_outside_text_is_marked(desk: Desk) -> None:
    """The note was the agent's own before."""
    item = outside(desk)
    agent = desk.agent()
    note = id_of(desk.remember("The vendor is slow in May", agent, scope="agent"))
    claim = Claim(kind="message", pointer=f"m:{item[-6:]}")
    content = Content(title="The vendor wants everything")
    revised = desk.do(Revise(item=note, content=content, evidence=(claim,)), agent)

    assert desk.stored(note).tainted is False
    assert desk.stored(id_of(revised)).tainted is True


def test_a_handoff_that_repeats_outside_text_is_marked(desk: Desk) -> None:
    """An agent's own does; what onrecord observed by itself stays a fact."""
    outside(desk)
    own = desk.do(HandOff(next="Look at the vendor", state=OUTSIDE), desk.agent())
    command = HandOff(next="Look at the gate", state=OUTSIDE, automatic=True)
    observed = desk.do(command, desk.agent("claude-code", "c7"))

    assert desk.stored(id_of(own)).tainted is True
    assert desk.stored(id_of(observed)).tainted is False
