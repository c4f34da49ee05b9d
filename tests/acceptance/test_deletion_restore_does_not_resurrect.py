"""A copy from before a deletion, restored: what was deleted is absent, its siblings are back.

The copy is restored under a running MCP server; then everything is asked again by new processes.
"""

from __future__ import annotations

import sys
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


LIBRARY: Final = """
import sys
from onrecord import Memory
with Memory.open() as memory:
    for hit in memory.recall(sys.argv[1], limit=50).hits:
        print(hit.item.content.title)
"""


def told_by_library(lines: CommandLine) -> str:
    """What a Python program of the person's is told."""
    done = lines.people.run([sys.executable, "-c", LIBRARY, ASKED], timeout_s=60)
    assert done.exit_code == 0, done.text
    return done.text


def test_deletion_restore_does_not_resurrect_by_any_door(lines: CommandLine) -> None:
    """Forgotten by a command, by a program and by an agent: absent for each of them."""
    env = environment(lines.home, lines.store)
    by_agent = "The harbour lamp hint is avocetlamp behind the office"
    with AgentProcess(CLAUDE, cwd=lines.repo, env=env) as agent:
        agent.start(SESSION)
        server = agent.serve()
        server.shake_hands()
        own = server.call("remember", title=by_agent, scope="agent")["structuredContent"]["id"]
        copy = lines.run("backup", "--json").json["path"]
        known = ids(lines)
        gone = server.call("forget", id=own)["structuredContent"]
        assert lines.run("forget", known[GONE], keys=YES).status == 0
        code = "import sys; from onrecord import Memory\nwith Memory.open() as m:\n"
        code += "    print(m.forget(sys.argv[1]).code)\n"
        typed = lines.people.run([sys.executable, "-c", code, known[WRONG]], timeout_s=60)
        assert "forgotten" in typed.text
        restored = lines.run("restore-backup", copy, "--json", keys=YES)
        again = agent.serve()
        again.shake_hands()
        by_mcp = told_by(again)

    assert gone["outcome"] == "updated", gone
    assert restored.json["erased_again"] == 3
    for told in (by_mcp, told_by_commands(lines), told_by_library(lines)):
        assert "ospreychannel" in told
        for word in ("kestrelquill", "merlinport", "avocetlamp"):
            assert word not in told
    left = bytes_of(lines)
    assert b"ospreychannel" in left
    assert not [raw for raw in (b"kestrelquill", b"merlinport", b"avocetlamp") if raw in left]


def test_deletion_restore_does_not_resurrect_a_source(lines: CommandLine) -> None:
    """A session and an import deleted after the copy: memories, prompts and quotes stay gone."""
    prompt = "Why does the gooseprompt horn drift every single October"
    env = environment(lines.home, lines.store)
    with AgentProcess(CLAUDE, cwd=lines.repo, env=env) as agent:
        agent.start(SESSION)
        agent.prompt(SESSION, prompt)
        agent.end(SESSION, "prompt_input_exit")
    notes = lines.home / "notes.md"
    notes.write_text("- The harbour berth list is ternlist by the door\n", encoding="utf-8")
    assert lines.run("import", "markdown", str(notes)).status == 0
    kept = lines.remember(
        "The harbour rota is agreed on Mondays",
        *("--scope", "repo", "--evidence", f"message=claude-code:{SESSION}#heronpointer"),
    )
    copy = lines.run("backup", "--json").json["path"]
    assert lines.run("forget", "--source", "import:notes.md", keys=YES).status == 0
    assert lines.run("forget", "--session", SESSION, keys=YES).status == 0
    words = (b"gooseprompt", b"ternlist", b"heronpointer")
    assert all(word in Path(copy).read_bytes().lower() for word in words)
    before = bytes_of(lines)
    restored = lines.run("restore-backup", copy, "--json", keys=YES)
    sessions = lines.run("sessions", "--json").out
    after = bytes_of(lines)

    assert restored.status == 0, restored
    for told in (before, after):
        assert b"ospreychannel" in told
        for word in words:
            assert word not in told, word
    assert "gooseprompt" not in sessions
    assert lines.status_of(kept) == "active"
    assert SIBLING in ids(lines)
    assert lines.run("check").status == 0


@pytest.mark.parametrize("lost", ["nothing", "store", "keys"])
def test_deletion_restore_does_not_resurrect_in_a_place_of_its_own(
    lines: CommandLine, lost: str
) -> None:
    """A copy that is only looked into obeys the store that it was made of, or the list of it."""
    copy = str(lines.home / "copy.db")
    assert lines.run("backup", copy).status == 0
    known = ids(lines)
    assert lines.run("forget", known[GONE], keys=YES).status == 0
    if lost == "store":
        for file in lines.store.parent.glob(f"{lines.store.name}*"):
            if file.is_file() and file.suffix not in (".erasures", ".keys"):
                file.unlink()
    if lost == "keys":
        lines.store.with_name(f"{lines.store.name}.keys").unlink()
    look = lines.home / "look.db"

    restored = lines.run("restore-backup", copy, "--db", str(look), "--json", keys=YES)
    shown = lines.run("list", "--all", "--db", str(look), "--json").json["items"]
    proposed = lines.run("remember", GONE, "--scope", "repo", "--db", str(look))
    again = lines.run("restore-backup", copy, "--db", str(look), "--json", keys=YES)

    assert restored.status == 0, restored
    assert (restored.json["erased_again"], restored.json["erasures_known"]) == (1, True)
    assert {item["title"] for item in shown} == {WRONG, SIBLING}
    assert proposed.status == 1, proposed
    assert again.json["erased_again"] == 1
    assert lines.run("check", "--audit", "--db", str(look)).status == 0
    left = b"".join(file.read_bytes() for file in look.parent.glob("look.db*") if file.is_file())
    assert b"ospreychannel" in left
    assert b"kestrelquill" not in left


def test_deletion_restore_does_not_resurrect_without_saying_that_none_knows(
    lines: CommandLine, tmp_path: Path
) -> None:
    """Where no store that goes with the copy is there, it is said that nothing was erased."""
    copy = str(lines.home / "copy.db")
    assert lines.run("backup", copy).status == 0
    (tmp_path / "elsewhere").mkdir()
    there = CommandLine(tmp_path / "elsewhere")
    there.remember("The quay lamp is repaired on Fridays", "--scope", "repo")
    look = ("--db", str(there.home / "look.db"))

    told = there.run("restore-backup", copy, *look, keys=YES)

    assert told.status == 0, told
    assert "no store here knows what was forgotten" in told.out
    assert "erasing again" not in told.err
