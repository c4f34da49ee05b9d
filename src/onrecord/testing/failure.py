"""Expecting an error without a test framework."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Generic, TypeVar

E = TypeVar("E", bound=BaseException)


class Caught(Generic[E]):
    """The error that a block raised; there once the block is left."""

    error: E


@contextmanager
def raises(kind: type[E]) -> Generator[Caught[E]]:
    """Pass where the block raises that kind of error; fail where it raises none."""
    caught: Caught[E] = Caught()
    try:
        yield caught
    except kind as error:
        caught.error = error
        return
    raise AssertionError(f"nothing was raised, {kind.__name__} was expected")
