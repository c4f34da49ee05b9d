"""What belongs to the end of a session: commits, diff stat, and the automatic handoff.

Git is asked outside of any transaction. What is owed stands in the outbox until it is done,
so that a crash at any moment leaves it to the next one who opens the store.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from onrecord.capture import git
from onrecord.domain.errors import BadField, Clash, StoreError
from onrecord.domain.ports import Clock, Store
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.service import claims, erasures
from onrecord.service.blanking import CLOSE
from onrecord.service.caller import Caller
from onrecord.service.commands import HandOff
from onrecord.service.gateway import Gateway
from onrecord.service.observed import commit_told, path_told
from onrecord.service.places import place_at

#: Commits that a session's row and handoff name, and uncommitted files that a handoff does.
MAX_COMMITS = 20
MAX_FILES = 10


class Closing:
    """Closes the sessions that the outbox names."""

    def __init__(self, store: Store, gateway: Gateway, *, clock: Clock) -> None:
        self._store = store
        self._gateway = gateway
        self._clock = clock

    def run(self) -> int:
        """Close what is owed, and let lapse what is due; says how many were closed.

        A session that somebody else closes meanwhile is closed once all the same.
        """
        with self._store.read() as tx:
            due = tx.outbox.due(CLOSE)
        for entry, session, _ in due:
            self._close(entry, session)
        self._let_lapse()
        with suppress(StoreError):
            erasures.clear(self._store)
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
        if session is not None and session.ended_at is not None and not session.forgotten:
            facts = Facts(session)
            self._note(session, facts)
            command = facts.handoff()
            if command is not None:
                # facts that cannot be a handoff must not hold up other sessions
                with suppress(BadField, Clash):
                    self._gateway.handle(command, _caller(session, facts))
        with self._store.write() as tx:
            tx.outbox.done([entry])

    def _note(self, session: Session, facts: Facts) -> None:
        """Put what was found into the session's row, unless it goes on or was erased."""
        with self._store.write() as tx:
            current = tx.sessions.get(session.id)
            if (
                current is None
                or current.ended_at != session.ended_at
                or current.head_start != session.head_start
            ):
                return
            made = replace(
                current, head_end=facts.head, commits=facts.commits, diff_stat=facts.diff_stat
            )
            tx.sessions.put(self._gateway.without_turned_down(tx, made))


class Facts:
    """What can be seen of a session's repository at its end."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.head = ""
        self.dirty: tuple[tuple[str, str], ...] = ()
        self.commits: tuple[str, ...] = ()
        self.diff_stat = ""
        found = git.locate(session.cwd) if session.cwd else None
        # a folder can have become another repository's, or a record can have named a wrong one
        if found is None or place_at(session.cwd).repo != (session.repo or None):
            return
        self.head = found.head
        from onrecord.capture import git_state  # noqa: PLC0415 - only where a session has ended

        state = git_state.state(found.root)
        if state is not None:
            self.dirty = tuple(
                sorted((path_told(path), digest) for path, digest in state.dirty.items())
            )
        if session.head_start and self.head and session.head_start != self.head:
            made = git_state.commits_between(found.root, session.head_start, self.head) or []
            self.commits = tuple(
                commit_told(commit.id, commit.subject) for commit in made[:MAX_COMMITS]
            )
            stat = git_state.diff_stat(found.root, session.head_start, self.head)
            self.diff_stat = str(stat) if stat is not None else ""

    def handoff(self) -> HandOff | None:
        """Observed facts alone: what was asked, what was committed, what lies open.

        None for a session in which nothing was asked and nothing was made, for one that only
        stands in for another, and where there is no repository to hand over.
        """
        session = self._session
        if session.synthetic or not session.repo or not (session.prompts or self.commits):
            return None
        done = [f"- {commit}" for commit in self.commits]
        done += [self.diff_stat] if self.diff_stat else []
        state = [f"HEAD {self.head[:10]}"] if self.head else []
        if session.compactions:
            times = "once" if session.compactions == 1 else f"{session.compactions} times"
            state.append(f"The conversation was compacted {times}: not all of it is in its end.")
        files = [path for path, _ in self.dirty]
        if files:
            more = f" and {len(files) - MAX_FILES} more" if files[MAX_FILES:] else ""
            state.append(f"Uncommitted: {', '.join(files[:MAX_FILES])}{more}")
        prompts = (session.first_prompt, session.last_prompt)
        asked = tuple(dict.fromkeys(prompt for prompt in prompts if prompt))
        if not done and not state and not asked:
            return None
        return HandOff(
            done="\n".join(done),
            state="\n".join(state),
            asked=asked,
            automatic=True,
            head=self.head,
            dirty=self.dirty,
        )


def _caller(session: Session, facts: Facts) -> Caller:
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
