"""What is read off source text is what stands there: each check sees the thing it is for."""

from __future__ import annotations

import ast

import pytest

from harness import sourcecode as code

IMPORTS = '''
"""import json"""
import os.path
from onrecord.domain import item
if TYPE_CHECKING:
    import typing
    from a import b
else:
    import errno
try:
    import fast
except ImportError:
    import slow
class C:
    import inside
    def f(self):
        import late
        with x:
            from . import near
        def g():
            import later
match x:
    case 1:
        import matched
'''


def test_imports_are_found_with_the_moment_they_act() -> None:
    """Loading, use and typing are told apart, at any depth; text is no import."""
    found = {one.module: one.when for one in code.imports(ast.parse(IMPORTS))}

    assert found == {
        "os.path": "start",
        "onrecord.domain": "start",
        "onrecord.domain.item": "start",
        "typing": "types",
        "a": "types",
        "a.b": "types",
        "errno": "start",
        "fast": "start",
        "slow": "start",
        "inside": "start",
        "matched": "start",
        "late": "use",
        ".": "use",
        "..near": "use",
        "later": "use",
    }


@pytest.mark.parametrize(
    "text",
    [
        "SELECT id FROM items",
        "\n  INSERT INTO items VALUES (1)",
        "INSERT OR IGNORE INTO items VALUES (1)",
        "UPDATE items SET x = 1",
        "DELETE FROM items",
        "CREATE TABLE x (y)",
        "CREATE VIRTUAL TABLE x USING fts5(y)",
        "PRAGMA secure_delete = ON",
        "BEGIN IMMEDIATE",
        "COMMIT",
        "WITH recent AS (SELECT 1) SELECT * FROM recent",
    ],
)
def test_sql_is_seen(text: str) -> None:
    """A statement of SQL is seen wherever it stands in the code."""
    source = f"def f():\n    return run({text!r})\n"

    assert [line for line, _ in code.sql_texts(ast.parse(source))] == [2]


@pytest.mark.parametrize(
    "text",
    ["Select an item first.", "Update failed", "begin", "with care, as ever", "PRAGMATIC", ""],
)
def test_prose_is_not_sql(text: str) -> None:
    """Sentences that begin with the same words are not statements."""
    assert list(code.sql_texts(ast.parse(f"x = {text!r}"))) == []


def test_a_docstring_is_not_sql() -> None:
    """A docstring that shows a statement is prose, the same text in the code is not."""
    source = 'def f():\n    """SELECT a FROM b"""\n    return """SELECT a FROM b"""\n'

    assert [line for line, _ in code.sql_texts(ast.parse(source))] == [3]


@pytest.mark.parametrize(
    "source",
    [
        "time.time()",
        "datetime.datetime.now()",
        "datetime.utcnow()",
        "date.today()",
        "os.environ['X']",
        "os.getenv('X')",
        "from time import monotonic",
        "from os import environ",
        "import random",
        "from secrets import token_hex",
        "uuid.uuid4()",
    ],
)
def test_reads_of_clock_environment_and_chance_are_seen(source: str) -> None:
    """Whatever makes the same call answer differently is seen."""
    assert len(list(code.impure_reads(ast.parse(source)))) == 1


@pytest.mark.parametrize(
    "source", ["clock.now()", "self.time", "from onrecord.domain import time"]
)
def test_given_clocks_are_not_reads(source: str) -> None:
    """A clock that is an argument, and our own module of times, are no reads."""
    assert list(code.impure_reads(ast.parse(source))) == []


def test_lengths_count_the_whole_function() -> None:
    """From `def` to the last line, inner functions as well."""
    source = '@d\ndef f():\n    """Say."""\n    def g():\n        return 1\n    return g\n'

    assert list(code.function_lengths(ast.parse(source))) == [("f", 2, 5), ("g", 4, 2)]
