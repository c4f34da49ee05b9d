"""What a hook knows of its session while others take in what hooks left."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from hooked import CLIENT_VARIABLES, Hooked
from onrecord.config import load
from onrecord.doors.hook.call import Call, make_call

if TYPE_CHECKING:
    from pathlib import Path

CLIENT = "claude-code"


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    """A home in which one thing is known of the repository."""
    return Hooked(tmp_path)


def prompted(hooked: Hooked) -> Call:
    """The call of a hook that is told a prompt."""
    told = {
        "session_id": "s-1",
        "cwd": str(hooked.repo),
        "hook_event_name": "UserPromptSubmit",
        "prompt": "How do we install?",
    }
    environ = {**hooked.env, **CLIENT_VARIABLES[CLIENT]}
    call = make_call(
        CLIENT,
        "UserPromptSubmit",
        json.dumps(told).encode(),
        config=load(environ),
        at=time.time_ns() // 1_000,
    )
    assert call is not None
    return call


@pytest.mark.parametrize("opened", ["before", "after"])
def test_what_is_taken_in_while_a_hook_reads_was_given(
    hooked: Hooked, monkeypatch: pytest.MonkeyPatch, opened: str
) -> None:
    """It left the spool, and stands in the store only after the state that the hook looks at."""
    item = hooked.remember("Install with pnpm")
    assert hooked.start("startup").titles == ["Install with pnpm"]
    for name, value in (*hooked.env.items(), *CLIENT_VARIABLES[CLIENT].items()):
        monkeypatch.setenv(name, value)
    call = prompted(hooked)
    if opened == "before":
        assert not call.shelf.shown(CLIENT, "s-1")

    hooked.drain()

    assert call.shown() == {item: 1}
    call.close_shelf()
    assert call.shown() == {item: 1}
