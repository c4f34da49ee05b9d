"""All versions of a memory, 1 first."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    versions = desk.memory.history(args.id, desk.caller)
    if desk.as_json:
        desk.data({"versions": [wire.version(version) for version in versions]})
        return 0
    for version in versions:
        reason = f" ({version.reason})" if version.reason else ""
        text = "[erased]" if version.erased_at is not None else version.content.title
        desk.say(
            f"{version.n}  {rendering.when(version.recorded_at)}"
            f"  {rendering.who(version.author)}{reason}"
        )
        desk.say(f"   {text}")
        for body in version.content.body.splitlines():
            desk.say(f"   | {body}")
    return 0
