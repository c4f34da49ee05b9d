"""The installed hook program, run as a client runs it: a whole process, payload on stdin."""

from __future__ import annotations

import json
import os
import select
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.agents import repository
from harness.terminal import SYSTEM_PATH
from machine import HOOK
from onrecord import wiring
from onrecord.capture import spool
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.policy import fence
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember, Set
from onrecord.service.places import place_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onrecord.domain.outcome import Outcome
    from onrecord.policy.fence import Entry
    from onrecord.service.commands import Command

CLIENT_VARIABLES = {"claude-code": {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"}}


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a hook did."""

    raw: bytes
    errors: bytes
    exit_code: int

    @property
    def told(self) -> dict[str, Any]:
        """The JSON object on stdout; empty for nothing."""
        found: dict[str, Any] = json.loads(self.raw) if self.raw else {}
        return found

    @property
    def context(self) -> str:
        """What the model is given."""
        text: str = self.told.get("hookSpecificOutput", {}).get("additionalContext", "")
        return text

    @property
    def said(self) -> str:
        """What the person is told."""
        text: str = self.told.get("systemMessage", "")
        return text

    @property
    def entries(self) -> list[Entry]:
        """The items in the fenced block."""
        return fence.parse(self.context) if self.context else []

    @property
    def titles(self) -> list[str]:
        """Their titles."""
        return [entry.title for entry in self.entries]


class Hooked:
    """A home with a store, a repository, and the hook."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.repo = repository(folder / "repo")
        self.store = self.home / ".local" / "share" / "onrecord" / "memory.db"
        self.env: dict[str, str] = {
            "HOME": str(self.home),
            "PATH": SYSTEM_PATH,
            "LANG": "C.UTF-8",
            # tests look at what is answered; a machine that stands still is no failure
            "ONRECORD_HOOK_DEADLINE_MS": "20000",
        }

    @property
    def person(self) -> Caller:
        """The person, in the repository."""
        principal = Principal.person("ada", channel="terminal", confirmed=True)
        return Caller(principal=principal, place=place_at(str(self.repo)))

    def do(self, command: Command, caller: Caller | None = None) -> Outcome:
        """One command of the person's, or of whoever is given."""
        memory = wiring.open_memory(str(self.store))
        try:
            return memory.do(command, caller or self.person)
        finally:
            memory.close()

    def remember(self, title: str, body: str = "", scope: str = "repo", **more: Any) -> str:
        """Keep something; its id."""
        made = self.do(Remember(content=Content(title=title, body=body), scope=scope, **more))
        assert made.item is not None
        return made.item.id

    def switch(self, name: str, value: str, scope: str = "global") -> None:
        """Set a switch."""
        self.do(Set(name=name, value=value, scope=scope))

    def drain(self) -> None:
        """Take in what hooks left."""
        memory = wiring.open_memory(str(self.store))
        try:
            wiring.open_intake(str(self.store), memory).drain()
        finally:
            memory.close()

    def wait_for_drain(self) -> None:
        """Wait until a drain in the background has taken everything in; or raise."""
        for _ in range(600):
            if not spool.names(str(self.folder)):
                return
            select.select([], [], [], 0.05)
        message = f"{len(spool.names(str(self.folder)))} records still wait after 30 s"
        raise AssertionError(message)

    def call(
        self,
        event: str,
        *,
        client: str = "claude-code",
        session: str = "s-1",
        env: Mapping[str, str] | None = None,
        variables: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        cwd_told: Path | None = None,
        raw: bytes | None = None,
        **payload: Any,
    ) -> Answer:
        """One hook call; `variables` are the client's own, `cwd_told` is the folder it tells."""
        told = {
            "session_id": session,
            "transcript_path": str(self.home / "t.jsonl"),
            "cwd": str(cwd_told or self.repo),
            "hook_event_name": event,
            **payload,
        }
        own = CLIENT_VARIABLES.get(client, {}) if variables is None else variables
        done = subprocess.run(
            [HOOK, client, event],
            input=json.dumps(told).encode() if raw is None else raw,
            cwd=cwd or self.repo,
            env={**self.env, **own, **(env or {})},
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Answer(raw=done.stdout, errors=done.stderr, exit_code=done.returncode)

    def start(self, source: str = "startup", **more: Any) -> Answer:
        """A session's start."""
        return self.call("SessionStart", source=source, **more)

    def prompt(self, text: str, **more: Any) -> Answer:
        """A prompt."""
        return self.call("UserPromptSubmit", prompt=text, **more)

    @property
    def folder(self) -> Path:
        """The spool."""
        return Path(wiring.spool_folder(str(self.store)))

    @property
    def records(self) -> list[dict[str, Any]]:
        """What waits in the spool, oldest first."""
        texts = [spool.read(str(self.folder), name) for name in spool.names(str(self.folder))]
        return [json.loads(text) for text in texts if text is not None]

    @property
    def spooled(self) -> bytes:
        """Every byte of the spool."""
        paths = [path for path in self.folder.glob("*") if path.is_file()]
        return b"".join(path.read_bytes() for path in [*paths, *self.folder.glob(".*")])

    @property
    def faults(self) -> list[str]:
        """Lines of faults, without their times."""
        path = Path(f"{self.store}.hook-faults")
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [line.partition(" ")[2] for line in lines]


def is_root() -> bool:
    """Whether file modes bind this process at all."""
    return os.geteuid() == 0
