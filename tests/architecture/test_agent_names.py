"""Whoever looks an agent up by its name brings the person's own agents along."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from corpora import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Function of `onrecord.capture.agents` -> which argument has the person's own tables.
LOOK_UPS: Final = {"find": 1, "connectable": 0, "recognised": 0}
#: Where it is asked for the known ones first, since reading the configuration takes time.
ALONE: Final = {"onrecord/doors/mcp/calls.py"}


def look_ups(tree: ast.AST) -> Iterator[tuple[int, bool]]:
    """(line, whether the tables are given) of each call."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        of = node.func.value
        if isinstance(of, ast.Name) and of.id == "agents" and node.func.attr in LOOK_UPS:
            yield node.lineno, len(node.args) > LOOK_UPS[node.func.attr]


def test_no_look_up_leaves_them_out() -> None:
    """In every room; the package that holds the registry is the only other place."""
    source = ROOT / "src"
    without, seen = set(), 0
    for path in sorted(source.rglob("*.py")):
        name = path.relative_to(source).as_posix()
        if name.startswith("onrecord/capture/agents/"):
            continue
        for _, given in look_ups(ast.parse(path.read_text(encoding="utf-8"))):
            seen += 1
            if not given:
                without.add(name)

    assert without == ALONE
    assert seen >= len(LOOK_UPS)


def test_a_look_up_without_them_would_be_seen() -> None:
    """The check tells the two apart."""
    found = list(look_ups(ast.parse("agents.find(x)\nagents.find(x, own)\nagents.connectable()")))

    assert found == [(1, False), (2, True), (3, False)]
