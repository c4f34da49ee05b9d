"""Memories out and in: an export whole, an import proposed, bounded by what was decided here."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from desk import REPO, SECRETS, Desk
from onrecord.domain import errors
from onrecord.domain.event import broken_at
from onrecord.domain.item import ItemQuery
from onrecord.service.commands import Approve, Forget, Mark, MoveScope, Reject, Revise, Set, Undo
from onrecord.service.import_lines import ImportFile
from onrecord.service.transfer import Transfer

if TYPE_CHECKING:
    from onrecord.domain.item import Item
    from onrecord.service.caller import Caller
    from onrecord.service.exports import Exported
    from onrecord.service.imports import Imported

GATE = "The production gate listens on port 5432"
PNPM = "Use pnpm in the web folder of the shop"


def transfer(desk: Desk) -> Transfer:
    """What moves memories out of and into the desk's store."""
    return Transfer(desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=None)


def bring(desk: Desk, *items: dict[str, Any], by: Caller | None = None, **more: Any) -> Imported:
    """Import these items, a second later."""
    desk.clock.advance()
    return transfer(desk).bring_in(of(desk, *items), by or desk.ada, **more)


def of(desk: Desk, *items: dict[str, Any]) -> ImportFile:
    """A file of these items, read where Ada stands."""
    lines = [{"onrecord": "export", "version": 1}, *items]
    raw = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    return ImportFile(io.BytesIO(raw), "shop.jsonl", desk.ada.place)


def exported(desk: Desk, **asked: Any) -> list[Exported]:
    """Everything of an export."""
    with transfer(desk).exported(desk.ada, **asked) as export:
        found = list(export.items)
        assert export.total == len(found) + len(export.damaged)
    return found


def titled(desk: Desk, title: str) -> Item:
    """The one item with that title."""
    found = desk.memory.page(ItemQuery(limit=200), desk.ada)
    (item,) = [item for item in found if item.content.title == title]
    return item


# -- out ----------------------------------------------------------------------


def test_an_export_is_whole_and_oldest_first(desk: Desk) -> None:
    """With versions, evidence and links of each; more than one block of them."""
    first = desk.remember(GATE, desk.ada, links=("src/gate.py",)).item
    assert first is not None
    later = Revise(item=first.id, content=first.content.__class__(title="It moved to 6432"))
    desk.do(later, desk.ada)
    for n in range(230):
        desk.remember(f"Fare table {n} is on shelf {n}", desk.ada)

    found = exported(desk)

    assert [one.item.id for one in found] == sorted(one.item.id for one in found)
    assert len(found) == 231
    assert [v.content.title for v in found[0].versions] == [GATE, "It moved to 6432"]
    assert [link.target for link in found[0].links] == ["src/gate.py"]


def test_an_export_is_of_the_asked_scopes_and_statuses(desk: Desk) -> None:
    """Live ones without asking; another scope or status is asked for."""
    kept = desk.remember(GATE, desk.ada, scope="global").item
    away = desk.remember(PNPM, desk.ada).item
    assert kept is not None
    assert away is not None
    desk.do(Mark(item=away.id, action="archive"), desk.ada)

    assert [one.item.id for one in exported(desk)] == [kept.id]
    assert [one.item.id for one in exported(desk, statuses=("archived",))] == [away.id]
    assert exported(desk, given=("repo",)) == []
    with pytest.raises(errors.NotFound) as caught:
        exported(desk, given=("repo:github.com/acme/shopp",))
    assert caught.value.details["nearest"] == [REPO]


def texts(found: list[Exported]) -> list[tuple[str, str, str]]:
    """(status, belief, title) of an export."""
    return [(o.item.status, o.item.verification, o.item.content.title) for o in found]


def test_an_export_as_of_an_instant_does_not_move(desk: Desk) -> None:
    """Whatever is written, corrected, decided or erased later; what was erased is counted."""
    old = desk.remember(GATE, desk.ada, links=("src/gate.py",)).item
    gone = desk.remember("The harbour office pays in coins only", desk.ada, scope="repo").item
    desk.remember(PNPM, desk.agent(), scope="repo")
    then = desk.clock.now()
    assert old is not None
    assert gone is not None
    before = exported(desk, as_of=then)
    stood = texts(before)
    desk.remember("The gate listens on port 6432", desk.ada, replaces=old.id)
    desk.do(Approve(item=titled(desk, PNPM).id), desk.ada_typed)
    desk.remember("Night buses charge at the depot", desk.ada)

    assert exported(desk, as_of=then) == before
    assert texts(exported(desk)) != stood
    desk.do(Forget(item=gone.id), desk.ada_typed)
    with transfer(desk).exported(desk.ada, as_of=then) as export:
        assert texts(list(export.items)) == [stood[0], stood[2]]
        assert (export.total, export.erased) == (2, 1)
    with transfer(desk).exported(desk.ada) as export:
        assert export.erased == 0


