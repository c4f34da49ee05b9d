"""Nothing in the program knows that it is being tested: a test's person is one as any other."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from corpora import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What a program that behaves otherwise under test would have to ask for.
SIGNS: Final = ("pytest", "hypothesis", "unittest", "onrecord_test", "onrecord.testing")
#: What runs tests or is made for them, and is part of no door's answers.
APART: Final = ("onrecord/evals/", "onrecord/testing/")
#: Where it is decided who acts, and through what.
DECIDING: Final = (
    "onrecord/policy/person.py",
    "onrecord/capture/process.py",
    "onrecord/service/who.py",
    "onrecord/doors/python/principal.py",
)


def asked(source: str) -> Iterator[str]:
    """Names that are imported and texts that are used, docstrings aside, in small letters."""
    tree = ast.parse(source)
    prose = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.lower() for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").lower()
        elif isinstance(node, ast.Constant) and id(node) not in prose:
            yield node.value.lower() if isinstance(node.value, str) else ""


def signs(source: str) -> set[str]:
    """What of a test run is asked for; a text counts where it is a name and not a sentence."""
    return {
        sign
        for text in asked(source)
        if " " not in text
        for sign in SIGNS
        if text.startswith(sign)
    }


def test_no_door_knows_of_tests() -> None:
    """In every room that answers anybody."""
    source = ROOT / "src"
    seen = 0
    for path in sorted(source.rglob("*.py")):
        name = path.relative_to(source).as_posix()
        if name.startswith(APART):
            continue
        seen += 1
        assert not signs(path.read_text(encoding="utf-8")), name

    assert seen > len(DECIDING)


def test_who_acts_is_decided_without_a_variable_of_ours() -> None:
    """Agents' variables make an agent of somebody; none of ours makes a person."""
    for name in DECIDING:
        texts = list(asked((ROOT / "src" / name).read_text(encoding="utf-8")))
        assert texts, name
        assert not [text for text in texts if text.startswith("onrecord_")], name


def test_a_back_door_would_be_seen() -> None:
    """The check tells the two apart."""
    doors = (
        "import os\nif os.environ.get('PYTEST_CURRENT_TEST'): pass",
        "import sys\nif 'pytest' in sys.modules: pass",
        "from onrecord.testing.builders import FixedClock",
        "import os\nos.environ['ONRECORD_TEST_PERSON']",
    )

    assert all(signs(door) for door in doors)
    assert not signs('"""Not for pytest."""\nsay = "the testing of gates"\nimport os')
