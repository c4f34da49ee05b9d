"""An MCP server with one tool, that keeps each call in the file it is given."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TOOL = {
    "name": "lookup",
    "description": "Look a word up.",
    "annotations": {"readOnlyHint": True},
    "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}},
}


def answer(message: dict[str, Any], log: Path) -> dict[str, Any]:
    """The result of one request."""
    parameters = message.get("params", {})
    match message["method"]:
        case "initialize":
            return {
                "protocolVersion": parameters["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "words", "version": "1"},
            }
        case "tools/list":
            return {"tools": [TOOL]}
        case "tools/call":
            with log.open("a", encoding="utf-8") as calls:
                calls.write(json.dumps(parameters) + "\n")
            word = parameters["arguments"]["word"]
            return {"content": [{"type": "text", "text": f"meaning of {word}"}]}
        case _:
            return {}


def main() -> None:
    """Answer line by line until the client hangs up."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = answer(message, Path(sys.argv[1]))
            reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
            print(json.dumps(reply), flush=True)  # noqa: T201  # the protocol


if __name__ == "__main__":
    main()
