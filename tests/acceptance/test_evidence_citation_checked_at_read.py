"""A memory that cites a file is shown as stale once the file says something else."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from commandline import CommandLine
from harness.surroundings import CLAUDE_VARIABLES
from mcp_client import HOOK, environment, start_server, texts_of

if TYPE_CHECKING:
    from pathlib import Path

ASKED = "gate limit"


def recalled(lines: CommandLine) -> dict[str, Any]:
    """What a recall says of each title's belief."""
    answer = lines.run("recall", ASKED, "--json")
    return {hit["item"]["title"]: hit for hit in answer.json["hits"]}


def test_evidence_citation_checked_at_read(tmp_path: Path) -> None:
    """Changed, gone, moved and back again; what cites an unchanged file stays good throughout."""
    lines = CommandLine(tmp_path)
    source = lines.repo / "src" / "gate.py"
    other = lines.repo / "src" / "lamp.py"
    source.parent.mkdir()
    text = "import os\n\nLIMIT = 4\n\n\ndef gate():\n    return LIMIT\n"
    source.write_text(text, encoding="utf-8")
    other.write_text("LAMP = 1\n", encoding="utf-8")
    cites = "The gate limit is set in src/gate.py:3"
    stays = "The gate limit lamp is in src/lamp.py:1"
    item = lines.remember(cites, "--scope", "repo")
    lines.remember(stays, "--scope", "repo")

    def belief() -> tuple[str, str]:
        found = recalled(lines)
        shown = lines.run("show", item, "--json").json
        shown = shown.get("item", shown)
        assert shown["verification"] == found[cites]["item"]["verification"]
        return found[cites]["item"]["verification"], found[stays]["item"]["verification"]

    assert belief() == ("verified", "verified")
    source.write_text(text.replace("LIMIT = 4", "LIMIT = 9"), encoding="utf-8")
    assert belief() == ("stale", "verified")
    reasons = recalled(lines)[cites]["reasons"]
    assert any("src/gate.py" in reason and "changed" in reason for reason in reasons)
    source.write_text("# new\n# lines\n" + text, encoding="utf-8")
    assert belief() == ("verified", "verified")
    source.unlink()
    assert belief() == ("stale", "verified")
    assert any("gone" in reason for reason in recalled(lines)[cites]["reasons"])
    source.write_text(text, encoding="utf-8")
    assert belief() == ("verified", "verified")


CITES = "The gate limit is set in src/gate.py:3"
STAYS = "The gate limit lamp is in src/lamp.py:1"
TEXT = "import os\n\nLIMIT = 4\n\n\ndef gate():\n    return LIMIT\n"

LIBRARY = """
import sys
from onrecord import Memory
with Memory.open() as memory:
    for hit in memory.recall(sys.argv[1]).hits:
        print(hit.item.content.title, hit.item.verification, *hit.cites, sep=" | ")
"""


class Cited:
    """A repository with a commit, one memory that cites a file and one that cites another."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.source = self.lines.repo / "src" / "gate.py"
        self.source.parent.mkdir()
        self.source.write_text(TEXT, encoding="utf-8")
        (self.source.parent / "lamp.py").write_text("LAMP = 1\n", encoding="utf-8")
        self.git("add", ".")
        self.git("commit", "-qm", "gate")
        self.item = self.lines.remember(CITES, "--scope", "repo")
        self.lines.remember(STAYS, "--scope", "repo")
        self.env = {
            **environment(self.lines.home, self.lines.store),
            "ONRECORD_HOOK_DEADLINE_MS": "30000",
        }

    def git(self, *words: str) -> None:
        """Run git as Ada."""
        who = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")
        subprocess.run(["git", *who, *words], cwd=self.lines.repo, check=True, timeout=30)

    def told_by_commands(self) -> str:
        """The lines of a recall on a person's terminal."""
        return self.lines.run("recall", ASKED).out

    def told_by_library(self) -> str:
        """What a Python program on a person's terminal is told."""
        done = self.lines.people.run([sys.executable, "-c", LIBRARY, ASKED], timeout_s=60)
        assert done.exit_code == 0, done.text
        return done.text

    def told_by_mcp(self) -> str:
        """What an agent is told by recall and get."""
        env = {**self.env, **CLAUDE_VARIABLES}
        with start_server(self.lines.repo, env, "--client", "claude-code") as server:
            server.shake_hands()
            answers = [server.call("recall", query=ASKED), server.call("get", id=self.item)]
        return "\n".join(text for answer in answers for text in texts_of(answer))

    def told_at_start(self, said: str = "") -> str:
        """What an agent's session is given when it starts.

        There git has a tenth of a second: on a busy machine another session may have to start.
        """
        for number in range(8):
            found = self._given(f"0b7c4d1e-0000-4000-8000-{number:012}")
            if said in found:
                break
        return found

    def _given(self, session: str) -> str:
        told = {
            "session_id": session,
            "transcript_path": "",
            "cwd": str(self.lines.repo),
            "hook_event_name": "SessionStart",
            "source": "clear",
        }
        done = subprocess.run(
            [HOOK, "claude-code", "SessionStart"],
            input=json.dumps(told).encode(),
            cwd=self.lines.repo,
            env={**self.env, **CLAUDE_VARIABLES},
            check=True,
            capture_output=True,
            timeout=60,
        )
        found: str = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
        return found

    def told_with_prompt(self) -> str:
        """What an agent's session is given with a prompt about it; it had no pack before."""
        told = {
            "session_id": "0b7c4d1e-0000-4000-8000-00000000000f",
            "transcript_path": "",
            "cwd": str(self.lines.repo),
            "hook_event_name": "UserPromptSubmit",
            "prompt": "Please raise the gate limit that is set in src/gate.py",
        }
        done = subprocess.run(
            [HOOK, "claude-code", "UserPromptSubmit"],
            input=json.dumps(told).encode(),
            cwd=self.lines.repo,
            env={**self.env, **CLAUDE_VARIABLES},
            check=True,
            capture_output=True,
            timeout=60,
        )
        found: str = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
        return found

    def change(self, how: str) -> None:
        """Do something to the cited file."""
        if how == "changed":
            self.source.write_text(TEXT.replace("LIMIT = 4", "LIMIT = 9"), encoding="utf-8")
        elif how == "shorter":
            self.source.write_text("import os\n", encoding="utf-8")
        elif how == "gone":
            self.source.unlink()
        elif how == "lines moved":
            self.source.write_text("# new\n# lines\n" + TEXT, encoding="utf-8")
        elif how == "renamed":
            self.git("mv", "src/gate.py", "src/door.py")
            self.git("commit", "-qm", "move")