def test_an_export_of_the_past_of_a_renamed_scope(desk: Desk) -> None:
    """It is asked for by the name that it has now."""
    desk.remember(GATE, desk.ada, scope="repo")
    then = desk.clock.now()
    moved = "repo:example.org/acme/shop"
    desk.do(MoveScope(old=REPO, new=moved), desk.ada_typed)
    (one,) = exported(desk, given=(moved,), as_of=then)

    assert (one.item.content.title, one.item.scope) == (GATE, moved)
    assert exported(desk, given=("repo",), as_of=then) == [one]


def test_an_export_of_what_was_true_at_an_instant(desk: Desk) -> None:
    """What was replaced since was true then; what became true later was not."""
    old = desk.remember(GATE, desk.ada, valid_from=desk.clock.now()).item
    then = desk.clock.now()
    assert old is not None
    desk.clock.advance(3_600_000_000)
    desk.remember("The gate listens on port 6432", desk.ada, replaces=old.id)

    assert texts(exported(desk, valid_at=then)) == [("superseded", "verified", GATE)]
    assert [title for _, _, title in texts(exported(desk))] == ["The gate listens on port 6432"]


def test_what_was_erased_is_never_exported(desk: Desk) -> None:
    """Nor can it be asked for."""
    gone = desk.remember(GATE, desk.ada).item
    assert gone is not None
    desk.do(Forget(item=gone.id), desk.ada_typed)

    assert exported(desk, statuses=("active", "proposed", "archived", "rejected")) == []
    with pytest.raises(errors.UsageError):
        exported(desk, statuses=("forgotten",))


def test_only_a_person_exports(desk: Desk) -> None:
    """An export holds what an agent may not read."""
    with pytest.raises(errors.NeedsPerson), transfer(desk).exported(desk.agent()):
        pass


# -- in -----------------------------------------------------------------------


def test_what_comes_in_is_proposed_with_where_it_comes_from(desk: Desk) -> None:
    """Whatever the file says of its standing; its text, dates and address are kept."""
    done = bring(
        desk,
        {
            "id": "01K00000000000000000000001",
            "title": "Deploys moved to the blue pipeline yesterday",
            "body": "Ask Grace.",
            "tags": ["deploy"],
            "scope": REPO,
            "key": "deploy",
            "kind": "decision",
            "status": "active",
            "verification": "verified",
            "pinned": True,
            "author": {"agent": "codex"},
            "evidence": [{"kind": "file", "pointer": "ci.yml:3"}],
            "links": [{"kind": "file", "target": "ci.yml"}],
        },
    )

    assert done.tally.outcomes == {"proposed": 1}
    item = titled(desk, "Deploys moved to the blue pipeline yesterday")
    assert (item.status, item.verification, item.pinned) == ("proposed", "unverified", False)
    assert item.tainted
    assert (item.scope, item.key, item.kind) == (REPO, "deploy", "decision")
    assert (item.content.body, item.content.tags) == ("Ask Grace.", ("deploy",))
    by = item.head.author
    assert (by.writer, by.channel, by.user, by.agent) == ("import", "import", "ada", "")
    evidence, links, _ = desk.memory.background(item.id, desk.ada)
    assert [(e.kind, e.pointer, e.author) for e in evidence] == [
        ("message", "import:shop.jsonl", "codex"),
        ("file", "ci.yml:3", ""),
    ]
    assert [link.target for link in links] == ["ci.yml"]


def test_all_of_it_is_checked_before_anything_comes_in(desk: Desk) -> None:
    """The last of many lines is wrong, and nothing is kept."""
    items = [{"title": f"Fare table {n} is on shelf {n}"} for n in range(250)]

    with pytest.raises(errors.BadField):
        bring(desk, *items, {"title": ""})
    assert desk.memory.page(ItemQuery(), desk.ada) == []


def test_a_secret_in_the_file_is_not_kept(desk: Desk) -> None:
    """It passes the same steps as any other writing."""
    body = "Deploys log in with ghp_" + "a1B2" * 9 + " until the pipeline has its own account."
    bring(desk, {"title": "How deploys log in to the registry", "body": body})

    item = titled(desk, "How deploys log in to the registry")
    assert "a1B2a1B2" not in item.content.body
    assert "[redacted:" in item.content.body


