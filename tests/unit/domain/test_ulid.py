"""Identifiers that sort by time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onrecord.domain.ulid import LENGTH, encode, is_ulid, normalise

INSTANTS = st.integers(0, 1000 * (2**48 - 1))
CHANCE = st.binary(min_size=10, max_size=10)


@given(INSTANTS, CHANCE)
def test_an_id_has_one_form(at: int, entropy: bytes) -> None:
    """26 characters, and what a person types of it in small letters is the same id."""
    made = encode(at, entropy)

    assert len(made) == LENGTH
    assert is_ulid(made)
    assert normalise(f" {made.lower()}\n") == made


@given(INSTANTS, INSTANTS, CHANCE, CHANCE)
def test_ids_sort_by_time_and_then_by_chance(one: int, two: int, a: bytes, b: bytes) -> None:
    """Instants of one millisecond are told apart by their random bytes alone."""
    first, second = (one // 1000, a), (two // 1000, b)

    assert (encode(one, a) < encode(two, b)) == (first < second)


def test_an_id_is_what_the_standard_says() -> None:
    """48 bits of milliseconds, 80 of chance, in Crockford's alphabet."""
    assert encode(0, bytes(10)) == "0" * 26
    assert encode(1_469_918_176_385_000, b"\xff" * 10) == "01ARYZ6S41" + "Z" * 16


def test_letters_that_look_like_digits_are_read_as_digits() -> None:
    """The alphabet has no I, L or O."""
    assert normalise("o1il") == "0111"
    assert not is_ulid("O" + "0" * 25)
    assert not is_ulid("0" * 25)
    assert not is_ulid("")
