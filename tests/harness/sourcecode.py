"""What can be read off source text: imports and when they act, lengths, SQL, clocks."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpora import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE: Final = ROOT / "src"
TESTS: Final = ROOT / "tests"

#: A text that is a statement of SQL, as we write it: key words in capitals.
_SQL: Final = re.compile(
    r"\s*(?:SELECT\s|INSERT\s+(?:OR\s|INTO\s)|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|PRAGMA\s"
    r"|(?:CREATE|ALTER|DROP)\s+(?:TABLE|INDEX|VIEW|TRIGGER|VIRTUAL|ROLE|FUNCTION|DATABASE)"
    r"|BEGIN(?:\s+IMMEDIATE)?\s*;?\s*\Z|COMMIT\s*;?\s*\Z|ROLLBACK|SAVEPOINT\s|ATTACH\s"
    r"|WITH\s+(?:RECURSIVE\s+)?\w+\s*(?:\([^)]*\)\s*)?AS\s)"
)
#: Names (module, attribute) that read the clock, the environment, or chance.
_IMPURE: Final = {
    **dict.fromkeys(("time", "time_ns", "monotonic", "perf_counter", "localtime"), "time"),
    **dict.fromkeys(("now", "utcnow"), "datetime"),
    "today": "date",
    **dict.fromkeys(("environ", "getenv", "environb", "getpid", "urandom"), "os"),
    **dict.fromkeys(("random", "randint", "choice", "token_hex", "token_bytes"), "random"),
    **dict.fromkeys(("uuid1", "uuid4"), "uuid"),
}
_CHANCE: Final = ("random", "secrets")


@dataclass(frozen=True, kw_only=True, slots=True)
class Import:
    """One import statement's module."""

    #: The full name of what is imported (``from a import b`` gives both ``a`` and ``a.b``).
    module: str
    #: Line number.
    line: int
    #: "start" (when the module is loaded), "use" (inside a function), or "types" (never).
    when: str


def parse(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def python_files(folder: Path) -> list[Path]:
    """Our Python files under a folder, in order."""
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def name_of(path: Path) -> str:
    """The dotted module name of a file under ``src``."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.Module) -> Iterator[Import]:
    """Every import, with the moment at which it acts."""
    yield from _imports(tree.body, "start")


def _imports(body: list[ast.stmt], when: str) -> Iterator[Import]:
    for node in body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module=alias.name, line=node.lineno, when=when)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield Import(module=module, line=node.lineno, when=when)
            for alias in node.names:
                yield Import(module=f"{module}.{alias.name}", line=node.lineno, when=when)
        elif isinstance(node, ast.If) and _is_types_only(node.test):
            yield from _imports(node.body, "types")
            yield from _imports(node.orelse, when)
        else:
            inner = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for block in _blocks(node):
                yield from _imports(block, "use" if inner and when == "start" else when)


def _is_types_only(test: ast.expr) -> bool:
    return (test.id if isinstance(test, ast.Name) else getattr(test, "attr", "")) == (
        "TYPE_CHECKING"
    )


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of statements directly inside a statement."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
    for name in ("handlers", "cases"):
        for part in getattr(node, name, []):
            yield part.body


def function_lengths(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """Name, first line, and length in lines of every function, its docstring included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1


def sql_texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and start of every text that is a statement of SQL; docstrings are left out."""
    docs = {id(_docstring(node)) for node in ast.walk(tree)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docs
            and _SQL.match(node.value)
        ):
            yield node.lineno, node.value.strip()[:40]


def _docstring(node: ast.AST) -> ast.expr | None:
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    return first.value if isinstance(first, ast.Expr) else None


def impure_reads(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of every read of the clock, the environment or chance."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value
            last = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
            if _is_impure(last, node.attr):
                yield node.lineno, f"{last}.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if node.module in _CHANCE or _is_impure(node.module, alias.name):
                    yield node.lineno, f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in _CHANCE:
                    yield node.lineno, alias.name


def _is_impure(owner: str, name: str) -> bool:
    kept = _IMPURE.get(name)
    return kept is not None and owner.rsplit(".", 1)[-1].lstrip("_") in (
        ("datetime", "date") if kept in ("datetime", "date") else (kept,)
    )
