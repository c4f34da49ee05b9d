"""What a command works at: the store, who asks, where, and how answers are printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, cast

from onrecord import wiring
from onrecord.config import Config, load
from onrecord.domain.errors import (
    AmbiguousId,
    Declined,
    KeyUnreadable,
    NeedsPerson,
    NotFound,
    OnrecordError,
    StoreBusy,
    StoreFull,
    StoreMissing,
    StoreReadOnly,
    UsageError,
)
from onrecord.doors.cli import streams
from onrecord.doors.cli.text import json_text, one_line, printable
from onrecord.doors.errors import exit_status

if TYPE_CHECKING:
    from onrecord.domain.item import Item
    from onrecord.domain.outcome import Outcome
    from onrecord.domain.principal import Principal
    from onrecord.domain.scope import Place
    from onrecord.service import who
    from onrecord.service.caller import Caller
    from onrecord.service.commands import Command
    from onrecord.service.memory import Memory
    from onrecord.service.roster import Roster

#: What keeps hooks' records from being taken in, and reading from nothing.
_CAN_WAIT = (StoreBusy, StoreReadOnly, StoreFull, KeyUnreadable)


class Desk:
    """Everything is made when it is first used: a command pays for what it needs."""

    def __init__(
        self,
        *,
        as_json: bool = False,
        store: str = "",
        path: str = "",
        makes: bool = False,
        needs: bool = False,
        light: bool = False,
    ) -> None:
        self.as_json = as_json
        #: whether a missing store is made, and whether a missing one is an error
        self.makes, self.needs = makes, needs
        #: only reads what is on record, and leaves the ending of sessions to others
        self.light = light
        #: there is no store, and the command works on an empty one that is not kept
        self.nothing = False
        self._names = (path, store)
        self._config: Config | None = None
        self._memory: Memory | None = None
        self._roster: Roster | None = None
        self._seen: who.Seen | None = None
        self._caller: Caller | None = None
        self._reader: Caller | None = None
        self._renamed: Mapping[str, str] = {}

    # -- what there is ----------------------------------------------------------
    @property
    def config(self) -> Config:
        """The configuration with this command's flags."""
        if self._config is None:
            path, name = self._names
            if path and name:
                raise UsageError("--store and --db exclude one another.")
            self._config = load(os.environ, store=path, name=name)
        return self._config

    @property
    def roster(self) -> Roster:
        """The agent CLIs by name, with those of the person's configuration.

        What stands there and is not read is told, once.
        """
        if self._roster is None:
            from onrecord.service.roster import Roster

            self._roster = Roster(own=self.config.tables.get("agents"))
            for one in () if self.as_json else self._roster.ignored():
                streams.complain(printable(f"onrecord: ignored: {one.why}\n  {one.fix}\n"))
        return self._roster

    @property
    def memory(self) -> Memory:
        """The store, with what hooks left taken in."""
        if self._memory is None:
            self._memory = self._opened()
        return self._memory

    def nearest_stores(self) -> str:
        """What to say where a store was named that is not there; empty where none was named."""
        _, name = self._names
        if not name:
            return ""
        from difflib import get_close_matches

        folder = os.path.dirname(self.config.store)  # noqa: PTH120 - a plain string
        there: list[str] = []
        with suppress(OSError):
            files = os.listdir(folder)  # noqa: PTH208 - names alone
            there = [one.removesuffix(".db") for one in files if one.endswith(".db")]
        near = get_close_matches(name, there, n=3)
        return f"Did you mean {', '.join(near)}?" if near else "`onrecord path --all` lists them."

    def _tell_no_such_store(self) -> None:
        """A named store that is not there may be a slip: say so beside the empty answer."""
        near = "" if self.as_json else self.nearest_stores()
        if near:
            told = f"onrecord: there is no store named `{self._names[1]}`\n  {near}\n"
            streams.complain(printable(told))

    def _opened(self) -> Memory:
        try:
            memory = wiring.open_memory(
                self.config.store,
                create=self.makes,
                semantic=self.config.tables.get("semantic", {}),
            )
        except StoreMissing:
            if self.needs:
                raise
            self.nothing = True
            self._tell_no_such_store()
            return wiring.open_nothing()
        self._settle(memory)
        if not self.needs and (not self.light or _has_records(self.config.store)):
            with suppress(*_CAN_WAIT):
                wiring.open_intake(self.config.store, memory).drain()
        if not self.needs:
            with suppress(*_CAN_WAIT):
                self._adopt(memory)
        return memory

    def _settle(self, memory: Memory) -> None:
        """Call the place's scopes what they are called now, wherever it was made before."""
        self._renamed = memory.renamed()
        from onrecord.service.places import rename

        for caller in (self._caller, self._reader):
            if caller is not None:
                rename(caller.place, self._renamed)

    def _adopt(self, memory: Memory) -> None:
        """What was kept before a repository had an origin is taken along to its new name.

        Whoever can edit the checkout can give it any origin, so only a person's command does it.
        """
        if self.seen.verdict != "person":
            return
        from onrecord.service.adopting import adopt
        from onrecord.service.places import place_at, rename

        if adopt(memory, rename(place_at(_cwd()), self._renamed)):
            self._settle(memory)

    # -- who asks ---------------------------------------------------------------
    @property
    def seen(self) -> who.Seen:
        """What speaks for and against a person."""
        if self._seen is None:
            from onrecord.service import who

            self._seen = who.look(os.environ)
        return self._seen

    @property
    def caller(self) -> Caller:
        """Who acts, and from where. A person among an agent's variables types a short code."""
        if self._caller is None:
            self._caller = self._standing(code_typed=self._types_code())
        return self._caller

    def _types_code(self) -> bool:
        if self.seen.verdict != "ask":
            return False
        from onrecord.doors.cli import terminal

        names = ", ".join(self.seen.variables)
        if terminal.type_code(f"This terminal carries an agent's variables ({names})."):
            return True
        raise NeedsPerson(
            "That was not the code, so nothing was done.",
            details={"seen": dict(self.seen.proof())},
        )

    @property
    def reader(self) -> Caller:
        """Who only reads: nobody is asked for a code, and sees what an agent sees instead."""
        if self._caller is None and self.seen.verdict == "ask":
            if self._reader is None:
                self._reader = self._standing(code_typed=False)
                if not self.as_json:
                    streams.complain(
                        "onrecord: this terminal carries an agent's variables"
                        f" ({', '.join(self.seen.variables)}), so you see what an agent sees\n"
                    )
            return self._reader
        return self.caller

    @property
    def principal(self) -> Principal:
        """Who acts."""
        return self.caller.principal

    @property
    def place(self) -> Place:
        """Where the command is run."""
        return self.reader.place

    @property
    def to_model(self) -> bool:
        """Whether what is printed goes to a model: an agent runs this, and wants no JSON."""
        return self.seen.verdict == "agent" and not self.as_json

    def require_person(self, message: str) -> None:
        """Raise `NeedsPerson`, which says what was seen instead, for anyone else."""
        if not self.principal.is_person:
            raise NeedsPerson(
                message, hint=self.seen.told(), details={"seen": dict(self.seen.proof())}
            )

    def confirmed(
        self, question: str, keys: str = "yn", *, shown: Sequence[str] = ()
    ) -> tuple[Caller, str]:
        """The caller with a key typed on their own terminal, and that key.

        What the question is about stands on the terminal before it, wherever standard output
        goes. Raises `NeedsPerson` for anyone but a person at a terminal.
        """
        from onrecord.doors.cli import terminal
        from onrecord.service import who
        from onrecord.service.caller import Caller

        if not self.principal.is_person:
            raise NeedsPerson(hint=self.seen.told(), details={"seen": dict(self.seen.proof())})
        streams.finish()
        if shown and sys.stdout.isatty() and not self.as_json:
            self.say("\n".join(shown))
            streams.finish()
        elif shown:
            terminal.show(list(shown))
        key = terminal.ask_key(question, keys)
        caller = Caller(principal=who.confirmed(self.principal), place=self.caller.place)
        return caller, key

    def confirmed_by_word(self, word: str, *, shown: Sequence[str]) -> Caller:
        """The caller, where the word was typed on their own terminal; else `Declined`."""
        from onrecord.doors.cli import terminal
        from onrecord.service import who
        from onrecord.service.caller import Caller

        if not self.principal.is_person:
            raise NeedsPerson(hint=self.seen.told(), details={"seen": dict(self.seen.proof())})
        terminal.show(list(shown))
        if terminal.ask_line(f"Type {word} and Enter to go on: ") != word:
            raise Declined
        return Caller(principal=who.confirmed(self.principal), place=self.caller.place)

    def _standing(self, *, code_typed: bool) -> Caller:
        from onrecord.service import who
        from onrecord.service.caller import Caller
        from onrecord.service.places import place_at, rename

        principal = who.at_terminal(self.seen, code_typed=code_typed)
        place = place_at(_cwd(), agent=principal.agent, named=self.config.places)
        place = rename(place, self._renamed)
        return Caller(principal=principal, place=place)

    @property
    def principal_is_person(self) -> bool:
        """Whether a person reads the answer."""
        return self.reader.principal.is_person

    def scopes(self, given: Sequence[str]) -> tuple[str, ...] | None:
        """Scopes as they are called now; None for none given."""
        from onrecord.domain.scope import parse

        renamed = self.renamed()
        names = [parse(name, self.place) for name in given]
        return tuple(renamed.get(name, name) for name in names) or None

    def renamed(self) -> Mapping[str, str]:
        """Scopes that have another name now, with the one that they have."""
        return self.memory.renamed()

    # -- finding ----------------------------------------------------------------
    def find(
        self,
        part: str,
        caller: Caller | None = None,
        *,
        opened: bool = False,
        as_of: int | None = None,
        valid_at: int | None = None,
    ) -> Item:
        """The item of an id, or of a start or end of one; a part that fits several lists them."""
        asking = caller or self.caller
        try:
            return self.memory.get(part, asking, opened=opened, as_of=as_of, valid_at=valid_at)
        except AmbiguousId as error:
            ids = cast("list[str]", error.details.get("candidates", []))
            rows = [self.memory.get(one, asking, opened=False) for one in ids]
            titles = [f"{row.id}  {one_line(row.content.title)}" for row in rows[:10]]
            more = f"and {len(rows) - 10} more" if len(rows) > 10 else ""  # noqa: PLR2004 - a screen
            error.hint = "\n".join(["It fits:", *titles, more]).rstrip()
            raise
        except NotFound:
            if self.nothing:
                raise NotFound("Nothing is on record yet.", hint=_FIRST) from None
            raise

    def find_all(self, parts: Sequence[str]) -> list[Item]:
        """The items of several ids; where some are unknown, the error names all of those."""
        found: list[Item] = []
        unknown: list[str] = []
        for part in parts:
            try:
                found.append(self.find(part))
            except NotFound:
                unknown.append(part)
                if len(parts) == 1 or self.nothing:
                    raise
        if unknown:
            told = ", ".join(_as_id(part) for part in unknown)
            raise NotFound(
                f"Nothing is on record under {told}, so nothing was done.",
                hint="`onrecord list` shows ids; give the last 6 characters of each.",
                details={"unknown": [_as_id(part) for part in unknown]},
            )
        return list({item.id: item for item in found}.values())

    def replaced_by(self, item: Item, scope: str = "") -> Item | None:
        """What a proposal would take the place of now, in that scope if one is given."""
        return self.memory.takes_place_of(item, self.caller, scope=scope)

    def contradicted_by(self, item: Item, replaced: Item | None) -> list[Item]:
        """What a proposal may contradict that stands, but for what it takes the place of."""
        _, links, _ = self.memory.background(item.id, self.caller)
        found: list[Item] = []
        for link in links:
            if link.kind != "contradicts" or (replaced is not None and link.target == replaced.id):
                continue
            try:
                other = self.memory.get(link.target, self.caller, opened=False)
            except NotFound:
                continue
            found += [other] if other.status == "active" else []
        return found

    def whole(self, part: str) -> str:
        """The whole id for a start or end of one."""
        return self.find(part).id

    # -- answering ----------------------------------------------------------------
    def say(self, text: str) -> None:
        """A line for a person; control characters are shown, not sent."""
        streams.write(printable(text) + "\n")

    def say_line(self, text: str, start: str, end: str) -> None:
        """A line between two marks of ours, such as colours; marks of its own are shown."""
        streams.write(f"{start}{printable(text)}{end if start else ''}\n")

    def data(self, shape: Any) -> None:
        """An answer as JSON."""
        streams.write_utf8(json_text(shape) + "\n")

    def outcome(self, outcome: Outcome) -> int:
        """The answer to a change, and its exit status.

        Raises `StoreMissing` where the change went into the empty store that is not kept.
        """
        if self.nothing and outcome.undo:
            raise StoreMissing
        if self.as_json:
            from onrecord import wire

            self.data(wire.outcome(outcome))
            return exit_status(outcome)
        return self.tell(outcome)

    def outcomes(self, outcomes: Sequence[Outcome], *, asked: int) -> int:
        """The answers to a change of several, already told as text; the worst exit status.

        Where one was asked for its answer stands alone, as for any other change.
        """
        if not outcomes:
            raise Declined
        if self.as_json and asked == 1:
            return self.outcome(outcomes[0])
        if self.as_json:
            from onrecord import wire

            self.data({"outcomes": [wire.outcome(outcome) for outcome in outcomes]})
        return max(exit_status(outcome) for outcome in outcomes)

    def tell(self, outcome: Outcome) -> int:
        """The answer to one change as text: done on stdout, anything else on stderr."""
        from onrecord.doors.cli import rendering

        status = exit_status(outcome)
        if self.as_json:
            return status
        lines = rendering.remarks(outcome)
        if not status:
            self.say("\n".join([self._as_told(outcome.say), *lines]))
            return status
        streams.finish()
        if outcome.code.endswith("_needs_person"):
            lines.append(f"  {self.seen.told()}")
        told = "\n".join([f"onrecord: {outcome.say} ({outcome.code})", *lines])
        streams.complain(printable(f"{told}\n"))
        return status

    def _as_told(self, say: str) -> str:
        """What is said of a change; who may not undo it is told who may."""
        from onrecord.service import who

        return who.as_told(say, self.principal)

    def refused(self, command: Command) -> int | None:
        """What only a person may ask for is refused and on record, whatever it is about."""
        if self.principal.is_person:
            return None
        return self.outcome(self.memory.do(command, self.caller))

    def turned_away(self, error: NeedsPerson) -> None:
        """Put on record what somebody other than a person asked for, where there is a store."""
        if self.seen.verdict == "person" or not os.path.exists(self.config.store):  # noqa: PTH110
            return
        with suppress(OnrecordError):
            upkeep = wiring.open_upkeep(self.config.store)
            with closing(upkeep):
                upkeep.turned_away(self._standing(code_typed=False), error.code)

    def close(self) -> None:
        """Release the store."""
        if self._memory is not None:
            self._memory.close()


def _as_id(part: str) -> str:
    """A word that was given for an id, where it can be one; anything else is not repeated."""
    word = part.removeprefix("m:")
    fits = word.isascii() and word.isalnum() and len(word) <= _ID_LENGTH
    return word if fits else f"a word of {len(part)} characters"


_ID_LENGTH = 26
_FIRST = 'onrecord remember "…" keeps the first memory; onrecord connect lets agents do so'


def _has_records(store: str) -> bool:
    """Whether hooks left something to be taken in."""
    try:
        return any(name.endswith(".json") for name in os.listdir(wiring.spool_folder(store)))  # noqa: PTH208 - names alone
    except OSError:
        return False


def _cwd() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - a plain string is wanted
    except OSError:
        return ""
