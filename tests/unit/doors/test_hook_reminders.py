"""Reminders on the hook's path: in the first pack that fits, once, and then done."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from hooked import Hooked
from onrecord.service.commands import Forget, Mark, Revise, Undo

if TYPE_CHECKING:
    from pathlib import Path

CLIENTS = ["claude-code", "codex"]
TEXT = "Refunds are moving to the new API"
DAY = 86_400_000_000


def now() -> int:
    """UTC microseconds."""
    return time.time_ns() // 1_000


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    """A home with a memory that has nothing to do with any reminder."""
    made = Hooked(tmp_path)
    made.remember("Install with pnpm")
    return made


@pytest.mark.parametrize("client", CLIENTS)
def test_a_reminder_comes_up_in_the_next_session_once(hooked: Hooked, client: str) -> None:
    """First in its pack, marked as due; not in the next session, nor again in this one."""
    hooked.remember(TEXT, kind="reminder")
    first = hooked.start(client=client)
    (entry, _) = first.entries
    again = hooked.prompt("What about refunds and the new API?", client=client)
    hooked.drain()
    second = hooked.start(session="s-2", client=client)

    assert (entry.title, entry.kind) == (TEXT, "reminder")
    assert "due now" in first.context
    assert again.raw == b""
    assert TEXT not in second.titles
    assert "Install with pnpm" in second.titles
    assert hooked.faults == []


def test_a_date_is_waited_for(hooked: Hooked) -> None:
    """The day before there is nothing; from the day on it comes up, in a running session too."""
    item = hooked.remember(TEXT, kind="reminder")
    held = hooked.do(Mark(item=item, action="archive"))
    assert held.item is not None
    future = hooked.do(
        Revise(
            item=hooked.remember("Renew the certificate", kind="reminder"),
            content=held.item.content.__class__(
                title="Renew the certificate", valid_from=now() + DAY
            ),
        )
    )
    assert future.item is not None
    before = hooked.start()
    past = held.item.content.__class__(title="Renew the certificate", valid_from=now() - DAY)
    hooked.do(Revise(item=future.item.id, content=past))
    after = hooked.prompt("Let us begin with something else")

    assert before.titles == ["Install with pnpm"]
    assert after.titles == ["Renew the certificate"]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_path_is_waited_for(hooked: Hooked, client: str) -> None:
    """A prompt that names it, or a session below it, brings it up; nothing else does."""
    hooked.remember(TEXT, kind="reminder", links=("src/pay/**",))
    hooked.remember("The docs move", kind="reminder", links=("docs/",))
    (hooked.repo / "docs" / "api").mkdir(parents=True)
    start = hooked.start(client=client)
    other = hooked.prompt("Fix src/payroll/tax.py", client=client)
    named = hooked.prompt("Fix the rounding in `src/pay/refund.py:12`.", client=client)
    docs = hooked.repo / "docs"
    below = hooked.start(session="s-2", cwd=docs, cwd_told=docs, client=client)
    hooked.drain()
    again = hooked.start(session="s-3", cwd=docs, cwd_told=docs, client=client)

    assert start.titles == ["Install with pnpm"]
    assert other.raw == b""
    assert named.titles == [TEXT]
    assert below.titles == ["The docs move", "Install with pnpm"]
    assert "The docs move" not in again.titles


def test_a_path_may_be_named_from_the_root_of_the_disk(hooked: Hooked) -> None:
    """As an editor or a shell completes it; the same path of another checkout is not meant."""
    hooked.remember(TEXT, kind="reminder", links=("src/pay/**",))
    hooked.start()
    other = hooked.prompt("Fix the rounding in /srv/other/src/pay/refund.py")
    named = hooked.prompt(f"Fix the rounding in {hooked.repo}/src/pay/refund.py")

    assert other.raw == b""
    assert named.titles == [TEXT]


def test_another_scope_is_another_scopes(hooked: Hooked) -> None:
    """A reminder of another repository stays there; a global one comes up here."""
    hooked.remember(TEXT, kind="reminder", scope="repo:github.com/acme/other")
    assert hooked.start().titles == ["Install with pnpm"]
    hooked.remember("Renew the certificate", kind="reminder", scope="global")

    assert hooked.start(session="s-2").titles[0] == "Renew the certificate"


def test_a_snoozed_reminder_comes_again_and_undo_brings_it_back(hooked: Hooked) -> None:
    """A snooze is a new version with a later date; what was put away or forgotten stays away."""
    made = hooked.remember(TEXT, kind="reminder")
    assert TEXT in hooked.start().titles
    hooked.drain()
    assert TEXT not in hooked.start(session="s-2").titles
    done = hooked.do(Mark(item=made, action="archive"))
    assert done.item is not None
    hooked.do(Undo(event=done.undo or 0))
    content = done.item.content.__class__(title=TEXT, valid_from=now() - DAY)
    hooked.do(Revise(item=made, content=content, reason="snoozed"))

    assert hooked.start(session="s-3").titles[0] == TEXT
    hooked.drain()
    forgotten = hooked.remember("Another one", kind="reminder")
    hooked.do(Forget(item=forgotten))
    assert hooked.start(session="s-4").titles == ["Install with pnpm"]


def test_many_come_a_few_at_a_time(hooked: Hooked) -> None:
    """Three in a pack; the others in the next ones."""
    for word in ("gates", "fares", "piers", "boats"):
        hooked.remember(f"Look at the {word} of the harbour", kind="reminder", distinct=True)
    first, second = hooked.start(), hooked.start(session="s-2")
    hooked.drain()
    third = hooked.start(session="s-3")

    def harbour(titles: list[str]) -> list[str]:
        return [title for title in titles if "harbour" in title]

    assert len(harbour(first.titles)) == 3
    assert second.titles == first.titles  # nobody had taken in yet that they were given
    assert len(harbour(third.titles)) == 1
