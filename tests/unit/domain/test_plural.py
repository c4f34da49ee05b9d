"""Numbers of things, in words that fit the number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corpora import ROOT
from onrecord.domain.plural import counted, fits

#: A number in braces, then a noun that is always several.
ALWAYS_SEVERAL = re.compile(
    r"(?<!of )\{[^{}]*\} (?:memories|items|proposals|tasks|findings|records|entries|sections"
    r"|answers|versions|sessions|events|files|handoffs|copies|documents|messages|lines|commits)\b"
)
#: Where it is a part of several, a limit, or at least two, or one is told from several.
KNOWN = ("if len(", "if n == 1", "== 1 else", "MAX_", "holds more than", "sightings")


@pytest.mark.parametrize(
    ("number", "one", "says"),
    [
        (0, "memory", "0 memories"),
        (1, "memory", "1 memory"),
        (2, "memory", "2 memories"),
        (1, "day", "1 day"),
        (2, "day", "2 days"),
        (1_200, "byte", "1,200 bytes"),
        (3, "more line", "3 more lines"),
    ],
)
def test_the_noun_fits_the_number(number: int, one: str, says: str) -> None:
    """One is one, anything else is several."""
    assert counted(number, one) == says


def test_the_verb_fits_the_number() -> None:
    """One is, several are, none are."""
    assert [fits(n, "is", "are") for n in (0, 1, 2)] == ["are", "is", "are"]


def test_no_command_says_one_of_several() -> None:
    """What a command or an outcome says counts in words that fit."""
    folders = (ROOT / "src/onrecord/doors", ROOT / "src/onrecord/service")
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for folder in folders
        for path in sorted(Path(folder).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ALWAYS_SEVERAL.search(line) and not any(word in line for word in KNOWN)
    ]

    assert found == []
