"""Vectors of what a model gives."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.domain.embedding import vector_of
from onrecord.domain.errors import ModelMismatch


@given(values=st.lists(st.floats(), min_size=0, max_size=6))
def test_numbers_become_a_direction_or_are_refused(values: list[float]) -> None:
    """Whatever they are and wherever they stand, nothing else is raised."""
    if any(values) and all(map(math.isfinite, values)):
        made = vector_of(values)
        assert len(made) == len(values)
        assert max(abs(byte - 256 if byte > 127 else byte) for byte in made) == 127
    else:
        with pytest.raises(ModelMismatch):
            vector_of(values)


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_is_no_number_is_refused_wherever_it_stands(odd: float, place: int) -> None:
    """A maximum alone passes by a later one that is no number."""
    values = [1.0, -0.5]
    values.insert(place, odd)

    with pytest.raises(ModelMismatch):
        vector_of(values)