#: what happens -> whether the memory is stale, and what is said
CHANGES = {
    "nothing": (False, ""),
    "changed": (True, "changed: line 3 reads differently now"),
    "shorter": (True, "changed: the file has 1 line now"),
    "gone": (True, "is gone"),
    "lines moved": (False, "moved to src/gate.py:5"),
    "renamed": (False, "moved to src/door.py:3"),
}


def line_of(told: str, title: str) -> str:
    """The line about a memory."""
    return next(line for line in told.splitlines() if title in line)


@pytest.mark.parametrize("how", sorted(CHANGES))
def test_evidence_citation_checked_at_read_through_every_door(tmp_path: Path, how: str) -> None:
    """Command line, library, MCP and a session's first pack say the same; the other one holds."""
    home = Cited(tmp_path)
    home.change(how)
    stale, said = CHANGES[how]
    for ask in (
        home.told_by_commands,
        home.told_by_library,
        home.told_by_mcp,
        lambda: home.told_at_start(said),
    ):
        told = ask()
        assert ("stale" in line_of(told, CITES)) == stale, told
        assert "stale" not in line_of(told, STAYS), told
        assert said in told, (ask, told)
        assert ("changed" in told or "gone" in told or "moved" in told) == bool(said), told


@pytest.mark.parametrize("how", ["nothing", "changed", "shorter", "lines moved"])
def test_evidence_citation_checked_at_read_with_a_prompt(tmp_path: Path, how: str) -> None:
    """What a prompt brings up is compared as a session's first pack is, without asking git."""
    home = Cited(tmp_path)
    home.change(how)
    stale, said = CHANGES[how]
    told = home.told_with_prompt()

    assert ("stale" in line_of(told, CITES)) == stale, told
    assert said in told
    assert "changed" in told or not stale


def test_evidence_citation_checked_at_read_is_lifted(tmp_path: Path) -> None:
    """What holds again is no longer stale, with the belief that it had."""
    home = Cited(tmp_path)
    home.change("changed")
    before = home.told_by_commands()
    home.source.write_text(TEXT, encoding="utf-8")
    after = home.told_by_commands()

    assert "stale" in line_of(before, CITES)
    assert "stale" not in after
    assert home.lines.run("show", home.item, "--json").json["verification"] == "verified"


def test_evidence_citation_checked_at_read_is_lifted_of_what_was_shown(tmp_path: Path) -> None:
    """A file that changes before the key is typed is shown again, and not cited unseen."""
    home = Cited(tmp_path)
    home.change("changed")
    with home.lines.people.open(["onrecord", "verify", home.item]) as terminal:
        terminal.expect("Verify it?")
        home.change("shorter")
        terminal.type("y")
        terminal.expect("changed after it was shown")
        terminal.expect("Verify it?")
        terminal.type("y")
        done = terminal.wait()

    assert done.exit_code == 0, done
    assert "the file has 1 line now" in done.text
    assert "stale" not in home.told_by_commands()


def test_evidence_citation_checked_at_read_is_lifted_by_a_person(tmp_path: Path) -> None:
    """Who verifies is shown what changed, and says that it holds as the file is now."""
    home = Cited(tmp_path)
    home.change("changed")
    before = home.told_by_commands()
    done = home.lines.run("verify", home.item, keys=[("Verify it?", "y")])
    after = home.told_by_commands()
    history = home.lines.run("history", home.item).out
    home.change("shorter")
    later = home.told_by_commands()

    assert "stale" in line_of(before, CITES)
    assert done.status == 0, done
    assert "What it cites counts as it stands now." in done.out
    assert "stale" not in after
    assert "UTC: holds)" in history
    assert "stale" in line_of(later, CITES)
