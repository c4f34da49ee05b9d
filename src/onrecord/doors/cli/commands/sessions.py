"""What agents did: their sessions, latest first."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.scope import parse
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import positive


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--agent", default="")
    parser.add_argument("--repo", default="", help="only there; `repo` is this one")
    parser.add_argument("--limit", type=positive, default=20)


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    repo = parse(args.repo, desk.place) if args.repo else ""
    found = desk.memory.sessions(desk.caller, repo=repo, agent=args.agent, limit=args.limit)
    if desk.as_json:
        desk.data({"sessions": [wire.session(session) for session in found]})
        return 0
    if not found:
        desk.say("No agent session is on record.")
    for session in found:
        end = session.end_reason or ("open" if session.ended_at is None else "ended")
        name = session.agent_session[:8] or "synthetic: no hook told of it"
        desk.say(
            f"{rendering.when(session.started_at)}  {session.agent}  {name}  {end}"
            f"  {session.branch.removeprefix('branch:') or session.cwd}"
        )
        if session.last_prompt:
            desk.say(f"    {session.prompts} prompts, last: {session.last_prompt}")
        for commit in session.commits[:3]:
            desk.say(f"    {commit}")
    return 0
