"""What agents did: their sessions, latest first."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.scope import parse
from onrecord.domain.session import Session
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import rows

EXAMPLES = """examples:
  onrecord sessions --repo repo
  onrecord sessions --agent codex --limit 50 --json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--agent", default="", help="only this agent's, such as codex")
    parser.add_argument("--repo", default="", help="only there; `repo` is this one")
    parser.add_argument(
        "--limit", type=rows, default=20, metavar="N", help="at most so many (default: 20)"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    caller = desk.reader
    repo = parse(args.repo, caller.place) if args.repo else ""
    found = desk.memory.sessions(caller, repo=repo, agent=args.agent, limit=args.limit)
    if desk.as_json:
        desk.data({"sessions": [wire.session(session) for session in found]})
        return 0
    if not found:
        desk.say("No agent session is on record.")
    elif desk.to_model:
        from onrecord.doors.cli import fencing

        fencing.tell_sessions(desk, found)
    else:
        for session in found:
            _tell(session, desk)
    if len(found) == args.limit:
        desk.say(f"… the latest {args.limit}; --limit shows more")
    return 0


def _tell(session: Session, desk: Desk) -> None:
    end = session.end_reason or ("open" if session.ended_at is None else "ended")
    name = session.agent_session[:8] or "synthetic: no hook told of it"
    desk.say(
        f"{rendering.when(session.started_at)} UTC  {session.agent}  {name}  {end}"
        f"  {session.branch.removeprefix('branch:') or session.cwd}".rstrip()
    )
    if session.last_prompt:
        desk.say(f"    {session.prompts} prompts, last: {session.last_prompt}")
    for commit in session.commits[:3]:
        desk.say(f"    {commit}")
