"""Prove that delivery works, or say what is wrong and what to do.

For each agent CLI that is connected, the doctor does what that CLI does: it saves a memory
over MCP into a throw-away store, and has the session-start hook bring it back.
"""

from __future__ import annotations

import argparse
import os

from onrecord.capture import agents
from onrecord.doors.cli.desk import Desk
from onrecord.service import doctoring
from onrecord.service.doctoring import Finding

EXAMPLES = """examples:
  onrecord doctor
  onrecord doctor codex --json
"""

_SIGNS = {"ok": "ok  ", "note": "note", "warn": "WARN", "fail": "FAIL"}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("client", nargs="*", help="default: every agent CLI that can be connected")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    from onrecord.service import connecting

    specs = [connecting.spec_named(name) for name in args.client] or list(agents.connectable())
    findings: list[Finding] = []

    def found(finding: Finding) -> None:
        findings.append(finding)
        if not desk.as_json:
            desk.say(f"{_SIGNS[finding.level]}  {finding.say}  [{finding.code}]")
            if finding.fix:
                desk.say(f"      {finding.fix}")

    for finding in doctoring.examine_store(desk.config.store, lambda: desk.memory.check().sound):
        found(finding)
    for spec in specs:
        program = doctoring.which(spec, os.environ)
        connected = False
        for finding in doctoring.examine_client(
            spec, os.environ, program=program, cwd=desk.place.cwd or "/"
        ):
            connected = connected or finding.code == "client.connected"
            found(finding)
        if connected:
            for finding in doctoring.round_trip(spec, os.environ):
                found(finding)
    if desk.as_json:
        desk.data(
            {
                "findings": [
                    {"code": f.code, "level": f.level, "say": f.say, "fix": f.fix or None}
                    for f in findings
                ]
            }
        )
    return 1 if any(finding.level == "fail" for finding in findings) else 0
