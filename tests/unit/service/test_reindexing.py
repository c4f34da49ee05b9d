"""Meanings made, completed, changed over and dropped: on both stores, stopped anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desk import REPO, SECRETS, id_of
from harness.swept import canary
from meanings import Letters
from onrecord.domain.embedding import Embedder
from onrecord.domain.errors import (
    Clash,
    ModelMismatch,
    ModelMissing,
    ModelUnreachable,
    NeedsPerson,
    UsageError,
)
from onrecord.domain.item import Content
from onrecord.retrieval import dense
from onrecord.service import vectorizing
from onrecord.service.commands import Approve, Forget, Mark, MoveScope, Revise, Set, Undo
from onrecord.service.meaning import Meaning
from onrecord.service.memory import Memory
from onrecord.service.reindexing import Reindexed, Reindexing

if TYPE_CHECKING:
    from desk import Desk

TOLD = "abracadabra zanzibar hippopotamus cinnamon marzipan"
#: None of its words, and most of its letter groups.
ASKED = " ".join(f"qqx{word}xqq" for word in TOLD.split())


class Place:
    """A desk with models by name, and what uses them."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.models: dict[str, Embedder] = {"letters": Letters()}
        self.meaning = Meaning(self.opened)
        self.reindexing = Reindexing(
            desk.store,
            clock=desk.clock,
            ids=desk.ids,
            secrets=lambda: SECRETS,
            zone=None,
            meaning=self.meaning,
        )
        self.memory = Memory(
            desk.store,
            clock=desk.clock,
            ids=desk.ids,
            secrets=lambda: SECRETS,
            zone=None,
            meaning=self.meaning,
        )

    def opened(self, name: str) -> Embedder:
        """The model of a name."""
        if name not in self.models:
            raise ModelMissing
        return self.models[name]

    def keep(self, *titles: str) -> list[str]:
        """Statements of a person; their ids."""
        made = [self.desk.remember(title, self.desk.ada).item for title in titles]
        return [item.id for item in made if item is not None]

    def fresh(self) -> Place:
        """Another process: the same store, nothing loaded."""
        other = Place(self.desk)
        other.models = dict(self.models)
        return other

    def owed(self) -> int:
        """Entries that wait."""
        return self.reindexing.coverage().owed


@pytest.fixture
def place(desk: Desk) -> Place:
    """A fresh one."""
    return Place(desk)


def test_without_meanings_recall_goes_by_words_and_nothing_is_owed(place: Place) -> None:
    """It says so, and a mode that cannot be had is refused."""
    place.keep(TOLD)

    found = place.memory.recall(ASKED, place.desk.ada)

    assert (found.mode, found.by_words_because, found.hits) == ("lexical", "no_space", ())
    assert place.owed() == 0
    for mode in ("semantic", "hybrid"):
        with pytest.raises(UsageError, match="no index of meanings"):
            place.memory.recall(ASKED, place.desk.ada, mode=mode)


def test_made_once_recall_finds_by_meaning(place: Place) -> None:
    """Every active item is read, with progress; one event says so; `lexical` is by words alone."""
    (told, _) = place.keep(TOLD, "The till closes at nine")
    seen: list[tuple[int, int]] = []

    done = place.reindexing.run(place.desk.ada, "letters", lambda n, of: seen.append((n, of)))

    assert (done.active, done.embedded, done.switched) == (2, 2, True)
    assert seen[-1] == (2, 2)
    found = place.memory.recall(ASKED, place.desk.ada)
    assert found.mode == "hybrid"
    assert [hit.item.id for hit in found.hits] == [told]
    assert found.hits[0].parts["meaning"] > 0
    assert "near in meaning" in found.hits[0].reasons
    assert place.memory.recall(ASKED, place.desk.ada, mode="lexical").hits == ()
    events = place.memory.events(place.desk.ada, limit=1)
    assert (events[0].action, events[0].seq) == ("rebuilt", done.event)
    assert events[0].change == {"model": (None, "letters"), "vectors": (None, 2)}


