"""Whatever is stored, only our lines start at a terminal's edge, and nothing acts there."""

from __future__ import annotations

import unicodedata
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

from commandline import REPO, CommandLine
from onrecord.domain.event import Event
from onrecord.domain.item import Content, Item, Version, Where
from onrecord.domain.principal import Principal
from onrecord.domain.provenance import Evidence, Link, Review
from onrecord.domain.session import Delivered, Delivery, Handoff, Session
from onrecord.service.clocks import SystemClock
from onrecord.service.work import digest_of, same_print
from onrecord.testing.builders import SeededIds, document
from onrecord.wiring import open_memory

if TYPE_CHECKING:
    from pathlib import Path

#: What a stored text would say as a line of ours.
FORGED: Final = "2/2  note for everyone, by root (terminal)"
HOSTILE: Final = "ok" + "".join(
    f"{breaks}{FORGED}\x1b[2J\x9b31m\x07\u202eevil\u2066"
    for breaks in ("\n\n", "\r", "\r\n", "\x0b", "\x85", "\u2028", "\u2029")
)
#: Text fields that hold an id, a name out of a closed list, or what git resolved: never free text.
CLOSED: Final = {
    Item: {"id", "scope", "kind", "status", "verification", "replaces"},
    Version: {"item"},
    Content: set[str](),
    Where: {"repo", "branch"},
    Principal: {"writer", "channel", "session"},
    Evidence: {"id", "item", "kind", "session", "check_result"},
    Link: {"source", "kind"},
    Review: {"id", "item", "decision"},
    Session: {"id", "parent", "scopes", "repo", "branch"},
    Handoff: {"item", "session", "repo", "branch", "status", "claimed_by"},
    Delivery: {"id", "session"},
    Delivered: {"item"},
    Event: {"target", "batch", "fields"},
}


def filled(of: type, hostile: str, **given: Any) -> Any:
    """An object with hostile text in each text field that is not given and not closed."""
    free = {
        field.name: hostile if field.type == "str" else (hostile, "b")
        for field in fields(of)
        if field.type in ("str", "tuple[str, ...]") and field.name not in CLOSED[of]
    }
    if of is Event:
        free = dict.fromkeys(("action", "code"), hostile)
    return of(**{**free, **given})


class Planted:
    """A store whose every text was chosen by somebody who wants to be read as us."""

    def __init__(self, lines: CommandLine, hostile: str) -> None:
        lines.remember("The gate opens at six")
        self.ids = SeededIds(7)
        self.at = SystemClock().now()
        self.by = filled(Principal, hostile, writer="agent", channel="mcp")
        memory = open_memory(str(lines.store))
        secrets = memory._secrets()  # noqa: SLF001 - a store as somebody else may have filled it
        with memory._store.write() as tx:  # noqa: SLF001
            session = filled(
                Session,
                hostile,
                id=self.new(),
                repo=REPO,
                scopes=(REPO,),
                started_at=self.at,
                last_event_at=self.at,
                prompts=2,
            )
            tx.sessions.put(session)
            content = filled(Content, hostile)
            made = []
            for status, kind in (("proposed", "note"), ("active", "note"), ("active", "handoff")):
                item = self.item(hostile, content, secrets, status=status, kind=kind)
                tx.items.add(item)
                tx.index.put(document(item))
                made.append(item)
                row = {"item": item.id, "at": self.at}
                for kind_of in ("message", "url"):
                    tx.provenance.add_evidence(
                        filled(Evidence, hostile, id=self.new(), version=1, kind=kind_of, **row)
                    )
                tx.provenance.add_link(
                    filled(Link, hostile, source=item.id, kind="url", at=self.at)
                )
                tx.provenance.add_review(
                    filled(
                        Review,
                        hostile,
                        id=self.new(),
                        decision="approve",
                        seen=b"",
                        by=self.by,
                        **row,
                    )
                )
                tx.events.append(filled(Event, hostile, by=self.by, target=item.id, at=self.at))
            self.waiting, self.active, self.carrier = made
            tx.handoffs.add(
                filled(
                    Handoff,
                    hostile,
                    item=self.carrier.id,
                    session=session.id,
                    repo=REPO,
                    created_at=self.at,
                    lapses_at=self.at + 10**12,
                )
            )
            given = filled(Delivered, hostile, item=self.active.id, version=1, rank=1)
            held = replace(given, item=self.carrier.id, rank=2, shown=False)
            tx.deliveries.add(
                filled(
                    Delivery,
                    hostile,
                    id=self.new(),
                    session=session.id,
                    at=self.at,
                    budget=100,
                    tokens=10,
                    items=(given, held),
                )
            )
        memory.close()

    def new(self) -> str:
        """An id of its own."""
        return self.ids.new(self.at)

    def item(self, hostile: str, content: Content, secrets: Any, **given: Any) -> Item:
        """An item that holds that text everywhere, with the digest that it would have."""
        name = self.new()
        head = filled(
            Version,
            hostile,
            item=name,
            n=1,
            content=content,
            recorded_at=self.at,
            author=self.by,
            where=filled(Where, hostile, repo=REPO),
            digest=digest_of(secrets.key, content),
            same=same_print(secrets.key, content),
        )
        made: Item = filled(
            Item,
            hostile,
            id=name,
            scope=REPO,
            created_at=self.at,
            head=head,
            key=f"{hostile}{name}",
            **given,
        )
        return made


def check(shown: str) -> None:
    """Fails where a stored text begins a line or acts on the terminal."""
    plain = shown.replace("\r\n", "\n")
    acting = {char for char in plain if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp")}
    assert acting <= {"\n"}
    assert FORGED in plain
    for line in plain.split("\n"):
        assert not line.startswith((FORGED, "2/2", "evil", "ok")), line


def test_no_stored_text_reads_as_a_line_of_ours(tmp_path: Path) -> None:
    """In a review, lists, one memory and its past, sessions, handoffs, deliveries and the log."""
    lines = CommandLine(tmp_path)
    planted = Planted(lines, HOSTILE)
    for words in (
        ("show", planted.active.id),
        ("show", planted.waiting.id),
        ("history", planted.active.id),
        ("list",),
        ("recall", "everyone", "--explain"),
        ("sessions",),
        ("handoffs",),
        ("why",),
        ("log",),
    ):
        answer = lines.run(*words)
        assert answer.status == 0, (words, answer)
        check(answer.out)
    reviewed = lines.person("review", keys=[("(q)uit", "q")]).raw.decode("utf-8")
    check(reviewed)
    assert "1/1  note for" in reviewed  # our own line stands at the edge


def test_a_review_shows_the_tags_and_what_prompted_it(tmp_path: Path) -> None:
    """They are approved with the text, so they are read with it."""
    lines = CommandLine(tmp_path)
    planted = Planted(lines, "deploy key")
    shown = lines.person("review", keys=[("(q)uit", "q")]).text

    assert planted.waiting.status == "proposed"
    for told in ("tags: deploy key, b", "prompted by: deploy key", "summary: deploy key"):
        assert f"  {told}" in shown