def test_what_is_here_already_stays_as_it_is(desk: Desk) -> None:
    """No second item, no sighting, no evidence, no belief; however often it comes."""
    made = desk.remember(GATE, desk.agent(), scope="agent").item
    shared = desk.remember(PNPM, desk.agent()).item
    assert made is not None
    assert shared is not None
    for _ in range(3):
        done = bring(desk, {"title": PNPM, "scope": REPO})
        assert done.tally.outcomes == {"corroborated": 1}

    with desk.store.read() as tx:
        assert [s.session for s in tx.provenance.sightings(shared.id)] == [
            shared.head.author.session
        ]
        assert tx.provenance.evidence(shared.id) == []
    after = desk.memory.get(shared.id, desk.ada)
    assert (after.status, after.verification) == ("proposed", "unverified")


def test_what_was_rejected_or_erased_here_is_refused(desk: Desk) -> None:
    """Counted and named by its line; the others of the file arrive."""
    wrong = desk.remember(GATE, desk.ada).item
    gone = desk.remember(PNPM, desk.ada).item
    assert wrong is not None
    assert gone is not None
    desk.do(Reject(item=wrong.id, reason="wrong"), desk.ada)
    desk.do(Forget(item=gone.id), desk.ada_typed)

    done = bring(
        desk,
        {"title": GATE, "scope": REPO, "id": wrong.id},
        {"title": "The harbour pilot answers on channel nine"},
        {"title": PNPM, "scope": REPO},
    )

    assert done.tally.outcomes == {"refused": 2, "proposed": 1}
    assert done.tally.codes == {"tombstone.equal": 2}
    assert [(t.line, t.id, t.code) for t in done.tally.refused] == [
        (2, wrong.id, "tombstone.equal"),
        (4, "", "tombstone.equal"),
    ]
    assert titled(desk, "The harbour pilot answers on channel nine").status == "proposed"


def test_another_value_under_a_key_waits_as_its_replacement(desk: Desk) -> None:
    """What a person said stays until a person decides."""
    desk.remember(GATE, desk.ada, key="port")

    bring(desk, {"title": "The gate is on 6432 now", "scope": REPO, "key": "port"})

    assert titled(desk, GATE).status == "active"
    other = titled(desk, "The gate is on 6432 now")
    assert (other.status, other.replaces) == ("proposed", titled(desk, GATE).id)


def test_what_has_no_standing_there_is_left_out(desk: Desk) -> None:
    """What was put away or turned down where it comes from, what expired, and handoffs."""
    done = bring(
        desk,
        {"title": "One", "status": "archived"},
        {"title": "Two", "status": "rejected"},
        {"title": "Three", "status": "forgotten"},
        {"title": "Four", "kind": "handoff"},
        {"title": "Five", "expires_at": "2001-01-01"},
        {"title": "Six"},
    )

    assert done.total == 6
    assert done.tally.outcomes == {"proposed": 1}
    assert done.tally.left_out == {
        "archived": 1,
        "rejected": 1,
        "forgotten": 1,
        "handoff": 1,
        "expired": 1,
    }


def test_nobody_makes_a_rule_by_a_file(desk: Desk) -> None:
    """It is refused by its rule's name."""
    done = bring(desk, {"title": "Always deploy on Fridays", "kind": "rule"})

    assert done.tally.codes == {"authority.rule_needs_person": 1}


def test_all_of_it_can_go_to_one_scope(desk: Desk) -> None:
    """Also what belonged to an agent where it comes from."""
    items = [{"title": GATE, "scope": "agent:codex"}, {"title": PNPM, "scope": "global"}]
    refused = bring(desk, *items)
    moved = bring(desk, *items, scope="project:fares")

    assert refused.tally.codes == {"authority.foreign_scope": 1}
    assert moved.tally.outcomes == {"proposed": 1, "corroborated": 1}
    assert titled(desk, GATE).scope == "project:fares"


def test_a_dry_run_says_what_would_be_and_keeps_nothing(desk: Desk) -> None:
    """Neither items nor lines of the log, refusals included."""
    desk.remember(PNPM, desk.ada)
    wrong = desk.remember(GATE, desk.ada).item
    assert wrong is not None
    desk.do(Reject(item=wrong.id, reason="wrong"), desk.ada)
    items = [{"title": t, "scope": REPO} for t in (GATE, PNPM, "Fare tables are in fares.csv")]
    before = desk.memory.events(desk.ada)

    would = bring(desk, *items, keep=False)

    assert would.event == 0
    assert desk.memory.events(desk.ada) == before
    assert would.tally == bring(desk, *items).tally


