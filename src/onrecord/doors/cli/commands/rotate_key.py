"""Put a new key in use for the fingerprints of what you rejected or forgot, and for digests.

Use it where the file of keys may have been seen by somebody. What was made with earlier keys
stays known: they are kept in the same file, so what you rejected stays out and every text is
still checked. Somebody who has an old key can go on guessing at what was rejected before; only
what is rejected from now on is safe from that. Copies made before hold the old keys alone, and
can still be restored. Running agents go on. Only you may do this, on your own terminal.
"""

from __future__ import annotations

import argparse

from onrecord import wiring
from onrecord.domain.errors import Declined, NeedsPerson
from onrecord.doors.cli.desk import Desk

EXAMPLES = """examples:
  onrecord rotate-key
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words; it has none of its own."""


def run(_args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if not desk.caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    keys = wiring.open_keys(desk.config.store)
    try:
        caller, key = desk.confirmed("Put a new key in use?")
        if key == "n":
            raise Declined
        done = keys.rotate(caller)
    finally:
        keys.close()
    if desk.as_json:
        desk.data(
            {"before": done.before, "key": done.now, "older": done.older, "event": done.event}
        )
    else:
        desk.say(f"A new key is in use ({done.now}); {done.older} before it stay known.")
        desk.say("Make a new backup: copies from before hold the old keys alone.")
    return 0
