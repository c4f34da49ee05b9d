"""One hook call with everything that its answer needs; each part is made when first asked for."""
# ruff: noqa: PTH109

from __future__ import annotations

import os

from onrecord.capture import agents, event, process, spool
from onrecord.capture.light_json import LightJson
from onrecord.service import naming
from onrecord.service.delivering import VARIABLE, switched_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from onrecord.capture.agents.base import AgentSpec
    from onrecord.config import Config
    from onrecord.domain.scope import Place
    from onrecord.domain.shelf import Shelf
    from onrecord.service.packs import Pack

    class OpenShelf(Shelf, Protocol):
        """A shelf that is let go of."""

        def close(self) -> None:
            """Let go of the file."""
            ...


#: A pack that a client would cut is made anew with less, down to this many tokens.
LEAST_BUDGET = 100

#: Withheld items that are kept of a delivery.
MAX_WITHHELD = 100

#: Modes in which a client asks nobody before it acts.
_UNASKED = ("bypassPermissions",)


class Call:
    """What a client told, where it stands, and the store to answer from."""

    __slots__ = (
        "_is_anothers",
        "_parser",
        "_payload",
        "_place",
        "_shelf",
        "_unread",
        "_waiting",
        "argv",
        "at",
        "config",
        "event",
        "folder",
        "spec",
    )

    def __init__(
        self,
        *,
        spec: AgentSpec,
        told: event.Event,
        config: Config,
        at: int,
        parser: LightJson,
        payload: str,
    ) -> None:
        from onrecord.wiring import spool_folder

        self.spec = spec
        self.event = told
        self.config = config
        #: when the hook was called, UTC microseconds
        self.at = at
        #: the client's own arguments, once it was observed
        self.argv: tuple[str, ...] = ()
        #: the spool beside the store
        self.folder = spool_folder(config.store)
        self._is_anothers = False
        self._parser = parser
        self._payload = payload
        self._place: Place | None = None
        self._shelf: OpenShelf | None = None
        #: this session's records that waited when the store was opened
        self._waiting: dict[str, str] = {}
        self._unread: Exception | None = None

    @property
    def shelf(self) -> OpenShelf:
        """The store, opened for reading; raises a `StoreError` where it cannot be."""
        if self._unread is not None:
            raise self._unread  # waiting for it once is enough
        if self._shelf is None:
            from onrecord.wiring import open_shelf

            # before the state of the store is fixed: what is taken in meanwhile is in neither else
            self._waiting = spool.pending(self.folder, self.event.client, self.event.session)
            try:
                self._shelf = open_shelf(self.config.store)
            except Exception as error:
                self._unread = error
                raise
        return self._shelf

    def close_shelf(self) -> None:
        """Let go of the store; whoever reads next sees what others wrote since."""
        if self._shelf is not None:
            self._shelf.close()
            self._shelf = None

    @property
    def place(self) -> Place:
        """Where the session stands."""
        if self._place is None:
            from onrecord.service.places import place_at, rename

            self._place = place_at(
                self.event.cwd,
                agent=self.spec.name,
                agent_session=self.event.session,
                named=self.config.places,
            )
            try:  # noqa: SIM105 - contextlib costs an import
                rename(self._place, self.shelf.renamed())
            except Exception:  # noqa: BLE001, S110 - without a store nothing was renamed
                pass
        return self._place

    def allows(self, switch: str) -> bool:
        """Whether `saving`, `capture` or `deliver` is on here."""
        if switch == "deliver" and os.environ.get(VARIABLE) == "off":
            return False
        return not switched_off(switch, self.place, self.shelf.setting)

    def observe(self) -> None:
        """Spool what was seen; texts only where a person has not switched capture off."""
        told = self.event
        record: dict[str, object] = {
            "v": 1,
            "client": told.client,
            "session": told.session,
            "event": told.name,
            "at": self.at,
        }
        record |= self._process()
        if told.tool_use_id:
            record["tool_use_id"] = told.tool_use_id
        if told.agent_id:
            record["agent_id"] = told.agent_id
        headless = told.permission_mode in _UNASKED or told.headless
        if headless is not None:
            record["headless"] = headless
        if told.headless:
            record["alone"] = True
        if told.is_human_prompt:
            record["human"] = True
        if told.name == "session_start" and os.environ.get(VARIABLE) == "off":
            record["withhold"] = True
        if self._captures():
            record |= self._details()
        spool.write(self.folder, record, at=self.at)

    def fitting(self, make: Callable[[int], Pack], budget: int) -> Pack | None:
        """A pack that the client passes on whole; None where there is nothing to give."""
        while budget >= LEAST_BUDGET:
            pack = make(budget)
            if not pack.text:
                return None
            if self.spec.fits(pack.text):
                return pack
            budget //= 2
        return None

    def deliver(self, occasion: str, pack: Pack | None) -> str:
        """The pack's text, once it is on record what it shows, what it left out and why.

        What cannot be put on record is not given.
        """
        if pack is None:
            return ""
        written = spool.write(
            self.folder,
            {
                "v": 1,
                "client": self.event.client,
                "session": self.event.session,
                "event": "delivery",
                "at": self.at + 1,
                "occasion": occasion,
                "budget": pack.budget,
                "tokens": pack.tokens,
                "handoff": pack.handoff,
                "shown": [[*row[:4], row[5], row[4]] for row in pack.shown],
                "withheld": [list(row) for row in pack.withheld[:MAX_WITHHELD]],
            },
            at=self.at + 1,
        )
        return pack.text if written else ""

    def shown(self) -> dict[str, int]:
        """What this session was given: by the store, and by what waits in the spool."""
        known = dict(self.shelf.shown(self.event.client, self.event.session))
        told = self.event
        for text in spool.pending(self.folder, told.client, told.session, self._waiting).values():
            session, source, items = self._parser.delivered(text)
            if session != self.event.session:
                continue
            if source == "compact":
                known.clear()
            known.update(items)
        return known

    def process_in(self, record: str) -> tuple[int, int]:
        """(process, its start) that a spooled record names; zeros where it names none."""
        return self._parser.process(record)

    def observed_in(self, record: str) -> tuple[str, str, str, str]:
        """(session, event, reason, prompt) that a spooled record tells."""
        return self._parser.observed(record)

    def change(self) -> tuple[str, str, int, str]:
        """(outcome, sentence, undo, title asked for) of a call of one of our changing tools."""
        return self._parser.change(self._payload)

    def in_own_folder(self) -> bool:
        """Whether the hook runs where the session works; elsewhere it gives nothing.

        Nor does it where another agent runs it in its client's name. A session that moved
        about in its working tree, or below the folder that it began in, is where it was.
        """
        if self._is_anothers:
            return False
        try:
            here = os.path.realpath(os.getcwd())
        except OSError:
            return False
        there = os.path.realpath(self.event.cwd) if self.event.cwd else ""
        root = self.place.root
        if root:
            return (here + "/").startswith(root + "/")
        return here == there or there.startswith(here.rstrip("/") + "/")

    def _captures(self) -> bool:
        """A store that cannot be read may hold a switch that is off: then no text is kept."""
        try:
            return self.allows("saving") and self.allows("capture")
        except Exception:  # noqa: BLE001 - whatever is wrong with it, the observation goes on
            return False

    def _process(self) -> dict[str, object]:
        """The client's own process, which later calls are joined by."""
        client = process.own_client(os.getpid(), (self.spec,))
        if client is None:
            self._is_anothers = self._runs_below_another()
            return {}
        self.argv = client.argv
        if self.event.headless is None:
            self.event.headless = self.spec.is_headless(os.environ, client.argv)
        return {"pid": client.pid, "pid_started": client.started}

    def _runs_below_another(self) -> bool:
        """Whether the first agent CLI up the ancestors is of another kind.

        All of them are loaded only where one may be there, which costs more than the rest.
        """
        own = self.config.tables.get("agents")
        names = agents.PROGRAMS
        line = process.ancestors(os.getpid())
        if not own and not any(process.may_be_client(one, names) for one in line):
            return False
        known = agents.recognised(own)
        found = next((one for one in line if process.client_of(one, known) is not None), None)
        return found is not None and process.client_of(found, (self.spec,)) is None

    def _details(self) -> dict[str, object]:
        told = self.event
        details: dict[str, object] = {
            "source": told.source,
            "reason": told.reason,
            "model": told.model,
        }
        if told.name in ("session_start", "prompt", "session_end"):
            details |= {
                "cwd": naming.kept_path(told.cwd),
                "transcript": told.transcript,
                "repo": self.place.repo or "",
                "branch": self.place.branch or "",
                "head": self.place.commit,
            }
        if told.is_human_prompt:
            from onrecord.service.hearing import heard

            details["prompt"] = heard(told.prompt)
        return {name: value for name, value in details.items() if value}


def make_call(client: str, name: str, payload: bytes, *, config: Config, at: int) -> Call | None:
    """The call, or None where there is nothing to do: another client, no session to tell of."""
    spec = agents.find(client, config.tables.get("agents"))
    if spec is None or not spec.runs_hook(os.environ):
        return None
    parser = LightJson()
    text = payload.decode("utf-8", "replace")
    told = event.parse(
        spec, name, text, extract=event.sqlite_extract(parser.connection), environ=os.environ
    )
    if told is None or told.name == "other" or not naming.clean_event(told):
        return None
    return Call(spec=spec, told=told, config=config, at=at, parser=parser, payload=text)
