"""Finding what means the same, from the command line, with the packaged model as installed."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL
from mcp_client import environment, start_server
from model_server import serving
from onrecord.providers import minilm
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from pathlib import Path

    from harness.surroundings import Surroundings

TOLD = "Fraudsters mostly reuse stolen payment cards"
ASKED = ("recall", "how do crooks cheat us", "--json")


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a few memories."""
    made = CommandLine(tmp_path)
    made.remember(TOLD, "--scope", "repo")
    made.remember("The depot closes at nine in the evening", "--scope", "repo")
    made.remember("Commit subjects are in the imperative", "--scope", "repo")
    return made


def test_what_means_the_same_is_found_after_a_reindex(lines: CommandLine) -> None:
    """Before it nothing is; afterwards every door says so, and words still work alone."""
    before = lines.run(*ASKED).json
    looked = lines.run("reindex", "--dry-run")
    still = lines.run(*ASKED).json
    done = lines.run("reindex", "--json")
    found = lines.run(*ASKED).json

    assert (before["mode"], before["hits"]) == ("lexical", [])
    assert (before["by_words_because"], still["mode"]) == ("no_space", "lexical")
    assert looked.status == 0
    assert "3 of 3 memories would be read by minilm" in looked.out
    assert "nowhere" in looked.out
    assert done.status == 0, done
    assert done.json == {
        "model": "minilm",
        "where": "nowhere: it runs in this process",
        "active": 3,
        "embedded": 3,
        "switched": True,
        "event": done.json["event"],
        "dry_run": False,
    }
    assert found["mode"] == "hybrid"
    assert [hit["item"]["title"] for hit in found["hits"]][:1] == [TOLD]
    plain = lines.run("recall", "how do crooks cheat us", "--explain").out
    assert "mode: hybrid" in plain
    assert "meaning" in plain
    assert lines.run(*ASKED, "--mode", "lexical").json["hits"] == []
    assert lines.run("log", "--limit", "1", "--json").json["events"][0]["action"] == "rebuilt"


def test_a_new_memory_is_found_by_meaning_at_once(lines: CommandLine) -> None:
    """And through the agents' door, which says the mode; a forgotten one is gone from vectors."""
    lines.run("reindex")
    item = lines.remember(
        "Guests without a computer borrow a laptop from reception", "--scope", "repo"
    )
    asked = "portable machine for a visitor who left theirs at home"
    env = environment(lines.home, lines.store)
    with start_server(lines.repo, env, "--client", "codex") as server:
        server.shake_hands()
        answer = json.dumps(server.call("recall", query=asked))

    assert "borrow a laptop" in answer
    assert "mode: hybrid" in answer
    hits = lines.run("recall", asked, "--json").json["hits"]
    assert [hit["item"]["id"] for hit in hits][:1] == [item]
    lines.run("forget", item, keys=[("[y/n]", "y")])
    assert lines.run("recall", asked, "--json").json["hits"] == []
    assert lines.run("doctor", "--json").status in (0, 1)


def test_status_and_doctor_say_how_far_models_have_read(lines: CommandLine) -> None:
    """With what was broken off and the command that goes on; to a person alone."""
    assert lines.run("status", "--json").json["meaning"] is None
    lines.run("reindex")
    lines.remember("The lift is serviced in May", "--scope", "repo")
    with closing(open_sqlite(str(lines.store), create=False)) as store, store.write() as tx:
        begun = replace(tx.vectors.spaces()[0], id="half", current=False, made_at=9)
        tx.vectors.open(begun)

    told = lines.run("status", "--json").json["meaning"]
    half = {"model": "minilm", "read": 0}
    assert told == {"model": "minilm", "read": 3, "of": 4, "unfinished": [half]}
    assert lines.run("status", "--json", around=SHELL_TOOL["claude-plain"]).json["meaning"] is None
    said = lines.run("status").out
    assert "read by minilm: 3 of 4 memories (onrecord reindex)" in said
    assert "reading with minilm was not finished: 0 of 4 memories" in said
    codes = {one["code"]: one for one in lines.run("doctor", "--json").json["findings"]}
    assert codes["meaning.unfinished"]["fix"] == "onrecord reindex goes on where it was"

    lines.run("reindex")
    assert lines.run("status", "--json").json["meaning"]["unfinished"] == []
    assert "read by minilm: 4 of 4 memories\n" in lines.run("status").out


