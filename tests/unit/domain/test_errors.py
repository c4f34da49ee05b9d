"""The tree of errors: drawn in its docstring, each class's docstring its message."""

from __future__ import annotations

import pytest

from onrecord.domain import errors as tree
from onrecord.domain.errors import OnrecordError


def classes(root: type[OnrecordError] = OnrecordError) -> list[type[OnrecordError]]:
    """Every error of the tree, each before those below it."""
    below = [kind for kind in root.__subclasses__() if kind.__module__ == tree.__name__]
    return [root, *(found for kind in below for found in classes(kind))]


def test_the_tree_is_drawn_whole() -> None:
    """Names and codes stand in the module's docstring in the order of the classes."""
    drawn = [
        (words[0], words[-1])
        for line in (tree.__doc__ or "").splitlines()
        if "──" in line and (words := line.strip(" │├└─").split())
    ]

    assert drawn == [(kind.__name__, kind.code) for kind in classes()[1:]]


@pytest.mark.parametrize("kind", classes(), ids=lambda kind: kind.code)
def test_a_bare_error_says_what_happened_and_what_to_do(kind: type[OnrecordError]) -> None:
    """In whole sentences on one line, from the class itself."""
    error = kind()

    assert str(error) == error.message
    assert error.message.endswith(".")
    assert "\n" not in error.message
    assert "  " not in error.message
    assert (error.hint, error.details) == ("", {})


def test_a_code_begins_as_the_family_does() -> None:
    """So that a caller can match all errors of the store by `store`."""
    for family in (tree.Clash, tree.ConfigError, tree.StoreError):
        assert all(kind.code.startswith(f"{family.code}.") for kind in classes(family)[1:])


def test_an_error_may_say_more() -> None:
    """Its own message, a hint and details in place of the defaults."""
    error = tree.StoreFull("No room.", hint="make some", details={"path": "x"})

    assert (str(error), error.hint, error.details) == ("No room.", "make some", {"path": "x"})
    assert isinstance(error, tree.StoreError)
