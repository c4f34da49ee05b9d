"""Random words in every field, half of them forgotten through the real doors: no byte is left.

Every file of the home is read afterwards: the database, its log and index, the spool, backups,
keys and whatever else lies there. Words are looked for whole, by their ends, and in base64.
"""

from __future__ import annotations

import base64
import json
import os
import random
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from commandline import CommandLine
from harness.surroundings import CLAUDE_VARIABLES
from machine import HOOK
from mcp_client import CLAUDE, AgentProcess, environment, start_server

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED: Final = 7
ITEMS: Final = 12
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
YES: Final = [("[y/n]", "y")]


@dataclass(frozen=True, kw_only=True, slots=True)
class Planted:
    """One memory's words, by the field that they are put into."""

    title: tuple[str, ...]
    body: tuple[str, ...]
    summary: tuple[str, ...]
    tags: tuple[str, ...]
    prompted_by: tuple[str, ...]
    #: of evidence, a link and the address
    pointer: str
    link: str
    key: str
    #: of a reason, a rejection's note and a feedback's
    reason: str
    note: str
    opinion: str
    #: of an idempotency key
    request: str

    def words(self) -> list[str]:
        """All of them."""
        many = (self.title, self.body, self.summary, self.tags, self.prompted_by)
        single = (self.pointer, self.link, self.key, self.reason, self.note, self.opinion)
        return [word for some in many for word in some] + [*single, self.request]


def fresh(chance: random.Random) -> str:
    """A word that occurs nowhere else, with no common beginning or stem."""
    return "zq" + "".join(chance.choices(LETTERS, k=12))


def plant(chance: random.Random) -> Planted:
    """A memory of words that nobody else has."""

    def some(n: int) -> tuple[str, ...]:
        return tuple(fresh(chance) for _ in range(n))

    return Planted(
        title=some(4),
        body=some(6),
        summary=some(4),
        tags=some(1),
        prompted_by=some(4),
        pointer=fresh(chance),
        link=fresh(chance),
        key=fresh(chance),
        reason=fresh(chance),
        note=fresh(chance),
        opinion=fresh(chance),
        request=fresh(chance),
    )


class Home:
    """A home where memories are kept, used, handed over and forgotten."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.env = {
            **environment(self.lines.home, self.lines.store, **CLAUDE_VARIABLES),
            "ONRECORD_HOOK_DEADLINE_MS": "30000",
        }

    def typed(self, *commands: list[str], keys: list[tuple[str, str]] | None = None) -> None:
        """Several commands, typed into one terminal; all must end well."""
        script = " && ".join(shlex.join(["onrecord", *words]) for words in commands)
        done = self.lines.people.run(["sh", "-c", script], keys=keys or [], timeout_s=120)
        assert done.exit_code == 0, done.text

    def keep(self, planted: Planted) -> str:
        """A person's memory with words in every field that a command takes; edited once."""
        item = self.lines.remember(
            " ".join(planted.title),
            *("--scope", "repo", "--key", planted.key, "--tag", planted.tags[0]),
            *("--summary", " ".join(planted.summary)),
            *("--prompted-by", " ".join(planted.prompted_by)),
            *("--evidence", f"file=src/{planted.pointer}.py:3", "--link", f"{planted.link}.md"),
            *("--idempotency-key", f"request {planted.request}"),
        )
        text = " ".join(planted.title) + "\n\n" + " ".join(planted.body) + "."
        self.typed(["edit", item, "--text", text, "--reason", f"because {planted.reason}"])
        return item

    def use(self, planted: Planted, item: str) -> None:
        """It is asked for, prompted with, handed over, and an agent has its opinion."""
        title, body = " ".join(planted.title), " ".join(planted.body)
        self.typed(
            ["pack", "--query", f"what of {title}"],
            ["handoff", "--next", f"look at this: {body}.", "--state", "green"],
        )
        for prompt in (f"please heed: {title}", f"and so: {body}."):
            self.hook("UserPromptSubmit", prompt=prompt)
        with start_server(self.lines.repo, self.env, "--client", "claude-code") as server:
            server.shake_hands()
            server.call("context", query=title)
            server.call("feedback", id=item, verdict="helpful", note=f"so {planted.opinion}")

    def hook(self, event: str, **payload: Any) -> None:
        """A real hook call, which spools what it saw."""
        told = {
            "session_id": "0b7c4d1e-0000-4000-8000-000000000001",
            "transcript_path": "",
            "cwd": str(self.lines.repo),
            "hook_event_name": event,
            **payload,
        }
        subprocess.run(
            [HOOK, "claude-code", event],
            input=json.dumps(told).encode(),
            cwd=self.lines.repo,
            env=self.env,
            check=True,
            capture_output=True,
            timeout=60,
        )

    def forget_by_command(self, items: list[str]) -> None:
        """With the key typed."""
        self.typed(["forget", *items], keys=YES)

    def forget_by_library(self, items: list[str]) -> None:
        """A program of the person's, on their own terminal."""
        code = (
            "import sys; from onrecord import Memory\n"
            "with Memory.open() as m:\n"
            "    codes = [m.forget(item).code for item in sys.argv[1:]]\n"
            "assert set(codes) <= {'forgotten', 'forgotten.pending'}, codes\n"
        )
        done = self.lines.people.run([sys.executable, "-c", code, *items], timeout_s=60)
        assert done.exit_code == 0, done.text

    def files(self) -> Iterator[tuple[Path, bytes]]:
        """Every file, letters folded as the index folds them."""
        for folder, _, names in os.walk(self.lines.home):
            for name in names:
                path = Path(folder) / name
                if path.is_file():
                    yield path, path.read_bytes().lower()


