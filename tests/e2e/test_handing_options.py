"""What can be asked of `handoff --to`: the real Claude Code and Codex, with tmux and without."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from machine import ONRECORD
from office import RULE, Office

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from harness.agents import ClaudeCode, Codex
    from harness.model import Request, ScriptedModel
    from harness.terminal import Terminal
    from onrecord.domain.session import Session

PATIENCE_S = 90
needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def office(claude_code: ClaudeCode, codex: Codex, agent_home: Path, agent_repo: Path) -> Office:
    """Everything in place."""
    return Office(claude_code, codex, agent_home, agent_repo)


def ships(office: Office, model: ScriptedModel) -> Session:
    """Claude Code counted the ships in a terminal, and was left."""
    model.script({"say": "Three ships."})
    with office.person.open(["claude"]) as terminal:
        terminal.see(office.claude.ready, timeout_s=PATIENCE_S)
        terminal.enter("Count the ships")
        terminal.see("Three ships.", timeout_s=PATIENCE_S)
        terminal.enter("/exit")
        terminal.wait(timeout_s=PATIENCE_S)
    (row,) = office.machine.sessions()
    return row


@contextmanager
def in_tmux(office: Office, folder: Path) -> Iterator[tuple[Terminal, list[str]]]:
    """The person's tmux with one window, and the words that command it."""
    tmux = ["tmux", "-S", str(folder / "s"), "-f", "/dev/null"]
    view = office.person.open([*tmux, "new-session", "env", "PS1=one>", "sh"])
    try:
        view.see("one>")
        yield view, tmux
    finally:
        office.person.run([*tmux, "kill-server"])
        view.close()


def at_work(office: Office, view: Terminal, model: ScriptedModel) -> Session:
    """Claude Code counted the ships in this window, and waits there."""
    model.script({"say": "Three ships."})
    view.enter("claude")
    view.see(office.claude.ready, timeout_s=PATIENCE_S)
    view.enter("Count the ships")
    view.see("Three ships.", timeout_s=PATIENCE_S)
    (row,) = office.machine.sessions()
    return row


def only(model: ScriptedModel, before: int, text: str) -> Request:
    """The one request since then that holds the text."""
    (found,) = (one for one in model.requests[before:] if one.holds(text))
    return found


def test_a_key_starts_it_with_model_and_prompt(
    office: Office, scripted_model: ScriptedModel
) -> None:
    """No is no; yes starts Codex with that model, that first prompt and the pack, once."""
    first = ships(office, scripted_model)
    before = len(scripted_model.requests)
    words = ["handoff", "--to", "codex", "--model", "small-model", "--prompt", "Begin with boats"]
    declined = office.person.run([ONRECORD, *words], keys=[("Start codex?", "n")])
    assert declined.exit_code != 0
    assert scripted_model.requests[before:] == []
    assert [row.agent for row in office.machine.sessions()] == ["claude-code"]
    (handed,) = office.machine.handoffs("open")
    assert handed.session == first.id

    scripted_model.script({"say": "Two boats."})
    with office.person.open([ONRECORD, *words]) as terminal:
        terminal.see("Start codex?", timeout_s=PATIENCE_S)
        terminal.type("y")
        terminal.see("Two boats.", timeout_s=PATIENCE_S)
    asked = only(scripted_model, before, "Begin with boats")
    assert asked.body["model"] == "small-model"
    assert asked.holds("Continuing from claude-code")
    assert asked.text.count(RULE) == 1
    codex = next(row for row in office.machine.sessions() if row.agent == "codex")
    assert (codex.prompts, codex.first_prompt) == (1, "Begin with boats")
    claimed = next(row for row in office.machine.handoffs() if row.session == first.id)
    assert claimed.claimed_by == codex.id
    assert office.machine.faults == ""


