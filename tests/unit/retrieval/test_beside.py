"""A turn of a conversation is read in the light of what was said around it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from library import REPO
from onrecord.domain.principal import Principal
from onrecord.domain.time import DAY
from onrecord.retrieval.dense import Meant
from onrecord.retrieval.recall import recall
from onrecord.retrieval.terms import read_units

if TYPE_CHECKING:
    from collections.abc import Callable

    from library import Library
    from onrecord.domain.candidate import Candidate
    from onrecord.domain.item import Item

ADA, BEN = Principal.person("ada"), Principal.person("ben")


def say(library: Library, *turns: tuple[Principal, str], session: str = "talk") -> list[Item]:
    """Keep turns of one session, in order."""
    return [
        library.put(text, author=replace(party, session=session), kind="note")
        for party, text in turns
    ]


def talk(library: Library, *, second: Principal = BEN) -> list[Item]:
    """A conversation about a tortoise, and one about nothing of the kind."""
    said = say(
        library,
        (ADA, "Good to see you again after the holidays"),
        (second, "What did your sister name the tortoise?"),
        (ADA, "Herman, after our uncle!"),
        (second, "That suits a slow fellow"),
        (ADA, "We had better go inside, it rains"),
        (second, "Let us sit by the window then"),
    )
    say(
        library,
        (ADA, "The veranda was repainted"),
        (second, "Which colour did they choose?"),
        (ADA, "A dark green one"),
        (second, "Sounds lovely"),
        (ADA, "It dries until Monday"),
        session="other",
    )
    return said


def found(library: Library, text: str, **given: Any) -> list[Candidate]:
    """What a recall of ten finds."""
    with library.store.read() as tx:
        now = library.maker.clock.now()
        return recall(tx.shelf, text, ["global", REPO], now, 10, **given).hits


def meant(library: Library, *cosines: tuple[Item, float]) -> Meant:
    """What a model would have said of some turns."""
    known = {one.id: one for one in standing(library)}
    return Meant([(known[item.id], cosine) for item, cosine in cosines], mean=0.1, count=100)


def standing(library: Library) -> list[Candidate]:
    """Everything that is kept."""
    with library.store.read() as tx:
        now = library.maker.clock.now()
        return tx.shelf.standing(["global", REPO], now=now, body_chars=2_000, limit=50)


def test_a_turn_that_meaning_brings_up_lends_its_nearness(library: Library) -> None:
    """To the turns up to two away, and to nothing in another conversation."""
    said = talk(library)
    near = meant(library, (said[1], 0.6), (said[4], 0.3), (said[0], 0.05))

    hits = {hit.id: hit for hit in found(library, "how was that pet called again", meant=near)}

    around = {name: hit.parts.get("meaning_around", 0.0) for name, hit in hits.items()}
    assert next(iter(hits)) == said[1].id
    assert around[said[1].id] == 0
    assert around[said[4].id] == 0
    lit = found(library, "name of the sister's tortoise", meant=near)
    parts = {hit.id: hit.parts for hit in lit}
    assert parts[said[2].id]["meaning_around"] == parts[said[3].id]["meaning_around"] > 0
    assert set(parts) <= {item.id for item in said}


def test_what_one_party_keeps_lends_no_nearness(library: Library) -> None:
    """Statements of one agent stand for themselves, by meaning as by words."""
    said = talk(library, second=ADA)
    near = meant(library, (said[1], 0.6), (said[2], 0.5))

    hits = found(library, "how was that pet called again", meant=near)

    assert [hit.id for hit in hits] == [said[1].id, said[2].id]
    assert not any("meaning_around" in hit.parts for hit in hits)


def all_but(hidden: Item) -> Callable[[Candidate], bool]:
    """What lets a caller see everything else."""

    def sees(item: Candidate) -> bool:
        return item.id != hidden.id

    return sees


def test_an_answer_without_a_word_of_the_question_comes_up_beside_it(library: Library) -> None:
    """Right behind the turn that asks, and nothing from a conversation about something else."""
    said = talk(library)

    ids = [hit.id for hit in found(library, "name of the sister's tortoise")]

    assert ids[0] == said[1].id
    assert said[2].id in ids[:3]
    assert set(ids) <= {item.id for item in said}


def test_it_says_why_a_turn_came_up(library: Library) -> None:
    """What it matched, and that the rest stood beside it."""
    said = talk(library)

    hits = {hit.id: hit for hit in found(library, "name of the sister's tortoise")}

    assert "said next to what matches" in hits[said[2].id].reasons
    assert hits[said[2].id].parts["context"] > 0
    assert not any(reason.startswith("matches") for reason in hits[said[2].id].reasons)


def test_what_one_party_keeps_in_its_session_stands_for_itself(library: Library) -> None:
    """Statements of one agent are no conversation: a neighbour that says nothing stays away."""
    said = talk(library, second=ADA)

    hits = found(library, "name of the sister's tortoise")

    assert [hit.id for hit in hits] == [said[1].id]
    assert "context" not in hits[0].parts


def test_nothing_hidden_lights_anything_up(library: Library) -> None:
    """A turn that the caller may not see gives nothing to its neighbours and does not come up."""
    said = talk(library)
    asked = "name of the sister's tortoise"

    assert found(library, asked, visible=all_but(said[1])) == []
    seen = [hit.id for hit in found(library, asked, visible=all_but(said[2]))]
    assert said[1].id in seen
    assert said[2].id not in seen


def test_what_is_forgotten_gives_nothing_to_its_neighbours(library: Library) -> None:
    """Neither the erased turn nor the answer beside it is found by its words any more."""
    said = talk(library)
    with library.store.write() as tx:
        tx.items.erase(said[1].id, library.maker.tick())
        tx.index.drop(said[1].id)

    assert found(library, "sister tortoise") == []


def test_turns_of_another_day_are_no_neighbours(library: Library) -> None:
    """A session that goes on a day later begins to speak of something else."""
    say(library, (ADA, "Good morning"), (BEN, "We looked for the tortoise"))
    library.maker.tick(DAY)
    later = say(library, (ADA, "Herman it is"), (BEN, "Fine by me"), (ADA, "So be it"))

    ids = [hit.id for hit in found(library, "who looked for the tortoise")]

    assert len(ids) >= 1
    assert not {item.id for item in later} & set(ids)


def test_kinds_that_were_not_asked_for_do_not_come_up(library: Library) -> None:
    """A neighbour of another kind gives its light, but stays away itself."""
    said = talk(library)
    rule = library.put(
        "Mind the step", kind="rule", author=replace(BEN, session="talk"), created_at=1
    )

    ids = [hit.id for hit in found(library, "tortoise of the sister", kinds=["note"])]

    assert said[1].id in ids
    assert rule.id not in ids


def test_a_named_day_is_looked_for_in_when_it_was_said(library: Library) -> None:
    """Where a question names a month, the day on which something was recorded answers it."""
    first = library.put("Ada went to the museum", author=ADA)
    library.maker.tick(200 * DAY)
    second = library.put("Ada went to the museum shop", author=ADA)

    hits = found(library, "where did ada go on 1 January 2026?")
    assert hits[0].id == first.id
    hits = found(library, "where did ada go in July 2026?")
    assert hits[0].id == second.id


def test_whom_a_question_names_is_heard_first(library: Library) -> None:
    """Of two turns that say as much, the one by the person who is named."""
    said = say(
        library,
        (ADA, "The harbour was lovely in the evening light"),
        (BEN, "The harbour was lovely in the morning light"),
        (ADA, "We should go there again"),
        (BEN, "Next time by boat"),
    )

    assert found(library, "what did Ben say of the harbour")[0].id == said[1].id
    assert found(library, "what did Ada say of the harbour")[0].id == said[0].id
    assert found(library, "what did Ada say of the harbour")[0].parts["author"] > 0


def test_the_month_of_may_is_a_day_and_a_wish_is_none(library: Library) -> None:
    """May beside a number asks for a day."""
    library.maker.tick(130 * DAY)  # 11 May 2026
    spring = library.put("Ada went to the museum", author=ADA)
    library.maker.tick(100 * DAY)
    library.put("Ada went to the museum shop", author=ADA)

    assert found(library, "Where did Ada go in May 2026?")[0].id == spring.id
    assert [unit.key for unit in read_units("What may Ada do?")] == ["ada"]
