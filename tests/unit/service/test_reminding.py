"""Which paths a reminder's globs mean, and which words of a prompt are paths."""

from __future__ import annotations

import pytest

from onrecord.service.reminding import paths_in, touches


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("src/pay/**", "src/pay/refund.py", True),
        ("src/pay/**", "src/pay/a/b/c.py", True),
        ("src/pay/**", "src/pay", True),
        ("src/pay/**", "src/payroll/x.py", False),
        ("src/pay", "src/pay/refund.py", True),
        ("src/pay/", "src/pay", True),
        ("src/pay", "src/payroll", False),
        ("./src/pay", "src/pay/x.py", True),
        ("**/refund.py", "refund.py", True),
        ("**/refund.py", "a/b/refund.py", True),
        ("**/refund.py", "a/b/refund.pyc", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("src/?.py", "src/a.py", True),
        ("src/?.py", "src/ab.py", False),
        ("*", "a", True),
        ("*", "a/b", False),
        ("**", "a/b", True),
        ("a/**/z", "a/z", True),
        ("a/**/z", "a/b/c/z", True),
        ("a/**/z", "a/b/c/y", False),
        ("", "a", False),
        ("a", "", False),
    ],
)
def test_a_glob_means_the_paths_below_it(glob: str, path: str, *, fits: bool) -> None:
    """Stars stay inside a name, two of them go over folders, a plain path means what is below."""
    assert touches(glob, path) is fits


def test_a_hostile_glob_takes_no_time() -> None:
    """Its cost is the product of two lengths, whatever it says."""
    assert not touches("*a" * 40 + "b", "a" * 200)
    assert not touches("**/" * 40 + "x", "/".join(["a"] * 200))


def test_paths_are_read_out_of_a_prompt() -> None:
    """With the punctuation around them and a line number behind them left out."""
    said = "Look at `src/pay/refund.py:12`, ./docs/a.md and (README.md). Then go on."

    assert paths_in(said)[:3] == ["src/pay/refund.py", "docs/a.md", "README.md"]
    assert paths_in("no path in here") == []
