"""Let an agent CLI use onrecord, or take that back.

Only your own user-level files are edited; comments and order stay, and --remove gives the
files back byte for byte; no agent can do that. An agent CLI's own memory is left alone.
"""

from __future__ import annotations

import argparse
import os

from onrecord.capture.agents.base import AgentSpec
from onrecord.capture.connection import PARTS, FileEdit
from onrecord.domain.errors import NeedsPerson, UsageError
from onrecord.doors.cli.desk import Desk
from onrecord.service import connecting
from onrecord.service.commands import Set

EXAMPLES = """examples:
  onrecord connect claude-code codex --dry-run
  onrecord connect --all
  onrecord connect codex --remove
"""

_QUESTION = """\
Agents will suggest memories that every agent working in a repository would see.
Which of them should wait for your approval?
  a  all of them (you decide each with one key in `onrecord review`)
  f  those that are flagged or cite no file of the repository
  n  only those that are flagged as suspicious"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("client", nargs="*", help="claude-code, codex, gemini-cli, ...")
    parser.add_argument("--all", action="store_true", help="every agent CLI found here")
    parser.add_argument("--dry-run", action="store_true", help="show the changes, write nothing")
    parser.add_argument("--remove", action="store_true", help="take our entries out again")
    parser.add_argument("--mcp-only", action="store_true", help="the server and its permission")
    parser.add_argument("--hooks-only", action="store_true", help="no server, no permission")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    parts = _parts(args)
    _check_may_remove(args, desk)
    found = connecting.installed(os.environ, desk.roster) if args.all else []
    specs = [spec for spec, _ in found] or [desk.roster.named(name) for name in args.client]
    if not specs and args.all:
        raise UsageError(
            "No agent CLI was found: no program of one stands on the PATH, and no settings here.",
            hint="Name one all the same: onrecord connect claude-code",
        )
    if not specs:
        verb = "to take our entries out of" if args.remove else "to connect"
        back = " --remove" if args.remove else ""
        raise UsageError(
            f"Say which agent CLI {verb}.",
            hint=f"onrecord connect claude-code codex{back}, or onrecord connect --all{back}",
        )
    for spec, sign in found:
        if not desk.as_json:
            desk.say(f"{spec.title}: found, for {sign}.")
    work = connecting.edits if args.dry_run else connecting.apply
    answers: list[tuple[AgentSpec, list[FileEdit]]] = []
    for spec in specs:
        done = work(spec, os.environ, parts=parts, remove=args.remove)
        answers.append((spec, done))
    if desk.as_json:
        desk.data({"clients": [_shape(spec.name, done) for spec, done in answers]})
    else:
        for spec, done in answers:
            _tell(spec.title, done, desk, dry_run=args.dry_run)
    if args.dry_run or args.remove:
        return 0
    desk.memory.status(desk.caller)
    if not desk.as_json:
        _after(specs, desk)
    return 0


def _check_may_remove(args: argparse.Namespace, desk: Desk) -> None:
    """Raise `NeedsPerson` for an agent: one alone would put out what all of them share."""
    if not args.remove or args.dry_run:
        return
    if desk.seen.verdict == "agent":
        raise NeedsPerson(
            "An agent cannot disconnect agents; no settings were changed.",
            hint="Ask the user to run it in their own terminal; `--dry-run` shows what would go."
            f" {desk.seen.told()}",
            details={"seen": dict(desk.seen.proof())},
        )
    if desk.seen.verdict == "ask":
        desk.require_person("Without the code no settings were changed.")


def _parts(args: argparse.Namespace) -> tuple[str, ...]:
    if args.mcp_only and args.hooks_only:
        raise UsageError("--mcp-only and --hooks-only exclude one another.")
    if args.mcp_only:
        return ("server", "permissions")
    return ("hooks", "plugin") if args.hooks_only else PARTS


def _after(specs: list[AgentSpec], desk: Desk) -> None:
    """What a person does next."""
    for spec in specs:
        for note in spec.notes:
            desk.say(f"  {note}")
    desk.say("Their own memories (CLAUDE.md, AGENTS.md, built-in memory) are left alone.")
    _ask_policy(desk)
    desk.say("Prove it with: onrecord doctor")


def _tell(title: str, done: list[FileEdit], desk: Desk, *, dry_run: bool) -> None:
    changed = [edit for edit in done if edit.changed]
    if not changed:
        desk.say(f"{title}: nothing to change.")
    for edit in changed:
        verb = "would change" if dry_run else "changed"
        desk.say(f"{title}: {verb} {edit.path}: {'; '.join(edit.summary)}")
        if dry_run:
            desk.say(edit.diff().rstrip("\n"))
    for edit in done:
        for conflict in (*edit.conflicts, *([edit.unread] if edit.unread else [])):
            desk.say(f"{title}: {edit.path}: {conflict}")


def _shape(name: str, done: list[FileEdit]) -> dict[str, object]:
    return {
        "client": name,
        "files": [
            {
                "path": edit.path,
                "changed": edit.changed,
                "summary": list(edit.summary),
                "conflicts": [*edit.conflicts, *([edit.unread] if edit.unread else [])],
            }
            for edit in done
        ],
    }


def _ask_policy(desk: Desk) -> None:
    """One plain question, asked once and only of a person at a terminal."""
    settings = desk.memory.status(desk.caller).settings
    if any(name == "review" for name, _, _ in settings):
        return
    if not desk.principal.is_person:
        desk.say("Everything agents suggest waits for approval (onrecord policy changes that).")
        return
    desk.say(_QUESTION)
    caller, key = desk.confirmed("Which", "afn")
    value = {"a": "all", "f": "flagged", "n": "none"}[key]
    desk.outcome(desk.memory.do(Set(name="review", value=value), caller))
