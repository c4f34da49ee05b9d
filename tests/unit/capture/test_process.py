"""Who started a process, seen in real process trees and on real terminals."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.surroundings import CLAUDE_VARIABLES, PERSON, SHELL_TOOL, Surroundings, agent_program
from harness.terminal import Person
from onrecord.capture import agents, process

PROBE = [sys.executable, str(Path(__file__).with_name("process_probe.py"))]
SPECS = agents.recognised()


def seen(*command: str) -> dict[str, Any]:
    """What the probe at the end of a command line reports."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=30)
    return read(done.stdout)


def read(text: str) -> dict[str, Any]:
    """The probe's report in what a terminal showed."""
    found: dict[str, Any] = json.loads(text.partition("seen:")[2].splitlines()[0])
    return found


def running(program: Path, *command: str) -> list[str]:
    """A shell of that name that runs a command and stays above it."""
    return [str(program), "-c", '"$@"; exit $?', program.name, *command]


@pytest.mark.parametrize(
    ("name", "client"),
    [("claude", "claude-code"), ("claude.exe", "claude-code"), ("codex", "codex")],
)
def test_a_client_is_found_past_the_shell_of_its_hook(
    name: str, client: str, tmp_path: Path
) -> None:
    """A hook that a shell runs for a client finds that client, and that it is alive."""
    program = agent_program(tmp_path, name)
    found = seen(*running(program, "sh", "-c", '"$@"; exit $?', "sh", *PROBE))

    assert found["client"] == client
    assert found["alive"] is True


def test_a_client_is_known_by_how_it_was_called_when_its_file_has_another_name(
    tmp_path: Path,
) -> None:
    """An installer that keeps versions apart names the file by its version."""
    version = agent_program(tmp_path / "versions", "2.1.332")
    link = tmp_path / "claude"
    link.symlink_to(version)

    assert seen(*running(link, *PROBE))["client"] == "claude-code"


def test_the_first_client_up_is_the_own_one(tmp_path: Path) -> None:
    """An agent that runs in another agent's shell is the one that the call belongs to."""
    inner = running(agent_program(tmp_path, "codex"), *PROBE)
    found = seen(
        *running(agent_program(tmp_path, "claude"), "bash", "-c", '"$@"; :', "bash", *inner)
    )

    assert found["client"] == "codex"


def test_a_client_that_cannot_be_connected_is_not_walked_past(tmp_path: Path) -> None:
    """A call from an agent that we only recognise does not land in the one above it."""
    inner = running(agent_program(tmp_path, "gemini"), *PROBE)

    assert seen(*running(agent_program(tmp_path, "claude"), *inner))["client"] == "gemini-cli"


@pytest.mark.parametrize("stranger", ["editor", "node", "python3"])
def test_a_stranger_in_between_ends_the_search(stranger: str, tmp_path: Path) -> None:
    """What a client's child of any other kind started is not the client's own call."""
    inner = running(agent_program(tmp_path, stranger), *PROBE)
    found = seen(*running(agent_program(tmp_path, "claude"), *inner))

    assert found["client"] is None
    assert found["ancestor"] == "claude-code"


def test_our_own_program_is_walked_past(tmp_path: Path) -> None:
    """The installed script, under whatever interpreter, stands between no one."""
    inner = running(agent_program(tmp_path, "onrecord-hook"), *PROBE)

    assert seen(*running(agent_program(tmp_path, "claude"), *inner))["client"] == "claude-code"


def test_a_process_of_many_sessions_is_no_ones_own(tmp_path: Path) -> None:
    """A Codex app-server keeps many sessions: its calls are not told apart by process."""
    program = agent_program(tmp_path, "codex")
    found = seen(str(program), "-c", 'shift; "$@"; exit $?', "app-server", "app-server", *PROBE)

    assert found["client"] is None
    assert found["ancestor"] == "codex"


def test_a_script_named_like_a_client_is_not_the_client(tmp_path: Path) -> None:
    """A person's own shell script around a client is walked past, to the client above or none."""
    script = tmp_path / "claude"
    script.write_text('#!/bin/sh\n"$@"; exit $?\n', encoding="utf-8")
    script.chmod(0o700)
    (tmp_path / "real").mkdir()
    inner = running(agent_program(tmp_path / "real", "codex"), str(script), *PROBE)

    assert seen(*inner)["client"] == "codex"


