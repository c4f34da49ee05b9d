"""Answer a hook: `onrecord hook CLIENT EVENT`, the payload on stdin.

Agent CLIs call the faster `onrecord-hook`, which does the same. Tried by hand, it prints what the
agent would be given here, and counts as a session of that client. Nothing is printed where there
is nothing to say, or where the client's own variables are missing (such as CLAUDECODE), since
other clients read the same settings.
"""

from __future__ import annotations

import argparse
import sys

from onrecord import wiring
from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  printf '{"session_id": "try", "cwd": "%s"}' "$PWD" | onrecord hook codex SessionStart
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("client", help="the agent CLI, such as claude-code")
    parser.add_argument("event", help="the hook's own name, such as SessionStart")


def run(args: argparse.Namespace, _desk: Desk) -> int:
    """Do it."""
    sys.argv = ["onrecord-hook", args.client, args.event]
    wiring.run_hook()
    return 0
