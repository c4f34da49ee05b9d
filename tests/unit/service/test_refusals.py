"""Equal refusals of one party, rule and minute are one line and a count, whoever counts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from desk import Desk, place
from onrecord.domain.event import broken_at
from onrecord.domain.principal import Principal
from onrecord.domain.time import MINUTE
from onrecord.service.caller import Caller
from onrecord.service.commands import MoveScope, Set
from onrecord.storage.sqlite_engine import open_sqlite

TIMES: Final = 20

#: One agent's process that is refused again and again, at an instant that stands still.
_REFUSED: Final = f"""
import sys
from desk import Desk, place
from onrecord.domain.principal import Principal
from onrecord.service.caller import Caller
from onrecord.service.commands import Set
from onrecord.storage.sqlite_engine import open_sqlite
store = open_sqlite(sys.argv[1], create=False)
desk = Desk(store)
caller = Caller(principal=Principal.for_agent("codex", user="ada"), place=place())
for _ in range({TIMES}):
    assert desk.memory.do(Set(name="saving", value="off"), caller).code.startswith("authority.")
store.close()
"""


def test_refusals_of_two_processes_share_a_line(tmp_path: Path) -> None:
    """One line, then one with the rest of both; another rule and another party stand apart."""
    path = str(tmp_path / "home" / "memory.db")
    store = open_sqlite(path, create=True)
    desk = Desk(store)
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", _REFUSED, path]
    both = [subprocess.Popen(command, env=env) for _ in range(2)]
    assert [process.wait(timeout=120) for process in both] == [0, 0]
    codex, other = (
        Caller(principal=Principal.for_agent(name, user="ada"), place=place())
        for name in ("codex", "gemini")
    )
    desk.memory.do(MoveScope(old="project:a", new="project:b"), codex)
    desk.memory.do(Set(name="saving", value="off"), other)
    desk.clock.advance(2 * MINUTE)
    desk.remember("Night buses charge at the depot", desk.ada, scope="repo")
    with store.read() as tx:
        lines = list(tx.events.walk())
    told = [(e.action, e.code, e.by.agent, e.count) for e in lines[:-1]]

    assert sorted(told) == [
        ("refused", "authority.scope_needs_person", "codex", 1),
        ("refused", "authority.switch_needs_person", "codex", 1),
        ("refused", "authority.switch_needs_person", "gemini", 1),
        ("refused_again", "authority.switch_needs_person", "codex", 2 * TIMES - 1),
    ]
    assert broken_at(lines) is None
    store.close()
