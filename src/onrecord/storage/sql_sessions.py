"""Agent sessions and the joins to them, in SQL."""

from __future__ import annotations

from typing import Any

from onrecord.domain.session import Session
from onrecord.storage import rows
from onrecord.storage.runner import Runner

_SESSION = rows.Flat(Session)
_LINKS = (
    "calls",
    "processes",
    "reads",
    "reads_done",
    "sightings",
    "sightings_done",
    "evidence",
    "feedback",
    "deliveries",
    "handoffs",
    "claims",
)


class SqlSessions:
    """The `Sessions` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def put(self, session: Session) -> None:
        """Store it, replacing the row of the same id; `Clash` where another has its name."""
        self._runner.run("session_put", **_SESSION.values(session))

    def get(self, session: str) -> Session | None:
        """One session."""
        return self._one("session_get", id=session)

    def by_agent_session(self, agent: str, agent_session: str) -> Session | None:
        """One session by the agent's own id of it."""
        return self._one("session_by_agent", agent=agent, agent_session=agent_session)

    def recent(
        self,
        *,
        repo: str | None = None,
        agent: str | None = None,
        open_only: bool = False,
        limit: int = 20,
    ) -> list[Session]:
        """Latest event first."""
        given: dict[str, Any] = {"agent": agent, "open_only": int(open_only), "limit": limit}
        if repo is None:
            return self._all("sessions_recent", **given)
        return self._all("sessions_recent_in", repo=repo, **given)

    def note_call(self, agent: str, call: str, session: str, at: int) -> None:
        """Remember which session a tool call belongs to."""
        self._runner.run("call_note", agent=agent, call=call, session=session, at=at)

    def session_of_call(self, agent: str, call: str) -> str | None:
        """The session of a tool call."""
        return self._name("call_session", agent=agent, call=call)

    def note_process(self, agent: str, pid: int, started: int, session: str, at: int) -> None:
        """Remember the newest session seen from an agent's process."""
        self._runner.run(
            "process_note", agent=agent, pid=pid, started=started, session=session, at=at
        )

    def session_of_process(self, agent: str, pid: int, started: int) -> str | None:
        """The newest session seen from an agent's process."""
        return self._name("process_session", agent=agent, pid=pid, started=started)

    def note_read(self, session: str, item: str, version: int, at: int) -> None:
        """Remember that a session was shown a version."""
        self._runner.run("read_note", session=session, item=item, version=version, at=at)

    def read_version(self, session: str, item: str) -> int | None:
        """The newest version that the session was shown."""
        row = self._runner.row("read_version", session=session, item=item)
        return int(row[0]) if row else None

    def link_synthetic(self, synthetic: str, real: str) -> None:
        """Point everything that a synthetic session did at the real one found later.

        Versions and events keep the name they were written with; they never change.
        """
        for what in _LINKS:
            self._runner.run("link_" + what, synthetic=synthetic, real=real)

    def mentioning(self, text: str) -> list[Session]:
        """Sessions whose stored prompts contain the text, letter for letter."""
        return self._all("sessions_mentioning", text=text)

    def seen_record(self, digest: bytes, at: int) -> bool:
        """Mark a spool record as taken in; says whether it was taken in before."""
        return self._runner.run("record_note", digest=digest, at=at) == 0

    def _one(self, name: str, /, **given: Any) -> Session | None:
        return rows.first(_SESSION.build, self._runner.row(name, **given))

    def _all(self, name: str, /, **given: Any) -> list[Session]:
        return rows.read(_SESSION.build, self._runner.rows(name, **given))

    def _name(self, name: str, /, **given: Any) -> str | None:
        row = self._runner.row(name, **given)
        return str(row[0]) if row else None