def test_no_secret_in_a_question_reaches_a_model(place: Place) -> None:
    """It may be a server's; what is kept was redacted before."""
    secret = canary("aB3dE6gH9jK2mN5pQ8rS1tU4")
    place.keep(TOLD)
    place.reindexing.run(place.desk.ada, "letters")
    model = place.models["letters"]
    assert isinstance(model, Letters)

    place.memory.recall(f"what is {secret} for", place.desk.ada)

    assert "what is" in model.asked[-1]
    assert not [text for text in model.asked if secret in text]


def test_a_secret_across_the_end_of_what_is_read_reaches_no_model(place: Place) -> None:
    """It is replaced whole before anything is cut; so it is where an item is read in pieces."""
    secret = canary("aB3dE6gH9jK2mN5pQ8rS1tU4")
    place.desk.remember(
        "The till", place.desk.ada, body="so it is said " * 63 + secret + " and so on" * 90
    )
    place.reindexing.run(place.desk.ada, "letters")
    model = place.models["letters"]
    assert isinstance(model, Letters)
    assert len([text for text in model.asked if text.startswith("The till\n")]) > 1

    for before in range(3_999 - len(secret), 4_000):
        place.memory.recall(("so it is " * 500)[:before] + " " + secret, place.desk.ada)

    assert len(model.asked[-1]) == 4_000
    assert not [text for text in model.asked if secret[:12] in text]


def test_a_further_run_reads_nothing_again(place: Place) -> None:
    """Until it is asked to; and then too recall answers meanwhile."""
    place.keep(TOLD)
    place.reindexing.run(place.desk.ada, "letters")
    again = place.reindexing.run(place.desk.ada, "letters")
    plan = place.reindexing.plan(place.desk.ada, "letters", redo=True)
    redone = place.reindexing.run(place.desk.ada, "letters", redo=True)

    assert (again.embedded, again.switched, again.event) == (0, False, 0)
    assert (plan.embedded, plan.switched) == (1, True)
    assert (redone.embedded, redone.switched) == (1, True)
    coverage = place.reindexing.coverage()
    assert (coverage.having, coverage.building) == (1, ())


def test_making_all_anew_takes_nothing_from_what_answers(place: Place) -> None:
    """Stopped half way, the former is whole and in use; a further run goes on with the new."""
    (told, *_) = place.keep(TOLD, *(f"The shelf number {n} is in hall {n}" for n in range(40)))
    place.reindexing.run(place.desk.ada, "letters")
    model = place.models["letters"]
    assert isinstance(model, Letters)
    model.patience = 20
    with pytest.raises(ModelUnreachable):
        place.reindexing.run(place.desk.ada, "letters", redo=True)
    half = place.reindexing.coverage()
    model.patience = 10**9
    found = place.memory.recall(ASKED, place.desk.ada)
    done = place.fresh().reindexing.run(place.desk.ada, "letters")

    assert (half.model, half.active, half.having) == ("letters", 41, 41)
    assert half.building == ("letters",)
    assert (found.mode, [hit.item.id for hit in found.hits][:1]) == ("hybrid", [told])
    assert 0 < done.embedded < 41
    assert done.switched is True
    whole = place.reindexing.coverage()
    assert (whole.having, whole.building) == (41, ())


def test_to_begin_anew_drops_what_was_begun(place: Place) -> None:
    """It may be of long ago, and is what is to be made anew."""
    place.keep(TOLD, *(f"The shelf number {n} is in hall {n}" for n in range(40)))
    model = place.models["letters"]
    assert isinstance(model, Letters)
    model.patience = 20
    with pytest.raises(ModelUnreachable):
        place.reindexing.run(place.desk.ada, "letters")
    model.patience = 10**9

    assert place.reindexing.plan(place.desk.ada, "letters", redo=True).embedded == 41
    assert place.reindexing.run(place.desk.ada, "letters", redo=True).embedded == 41


