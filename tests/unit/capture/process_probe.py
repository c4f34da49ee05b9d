"""Prints what can be seen of who started it, as JSON; run by the tests of `capture.process`."""

from __future__ import annotations

import json
import os
import sys

from onrecord.capture import agents, process


def main() -> None:
    """Look up once."""
    specs = agents.recognised()
    client = process.own_client(os.getpid(), specs)
    spec = process.client_of(client, specs) if client else None
    seen = process.evidence(os.environ, specs)
    own = process.find(os.getpid())
    found = {
        "client": spec.name if spec else None,
        "pid": client.pid if client else None,
        "alive": process.alive(client.pid, client.started) if client else None,
        "among": process.client_among(process.ancestors(os.getpid()), specs),
        "ancestor": seen.ancestor,
        "variables": seen.variables,
        "terminal": seen.terminal,
        "sandboxed": seen.sandboxed,
        "self": [own.pid, own.ppid, list(own.argv)] if own else None,
    }
    sys.stdout.write("seen:" + json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
