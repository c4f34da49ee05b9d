"""What belongs to the end of a session: commits, diff stat, and the automatic handoff.

Git is asked outside of any transaction. What is owed stands in the outbox until it is done,
so that a crash at any moment leaves it to the next one who opens the store.
"""

from __future__ import annotations

from dataclasses import replace

from onrecord.capture import git, git_state
from onrecord.domain.ports import Clock, Store
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.policy.redact import redact
from onrecord.service import claims
from onrecord.service.caller import Caller
from onrecord.service.commands import HandOff
from onrecord.service.gateway import Gateway

#: Kind of the outbox entries of sessions that are to be closed.
CLOSE = "close"

#: Commits that a session's row and handoff name.
MAX_COMMITS = 20


class Closing:
    """Closes the sessions that the outbox names."""

    def __init__(self, store: Store, gateway: Gateway, *, clock: Clock) -> None:
        self._store = store
        self._gateway = gateway
        self._clock = clock

    def run(self) -> int:
        """Close what is owed, and let lapse what is due; says how many were closed."""
        with self._store.read() as tx:
            due = tx.outbox.due(CLOSE)
        for entry, session, _ in due:
            self._close(entry, session)
        self._let_lapse()
        return len(due)

    def _let_lapse(self) -> None:
        now = self._clock.now()
        with self._store.read() as tx:
            due = tx.handoffs.recent(statuses=("open",), limit=200)
        if any(handoff.lapses_at <= now for handoff in due):
            with self._store.write() as tx:
                claims.lapse(tx, now)

    def _close(self, entry: int, session_id: str) -> None:
        with self._store.read() as tx:
            session = tx.sessions.get(session_id)
            written = [
                row
                for row in tx.handoffs.recent(limit=200)
                if row.session == session_id and not row.automatic and row.status != "cancelled"
            ]
        if session is not None and session.ended_at is not None:
            facts = _Facts(session)
            with self._store.write() as tx:
                current = tx.sessions.get(session_id) or session
                tx.sessions.put(
                    replace(
                        current,
                        head_end=facts.head,
                        commits=facts.commits,
                        diff_stat=facts.diff_stat,
                    )
                )
            worth = session.prompts > 0 or facts.commits
            if worth and not written and not session.synthetic:
                self._gateway.handle(facts.handoff(), _caller(session, facts))
        with self._store.write() as tx:
            tx.outbox.done([entry])


class _Facts:
    """What can be seen of a session's repository at its end."""

    def __init__(self, session: Session) -> None:
        self._session = session
        found = git.locate(session.cwd) if session.cwd else None
        state = git_state.state(found.root) if found is not None else None
        self.head = found.head if found is not None else ""
        self.dirty: tuple[tuple[str, str], ...] = ()
        self.commits: tuple[str, ...] = ()
        self.diff_stat = ""
        if found is None or state is None:
            return
        self.dirty = tuple(
            sorted((redact(path).text, digest) for path, digest in state.dirty.items())
        )
        if session.head_start and self.head and session.head_start != self.head:
            made = git_state.commits_between(found.root, session.head_start, self.head) or []
            self.commits = tuple(
                redact(f"{commit.id[:10]} {commit.subject}").text for commit in made[:MAX_COMMITS]
            )
            stat = git_state.diff_stat(found.root, session.head_start, self.head)
            self.diff_stat = str(stat) if stat is not None else ""

    def handoff(self) -> HandOff:
        """Observed facts alone: what was asked, what was committed, what lies open."""
        session = self._session
        done = "\n".join(f"- {commit}" for commit in self.commits)
        if self.diff_stat:
            done += f"\n{self.diff_stat}"
        files = [path for path, _ in self.dirty]
        state = f"HEAD {self.head[:10]}" if self.head else ""
        if files:
            shown = ", ".join(files[:10]) + (f" and {len(files) - 10} more" if files[10:] else "")
            state += f"\nUncommitted: {shown}"
        asked = f"Last asked: {session.last_prompt}" if session.last_prompt else ""
        if session.prompts > 1 and session.first_prompt != session.last_prompt:
            asked += f"\nFirst asked: {session.first_prompt}"
        return HandOff(
            done=done,
            state=state.strip(),
            next=asked,
            automatic=True,
            head=self.head,
            dirty=self.dirty,
        )


def _caller(session: Session, facts: _Facts) -> Caller:
    return Caller(
        principal=Principal(
            writer="system",
            channel="hook",
            agent=session.agent,
            model=session.model,
            session=session.id,
        ),
        place=Place(
            cwd=session.cwd,
            repo=session.repo or None,
            branch=session.branch or None,
            commit=facts.head,
        ),
    )
