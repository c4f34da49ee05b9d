"""The words that leave the program: codes, actions, variables, fields, read off its source."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from corpora import ROOT
from onrecord.domain import errors as tree
from onrecord.domain.errors import OnrecordError
from onrecord.policy import authority
from onrecord.service.lifecycle import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE: Final = ROOT / "src" / "onrecord"

#: What doctor, connect, lint and an audit find has codes of its own.
FINDING: Final = (
    *("doctoring", "doctoring_meaning", "doctoring_mirrors", "doctoring_summaries", "connecting"),
    *("lint", "findings", "auditing", "checking"),
)

#: Modules that decide and answer.
DECIDING: Final = sorted(
    {
        *SOURCE.glob("service/*.py"),
        *(SOURCE / "policy" / f"{n}.py" for n in ("authority", "shape")),
    }
    - {SOURCE / "service" / f"{name}.py" for name in FINDING}
)
_DOTTED: Final = re.compile(r"[a-z]+\.[a-z_0-9]+")

#: Texts of that form that are no codes of outcomes.
NO_CODES: Final = {
    "dates.title_full": "a flag",
    "dates.unclear": "the same",
    "replaced.status": "a name in an event's change",
    "replaced.version": "the same",
    "replaced.pinned": "the same",
    "replaced.commitment": "the same",
    "unreplaced.commitment": "the same",
}
_ANSWERS: Final = ("Created", "Corroborated", "Updated", "Proposed", "Conflict", "Refused")


def error_classes(root: type[OnrecordError] = OnrecordError) -> list[type[OnrecordError]]:
    """Every error of the tree, the root first."""
    found = [root]
    for below in root.__subclasses__():
        if below.__module__ == tree.__name__:
            found += error_classes(below)
    return found


def outcome_codes() -> set[str]:
    """Codes of outcomes: why something was kept, held or refused, or what it clashed with."""
    found = {f"authority.{action}_needs_person" for action in authority.PERSONAL}
    found |= {f"authority.{action}_needs_key" for action in authority.CONFIRMED}
    found |= {f"authority.{rule}" for rule in _rules_that_hold()}
    for path in DECIDING:
        over = _names_over_a_limit(_parsed(path))
        for node in ast.walk(_parsed(path)):
            if isinstance(node, ast.Constant) and _is_dotted(node.value):
                found.add(str(node.value))
            elif isinstance(node, ast.Call):
                found |= set(_codes_of(node, over))
    return found - set(NO_CODES)


def _rules_that_hold() -> set[str]:
    """Rules by which a statement waits."""
    return {
        text
        for function in ast.walk(_parsed(SOURCE / "policy" / "authority.py"))
        if isinstance(function, ast.FunctionDef) and function.name == "_why_held"
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value is not None
        for text in _texts(node.value)
        if text
    }


def doctor_codes() -> set[str]:
    """Codes of the doctor's own findings; it also passes on those of errors."""
    return {
        str(keyword.value.value)
        for path in SOURCE.glob("service/doctoring*.py")
        for node in ast.walk(_parsed(path))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "code" and isinstance(keyword.value, ast.Constant)
    }


def _names_over_a_limit(module: ast.Module) -> set[str]:
    """Functions that make a code of the field that is over its limit."""
    return {
        function.name
        for function in ast.walk(module)
        if isinstance(function, ast.FunctionDef)
        and any(
            isinstance(node, ast.JoinedStr) and "_too_long" in ast.unparse(node)
            for node in ast.walk(function)
        )
    }


def _codes_of(call: ast.Call, over: set[str]) -> Iterator[str]:
    """Codes that are not written out as one dotted text."""
    name = _name_of(call.func)
    if name == "_refuse":
        yield from (f"authority.{text}" for text in _texts(call.args[0]))
    elif name in over:
        yield from (f"shape.{text}_too_long" for text in _texts(call.args[0]))
    elif name in _ANSWERS:
        for keyword in call.keywords:
            if keyword.arg == "code":
                yield from _texts(keyword.value)


def event_actions() -> set[str]:
    """Actions of the audit log."""
    found = {*MARKS.values(), "handoff_claimed", "handoff_acknowledged", "handoff_cancelled"}
    for path in sorted(SOURCE.glob("service/*.py")):
        for node in ast.walk(_parsed(path)):
            if not isinstance(node, ast.Call):
                continue
            name = _name_of(node.func)
            if name == "record":
                found |= set(_texts(node.args[0]))
            elif name == "_pass":
                found |= set(_texts(node.args[-1]))
            elif name == "settle":
                found |= {t for k in node.keywords if k.arg == "action" for t in _texts(k.value)}
    return found


def variables() -> set[str]:
    """Names of environment variables that are read."""
    found: set[str] = set()
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(_parsed(path)):
            key: ast.expr | None = None
            if isinstance(node, ast.Call) and _name_of(node.func) == "get" and node.args:
                key = node.args[0] if _is_of_environ(node.func) else None
            elif isinstance(node, ast.Subscript) and _is_of_environ(node):
                key = node.slice
            found |= set(_texts(key))
    return found


def json_fields() -> dict[str, set[str]]:
    """Every function of the JSON form -> the fields that it gives."""
    found: dict[str, set[str]] = {}
    for function in _parsed(SOURCE / "wire.py").body:
        if isinstance(function, ast.FunctionDef):
            keys = {
                text
                for node in ast.walk(function)
                if isinstance(node, ast.Dict)
                for key in node.keys
                for text in _texts(key)
            }
            if keys:
                found[function.name] = keys
    return found


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def _is_dotted(value: object) -> bool:
    return isinstance(value, str) and bool(_DOTTED.fullmatch(value))


def _texts(node: ast.expr | None) -> Iterator[str]:
    """Texts that an expression may be, as far as they are written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _texts(value)


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_of_environ(node: ast.expr) -> bool:
    owner = node.value if isinstance(node, ast.Attribute | ast.Subscript) else None
    return owner is not None and ast.unparse(owner).rpartition(".")[2] == "environ"
