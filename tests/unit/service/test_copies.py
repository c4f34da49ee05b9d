"""Copies of the whole store: who may make and restore one, and what a restored one obeys."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest

from desk import place
from onrecord import wiring
from onrecord.domain import errors
from onrecord.domain.event import broken_at
from onrecord.domain.item import Content, ItemQuery
from onrecord.domain.principal import Principal
from onrecord.domain.session import Session
from onrecord.service.caller import Caller
from onrecord.service.commands import Forget, ForgetEverything, Reject, Remember, Revise, Undo
from onrecord.storage.ledger import FileLedger
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onrecord.domain.item import Item
    from onrecord.service.copies import Restored
    from onrecord.service.memory import Memory

ADA = Caller(principal=Principal.person("ada", channel="terminal", confirmed=True), place=place())
SCRIPT = Caller(principal=Principal.for_agent("script", channel="terminal"), place=place())

HERON = "The staging gate opens for the blue heron"
GATE = "The production gate listens on port 5432"
PNPM = "Use pnpm in the web folder of the shop"


class Shop:
    """A store in a file with three memories, a copy of it, and what came after."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "data" / "memory.db")
        self.memory = wiring.open_memory(self.path)
        self.ids = {title: self.remember(title) for title in (HERON, GATE, PNPM)}
        self.copies = wiring.open_copies(self.path)
        self.copy = self.copies.back_up(ADA).path

    def remember(self, title: str, **fields: str) -> str:
        """Keep a statement; its id."""
        outcome = self.memory.do(Remember(content=Content(title=title), **fields), ADA)  # type: ignore[arg-type]
        assert outcome.item is not None, outcome
        return outcome.item.id

    def restore(self, copy: str = "") -> Restored:
        """Let a copy be the store again."""
        return self.copies.restore(copy or self.copy, ADA)

    def items(self, memory: Memory | None = None) -> dict[str, Item]:
        """Every item by its title."""
        found = (memory or self.memory).page(ItemQuery(limit=200), ADA)
        return {item.content.title: item for item in found}

    def refuses(self, title: str) -> bool:
        """Whether a tombstone keeps a statement out."""
        return self.memory.do(Remember(content=Content(title=title)), ADA).code == (
            "tombstone.equal"
        )


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """A fresh one."""
    made = Shop(tmp_path)
    yield made
    made.memory.close()


def test_what_was_erased_after_the_copy_stays_erased(shop: Shop) -> None:
    """Its siblings are back, also what was changed and added since is as it was."""
    shop.memory.do(Forget(item=shop.ids[HERON]), ADA)
    shop.memory.do(Revise(item=shop.ids[PNPM], content=Content(title="Use npm there")), ADA)
    shop.remember("Added after the copy was made")

    restored = shop.restore()

    assert (restored.replayed.erased, restored.replayed.rejected) == (1, 0)
    found = shop.items()
    assert {title for title, item in found.items() if item.status == "active"} == {GATE, PNPM}
    assert found[PNPM].verification == "verified"
    assert found[""].id == shop.ids[HERON]
    assert found[""].status == "forgotten"
    assert shop.refuses(HERON)
    assert shop.memory.check().sound


def test_what_sessions_were_asked_stays_erased_where_everything_was_forgotten(shop: Shop) -> None:
    """An older copy holds the prompts and where the transcripts lie; restored, it does not."""
    row = Session(
        id="01JABCDEFGHJKMNPQRSTVWXYZ0",
        agent="codex",
        agent_session="s1",
        started_at=1,
        last_event_at=1,
        first_prompt="Why does the horn drift",
        last_prompt="And in October",
        transcript="/t.jsonl",
    )
    with closing(open_sqlite(shop.path, create=False)) as store, store.write() as tx:
        tx.sessions.put(row)
    copy = shop.copies.back_up(ADA, target=shop.path + ".later").path
    shop.memory.do(ForgetEverything(), ADA)

    for _ in range(2):
        with closing(open_sqlite(shop.path, create=False)) as store, store.read() as tx:
            found = tx.sessions.get(row.id)
        assert found == replace(
            row, first_prompt="", last_prompt="", transcript="", forgotten=True
        )
        shop.restore(copy)
    assert shop.memory.check().sound


def test_what_was_rejected_after_the_copy_stays_rejected(shop: Shop) -> None:
    """It neither stands in the restored store nor can be said again."""
    shop.memory.do(Reject(item=shop.ids[GATE], reason="wrong"), ADA)
    shop.memory.do(Reject(item=shop.ids[PNPM], reason="duplicate"), ADA)

    restored = shop.restore()

    assert (restored.replayed.erased, restored.replayed.rejected) == (0, 1)
    assert shop.items()[GATE].status == "rejected"
    assert shop.items()[PNPM].status == "active"
    assert shop.refuses(GATE)


def test_a_rejection_that_was_taken_back_is_not_replayed(shop: Shop) -> None:
    """The person decided twice; the later word counts."""
    rejected = shop.memory.do(Reject(item=shop.ids[GATE], reason="wrong"), ADA)
    shop.memory.do(Undo(event=rejected.undo or 0), ADA)

    assert shop.restore().replayed.rejected == 0
    assert shop.items()[GATE].status == "active"


def test_what_the_copy_says_in_other_words_leaves_no_tombstone_of_those(shop: Shop) -> None:
    """The item was rejected for what it said later; it is rejected, its first words are not."""
    later = "The production gate will be taken down for good"
    shop.memory.do(Revise(item=shop.ids[GATE], content=Content(title=later)), ADA)
    shop.memory.do(Reject(item=shop.ids[GATE], reason="wrong"), ADA)

    shop.restore()

    assert shop.items()[GATE].status == "rejected"
    assert shop.refuses(later)
    assert not shop.refuses(GATE)


