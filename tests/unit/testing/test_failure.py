"""Expecting an error needs no test framework, and the suites need none either."""

from __future__ import annotations

import subprocess
import sys

import pytest

from onrecord.testing.failure import raises


def test_the_expected_error_passes_and_is_told() -> None:
    """Subclasses count."""
    with raises(LookupError) as caught:
        dict[str, int]()["x"]

    assert isinstance(caught.error, KeyError)


def test_no_error_fails() -> None:
    """A block that goes through is a failed expectation."""
    with pytest.raises(AssertionError, match="KeyError was expected"), raises(KeyError):
        pass


def test_another_error_comes_through() -> None:
    """It is not taken for the expected one."""
    with pytest.raises(ZeroDivisionError), raises(KeyError):
        raise ZeroDivisionError


def test_the_suites_import_no_test_framework() -> None:
    """A third party may run them under any that collects methods."""
    code = (
        "import sys, onrecord.testing.store_suite, onrecord.testing.side_by_side;"
        "sys.exit(any(name in sys.modules for name in ('pytest', 'hypothesis', 'apsw')))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)

    assert (done.returncode, done.stderr) == (0, b"")
