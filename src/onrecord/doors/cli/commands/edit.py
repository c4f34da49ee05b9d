"""Change what a memory says; the version before stays in its history.

Opens your editor: the first line is the title, the rest the body. With --text no editor is
opened. Where you may not change it, the new text waits for review as a replacement.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from onrecord.domain.errors import Declined
from onrecord.domain.item import split
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import positive
from onrecord.doors.cli.rendering import short
from onrecord.service.commands import Revise

EXAMPLES = """examples:
  onrecord edit 7QK2ZD
  onrecord edit 7QK2ZD --text "Run bin/setup_db before the specs" --reason "was a typo"
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", help="an id, or a start or end of one (4 characters or more)")
    parser.add_argument("--text", default=None, help="the whole new text, without an editor")
    parser.add_argument("--reason", default="", help="why, for the history")
    parser.add_argument(
        "--if-version", type=positive, default=None, metavar="N", help="only if it is still this"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    item = desk.find(args.id, opened=True)
    if args.text is None:
        from onrecord.doors.cli.editing import edited

        content = edited(item.content, f"m:{short(item.id)}, {item.kind} in {item.scope}")
        if content == item.content:
            raise Declined("The text is the same, so nothing was changed.")
    else:
        title, body = split(args.text)
        content = replace(item.content, title=title, body=body)
    command = Revise(
        item=item.id,
        content=content,
        if_version=args.if_version or item.version,
        reason=args.reason,
    )
    return desk.outcome(desk.memory.do(command, desk.caller))
