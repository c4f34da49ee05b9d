"""Every verb of the gateway is taken back exactly, or is one of a few that say why not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from acceptance.test_audit_every_change_has_its_event import VERBS, Bench, bench, caller_of
from acceptance.test_correction_undo_is_exact import states
from commandline import SCRIPT, CommandLine
from onrecord.domain.errors import UndoClash
from onrecord.domain.item import ItemQuery
from onrecord.domain.time import DAY
from onrecord.service import auditing, verdicts
from onrecord.service.commands import Forget, Mark, Undo
from onrecord.service.lifecycle import DEFAULTS
from onrecord.service.undoing import LASTING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from onrecord.service.commands import Command

__all__ = ["bench"]

YES: Final = [("[y/n]", "y")]

#: verb -> the action of its line, by which undo says why it stays.
STAYS: Final = {
    "forget": "forgotten",
    "purge": "forgotten",
    "forget a source": "source_forgotten",
    "forget everything": "forgotten",
    "refuse": "refused",
}
#: verb -> what comes first, so that there is something to change.
FIRST: Final[dict[str, tuple[Callable[[Bench], Command], str]]] = {
    "decline": (lambda b: Forget(item=b.active), "agent"),
    "verify": (lambda b: Mark(item=b.active, action="dispute"), "typed"),
}
#: What changes nothing that undo restores: a session's own words are a fact that stays.
NOTHING: Final = ("corroborate",)


def state(desk_bench: Bench) -> tuple[Mapping[Any, Any], ...]:
    """Everything that undo restores: items, switches, names of scopes, handoffs."""
    with desk_bench.desk.store.read() as tx:
        items = tx.items.page(ItemQuery(limit=200))
        settings = {(name, scope): value for name, scope, value in tx.settings.everything()}
        usual = {key: value for key, value in settings.items() if DEFAULTS.get(key[0]) != value}
        return (
            {
                item.id: (
                    *(item.scope, item.key, item.kind, item.content, item.status, item.flags),
                    *(item.verification, item.pinned, item.tainted, item.expires_at),
                    *(item.helpful, *(row.id for row in verdicts.standing(tx, item.id))),
                )
                for item in items
            },
            usual,
            tx.scopes.renamed(),
            {row.item: row for row in tx.handoffs.recent()},
            {item.id: [s.lifted_at is None for s in tx.tombstones.of(item.id)] for item in items},
        )


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_correction_undo_is_exact_for_every_verb(bench: Bench, verb: str) -> None:
    """Back to the earlier state in all that undo restores; what was made new is put away."""
    make, who, _ = VERBS[verb]
    desk = bench.desk
    caller, command = caller_of(bench, who), make(bench)
    if verb == "let lapse":
        desk.clock.advance(61 * DAY)
    if verb in FIRST:
        first, by = FIRST[verb]
        desk.do(first(bench), caller_of(bench, by))
    before = state(bench)
    outcome = desk.do(command, caller)
    between = state(bench)
    with desk.store.read() as tx:
        (line,) = tx.events.latest(1)
    if verb in STAYS:
        assert line.action == STAYS[verb] in LASTING
        with pytest.raises(UndoClash, match=LASTING[line.action][0][:20]):
            desk.do(Undo(event=line.seq), desk.ada_typed)
        assert state(bench) == between
        return
    if verb in NOTHING:
        assert between == before
        assert outcome.undo is None
        return
    assert between != before
    desk.do(Undo(event=line.seq), desk.ada_typed)
    after = state(bench)

    for was, now in zip(before[:4], after[:4], strict=True):
        assert {name: now.get(name) for name in was} == was
    new = after[0].keys() - before[0].keys()
    assert {desk.stored(name).status for name in new} <= {"archived"}
    assert not any(any(list_of) for name, list_of in after[4].items() if not before[4].get(name))
    assert after[1:3] == before[1:3]
    with desk.store.read() as tx:
        assert list(auditing.findings(tx)) == []


def test_correction_undo_is_exact_for_reminders_scopes_and_imports(tmp_path: Path) -> None:
    """What commands beside the plain ones change comes back as well, through the commands."""
    lines = CommandLine(tmp_path)
    reminder = lines.run("remind", "add", "Ask the harbour", "--at", "2055-01-01", "--json")
    assert reminder.status == 0, reminder
    item = reminder.json["item"]["id"]
    lines.remember("Zones are counted from the harbour", "--scope", "project:fares")
    lines.remember("Fares are in cents", "--scope", "project:tickets", "--key", "fares")
    waiting = lines.remember("Specs need a clock", "--scope", "repo", around=SCRIPT)
    rows = [{"onrecord": "export", "version": 1, "items": 1}, {"title": "Lamps are lit at dusk"}]
    file = tmp_path / "more.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    failed: list[object] = []
    for words, keys in (
        (("remind", "done", item), []),
        (("remind", "snooze", item, "--at", "2056-01-01"), []),
        (("scopes", "rename", "project:fares", "project:zones"), []),
        (("scopes", "merge", "project:fares", "project:tickets"), []),
        (("scopes", "alias", "project:old", "project:tickets"), []),
        (("reject", waiting, "--reason", "duplicate"), []),
        (("edit", waiting, "--text", "Specs need a fake clock"), []),
        (("policy", "withhold"), YES),
    ):
        before = states(lines)
        done = lines.run(*words, keys=keys)
        back = YES if words[0] == "reject" else keys
        undone = lines.run("undo", keys=back) if done.status == 0 else done
        if done.status or undone.status or states(lines) != before:
            failed.append((words, done.err, undone.status, undone.err))
    held = states(lines)
    assert lines.run("import", "jsonl", str(file)).status == 0
    undone = lines.run("undo", keys=YES)

    assert failed == []
    assert undone.status == 0, undone
    assert held.items() <= states(lines).items()
    assert lines.run("check", "--audit").status == 0