def test_what_is_dropped_while_it_is_made_ends_the_run(place: Place) -> None:
    """It is told, and no model reads the store again and again."""
    place.keep(TOLD, *(f"The shelf number {n} is in hall {n}" for n in range(40)))
    model = place.models["letters"]
    assert isinstance(model, Letters)

    def dropped(_done: int, _total: int) -> None:
        place.fresh().reindexing.drop(place.desk.ada)

    with pytest.raises(Clash, match="Somebody else dropped"):
        place.reindexing.run(place.desk.ada, "letters", dropped)

    assert len(model.asked) < 41
    assert place.reindexing.coverage().building == ()


def test_what_is_dropped_when_all_of_it_was_read_ends_the_run(place: Place) -> None:
    """The last look before the change-over finds it gone."""
    place.keep(TOLD)

    def dropped(done: int, total: int) -> None:
        assert done == total
        place.fresh().reindexing.drop(place.desk.ada)

    with pytest.raises(Clash):
        place.reindexing.run(place.desk.ada, "letters", dropped)


def test_another_models_change_over_ends_a_run(place: Place) -> None:
    """Which took the space away; what took over answers."""
    place.keep(TOLD, *(f"The shelf number {n} is in hall {n}" for n in range(40)))
    place.models["other"] = Letters("other", salt="x")

    def another(_done: int, _total: int) -> None:
        place.fresh().reindexing.run(place.desk.ada, "other")

    with pytest.raises(Clash):
        place.reindexing.run(place.desk.ada, "letters", another)

    assert place.reindexing.coverage().model == "other"


def test_two_runs_of_one_model_change_over_once(place: Place) -> None:
    """Whoever comes second finds it done."""
    place.keep(TOLD)
    first: list[Reindexed] = []

    def another(_done: int, _total: int) -> None:
        first.append(place.fresh().reindexing.run(place.desk.ada, "letters"))

    second = place.reindexing.run(place.desk.ada, "letters", another)

    assert (first[0].switched, second.switched, second.event) == (True, False, 0)
    events = place.memory.events(place.desk.ada, limit=10)
    assert len([event for event in events if event.action == "rebuilt"]) == 1


def test_what_is_owed_waits_where_the_space_went_meanwhile(place: Place) -> None:
    """Another one took its place while a model read for the former."""
    place.keep("The till closes at nine")
    place.reindexing.run(place.desk.ada, "letters")
    with place.desk.store.read() as tx:
        (former,) = tx.vectors.spaces()
    place.models["other"] = Letters("other", salt="x")
    place.reindexing.run(place.desk.ada, "other")
    (told,) = place.keep(TOLD)

    with pytest.raises(Clash):
        vectorizing.pay(place.desk.store, former, place.models["letters"])

    assert place.owed() == 1
    assert [hit.item.id for hit in place.memory.recall(ASKED, place.desk.ada).hits] == [told]
    assert place.owed() == 0


def test_what_is_written_afterwards_is_owed_until_somebody_recalls(place: Place) -> None:
    """In the change's own transaction; paid before the answer, so that it is found at once."""
    place.keep("The till closes at nine")
    place.reindexing.run(place.desk.ada, "letters")
    model = place.models["letters"]
    assert isinstance(model, Letters)
    before = len(model.asked)
    (told,) = place.keep(TOLD)
    assert len(model.asked) == before  # no model runs where something is written
    assert place.owed() == 1

    found = place.fresh().memory.recall(ASKED, place.desk.ada)

    assert [hit.item.id for hit in found.hits] == [told]
    assert place.owed() == 0
    assert TOLD in model.asked[before:]


