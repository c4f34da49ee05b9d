"""Summaries of sessions by a command that the user chose; all that comes of it is proposed.

What is sent is the conversation alone, redacted, from repositories that the user named, and
can be looked at before. An answer that is not as documented is set aside, never guessed at.
A session that ended, and the part of one that was compacted, are owed a summary where the user
wants that; what is owed follows from the sessions themselves, so that no crash loses it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import tzinfo
from itertools import islice

from onrecord.capture import git
from onrecord.capture.agents.base import as_mapping
from onrecord.capture.known_copies import SET_ASIDE
from onrecord.capture.transcripts import (
    CLIENTS,
    Message,
    Transcript,
    is_of,
    readable,
    size_of,
)
from onrecord.domain.errors import (
    BadField,
    Clash,
    Denied,
    NeedsPerson,
    NotFound,
    OnrecordError,
    StoreError,
    TranscriptRefused,
    UsageError,
)
from onrecord.domain.outcome import Outcome, Refused, name_of
from onrecord.domain.ports import Clock, Ids, Store
from onrecord.domain.principal import SCRIPT, Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.domain.summariser import Summariser, Unanswered
from onrecord.policy import fingerprint, redact
from onrecord.retrieval import tokens
from onrecord.service import (
    imports,
    session_names,
    summary_answer,
    summary_owed,
    summary_parts,
)
from onrecord.service.caller import Caller
from onrecord.service.delivering import switched_off
from onrecord.service.gateway import Gateway
from onrecord.service.lifecycle import DEFAULTS
from onrecord.service.places import place_at
from onrecord.service.summary_answer import BadAnswer, Kept
from onrecord.service.summary_parts import Part
from onrecord.service.summary_proposals import caller_of, commands_of
from onrecord.service.summary_reports import Owed, PartDone, Sent, Summarised
from onrecord.service.summary_settings import SummarySettings
from onrecord.service.summary_state import Folder, State
from onrecord.service.work import Secrets, begin

#: Sessions that are looked through for one.
_LOOKED_AT = 200
#: Characters of an answer that is set aside.
_ANSWER = 64_000

Step = Callable[[int, int], None]


def _silent(_done: int, _total: int) -> None:
    """Nobody is told how far it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Job:
    """One session to be summarised, and how."""

    session: Session
    batch: str
    #: whether anything leaves; off for looking only
    send: bool = True
    #: makes what is proposed another than before; empty where it is not
    again: str = ""
    #: at most so many parts
    most: int
    #: where reading ends, in bytes of the transcript; None for its end
    until: int | None = None