@pytest.mark.parametrize("around", [SCRIPT, SHELL_TOOL["claude-plain"]])
def test_only_a_person_has_memories_read_by_a_model(
    lines: CommandLine, around: Surroundings
) -> None:
    """Neither made nor dropped, and recall goes by words."""
    for words in ((), ("--dry-run",), ("--drop",), ("--drop", "--dry-run")):
        answer = lines.run("reindex", *words, "--json", around=around)
        assert (answer.status, answer.error["code"]) == (4, "person.required")

    assert lines.run(*ASKED).json["mode"] == "lexical"


def test_meanings_are_dropped(lines: CommandLine) -> None:
    """Recall goes by words again; dropping twice says so."""
    assert "There are no meanings" in lines.run("reindex", "--drop", "--dry-run").out
    lines.run("reindex")
    would = lines.run("reindex", "--drop", "--dry-run")
    shape = lines.run("reindex", "--drop", "--dry-run", "--json").json
    assert "minilm" in would.out
    assert shape == {"would_drop": ["minilm"], "dry_run": True}
    assert lines.run(*ASKED).json["mode"] == "hybrid"
    dropped = lines.run("reindex", "--drop")
    again = lines.run("reindex", "--drop")

    assert "Recall goes by words" in dropped.out
    assert "There were no meanings" in again.out
    assert lines.run(*ASKED).json["mode"] == "lexical"
    assert lines.run("reindex", "--drop", "--redo").status == 2


def test_a_configuration_that_makes_no_sense_is_told(lines: CommandLine) -> None:
    """By its place; recall says why it went by words."""
    config = lines.home / ".config" / "onrecord" / "config.toml"
    lines.run("reindex")
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('[semantic]\nmodel = "none"\n', encoding="utf-8")
    off = lines.run("reindex")
    found = lines.run(*ASKED).json
    config.write_text(
        '[semantic.models.far]\nurl = "http://models.example.com"\napi = "ollama"\nname = "x"\n',
        encoding="utf-8",
    )
    far = lines.run("reindex", "--model", "far")

    assert (off.status, "nothing to make" in off.err) == (2, True)
    assert (found["mode"], found["by_words_because"]) == ("lexical", "off")
    assert (far.status, "would leave this one" in far.err) == (2, True)
    assert lines.run("reindex", "--model", "unknown").status == 2


def test_a_model_of_ones_own_takes_over(lines: CommandLine) -> None:
    """From files, then from a server on this machine: each is made beside the one before."""
    config = lines.home / ".config" / "onrecord" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    model, tokenizer = (minilm.file_of(*of[:2]) for of in (minilm.MODEL, minilm.TOKENIZER))
    with serving() as server:
        config.write_text(
            f'[semantic.models.mine]\nonnx = "{model}"\ntokenizer = "{tokenizer}"\n'
            f'[semantic.models.served]\nurl = "{server.url}"\napi = "openai"\nname = "m"\n',
            encoding="utf-8",
        )
        mine = lines.run("reindex", "--model", "mine", "--json").json
        found = lines.run(*ASKED).json
        served = lines.run("reindex", "--model", "served", "--json").json
        asked = lines.run(*ASKED).json

    assert (mine["model"], mine["switched"], mine["embedded"]) == ("mine", True, 3)
    assert (found["mode"], found["hits"][0]["item"]["title"]) == ("hybrid", TOLD)
    assert (served["model"], served["switched"], served["embedded"]) == ("served", True, 3)
    assert served["where"] == f"to {server.url} (stays on this machine)"
    assert asked["mode"] == "hybrid"
    sent = [text for _, _, body in server.asked for text in body["input"]]
    assert TOLD in sent
    assert lines.run(*ASKED).json["by_words_because"] == "embedding.unreachable"


def test_there_must_be_a_store(tmp_path: Path) -> None:
    """None is made to be read."""
    lines = CommandLine(tmp_path)

    assert lines.run("reindex").status == 5
    assert not lines.store.exists()
