"""The one write path: every change, from every door, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from onrecord.domain.erasure import Erasure, Ledger
from onrecord.domain.errors import Clash, StoreError, StoreFull
from onrecord.domain.outcome import Outcome
from onrecord.domain.ports import Clock, Ids, Store, Transaction
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.policy import authority, shape
from onrecord.service import (
    deciding,
    disposing,
    erasures,
    filing,
    forgetting,
    handing,
    lifecycle,
    opinions,
    reconciling,
    renewing,
    repeating,
    rewording,
    scoping,
    sources,
    taking,
    tidying,
    undoing,
    withholding,
    writing,
)
from onrecord.service.caller import Caller
from onrecord.service.commands import (
    Approve,
    Command,
    DropSection,
    Feedback,
    Forget,
    ForgetEverything,
    ForgetSource,
    HandOff,
    Mark,
    MoveScope,
    Purge,
    PutAway,
    Reconcile,
    Reject,
    Remember,
    Revise,
    Set,
    Settle,
    Sweep,
    TakeSection,
    Undo,
)
from onrecord.service.draft import Draft
from onrecord.service.naming import parse_scope, require_plain_names
from onrecord.service.steps import STEPS
from onrecord.service.work import Secrets, Work, begin, flush_refusals


class Gateway:
    """Takes a command and a caller, and answers with an outcome.

    One transaction holds the decision, the change and its event. Refusals and clashes are on
    record as well. An exception leaves nothing else behind.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        secrets: Callable[[], Secrets],
        zone: tzinfo | None,
        ledger: Ledger | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._secrets = secrets
        self._zone = zone
        self._ledger = ledger

    def handle(self, command: Command, caller: Caller) -> Outcome:
        """Put one command through the ten steps; erasing goes on where the disk is full."""
        try:
            return self._handled(command, caller)
        except StoreFull:
            if not isinstance(command, (Forget, ForgetSource)) or not self._store.make_room():
                raise
        return self._handled(command, caller)

    def _handled(self, command: Command, caller: Caller) -> Outcome:
        erased: list[Erasure] = []
        command = renewing.prepared(self._store, command, caller)
        try:
            with self._store.write() as tx:
                work = self._work(tx, caller)
                flush_refusals(work)
                seq, _ = tx.events.head()
                outcome = _answer(work, command)
                if isinstance(command, (Forget, ForgetSource, ForgetEverything, Purge)):
                    erased = erasures.erased_since(tx, seq)
                if erased:
                    erasures.owe(work)
                    withholding.withhold(work)
        except Clash as clash:
            with self._store.write() as tx:
                self._work(tx, caller).note_refusal(clash.code)
            raise
        if outcome.code in ("forgotten", "purged") and erased:
            return self._reached(self._scrubbed(self._listed(outcome, erased)), erased)
        return outcome

    def handle_many(
        self, commands: Sequence[Command], caller: Caller, *, keep: bool = True
    ) -> list[Outcome]:
        """Put several commands through the ten steps in one transaction.

        All of them are kept or none is; without `keep` none is, and the answers are what they
        would have been.
        """
        prepared = [renewing.prepared(self._store, command, caller) for command in commands]
        try:
            with self._store.write() as tx:
                work = self._work(tx, caller)
                flush_refusals(work)
                outcomes = [_answer(work, command) for command in prepared]
                _end(outcomes, keep=keep)
        except _NotKeptError as looked:
            return looked.outcomes
        return outcomes

    def _listed(self, outcome: Outcome, erased: Sequence[Erasure]) -> Outcome:
        """Note beside the store what was erased, so that an older copy obeys it too."""
        if self._ledger is None:
            return outcome
        try:
            self._ledger.add(erased)
        except StoreError:
            return replace(
                outcome,
                say=f"{outcome.say} The list of erasures beside the store could not be written;"
                " `onrecord backup` tries again. Until then a restored copy may hold it.",
            )
        return outcome

    def _reached(self, outcome: Outcome, erased: Sequence[Erasure]) -> Outcome:
        """Erase it in the copies that are known, and say where that has to wait."""
        if self._ledger is None:
            return outcome
        try:
            missed = self._ledger.reach([one.item for one in erased if one.erased])
        except StoreError as error:
            say = f"{outcome.say} Mirrors may still hold it: {error.message} {error.hint}"
            return replace(outcome, say=say.rstrip())
        if not missed:
            return outcome
        what = "A mirror or export" if missed == 1 else f"{missed} mirrors or exports"
        say = (
            f"{outcome.say} {what} of it could not be reached: that is tried again."
            " `onrecord mirror` lists them, and --drop ends one that will not come back."
        )
        return replace(outcome, say=say)

    def without_turned_down(self, tx: Transaction, session: Session) -> Session:
        """What was observed of a session as it may be kept and told."""
        itself = Caller(principal=Principal(writer="system", channel="system"), place=Place())
        return withholding.without_turned_down(self._work(tx, itself), session)

    def _work(self, tx: Transaction, caller: Caller) -> Work:
        return begin(
            tx,
            caller,
            clock=self._clock,
            ids=self._ids,
            secrets=self._secrets(),
            zone=self._zone,
        )

    def _scrubbed(self, outcome: Outcome) -> Outcome:
        """Overwrite what erased text is left in logs and free pages, and say if it must wait."""
        why = "Another process is reading, so the write-ahead log is cleared when it ends;"
        try:
            if erasures.clear(self._store):
                return outcome
        except StoreFull:
            why = "The disk is full, so free pages are overwritten once there is room;"
        return replace(
            outcome,
            code="forgotten.pending",
            say=f"{outcome.say} {why} that is finished by itself later, or by `onrecord check`.",
        )


