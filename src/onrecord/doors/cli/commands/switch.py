"""Turn saving, capture or delivery on or off; running sessions obey at once.

With saving off nothing is learned from agents, and they are told to say so. Reading goes on, and
what you write yourself is kept. `capture` is what hooks record of sessions, `deliver` what agents
are given; both can be set for one repository, one kind of agent or one session. Off for a kind of
agent or a session is off in every repository. ONRECORD_DELIVER=off in an agent's environment
starts it with delivery off. `nudge` is off until you turn it on: a stopping agent is then asked,
once and where its session had failures or corrections, whether something is worth keeping.
"""

from __future__ import annotations

import argparse

from onrecord.domain.errors import UsageError
from onrecord.doors.cli.desk import Desk
from onrecord.service.commands import Set

EXAMPLES = {
    "off": """examples:
  onrecord off                          stop learning everywhere
  onrecord off deliver --repo           give agents nothing in this repository
  onrecord off deliver --agent codex    give Codex nothing anywhere
  onrecord off deliver --session 4QX7ZN
""",
    "on": """examples:
  onrecord on
  onrecord on deliver --repo
""",
}

_WHATS = ("saving", "capture", "deliver", "nudge")
_WHERE = ("scope", "repo", "agent", "session")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what",
        nargs="?",
        default="saving",
        choices=_WHATS,
        help="saving (default), capture, deliver or nudge",
    )
    parser.add_argument(
        "--repo", nargs="?", const="repo", default="", help="one repository (default: this one)"
    )
    parser.add_argument("--agent", default="", metavar="NAME", help="one kind, such as codex")
    parser.add_argument(
        "--session", default="", metavar="ID", help="one session; `onrecord sessions` lists them"
    )
    parser.add_argument("--scope", default="", help="any scope, as `onrecord scopes` names it")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    named = [name for name in _WHERE if getattr(args, name)]
    if len(named) > 1:
        raise UsageError(f"--{named[0]} and --{named[1]} exclude one another.")
    if args.what == "saving" and named:
        raise UsageError(
            "Saving is switched for everything at once.",
            hint="`capture` and `deliver` are per repository, agent and session.",
        )
    scope = _scope(args, desk)
    return desk.outcome(
        desk.memory.do(Set(name=args.what, value=args.command, scope=scope), desk.caller)
    )


def _scope(args: argparse.Namespace, desk: Desk) -> str:
    if args.agent:
        return f"agent:{desk.roster.named(args.agent).name}"
    if args.session:
        row = desk.memory.session(args.session, desk.reader)
        return f"session:{row.agent}:{row.agent_session or row.id}"
    if args.repo:
        whole = args.repo == "repo" or args.repo.startswith("repo:")
        return str(args.repo) if whole else f"repo:{args.repo}"
    return str(args.scope) or "global"
