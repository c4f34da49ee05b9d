"""What the newer agents keep of their pack when their conversation is compacted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.console import TerminalTimeoutError
from machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.console import Terminal
    from harness.model import ScriptedModel
    from harness.more_agents import CopilotCli, GeminiCli, OpenCode

PATIENCE_S = 90
RULE = "Release on Thursdays, after the harbour check"
#: Answers what a client asks its model for when it compacts.
SUMMARY = {
    "match": "respond only with the summary text",
    "in": "last",
    "reply": {"say": "<summary>Of ships.</summary>"},
}
#: The same for Gemini CLI.
SNAPSHOT = {
    "match": "state_snapshot> based on|improved <state_snapshot>",
    "in": "last",
    "reply": {"say": "<state_snapshot>Of ships.</state_snapshot>"},
}


def ask(terminal: Terminal, line: str, answer: str) -> None:
    """Enter a line until it is answered: a client that is still busy drops the key."""
    terminal.enter(line)
    for _ in range(PATIENCE_S // 15):
        try:
            terminal.see(answer, timeout_s=15)
        except TerminalTimeoutError:
            terminal.type("\r")
        else:
            return
    terminal.see(answer)


def counts(model: ScriptedModel, *words: str) -> list[int]:
    """How often the rule stands in the request of each prompt."""
    turns = [
        next(one for one in reversed(model.requests) if f"Count the {word}" in one.last)
        for word in words
    ]
    return [f"{turn.body}".count(RULE) for turn in turns]


def test_copilot_cli_is_given_its_pack_again(
    copilot_cli: CopilotCli, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """It starts nothing after a compaction, so the next prompt brings the pack; once."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("copilot-cli")
    machine.remember(RULE)
    said = [{"say": f"Answer {word}."} for word in ("one", "two", "three", "four")]
    scripted_model.script(*said, rules=[SUMMARY])
    with copilot_cli.tui() as terminal:
        for prompt, answer in (("Count the ships", "one"), ("Count the boats", "two")):
            ask(terminal, prompt, f"Answer {answer}.")
        terminal.enter("/compact")
        terminal.see("Compaction completed", timeout_s=PATIENCE_S)
        for prompt, answer in (("Count the quays", "three"), ("Count the gulls", "four")):
            ask(terminal, prompt, f"Answer {answer}.")

    assert counts(scripted_model, "ships", "quays", "gulls") == [1, 1, 1]
    assert scripted_model.reached("Of ships.")
    (session,) = machine.sessions()
    assert (session.compactions, session.prompts) == (1, 4)
    assert [row.occasion for row in machine.deliveries()] == ["session_start", "session_start"]
    assert machine.faults == ""


def test_gemini_cli_is_given_its_pack_again(
    gemini_cli: GeminiCli, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """After `/compress` the next prompt brings the pack, once.

    Here the history is too short to be given up, which nobody tells us: it is there twice then.
    """
    machine = Machine(agent_home, agent_repo)
    machine.connect("gemini-cli")
    machine.remember(RULE)
    said = [{"say": f"Answer {word}."} for word in ("one", "two", "three", "four")]
    scripted_model.script(*said, rules=[SNAPSHOT])
    with gemini_cli.tui() as terminal:
        for prompt, answer in (("Count the ships", "one"), ("Count the boats", "two")):
            ask(terminal, prompt, f"Answer {answer}.")
        ask(terminal, "/compress", "Compression was not beneficial")
        for prompt, answer in (("Count the quays", "three"), ("Count the gulls", "four")):
            ask(terminal, prompt, f"Answer {answer}.")

    assert counts(scripted_model, "ships", "quays", "gulls") == [1, 2, 2]
    (session,) = machine.sessions()
    assert (session.compactions, session.prompts) == (1, 4)
    assert machine.faults == ""


def test_opencode_keeps_its_pack(
    opencode: OpenCode, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """It stands among the system texts of every request, before a compaction and after it."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("opencode")
    machine.remember(RULE)
    scripted_model.script(*({"say": f"Answer {word}."} for word in ("one", "two", "three")))
    with opencode.tui() as terminal:
        for prompt, answer in (("Count the ships", "one"), ("Count the boats", "two")):
            ask(terminal, prompt, f"Answer {answer}.")
        terminal.enter("/compact")
        terminal.see("Compaction", timeout_s=PATIENCE_S)
        ask(terminal, "Count the quays", "Answer three.")

    assert counts(scripted_model, "ships", "boats", "quays") == [1, 1, 1]
    (session,) = machine.sessions()
    assert session.prompts == 3
    assert machine.faults == ""
