"""Decide what waits, one key each.

a approves, e edits and approves, r rejects and asks why, s skips, q ends. What an agent asked
to have forgotten is shown after the proposals.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from onrecord import wire
from onrecord.domain.item import Content, split
from onrecord.domain.outcome import Outcome
from onrecord.doors.cli import rendering, terminal
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Approve, Forget, Mark, Reject
from onrecord.service.memory import Waiting

EXAMPLES = """examples:
  onrecord review
  onrecord review --json       what waits, without deciding
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--scope", default="", help="only what waits there")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    queue = desk.memory.queue(desk.caller)
    if args.scope:
        from onrecord.domain.scope import parse

        wanted = parse(args.scope, desk.place)
        queue = [waiting for waiting in queue if waiting.item.scope == wanted]
    if desk.as_json:
        desk.data({"waiting": [wire.waiting(waiting) for waiting in queue]})
        return 0
    if not queue:
        desk.say("Nothing waits for you.")
        return 0
    for n, waiting in enumerate(queue, 1):
        _show(desk, waiting, f"{n}/{len(queue)}")
        if not _decide(desk, waiting):
            break
    return 0


def _show(desk: Desk, waiting: Waiting, at: str) -> None:
    item = waiting.item
    by = rendering.who(item.head.author)
    desk.say(
        f"\n{at}  {item.kind} for {item.scope}, by {by}, {rendering.when(item.created_at)} UTC"
    )
    for text in rendering.brief(item):
        desk.say(text)
    for flag in item.flags:
        desk.say(f"  ! {flag}")
    if item.tainted:
        desk.say("  ! it holds text from outside your own words")
    for row in waiting.evidence:
        desk.say(f"  evidence: {row.kind} {row.pointer}")
    if waiting.replaces is not None:
        desk.say(f"  replaces {rendering.line(waiting.replaces)}")
    if waiting.sightings > 1:
        desk.say(f"  said by {waiting.sightings} sessions of their own")


def _decide(desk: Desk, waiting: Waiting) -> bool:
    """One decision; False ends the walk."""
    if waiting.asked:
        return _decide_asked(desk, waiting)
    caller, key = desk.confirmed("(a)pprove (e)dit (r)eject (s)kip (q)uit", "aersq")
    item = waiting.item
    outcome: Outcome | None = None
    if key == "a":
        outcome = desk.memory.do(Approve(item=item.id, seen=item.head.digest), caller)
    elif key == "e":
        content = _edited(item.content)
        command = Approve(item=item.id, seen=item.head.digest, content=content)
        outcome = desk.memory.do(command, caller)
    elif key == "r":
        reason = terminal.ask_reason()
        outcome = desk.memory.do(Reject(item=item.id, reason=reason), caller)
    if outcome is not None:
        desk.outcome(outcome)
    return key != "q"


def _decide_asked(desk: Desk, waiting: Waiting) -> bool:
    action, _, agent = waiting.asked.partition(":")
    caller, key = desk.confirmed(f"{agent} asks to {action} it. Do it?", "ynq")
    item = waiting.item
    if key == "y":
        command = Forget(item=item.id) if action == "forget" else Mark(item=item.id, action=action)
        desk.outcome(desk.memory.do(command, caller))
    elif key == "n":
        desk.outcome(desk.memory.do(Mark(item=item.id, action="decline"), caller))
    return key != "q"


def _edited(content: Content) -> Content:
    """The content after the person's own editor; the first line is the title."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="onrecord-") as folder:
        path = Path(folder) / "memory.md"
        path.touch(mode=0o600)
        path.write_text(f"{content.title}\n\n{content.body}\n", encoding="utf-8")
        subprocess.run([*shlex.split(editor), str(path)], check=False)  # noqa: S603 - the person's own
        text = path.read_text(encoding="utf-8", errors="replace")
        path.write_bytes(b"\0" * len(text.encode()))
    title, body = split(text)
    return replace(content, title=title, body=body)