def test_a_revision_is_owed_and_the_earlier_meaning_not_told(place: Place) -> None:
    """What it said before finds it no longer."""
    (item,) = place.keep(TOLD)
    place.reindexing.run(place.desk.ada, "letters")
    place.desk.do(Revise(item=item, content=Content(title="The till closes")), place.desk.ada)
    assert place.owed() == 1

    assert place.memory.recall(ASKED, place.desk.ada).hits == ()
    assert place.owed() == 0
    assert place.reindexing.coverage().having == 1


def test_what_moves_or_comes_back_is_not_read_again(place: Place) -> None:
    """A meaning is the text's: a scope's other name, its undoing, archive and restore keep it."""
    old, ada = "repo:path:/src/shop", place.desk.ada
    moving = [id_of(place.desk.remember(f"{TOLD} {n}", ada, scope=old)) for n in range(3)]
    (away,) = place.keep("The till closes at nine")
    place.reindexing.run(ada, "letters")
    model = place.models["letters"]
    assert isinstance(model, Letters)
    before = len(model.asked)

    place.desk.do(MoveScope(old=old, new=REPO, way="merge"), ada)
    found = place.memory.recall(ASKED, ada, mode="semantic")
    assert sorted(hit.item.id for hit in found.hits[:3]) == sorted(moving)
    assert {hit.item.scope for hit in found.hits[:3]} == {REPO}
    place.desk.do(Undo(), ada)
    place.desk.do(Mark(action="archive", item=away), ada)
    place.desk.do(Mark(action="restore", item=away), ada)

    assert place.owed() == 0
    assert place.reindexing.coverage().having == 4
    assert set(model.asked[before:]) == {ASKED}
    # what says something else now is read, wherever it is
    place.desk.do(Revise(item=away, content=Content(title="The till closes at ten")), ada)
    place.desk.do(Mark(action="archive", item=away), ada)
    place.desk.do(Mark(action="restore", item=away), ada)
    place.memory.recall(ASKED, ada)
    assert "The till closes at ten" in model.asked


def test_a_run_that_was_stopped_goes_on_where_it_was(place: Place) -> None:
    """What was embedded stays; recall goes on by words until all of it is there."""
    place.keep(TOLD, *(f"The shelf number {n} is in hall {n}" for n in range(40)))
    model = place.models["letters"]
    assert isinstance(model, Letters)
    model.patience = 20
    with pytest.raises(ModelUnreachable):
        place.reindexing.run(place.desk.ada, "letters")
    half = place.reindexing.coverage()
    assert (half.model, half.building) == ("", ("letters",))
    assert place.memory.recall(ASKED, place.desk.ada).mode == "lexical"

    model.patience = 10**9
    done = place.fresh().reindexing.run(place.desk.ada, "letters")

    assert 0 < done.embedded < 41
    assert place.reindexing.coverage().having == 41
    assert place.memory.recall(ASKED, place.desk.ada).mode == "hybrid"


def test_another_model_is_made_beside_and_takes_over_at_once(place: Place) -> None:
    """The former answers until then; vectors of the two are never compared."""
    place.keep(TOLD, "The till closes at nine")
    place.reindexing.run(place.desk.ada, "letters")
    place.models["other"] = other = Letters("other", salt="x")
    other.patience = 1
    with pytest.raises(ModelUnreachable):
        place.reindexing.run(place.desk.ada, "other")
    assert place.reindexing.coverage().model == "letters"
    assert place.memory.recall(ASKED, place.desk.ada).mode == "hybrid"

    other.patience = 10**9
    done = place.reindexing.run(place.desk.ada, "other")

    standing = place.reindexing.coverage()
    assert done.switched is True
    assert (standing.model, standing.building, standing.having) == ("other", (), 2)
    with place.desk.store.read() as tx:
        assert [space.spec for space in tx.vectors.spaces()] == [other.spec]
    assert place.memory.recall(ASKED, place.desk.ada).mode == "hybrid"


