"""Verifying lifts what a changed file made stale, by citing anew; what comparing said is kept."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING, Any

import pytest

from desk import BRANCH, REPO, SECRETS, id_of
from onrecord.capture.citation_verdict import Verdict
from onrecord.domain.item import Content
from onrecord.domain.scope import Place
from onrecord.service import auditing, renewing
from onrecord.service.caller import Caller
from onrecord.service.cited import budget, compared, evidence_here, note
from onrecord.service.commands import Mark, Revise, Undo
from onrecord.service.doubted import note_broken
from onrecord.service.upkeep import Upkeep

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desk import Desk
    from onrecord.domain.provenance import Evidence

TEXT = "import os\n\nLIMIT = 4\n\n\ndef gate():\n    return LIMIT\n"
CHANGED = TEXT.replace("LIMIT = 4", "LIMIT = 9")
TITLE = "The gate limit is set in src/gate.py:3"
HEAD = "0123456789abcdef0123456789abcdef01234567"


class Cited:
    """A memory of a person's that cites a line of a file in a repository."""

    def __init__(self, desk: Desk, root: Path) -> None:
        self.desk, self.root = desk, root
        self.file = root / "src" / "gate.py"
        self.file.parent.mkdir(parents=True)
        self.file.write_text(TEXT, encoding="utf-8")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "gate")
        here = Place(
            cwd=str(root),
            root=str(root),
            repo=REPO,
            branch=BRANCH,
            commit=HEAD,
            main_branch=False,
            agent="agent:codex",
        )
        self.ada = Caller(principal=desk.ada_typed.principal, place=here)
        self.agent = Caller(principal=desk.agent().principal, place=here)
        self.item = id_of(desk.remember(TITLE, self.ada, scope=REPO))

    def git(self, *words: str) -> None:
        """Run git as Ada."""
        who = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")
        subprocess.run(
            ["git", *who, *words], cwd=self.root, check=True, timeout=30, capture_output=True
        )

    def belief(self) -> str:
        """What a reader is told now."""
        return self.desk.memory.get(self.item, self.ada, opened=False).verification

    def rows(self) -> list[Evidence]:
        """What is kept of its citations."""
        return self.desk.memory.background(self.item, self.ada)[0]

    def verify(self) -> int:
        """A person says that it holds; the number of the change."""
        done = self.desk.do(Mark(item=self.item, action="verify"), self.ada)
        assert done.undo is not None
        return done.undo


@pytest.fixture
def cited(desk: Desk, tmp_path: Path) -> Cited:
    """A file with a line that is cited."""
    return Cited(desk, tmp_path / "shop")


def test_what_is_cited_when_it_is_written_was_compared_then(cited: Cited) -> None:
    """The row says that it held, and when."""
    (row,) = cited.rows()

    assert (row.check_result, row.checked_at) == ("holds", row.at)
    assert row.pointer == f"src/gate.py@{HEAD[:12]}:3"


@pytest.mark.parametrize("how", ["changed", "shorter", "gone", "renamed and changed"])
def test_verifying_lifts_what_the_file_made_stale(cited: Cited, how: str) -> None:
    """The person says that it holds as the file is now; a later change makes it stale again."""
    if how == "changed":
        cited.file.write_text(CHANGED, encoding="utf-8")
    elif how == "shorter":
        cited.file.write_text("LIMIT = 9\n", encoding="utf-8")
    elif how == "gone":
        cited.git("rm", "-q", "src/gate.py")
    else:
        cited.git("mv", "src/gate.py", "src/door.py")
        (cited.root / "src" / "door.py").write_text(CHANGED, encoding="utf-8")
    stale = cited.belief()
    cited.verify()
    old, *new = cited.rows()

    assert stale == "stale"
    assert cited.belief() == "verified"
    assert cited.desk.memory.cites(cited.item, cited.ada) == ()
    assert not old.stands
    assert [row.check_result for row in new] == (["holds"] if cited.file.exists() else [])
    if new:
        cited.file.write_text("LIMIT = 1\n", encoding="utf-8")
        assert cited.belief() == "stale"


def test_verifying_follows_lines_that_moved(cited: Cited) -> None:
    """The new row points at where they stand now."""
    cited.file.write_text("# one\n# two\n" + TEXT, encoding="utf-8")
    cited.verify()

    old, new = cited.rows()
    assert (old.told[0], new.told[0]) == ("replaced", "holds")
    assert new.pointer == f"src/gate.py@{HEAD[:12]}:5"
    assert cited.desk.memory.cites(cited.item, cited.ada) == ()


