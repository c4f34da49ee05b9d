"""A copy from before a deletion, restored: what was deleted is absent, its siblings are back.

The copy is restored under a running MCP server; then everything is asked again by new processes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from commandline import CommandLine
from mcp_client import CLAUDE, AgentProcess, environment, texts_of

if TYPE_CHECKING:
    from mcp_client import McpPeer

SESSION: Final = "0b7c4d1e-0000-4000-8000-000000000001"
YES: Final = [("[y/n]", "y")]

#: The first is forgotten, the second rejected, both after the copy; the third stays.
GONE: Final = "The vault hint is kestrelquill under the harbour stairs"
WRONG: Final = "The harbour gate listens on port merlinport everywhere"
SIBLING: Final = "The harbour pilot answers on channel ospreychannel"
LATER: Final = "The harbour office stands in hobbystreet by the quay"

ASKED: Final = "harbour vault gate pilot office"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with three memories."""
    made = CommandLine(tmp_path)
    for title in (GONE, WRONG, SIBLING):
        made.remember(title, "--scope", "repo")
    return made


def ids(lines: CommandLine) -> dict[str, str]:
    """The ids of what is active or waits, by title."""
    found = lines.run("list", "--all", "--json").json["items"]
    return {item["title"]: item["id"] for item in found}


def told_by(server: McpPeer) -> str:
    """What an agent is given of it: recall and the context."""
    answers = [server.call("recall", query=ASKED), server.call("context", query=ASKED)]
    return "\n".join(text for answer in answers for text in texts_of(answer))


def told_by_commands(lines: CommandLine) -> str:
    """What a person's commands give: list, recall, pack, review."""
    asked = (("list",), ("recall", ASKED), ("pack", "--query", ASKED), ("review", "--json"))
    return "\n".join(lines.run(*words).out for words in asked)


def bytes_of(lines: CommandLine) -> bytes:
    """Every byte of the store's own files, letters folded as the index folds them."""
    files = Path(lines.store).parent.glob(f"{lines.store.name}*")
    return b"".join(file.read_bytes() for file in files if file.is_file()).lower()


def test_deletion_restore_does_not_resurrect(lines: CommandLine) -> None:
    """Absent from every answer and every byte, at once and after a restart; and kept out."""
    env = environment(lines.home, lines.store)
    copy = lines.run("backup", "--json").json["path"]
    known = ids(lines)
    assert lines.run("forget", known[GONE], keys=YES).status == 0
    assert lines.run("reject", known[WRONG], "--reason", "wrong").status == 0
    lines.remember(LATER, "--scope", "repo")
    assert GONE.encode() in Path(copy).read_bytes()

    with AgentProcess(CLAUDE, cwd=lines.repo, env=env) as agent:
        agent.start(SESSION)
        server = agent.serve()
        server.shake_hands()
        before = told_by(server)
        restored = lines.run("restore-backup", copy, "--json", keys=YES)
        running = told_by(server)
        again = agent.serve()
        again.shake_hands()
        restarted = told_by(again)
        proposed = again.call("remember", title=GONE, scope="repo")

    assert restored.status == 0, restored
    assert (restored.json["erased_again"], restored.json["rejected_again"]) == (1, 1)
    assert "hobbystreet" in before
    for told in (running, restarted, told_by_commands(lines)):
        assert "ospreychannel" in told
        assert "kestrelquill" not in told
        assert "merlinport" not in told
        assert "hobbystreet" not in told
    assert set(ids(lines)) == {SIBLING}
    assert proposed["structuredContent"]["outcome"] == "refused"
    assert lines.run("remember", WRONG, "--scope", "repo").status == 1
    assert lines.run("check").status == 0
    left = bytes_of(lines)
    assert b"ospreychannel" in left
    assert b"kestrelquill" not in left


def test_deletion_restore_does_not_resurrect_where_the_store_was_lost(
    lines: CommandLine,
) -> None:
    """The list beside it is enough; without it the copy would bring everything back."""
    copy = lines.run("backup", "--json").json["path"]
    assert lines.run("forget", ids(lines)[GONE], keys=YES).status == 0
    for file in lines.store.parent.glob(f"{lines.store.name}*"):
        if file.is_file() and file.suffix != ".erasures":
            file.unlink()

    restored = lines.run("restore-backup", copy, "--json", keys=YES)

    assert restored.status == 0, restored
    assert restored.json["erased_again"] == 1
    assert set(ids(lines)) == {WRONG, SIBLING}
    assert b"kestrelquill" not in bytes_of(lines)