def test_a_model_that_changed_under_its_name_is_refused_by_name(place: Place) -> None:
    """Recall says why and goes by words; asked for by mode it is an error; a new run mends it."""
    (told,) = place.keep(TOLD)
    place.reindexing.run(place.desk.ada, "letters")
    later = place.fresh()
    later.models["letters"] = Letters(salt="changed")

    found = later.memory.recall("cinnamon", place.desk.ada)

    assert (found.mode, found.by_words_because) == ("lexical", "embedding.mismatch")
    assert "embedding.mismatch" in found.mode_told
    assert [hit.item.id for hit in found.hits] == [told]
    with pytest.raises(ModelMismatch, match="digest differs"):
        later.memory.recall("cinnamon", place.desk.ada, mode="hybrid")
    later.reindexing.run(place.desk.ada, "letters")
    assert later.memory.recall("cinnamon", place.desk.ada).mode == "hybrid"


def test_a_model_that_is_gone_lets_recall_go_by_words(place: Place) -> None:
    """And owed work waits for it."""
    (told,) = place.keep(TOLD)
    place.reindexing.run(place.desk.ada, "letters")
    later = place.fresh()
    later.models.clear()
    place.keep("The till closes at nine")

    found = later.memory.recall("cinnamon", place.desk.ada)

    assert (found.mode, found.by_words_because) == ("lexical", "embedding.missing")
    assert [hit.item.id for hit in found.hits] == [told]
    assert place.owed() == 1


def test_what_is_put_away_or_forgotten_is_not_found_by_meaning(place: Place) -> None:
    """At once, whatever a process keeps in memory; brought back it is found again."""
    words = TOLD.split()
    first, second, third = place.keep(TOLD, " ".join(words[:-1]), " ".join(words[1:]))
    place.reindexing.run(place.desk.ada, "letters")
    assert {hit.item.id for hit in place.memory.recall(ASKED, place.desk.ada).hits} == {
        first,
        second,
        third,
    }
    place.desk.do(Mark(item=first, action="archive"), place.desk.ada)
    place.desk.do(Forget(item=second), place.desk.ada)
    assert [hit.item.id for hit in place.memory.recall(ASKED, place.desk.ada).hits] == [third]
    with place.desk.store.read() as tx:
        space = tx.vectors.spaces()[0].id
        assert [item for item, _ in tx.vectors.of(space, REPO)] == [third]

    place.desk.do(Mark(item=first, action="restore"), place.desk.ada)
    assert {hit.item.id for hit in place.memory.recall(ASKED, place.desk.ada).hits} == {
        first,
        third,
    }


def test_meanings_of_other_scopes_and_of_what_waits_are_not_told(place: Place) -> None:
    """The best possible match elsewhere is absent by exclusion, and found where it belongs."""
    agent, elsewhere = place.desk.agent(), place.desk.elsewhere()
    proposed = place.desk.remember(TOLD, agent, scope="repo").item
    assert proposed is not None
    assert proposed.status == "proposed"
    place.reindexing.run(place.desk.ada, "letters")
    assert place.memory.recall(ASKED, agent).hits == ()
    with place.desk.store.read() as tx:
        space = tx.vectors.spaces()[0]
        assert tx.vectors.of(space.id, REPO) == []

    approve = Approve(item=proposed.id, seen=proposed.head.digest)
    assert place.desk.do(approve, place.desk.ada_typed).code in ("approved", "created", "updated")
    found = place.memory.recall(ASKED, agent)
    other = place.memory.recall(ASKED, elsewhere)

    assert (found.mode, [hit.item.id for hit in found.hits]) == ("hybrid", [proposed.id])
    assert (other.mode, other.hits) == ("hybrid", ())


