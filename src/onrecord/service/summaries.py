"""Summaries of sessions by a command that the user chose; all that comes of it is proposed.

What is sent is the conversation alone, redacted, from repositories that the user named, and
can be looked at before. An answer that is not as documented is set aside, never guessed at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import tzinfo
from itertools import islice
from typing import Protocol

from onrecord.capture.agents.base import as_mapping
from onrecord.capture.transcripts import FORMATS, Transcript
from onrecord.domain import ulid
from onrecord.domain.errors import Denied, NeedsPerson, NotFound, OnrecordError, UsageError
from onrecord.domain.item import Content
from onrecord.domain.outcome import Outcome, Refused, name_of
from onrecord.domain.ports import Clock, Ids, Store
from onrecord.domain.principal import SCRIPT, Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.domain.summariser import Summariser, Unanswered
from onrecord.policy import redact
from onrecord.retrieval import tokens
from onrecord.service import imports, summary_answer, summary_parts
from onrecord.service.caller import Caller
from onrecord.service.commands import Claim, Remember
from onrecord.service.gateway import Gateway
from onrecord.service.lifecycle import DEFAULTS
from onrecord.service.summary_answer import BadAnswer, Kept
from onrecord.service.summary_parts import Part
from onrecord.service.summary_settings import SummarySettings
from onrecord.service.work import Secrets, begin

#: Characters of a message that an item quotes.
MAX_QUOTE = 300
#: Sessions that are looked through for one.
_LOOKED_AT = 200
_PROGRESS = "progress"
_SET_ASIDE = ".answer.json"

Step = Callable[[int, int], None]


class Folder(Protocol):
    """Small private files beside the store."""

    def names(self) -> list[str]:
        """Their names."""
        ...

    def read(self, name: str) -> str:
        """The text of one, empty where it is not there."""
        ...

    def write(self, name: str, text: str) -> bool:
        """Keep one."""
        ...

    def drop(self, name: str) -> None:
        """Remove one."""
        ...


@dataclass(kw_only=True, slots=True)
class PartDone:
    """What became of one part."""

    messages: int
    tokens: int
    #: kept · bad · looked (nothing was sent)
    state: str
    #: every prompt exactly as it was sent, or would be
    prompts: list[str] = field(default_factory=list[str])
    #: outcome -> items
    outcomes: dict[str, int] = field(default_factory=dict[str, int])
    #: what was wrong with answers that were set aside
    bad: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, kw_only=True, slots=True)
class Summarised:
    """What one run did, or would do."""

    session: Session
    parts: tuple[PartDone, ...]
    #: lines of the transcript that could not be read
    damaged: int
    #: parts that wait for the next run
    more: bool
    #: why it ended early: missing · failed · slow · too_big; empty where it did not
    stopped: str
    #: takes back all that was proposed; empty where nothing was
    batch: str


def _silent(_done: int, _total: int) -> None:
    """Nobody is told how far it is."""


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
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._secrets = secrets
        self._zone = zone
        self._settings = settings
        self._summariser = summariser
        self._folder = folder
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
        `UsageError` where nothing is configured or readable, and `Denied` where the
        repository is not on the user's list, or saving or capture is off.
        """
        by = caller.principal
        if not by.is_person and by.agent != SCRIPT:
            raise NeedsPerson
        session = self._session(caller, part)
        self._check(session, send=send)
        progress = self._progress()
        start = 0 if again else progress.get(session.id, 0)
        transcript = Transcript(session.agent, session.transcript, offset=start)
        parts = summary_parts.parts_of(transcript, max_tokens=self._settings.max_tokens)
        batch = self._ids.new(self._clock.now())
        done, stopped = self._parts(parts, session, progress, batch, transcript, step, send=send)
        more = next(parts, None) is not None if not stopped else True
        kept = any(one.outcomes for one in done)
        if kept:
            self._sum_up(caller, batch, done)
        return Summarised(
            session=session,
            parts=tuple(done),
            damaged=transcript.damaged,
            more=more,
            stopped=stopped,
            batch=batch if kept else "",
        )

    def _parts(
        self,
        parts: Iterator[Part],
        session: Session,
        progress: dict[str, int],
        batch: str,
        transcript: Transcript,
        step: Step,
        *,
        send: bool,
    ) -> tuple[list[PartDone], str]:
        done: list[PartDone] = []
        for part in islice(parts, self._settings.max_parts):
            try:
                done.append(self._one(part, session, batch, send=send))
            except Unanswered as error:
                return done, error.why
            if send:
                then = part.then if part.then is not None else transcript.offset
                progress[session.id] = then
                self._folder.write(_PROGRESS, json.dumps(progress))
            step(len(done), self._settings.max_parts)
        return done, ""

    # -- one part -----------------------------------------------------------------
    def _one(self, part: Part, session: Session, batch: str, *, send: bool) -> PartDone:
        done = PartDone(messages=len(part.messages), tokens=0, state="looked")
        complaint = ""
        for _ in range(1 + (self._settings.retries if send else 0)):
            prompt = summary_parts.prompt_of(part, self._ids.salt().hex(), complaint=complaint)
            done.prompts.append(prompt)
            done.tokens += tokens.count(prompt)
            if not send:
                return done
            raw = self._summariser.ask(prompt)
            try:
                kept = summary_answer.read(raw, messages=len(part.messages))
            except BadAnswer as error:
                complaint = error.why
                done.bad.append(error.why)
                self._set_aside(session, raw, error.why)
                continue
            done.state = "kept"
            self._propose(kept, part, session, batch, done)
            return done
        done.state = "bad"
        return done

    def _propose(
        self, kept: Sequence[Kept], part: Part, session: Session, batch: str, done: PartDone
    ) -> None:
        commands = [_command(one, part, session, batch) for one in kept]
        for outcome in self._gateway.handle_many(commands, _caller(session)):
            _refuse_while_off(outcome)
            name = name_of(outcome)
            done.outcomes[name] = done.outcomes.get(name, 0) + 1

    def _set_aside(self, session: Session, raw: bytes, why: str) -> None:
        """A bad answer without its secrets, for the user to look at."""
        text = redact.redact(raw[:64_000].decode("utf-8", "replace")).text
        name = f"{self._ids.new(self._clock.now())}{_SET_ASIDE}"
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

    # -- what was set aside ---------------------------------------------------------
    def set_aside(self) -> list[dict[str, str]]:
        """Answers that could not be used, oldest first: name, session, why, answer."""
        found: list[dict[str, str]] = []
        for name in self._folder.names():
            if name.endswith(_SET_ASIDE):
                with suppress(ValueError):
                    row = as_mapping(json.loads(self._folder.read(name)))
                    texts = {k: str(row.get(k, "")) for k in ("session", "why", "answer")}
                    found.append({"name": name.removesuffix(_SET_ASIDE), **texts})
        return found

    def clear(self, session: str = "") -> int:
        """Remove answers that were set aside, of one session or all; says how many."""
        rows = [row for row in self.set_aside() if session in ("", row["session"])]
        for row in rows:
            self._folder.drop(row["name"] + _SET_ASIDE)
        return len(rows)

    # -- which session, and whether ---------------------------------------------------
    def _session(self, caller: Caller, part: str) -> Session:
        here = caller.place.repo
        with self._store.read() as tx:
            rows = tx.sessions.recent(repo=None if part else here, limit=_LOOKED_AT)
        wanted = ulid.normalise(part) if part else ""
        found = [
            row
            for row in rows
            if (not part and row.transcript and row.agent in FORMATS)
            or (len(part) >= 4 and _is_named(row, wanted, part))  # noqa: PLR2004 - as for items
        ]
        if not found or (part and len(found) > 1):
            raise NotFound(
                "Several sessions fit that." if found else "There is no such session here.",
                hint="`onrecord sessions` lists them; give the last 6 characters of its id.",
            )
        return found[0]

    def _check(self, session: Session, *, send: bool) -> None:
        if send and not self._settings.command:
            raise UsageError(
                "No command for summaries is configured, so nothing was sent.",
                hint="Name one as `command` under [summaries] in your configuration file.",
            )
        if session.agent not in FORMATS or not session.transcript:
            raise UsageError(
                f"The conversations of {session.agent} cannot be read.",
                hint=f"Those of {', '.join(FORMATS)} can.",
            )
        if not self._settings.allows(session.repo):
            raise Denied(
                "That repository is not on your list for summaries, so nothing was sent.",
                hint="Add it to `repositories` under [summaries] in your configuration file.",
            )
        with self._store.read() as tx:
            saving = tx.settings.get("saving") or DEFAULTS["saving"]
            capture = tx.settings.get("capture", session.repo) or tx.settings.get("capture")
        if "off" in (saving, capture or DEFAULTS["capture"]):
            raise Denied("Saving or capture is off here, so nothing was sent.", hint="onrecord on")

    def _progress(self) -> dict[str, int]:
        with suppress(ValueError):
            found = as_mapping(json.loads(self._folder.read(_PROGRESS) or "{}"))
            return {k: v for k, v in found.items() if isinstance(v, int) and v >= 0}
        return {}

    def close(self) -> None:
        """Release the store."""
        self._store.close()


