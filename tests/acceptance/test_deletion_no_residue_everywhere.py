"""What else keeps words beside a memory's own row: each place read, byte for byte, afterwards.

Reminders, handoffs, mirrors, exports, what was set aside, records that wait in the spool, drafts,
project files' cache, copies and exports made after. Half of it is forgotten; the rest is found.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from commandline import CommandLine
from harness.surroundings import CLAUDE_VARIABLES
from machine import HOOK
from mcp_client import environment, start_server

if TYPE_CHECKING:
    from collections.abc import Iterator

YES: Final = [("[y/n]", "y")]
#: All but the end of what a client calls its sessions.
SESSION: Final = "0b7c4d1e-0000-4000-8000-00000000000"

#: Two of each sort: the first is forgotten, the second is kept. No word stands twice.
WORDS: Final[dict[str, tuple[str, str]]] = {
    sort: (f"zqgone{sort}vurnal", f"zqkept{sort}pimsor")
    for sort in ("note", "remind", "hand", "file", "opinion", "query")
}


def said(sort: str, at: int) -> str:
    """A sentence that is long enough to be told from chance."""
    word = WORDS[sort][at]
    return f"The {word} keeper walks to the far {word} harbour at dusk"


def disguises(word: str) -> list[bytes]:
    """A word as it may lie in a file: whole, its end, wide, and in base64 at each alignment."""
    found = [word.encode(), word[8:].encode(), word.encode("utf-16-le"), word.encode("utf-16-be")]
    for shift in range(3):
        raw = base64.b64encode(b"\0" * shift + word.encode())
        start, end = (shift * 8 + 5) // 6, (shift + len(word)) * 8 // 6
        found.append(raw[start:end].lower())
    return found


class Home:
    """A home in which the same was written down in many places."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.env = {
            **environment(self.lines.home, self.lines.store, **CLAUDE_VARIABLES),
            "ONRECORD_HOOK_DEADLINE_MS": "30000",
        }
        self.items: dict[str, list[str]] = {}

    def ran(self, *words: str, keys: list[tuple[str, str]] | None = None) -> Any:
        """A command that must end well; its answer as JSON."""
        done = self.lines.run(*words, "--json", keys=keys or [])
        assert done.status == 0, done
        return done.json

    def fill(self) -> None:
        """Every sort of row, twice."""
        plan = self.lines.repo / "decisions.md"
        plan.write_text(
            "".join(f"## Harbour {n}\n\n{said('file', n)}.\n\n" for n in (0, 1)), encoding="utf-8"
        )
        kept = {
            "note": [self.lines.remember(said("note", n), "--scope", "repo") for n in (0, 1)],
            "remind": [self.ran("remind", "add", said("remind", n))["item"]["id"] for n in (0, 1)],
            "opinion": [self.lines.remember(f"Lamp {n} is lit", "--distinct") for n in (0, 1)],
        }
        kept["hand"] = [
            self.ran("handoff", "--next", said("hand", n))["item"]["id"] for n in (0, 1)
        ]
        self.ran("files", "enable", keys=YES)
        filed = self.ran("list", "--all", "--limit", "100")["items"]
        kept["file"] = [
            next(one["id"] for one in filed if WORDS["file"][n] in one["body"] + one["title"])
            for n in (0, 1)
        ]
        self.items = kept
        with start_server(self.lines.repo, self.env, "--client", "claude-code") as server:
            server.shake_hands()
            for n in (0, 1):
                note = f"so {said('opinion', n)}"
                server.call("feedback", id=kept["opinion"][n], verdict="helpful", note=note)
                server.call("context", query=f"is it so? {said('note', n)}")

    def copy(self) -> None:
        """Wherever copies are reached: a mirror, an export, what was set aside."""
        self.ran("mirror", str(self.lines.home / "mirror"))
        for folder in (".backups", ".summaries", ".spool"):
            Path(f"{self.lines.store}{folder}").mkdir(mode=0o700, exist_ok=True)
        self.ran("export", "-o", f"{self.lines.store}.backups/out.jsonl")
        for name in (".summaries/01A.answer.json", ".spool/0001-0001.json.bad"):
            text = json.dumps({"answer": said("note", 0)})
            Path(f"{self.lines.store}{name}").write_text(text, encoding="utf-8")

    def prompt(self, text: str, session: str) -> None:
        """A hook sees a prompt; its record waits in the spool."""
        told = {
            "session_id": session,
            "transcript_path": "",
            "cwd": str(self.lines.repo),
            "hook_event_name": "UserPromptSubmit",
            "prompt": text,
        }
        subprocess.run(
            [HOOK, "claude-code", "UserPromptSubmit"],
            input=json.dumps(told).encode(),
            cwd=self.lines.repo,
            env=self.env,
            check=True,
            capture_output=True,
            timeout=60,
        )

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Every file of the home, names included, in small letters."""
        for folder, _, names in os.walk(self.lines.home):
            for name in names:
                path = Path(folder) / name
                if path.is_file():
                    yield str(path), (name.encode() + b"\0" + path.read_bytes()).lower()

    def places(self, word: str) -> list[str]:
        """Files that hold a word in any disguise."""
        looked_for = disguises(word)
        return [path for path, raw in self.files() if any(one in raw for one in looked_for)]


def test_deletion_no_residue_wherever_words_are_kept(tmp_path: Path) -> None:
    """Nothing of the forgotten half in any file; all of the kept half, also in later copies."""
    home = Home(tmp_path)
    home.fill()
    home.copy()
    for at, (sort, n) in enumerate((("note", 0), ("query", 1))):
        home.prompt(f"please heed: {said(sort, n)}", f"{SESSION}{at}")
    found = {word: home.places(word) for pair in WORDS.values() for word in pair}
    assert [word for word, places in found.items() if not places] == [WORDS["query"][0]]
    store = home.lines.store.name
    assert {Path(path).parent.name for path in found[WORDS["note"][0]]} >= {
        *("mirror", f"{store}.backups", f"{store}.summaries", f"{store}.spool", "onrecord"),
    }

    gone = [home.items[sort][0] for sort in sorted(home.items)]
    home.ran("forget", *gone, keys=YES)
    home.ran("check", "--audit")
    home.ran("backup", str(home.lines.home / "after.db"))
    home.ran("export", "-o", str(home.lines.home / "after.jsonl"))

    left = {WORDS[sort][0]: home.places(WORDS[sort][0]) for sort in WORDS}
    assert left == {word: [] for word in left}
    copies = {str(home.lines.home / name) for name in ("after.db", "after.jsonl")}
    for sort in ("note", "remind", "hand", "file"):
        assert copies <= set(home.places(WORDS[sort][1])), sort
    assert [pair[1] for pair in WORDS.values() if not home.places(pair[1])] == []
