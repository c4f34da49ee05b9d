"""Let an agent's earlier session here go on, and tell it what came since its last turn.

Without a name it is the latest session in this checkout. Where its agent still runs in a pane of
tmux and waits, it is told there; else it is started with its own way of resuming.
"""

from __future__ import annotations

import argparse

from onrecord.domain.errors import NotFound
from onrecord.domain.session import Session
from onrecord.doors.cli import launching
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import named
from onrecord.service import continuing

EXAMPLES = """examples:
  onrecord resume
  onrecord resume codex
  onrecord resume 4QX7ZN --prompt "What is left?"
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "which", nargs="?", default="", help="an agent or a session (default: the latest here)"
    )
    model, text = named("a model's name"), named("a text")
    parser.add_argument("--model", type=model, metavar="NAME", help="the model it uses")
    parser.add_argument("--prompt", type=text, metavar="TEXT", help="what it is asked first")
    parser.add_argument("--no-ask", action="store_true", help="start without asking")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    launching.check_person(desk)
    rows = continuing.sessions_here(desk.memory, desk.caller)
    session = _found(args.which, rows, desk)
    launching.check_goes_on(desk, session)
    wish = launching.Wish(
        agent=session.agent,
        model=args.model or "",
        prompt=args.prompt or "",
        no_ask=args.no_ask,
    )
    launching.check_prompt(desk, wish, session)
    return launching.start(desk, wish, launching.told(desk, wish, session, rows))


def _found(which: str, rows: list[Session], desk: Desk) -> Session:
    spec = desk.roster.find(which) if which else None
    if which and spec is None:
        named = desk.memory.session(which, desk.caller)
        if named.agent_session:
            return named
        raise NotFound("That session was told of by no hook, so it cannot go on.")
    known = [spec.name] if spec is not None else [row.agent for row in rows]
    for agent in known:
        own = continuing.own_session(rows, agent, desk.place)
        if own is not None:
            return own
    raise NotFound(
        f"No session of {spec.title} is on record in this checkout."
        if spec is not None
        else "No agent's session is on record in this checkout.",
        hint="`onrecord sessions` lists those of everywhere.",
    )
