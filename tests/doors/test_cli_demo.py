"""The demo shows what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commandline import SCRIPT, CommandLine

if TYPE_CHECKING:
    from pathlib import Path


def test_what_the_agents_save_is_shown(tmp_path: Path) -> None:
    """By the answers that they got, also where they are played; no step shows nothing."""
    lines = CommandLine(tmp_path)
    shown = lines.run("demo", "--replay", around=SCRIPT)
    learns = shown.out.partition("learns something and saves it\n")[2].splitlines()[0]

    assert shown.status == 0
    assert learns.startswith("  | Noted as proposal m:")
    assert "| Saved m:" in shown.out
    assert "(nothing)" not in shown.out
