"""A hook that keeps each payload in the file it is given, and adds a marked line of context."""

from __future__ import annotations

import json
import sys
from pathlib import Path

WITH_CONTEXT = ("SessionStart", "UserPromptSubmit", "PostToolUse")


def main() -> None:
    """Take one payload."""
    payload = json.load(sys.stdin)
    with Path(sys.argv[1]).open("a", encoding="utf-8") as log:
        log.write(json.dumps(payload) + "\n")
    event = payload["hook_event_name"]
    if event in WITH_CONTEXT:
        context = f"context of {event} {payload.get('source', 'itself')}"
        answer = {"hookEventName": event, "additionalContext": context}
        print(json.dumps({"hookSpecificOutput": answer}))  # noqa: T201  # the protocol


if __name__ == "__main__":
    main()
