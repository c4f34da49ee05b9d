"""A session with a transcript, and a summariser that answers what a test wants."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING, Any

from desk import REPO, SECRETS
from onrecord.capture.private_folder import PrivateFolder
from onrecord.domain.item import ItemQuery
from onrecord.domain.session import Session
from onrecord.providers.command import CommandSummariser
from onrecord.service.summaries import Summaries
from onrecord.service.summary_settings import settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Desk
    from onrecord.domain.item import Item
    from onrecord.domain.summariser import Summariser
    from onrecord.service.summary_reports import Summarised
    from onrecord.service.work import Secrets

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
OWN = '<onrecord-memory nonce="abcdefgh">\nAda likes tabs.\n</onrecord-memory nonce="abcdefgh">'

GOOD: dict[str, Any] = {
    "summary": {"title": "The horn drifted", "body": "It was fixed.", "messages": [1, 2]},
    "items": [
        {
            "kind": "lesson",
            "title": "timedelta.seconds drops whole days, so total_seconds is used",
            "body": "",
            "messages": [2],
        }
    ],
}

#: Keeps what it was sent, then answers what stands in a file.
PROGRAM = """
import sys
sent = sys.stdin.read()
with open({sent!r}, "a", encoding="utf-8") as file:
    file.write(sent + "\\x1e")
with open({answer!r}, encoding="utf-8") as file:
    sys.stdout.write(file.read())
"""


class Studio:
    """A session with a transcript, and a command that answers what a test wants."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.desk = desk
        self.folder = folder
        self.kept = PrivateFolder(str(folder / "memory.db.summaries"))
        self.transcript = folder / "5eed-0001.jsonl"
        self.session = Session(
            id=desk.ids.new(desk.clock.now()),
            agent="claude-code",
            agent_session="5eed-0001",
            started_at=desk.clock.now(),
            last_event_at=desk.clock.now(),
            repo=REPO,
            cwd="/src/shop",
            transcript=str(self.transcript),
        )
        self.put(self.session)
        self.say(("user", f"Why does the horn drift? The token is {TOKEN}."))
        self.say(("assistant", f"{OWN}Days are dropped by timedelta.seconds."))
        self.answers(GOOD)
        self.config = folder / "config.toml"
        self.config.touch(mode=0o600)
        wanted = self.session.started_at / 1_000_000
        os.utime(self.config, (wanted, wanted))

    def put(self, session: Session) -> None:
        """A session's row."""
        with self.desk.store.write() as tx:
            tx.sessions.put(session)

    def another(self, own: str, *, later: int = 1) -> Session:
        """One more session by that id of its client's, in which the same was said."""
        copy = self.transcript.with_stem(own)
        copy.write_bytes(self.transcript.read_bytes())
        name = self.desk.ids.new(self.desk.clock.now() + later)
        found = replace(self.session, id=name, agent_session=own, transcript=str(copy))
        self.put(found)
        return found

    def say(self, *messages: tuple[str, str]) -> None:
        """Go on talking; a role `compact` is where the context was compacted."""
        with self.transcript.open("a", encoding="utf-8") as file:
            for role, text in messages:
                row: dict[str, Any] = {"type": role, "uuid": f"u{file.tell()}"}
                if role == "compact":
                    row |= {"type": "system", "subtype": "compact_boundary"}
                row["message"] = {"content": [{"type": "text", "text": text}]}
                file.write(f"{json.dumps(row)}\n")

    def answers(self, shape: object) -> None:
        """What the command says from now on."""
        text = shape if isinstance(shape, str) else json.dumps(shape)
        (self.folder / "answer").write_text(text, encoding="utf-8")

    def sent(self) -> list[str]:
        """All prompts that the command was given."""
        path = self.folder / "sent"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return text.split("\x1e")[:-1]

    def opened(
        self,
        program: str = "",
        *,
        summariser: Summariser | None = None,
        secrets: Secrets = SECRETS,
        **table: Any,
    ) -> Summaries:
        """What a command opens, with settings of a user."""
        paths = {name: str(self.folder / name) for name in ("sent", "answer")}
        words = [sys.executable, "-c", program or PROGRAM.format(**paths)]
        settings = settings_of({"command": words, "repositories": ["github.com/acme/*"], **table})
        return Summaries(
            self.desk.store,
            clock=self.desk.clock,
            ids=self.desk.ids,
            secrets=lambda: secrets,
            zone=UTC,
            settings=settings,
            summariser=summariser
            or CommandSummariser(
                settings.command, timeout_s=settings.timeout_s, environ=os.environ
            ),
            folder=self.kept,
            roots=lambda _agent: (str(self.folder),),
        )

    def run(self, *, send: bool = True, again: bool = False, **table: Any) -> Summarised:
        """Have what is new summarised, as the person."""
        return self.opened("", **table).run(self.desk.ada, send=send, again=again)

    def catch_up(self, program: str = "", **table: Any) -> list[Summarised]:
        """What a drain does at its end."""
        return self.opened(program, automatic=True, **table).catch_up(str(self.config))

    def end(self, **more: Any) -> None:
        """The session has ended, or something else is noted of it."""
        self.desk.clock.advance()
        now = self.desk.clock.now()
        self.session = replace(self.session, **{"ended_at": now, "last_event_at": now, **more})
        self.put(self.session)

    def items(self, *statuses: str) -> dict[str, Item]:
        """Items by kind."""
        with self.desk.store.read() as tx:
            found = tx.items.page(ItemQuery(statuses=statuses or None, limit=100))
        return {item.kind: item for item in found}