def test_verifying_what_holds_keeps_its_row(cited: Cited) -> None:
    """Only the time of the comparison is new."""
    before = cited.rows()
    cited.verify()
    (row,) = cited.rows()

    assert row.check_result == "holds"
    assert (row.checked_at or 0) > (before[0].checked_at or 0)
    assert row.digest == before[0].digest


def test_undoing_a_verification_makes_it_stale_again(cited: Cited) -> None:
    """The rows stand as before; undoing the undoing lifts it once more."""
    cited.file.write_text(CHANGED, encoding="utf-8")
    number = cited.verify()
    back = cited.desk.do(Undo(event=number), cited.ada)
    undone = cited.belief()
    old, new = cited.rows()
    cited.desk.do(Undo(event=back.undo or 0), cited.ada)

    assert undone == "stale"
    assert (old.told[0], new.told[0]) == ("changed", "replaced")
    assert cited.belief() == "verified"


def test_no_earlier_version_speaks_again(cited: Cited) -> None:
    """A citation of the version before stays put away with the one that took its place."""
    cited.file.write_text(CHANGED, encoding="utf-8")
    content = cited.desk.memory.get(cited.item, cited.ada).content
    revised = replace(content, body="It was looked at twice.")
    cited.desk.do(Revise(item=cited.item, content=revised), cited.ada)
    cited.git("rm", "-qf", "src/gate.py")
    assert cited.belief() == "stale"
    cited.verify()

    assert cited.belief() == "verified"


def test_an_agent_lifts_nothing(cited: Cited) -> None:
    """It may ask, and the item stays stale until a person looks."""
    cited.file.write_text(CHANGED, encoding="utf-8")
    before = cited.rows()
    asked = cited.desk.do(Mark(item=cited.item, action="verify"), cited.agent)

    assert asked.code != "verified"
    assert cited.belief() == "stale"
    assert cited.rows() == before


def test_reading_for_a_session_keeps_what_comparing_said(cited: Cited) -> None:
    """A session that opens it leaves the result; the item itself is as it was."""
    stood = cited.desk.stored(cited.item).verification
    cited.file.write_text(CHANGED, encoding="utf-8")
    cited.desk.clock.advance()
    cited.desk.memory.get(cited.item, cited.agent)
    (row,) = cited.rows()
    cited.file.write_text(TEXT, encoding="utf-8")

    assert (row.check_result, row.checked_at) == ("changed", cited.desk.clock.now())
    assert cited.desk.stored(cited.item).verification == stood
    assert cited.belief() == "verified"


def test_what_was_replaced_is_neither_told_nor_exported_as_a_source(cited: Cited) -> None:
    """What an item rests on is what speaks for it now, compared when it was verified."""
    cited.file.write_text(CHANGED, encoding="utf-8")
    cited.verify()
    files = [one for one in cited.desk.memory.rests(cited.item, cited.ada) if one.kind == "file"]

    assert [(one.state, one.check_result) for one in files] == [("stands", "holds")]
    assert files[0].checked_at == cited.rows()[1].checked_at


def test_lint_leaves_paths_outside_of_the_repository_alone(cited: Cited) -> None:
    """A folder of the system is no file that the repository lacks; a missing one in it is."""
    desk = cited.desk
    upkeep = Upkeep(desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=UTC)
    desk.remember("Logs go to /var/log/shop.log and rotate daily", cited.ada, scope="repo")
    desk.remember("The till stands in src/nowhere.py", cited.ada, scope="repo")
    unseen = [one.about for one in upkeep.lint(cited.ada) if one.code == "citation.unseen"]

    assert unseen == ["src/nowhere.py"]


def test_lint_tells_of_a_changed_file_and_keeps_what_it_saw(cited: Cited) -> None:
    """A line that reads differently is a finding; one that holds is none, and both are kept."""
    desk = cited.desk
    upkeep = Upkeep(desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=UTC)
    desk.clock.advance()
    good = [one for one in upkeep.lint(cited.ada) if one.code == "citation.broken"]
    held = cited.rows()[0]
    cited.file.write_text(CHANGED, encoding="utf-8")
    desk.clock.advance()
    (bad,) = [one for one in upkeep.lint(cited.ada) if one.code == "citation.broken"]
    (row,) = cited.rows()

    assert good == []
    assert held.check_result == "holds"
    assert (held.checked_at or 0) > held.at
    assert bad.item == cited.item
    assert "changed: line 3 reads differently now" in bad.about
    assert (row.check_result, row.checked_at) == ("changed", desk.clock.now())


