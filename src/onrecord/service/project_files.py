"""A project's own files as memories: read one way, kept up in place, in enabled repositories.

Only what changed is read. A file counts as read once all of it is taken in; until then it is read
again, which changes nothing twice. Nothing is ever written to the project.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Protocol

from onrecord.capture import git, project_files
from onrecord.capture.file_cache import Cached, Checkout, Known
from onrecord.capture.project_files import Found, Unreadable
from onrecord.domain.errors import Denied, NeedsPerson, UsageError
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.outcome import Corroborated, Outcome, Refused, Updated, name_of
from onrecord.domain.ports import Clock, Ids, Store, Transaction
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.policy import fingerprint
from onrecord.service import filing, sections
from onrecord.service.caller import Caller
from onrecord.service.commands import Command, DropSection, Set
from onrecord.service.gateway import Gateway
from onrecord.service.lifecycle import DEFAULTS
from onrecord.service.places import place_at
from onrecord.service.work import Secrets

#: The setting that a person switches for a repository.
SETTING = "files"

#: Sections of one file that are taken in; the rest is counted.
MAX_SECTIONS = 500

#: Sections in one transaction: few enough that other writers are not kept waiting.
BATCH = 50

_LIVE = ("active", "proposed")
_PAGE = 200

Step = Callable[[int, int], None]


class Cache(Protocol):
    """Where it is kept what was read; losing it costs time and nothing else."""

    def load(self) -> Cached:
        """What it holds."""
        ...

    def save(self, cached: Cached) -> None:
        """Keep it."""
        ...


@dataclass(kw_only=True, slots=True)
class FileDone:
    """What became of one file."""

    path: str
    #: read · unchanged · gone · not_a_file · too_big · not_text
    state: str
    #: sections that it has
    sections: int = 0
    #: what became of sections -> how many: created, updated, proposed, conflict, restored,
    #: archived, known, refused
    outcomes: dict[str, int] = field(default_factory=dict[str, int])
    #: (line, code) of those that were refused
    refused: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    #: sections past MAX_SECTIONS
    left_out: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Synced:
    """What one reading of a repository's files did, or would do."""

    scope: str
    #: the checkout that was read
    root: str
    files: tuple[FileDone, ...]

    @property
    def outcomes(self) -> dict[str, int]:
        """What became of all sections."""
        found: dict[str, int] = {}
        for file in self.files:
            for name, n in file.outcomes.items():
                found[name] = found.get(name, 0) + n
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class Enabled:
    """One repository whose files are read."""

    scope: str
    #: the checkout that they are read from, empty before the first time
    root: str
    #: path -> sections, as they were last read
    files: dict[str, int]


def _silent(_done: int, _total: int) -> None:
    """Nobody is told how far it is."""


