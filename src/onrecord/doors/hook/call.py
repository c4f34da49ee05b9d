"""One hook call with everything that its answer needs; each part is made when first asked for."""
# ruff: noqa: PTH109

from __future__ import annotations

import os

from onrecord.capture import agents, event, process, spool
from onrecord.capture.light_json import LightJson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.capture.agents.base import AgentSpec
    from onrecord.config import Config
    from onrecord.domain.ports import Shelf
    from onrecord.domain.scope import Place


class Call:
    """What a client told, where it stands, and the store to answer from."""

    __slots__ = ("_parser", "_place", "_shelf", "at", "config", "event", "spec")

    def __init__(
        self,
        *,
        spec: AgentSpec,
        told: event.Event,
        config: Config,
        at: int,
        parser: LightJson,
    ) -> None:
        self.spec = spec
        self.event = told
        self.config = config
        self.at = at
        self._parser = parser
        self._place: Place | None = None
        self._shelf: Shelf | None = None

    @property
    def shelf(self) -> Shelf:
        """The store, opened for reading; raises a `StoreError` where it cannot be."""
        if self._shelf is None:
            from onrecord.wiring import open_shelf

            self._shelf = open_shelf(self.config.store)
        return self._shelf

    @property
    def place(self) -> Place:
        """Where the session stands."""
        if self._place is None:
            from onrecord.service.places import place_at

            self._place = place_at(
                self.event.cwd,
                agent=self.spec.name,
                agent_session=self.event.session,
                named=self.config.places,
            )
        return self._place

    @property
    def folder(self) -> str:
        """The spool beside the store."""
        from onrecord.wiring import spool_folder

        return spool_folder(self.config.store)

    def allows(self, switch: str) -> bool:
        """Whether `saving`, `capture` or `deliver` is on here; on where it cannot be read."""
        scopes = [name for name in (self.place.repo, "global") if name]
        return self.shelf.setting(switch, scopes) != "off"

    def observe(self, **more: object) -> None:
        """Spool what was seen, unless a person switched capture off; prompts are redacted."""
        told = self.event
        record: dict[str, object] = {
            "v": 1,
            "client": told.client,
            "session": told.session,
            "event": told.name,
            "at": self.at,
        }
        record |= {name: value for name, value in self._process().items() if value}
        if told.tool_use_id:
            record["tool_use_id"] = told.tool_use_id
        if told.agent_id:
            record["agent_id"] = told.agent_id
        if self._captures():
            record |= self._details()
        record |= more
        spool.write(self.folder, record, at=self.at)

    def deliver(self, occasion: str, pack: object) -> None:
        """Spool what a pack put into the session, and what it left out and why."""
        from onrecord.service.packs import Pack

        assert isinstance(pack, Pack)  # noqa: S101 - for the type checker; packs is light
        spool.write(
            self.folder,
            {
                "v": 1,
                "client": self.event.client,
                "session": self.event.session,
                "event": "delivery",
                "at": self.at,
                "occasion": occasion,
                "budget": pack.budget,
                "tokens": pack.tokens,
                "handoff": pack.handoff,
                "shown": [[i, v, rank, score, t] for i, v, rank, score, _, t in pack.shown],
                "withheld": [list(row) for row in pack.withheld[:100]],
            },
            at=self.at + 1,
        )

    def shown(self) -> dict[str, int]:
        """What this session was given: by the store, and by what waits in the spool."""
        known = dict(self.shelf.shown(self.event.client, self.event.session))
        for text in spool.pending(self.folder, self.event.client, self.event.session):
            session, source, items = self._parser.delivered(text)
            if session != self.event.session:
                continue
            if source == "compact":
                known.clear()
            known.update(items)
        return known

    def say_of(self, answer: str) -> str:
        """The `say` of one of our own tools' answers, empty where there is none."""
        return self._parser.say(answer)

    def in_own_folder(self) -> bool:
        """Whether the hook runs in the session's own directory; elsewhere it gives nothing."""
        try:
            return os.path.realpath(self.event.cwd) == os.path.realpath(os.getcwd())
        except OSError:
            return False

    def _captures(self) -> bool:
        try:
            return self.allows("saving") and self.allows("capture")
        except Exception:  # noqa: BLE001 - a store that cannot be read decides nothing
            return True

    def _process(self) -> dict[str, object]:
        """The client's own process, which later calls are joined by."""
        client = process.own_client(os.getpid(), agents.recognised())
        if client is None:
            return {}
        if self.event.headless is None:
            self.event.headless = self.spec.is_headless(os.environ, client.argv)
        return {"pid": client.pid, "pid_started": client.started}

    def _details(self) -> dict[str, object]:
        told = self.event
        details: dict[str, object] = {
            "source": told.source,
            "reason": told.reason,
            "model": told.model,
            "headless": told.permission_mode == "bypassPermissions" or told.headless,
        }
        if told.name in ("session_start", "prompt", "session_end"):
            details |= {
                "cwd": told.cwd,
                "transcript": told.transcript,
                "repo": self.place.repo or "",
                "branch": self.place.branch or "",
                "head": self.place.commit,
            }
        if told.name == "prompt" and told.is_human_prompt:
            from onrecord.service.hearing import heard

            details["prompt"] = heard(told.prompt)
            details["human"] = True
        return {name: value for name, value in details.items() if value not in ("", None)}


def make_call(client: str, name: str, payload: bytes, *, config: Config, at: int) -> Call | None:
    """The call, or None where there is nothing to do: another client, an unknown event."""
    spec = agents.find(client)
    if spec is None or not spec.runs_hook(os.environ):
        return None
    parser = LightJson()
    text = payload.decode("utf-8", "replace")
    told = event.parse(
        spec, name, text, extract=event.sqlite_extract(parser.connection), environ=os.environ
    )
    if told is None or not told.session:
        return None
    return Call(spec=spec, told=told, config=config, at=at, parser=parser)
