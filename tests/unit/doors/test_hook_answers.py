"""What a hook answers, client by client and event by event; the whole process is run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from harness.agents import repository
from hooked import Hooked
from onrecord.capture.agents import find
from onrecord.service.commands import Approve

if TYPE_CHECKING:
    from pathlib import Path

CLIENTS = ["claude-code", "codex"]


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    """A home in which one thing is known of the repository."""
    made = Hooked(tmp_path)
    made.remember("Install with pnpm", "npm breaks the lock file.")
    return made


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("source", ["startup", "clear", "compact"])
def test_a_start_is_given_the_pack(hooked: Hooked, client: str, source: str) -> None:
    """A session that has no pack yet, or lost it to a compaction, is given one."""
    answer = hooked.start(source, client=client)

    assert answer.titles == ["Install with pnpm"]
    assert answer.told["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert (answer.exit_code, answer.errors) == (0, b"")
    seen, delivery = hooked.records
    assert (seen["event"], seen["source"], seen["client"]) == ("session_start", source, client)
    assert (delivery["event"], delivery["occasion"]) == ("delivery", "session_start")
    assert hooked.faults == []


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_a_conversation_that_goes_on_has_it_already(hooked: Hooked, source: str) -> None:
    """Nothing is given again, and no delivery is on record."""
    answer = hooked.start(source)

    assert answer.raw == b""
    assert [record["event"] for record in hooked.records] == ["session_start"]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_prompt_brings_up_what_it_is_about_once(hooked: Hooked, client: str) -> None:
    """Not again in that session; again in another one, and after the context was compacted."""
    asked = "Which package manager do we use to install: pnpm or npm?"
    first = hooked.prompt(asked, client=client)
    again = hooked.prompt(asked, client=client)
    other = hooked.prompt(asked, client=client, session="s-2")
    hooked.drain()
    still = hooked.prompt(asked, client=client)
    hooked.start("compact", client=client, session="s-2")
    given = hooked.prompt(asked, client=client, session="s-2")

    assert first.titles == ["Install with pnpm"]
    assert (again.raw, still.raw) == (b"", b"")
    assert other.titles == ["Install with pnpm"]
    assert given.raw == b""  # the pack after the compaction held it


@pytest.mark.parametrize("drained", [False, True], ids=["spooled", "drained"])
def test_what_a_compaction_dropped_can_be_given_again(
    hooked: Hooked, tmp_path: Path, *, drained: bool
) -> None:
    """By a prompt too, where the pack after the compaction did not hold it."""
    asked = "Which package manager do we use to install: pnpm or npm?"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert hooked.prompt(asked).titles == ["Install with pnpm"]
    if drained:
        hooked.drain()
    assert hooked.start("compact", cwd=elsewhere).raw == b""
    if drained:
        hooked.drain()

    assert hooked.prompt(asked).titles == ["Install with pnpm"]


def test_a_changed_item_is_given_again(hooked: Hooked) -> None:
    """What the session was given is out of date, so it is told of the change."""
    asked = "On which port does the harbour service listen for its health checks?"
    hooked.remember("The harbour service listens on port 8080", key="harbour-port")
    assert hooked.prompt(asked).titles == ["The harbour service listens on port 8080"]
    hooked.remember("The harbour service listens on port 9090", key="harbour-port")

    assert hooked.prompt(asked).titles == ["The harbour service listens on port 9090"]


def test_an_unrelated_prompt_brings_up_nothing(hooked: Hooked) -> None:
    """Silence is nothing on stdout."""
    answer = hooked.prompt("Please write a haiku about the sea")

    assert answer.raw == b""
    assert [record["event"] for record in hooked.records] == ["prompt"]


@pytest.mark.parametrize(
    "text",
    [
        "<task-notification>pnpm install is done</task-notification>",
        "[Request interrupted by user for tool use]",
        "/clear",
        "This session is being continued from a previous conversation: pnpm install",
    ],
)
def test_text_that_no_person_typed_brings_up_nothing(hooked: Hooked, text: str) -> None:
    """And it is kept as nobody's words."""
    answer = hooked.prompt(text)
    (record,) = hooked.records

    assert answer.raw == b""
    assert "prompt" not in record
    assert "human" not in record


def test_a_subagents_prompt_is_nobodys(hooked: Hooked) -> None:
    """Codex fires the hook for subagents as well."""
    answer = hooked.prompt("pnpm or npm to install?", client="codex", agent_id="sub-1")
    (record,) = hooked.records

    assert answer.raw == b""
    assert (record["session"], record["agent_id"]) == ("s-1", "sub-1")
    assert "human" not in record


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("event", ["PreCompact", "PostCompact", "SessionEnd", "Stop"])
def test_events_that_take_nothing_get_nothing(hooked: Hooked, client: str, event: str) -> None:
    """Whatever is printed there would end up in the transcript; it is only seen."""
    answer = hooked.call(event, client=client, trigger="manual", reason="other")

    assert (answer.raw, answer.errors, answer.exit_code) == (b"", b"", 0)
    assert hooked.faults == []


