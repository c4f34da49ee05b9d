"""prompt.once_per_session: an item is given once, unless it changed or a compaction dropped it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hooked import Hooked

if TYPE_CHECKING:
    from pathlib import Path

ABOUT = "Which one do we use to install packages: pnpm or npm?"
LESSON = "Install packages with pnpm, never npm"


@pytest.mark.parametrize("client", ["claude-code", "codex"])
@pytest.mark.parametrize("drained", [False, True], ids=["spooled", "drained"])
def test_prompt_once_per_session(tmp_path: Path, client: str, *, drained: bool) -> None:
    """By the pack at the start or by a prompt, counted alike in the spool and in the store."""
    hooked = Hooked(tmp_path)
    hooked.remember(LESSON, key="install")

    def prompt(session: str) -> list[str]:
        titles = hooked.prompt(ABOUT, client=client, session=session).titles
        if drained:
            hooked.drain()
        return titles

    # the start gave it: no prompt brings it up again
    assert hooked.start(client=client, session="started").titles == [LESSON]
    assert prompt("started") == []
    # a session that began before it was known is given it once
    assert prompt("late") == [LESSON]
    assert [prompt("late") for _ in range(3)] == [[], [], []]
    # resumed, it still has it
    assert hooked.start("resume", client=client, session="late").context == ""
    assert prompt("late") == []
    # compacted, it is given the pack again, and no prompt repeats that
    assert hooked.start("compact", client=client, session="late").titles[0] == LESSON
    assert prompt("late") == []
    # changed, it is told of the change, once
    hooked.remember("Install packages with bun, neither pnpm nor npm", key="install")
    assert prompt("late") == ["Install packages with bun, neither pnpm nor npm"]
    assert prompt("late") == []
    # another session is another reader
    assert prompt("other") == ["Install packages with bun, neither pnpm nor npm"]


def test_prompt_once_per_session_across_sessions_with_one_mark(tmp_path: Path) -> None:
    """Names of spooled records carry a short mark; sessions that share one stay apart."""
    from onrecord.capture.spool import mark_of  # noqa: PLC0415 - what this test is about

    seen: dict[str, str] = {}
    number = 0
    while (mark := mark_of("codex", f"s{number}")) not in seen:
        seen[mark] = f"s{number}"
        number += 1
    one, two = seen[mark], f"s{number}"
    hooked = Hooked(tmp_path)
    hooked.remember(LESSON)

    assert hooked.prompt(ABOUT, client="codex", session=one).titles == [LESSON]
    assert hooked.prompt(ABOUT, client="codex", session=two).titles == [LESSON]
    assert hooked.prompt(ABOUT, client="codex", session=one).titles == []
