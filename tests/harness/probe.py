"""Print, as one JSON object, what a command can learn of where it was started from.

Run on Linux as ``python -I -S probe.py [OUT]``; with OUT the object goes into that file too.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def ancestors() -> list[dict[str, str]]:
    """Name and image of every process above this one, nearest first, init excluded."""
    found: list[dict[str, str]] = []
    pid = os.getppid()
    while pid > 1:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        name, rest = stat[stat.index("(") + 1 :].rsplit(")", 1)
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        image = str(Path(f"/proc/{pid}/exe").readlink())
        found.append({"pid": str(pid), "name": name, "image": image, "command": command})
        pid = int(rest.split()[1])
    return found


def has_terminal() -> bool:
    """The controlling terminal opens."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError:
        return False
    return True


def main() -> None:
    """Print the facts."""
    facts = {
        "ancestors": ancestors(),
        "variables": sorted(os.environ),
        "terminal": has_terminal(),
        "isatty": [os.isatty(descriptor) for descriptor in range(3)],
        "leads_session": os.getsid(0) == os.getpid(),
    }
    text = json.dumps(facts)
    for name in sys.argv[1:]:
        Path(name).write_text(text, encoding="utf-8")
    print(text)  # noqa: T201  # printing is its purpose


if __name__ == "__main__":
    main()
