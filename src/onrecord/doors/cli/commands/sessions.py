"""What agents did: their sessions, latest first."""

from __future__ import annotations

import argparse

from onrecord import wire
from onrecord.domain.errors import UsageError
from onrecord.domain.scope import parse
from onrecord.domain.session import Session
from onrecord.domain.ulid import is_ulid, normalise
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import moment, rows
from onrecord.doors.cli.text import one_line
from onrecord.service.listing import STATES, counted, told_state
from onrecord.service.session_names import shown

EXAMPLES = """examples:
  onrecord sessions --repo repo
  onrecord sessions --agent codex --limit 50 --json
  onrecord sessions --state running
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--agent", default="", help="only this agent's, such as codex")
    parser.add_argument("--repo", default="", help="only there; `repo` is this one")
    parser.add_argument(
        "--since", default="", metavar="DATE", help="only those that went on after that"
    )
    parser.add_argument("--state", default="", choices=("", *STATES), help=", ".join(STATES))
    parser.add_argument(
        "--limit", type=rows, default=20, metavar="N", help="at most so many (default: 20)"
    )
    parser.add_argument("--after", default="", metavar="ID", help="go on after this one")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    spec = desk.roster.find(args.agent)
    args.agent = spec.name if spec is not None else args.agent
    if args.after and not is_ulid(normalise(args.after)):
        raise UsageError("--after takes a whole id: the next_cursor of the page before.")
    found = _page(args, desk, after=normalise(args.after) if args.after else "", limit=args.limit)
    if args.agent and spec is None and not found:
        desk.roster.named(args.agent)
    cursor = None
    if len(found) == args.limit and _page(args, desk, after=found[-1].id, limit=1):
        cursor = found[-1].id
    if desk.as_json:
        desk.data({"sessions": [wire.session(one) for one in found], "next_cursor": cursor})
        return 0
    if not found:
        asked = args.agent or args.repo or args.since or args.state or args.after
        desk.say(f"No agent session {'like that ' if asked else ''}is on record.")
    elif desk.to_model:
        from onrecord.doors.cli import fencing

        fencing.tell_sessions(desk, found)
    else:
        for session in found:
            _tell(session, desk)
    if cursor:
        desk.say(f"… the latest {args.limit}; what follows: the same with --after {cursor}")
    return 0


def _page(args: argparse.Namespace, desk: Desk, *, after: str, limit: int) -> list[Session]:
    caller = desk.reader
    return desk.memory.sessions(
        caller,
        repo=parse(args.repo, caller.place) if args.repo else "",
        agent=args.agent,
        since=moment(args.since),
        state=args.state,
        after=after,
        limit=limit,
    )


def _tell(session: Session, desk: Desk) -> None:
    where = session.branch.removeprefix("branch:") or session.cwd
    marks = [told_state(session)]
    marks += ["nobody sat at it"] if session.headless else []
    marks += ["no hook told of it"] if session.synthetic else []
    marks += ["delivery off"] if not session.deliver else []
    desk.say(
        f"{rendering.when(session.started_at)} UTC  {one_line(session.agent)}  {shown(session)}"
        f"  {', '.join(marks)}  {one_line(where)}".rstrip()
    )
    if session.last_prompt:
        last = one_line(session.last_prompt)
        desk.say(f"    {counted(session.prompts, 'prompt')}, last: {last}")
    for commit in session.commits[:3]:
        desk.say(f"    {one_line(commit)}")
    if session.commits[3:]:
        desk.say(f"    … and {counted(len(session.commits) - 3, 'more commit')}")
    if session.diff_stat:
        desk.say(f"    {one_line(session.diff_stat)}")
