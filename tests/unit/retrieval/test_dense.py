"""The nearest vectors: exactly, and by their signs first where there are many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieval import dense
from onrecord.retrieval.dense import Matrices, Matrix, Nearest

DIMENSION = 24
VECTORS = st.binary(min_size=DIMENSION, max_size=DIMENSION).filter(any)


def rows(count: int, seed: int = 7) -> list[tuple[str, bytes]]:
    """Vectors of items that can be told apart."""
    numbers = np.random.default_rng(seed).integers(-127, 128, size=(count, DIMENSION))
    return [(f"item-{n:05}", row.astype(np.int8).tobytes()) for n, row in enumerate(numbers)]


def cosine(left: bytes, right: bytes) -> float:
    """As the textbook has it."""
    a, b = (np.frombuffer(one, dtype=np.int8).astype(np.float64) for one in (left, right))
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def nearest(matrices: list[Matrix], vector: bytes, limit: int) -> list[tuple[str, float]]:
    """Over several scopes."""
    found = Nearest()
    for matrix in matrices:
        matrix.add_to(found, vector, limit)
    return found.best(limit)


@given(kept=st.lists(VECTORS, min_size=1, max_size=30), asked=VECTORS, cut=st.integers(0, 30))
def test_the_nearest_are_those_of_the_textbook(kept: list[bytes], asked: bytes, cut: int) -> None:
    """However the vectors are spread over scopes."""
    named = [(f"i{n:02}", vector) for n, vector in enumerate(kept)]
    wanted = sorted(cosine(asked, vector) for vector in kept)[::-1][:5]

    found = nearest([Matrix(named[:cut], DIMENSION), Matrix(named[cut:], DIMENSION)], asked, 5)

    assert [round(value, 5) for _, value in found] == pytest.approx(wanted, abs=1e-4)


def test_an_item_counts_by_its_best_piece() -> None:
    """And once."""
    up, down = bytes([100] * DIMENSION), bytes([156] * DIMENSION)
    found = nearest([Matrix([("a", down), ("a", up), ("b", down)], DIMENSION)], up, 5)

    assert [name for name, _ in found] == ["a", "b"]
    assert found[0][1] == pytest.approx(1.0)


def test_many_are_compared_by_their_signs_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cosines as exactly, and nearly the same items."""
    kept = rows(3_000)
    exact = nearest([Matrix(kept, DIMENSION)], kept[11][1], 10)
    monkeypatch.setattr(dense, "EXACT", 1_000)
    monkeypatch.setattr(dense, "_LEAST", 400)

    found = nearest([Matrix(kept, DIMENSION)], kept[11][1], 10)

    assert found[0][0] == kept[11][0]
    assert found[0][1] == pytest.approx(1.0)
    assert len({name for name, _ in found} & {name for name, _ in exact}) >= 8
    assert all(
        value == pytest.approx(cosine(kept[11][1], dict(kept)[name])) for name, value in found
    )


@pytest.mark.parametrize("exact", [100_000, 1_000])
def test_many_pieces_take_no_items_place_away(monkeypatch: pytest.MonkeyPatch, exact: int) -> None:
    """As many items as are asked for, and the nearest ones; whether there are more is told."""
    monkeypatch.setattr(dense, "EXACT", exact)
    monkeypatch.setattr(dense, "_LEAST", 100_000)
    long = [(f"item-{n:05}", row) for n, (_, row) in enumerate(rows(300)) for _ in range(17)]
    matrix, asked = Matrix(long, DIMENSION), rows(1, seed=8)[0][1]
    wanted = sorted({(name, cosine(asked, row)) for name, row in long}, key=lambda one: -one[1])

    some, every = Nearest(), Nearest()
    matrix.add_to(some, asked, 40)
    matrix.add_to(every, asked, 300)

    assert [name for name, _ in some.best(40)] == [name for name, _ in wanted[:40]]
    assert some.more is True
    assert len(every.found) == 300


def test_whether_there_is_more_is_told_of_any_scope() -> None:
    """Whichever comes first; of all that there is nothing is left."""
    few, many = Matrix(rows(3), DIMENSION), Matrix(rows(50, seed=8), DIMENSION)
    asked = rows(1, seed=9)[0][1]
    for matrices in ([few, many], [many, few]):
        found = Nearest()
        for matrix in matrices:
            matrix.add_to(found, asked, 5)
        assert found.more is True
    whole = Nearest()
    for matrix in (few, many):
        matrix.add_to(whole, asked, 50)

    assert whole.more is False


def test_an_empty_scope_has_nothing_near() -> None:
    """And the mean of nothing is none."""
    found = Nearest()
    Matrix([], DIMENSION).add_to(found, bytes([1] * DIMENSION), 5)

    assert (found.best(5), found.mean, found.count) == ([], 0.0, 0)


def test_matrices_are_kept_while_nothing_changed() -> None:
    """Another stamp makes them anew; another space drops the former's; few scopes are kept."""
    kept, one = Matrices(), Matrix([], DIMENSION)
    kept.keep("s1", "global", 1, one)

    assert kept.get("s1", "global", 1) is one
    assert kept.get("s1", "global", 2) is None
    assert kept.get("s1", "repo", 1) is None
    for n in range(100):
        kept.keep("s1", f"scope {n}", 1, one)
    assert kept.get("s1", "global", 1) is None
    assert kept.get("s1", "scope 99", 1) is one
    kept.keep("s2", "global", 1, one)
    assert kept.get("s1", "scope 99", 1) is None