class _NotKeptError(Exception):
    """Ends a transaction that was for looking only."""

    def __init__(self, outcomes: list[Outcome]) -> None:
        super().__init__()
        self.outcomes = outcomes


def _end(outcomes: list[Outcome], *, keep: bool) -> None:
    if not keep:
        raise _NotKeptError(outcomes)


def _answer(work: Work, command: Command) -> Outcome:
    require_plain_names(command, work.caller)
    ruling = authority.rule_on_place(work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    return HANDLERS[type(command)](work, command)


def _remember(work: Work, command: Remember) -> Outcome:
    return repeating.once(work, command, lambda: run_steps(work, command))


def run_steps(work: Work, command: Remember) -> Outcome:
    """The ten steps for one statement."""
    wrong = shape.kind_change_problem("", command.kind)
    if wrong is not None:
        return work.refuse(wrong.code, wrong.say, details=(("field", wrong.field),))
    place = work.caller.place
    scope = parse_scope(command.scope, place) if command.scope else default_scope(work)
    scope = work.tx.scopes.resolve(scope)
    draft = Draft(command=command, scope=scope, content=command.content, evidence=command.evidence)
    for step in STEPS:
        answer = step(work, draft)
        if answer is not None:
            return answer
    return disposing.carry_out(work, draft, writing.write(work, draft))


def default_scope(work: Work) -> str:
    """Where a statement goes that names no scope: the repository, else everywhere."""
    return work.caller.place.repo or "global"


#: one function for each command
HANDLERS: dict[type[Any], Callable[[Work, Any], Outcome]] = {
    Remember: _remember,
    Revise: rewording.revise,
    Approve: deciding.approve,
    Reject: deciding.reject,
    Reconcile: reconciling.reconcile,
    Mark: lifecycle.mark,
    Set: lifecycle.set_switch,
    MoveScope: scoping.move_scope,
    PutAway: tidying.put_away,
    Purge: tidying.purge,
    ForgetEverything: tidying.forget_everything,
    Forget: forgetting.forget,
    ForgetSource: sources.forget_source,
    Undo: undoing.undo,
    HandOff: handing.hand_off,
    Settle: taking.settle,
    Feedback: opinions.give_feedback,
    TakeSection: filing.take,
    DropSection: filing.drop,
    Sweep: lifecycle.sweep,
}
