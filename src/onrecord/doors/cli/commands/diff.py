"""What changed between two versions of a memory, line by line.

Without numbers: the last change. With one: that version against the present one. Colour where
standard output is a terminal, unless NO_COLOR is set.
"""

from __future__ import annotations

import argparse
import os
import sys

from onrecord.domain.errors import NotFound
from onrecord.domain.item import Version
from onrecord.domain.time import to_iso
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import positive
from onrecord.doors.cli.text import one_line

EXAMPLES = """examples:
  onrecord diff 7QK2ZD
  onrecord diff 7QK2ZD 1 3
"""

_COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_PLAIN = "\x1b[0m"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", help="an id, or a start or end of one (4 characters or more)")
    parser.add_argument("old", nargs="?", type=positive, default=None, help="a version's number")
    parser.add_argument("new", nargs="?", type=positive, default=None, help="a later one's")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    import difflib

    item = desk.find(args.id, desk.reader)
    versions = {version.n: version for version in desk.memory.history(item.id, desk.reader)}
    new = args.new or item.version
    old = args.old or max(new - 1, 1)
    for n in (old, new):
        if n not in versions:
            raise NotFound(
                f"It has no version {n}.", hint=f"Its versions are 1 to {item.version}."
            )
    before, after = _lines(versions[old]), _lines(versions[new])
    names = (f"version {old}", f"version {new}")
    lines = [*difflib.unified_diff(before, after, *names, lineterm="", n=3)]
    if desk.as_json:
        desk.data({"id": item.id, "old": old, "new": new, "diff": lines})
        return 0
    if not lines:
        desk.say("They say the same.")
        return 0
    if desk.to_model:
        from onrecord.doors.cli import fencing

        fencing.tell_versions(desk, item, [versions[old], versions[new]])
        return 0
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    for line in lines:
        desk.say_line(line, _COLOURS.get(line[:1], "") if coloured else "", _PLAIN)
    return 0


def _lines(of: Version) -> list[str]:
    """A version as lines that can be compared."""
    content = of.content
    if of.erased_at is not None:
        return ["[erased]"]
    lines = [f"title: {one_line(content.title)}"]
    if content.tags:
        lines.append(f"tags: {', '.join(map(one_line, content.tags))}")
    if content.summary:
        lines.append(f"summary: {one_line(content.summary)}")
    for name, at in (("valid from", content.valid_from), ("valid to", content.valid_to)):
        if at is not None:
            lines.append(f"{name}: {to_iso(at)}")
    return [*lines, "", *content.body.splitlines()]
