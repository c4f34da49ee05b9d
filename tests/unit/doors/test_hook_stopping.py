"""A turn's end: silent, unless a person switched the question on and the session had friction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from hooked import Answer, Hooked

if TYPE_CHECKING:
    from pathlib import Path

CLIENTS = ["claude-code", "codex"]


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    """A home where the question is switched on."""
    made = Hooked(tmp_path)
    made.remember("Install with pnpm")
    made.switch("nudge", "on")
    return made


def fail(hooked: Hooked, client: str, times: int) -> None:
    """Commands that fail, as the client tells of them."""
    for number in range(times):
        told: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": f"make {number}"}}
        error = f"error: target {number} was not made"
        if client == "codex":
            hooked.call("PostToolUse", client=client, tool_response=error, **told)
        else:
            hooked.call("PostToolUseFailure", client=client, error=error, **told)


def stop(hooked: Hooked, client: str = "claude-code", **more: Any) -> Answer:
    """A turn's end."""
    told = {"stop_hook_active": False, "last_assistant_message": "Done."}
    return hooked.call("Stop", client=client, **{**told, **more})


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("drained", [False, True])
def test_failures_are_asked_about_once(hooked: Hooked, client: str, *, drained: bool) -> None:
    """Whether or not what was seen has been taken in; the client's protocol and nothing else."""
    hooked.start(client=client)
    fail(hooked, client, 3)
    if drained:
        hooked.drain()
    asked = stop(hooked, client)
    if drained:
        hooked.drain()
    again = stop(hooked, client)

    assert asked.told["decision"] == "block"
    assert "worth" in asked.told["reason"] or "?" in asked.told["reason"]
    assert set(asked.told) == {"decision", "reason"}
    assert again.raw == b""
    assert (asked.exit_code, asked.errors, hooked.faults) == (0, b"", [])


def test_corrections_are_friction_too(hooked: Hooked) -> None:
    """A person's, twice."""
    hooked.start()
    hooked.prompt("No, with pnpm.")
    first = stop(hooked)
    hooked.prompt("That's still wrong.")

    assert first.raw == b""
    assert stop(hooked).told["decision"] == "block"


def test_a_smooth_session_is_left_alone(hooked: Hooked) -> None:
    """Two failures happen to everybody; and another session's are not this one's."""
    hooked.start()
    fail(hooked, "claude-code", 2)
    assert stop(hooked).raw == b""
    fail(hooked, "claude-code", 1)

    assert stop(hooked, session="s-2").raw == b""
    assert stop(hooked).told["decision"] == "block"


@pytest.mark.parametrize("switch", ["nudge", "saving", "capture", "deliver"])
def test_a_switch_that_is_off_is_obeyed(hooked: Hooked, switch: str) -> None:
    """Nothing is asked where nothing may be kept or said."""
    hooked.start()
    fail(hooked, "claude-code", 4)
    hooked.switch(switch, "off")

    assert stop(hooked).raw == b""
    hooked.switch(switch, "on")
    assert stop(hooked).told["decision"] == "block"


def test_it_is_off_unless_a_person_turns_it_on(tmp_path: Path) -> None:
    """By default a stop says nothing, whatever happened."""
    hooked = Hooked(tmp_path)
    hooked.remember("Install with pnpm")
    hooked.start()
    fail(hooked, "claude-code", 5)

    assert stop(hooked).raw == b""


def test_an_agent_that_goes_on_already_is_not_asked(hooked: Hooked) -> None:
    """Nor a subagent."""
    hooked.start()
    fail(hooked, "claude-code", 4)

    assert stop(hooked, stop_hook_active=True).raw == b""
    assert stop(hooked, agent_id="a-1").raw == b""
    assert stop(hooked).told["decision"] == "block"


def test_a_compaction_prints_nothing_and_is_known_of_later(hooked: Hooked) -> None:
    """The pack comes again behind it, and the automatic handoff tells that it was."""
    hooked.start()
    hooked.prompt("Fix the gate")
    before = hooked.call("PreCompact", trigger="auto")
    behind = hooked.start("compact")
    after = hooked.call("PostCompact", trigger="auto", compact_summary="…")
    hooked.call("SessionEnd", reason="other")
    hooked.wait_for_drain()
    hooked.drain()
    next_one = hooked.start(session="s-2")

    assert (before.raw, after.raw) == (b"", b"")
    assert "Install with pnpm" in behind.titles
    assert "compacted once" in next_one.context