def test_codex_is_known_by_the_script_that_starts_it(tmp_path: Path) -> None:
    """Where Node runs Codex's script, the interpreter counts as the client."""
    node = agent_program(tmp_path, "node")
    script = tmp_path / "bin" / "codex.js"
    script.parent.mkdir()
    script.write_text('"$@"; exit $?\n', encoding="utf-8")

    assert seen(str(node), str(script), *PROBE)["ancestor"] == "codex"
    assert seen(str(node), str(script), *PROBE)["client"] == "codex"


def test_options_of_an_interpreter_are_not_the_script() -> None:
    """Gemini CLI starts itself anew with an option for Node before its script."""
    node = process.Process(
        pid=7,
        ppid=1,
        started=1,
        comm="MainThread",
        exe="/usr/bin/node",
        argv=("node", "--max-old-space-size=12052", "/opt/npm/.bin/gemini", "-p", "hi"),
    )
    found = process.client_of(node, agents.recognised())

    assert found is not None
    assert found.name == "gemini-cli"


def test_another_script_of_an_interpreter_is_no_client(tmp_path: Path) -> None:
    """A program that only has a client's word in its path is not the client."""
    node = agent_program(tmp_path, "node")
    script = tmp_path / "codex.js" / "server.js"
    script.parent.mkdir()
    script.write_text('"$@"; exit $?\n', encoding="utf-8")
    found = seen(str(node), str(script), *PROBE)

    assert found["client"] is None


def test_a_process_is_told_from_a_later_one_of_its_id(tmp_path: Path) -> None:
    """A process is alive only while it runs, and only with its own start time."""
    child = subprocess.Popen(["sleep", "60"], cwd=tmp_path)
    found = process.find(child.pid)
    assert found is not None
    before = process.alive(child.pid, found.started)
    other = process.alive(child.pid, found.started + 1)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    unburied = process.alive(child.pid, found.started)
    child.wait()

    assert (before, other, unburied) == (True, False, False)
    assert not process.alive(child.pid, found.started)
    assert not process.alive(0, 0)
    assert not process.alive(-1, 5)


def test_a_name_with_spaces_and_brackets_is_read(tmp_path: Path) -> None:
    """The kernel's line about a process is read past whatever its name holds."""
    program = agent_program(tmp_path, "a) S (b c")
    child = subprocess.Popen([str(program), "-c", "read -r _"], stdin=subprocess.PIPE)
    found = process.find(child.pid)
    child.communicate(b"\n")

    assert found is not None
    assert found.comm == "a) S (b c"
    assert found.ppid == os.getpid()
    assert found.cmdline0 == str(program)


def test_a_replaced_program_keeps_its_name(tmp_path: Path) -> None:
    """A client that updated itself runs from a deleted file and is still the client."""
    program = agent_program(tmp_path, "claude")
    child = subprocess.Popen([str(program), "-c", "read -r _"], stdin=subprocess.PIPE)
    program.unlink()
    found = process.find(child.pid)
    child.communicate(b"\n")

    assert found is not None
    assert found.exe == str(program)


def test_ancestors_lead_up_to_the_first_process() -> None:
    """The line of parents begins at the parent and never names a process twice."""
    line = process.ancestors(os.getpid())

    assert line[0].pid == os.getppid()
    assert [above.pid for above in line[1:]] == [below.ppid for below in line[:-1]]
    assert len({found.pid for found in line}) == len(line)


def test_processes_that_are_gone_are_nothing() -> None:
    """An id that no process has gives neither a process nor ancestors."""
    gone = subprocess.Popen(["true"])
    gone.wait()

    assert process.find(gone.pid) is None
    assert process.ancestors(gone.pid) == []
    assert process.own_client(gone.pid, SPECS) is None