def _is_named(row: Session, wanted: str, part: str) -> bool:
    own = row.agent_session
    return (
        row.id.startswith(wanted)
        or row.id.endswith(wanted)
        or own.startswith(part)
        or own.endswith(part)
    )


def _command(kept: Kept, part: Part, session: Session, batch: str) -> Remember:
    """A statement with the messages that it rests on, held for review."""
    cited = [part.messages[number - 1] for number in kept.messages]
    evidence = tuple(
        Claim(
            kind="message",
            pointer=f"{session.agent}:{session.agent_session}#{one.id or one.offset}",
            quote=one.text[:MAX_QUOTE],
            author=one.role,
        )
        for one in cited
    )
    return Remember(
        content=Content(title=kept.title, body=kept.body),
        scope=session.repo,
        kind=kept.kind,
        evidence=evidence,
        links=(session.id,),
        propose=True,
        tainted=True,
        dates_as_written=True,
        batch=batch,
    )


def _caller(session: Session) -> Caller:
    """Output of a model: nobody's word, from a session that is named."""
    principal = Principal(writer="summariser", channel="summariser", session=session.id)
    place = Place(
        cwd=session.cwd,
        repo=session.repo or None,
        branch=session.branch or None,
        commit=session.head_end or session.head_start,
    )
    return Caller(principal=principal, place=place)


def _refuse_while_off(outcome: Outcome) -> None:
    if isinstance(outcome, Refused) and outcome.code == "saving.off":
        raise Denied("Saving was turned off meanwhile, so nothing of it was kept.")
