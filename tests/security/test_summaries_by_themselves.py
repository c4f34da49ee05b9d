"""Summaries that nobody asks for: real hooks, a real drain and a real command."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.agents import repository
from hooked import Hooked
from onrecord import wiring
from onrecord.domain.item import ItemQuery

if TYPE_CHECKING:
    from onrecord.domain.item import Item

ANSWER = {
    "summary": None,
    "items": [{"kind": "lesson", "title": "The horn drifts", "body": "", "messages": [1]}],
}

#: Notes that it ran and with which variables, waits for a file where one is named, and answers.
PROGRAM = """
import os, pathlib, select, sys
said = sys.stdin.read()
with open({ran!r}, "a", encoding="utf-8") as file:
    file.write(" ".join(sorted(os.environ)) + chr(10))
while not pathlib.Path({go!r}).exists():
    select.select([], [], [], 0.02)
print({answer!r})
"""


class Studio:
    """A home in which sessions are summarised by themselves."""

    def __init__(self, folder: Path) -> None:
        self.hooked = Hooked(folder)
        self.hooked.remember("The gate opens at six")
        self.home = self.hooked.home
        self.ran, self.go = self.home / "ran", self.home / "go"
        self.go.touch()
        self.transcript = self.home / ".claude" / "projects" / "-x" / "s-1.jsonl"
        self.transcript.parent.mkdir(parents=True)
        self.say("Why does the horn drift?")
        program = self.home / "summariser.py"
        words = {"ran": str(self.ran), "go": str(self.go), "answer": json.dumps(ANSWER)}
        program.write_text(PROGRAM.format(**words), encoding="utf-8")
        self.config = self.home / ".config" / "onrecord" / "config.toml"
        self.config.parent.mkdir(parents=True)
        self.settings(automatic=True)

    def settings(self, path: Path | None = None, **table: object) -> None:
        """The user's file, or another one."""
        words: dict[str, object] = {
            "command": [sys.executable, str(self.home / "summariser.py")],
            "repositories": ["*"],
            **table,
        }
        lines = [f"{name} = {json.dumps(value)}" for name, value in words.items()]
        (path or self.config).write_text(
            "\n".join(["[summaries]", *lines]) + "\n", encoding="utf-8"
        )

    def say(self, text: str, kind: str = "user") -> None:
        """One more line of the transcript."""
        with self.transcript.open("a", encoding="utf-8") as file:
            row: dict[str, Any] = {"type": kind, "uuid": f"u{file.tell()}"}
            row |= (
                {"subtype": "compact_boundary"}
                if kind == "system"
                else {"message": {"content": text}}
            )
            file.write(f"{json.dumps(row)}\n")

    def call(self, event: str, **more: Any) -> float:
        """One hook; how many seconds it took."""
        at = time.monotonic()
        own = self.transcript.with_stem(more.get("session", self.transcript.stem))
        told = {"transcript_path": str(own), **more}
        assert self.hooked.call(event, **told).exit_code == 0
        return time.monotonic() - at

    def session(self, **more: Any) -> None:
        """A session from start to end, in which that was said."""
        own = self.transcript.with_stem(more.get("session", self.transcript.stem))
        own.write_bytes(self.transcript.read_bytes())
        self.call("SessionStart", source="startup", **more)
        self.call("UserPromptSubmit", prompt="Why does the horn drift?", **more)
        self.call("SessionEnd", reason="other", **more)

    def drain(self) -> None:
        """What a hook starts, to its end, with all variables that the hook had."""
        self.hooked.wait_for_drain()
        words = [sys.executable, "-P", "-E", "-m", "onrecord.doors.hook.drain"]
        subprocess.run(
            [*words, str(self.hooked.store)], env=self.hooked.env, timeout=60, check=True
        )
        wait_for(self.is_idle)

    def runs(self) -> list[str]:
        """How often the command ran, and with which variables."""
        return self.ran.read_text(encoding="utf-8").splitlines() if self.ran.exists() else []

    def proposals(self) -> list[Item]:
        """What waits."""
        memory = wiring.open_memory(str(self.hooked.store))
        try:
            return list(memory.page(ItemQuery(statuses=("proposed",)), self.hooked.person))
        finally:
            memory.close()

    def is_idle(self) -> bool:
        """Whether nobody is at work on summaries."""
        summaries = wiring.open_summaries(str(self.hooked.store), {}, {})
        try:
            with summaries._folder.turn() as is_ours:  # noqa: SLF001 - no door tells
                return is_ours
        finally:
            summaries.close()


def wait_for(what: Any) -> None:
    """Wait until something holds; or raise."""
    for _ in range(1_200):
        if what():
            return
        select.select([], [], [], 0.05)
    message = "it did not come within a minute"
    raise AssertionError(message)


def drains_of(studio: Studio) -> list[int]:
    """The processes that drain this home's store."""
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if (
                b"onrecord.doors.hook.drain" in words
                and str(studio.hooked.store).encode() in words
            ):
                found.append(int(folder.name))
    return found


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    """A home with a store, hooks and a summariser."""
    return Studio(tmp_path)


