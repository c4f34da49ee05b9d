"""Numbers given on the command line."""

from __future__ import annotations

import argparse


def positive(text: str) -> int:
    """A whole number of at least 1."""
    if not text.isdecimal() or not 1 <= int(text) <= 1_000_000:  # noqa: PLR2004 - sane bound
        raise argparse.ArgumentTypeError("give a whole number of at least 1")
    return int(text)
