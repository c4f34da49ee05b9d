"""`python -m onrecord.doors.hook.drain STORE`: takes in a spool and ends, saying nothing."""

from __future__ import annotations

import sys

from onrecord import wiring
from onrecord.domain.errors import OnrecordError


def main() -> int:
    """Drain once; 0 whatever happens, since what is not taken in now is taken in next time."""
    if len(sys.argv) != 2:  # noqa: PLR2004 - the store's path
        return 0
    try:
        memory = wiring.open_memory(sys.argv[1], create=False)
    except OnrecordError:
        return 0
    try:
        wiring.open_intake(sys.argv[1], memory).drain()
    except OnrecordError:
        return 0
    finally:
        memory.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