def test_delivery_off_gives_nothing_and_goes_on_seeing(hooked: Hooked) -> None:
    """For one repository or everywhere."""
    hooked.switch("deliver", "off")

    assert hooked.start().context == ""
    assert hooked.prompt("pnpm or npm to install?").raw == b""
    assert [record["event"] for record in hooked.records] == ["session_start", "prompt"]


@pytest.mark.parametrize("switch", ["saving", "capture"])
def test_switched_off_keeps_no_text(hooked: Hooked, switch: str) -> None:
    """That a session is there is still seen, so that calls are told apart; the pack is given."""
    hooked.switch(switch, "off")
    start = hooked.start()
    hooked.prompt("my private words")

    assert start.titles == ["Install with pnpm"]
    assert ("saving is off" in start.said) == (switch == "saving")
    assert b"private" not in hooked.spooled
    assert [record["event"] for record in hooked.records] == [
        "session_start",
        "delivery",
        "prompt",
    ]
    assert not {"cwd", "repo", "transcript"} & set(hooked.records[0])


def test_a_hook_that_runs_elsewhere_gives_nothing(hooked: Hooked, tmp_path: Path) -> None:
    """The pack belongs to the session's own directory; a folder of its working tree is that."""
    other = repository(tmp_path / "other")
    below = hooked.repo / "src"
    below.mkdir()

    assert hooked.start(cwd=other).context == ""
    assert hooked.start(cwd=tmp_path).context == ""
    assert hooked.start(cwd=below).titles == ["Install with pnpm"]
    assert hooked.call("SessionStart", source="startup", cwd=hooked.repo).titles


def test_a_session_that_moved_below_its_folder_is_where_it_was(hooked: Hooked) -> None:
    """The client tells its shell's folder; the hook still runs in the project."""
    below = hooked.repo / "src"
    below.mkdir()
    answer = hooked.prompt("Which one installs packages: pnpm or npm?", cwd_told=below)

    assert answer.titles == ["Install with pnpm"]


def test_another_client_that_reads_the_same_settings_is_left_alone(hooked: Hooked) -> None:
    """Without Claude Code's own variable it was not Claude Code that called."""
    named = hooked.start(env={"CLAUDECODE": ""})
    foreign = hooked.start(session="s-2", env={}, variables={})

    assert named.titles == ["Install with pnpm"]  # the name counts, not the value
    assert foreign.raw == b""
    assert {record["session"] for record in hooked.records} == {"s-1"}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("letter", ["x", "é", "記", "🦀"], ids=["ascii", "accent", "cjk", "emoji"])
def test_a_pack_is_never_more_than_a_client_takes_whole(
    tmp_path: Path, client: str, letter: str
) -> None:
    """Claude counts UTF-16 units, Codex bytes; a pack that would not fit is made smaller."""
    hooked = Hooked(tmp_path)
    for number in range(12):
        hooked.remember(f"Fact {number} of {letter}", f"{letter * 60} {number}\n" * 12)
    answer = hooked.start(client=client)
    spec = find(client)

    assert spec is not None
    assert answer.entries
    assert spec.fits(answer.context)
    assert hooked.records[-1]["tokens"] <= hooked.records[-1]["budget"]


def test_the_person_is_told_what_waits_and_how_approvals_came_in(hooked: Hooked) -> None:
    """At a start or a resume, in one line each; not at a compaction."""
    hooked.remember("Deploy on Fridays", propose=True)
    told = hooked.start()
    again = hooked.start("resume")
    compacted = hooked.start("compact")

    assert told.said == "onrecord: 1 memory waits for your approval. Run: onrecord review"
    assert again.said == told.said
    assert compacted.said == ""


def test_the_person_is_told_how_approvals_came_in(hooked: Hooked) -> None:
    """Of those since the session before: a key that nobody remembers typing is seen."""
    by_hand, elsewhere = [hooked.remember(f"Lint with {n}", propose=True) for n in ("a", "b")]
    hooked.start(session="before")
    hooked.drain()
    nothing = hooked.start(session="between")
    hooked.do(Approve(item=by_hand))
    inside = {"terminal": "yes", "variables": "CODEX_HOME"}
    principal = replace(hooked.person.principal, proof=inside)
    hooked.do(Approve(item=elsewhere), replace(hooked.person, principal=principal))
    told = hooked.start(session="after")

    assert "approved" not in nothing.said
    assert told.said == (
        "onrecord: 2 memories were approved since the last session,"
        " by ada at a terminal, by ada at a terminal with agent variables."
    )


def test_unknown_clients_and_events_are_not_answered(hooked: Hooked) -> None:
    """Nor seen: nothing is known of what they mean."""
    for client, event in [("vim", "SessionStart"), ("claude-code", "Notification"), ("", "")]:
        answer = hooked.call(event, client=client)
        assert (answer.raw, answer.errors, answer.exit_code) == (b"", b"", 0)

    assert hooked.records == []
    assert hooked.faults == []


def test_without_a_store_there_is_nothing_to_do(tmp_path: Path) -> None:
    """The hook makes no store, no spool and no note."""
    hooked = Hooked(tmp_path)
    answer = hooked.start()

    assert (answer.raw, answer.errors, answer.exit_code) == (b"", b"", 0)
    assert list(hooked.home.rglob("*")) == []
