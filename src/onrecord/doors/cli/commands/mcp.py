"""Serve MCP on stdio; agent CLIs start this with the entry that `onrecord connect` wrote."""

from __future__ import annotations

import argparse

from onrecord import wiring
from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  onrecord mcp --client claude-code
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--client", default="", help="the agent CLI that starts this")


def run(args: argparse.Namespace, _desk: Desk) -> int:
    """Do it."""
    return wiring.run_mcp(client=args.client, store=args.db, name=args.store)