class Summaries:
    """What has sessions of one open store summarised."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        secrets: Callable[[], Secrets],
        zone: tzinfo | None,
        settings: SummarySettings,
        summariser: Summariser,
        folder: Folder,
        roots: Callable[[str], Sequence[str]],
    ) -> None:
        """`roots` says for a client in which folders it keeps its conversations."""
        self._store = store
        self._clock = clock
        self._ids = ids
        self._secrets = secrets
        self._zone = zone
        self._settings = settings
        self._summariser = summariser
        self._folder = folder
        self._roots = roots
        self._state = State(folder)
        #: parts that were handed over in this run
        self._handed = 0
        self._gateway = Gateway(store, clock=clock, ids=ids, secrets=secrets, zone=zone)

    def run(
        self,
        caller: Caller,
        part: str = "",
        *,
        send: bool = True,
        again: bool = False,
        step: Step = _silent,
    ) -> Summarised:
        """Summarise what is new in a session since the last time.

        `part` is a start or end of its id, or of the client's own; without it the latest one
        here. Without `send` nothing leaves and nothing is kept. `again` begins at the start.
        For a person, and for a script that a person set up. Raises `NeedsPerson`, `NotFound`,
        `UsageError` where nothing is configured or readable, `TranscriptRefused`, `Clash` while
        another process has something summarised, and `Denied` where the repository is not on
        the user's list, or saving or capture is off.
        """
        by = caller.principal
        if not by.is_person and by.agent != SCRIPT:
            raise NeedsPerson
        session = self._session(caller, part)
        self._check(session, send=send)
        batch = self._ids.new(self._clock.now())
        job = _Job(
            session=session,
            batch=batch,
            send=send,
            again=batch if again else "",
            most=self._settings.max_parts,
        )
        if not send:
            return self._do(caller, job, step)
        with self._folder.turn() as is_ours:
            if not is_ours:
                raise Clash(
                    "Another process has a session summarised just now. Nothing was sent.",
                    hint="Try again when it is done.",
                )
            size, note = self._size(session), self._state.notes().get(session.id)
            done = self._do(caller, job, step)
            if note is not None and note.tries and not done.stopped and not done.more:
                # it was tried in vain by itself, and is not owed any more
                now = summary_owed.Note(size=size, compactions=session.compactions)
                self._state.note(session.id, now)
            return done

    # -- without being asked ----------------------------------------------------------
    def catch_up(self, file: str) -> list[Summarised]:
        """Summarise what is owed, where the user's settings say `automatic`; oldest first.

        `file` holds these settings. It has to be the user's alone, and lie outside of the
        repository that is summarised; sessions that nothing happened in after it was last
        changed, when this is called first, are owed nothing. At most the settings' parts of
        one run are sent, all sessions together, answered or not; a command that fails is asked
        no more. What cannot be done is tried again by a later call, a few times, ever later.
        """
        written = summary_owed.written_at(file)
        if not self._settings.automatic or written is None:
            return []
        done: list[Summarised] = []
        with self._folder.turn() as is_ours:
            if not is_ours:
                return []
            self._state.begin(min(written, self._clock.now()))
            self._handed = 0
            for owed in self._owed(written):
                left = self._settings.max_parts - self._handed
                if left <= 0 or any(one.stopped for one in done):
                    break
                if owed.state == "owed" and not _is_inside(file, owed.session):
                    done += self._caught_up(owed, left)
        return done

    def owed(self, file: str) -> list[Owed]:
        """Sessions that are to be summarised without being asked, oldest first.

        `file` holds the settings; see `catch_up`.
        """
        written = summary_owed.written_at(file)
        return self._owed(written) if self._settings.automatic else []

    def _owed(self, written: int | None) -> list[Owed]:
        with self._store.read() as tx:
            rows = tx.sessions.recent(limit=_LOOKED_AT)
        fitting = [
            row
            for row in rows
            if row.transcript and not row.synthetic and row.agent in CLIENTS
            if self._allows(row)
        ]
        now, since = self._clock.now(), self._state.since()
        if since is None:
            since = now if written is None else written
        return summary_owed.owed(fitting, self._state.notes(), self._size, since=since, now=now)

    def _caught_up(self, owed: Owed, most: int) -> list[Summarised]:
        session = owed.session
        goes_on = session.ended_at is None
        size = self._size(session)
        note = self._state.notes().get(session.id, summary_owed.Note())
        itself = Caller(principal=Principal(writer="system", channel="system"), place=Place())
        try:
            self._check(session, send=True)
            until = self._compacted_at(session) if goes_on else None
            if goes_on and until is None:
                return []  # its client has not written yet that it was compacted
            batch = self._ids.new(self._clock.now())
            job = _Job(session=session, batch=batch, most=most, until=until)
            done = self._do(itself, job, _silent)
        except StoreError:
            raise
        except OnrecordError:
            return []  # not now: a switch is off, or the file is none of its client's
        if done.stopped:
            failed = replace(note, tries=note.tries + 1, at=self._clock.now(), why=done.stopped)
            self._state.note(session.id, failed)
        elif not done.more:
            read = note.size if goes_on else size
            now = summary_owed.Note(size=read, compactions=session.compactions)
            self._state.note(session.id, now)
        return [done]

    def _compacted_at(self, session: Session) -> int | None:
        start = self._state.progress().get(session.id, 0)
        return summary_parts.last_compaction(self._transcript(session, start))

    def _size(self, session: Session) -> int:
        """Where a session's transcript ends; 0 for one that may not be read."""
        roots = self._roots(session.agent)
        return size_of(session.agent, session.transcript, session.agent_session, roots)

    # -- one session ------------------------------------------------------------------
    def _do(self, caller: Caller, job: _Job, step: Step) -> Summarised:
        session = job.session
        start = 0 if job.again else self._state.progress().get(session.id, 0)
        transcript = self._transcript(session, start)
        parts = summary_parts.parts_of(
            self._messages(job, transcript), max_tokens=self._settings.max_tokens
        )
        done, stopped = self._parts(parts, job, transcript, step)
        more = next(parts, None) is not None if not stopped else True
        if any(one.outcomes for one in done):
            self._sum_up(caller, job.batch, done)
        kept = any(set(one.outcomes) - {"refused"} for one in done)
        return Summarised(
            session=session,
            parts=tuple(done),
            damaged=transcript.damaged,
            more=more,
            stopped=stopped,
            batch=job.batch if kept else "",
        )

    def _transcript(self, session: Session, start: int) -> Transcript:
        roots = self._roots(session.agent)
        return Transcript(
            session.agent,
            session.transcript,
            offset=start,
            roots=roots,
            session=session.agent_session,
        )

    def _messages(self, job: _Job, transcript: Transcript) -> Iterator[Message]:
        if job.until is None:
            return iter(transcript)
        return summary_parts.until(transcript, job.until)

    def _parts(
        self, parts: Iterator[Part], job: _Job, transcript: Transcript, step: Step
    ) -> tuple[list[PartDone], str]:
        done: list[PartDone] = []
        for part in islice(parts, job.most):
            if done and job.send:
                self._check(job.session, send=True)
            try:
                done.append(self._one(part, job))
            except Unanswered as error:
                return done, error.why
            if job.send:
                then = part.then if part.then is not None else transcript.offset
                self._state.note_progress(job.session.id, then)
            step(len(done), job.most)
        return done, ""

    # -- one part -----------------------------------------------------------------
    def _one(self, part: Part, job: _Job) -> PartDone:
        done = PartDone(messages=len(part.messages), tokens=0, state="looked")
        complaint = ""
        self._handed += job.send
        for _ in range(1 + (self._settings.retries if job.send else 0)):
            prompt = summary_parts.prompt_of(part, self._ids.salt().hex(), complaint=complaint)
            done.prompts.append(prompt)
            cost = tokens.count(prompt)
            done.tokens += cost
            if not job.send:
                return done
            self._note_sent(job.session, part, cost)
            raw = self._summariser.ask(prompt)
            try:
                kept = summary_answer.read(raw, messages=len(part.messages))
            except BadAnswer as error:
                complaint = error.why
                done.bad.append(error.why)
                self._set_aside(job.session, raw, error.why)
                continue
            done.state = "kept"
            self._propose(kept, part, job, done)
            return done
        done.state = "bad"
        return done

    def _propose(self, kept: list[Kept], part: Part, job: _Job, done: PartDone) -> None:
        commands = commands_of(kept, part, job.session, batch=job.batch, again=job.again)
        try:
            outcomes = self._gateway.handle_many(commands, caller_of(job.session))
        except BadField as error:
            if error.details.get("field") != "idempotency_key":
                raise
            done.state = "known"  # a run that was cut off had kept its answer already
            return
        for outcome in outcomes:
            _refuse_while_off(outcome)
            name = name_of(outcome)
            done.outcomes[name] = done.outcomes.get(name, 0) + 1

    def _set_aside(self, session: Session, raw: bytes, why: str) -> None:
        """A bad answer without its secrets, for the user to look at."""
        text = redact.within(raw.decode("utf-8", "replace"), _ANSWER)[0]
        name = f"{self._ids.new(self._clock.now())}{SET_ASIDE}"
        shape = {"session": session.id, "why": why, "answer": text}
        self._folder.write(name, json.dumps(shape, ensure_ascii=False))

    def _sum_up(self, caller: Caller, batch: str, done: Sequence[PartDone]) -> None:
        tally = imports.Tally()
        for one in done:
            for name, n in one.outcomes.items():
                tally.outcomes[name] = tally.outcomes.get(name, 0) + n
        with suppress(OnrecordError), self._store.write() as tx:
            work = begin(
                tx,
                caller,
                clock=self._clock,
                ids=self._ids,
                secrets=self._secrets(),
                zone=self._zone,
            )
            imports.sum_up(work, batch, tally, code="summaries")

    # -- what was sent, and what was set aside ------------------------------------------
    def _note_sent(self, session: Session, part: Part, cost: int) -> None:
        noted = Sent(
            at=self._clock.now(),
            session=session.id,
            start=part.messages[0].offset,
            messages=len(part.messages),
            tokens=cost,
            max_tokens=self._settings.max_tokens,
            print=_print(self._secrets().key, part),
        )
        if not self._state.note_sent(noted):
            raise Denied("What is sent cannot be noted beside the store, so nothing was sent.")

    def sent(self, session: str = "") -> list[Sent]:
        """What was sent, oldest first: of one session (see `session_names.is_named`) or all.

        No copy is kept: the text is made anew from the transcript, and empty where that does
        not say the same any more.
        """
        rows = self._state.sent()
        if session:
            with self._store.read() as tx:
                known = [tx.sessions.get(one.session) for one in rows]
            named = {one.id for one in known if one and session_names.is_named(one, session)}
            rows = [one for one in rows if one.session in named]
        return [replace(one, text=self._text_of(one)) for one in rows]

    def _text_of(self, sent: Sent) -> str:
        with self._store.read() as tx:
            session = tx.sessions.get(sent.session)
        if session is None or session.agent not in CLIENTS or not session.transcript:
            return ""
        messages = self._transcript(session, sent.start)
        part = next(summary_parts.parts_of(messages, max_tokens=sent.max_tokens), None)
        if part is not None and len(part.messages) > sent.messages:
            part = replace(part, messages=part.messages[: sent.messages])
        # it was made with the key of its time
        if part is None or all(_print(key, part) != sent.print for key in self._secrets().keys):
            return ""
        return summary_parts.prompt_of(part, "0" * 32)

    def set_aside(self) -> list[dict[str, str]]:
        """Answers that could not be used, oldest first: name, session, why, answer."""
        found: list[dict[str, str]] = []
        for name in self._folder.names():
            if name.endswith(SET_ASIDE):
                with suppress(ValueError):
                    row = as_mapping(json.loads(self._folder.read(name)))
                    texts = {k: str(row.get(k, "")) for k in ("session", "why", "answer")}
                    found.append({"name": name.removesuffix(SET_ASIDE), **texts})
        return found

    def clear(self) -> int:
        """Remove the answers that were set aside; says how many."""
        rows = self.set_aside()
        for row in rows:
            self._folder.drop(row["name"] + SET_ASIDE)
        return len(rows)

    def is_ready(self, caller: Caller, part: str) -> bool:
        """Whether anything may be asked about that session; `run` says why not."""
        with suppress(OnrecordError):
            self._check(self._session(caller, part), send=True)
            return True
        return False

    # -- which session, and whether ---------------------------------------------------
    def _session(self, caller: Caller, part: str) -> Session:
        here = caller.place.repo
        with self._store.read() as tx:
            rows = tx.sessions.recent(repo=None if part else here, limit=_LOOKED_AT)
        if part:
            return session_names.pick(rows, part)
        found = next((row for row in rows if row.transcript and row.agent in CLIENTS), None)
        if found is None:
            raise NotFound(
                "There is no such session here.",
                hint="`onrecord sessions` lists them; give the name that stands there.",
            )
        return found

    def _check(self, session: Session, *, send: bool) -> None:
        if send and not self._settings.command:
            raise UsageError(
                "No command for summaries is configured, so nothing was sent.",
                hint="Name one as `command` under [summaries] in your configuration file.",
            )
        if session.agent not in CLIENTS or not session.transcript:
            raise UsageError(
                f"The conversations of {session.agent} cannot be read.",
                hint=f"Those of {', '.join(CLIENTS)} can.",
            )
        if not self._allows(session):
            raise Denied(
                "A repository that it was in is not on your list for summaries; nothing was sent.",
                hint="Add it to `repositories` under [summaries] in your configuration file.",
            )
        if self._is_off(session):
            raise Denied("Saving or capture is off here, so nothing was sent.", hint="onrecord on")
        its_own = is_of(session.agent, session.transcript, session.agent_session)
        roots = self._roots(session.agent)
        if not its_own or not readable(session.agent, session.transcript, roots):
            raise TranscriptRefused

    def _allows(self, session: Session) -> bool:
        """Whether all repositories that a session was in are on the list."""
        with self._store.read() as tx:
            been = [tx.scopes.resolve(one) for one in session.scopes if one != session.repo]
        return all(map(self._settings.allows, (session.repo, *been)))

    def _is_off(self, session: Session) -> bool:
        place = Place(
            repo=session.repo or None,
            agent=f"agent:{session.agent}",
            session=f"session:{session.agent}:{session.agent_session or session.id}",
        )
        here = place_at(session.cwd) if session.cwd else place
        place.off = here.off if here.repo == place.repo else ()
        with self._store.read() as tx:

            def setting(name: str, scopes: Sequence[str]) -> str | None:
                return next((v for one in scopes if (v := tx.settings.get(name, one))), None)

            saving = tx.settings.get("saving") or DEFAULTS["saving"]
            return saving == "off" or bool(switched_off("capture", place, setting))

    def close(self) -> None:
        """Release the store."""
        self._store.close()


def _print(key: bytes, part: Part) -> str:
    """The keyed print of a part's messages as they are sent."""
    said = json.dumps([(one.role, one.text) for one in part.messages])
    return fingerprint.key_print(key, "summary", said).hex()


def _is_inside(file: str, session: Session) -> bool:
    """Whether a file lies in the checkout, or the folder, that a session worked in."""
    found = git.locate(session.cwd) if session.cwd else None
    place = os.path.realpath(file)
    folders = [session.cwd, found.root if found is not None else ""]
    return any(place.startswith(os.path.realpath(one) + "/") for one in folders if one)


def _refuse_while_off(outcome: Outcome) -> None:
    if isinstance(outcome, Refused) and outcome.code == "saving.off":
        raise Denied("Saving was turned off meanwhile, so nothing of it was kept.")