def disguises(word: str) -> list[bytes]:
    """A word as it may lie in a file: whole, its end, and in base64 at each alignment."""
    found = [word.encode(), word[6:].encode()]
    for shift in range(3):
        raw = base64.b64encode(b"\0" * shift + word.encode())
        start, end = (shift * 8 + 5) // 6, (shift + len(word)) * 8 // 6
        found.append(raw[start:end].lower())
    return found


def test_deletion_no_residue(tmp_path: Path) -> None:
    """Forgotten words have no hit in any byte; every kept word is found."""
    chance = random.Random(SEED)  # noqa: S311 - repeatable
    home = Home(tmp_path)
    all_planted = [plant(chance) for _ in range(ITEMS)]
    items = [home.keep(planted) for planted in all_planted]
    for planted, item in zip(all_planted[:4], items[:4], strict=True):
        home.use(planted, item)
    for at in (2, 3):
        home.typed(["reject", items[at], "--reason", "wrong", "--note", all_planted[at].note])
    gone, kept = all_planted[1::2], all_planted[0::2]
    home.forget_by_command(items[1:6:2])
    home.forget_by_library(items[7::2])
    home.typed(["backup", f"{home.lines.home}/copies.db"], ["check"])
    files = list(home.files())

    counted = [word for planted in all_planted for word in planted.words()]
    assert len(counted) > 200
    hits = [
        (path.name, word)
        for planted in gone
        for word in planted.words()
        for raw in disguises(word)
        for path, content in files
        if raw in content
    ]
    assert not hits, f"seed {SEED}"
    database = b"".join(content for path, content in files if path == home.lines.store)
    database += b"".join(content for path, content in files if path.name.endswith("-wal"))
    for planted in kept:
        unused = {planted.request, planted.opinion, planted.note}
        missing = [w for w in planted.words() if w.encode() not in database and w not in unused]
        assert not missing


def test_deletion_no_residue_looks_where_words_lie(tmp_path: Path) -> None:
    """Positive control: before anything is forgotten every word is found as it was planted."""
    chance = random.Random(SEED)  # noqa: S311 - repeatable
    home = Home(tmp_path)
    planted = plant(chance)
    item = home.keep(planted)
    home.use(planted, item)
    home.typed(["list"], ["reject", item, "--reason", "wrong", "--note", planted.note])
    files = [content for _, content in home.files()]

    hashed = {planted.request}  # of a request only a print is kept
    for word in planted.words():
        found = any(word.encode() in content for content in files)
        assert found == (word not in hashed), word
        encoded = base64.b64encode(f"so {word} it is".encode())
        assert any(raw in encoded.lower() for raw in disguises(word)[2:])


def test_deletion_no_residue_of_what_an_agent_forgets(tmp_path: Path) -> None:
    """Its own note goes by its own call, and a deleted session with all that it was asked."""
    chance = random.Random(SEED)  # noqa: S311 - repeatable
    home = Home(tmp_path)
    gone, kept, asked = plant(chance), plant(chance), plant(chance)
    session = "0b7c4d1e-0000-4000-8000-000000000005"
    home.lines.remember("Fares are kept in cents", "--scope", "repo")
    with AgentProcess(CLAUDE, cwd=home.lines.repo, env=home.env) as agent:
        agent.start(session)
        agent.prompt(session, f"please: {' '.join(asked.title)}, {' '.join(asked.body)}")
        server = agent.serve()
        server.shake_hands()

        def save(planted: Planted) -> str:
            saved = server.call(
                "remember",
                title=" ".join(planted.title),
                body=f"{' '.join(planted.body)}.",
                tags=list(planted.tags),
                key=planted.key,
                scope="agent",
                evidence=[
                    {
                        "kind": "message",
                        "pointer": planted.pointer,
                        "quote": " ".join(planted.summary),
                    }
                ],
            )["structuredContent"]
            return str(saved["id"])

        item = save(gone)
        save(kept)
        server.call("recall", query=" ".join(gone.title))
        server.call("context", query=" ".join(gone.title))
        before = b"".join(content for _, content in home.files())
        forgot = server.call("forget", id=item)["structuredContent"]
        agent.end(session, "prompt_input_exit")
    by_agent = [*gone.title, *gone.body, *gone.tags, gone.key, gone.pointer, *gone.summary]
    hits = [
        (path.name, word)
        for path, content in home.files()
        for word in by_agent
        if any(raw in content for raw in disguises(word))
    ]
    for payload in home.lines.home.glob(".payload-*"):
        payload.unlink()  # the client's own
    home.typed(["forget", "--session", session], keys=YES)
    home.typed(["check"])
    by_person = [*asked.title, *asked.body, *kept.title, *kept.body, kept.key, kept.pointer]
    left = [
        (path.name, word)
        for path, content in home.files()
        for word in by_person
        if any(raw in content for raw in disguises(word))
    ]

    assert all(word.encode() in before for word in (*by_agent, *kept.title, *asked.title))
    assert forgot["outcome"] == "updated", forgot
    assert not hits
    assert not left
    assert any(b"Fares are kept in cents".lower() in content for _, content in home.files())
