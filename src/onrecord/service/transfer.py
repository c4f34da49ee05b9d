"""Moving memories out of a store and into one."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import tzinfo

from onrecord.capture.mirror_folder import MirrorFolder
from onrecord.domain import ulid
from onrecord.domain.errors import KeyUnreadable, NeedsPerson, NotFound, OnrecordError
from onrecord.domain.event import Event
from onrecord.domain.ports import Clock, Ids, Store, Transaction
from onrecord.policy import fingerprint
from onrecord.service import exports, import_undo, imports, mirroring
from onrecord.service.caller import Caller
from onrecord.service.exports import Export
from onrecord.service.gateway import Gateway
from onrecord.service.import_undo import TakenBack
from onrecord.service.imports import Imported, Source, Step, Tally
from onrecord.service.mirroring import Mirrored
from onrecord.service.work import Secrets, Work, begin

#: What a mirror shows where nothing else is asked for: what nobody has judged may be read by
#: whatever reads the folder, so it stays out.
MIRRORED = ("active",)


def _unnoted(_folder: str) -> None:
    """Nobody keeps in mind that there is a mirror."""


def _silent(_done: int, _total: int) -> None:
    """Nobody is told how far it is."""


class Transfer:
    """Exports and imports of one open store."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        secrets: Callable[[], Secrets],
        zone: tzinfo | None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._secrets = secrets
        self._zone = zone
        self._gateway = Gateway(store, clock=clock, ids=ids, secrets=secrets, zone=zone)

    # -- out --------------------------------------------------------------------
    @contextmanager
    def exported(
        self,
        caller: Caller,
        *,
        given: Sequence[str] = (),
        statuses: Sequence[str] | None = None,
        as_of: int | None = None,
        valid_at: int | None = None,
    ) -> Generator[Export]:
        """One unchanging state, while others go on writing; see `exports.export`."""
        secrets = None
        with suppress(KeyUnreadable):
            secrets = self._secrets()
        with self._store.read() as tx:
            yield exports.export(
                tx,
                caller,
                secrets,
                now=self._clock.now(),
                given=given,
                statuses=statuses,
                as_of=as_of,
                valid_at=valid_at,
            )

    def mirror(
        self,
        caller: Caller,
        folder: MirrorFolder,
        *,
        given: Sequence[str] = (),
        statuses: Sequence[str] = (),
        overwrite: bool = False,
        keep: bool = True,
        step: Step = _silent,
        note: Callable[[str], None] = _unnoted,
    ) -> Mirrored:
        """Let a folder of Markdown show what is in those scopes; see `mirroring.keep_in_step`.

        Without scopes or statuses it shows those of the last time; the first time all scopes, and
        MIRRORED. For a person alone, as an export. `note` is told its path before anything is
        written, so that what is erased later is erased there too. Without `keep` nothing is
        written: it is only said what would be.
        """
        secrets = self._secrets()
        folder.trust(*seals_of(secrets))
        if keep:
            note(folder.path)
        asked = tuple(given) or folder.index.scopes
        shown = tuple(statuses) or folder.index.statuses or MIRRORED
        with self._store.read() as tx:
            export = exports.export(
                tx, caller, secrets, now=self._clock.now(), given=asked, statuses=shown
            )
            folder.index.scopes, folder.index.statuses = export.scopes or (), shown
            return mirroring.keep_in_step(tx, export, folder, step, overwrite=overwrite, keep=keep)

    # -- in ---------------------------------------------------------------------
    def bring_in(
        self,
        file: Source,
        caller: Caller,
        *,
        scope: str = "",
        keep: bool = True,
        step: Step = _silent,
    ) -> Imported:
        """Propose what a file holds, whoever brings it; without `keep` only say what would be.

        All of the file is checked before anything is kept: raises `BadField` where it is not
        as it should be. What was rejected or erased here is refused, what is here already
        stays as it is, nothing raises belief. What a source of another tool holds that is no
        memory, or is damaged, is counted as left out. `scope` is where all of it goes, instead of
        where each item says. An error halfway (a full disk) names in its details the batch
        that came in, which can be taken back. Raises `Denied` for an agent while saving is off.
        """
        total = file.check()
        batch = self._ids.new(self._clock.now())
        tally = Tally()
        tally.skip(file.skipped())
        try:
            self._propose(file, imports.importer(caller), tally, total, scope, batch, keep, step)
        except BaseException as error:
            if keep and tally.outcomes:
                with suppress(OnrecordError):
                    self._sum_up(caller, batch, tally, code="stopped")
                if isinstance(error, OnrecordError):
                    error.details["batch"] = batch
                    error.hint = f"Take back what came in: onrecord undo --import {batch}"
            raise
        event = self._sum_up(caller, batch, tally).seq if keep and tally.outcomes else 0
        return Imported(batch=batch, event=event, total=total, tally=tally)

    def _propose(
        self,
        file: Source,
        by: Caller,
        tally: Tally,
        total: int,
        scope: str,
        batch: str,
        keep: bool,
        step: Step,
    ) -> None:
        done = 0
        for group in imports.batches(file.entries(), tally, now=self._clock.now()):
            commands = [
                imports.command_for(entry, name=file.name, scope=scope, batch=batch)
                for entry in group
            ]
            outcomes = self._gateway.handle_many(commands, by, keep=keep)
            imports.refuse_while_off(outcomes)
            for entry, outcome in zip(group, outcomes, strict=True):
                tally.add(entry, outcome)
            done += len(group)
            step(done, total)

    def _sum_up(self, caller: Caller, batch: str, tally: Tally, *, code: str = "") -> Event:
        with self._store.write() as tx:
            return imports.sum_up(self._work(tx, caller), batch, tally, code=code)

    # -- back -------------------------------------------------------------------
    def coming_back(self, part: str) -> int:
        """How many changes of an import taking it back would undo; raises as `take_back`."""
        with self._store.read() as tx:
            return len(import_undo.changes_of(tx, _batch_of(tx, part)[0]))

    def take_back(self, part: str, caller: Caller, step: Step = _silent) -> TakenBack:
        """Put away what an import proposed; what was decided or changed since stays.

        `part` is a batch, or a start or end of one. For a person alone. Raises `NotFound`,
        and `UndoClash` where it was taken back already. Done in several transactions: after
        an error the rest can be taken back by asking again.
        """
        if not caller.principal.is_person:
            raise NeedsPerson
        with self._store.read() as tx:
            batch, undoes = _batch_of(tx, part)
            events = import_undo.changes_of(tx, batch)
        back: set[str] = set()
        kept: set[str] = set()
        for start in range(0, len(events), imports.BATCH):
            with self._store.write() as tx:
                some = events[start : start + imports.BATCH]
                done, stays = import_undo.undo_some(self._work(tx, caller), some)
            back |= done
            kept |= stays
            step(start + len(some), len(events))
        with self._store.write() as tx:
            return import_undo.sum_up_undo(
                self._work(tx, caller), batch, back - kept, kept, undoes=undoes
            )

    def close(self) -> None:
        """Release the store."""
        self._store.close()

    def _work(self, tx: Transaction, caller: Caller) -> Work:
        return begin(
            tx,
            caller,
            clock=self._clock,
            ids=self._ids,
            secrets=self._secrets(),
            zone=self._zone,
        )


def seals_of(secrets: Secrets) -> tuple[Callable[[Mapping[str, object]], str], ...]:
    """What seals the indices of a store's mirrors."""
    return tuple(_seal_with(key) for key in secrets.keys)


def _seal_with(key: bytes) -> Callable[[Mapping[str, object]], str]:
    """What seals the index of a mirror with a key of the store."""

    def seal(shape: Mapping[str, object]) -> str:
        return fingerprint.key_print(key, "mirror", json.dumps(shape, sort_keys=True)).hex()

    return seal


def _batch_of(tx: Transaction, part: str) -> tuple[str, int]:
    """The batch that is meant, and its summary; 0 for one that ended before it was summed up."""
    summary = import_undo.summary_of(tx, part)
    if summary is not None:
        import_undo.check_not_taken_back(tx, summary)
        return summary.target, summary.seq
    batch = ulid.normalise(part)
    if ulid.is_ulid(batch) and import_undo.changes_of(tx, batch):
        return batch, 0
    raise NotFound(
        "There is no import under that name.",
        hint="`onrecord log` shows imports with their names.",
    )
