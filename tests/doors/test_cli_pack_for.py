"""Packs for an agent's command line."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from commandline import CommandLine
from onrecord.capture.agents.launch import PACK_OPENS

KNOWN = "Install with pnpm, never npm"


@pytest.fixture
def shop(tmp_path: Path) -> CommandLine:
    """A repository where something is on record."""
    made = CommandLine(tmp_path)
    assert made.run("remember", KNOWN, "--scope", "repo").status == 0
    return made


def test_for_claude_is_the_fenced_text_alone(shop: CommandLine) -> None:
    """What a shell puts in for it is the pack and nothing else."""
    told = shop.run("pack", "--for", "claude")

    assert told.status == 0
    assert told.out.startswith(PACK_OPENS)
    assert KNOWN in told.out


def test_for_codex_is_a_setting_of_its_own(shop: CommandLine) -> None:
    """The line is TOML whose value is the pack."""
    told = shop.run("pack", "--for", "codex", "--toml")
    read = tomllib.loads(told.out)

    assert read["developer_instructions"].startswith(PACK_OPENS)
    assert KNOWN in read["developer_instructions"]


def test_json_has_the_words_that_start_the_agent(shop: CommandLine) -> None:
    """A program of one's own starts the agent with these, without a shell."""
    told = json.loads(shop.run("pack", "--for", "gemini", "--json").out)

    assert told["argv"][:2] == ["gemini", "--prompt-interactive"]
    assert KNOWN in told["argv"][2]
    assert told["delivery"]


def test_nothing_on_record_is_no_output(tmp_path: Path) -> None:
    """The shell then puts in an empty word, not a sentence about it."""
    empty = CommandLine(tmp_path)

    assert empty.run("pack", "--for", "claude").out == ""
    assert "Nothing is on record" in empty.run("pack").out


def test_a_budget_that_nothing_fits_is_told_beside_the_output(shop: CommandLine) -> None:
    """What the shell puts in stays empty; the person reads how much would be needed."""
    for words in ((), ("--toml",)):
        agent = "codex" if words else "claude"
        told = shop.run("pack", "--for", agent, "--budget", "20", *words)
        assert KNOWN not in told.out
        assert "A budget of 20 tokens is too small" in told.err


def test_delivery_that_is_off_holds_here_too(shop: CommandLine) -> None:
    """A repository where nothing is delivered gives no pack for a command line either."""
    assert shop.run("off", "deliver", "--repo").status == 0

    assert shop.run("pack", "--for", "claude").out == ""
    assert KNOWN in shop.run("pack").out


def test_what_takes_no_command_line_is_said(shop: CommandLine) -> None:
    """An editor has none, and TOML is a form of one client alone."""
    editor = shop.run("pack", "--for", "zed")
    form = shop.run("pack", "--for", "claude", "--toml")

    assert (editor.status, form.status) == (2, 2)
    assert "not started from a command line" in editor.err
