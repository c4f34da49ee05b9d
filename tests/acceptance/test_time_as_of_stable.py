"""What was believed at an instant stays the answer about it, whatever is recorded later."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from commandline import CommandLine
from mcp_client import CLAUDE as CLAUDE_CLI
from mcp_client import AgentProcess, environment, texts_of

if TYPE_CHECKING:
    from pathlib import Path

ASKED: Final = "harbour gate"
YES: Final = [("[y/n]", "y")]

_PYTHON: Final = """
import json, sys
from onrecord import Memory, to_json
with Memory.open(sys.argv[1]) as memory:
    found = memory.recall(sys.argv[2], as_of=sys.argv[3])
    listed = memory.list(as_of=sys.argv[3])
    got = [memory.get(item.id, as_of=sys.argv[3]) for item in listed]
    said = [memory.history(item.id, as_of=sys.argv[3]) for item in listed]
    print(json.dumps([
        to_json(found),
        [to_json(item) for item in (*listed, *got)],
        [[one.n, one.content.title, one.superseded_at] for each in said for one in each],
    ]))
"""


def now() -> str:
    """The instant, as a person would give it."""
    return datetime.now(UTC).isoformat()


def by_cli(lines: CommandLine, at: str) -> list[Any]:
    """Recall, list, show, history and export by the commands."""
    recall = lines.run("recall", ASKED, "--as-of", at, "--json")
    listed = lines.run("list", "--all", "--as-of", at, "--json")
    assert recall.status == listed.status == 0, (recall, listed)
    hits = [[hit["item"], hit["score"], hit["reasons"]] for hit in recall.json["hits"]]
    ids = [item["id"] for item in listed.json["items"]]
    shown = [lines.run("show", name, "--as-of", at, "--json").json for name in ids]
    said = [lines.run("history", name, "--as-of", at, "--json").json for name in ids]
    export = lines.run("export", "--as-of", at)
    assert export.status == 0, export
    written = [json.loads(line) for line in export.out.splitlines()]
    stood = [written[0]["items"], written[0]["erased"], *written[1:]]
    return [hits, listed.json["items"], shown, said, stood]


def by_python(lines: CommandLine, at: str) -> list[Any]:
    """Recall and list by a program of the same user."""
    env = environment(lines.home, lines.store)
    done = subprocess.run(
        [sys.executable, "-c", _PYTHON, str(lines.store), ASKED, at],
        cwd=lines.repo,
        env=env,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    recall, *rest = json.loads(done.stdout)
    return [[[hit["item"], hit["score"]] for hit in recall["hits"]], *rest]


def by_mcp(lines: CommandLine, at: str) -> str:
    """Recall and get by an agent; the nonce of the fence is another each time."""
    items = [item["id"] for item in by_cli(lines, at)[1]]
    env = environment(lines.home, lines.store)
    with AgentProcess(CLAUDE_CLI, cwd=lines.repo, env=env) as agent:
        peer = agent.serve()
        peer.shake_hands()
        told = list(texts_of(peer.call("recall", query=ASKED, as_of=at)))
        for item in items:
            told += texts_of(peer.call("get", id=item, as_of=at))
    return "\n".join(line for one in told for line in one.splitlines() if "gate" in line)


def test_time_as_of_stable(tmp_path: Path) -> None:
    """By the commands, a program and an agent; the answer about now moves on."""
    lines = CommandLine(tmp_path)
    gate = lines.remember("The harbour gate answers on channel 12", "--scope", "repo")
    shut = lines.remember("The harbour gate is shut on Sundays", "--scope", "repo")
    wrong = lines.remember("The harbour gate needs two keys", "--scope", "repo")
    then = now()
    ways = (by_cli, by_python, by_mcp)
    before = [way(lines, then) for way in ways]
    assert len(before[0][0]) == len(before[1][0]) == 3
    assert all(text in before[2] for text in ("channel 12", "Sundays", "two keys"))

    lines.remember("The harbour gate answers on channel 14", "--scope", "repo", "--replaces", gate)
    for n in range(4):
        text = f"The harbour gate has a lamp of kind {n * 7}"
        lines.remember(text, "--scope", "repo", "--distinct")
    for words, keys in (
        (("pin", shut), []),
        (("dispute", shut), []),
        (("reject", wrong, "--reason", "wrong"), []),
    ):
        assert lines.run(*words, keys=keys).status == 0

    file = tmp_path / "more.jsonl"
    header = {"onrecord": "export", "version": 1, "items": 1}
    more = {"title": "The harbour gate is painted red", "scope": "repo", "recorded_at": then}
    file.write_text(f"{json.dumps(header)}\n{json.dumps(more)}\n", encoding="utf-8")
    assert lines.run("import", "jsonl", str(file)).status == 0

    assert [way(lines, then) for way in ways] == before
    today = json.dumps(lines.run("recall", ASKED, "--json").json["hits"])
    assert "channel 14" in today
    assert "channel 12" not in today
    assert "two keys" not in today


def test_time_as_of_stable_but_for_what_was_erased(tmp_path: Path) -> None:
    """An erased item is gone at every instant, and counted; its sibling is still there."""
    lines = CommandLine(tmp_path)
    gone = lines.remember("The harbour gate answers on channel 12", "--scope", "repo")
    lines.remember("The harbour gate is shut on Sundays", "--scope", "repo")
    then = now()
    assert lines.run("forget", gone, keys=YES).status == 0

    for way in (by_cli, by_python, by_mcp):
        told = json.dumps(way(lines, then))
        assert "Sundays" in told
        assert "channel 12" not in told
    assert by_cli(lines, then)[-1][:2] == [1, 1]