def test_an_agent_may_bring_a_file_and_only_proposes_too(desk: Desk) -> None:
    """It stays named; while saving is off it brings nothing, and a person does."""
    bring(desk, {"title": GATE}, by=desk.agent("codex"))
    assert titled(desk, GATE).head.author.agent == "codex"
    assert titled(desk, GATE).status == "proposed"

    desk.do(Set(name="saving", value="off"), desk.ada)
    with pytest.raises(errors.Denied, match="Saving is off"):
        bring(desk, {"title": PNPM}, by=desk.agent("codex"))
    assert bring(desk, {"title": PNPM}).tally.outcomes == {"proposed": 1}
    assert titled(desk, PNPM).status == "proposed"


# -- back ---------------------------------------------------------------------


def many(count: int) -> list[dict[str, Any]]:
    """Items that have nothing to do with one another."""
    return [{"title": f"Fare table {n} is on shelf {n}", "scope": REPO} for n in range(count)]


def test_an_import_has_one_name_and_one_line_that_sums_it_up(desk: Desk) -> None:
    """By the one who brought it; each item has its own line under that name."""
    done = bring(desk, *many(130))

    lines = desk.memory.events(desk.ada, limit=200)
    assert {line.batch for line in lines} == {done.batch}
    assert (lines[0].seq, lines[0].action, lines[0].target) == (done.event, "imported", done.batch)
    assert (lines[0].by.user, lines[0].by.is_person) == ("ada", True)
    assert lines[0].change == {"proposed": (0, 130)}
    assert broken_at(reversed(lines)) is None


@pytest.mark.parametrize("way", ["take_back", "undo"])
def test_an_import_is_taken_back_whole(desk: Desk, way: str) -> None:
    """What was there before is as it was; what a person decided since stays."""
    desk.remember(GATE, desk.ada, scope=REPO)
    done = bring(desk, {"title": GATE, "scope": REPO}, *many(120))
    approved = titled(desk, "Fare table 7 is on shelf 7")
    desk.do(Approve(item=approved.id), desk.ada_typed)
    before = {item.id: item for item in desk.memory.page(ItemQuery(limit=200), desk.ada)}

    desk.clock.advance()
    if way == "take_back":
        taken = transfer(desk).take_back(done.batch[-6:], desk.ada)
        assert (taken.batch, taken.back, taken.kept) == (done.batch, 119, (approved.id,))
    else:
        said = desk.do(Undo(event=done.event), desk.ada).say
        assert "119 items; 1 changed since and stay" in said

    after = {item.id: item for item in desk.memory.page(ItemQuery(limit=200), desk.ada)}
    changed = {name for name, item in after.items() if item != before[name]}
    assert len(changed) == 119
    assert {after[name].status for name in changed} == {"archived"}
    assert titled(desk, GATE).status == "active"
    line = desk.memory.events(desk.ada)[0]
    assert (line.action, line.undoes, line.batch) == ("import_undone", done.event, done.batch)
    with pytest.raises(errors.UndoClash):
        transfer(desk).take_back(done.batch, desk.ada)
    with pytest.raises(errors.UndoClash):
        desk.do(Undo(event=done.event), desk.ada)


def test_the_latest_change_of_who_imported_is_the_import(desk: Desk) -> None:
    """Undo without a number takes all of it back, and can be asked of it once."""
    desk.remember(GATE, desk.ada)
    bring(desk, *many(3))

    assert "3 items" in desk.do(Undo(), desk.ada).say
    assert titled(desk, GATE).status == "active"


def test_an_import_that_stopped_halfway_is_taken_back(desk: Desk) -> None:
    """Its file changed under it: the first batch came in, and the error names it."""
    items = many(150)
    source = of(desk, *items)
    stream = source._stream  # noqa: SLF001 - somebody else's hand in the file

    def step(_done: int, _total: int) -> None:
        at = stream.tell()
        stream.seek(0)
        raw = stream.read()
        stream.seek(raw.index(b"table 149"))
        stream.write(b"fable")
        stream.seek(at)

    with pytest.raises(errors.BadField) as caught:
        transfer(desk).bring_in(source, desk.ada, step=step)
    batch = str(caught.value.details["batch"])
    assert batch in caught.value.hint
    assert len(desk.memory.page(ItemQuery(statuses=("proposed",), limit=200), desk.ada)) == 100

    assert transfer(desk).take_back(batch, desk.ada).back == 100


def test_only_a_person_takes_an_import_back(desk: Desk) -> None:
    """And only one that there is."""
    done = bring(desk, *many(3))

    with pytest.raises(errors.NeedsPerson):
        transfer(desk).take_back(done.batch, desk.agent())
    for unknown in ("ZZZZZZ", "01K00000000000000000000001"):
        with pytest.raises(errors.NotFound):
            transfer(desk).take_back(unknown, desk.ada)
