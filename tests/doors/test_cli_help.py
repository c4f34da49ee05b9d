"""Help is a promise too: the overview, every page and every topic, as files."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pytest

from onrecord.doors.cli import helping
from onrecord.doors.cli.command import parser_of
from onrecord.doors.cli.registry import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_a_command(name: str, golden: Callable[[str, str], None]) -> None:
    """What `onrecord NAME --help` prints."""
    module = importlib.import_module(f"onrecord.doors.cli.commands.{COMMANDS[name][0]}")

    golden(f"cli/help/{name}.txt", parser_of(name, module).format_help())


def test_the_overview(golden: Callable[[str, str], None]) -> None:
    """What `onrecord` prints by itself."""
    golden("cli/help/overview.txt", helping.overview())


def test_the_topics(golden: Callable[[str, str], None]) -> None:
    """What `onrecord help TOPIC` prints."""
    told = [f"== {topic}\n{text}" for topic, text in helping.TOPICS.items()]

    golden("cli/help/topics.txt", "\n".join(told))
