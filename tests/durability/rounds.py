"""How often the durability tests repeat: short by default, at length on request."""

from __future__ import annotations

import os


def rounds(short: int) -> range:
    """Seeds of a test; `ONRECORD_DURABILITY_ROUNDS` asks for more of them."""
    return range(max(short, int(os.environ.get("ONRECORD_DURABILITY_ROUNDS", "0"))))