def test_fresh_is_a_new_session_with_its_model(
    office: Office, scripted_model: ScriptedModel
) -> None:
    """Claude Code does not go on with the session that it has; without it, it does."""
    first = ships(office, scripted_model)
    before = len(scripted_model.requests)
    scripted_model.script({"say": "Five boats."}, {"say": "Six boats."})
    words = ["handoff", "--to", "claude-code", "--no-ask", "--model", "small-model"]
    fresh = [*words, "--fresh", "--prompt", "Begin anew"]
    with office.person.open([ONRECORD, *fresh]) as terminal:
        terminal.see("Five boats.", timeout_s=PATIENCE_S)
        terminal.enter("/exit")
        terminal.wait(timeout_s=PATIENCE_S)
    asked = only(scripted_model, before, "Begin anew")
    assert asked.body["model"] == "small-model"
    assert not asked.holds("Three ships.")
    assert asked.text.count(RULE) == 1
    new = next(row for row in office.machine.sessions() if row.id != first.id)
    assert (new.agent, new.first_prompt) == ("claude-code", "Begin anew")

    with office.person.open([ONRECORD, *words, "--prompt", "And then?"]) as terminal:
        terminal.see("Six boats.", timeout_s=PATIENCE_S)
    asked = only(scripted_model, before, "And then?")
    assert asked.holds("Five boats.")
    assert len(office.machine.sessions()) == 2
    assert office.machine.faults == ""


@needs_tmux
def test_replace_takes_the_pane_and_ends_who_was_there(
    office: Office, scripted_model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Codex runs where Claude Code ran, with its work; that is said before the key."""
    with in_tmux(office, tmp_path_factory.mktemp("t")) as (view, tmux):
        first = at_work(office, view, scripted_model)
        office.person.run([*tmux, "new-window", "env", "PS1=two>", "sh"])
        view.see("two>")
        before = len(scripted_model.requests)
        scripted_model.script({"say": "Two boats."})
        view.enter("onrecord handoff --to codex --replace --prompt 'Begin with boats'")
        view.see("Start codex?", timeout_s=PATIENCE_S)
        assert "claude-code's session in that pane ends" in view.screen
        view.type("y")
        view.see("has taken over that pane", timeout_s=PATIENCE_S)
        office.person.run([*tmux, "select-window", "-t", ":0"])
        view.see("Two boats.", timeout_s=PATIENCE_S)

        asked = only(scripted_model, before, "Begin with boats")
        assert asked.holds("Count the ships")
        claimed = [row for row in office.machine.handoffs() if row.status == "claimed"]
        panes = office.person.run([*tmux, "list-panes", "-s", "-F", "#{pane_id}"])
        assert len(panes.text.split()) == 2
    old, new = office.machine.sessions()
    assert (old.id, old.ended_at is not None) == (first.id, True)
    assert (new.agent, new.first_prompt) == ("codex", "Begin with boats")
    assert [row.next for row in claimed] == ["Go on with what was asked last: Count the ships"]
    assert claimed[0].claimed_by == new.id
    assert office.machine.faults == ""


@needs_tmux
def test_fresh_opens_a_pane_beside_one_that_runs(
    office: Office, scripted_model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The session that waits is left alone; --replace of an agent by itself needs --fresh."""
    with in_tmux(office, tmp_path_factory.mktemp("t")) as (view, tmux):
        first = at_work(office, view, scripted_model)
        office.person.run([*tmux, "new-window", "env", "PS1=two>", "sh"])
        view.see("two>")
        view.enter("onrecord handoff --to claude-code --replace --no-ask")
        view.see("--fresh", timeout_s=PATIENCE_S)
        before = len(scripted_model.requests)
        assert scripted_model.requests[before:] == []

        scripted_model.script({"say": "Two boats."})
        view.enter("onrecord handoff --to claude-code --fresh --no-ask --prompt 'Begin anew'")
        view.see("Two boats.", timeout_s=PATIENCE_S)
        view.see("two>")
        asked = only(scripted_model, before, "Begin anew")
        assert not asked.holds("Three ships.")
        rows = office.machine.sessions()
        assert [(row.agent, row.ended_at) for row in rows] == [("claude-code", None)] * 2
        assert rows[0].id == first.id
        assert rows[0].prompts == 1