def test_tombstones_outlive_one_restore_after_another(shop: Shop) -> None:
    """Also those of items that no copy holds, since the store's log is then another one."""
    other = shop.remember("The canary build runs on Fridays at noon")
    shop.memory.do(Reject(item=other, reason="unwanted"), ADA)
    third = shop.remember("The release train stops at the harbour", key="train")
    shop.memory.do(Forget(item=third), ADA)

    for _ in range(2):
        shop.restore()
        assert shop.refuses("The canary build runs on Fridays at noon")
        assert shop.refuses("The release train stops at the harbour")


def test_the_list_beside_the_store_is_obeyed_where_the_store_is_lost(shop: Shop) -> None:
    """A disk fault takes the log away; what was erased does not come back by it."""
    shop.memory.do(Forget(item=shop.ids[HERON]), ADA)
    shop.memory.close()
    Path(shop.path).write_bytes(b"no database " * 1_000)

    restored = shop.restore()

    assert restored.unreadable
    assert Path(restored.kept).read_bytes().startswith(b"no database")
    shop.memory = wiring.open_memory(shop.path, create=False)
    assert shop.items()[""].id == shop.ids[HERON]
    assert shop.refuses(HERON)


def test_an_erasure_that_was_not_listed_is_listed_with_the_next_copy(shop: Shop) -> None:
    """A process that ended between the two leaves a gap; the store's own log closes it."""
    shop.memory.do(Forget(item=shop.ids[HERON]), ADA)
    ledger = FileLedger(f"{shop.path}.erasures")
    (listed,) = ledger.read()
    Path(ledger.path).unlink()

    shop.copies.back_up(ADA)

    assert ledger.read() == [listed]


def test_the_list_holds_no_text(shop: Shop) -> None:
    """Neither the words nor the key of what was erased."""
    item = shop.remember("The release train stops at the harbour", key="heronkey")
    shop.memory.do(Forget(item=item), ADA)
    raw = Path(f"{shop.path}.erasures").read_bytes()

    assert item.encode() in raw
    assert not any(word in raw for word in (b"release", b"harbour", b"heronkey"))


def test_the_log_says_once_that_a_copy_was_restored(shop: Shop) -> None:
    """One event, by the person, with the heads of both logs; the chain goes on from the copy's."""
    shop.memory.do(Forget(item=shop.ids[HERON]), ADA)
    before = shop.memory.events(ADA)[0]

    restored = shop.restore()

    lines = shop.memory.events(ADA)
    assert [line.action for line in lines[:3]] == ["backup_restored", "forgotten", "created"]
    line = lines[0]
    assert (line.seq, line.by.user, line.by.confirmed) == (restored.event, "ada", True)
    assert line.change["head"][0] == f"{before.seq}:{before.hash.hex()}"
    assert line.change["erased"] == (0, 1)
    assert broken_at(reversed(lines)) is None


def test_the_store_before_is_kept(shop: Shop) -> None:
    """Restoring that one undoes the restore, apart from what was erased."""
    shop.remember("Added after the copy was made")

    kept = shop.restore().kept

    assert "Added after the copy was made" not in shop.items()
    shop.restore(kept)
    assert "Added after the copy was made" in shop.items()


def test_a_copy_is_restored_to_a_place_of_its_own(shop: Shop, tmp_path: Path) -> None:
    """On another machine there is neither a store nor a list."""
    elsewhere = str(tmp_path / "other" / "memory.db")
    restored = wiring.open_copies(elsewhere).restore(shop.copy, ADA)

    assert restored.kept == ""
    other = wiring.open_memory(elsewhere, create=False)
    assert set(shop.items(other)) == {HERON, GATE, PNPM}
    assert other.do(Remember(content=Content(title="It goes on from there")), ADA).item
    other.close()


def test_only_a_person_with_a_key_typed_restores(shop: Shop) -> None:
    """Neither a script nor an agent, nor a person whom nothing was asked."""
    unasked = Caller(principal=replace(ADA.principal, confirmed=False), place=ADA.place)
    agent = Caller(principal=Principal.for_agent("codex"), place=place("codex"))

    for caller in (unasked, agent, SCRIPT):
        with pytest.raises(errors.NeedsPerson):
            shop.copies.restore(shop.copy, caller)
    assert not list(Path(shop.path).parent.glob("**/before-restore*"))


def test_an_agent_makes_no_copy_and_a_script_does(shop: Shop) -> None:
    """A copy holds what an agent may not read; nightly copies are made by scripts."""
    under = replace(SCRIPT.principal, proof=MappingProxyType({"ancestor": "sandbox"}))
    agents = (Principal.for_agent("codex"), under)

    for principal in agents:
        with pytest.raises(errors.Denied):
            shop.copies.back_up(Caller(principal=principal, place=place("codex")))
    assert Path(shop.copies.back_up(SCRIPT).path).exists()


def test_a_copy_with_changed_content_is_not_restored(shop: Shop) -> None:
    """Its digests do not fit; the store stays as it is."""
    raw = Path(shop.copy).read_bytes()
    assert raw.count(GATE.encode()) >= 1
    Path(shop.copy).write_bytes(raw.replace(GATE.encode(), GATE[::-1].encode()))

    with pytest.raises((errors.KeyUnreadable, errors.StoreCorrupt)):
        shop.restore()
    assert set(shop.items()) == {HERON, GATE, PNPM}
    assert not list(Path(shop.path).parent.glob("**/before-restore*"))