class ProjectFiles:
    """What reads project files into one open store."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        secrets: Callable[[], Secrets],
        zone: tzinfo | None,
        cache: Cache,
        globs: Sequence[str] = (),
    ) -> None:
        self._store = store
        self._secrets = secrets
        self._cache = cache
        self._globs = tuple(globs)
        self._gateway = Gateway(store, clock=clock, ids=ids, secrets=secrets, zone=zone)

    # -- who may ----------------------------------------------------------------
    def switch(self, caller: Caller, *, on: bool) -> Outcome:
        """Read the files of the caller's repository from now on, or no more; for a person."""
        scope = _repo_of(caller.place)
        value = "on" if on else "off"
        outcome = self._gateway.handle(Set(name=SETTING, value=value, scope=scope), caller)
        if not on and not isinstance(outcome, Refused):
            cached = self._known()
            cached.checkouts.pop(scope, None)
            self._cache.save(cached)
        return outcome

    def enabled(self, caller: Caller) -> list[Enabled]:
        """The repositories whose files are read, by name; an agent is told of its own alone."""
        cached = self._known()
        with self._store.read() as tx:
            scopes = [
                scope
                for name, scope, value in tx.settings.everything()
                if (name, value) == (SETTING, "on")
                and (caller.principal.is_person or scope == caller.place.repo)
            ]
        found = [(scope, cached.checkouts.get(scope)) for scope in scopes]
        return [
            Enabled(
                scope=scope,
                root=one.root if one else "",
                files={path: known.sections for path, known in one.files.items()} if one else {},
            )
            for scope, one in found
        ]

    # -- reading ----------------------------------------------------------------
    def sync(
        self,
        caller: Caller,
        *,
        keep: bool = True,
        anew: bool = False,
        here: bool = False,
        step: Step = _silent,
    ) -> Synced:
        """Take in what changed in the files of the caller's repository; for a person.

        Without `keep` only say what would be, where it may be at all. With `anew` files that
        did not change are read as well. They are read from the main checkout; where another
        clone was read before, `here` says that this one counts from now on. Raises
        `NeedsPerson`, `UsageError` where the files are not switched on, and `Denied` while
        saving is off.
        """
        if not caller.principal.is_person:
            raise NeedsPerson
        scope = _repo_of(caller.place)
        if not self._is_on(scope):
            raise UsageError(
                "The files of this repository are not read.",
                hint="Switch that on with `onrecord files enable`.",
            )
        found = git.locate(caller.place.cwd)
        root = found.main_root if found is not None else caller.place.root
        cached = self._known()
        before = cached.checkouts.get(scope)
        if before is not None and before.root != root and not here and _is_there(before, scope):
            raise UsageError(
                "The files of this repository are read from another clone.",
                hint="`--here` reads them from this one from now on.",
                details={"path": before.root},
            )
        return self._read(cached, scope, root, keep=keep, anew=anew, step=step)

    def catch_up(self) -> int:
        """Take in what changed in every repository that was read before; says how many did.

        For onrecord itself, in the background: where there is nothing to do, files are looked
        at and not read. What cannot be done now is done next time.
        """
        cached = self._known()
        changed = 0
        for scope, before in list(cached.checkouts.items()):
            if not self._is_on(scope) or not _is_there(before, scope):
                continue
            done = self._read(cached, scope, before.root, keep=True, anew=False, step=_silent)
            changed += any(file.state != "unchanged" for file in done.files)
        return changed

    def _read(
        self, cached: Cached, scope: str, root: str, *, keep: bool, anew: bool, step: Step
    ) -> Synced:
        before = cached.checkouts.get(scope)
        if before is None or before.root != root:
            before = Checkout(root=root)
            whole = True
        else:
            whole = anew
        by = _caller(root)
        after = Checkout(root=root, files={} if whole else dict(before.files))
        files = project_files.find(root, self._globs)
        done: list[FileDone] = []
        reader = _Reader(self, by, after, keep=keep)
        try:
            for at, file in enumerate(files):
                done.append(reader.file(file, anew=anew))
                step(at + 1, len(files))
            done += reader.gone({file.path for file in files}, before, whole=whole)
        finally:
            # what was kept stays known, also where a later file could not be read in
            if keep:
                self._remember(cached, scope, after)
        return Synced(scope=scope, root=root, files=tuple(done))

    # -- keeping ----------------------------------------------------------------
    def _known(self) -> Cached:
        """What was read before; nothing where the store is another or an older one."""
        cached = self._cache.load()
        with self._store.read() as tx:
            seq, _ = tx.events.head()
        if cached.key_id != self._secrets().key_id or cached.seq > seq:
            return Cached()
        return cached

    def _remember(self, cached: Cached, scope: str, checkout: Checkout) -> None:
        cached.checkouts[scope] = checkout
        cached.key_id = self._secrets().key_id
        with self._store.read() as tx:
            cached.seq, _ = tx.events.head()
        self._cache.save(cached)

    def put_away(self, caller: Caller, step: Step = _silent) -> int:
        """Archive everything that the files of the caller's repository say; for a person."""
        if not caller.principal.is_person:
            raise NeedsPerson
        scope = _repo_of(caller.place)
        by = _caller(caller.place.root or caller.place.cwd)
        items = [one for rows in self.by_file(scope).values() for one in rows]
        count = 0
        for start in range(0, len(items), _PAGE):
            some = [DropSection(item=one.id) for one in items[start : start + _PAGE]]
            outcomes = self.do(some, by)
            count += sum(isinstance(one, Updated) for one in outcomes)
            step(start + len(some), len(items))
        return count

    def do(self, commands: Sequence[Command], by: Caller, *, keep: bool = True) -> list[Outcome]:
        """Put changes of a file through the gateway, BATCH at a time."""
        outcomes: list[Outcome] = []
        for start in range(0, len(commands), BATCH):
            some = commands[start : start + BATCH]
            outcomes += self._gateway.handle_many(some, by, keep=keep)
        return outcomes

    def by_file(self, scope: str) -> dict[str, list[Item]]:
        """What files say in a repository, by the part of the address that names the file."""
        found: dict[str, list[Item]] = {}
        with self._store.read() as tx:
            for item in _live(tx, tx.scopes.resolve(scope)):
                if filing.is_of_files(item):
                    found.setdefault(sections.file_part(item.key), []).append(item)
        return found

    def digest_of(self, text: str) -> str:
        """A keyed digest of a file's text."""
        return fingerprint.key_print(self._secrets().key, SETTING, text).hex()

    def close(self) -> None:
        """Release the store."""
        self._store.close()

    def _is_on(self, scope: str) -> bool:
        with self._store.read() as tx:
            return (tx.settings.get(SETTING, scope) or DEFAULTS[SETTING]) == "on"


