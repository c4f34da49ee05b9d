"""How long an agent waits for the MCP server: from exec to the first reply.

Three programs in turn, so that all have the same machine: `python -c pass`, our server up to
its answer to `initialize` and then to the list of tools, and a server of the official SDK with
one tool up to its answer to `initialize`.

    .venv/bin/python benchmarks/mcp_first_reply.py
"""

from __future__ import annotations

import datetime as dt
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

ROUNDS: Final = 20
RESULT: Final = Path(__file__).parent / "results" / "mcp_first_reply.json"
OURS: Final = [str(Path(sys.executable).parent / "onrecord"), "mcp", "--client", "claude-code"]
NOTHING: Final = [sys.executable, "-c", "pass"]
SDK_SERVER: Final = """\
from mcp.server import MCPServer
server = MCPServer("words")
@server.tool()
def lookup(word: str) -> str:
    return word
server.run("stdio")
"""
SDK: Final = [sys.executable, "-c", SDK_SERVER]


def ask(number: int, method: str, params: dict[str, object]) -> bytes:
    """A request as a line."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


INITIALIZE: Final = ask(
    1,
    "initialize",
    {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
)
LIST: Final = ask(2, "tools/list", {})


def run_to_end(command: list[str]) -> float:
    """Milliseconds from exec to exit."""
    started = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, check=True)  # noqa: S603 - as written above
    return (time.perf_counter() - started) * 1_000


def first_reply(command: list[str], folder: str) -> tuple[float, float]:
    """Milliseconds from exec to the reply to `initialize`, and to the one to `tools/list`."""
    started = time.perf_counter()
    with subprocess.Popen(  # noqa: S603 - as written above
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": folder, "ONRECORD_DB": f"{folder}/none/memory.db"},
    ) as server:
        if server.stdin is None or server.stdout is None:
            raise SystemExit("the server has no streams")
        server.stdin.write(INITIALIZE)
        server.stdin.flush()
        first = server.stdout.readline()
        greeted = (time.perf_counter() - started) * 1_000
        server.stdin.write(LIST)
        server.stdin.flush()
        second = server.stdout.readline()
        listed = (time.perf_counter() - started) * 1_000
        server.stdin.close()
        server.wait(60)
    if b'"result"' not in first or b'"result"' not in second:
        raise SystemExit(f"no result: {first!r} {second!r}")
    return greeted, listed


def main() -> None:
    """Measure, print, and keep the figures."""
    times: dict[str, list[float]] = {"python_pass": [], "initialize": [], "tools_list": []}
    times["sdk_initialize"] = []
    with tempfile.TemporaryDirectory() as folder:
        for program in (OURS, SDK):
            first_reply(program, folder)
        for _ in range(ROUNDS):
            times["python_pass"].append(run_to_end(NOTHING))
            greeted, listed = first_reply(OURS, folder)
            times["initialize"].append(greeted)
            times["tools_list"].append(listed)
            times["sdk_initialize"].append(first_reply(SDK, folder)[0])
    medians = {name: round(statistics.median(values), 1) for name, values in times.items()}
    result = {
        "what": "milliseconds from exec to the reply, median; python_pass is to its exit",
        "command": ".venv/bin/python benchmarks/mcp_first_reply.py",
        "rounds": ROUNDS,
        "median_ms": medians,
        "worst_ms": {name: round(max(values), 1) for name, values in times.items()},
        "initialize_over_pass": round(medians["initialize"] / medians["python_pass"], 2),
        "sdk_over_ours": round(medians["sdk_initialize"] / medians["initialize"], 1),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))  # noqa: T201 - a benchmark prints its result


if __name__ == "__main__":
    main()