def test_lint_tells_what_went_away_from_what_never_was_there(cited: Cited) -> None:
    """A file that was seen when it was cited is gone; one that was not was never there."""
    desk = cited.desk
    upkeep = Upkeep(desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=UTC)
    slip = id_of(desk.remember("Hours are kept in ./src/hours.py", cited.ada, scope=REPO))
    both = id_of(
        desk.remember(
            "Doors open by src/gate.py and src/door.py, see src/gate.py:90",
            cited.ada,
            scope=REPO,
        )
    )

    def found() -> set[tuple[str, str, str]]:
        return {
            (one.code, one.item, one.about)
            for one in upkeep.lint(cited.ada)
            if one.code.startswith("citation.")
        }

    unseen = {
        ("citation.unseen", slip, "src/hours.py"),
        ("citation.unseen", both, "src/door.py"),
    }
    assert found() == unseen
    cited.file.unlink()
    gone = {(code, item, about.partition("@")[0]) for code, item, about in found() - unseen}

    assert gone == {
        ("citation.broken", cited.item, "src/gate.py"),
        ("citation.broken", both, "src/gate.py"),
    }
    assert all(" is gone" in about for code, _, about in found() if code == "citation.broken")


def test_lint_takes_what_only_moved_for_good(cited: Cited) -> None:
    """Git knows the file under another name, so nothing is to be mended."""
    desk = cited.desk
    upkeep = Upkeep(desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=UTC)
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"],
        cwd=cited.root,
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout.strip()
    at = Place(cwd=str(cited.root), root=str(cited.root), repo=REPO, branch=BRANCH, commit=head)
    here = replace(cited.ada, place=at)
    item = id_of(desk.remember("The gate is opened by src/gate.py:6", here, scope=REPO))
    cited.git("mv", "src/gate.py", "src/door.py")
    cited.git("commit", "-qm", "door")
    found = [one for one in upkeep.lint(here) if one.item == item]

    assert not [one for one in found if one.code.startswith("citation.")]