class _Reader:
    """One reading of one checkout; what it finds goes into `after`."""

    def __init__(self, files: ProjectFiles, by: Caller, after: Checkout, *, keep: bool) -> None:
        self._files = files
        self._by = by
        self._after = after
        self._keep = keep
        self._items: dict[str, list[Item]] | None = None

    def file(self, found: Found, *, anew: bool) -> FileDone:
        """One file: looked at, and read where it changed."""
        known = self._after.files.get(found.path)
        if known is not None and known.stamp == found.stamp and not anew:
            return FileDone(path=found.path, state="unchanged", sections=known.sections)
        try:
            text = self._text(found)
        except Unreadable as error:
            # what it said before stays until it can be read again
            self._after.files[found.path] = Known(stamp=found.stamp, digest="")
            return FileDone(path=found.path, state=error.why)
        digest = self._files.digest_of(text)
        if known is not None and known.digest == digest and not anew:
            self._after.files[found.path] = Known(
                stamp=found.stamp, digest=digest, sections=known.sections
            )
            return FileDone(path=found.path, state="unchanged", sections=known.sections)
        done = self._taken(found, text)
        self._after.files[found.path] = Known(
            stamp=found.stamp, digest=digest, sections=done.sections
        )
        return done

    def _text(self, found: Found) -> str:
        if found.wrong:
            raise Unreadable(found.wrong)
        return project_files.read(self._after.root, found.path)

    def _taken(self, found: Found, text: str) -> FileDone:
        place = self._by.place
        parts = sections.parts_of(found, text, commit=place.commit)
        done = FileDone(path=found.path, state="read", sections=min(len(parts), MAX_SECTIONS))
        done.left_out = len(parts) - done.sections
        parts = parts[:MAX_SECTIONS]
        keys = {part.command.key for part in parts}
        gone = [item for item in self._of(sections.address(found.path)) if item.key not in keys]
        commands = [part.command for part in parts]
        outcomes = self._do([*commands, *(DropSection(item=item.id) for item in gone)])
        lines = [part.line for part in parts] + [0] * len(gone)
        _count(done, outcomes, lines)
        return done

    def gone(self, here: set[str], before: Checkout, *, whole: bool) -> list[FileDone]:
        """What files said that are there no more is put away."""
        left = {path for path in before.files if path not in here}
        for path in left:
            self._after.files.pop(path, None)
        parts = {sections.address(path): path for path in left}
        if whole:
            kept = {sections.address(path) for path in here}
            for part in self._all():
                if part not in kept:
                    parts.setdefault(part, sections.path_in(part))
        found: list[FileDone] = []
        for part, path in sorted(parts.items()):
            done = FileDone(path=path, state="gone")
            items = self._of(part)
            _count(done, self._do([DropSection(item=item.id) for item in items]), [0] * len(items))
            found.append(done)
        return found

    def _do(self, commands: Sequence[Command]) -> list[Outcome]:
        if not commands:
            return []
        outcomes = self._files.do(commands, self._by, keep=self._keep)
        for outcome in outcomes:
            if isinstance(outcome, Refused) and outcome.code == "saving.off":
                raise Denied("Saving is off, so no file was read.", hint="onrecord on")
        return outcomes

    def _of(self, part: str) -> list[Item]:
        return self._all().get(part, [])

    def _all(self) -> dict[str, list[Item]]:
        if self._items is None:
            self._items = self._files.by_file(self._by.place.repo or "")
        return self._items


def _count(done: FileDone, outcomes: Sequence[Outcome], lines: Sequence[int]) -> None:
    for outcome, line in zip(outcomes, lines, strict=True):
        name = name_of(outcome)
        if isinstance(outcome, Corroborated):
            name = "known"
        elif isinstance(outcome, Updated) and outcome.code in ("archived", "restored"):
            name = outcome.code
        done.outcomes[name] = done.outcomes.get(name, 0) + 1
        if isinstance(outcome, Refused):
            done.refused.append((line, outcome.code))


def _live(tx: Transaction, scope: str) -> list[Item]:
    found: list[Item] = []
    after: str | None = None
    while page := tx.items.page(
        ItemQuery(scopes=(scope,), statuses=_LIVE, after=after, limit=_PAGE)
    ):
        found += page
        after = page[-1].id
    return found


def _repo_of(place: Place) -> str:
    if not place.repo:
        raise UsageError(
            "There is no repository here, so there are no project files.",
            hint="Run it inside a git repository.",
        )
    return place.repo


def _is_there(checkout: Checkout, scope: str) -> bool:
    """Whether a checkout is still one of that repository."""
    return place_at(checkout.root).repo == scope


def _caller(root: str) -> Caller:
    """What files say is said by nobody: not by the one who has them read."""
    return Caller(
        principal=Principal(writer=filing.FILE, channel=filing.FILE), place=place_at(root)
    )
