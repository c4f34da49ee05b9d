"""The same idempotency key and payload: the same answer, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.domain.errors import BadField
from onrecord.domain.outcome import Created, Proposed, Refused
from onrecord.service.commands import Forget

if TYPE_CHECKING:
    from desk import Desk


def test_a_retry_gives_the_same_answer_and_writes_nothing(desk: Desk) -> None:
    """Code, item and undo id are those of the first answer; one event, one item."""
    first = desk.remember("Night buses charge", desk.ada, idempotency_key="k1")
    second = desk.remember("Night buses charge", desk.ada, idempotency_key="k1")

    assert isinstance(second, Created)
    assert (second.code, second.undo, id_of(second)) == (first.code, first.undo, id_of(first))
    assert desk.actions(id_of(first)) == ["created"]


def test_the_same_key_for_another_payload_is_an_error(desk: Desk) -> None:
    """The second text is not stored under the first one's answer."""
    desk.remember("Night buses charge", desk.ada, idempotency_key="k1")

    with pytest.raises(BadField) as caught:
        desk.remember("Day buses charge", desk.ada, idempotency_key="k1")

    assert caught.value.details["field"] == "idempotency_key"
    assert desk.memory.status(desk.ada).items == {"active": 1}


def test_a_key_is_one_partys_own(desk: Desk) -> None:
    """Another agent may use the same word for a request of its own."""
    first = desk.remember("Night buses charge", desk.agent(), idempotency_key="k1")
    other = desk.agent("claude-code", "c1")
    second = desk.remember("Day buses charge", other, idempotency_key="k1")

    assert isinstance(first, Proposed)
    assert isinstance(second, Proposed)
    assert id_of(first) != id_of(second)


def test_the_place_is_part_of_the_request(desk: Desk) -> None:
    """The default scope follows the place, so another place is another request."""
    desk.remember("Night buses charge", desk.agent(), idempotency_key="k1")

    with pytest.raises(BadField):
        desk.remember("Night buses charge", desk.elsewhere(), idempotency_key="k1")


def test_a_refusal_is_repeated_too(desk: Desk) -> None:
    """The answer to a request that was refused stays a refusal."""
    first = desk.remember("", desk.ada, idempotency_key="k1")
    second = desk.remember("", desk.ada, idempotency_key="k1")

    assert isinstance(first, Refused)
    assert isinstance(second, Refused)
    assert second.code == first.code


def test_erasing_blanks_the_answer_and_a_retry_does_not_write_again(desk: Desk) -> None:
    """Even a text too short for a tombstone stays away when its request is sent again."""
    first = desk.remember("Charge buses", desk.ada, idempotency_key="k1")
    desk.do(Forget(item=id_of(first)), desk.ada)
    second = desk.remember("Charge buses", desk.ada, idempotency_key="k1")

    assert isinstance(second, Refused)
    assert second.code == "idempotency.erased"
    assert desk.memory.status(desk.ada).items == {"forgotten": 1}


def test_neither_key_nor_question_is_kept_as_text(desk: Desk) -> None:
    """Keys can hold text, and a question back repeats the words that it asks about."""
    asked = desk.remember("The feed moved recently", desk.ada, idempotency_key="feed moved")
    again = desk.remember("The feed moved recently", desk.ada, idempotency_key="feed moved")
    with desk.store.read() as tx:
        known = tx.answers.get("person:ada", "feed moved")

    assert "recently" in asked.say
    assert known is None
    assert again.code == "dates.ask"
    assert "recently" not in again.say


def test_a_key_has_a_limit(desk: Desk) -> None:
    """Not a place for texts."""
    with pytest.raises(BadField):
        desk.remember("Night buses charge", desk.ada, idempotency_key="k" * 201)
