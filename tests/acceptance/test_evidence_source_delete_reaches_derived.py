"""A deleted source takes what was made from it: gone or held, kind by kind; siblings survive."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sourced import DRAFTS, PROMPT, SESSION, TITLES, YES, Sourced

if TYPE_CHECKING:
    from collections.abc import Iterator

NEW: Final = "5eed0008-0000-4000-8000-000000000008"
HELD: Final = ("proposed", ("source_forgotten",))
GONE: Final[tuple[str, tuple[str, ...]]] = ("forgotten", ())


def forget(home: Sourced, *words: str) -> None:
    """As a person does, with the key typed."""
    done = home.run("forget", *words, keys=YES)
    assert done.status == 0, done


def changes(home: Sourced, *words: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """What a deletion changed, by the name of each memory."""
    before = home.standing()
    forget(home, *words)
    after = home.standing()
    return {name: after[name] for name in after if after[name] != before[name]}


def files(home: Sourced) -> Iterator[tuple[str, bytes]]:
    """The store's own files."""
    for path in Path(home.store).parent.rglob("*"):
        if path.is_file():
            yield path.name, path.read_bytes()


def where(home: Sourced, text: str) -> list[str]:
    """The files that hold a text, letters folded as the index folds them."""
    return [name for name, raw in files(home) if text.lower().encode() in raw.lower()]


def test_evidence_source_delete_reaches_derived_of_a_message(tmp_path: Path) -> None:
    """Then of its whole session: summaries, notes, handoffs, prompts, quotes."""
    home = Sourced(tmp_path)
    quoting = home.remember(
        "Ask about October before each release",
        *("--scope", "repo"),
        *("--evidence", f"message=claude-code:{SESSION}#u1"),
    )
    home.items["quoting"] = quoting
    assert where(home, PROMPT)
    by_message = changes(home, "--source", f"claude-code:{SESSION}#u2")
    by_the_other = changes(home, "--source", f"claude-code:{SESSION}#u1")
    approved = home.run("approve", home.items["summary"], keys=YES)
    preview = home.run("forget", "--session", SESSION, "--dry-run", "--json").json
    by_session = changes(home, "--session", SESSION)
    session = next(row for row in home.sessions() if row["agent_session"] == SESSION)
    log = home.run("log", "--json").json["events"]

    # the only message that it rested on
    assert by_message == {"summary draft": GONE}
    # a person approved it, so a person decides what becomes of it
    assert by_the_other == {"summary": HELD}
    assert approved.status == 0, approved
    # what the session wrote goes, what a person approved of it is held; a sibling's stays
    assert by_session == {"mcp": HELD, "private": GONE, "summary": HELD}
    told = preview["would_forget_source"]
    assert home.items["private"] in {row["id"] for row in told["goes"]}
    assert {home.items["mcp"], home.items["summary"]} <= {row["id"] for row in told["held"]}
    # its handoff carried the prompt, which is in no file any more (below)
    assert session["first_prompt"] in (None, "")
    assert home.standing()["quoting"] == ("active", ())
    evidence = home.run("show", quoting, "--json").json["evidence"]
    assert [row["pointer"] for row in evidence if row["kind"] == "message"] == [""]
    assert log[0]["action"] == "source_forgotten"
    for text in (PROMPT, TITLES["private"], DRAFTS["summary draft"]):
        assert where(home, text) == [], text
    for name in ("command", "sibling", "import"):
        assert where(home, TITLES[name]), name
        assert TITLES[name] in home.told(NEW).recall


def test_evidence_source_delete_reaches_derived_of_an_import(tmp_path: Path) -> None:
    """Then of a project's file; both leave what is not theirs."""
    home = Sourced(tmp_path)
    by_import = changes(home, "--source", "import:notes.md")
    by_file = changes(home, "--source", "plan.md")
    again = home.run("files", "sync", "--json").json

    assert by_import == {"import draft": GONE, "import": HELD}
    assert by_file == {"file": GONE}
    # what was deleted does not come back from the same file
    assert "created" not in again["outcomes"], again
    assert home.standing()["file"] == GONE
    assert TITLES["file"] not in home.run("recall", "fare gate zones").out
    assert where(home, DRAFTS["import draft"]) == []


def test_evidence_source_delete_reaches_derived_when_a_file_goes(tmp_path: Path) -> None:
    """A section that its file has no more is put away; those of other files stay."""
    home = Sourced(tmp_path)
    before = home.standing()
    (home.repo / "plan.md").unlink()
    assert home.run("files", "sync").status == 0
    after = home.standing()

    assert before["file"][0] == "active"
    assert after["file"][0] not in ("active", "proposed")
    assert {name for name in after if after[name] != before[name]} == {"file"}


def test_evidence_source_delete_reaches_derived_of_a_memory(tmp_path: Path) -> None:
    """Copies in other scopes, summaries, notes, handoffs, quotes and links, each as it should."""
    home = Sourced(tmp_path)
    title = TITLES["command"]
    source = home.items["command"]
    made = {
        "copy": home.remember(title, "--scope", "project:depot"),
        "summary of it": home.remember(
            "How gates close", "--scope", "repo", "--kind", "summary", "--link", source
        ),
        "rests on it": home.remember(
            "Night buses need no gate", "--scope", "repo", "--evidence", f"message=m:{source}"
        ),
        "links to it": home.remember(
            "Ilse answers for closing hours", "--scope", "repo", "--link", source
        ),
        "sibling note": home.remember("Depot gates are yellow", "--scope", "project:depot"),
    }
    home.items |= made
    handed = home.run("handoff", "--next", f"Tell them: {title}.", "--json")
    home.items["handoff"] = handed.json["item"]["id"]
    shown = home.run("forget", source, "--dry-run").out
    looked = home.run("forget", source, "--dry-run", "--json").json["would_forget"][0]
    unchanged = home.standing()
    told = changes(home, source)

    assert {row["id"] for row in looked["goes"]} == {made["copy"], made["summary of it"]}
    assert {row["id"] for row in looked["held"]} == {made["rests on it"]}
    assert looked["handoffs"] == [home.items["handoff"]]
    assert "goes too" in shown
    assert "is held for review" in shown
    assert unchanged["command"][0] == "active"
    assert told == {
        "command": GONE,
        "copy": GONE,
        "summary of it": GONE,
        "handoff": GONE,
        "rests on it": HELD,
    }
    assert where(home, title) == []
    assert json.dumps(home.run("recall", "closes at nine", "--json").json).count(title) == 0
