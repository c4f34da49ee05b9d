"""The commands in a home and a repository of their own, as people, agents and scripts run them."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from harness.surroundings import PERSON, Surroundings
from harness.terminal import Person, Transcript

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

#: A command without a terminal and without an agent above it.
SCRIPT: Final = Surroundings(tty=False)

REPO: Final = "repo:github.com/acme/shop"

_APART: Final = 'out=$1; err=$2; shift 2; exec "$@" >"$out" 2>"$err"'


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What one command said, and how it ended."""

    out: str
    err: str
    status: int

    @property
    def json(self) -> Any:
        """Standard output as JSON, alone."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """Standard error as one JSON object on one line."""
        assert self.err.count("\n") == 1, self.err
        found: dict[str, Any] = json.loads(self.err)
        return found


class CommandLine:
    """`onrecord` in a place of its own."""

    def __init__(self, folder: Path, *, name: str = "shop") -> None:
        """Make a home and a repository with an origin, unless they are there."""
        self.home = folder / "home"
        self.repo = repository(folder / name, f"https://github.com/acme/{name}.git")
        self.store = self.home / ".local" / "share" / "onrecord" / "memory.db"
        self.home.mkdir(exist_ok=True)
        self.people = Person(self.home, cwd=self.repo)
        self._count = 0

    def person(
        self,
        *words: str,
        keys: Sequence[tuple[str, str]] = (),
        env: Mapping[str, str] | None = None,
        around: Surroundings = PERSON,
    ) -> Transcript:
        """Run a command on a terminal, or in other surroundings."""
        asking = Person(self.home, cwd=self.people.cwd, env=env)
        return asking.run(["onrecord", *words], keys=keys, around=around)

    def run(
        self,
        *words: str,
        keys: Sequence[tuple[str, str]] = (),
        env: Mapping[str, str] | None = None,
        around: Surroundings = PERSON,
        cwd: Path | None = None,
    ) -> Answer:
        """Run a command with its output and its errors apart; keys are typed on the terminal."""
        self._count += 1
        out, err = (self.home / f".{self._count}.{kind}" for kind in ("out", "err"))
        asking = Person(self.home, cwd=cwd or self.people.cwd, env=env)
        command = ["sh", "-c", _APART, "sh", str(out), str(err), "onrecord", *words]
        ended = asking.run(command, keys=keys, around=around)
        texts = [path.read_bytes().decode("utf-8") for path in (out, err)]
        for path in (out, err):
            path.unlink()
        return Answer(out=texts[0], err=texts[1], status=ended.exit_code)

    def remember(self, title: str, *words: str, around: Surroundings = PERSON) -> str:
        """Keep a statement; returns its id."""
        answer = self.run("remember", title, *words, "--json", around=around)
        assert answer.status == 0, answer
        item: str = answer.json["item"]["id"]
        return item

    def status_of(self, item: str) -> str:
        """An item's status, as a person sees it."""
        status: str = self.run("show", item, "--json").json["status"]
        return status


def repository(folder: Path, origin: str) -> Path:
    """A git repository with an origin and no commit."""
    if not folder.exists():
        folder.mkdir(parents=True)
        for words in (("init", "-q", "-b", "main"), ("remote", "add", "origin", origin)):
            subprocess.run(["git", *words], cwd=folder, check=True, timeout=30)
    return folder


_ID: Final = re.compile(r"(?<![0-9A-Z])[0-9A-HJKMNP-TV-Z]{26}(?![0-9A-Z])")
_SHORT: Final = re.compile(r"(?<![0-9A-Z])[0-9A-HJKMNP-TV-Z]{6}(?![0-9A-Z])")
_STABLE: Final = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"), "<time>"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "<minute>"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "<hash>"),
    (re.compile(r'(nonce=\\?")[0-9a-f]{16}'), r"\1<nonce>"),
    # ranking is held by its own tests, and tokens depend on the nonce
    (re.compile(r": -?\d+\.\d+(e-?\d+)?"), ": 0.0"),
    (re.compile(r'("(?:tokens|delivered)": )\d+'), r"\g<1>0"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "<day>"),
)


def stable(text: str, lines: CommandLine, user: str) -> str:
    """An output with its ids, times, hashes, paths and scores replaced by fixed words."""
    names: dict[str, str] = {}
    for found in _ID.findall(text):
        names.setdefault(found, f"<id {len(names) + 1}>")
    shorts = {whole[-6:]: name.replace("id", "short") for whole, name in names.items()}
    text = _ID.sub(lambda found: names[found[0]], text)
    text = _SHORT.sub(lambda found: shorts.get(found[0], found[0]), text)
    text = text.replace(str(lines.home), "<home>").replace(str(lines.repo), "<repo>")
    for pattern, word in _STABLE:
        text = pattern.sub(word, text)
    return re.sub(rf"\b{re.escape(user)}\b", "<user>", text)
