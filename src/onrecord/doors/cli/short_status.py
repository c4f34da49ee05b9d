"""`onrecord status --short` by itself: one line, fast enough for a prompt or a status bar.

Light: it reads two rows, takes nothing in, and asks nobody who they are.
"""

from __future__ import annotations

import os
import time

from onrecord import wiring
from onrecord.config import load
from onrecord.domain.errors import OnrecordError
from onrecord.domain.limits import ASKED
from onrecord.doors.cli import streams


def is_asked(rest: list[str]) -> bool:
    """Whether this is all that is asked; anything more is for the whole command."""
    words = [word for at, word in enumerate(rest) if not _is_store(rest, at)]
    return words == ["--short"]


def _is_store(rest: list[str], at: int) -> bool:
    named = ("--store", "--db")
    return (
        rest[at] in named
        or rest[at].startswith(("--store=", "--db="))
        or (at > 0 and rest[at - 1] in named)
    )


def run(rest: list[str]) -> int:
    """Say how many memories wait, and whether saving is off; 5 where the store cannot be read."""
    try:
        config = load(os.environ, store=_value(rest, "--db"), name=_value(rest, "--store"))
        shelf = wiring.open_shelf(config.store)
    except OnrecordError as error:
        if error.code == "store.missing":
            streams.write("0 waiting\n")
            return 0
        streams.complain(f"onrecord: {error.message} ({error.code})\n")
        return 2 if error.code.startswith("usage") else 5
    try:
        off = shelf.setting("saving", ["global"]) == "off"
        # as `status` counts: proposals, and what agents asked about what counts
        waiting = shelf.waiting(None, now=time.time_ns() // 1_000) + shelf.flagged(ASKED)
        streams.write(f"{waiting} waiting{', saving off' if off else ''}\n")
    finally:
        shelf.close()
    return 0


def _value(rest: list[str], name: str) -> str:
    for at, word in enumerate(rest):
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
        if word == name and at + 1 < len(rest):
            return rest[at + 1]
    return ""