@pytest.mark.skipif(not shutil.which("ps"), reason="there is no ps here")
def test_ps_tells_the_same_as_the_kernels_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no /proc, `ps` gives the same parents and names, and a stable start."""
    wanted = process.ancestors(os.getpid())
    monkeypatch.setattr(process, "_PROC", "/nowhere")
    found = process.ancestors(os.getpid())
    again = process.find(os.getpid())

    assert [one.pid for one in found] == [one.pid for one in wanted]
    assert [one.comm[:15] for one in found] == [one.comm for one in wanted]
    assert again is not None
    assert again.started > 1_700_000_000
    assert process.alive(os.getpid(), again.started)
    assert again.cmdline0.endswith(Path(sys.executable).name)


def test_without_any_means_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system with neither /proc nor `ps` shows no ancestors, rather than failing."""
    monkeypatch.setattr(process, "_PROC", "/nowhere")
    monkeypatch.setattr(process, "_PS_PATH", "/nowhere")

    assert process.ancestors(os.getpid()) == []
    assert process.find(os.getpid()) is None


def test_a_person_at_a_terminal(tmp_path: Path) -> None:
    """No agent above, no variables, a terminal that opens."""
    found = read(Person(tmp_path).run(PROBE).text)

    assert (found["ancestor"], found["variables"], found["terminal"]) == (None, [], True)
    assert found["sandboxed"] is False


def test_a_person_in_an_editors_terminal(tmp_path: Path) -> None:
    """Editors are no agents, also when their extension sets a variable of an agent's."""
    editor = Surroundings(
        agent="code", variables={"CLAUDE_CODE_SSE_PORT": "1", "TERM_PROGRAM": "v"}
    )
    found = read(Person(tmp_path).run(PROBE, around=editor).text)

    assert (found["ancestor"], found["variables"], found["terminal"]) == (None, [], True)


@pytest.mark.parametrize("way", ["plain", "linked", "setsid", "env_i", "script"])
@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_an_agents_shell_tool_shows_its_agent(agent: str, way: str, tmp_path: Path) -> None:
    """However an agent starts a command that stays below it, the agent is seen above it."""
    found = read(Person(tmp_path).run(PROBE, around=SHELL_TOOL[f"{agent}-{way}"]).text)

    assert found["ancestor"] == {"claude": "claude-code", "codex": "codex"}[agent]
    assert found["terminal"] is (way == "script")
    assert bool(found["variables"]) is (way != "env_i")


@pytest.mark.parametrize("way", ["setsid_f", "background"])
def test_a_command_that_left_its_agent_still_has_its_variables(way: str, tmp_path: Path) -> None:
    """Re-parented to init, it has no agent above; variables and the missing terminal remain."""
    found = read(Person(tmp_path).run(PROBE, around=SHELL_TOOL[f"claude-{way}"]).text)

    assert (found["ancestor"], found["terminal"]) == (None, False)
    assert found["variables"] == sorted(CLAUDE_VARIABLES)


def test_variables_count_when_they_are_empty(tmp_path: Path) -> None:
    """Setting a variable to nothing does not hide it; its value is never reported."""
    around = Surroundings(variables={"CLAUDECODE": ""})
    found = read(Person(tmp_path).run(PROBE, around=around).text)

    assert found["variables"] == ["CLAUDECODE"]
    assert PERSON.variables == {}


@pytest.mark.parametrize(("first", "inside"), [("codex", True), ("bwrap", True), ("init", False)])
def test_a_sandbox_is_told_by_its_first_process(
    first: str, inside: object, tmp_path: Path
) -> None:
    """In a process namespace of its own, the line ends at an agent's sandbox or at an init."""
    apart = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system makes no process namespaces for its users")
    found = seen(*apart, *running(agent_program(tmp_path, first), *PROBE))

    assert found["sandboxed"] is inside
    assert found["ancestor"] == ("codex" if first == "codex" else None)


def test_a_sandbox_without_a_namespace_is_told_by_its_variable() -> None:
    """Where the sandbox hides no processes, the agent's own variable tells of it."""
    environ = {"CODEX_SANDBOX_NETWORK_DISABLED": "1"}

    assert process.evidence(environ, SPECS).sandboxed is True
    assert process.evidence({}, SPECS).sandboxed is False
