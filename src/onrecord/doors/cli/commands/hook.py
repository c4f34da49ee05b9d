"""Answer a hook: `onrecord hook CLIENT EVENT`, the payload on stdin.

Agent CLIs call the faster `onrecord-hook`, which does the same.
"""

from __future__ import annotations

import argparse
import sys

from onrecord import wiring
from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  onrecord hook claude-code SessionStart < payload.json
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
