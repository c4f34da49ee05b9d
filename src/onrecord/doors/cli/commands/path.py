"""Where the store is, whether or not it is there yet."""

from __future__ import annotations

import argparse

from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  onrecord path
  onrecord path --store trial
"""


def add(_parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""


def run(_args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if desk.as_json:
        desk.data({"path": desk.config.store})
    else:
        desk.say(desk.config.store)
    return 0