def test_a_session_is_summarised_after_its_end(studio: Studio) -> None:
    """The hook does not wait for it, and the next session's start does not either."""
    studio.settings(automatic=True, environment=["KEY_OF_MINE"])
    # what a project's settings can put into an agent's environment
    studio.hooked.env |= {"PYTHONPATH": str(studio.hooked.repo), "KEY_OF_MINE": "k"}
    studio.hooked.env |= dict.fromkeys(
        ("TMPDIR", "SHELL", "USER", "XDG_CACHE_HOME"), str(studio.home)
    )
    studio.go.unlink()
    studio.session()
    wait_for(studio.runs)  # it is at work, and waits
    assert studio.proposals() == []

    studio.call("SessionStart", source="startup", session="s-2")
    studio.go.touch()
    wait_for(studio.proposals)
    wait_for(studio.is_idle)

    (item,) = studio.proposals()
    assert (item.content.title, item.tainted) == ("The horn drifts", True)
    assert item.head.author.channel == "summariser"
    studio.call("SessionEnd", reason="other", session="s-2")
    studio.hooked.wait_for_drain()
    wait_for(lambda: not drains_of(studio))
    assert len(studio.runs()) == 1
    given = studio.runs()[0].split()
    assert {"HOME", "PATH", "LANG", "KEY_OF_MINE"} <= set(given)
    # a Python that starts may add LC_CTYPE for its own
    assert set(given) <= {"HOME", "PATH", "LANG", "LC_CTYPE", "KEY_OF_MINE"}


def test_a_compacted_part_is_summarised_while_the_session_goes_on(studio: Studio) -> None:
    """At the start that follows a compaction."""
    studio.call("SessionStart", source="startup")
    studio.call("UserPromptSubmit", prompt="Why does the horn drift?")
    studio.say("", kind="system")
    studio.say("Now the bell.")
    studio.call("PreCompact", trigger="auto")
    studio.call("SessionStart", source="compact")

    wait_for(studio.proposals)

    assert len(studio.runs()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up below /proc")
def test_what_a_killed_process_left_is_done_by_the_next(studio: Studio) -> None:
    """What was sent and not answered is sent once more, and kept once."""
    studio.go.unlink()
    studio.session()
    wait_for(studio.runs)
    (drain,) = drains_of(studio)
    os.kill(drain, signal.SIGKILL)
    studio.go.touch()
    wait_for(studio.is_idle)
    assert studio.proposals() == []

    studio.drain()
    studio.drain()

    assert len(studio.runs()) == 2
    assert len(studio.proposals()) == 1


def test_no_variable_and_no_repository_names_a_command(studio: Studio) -> None:
    """Only the user's own file at its usual place does, and not from inside of the repository."""
    studio.config.unlink()
    other = studio.hooked.repo / "config.toml"
    studio.settings(other, automatic=True)
    inside = studio.hooked.repo / ".config" / "onrecord" / "config.toml"
    inside.parent.mkdir(parents=True)
    studio.settings(inside, automatic=True)
    studio.hooked.env["ONRECORD_CONFIG"] = str(other)
    studio.session()
    studio.drain()
    studio.hooked.env["XDG_CONFIG_HOME"] = str(studio.hooked.repo / ".config")
    studio.session(session="s-2")
    studio.drain()
    assert studio.runs() == []

    # the same from the user's own place
    del studio.hooked.env["ONRECORD_CONFIG"], studio.hooked.env["XDG_CONFIG_HOME"]
    studio.settings(automatic=True)
    os.utime(studio.config, (1, 1))
    studio.session(session="s-3")
    wait_for(studio.runs)


@pytest.mark.parametrize("name", ["XDG_CONFIG_HOME", "HOME"])
def test_one_repository_gets_nothing_of_another_by_a_variable(studio: Studio, name: str) -> None:
    """What an agent's environment says there chooses no command for anybody's session."""
    studio.config.unlink()
    studio.session()
    studio.drain()
    other = repository(studio.hooked.repo.parent / "other")
    made_up = other / ".cfg"
    folder = made_up if name == "XDG_CONFIG_HOME" else made_up / ".config"
    (folder / "onrecord").mkdir(parents=True)
    studio.settings(folder / "onrecord" / "config.toml", automatic=True)
    os.utime(folder / "onrecord" / "config.toml", (1, 1))
    # a made-up home leads to the same store by a link, too
    (made_up / ".local").mkdir()
    (made_up / ".local" / "share").symlink_to(studio.home / ".local" / "share")

    studio.hooked.env[name] = str(made_up)
    studio.drain()

    assert studio.runs() == []
    studio.hooked.env = {**studio.hooked.env, "HOME": str(studio.home)}
    studio.settings(automatic=True)
    os.utime(studio.config, (1, 1))
    studio.drain()
    assert len(studio.runs()) == 1


def test_another_sessions_conversation_is_not_sent(studio: Studio) -> None:
    """Though a hook was told that it is this one's: it may be of a repository off the list."""
    other = studio.transcript.with_stem("s-9")
    other.write_bytes(studio.transcript.read_bytes())
    studio.session(transcript_path=str(other))
    studio.drain()
    assert studio.runs() == []

    studio.session(session="s-2")
    studio.drain()
    assert len(studio.runs()) == 1


def test_a_refused_repository_and_a_switch_send_nothing(studio: Studio) -> None:
    """Neither what is not on the list, nor while saving is off."""
    studio.settings(automatic=True, repositories=["github.com/acme/*"])
    studio.session()
    studio.drain()
    studio.settings(automatic=True)
    studio.hooked.switch("saving", "off")
    studio.drain()
    assert studio.runs() == []
    studio.hooked.switch("saving", "on")
    studio.drain()
    assert len(studio.runs()) == 1
