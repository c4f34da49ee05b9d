"""delivery.is_logged_with_reasons: every pack leaves a row that says what it showed, and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hooked import Hooked
from machine import Machine

if TYPE_CHECKING:
    from pathlib import Path


def test_delivery_is_logged_with_reasons(tmp_path: Path) -> None:
    """What a hook gave, what it left out and for which reason; `onrecord why` prints it."""
    hooked = Hooked(tmp_path)
    for number in range(30):
        hooked.remember(f"Fact {number} about the harbour", f"{number} " + "long words " * 60)
    wanted = hooked.remember("Install packages with pnpm, never npm")
    start = hooked.start()
    hooked.remember("The mail gateway throttles after 40 messages a minute")
    prompt = hooked.prompt("How many messages a minute does the mail gateway throttle at?")
    assert prompt.titles == ["The mail gateway throttles after 40 messages a minute"]

    machine = Machine(hooked.home, hooked.repo)
    first, second = machine.deliveries()
    assert (first.channel, first.occasion, second.occasion) == ("hook", "session_start", "prompt")
    assert first.session == second.session == machine.sessions()[0].id
    shown = [row for row in first.items if row.shown]
    withheld = [row for row in first.items if not row.shown]
    assert len(shown) == len(start.entries)
    assert {row.item[-6:] for row in shown} == {entry.id for entry in start.entries}
    assert wanted in {row.item for row in shown}
    assert [row.rank for row in shown] == list(range(1, len(shown) + 1))
    assert all(row.tokens > 0 and row.parts for row in shown)
    assert withheld
    assert all(row.why for row in withheld)
    assert 0 < sum(row.tokens for row in shown) <= first.tokens <= first.budget
    assert second.query == "How many messages a minute does the mail gateway throttle at?"

    told = machine.do("why", first.session).text
    assert "session_start by hook" in told
    assert "prompt by hook" in told
    assert "The mail gateway throttles" in told
    assert "over budget" in told
    found = json.loads(machine.do("why", second.id, "--json").text)
    assert second.id in json.dumps(found)


def test_delivery_is_logged_only_where_something_was_given(tmp_path: Path) -> None:
    """An empty pack writes no row; the same store has rows for packs that were not empty."""
    hooked = Hooked(tmp_path)
    hooked.remember("Install packages with pnpm, never npm")
    assert hooked.prompt("Please write a haiku about the sea").raw == b""
    machine = Machine(hooked.home, hooked.repo)
    assert machine.deliveries() == []
    hooked.start(session="s-2")

    assert len(machine.deliveries()) == 1