def meanwhile(cited: Cited, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Something happens after a person's verifying was compared, and before it is written."""
    compare = renewing.prepared

    def between(*given: Any) -> Any:
        command = compare(*given)
        monkeypatch.setattr(renewing, "prepared", compare)
        act()
        return command

    monkeypatch.setattr(renewing, "prepared", between)
    cited.verify()


@pytest.mark.parametrize("how", ["changed", "gone"])
def test_a_reader_that_compared_before_undoes_no_verification(cited: Cited, how: str) -> None:
    """Its note comes after what the person said, and changes nothing of it."""
    if how == "gone":
        cited.git("rm", "-q", "src/gate.py")
    else:
        cited.file.write_text(CHANGED, encoding="utf-8")
    with cited.desk.store.read() as tx:
        item = tx.items.get(cited.item)
        assert item is not None
        rows = evidence_here(tx, item, cited.agent.place)
    found = compared(item, rows, cited.agent.place, budget())
    cited.verify()
    with cited.desk.store.write() as tx:
        note(tx, found, cited.desk.clock.now())

    assert [verdict.state for _, verdict in found] == [how]
    assert not cited.rows()[0].stands
    assert cited.belief() == "verified"


def test_what_is_erased_while_it_is_verified_does_not_come_back(
    cited: Cited, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No new row takes over what the blank one pointed at."""
    cited.file.write_text(CHANGED, encoding="utf-8")

    def blank() -> None:
        with cited.desk.store.write() as tx:
            tx.provenance.blank([row.id for row in cited.rows()])

    meanwhile(cited, monkeypatch, blank)
    assert [row.pointer for row in cited.rows()] == [""]


def test_what_is_reworded_while_it_is_verified_is_not_cited_anew(
    cited: Cited, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words that were compared are not those that stand."""
    cited.file.write_text(CHANGED, encoding="utf-8")
    other = Revise(item=cited.item, content=Content(title="No file is named in this one"))
    meanwhile(cited, monkeypatch, lambda: cited.desk.do(other, cited.ada))

    assert [(row.version, row.stands) for row in cited.rows()] == [(1, True)]


@pytest.mark.parametrize("at", [None, 7])
def test_the_log_says_what_speaks_no_more(cited: Cited, at: int | None) -> None:
    """A row that is put away, or let speak again, behind our back is found; else nothing is."""
    cited.file.write_text(CHANGED, encoding="utf-8")
    if at is None:
        cited.verify()

    def found() -> list[str]:
        with cited.desk.store.read() as tx:
            return [one.code for one in auditing.findings(tx)]

    before = found()
    with cited.desk.store.write() as tx:
        tx.provenance.replace_evidence([cited.rows()[0].id], at=at)

    assert before == []
    assert found() == ["evidence.replaced"]


def test_the_log_accounts_for_a_verification_and_for_its_undoing(cited: Cited) -> None:
    """Twice verified, and the later taken back: each row stands as its lines say."""
    cited.file.write_text(CHANGED, encoding="utf-8")
    cited.verify()
    cited.file.write_text(CHANGED.replace("9", "12"), encoding="utf-8")
    later = cited.verify()
    cited.desk.do(Undo(event=later), cited.ada)

    assert [row.stands for row in cited.rows()] == [False, True, False]
    assert cited.desk.memory.check().sound
    with cited.desk.store.read() as tx:
        assert list(auditing.findings(tx)) == []


@pytest.mark.parametrize("many", [False, True])
def test_nothing_that_a_caller_says_of_comparing_counts(cited: Cited, many: bool) -> None:
    """The gateway looks itself, for one command and for several: a row that holds stays."""
    (row,) = cited.rows()
    told = ((row, Verdict("gone")),)
    command = Mark(item=cited.item, action="verify", compared=told, version=1)
    if many:
        cited.desk.memory.do_many([command], cited.ada)
    else:
        cited.desk.do(command, cited.ada)

    assert [one.stands for one in cited.rows()] == [True]
    cited.file.write_text(CHANGED, encoding="utf-8")
    cited.desk.memory.do_many([Mark(item=cited.item, action="verify")], cited.ada)
    assert [one.stands for one in cited.rows()] == [False, True]


def doubts(cited: Cited, *, with_prompt: bool) -> set[str]:
    """The paths that a pack says something of."""
    place = cited.agent.place
    with cited.desk.store.read() as tx:
        items = tx.shelf.standing(
            place.ladder(), now=cited.desk.clock.now(), body_chars=200, limit=50
        )
        told = note_broken(tx.shelf, items, place, with_prompt=with_prompt)
    return {said.partition("@")[0] for said in told.values()}


@pytest.mark.parametrize("with_prompt", [False, True])
def test_with_a_prompt_few_files_are_read_and_no_large_one(
    cited: Cited, with_prompt: bool
) -> None:
    """A person waits for it: what is left out stays as it is on record."""
    large = cited.root / "src" / "large.py"
    large.write_text(TEXT + "# padding\n" * 7_000, encoding="utf-8")
    cited.desk.remember("The large limit is set in src/large.py:3", cited.ada, scope=REPO)
    large.write_text(CHANGED + "# padding\n" * 7_000, encoding="utf-8")
    alone = doubts(cited, with_prompt=with_prompt)
    paths = [cited.root / "src" / f"part{n}.py" for n in range(6)]
    for path in paths:
        path.write_text(TEXT, encoding="utf-8")
        title = f"The limit of {path.stem} is set in src/{path.name}:3"
        cited.desk.remember(title, cited.ada, scope=REPO, distinct=True)
        path.write_text(CHANGED, encoding="utf-8")
    many = {path for path in doubts(cited, with_prompt=with_prompt) if "part" in path}

    assert alone == (set() if with_prompt else {"src/large.py"})
    assert len(many) == (4 if with_prompt else 6)


def test_verifying_binds_to_what_was_shown(cited: Cited) -> None:
    """A file or a text that changes before the key is shown again, and nothing is cited anew."""
    cited.file.write_text(CHANGED, encoding="utf-8")
    _, notes, seen = cited.desk.memory.looked(cited.item, cited.ada)
    cited.file.write_text(CHANGED.replace("9", "12"), encoding="utf-8")
    late = cited.desk.do(Mark(item=cited.item, action="verify", seen=seen), cited.ada)
    stale = cited.belief()
    _, again, seen = cited.desk.memory.looked(cited.item, cited.ada)
    done = cited.desk.do(Mark(item=cited.item, action="verify", seen=seen), cited.ada)

    assert notes == again
    assert (late.code, stale) == ("verify.changed", "stale")
    assert (done.code, cited.belief()) == ("verified", "verified")
    other = Revise(item=cited.item, content=Content(title="The gate limit is in src/gate.py:3"))
    _, _, seen = cited.desk.memory.looked(cited.item, cited.ada)
    cited.desk.do(other, cited.ada)
    last = cited.desk.do(Mark(item=cited.item, action="verify", seen=seen), cited.ada)
    assert last.code == "verify.changed"