def test_what_may_not_be_found_takes_no_place_away(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much of another kind is nearer."""
    monkeypatch.setattr("onrecord.service.meaning.NEAR", 2)
    words = TOLD.split()
    for n in range(12):
        place.keep(f"{TOLD} {words[n % 5]} {n}")
    wanted = place.desk.remember("zanzibar marzipan", place.desk.ada, kind="decision").item
    assert wanted is not None
    place.reindexing.run(place.desk.ada, "letters")

    found = place.memory.recall(ASKED, place.desk.ada, kinds=["decision"], mode="semantic")

    assert [hit.item.id for hit in found.hits] == [wanted.id]


def test_a_thing_of_many_pieces_takes_no_places_away(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where its own pieces are nearer than anything else."""
    monkeypatch.setattr("onrecord.service.meaning.NEAR", 2)
    place.desk.remember(TOLD, place.desk.ada, body=f"{TOLD}. " * 300)
    for n in range(12):
        place.keep(f"{TOLD} {n}")
    wanted = place.desk.remember("zanzibar marzipan", place.desk.ada, kind="decision").item
    assert wanted is not None
    place.reindexing.run(place.desk.ada, "letters")

    found = place.memory.recall(ASKED, place.desk.ada, kinds=["decision"], mode="semantic")

    assert [hit.item.id for hit in found.hits] == [wanted.id]


def test_what_is_kept_ready_is_read_anew_only_where_it_changed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not with each line of the log; with every change of what has a meaning."""
    read: list[int] = []
    whole = dense.Matrix.__init__

    def counted(self: dense.Matrix, *given: Any) -> None:
        read.append(1)
        whole(self, *given)

    monkeypatch.setattr(dense.Matrix, "__init__", counted)
    (first, second) = place.keep(TOLD, "The till closes at nine")
    place.reindexing.run(place.desk.ada, "letters")

    def seen() -> int:
        place.memory.recall(ASKED, place.desk.ada)
        count = len(read)
        read.clear()
        return count

    assert seen() > 0
    place.desk.do(Set(name="review", value="all"), place.desk.ada_typed)
    assert seen() == 0
    place.desk.do(Mark(item=second, action="archive"), place.desk.ada)
    assert seen() > 0
    place.desk.do(Forget(item=first), place.desk.ada)
    assert seen() > 0
    assert seen() == 0


def test_the_past_is_found_by_words(place: Place) -> None:
    """Vectors are of what is current, so an earlier instant has none."""
    place.keep(TOLD)
    place.reindexing.run(place.desk.ada, "letters")
    now = place.desk.clock.now()

    assert place.memory.recall("cinnamon", place.desk.ada, as_of=now).mode == "lexical"
    with pytest.raises(UsageError, match="by words alone"):
        place.memory.recall("cinnamon", place.desk.ada, as_of=now, mode="hybrid")


def test_only_a_person_makes_changes_or_drops_meanings(place: Place) -> None:
    """An agent is refused, and nothing is read by any model."""
    place.keep(TOLD)
    agent = place.desk.agent()
    for ask in (
        lambda: place.reindexing.run(agent, "letters"),
        lambda: place.reindexing.plan(agent, "letters"),
        lambda: place.reindexing.drop(agent),
    ):
        with pytest.raises(NeedsPerson):
            ask()
    model = place.models["letters"]
    assert isinstance(model, Letters)
    assert model.asked == []

    place.reindexing.run(place.desk.ada, "letters")
    assert place.reindexing.drop(place.desk.ada) > 0
    assert place.reindexing.drop(place.desk.ada) == 0
    assert place.memory.recall("cinnamon", place.desk.ada).mode == "lexical"
    place.keep("The till closes at nine")
    assert place.owed() == 0


def test_a_person_who_wants_none_has_none(place: Place) -> None:
    """`model = "none"`: what was made is left alone and not used."""
    place.keep(TOLD)
    place.reindexing.run(place.desk.ada, "letters")
    off = Memory(
        place.desk.store,
        clock=place.desk.clock,
        ids=place.desk.ids,
        secrets=lambda: SECRETS,
        zone=None,
        meaning=Meaning(place.opened, off=True),
    )

    found = off.recall("cinnamon", place.desk.ada)
    assert (found.mode, found.by_words_because, found.mode_told) == ("lexical", "off", "")
