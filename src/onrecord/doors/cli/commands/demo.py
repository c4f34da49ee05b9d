"""The whole story in a throw-away home and repository, showing what each side saw.

Claude Code learns something and saves it; it waits for the person; the person approves it with
one key; Codex, started afterwards, has it in its context, saves a note of its own, and its
session ends with a handoff; the next Claude Code session starts with that handoff.

The real agent CLIs play it where they are installed, with a scripted model on loopback, so
that nothing is sent anywhere and nothing costs anything. Otherwise what they would send is
replayed. Your own store and settings are not touched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from onrecord.domain.errors import OnrecordError
from onrecord.doors.cli.demo import actors, stage
from onrecord.doors.cli.demo.model import ScriptedModel
from onrecord.doors.cli.desk import Desk
from onrecord.service.connecting import programs

EXAMPLES = """examples:
  onrecord demo
  onrecord demo --replay --keep
"""

LESSON: dict[str, Any] = {
    "title": "Run bin/setup_db before the specs, or they fail with 'relation does not exist'",
    "kind": "lesson",
    "scope": "repo",
    "prompted_by": "relation fares does not exist",
}
NOTE: dict[str, Any] = {
    "title": "The gate spec needs the fake clock from spec/support/clock.rb",
    "kind": "note",
    "scope": "agent",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--replay", action="store_true", help="do not start real agent CLIs")
    parser.add_argument("--keep", action="store_true", help="keep the throw-away folder")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    folder = Path(tempfile.mkdtemp(prefix="onrecord-demo-"))
    model = None if args.replay else ScriptedModel()
    try:
        person = desk.seen.verdict == "person"
        story = _Story(folder, model, person=person, aside=desk.as_json)
        status = story.tell()
    finally:
        if model is not None:
            model.close()
        if args.keep:
            stage.tell(f"\nKept: {folder}", aside=desk.as_json)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    if desk.as_json:
        desk.data({**story.shape, "kept": str(folder) if args.keep else None})
    return status


#: Where an agent does not pass on what it was answered; what it saved is shown further on.
_UNSEEN = "(saved; its answer is not shown here)"


class _Story:
    """The main job, told from beginning to end."""

    def __init__(
        self, folder: Path, model: ScriptedModel | None, *, person: bool, aside: bool
    ) -> None:
        """`aside`: the story goes to standard error, since the answer is JSON."""
        self._person = person
        self._aside = aside
        #: what came of it, as JSON
        self.shape: dict[str, Any] = {}
        self._home, self._repo = folder / "home", folder / "fare-gates"
        self._home.mkdir(mode=0o700)
        ours = programs()
        self._onrecord = ours.command
        path = f"{Path(ours.command).parent}{os.pathsep}{actors.search_path()}"
        self._env = {
            "HOME": str(self._home),
            "PATH": path,
            "LANG": "C.UTF-8",
            "TERM": os.environ.get("TERM", "dumb"),
            "ONRECORD_HOOK_DEADLINE_MS": "5000",
        }
        stage.make_repository(self._repo, self._env)
        (self._home / ".claude").mkdir()
        (self._home / ".codex").mkdir()
        self._model = model

    def tell(self) -> int:
        """Every step; 0 where the story holds."""
        self._tell("onrecord demo: one memory, two agents, one person in between")
        self._step("Connect both agent CLIs (their settings in a throw-away home)")
        self._show(self._our("connect", "claude-code", "codex"))
        claude = self._cast("claude-code")
        codex = self._cast("codex")
        self._tell(f"Claude Code is {claude.how}.\nCodex is {codex.how}.", mark="  ")

        self._step("Claude Code learns something and saves it")
        first = claude.play("The specs fail. Find out why.", ("remember", LESSON))
        self._show("\n".join(first.saves) or _UNSEEN)

        self._step("It waits for the person, who approves it with one key")
        started = time.monotonic()
        self._approve()
        took = time.monotonic() - started
        self.shape["person_seconds"] = round(took, 1)
        self._tell(f"(that took the person {took:.1f} s)", mark="  ")

        self._step("Codex starts afterwards and has it in its context")
        second = codex.play("Fix the gate spec.", ("remember", NOTE))
        self._show(second.context)
        self._tell("Codex saves a note of its own:", mark="  ")
        self._show("\n".join(second.saves) or _UNSEEN)

        self._step("Its session ends with a handoff; the next Claude Code session starts with it")
        self._settle()
        third = claude.play("Go on.")
        self._show(third.context)
        return self._verdict(second.context, third.context)

    def _verdict(self, second: str, third: str) -> int:
        lesson = "bin/setup_db" in second
        handoff = "Fix the gate spec" in third
        self._step("What happened")
        self._tell(f"{'yes' if lesson else 'NO'}: Codex was given Claude Code's lesson", mark="  ")
        self._tell(
            f"{'yes' if handoff else 'NO'}: Claude Code was given Codex's handoff", mark="  "
        )
        self._tell("Next: onrecord connect --all, then onrecord doctor", mark="  ")
        self.shape |= {"lesson_arrived": lesson, "handoff_arrived": handoff}
        return 0 if lesson and handoff else 1

    def _tell(self, text: str, *, mark: str = "") -> None:
        stage.tell(text, mark=mark, aside=self._aside)

    def _cast(self, name: str) -> actors.Actor:
        return actors.cast(
            name,
            env=self._env,
            repo=self._repo,
            model=self._model,
            folders=actors.search_path(),
        )

    def _approve(self) -> None:
        words = [self._onrecord, "review"]
        if self._person:
            self._tell("You are the person: press a to approve.", mark="  ")
            out = sys.stderr if self._aside else None
            subprocess.run(words, env=self._env, cwd=self._repo, stdout=out, check=False)  # noqa: S603 - ours
            return
        self._tell(
            "Nobody sits at a terminal here, so the demo plays the person at one of its own"
            " (docs/limits.md says what that means).",
            mark="  ",
        )
        self._show(stage.play_person(words, [("(q)uit", "a")], env=self._env, cwd=self._repo))

    def _settle(self) -> None:
        """Every command takes in what hooks left, so looking is enough."""
        self._our("status")

    def _our(self, *words: str) -> str:
        run = subprocess.run(  # noqa: S603 - ours
            [self._onrecord, *words],
            env=self._env,
            cwd=self._repo,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            start_new_session=True,  # without the terminal, so that nothing asks the viewer
            check=False,
        )
        if run.returncode:
            raise OnrecordError(f"`onrecord {' '.join(words)}` failed: {run.stderr.strip()}")
        return run.stdout.strip()

    def _step(self, text: str) -> None:
        self._tell(f"\n== {text}")

    def _show(self, text: str) -> None:
        self._tell(text.strip() or "(nothing)", mark="  | ")
