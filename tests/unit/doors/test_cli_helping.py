"""Every command is declared whole, and its page says what it takes."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from types import ModuleType

import pytest

from onrecord.doors.cli import commands, helping, registry
from onrecord.doors.cli.command import Parser, parser_of
from onrecord.doors.cli.registry import ALIASES, COMMANDS, GROUPS


def module_of(name: str) -> ModuleType:
    """The module of a command."""
    return importlib.import_module(f"onrecord.doors.cli.commands.{COMMANDS[name][0]}")


def actions_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Every word and option."""
    return parser._actions  # noqa: SLF001 - nothing else lists them


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_whole(name: str) -> None:
    """It has words, a doing, a docstring and a group; every word and option says what it means."""
    module = module_of(name)
    parser = parser_of(name, module)
    silent = [a.dest for a in actions_of(parser) if not a.help or a.help == argparse.SUPPRESS]

    assert callable(module.add)
    assert callable(module.run)
    assert COMMANDS[name][1] in GROUPS
    assert silent == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_fits_and_has_an_example(name: str) -> None:
    """No line is wider than a page, and one of them shows the command at work."""
    page = parser_of(name, module_of(name)).format_help()

    assert max(map(len, page.splitlines())) <= 100
    assert page.count(f"onrecord {name}") >= 2
    assert "--json" in page


def test_every_module_is_a_command() -> None:
    """No file of the folder is forgotten in the registry."""
    modules = {found.name for found in pkgutil.iter_modules(commands.__path__)}

    assert {module for module, _, _ in COMMANDS.values()} == modules


def test_sets_of_commands_name_commands() -> None:
    """Aliases and the rules for missing stores are about commands that are there."""
    named = {*ALIASES.values(), *registry.MAKE_STORE, *registry.NEED_STORE}

    assert named <= set(COMMANDS)
    assert not set(ALIASES) & set(COMMANDS)
    assert not set(helping.TOPICS) & {*COMMANDS, *ALIASES} - {"scopes"}


def test_the_overview_lists_every_command_and_topic() -> None:
    """What `onrecord` prints by itself is complete."""
    words = set(helping.overview().replace(",", " ").replace(".", " ").split())

    assert {*COMMANDS, *ALIASES, *helping.TOPICS} <= words


def test_usage_shows_how_often_a_word_may_stand() -> None:
    """One, any number, at least one, at most one."""
    parser = Parser(prog="onrecord list", add_help=False)
    parser.add_argument("one", help="-")
    parser.add_argument("some", nargs="+", help="-")
    parser.add_argument("maybe", nargs="?", help="-")
    parser.add_argument("any", nargs="*", metavar="ANY|ALL", help="-")

    assert (
        "usage: onrecord list ONE SOME... [MAYBE] [ANY|ALL...] [options]" in parser.format_help()
    )
