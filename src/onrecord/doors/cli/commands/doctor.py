"""Prove that delivery works, or say what is wrong and what to do.

For each agent CLI that is connected, the doctor does what that CLI does: it saves a memory
over MCP into a throw-away store, and has the session-start hook bring it back.

With --fix it puts right what it can, and says what: entries of ours that are missing from a
client's settings or name a moved program, and files that other accounts may write to.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from onrecord import wiring
from onrecord.capture.agents.base import AgentSpec
from onrecord.domain.errors import OnrecordError, UsageError
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.following import followed_file
from onrecord.service import doctoring
from onrecord.service.doctoring import Finding
from onrecord.service.doctoring_project_file import examine_project_file
from onrecord.service.roster import Roster

if TYPE_CHECKING:
    from onrecord.service.reindexing import Coverage
    from onrecord.service.summary_reports import Owed

EXAMPLES = """examples:
  onrecord doctor
  onrecord doctor codex --json
  onrecord doctor --fix --dry-run
"""

#: Findings of a client whose settings have our entries.
_CONNECTED = ("client.connected", "client.settings_unread")
_SIGNS = {"ok": "ok  ", "note": "note", "warn": "WARN", "fail": "FAIL"}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("client", nargs="*", help="default: every agent CLI found here")
    parser.add_argument("--fix", action="store_true", help="put right what can be, and say what")
    parser.add_argument("--dry-run", action="store_true", help="with --fix: only show it")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    from onrecord.service import connecting

    if args.dry_run and not args.fix:
        raise UsageError("--dry-run goes with --fix.", hint="onrecord doctor --fix --dry-run")
    roster = Roster(own=desk.config.tables.get("agents"))
    specs = [roster.named(name) for name in args.client]
    specs = specs or [spec for spec, _ in connecting.installed(os.environ, roster)]
    repaired = _repair(args, specs, desk) if args.fix else []
    findings: list[Finding] = []

    def found(finding: Finding) -> None:
        findings.append(finding)
        if not desk.as_json:
            desk.say(f"{_SIGNS[finding.level]}  {finding.say}  [{finding.code}]")
            if finding.fix:
                desk.say(f"      {finding.fix}")

    for finding in chain(
        doctoring.examine_config(desk.config.odd, roster.ignored()),
        examine_project_file(desk.place),
        doctoring.examine_store(desk.config.store, lambda: desk.memory.check().sound),
        _examine_meaning(desk),
        _examine_summaries(desk),
        _examine_mirrors(desk),
    ):
        found(finding)
    for spec in specs:
        for finding in _examine(spec, desk):
            found(finding)
    if desk.as_json:
        desk.data(
            {
                "findings": [
                    {"code": f.code, "level": f.level, "say": f.say, "fix": f.fix or None}
                    for f in findings
                ],
                **({"repairs": repaired} if args.fix else {}),
            }
        )
    return 1 if any(finding.level == "fail" for finding in findings) else 0


def _examine_meaning(desk: Desk) -> Iterator[Finding]:
    """What recall finds by; the model is loaded where one is in use."""
    from onrecord.service.doctoring_meaning import examine_meaning

    table = desk.config.tables.get("semantic", {})

    def coverage() -> Coverage:
        reindexing = wiring.open_reindexing(desk.config.store, table)
        try:
            return reindexing.coverage()
        finally:
            reindexing.close()

    return examine_meaning(table, coverage, lambda: wiring.open_meaning(table))


def _examine_summaries(desk: Desk) -> Iterator[Finding]:
    """Summaries without being asked, where they are wanted."""
    from onrecord.service.doctoring_summaries import examine_summaries

    table = desk.config.tables["summaries"]
    if table.get("automatic") is not True:
        return iter(())
    file = followed_file(desk.config.store, os.environ)

    def owed() -> list[Owed]:
        summaries = wiring.open_summaries(desk.config.store, table, desk.config.tables["agents"])
        try:
            return summaries.owed(file)
        finally:
            summaries.close()

    return examine_summaries(owed, is_followed=bool(file))


def _examine_mirrors(desk: Desk) -> Iterator[Finding]:
    """Folders of Markdown that follow the store."""
    from onrecord.service.doctoring_mirrors import examine_mirrors

    def behind(path: str) -> int:
        transfer = wiring.open_transfer(desk.config.store, create=False)
        try:
            folder = wiring.open_mirror_folder(path, make=False)
            would = transfer.mirror(desk.reader, folder, keep=False)
        finally:
            transfer.close()
        return would.written + would.erased

    known = wiring.known_copies(desk.config.store)
    return examine_mirrors(known.mirrors, behind if desk.principal_is_person else None)


def _examine(spec: AgentSpec, desk: Desk) -> Iterator[Finding]:
    """One client: its settings, and where it is connected a round trip."""
    connected = False
    program = doctoring.which(spec, os.environ)
    cwd = desk.place.cwd or "/"
    for finding in doctoring.examine_client(spec, os.environ, program=program, cwd=cwd):
        connected = connected or finding.code in _CONNECTED
        yield finding
    if connected:
        yield from doctoring.round_trip(spec, os.environ)


def _repair(
    args: argparse.Namespace, specs: list[AgentSpec], desk: Desk
) -> list[dict[str, object]]:
    """Show each repair, do it unless only shown, and say how it went."""
    from onrecord.service import repairing

    made: list[dict[str, object]] = []
    found = repairing.repairs(desk.config.store, specs, os.environ, whole=bool(args.client))
    for repair in found:
        done, word, problem = False, "would fix", ""
        if not args.dry_run:
            try:
                repair.do()
                done, word = True, "fixed"
            except OnrecordError as error:
                word, problem = "not fixed", error.message
        made.append({"say": repair.say, "done": done, "problem": problem or None})
        if not desk.as_json:
            desk.say(f"{word}: {repair.say}" + (f" ({problem})" if problem else ""))
            if args.dry_run and repair.diff:
                desk.say(repair.diff.rstrip("\n"))
    if not made and not desk.as_json:
        desk.say("There is nothing that the doctor could fix.")
    return made
