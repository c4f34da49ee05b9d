"""A missing part of the machine is never silently passed over."""

from __future__ import annotations

import pytest

from harness import needs


def test_a_missing_program_is_a_skip_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a developer's machine the test is skipped with what is missing and how to get it."""
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-program is missing here; install"):
        needs.program("no-such-program", "install it")


def test_a_missing_program_is_an_error_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """In CI the same is a failure."""
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no-such-program"):
        needs.program("no-such-program", "install it")


def test_a_present_program_is_given_by_path() -> None:
    """What is there is found."""
    assert needs.program("sh", "").endswith("/sh")
