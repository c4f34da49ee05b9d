"""A program that has not seen another's value does not win silently; a retry writes once."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

from commandline import CommandLine
from mcp_client import environment

if TYPE_CHECKING:
    from pathlib import Path

#: A program that acts for an agent's session: one action a line in, its answer a line out.
_PROGRAM: Final = """
import json, sys
from onrecord import Memory, Principal, to_json
from onrecord.domain.errors import OnrecordError
principal = Principal.agent("codex", session=sys.argv[2])
with Memory.open(sys.argv[1], principal=principal) as memory:
    for line in sys.stdin:
        verb, given = json.loads(line)
        try:
            done = getattr(memory, verb)(**given)
            told = to_json(done)
        except OnrecordError as error:
            told = {"error": error.code, "message": error.message}
        print(json.dumps(told), flush=True)
"""


class Program:
    """One running program over the library."""

    def __init__(self, lines: CommandLine, session: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, str(lines.store), session],
            cwd=lines.repo,
            env=environment(lines.home, lines.store),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def ask(self, verb: str, **given: Any) -> dict[str, Any]:
        """Call a method; its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([verb, given]) + "\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def end(self) -> None:
        """Let it end."""
        self._process.communicate(timeout=60)


def say(program: Program, text: str, **more: Any) -> dict[str, Any]:
    """Write to the address."""
    return program.ask("remember", text=text, scope="repo", key="deploy", **more)


def test_gateway_stale_write_refused_to_a_program(tmp_path: Path) -> None:
    """By version, and after reading what another replaced; each text is kept, none is lost."""
    lines = CommandLine(tmp_path)
    lines.remember("Deploy with blue", "--scope", "repo", "--key", "deploy")
    program = Program(lines, "s1")
    seen = program.ask("at", key="deploy", scope="repo")
    program.ask("get", item=seen["id"])
    lines.remember("Deploy with green", "--scope", "repo", "--key", "deploy")
    stale = say(program, "Deploy with red", if_version=seen["version"])
    unread = say(program, "Deploy with pink")
    program.ask("get", item=seen["id"])
    fresh = say(program, "Deploy with grey")
    program.end()
    waiting = lines.run("list", "--all", "--status", "proposed", "--json").json["items"]

    assert (stale["outcome"], stale["code"]) == ("conflict", "conflict.version")
    assert stale["candidates"][0]["version"] == 2
    assert (unread["outcome"], unread["code"]) == ("conflict", "conflict.unread")
    assert fresh["outcome"] == "proposed"
    assert {item["title"] for item in waiting} == {
        f"Deploy with {colour}" for colour in ("red", "pink", "grey")
    }
    assert lines.status_of(seen["id"]) == "active"


def test_gateway_a_retry_of_two_processes_writes_once(tmp_path: Path) -> None:
    """The same key and payload give the same answer; another payload is an error."""
    lines = CommandLine(tmp_path)
    lines.remember("Fares are in cents", "--scope", "repo")
    programs = [Program(lines, name) for name in ("s1", "s2")]
    given = {"text": "Deploy with blue", "scope": "repo", "idempotency_key": "r-1"}
    told = [program.ask("remember", **given) for program in (*programs, programs[0])]
    other = programs[1].ask("remember", **(given | {"text": "Deploy with red"}))
    for program in programs:
        program.end()
    listed = lines.run("list", "--all", "--status", "proposed", "--json").json["items"]

    assert told[0] == told[1] == told[2]
    assert other["error"] == "field.invalid"
    assert "red" not in other["message"]
    assert [item["title"] for item in listed] == ["Deploy with blue"]


def test_gateway_a_retry_of_a_command_writes_once(tmp_path: Path) -> None:
    """By the command line too; the second answer is the first one."""
    lines = CommandLine(tmp_path)
    words = ("--scope", "repo", "--idempotency-key", "r-1", "--json")
    first, again = (lines.run("remember", "Deploy with blue", *words) for _ in range(2))
    other = lines.run("remember", "Deploy with red", *words)
    log = lines.run("log", "--json").json["events"]

    assert first.json == again.json
    assert (other.status, other.error["code"]) == (2, "field.invalid")
    assert [line["action"] for line in log] == ["created"]
