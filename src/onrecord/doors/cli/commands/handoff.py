"""Write what the next agent needs; at least one of the four parts.

With --to the agent is started as well: in a pane beside this one inside tmux, else in this
terminal. It is told what is on record here, with the handoff first. Where it worked here before,
its own session goes on and is told what came since its last turn. Without any of the four parts
the handoff says what was seen of the work: what was asked, committed and left uncommitted.
"""

from __future__ import annotations

import argparse

from onrecord.domain.errors import UsageError
from onrecord.doors.cli import launching
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import named
from onrecord.service import checkout, continuing
from onrecord.service.commands import HandOff

EXAMPLES = """examples:
  onrecord handoff --next "fix the fare gate test" --state "parser done, gate fails on CI"
  onrecord handoff --next "review the migration" --for codex
  onrecord handoff --to codex
  onrecord handoff --to claude-code --prompt "Review what Codex did"
"""

_PARTS = ("done", "state", "next", "questions")
_STARTING = ("model", "prompt", "replace", "fresh", "no_ask")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--done", default="", help="what is finished")
    parser.add_argument("--state", default="", help="how things stand")
    parser.add_argument("--next", default="", help="what comes next")
    parser.add_argument("--questions", default="", help="what is open")
    agent, model = named("an agent's name, such as codex"), named("a model's name")
    parser.add_argument(
        "--for", dest="to_agent", type=agent, metavar="AGENT", help="default: whoever comes next"
    )
    parser.add_argument("--to", type=agent, metavar="AGENT", help="for it, and start it here")
    parser.add_argument("--model", type=model, metavar="NAME", help="with --to: the model it uses")
    parser.add_argument(
        "--prompt", type=named("a text"), metavar="TEXT", help="with --to: its first prompt"
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="with --to: in the pane of the agent that worked here, which ends",
    )
    parser.add_argument("--fresh", action="store_true", help="with --to: always a new session")
    parser.add_argument("--no-ask", action="store_true", help="with --to: start without asking")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if args.to:
        return _start(args, desk)
    given = [name for name in _STARTING if getattr(args, name)]
    if given:
        raise UsageError(f"--{given[0].replace('_', '-')} goes with --to AGENT.")
    if not any(getattr(args, part).strip() for part in _PARTS):
        raise UsageError(
            "A handoff needs at least one of --done, --state, --next and --questions.",
            hint='onrecord handoff --next "what comes next"; with --to AGENT it does without',
        )
    to_agent = desk.roster.named(args.to_agent).name if args.to_agent else ""
    return desk.outcome(desk.memory.do(_command(args, desk, to_agent), desk.caller))


def _command(args: argparse.Namespace, desk: Desk, to_agent: str) -> HandOff:
    place = desk.caller.place
    return HandOff(
        done=args.done,
        state=args.state,
        next=args.next,
        questions=args.questions,
        to_agent=to_agent,
        head=place.commit,
        dirty=checkout.uncommitted(place),
    )


def _start(args: argparse.Namespace, desk: Desk) -> int:
    to = desk.roster.named(args.to).name
    if args.to_agent and desk.roster.named(args.to_agent).name != to:
        raise UsageError("--for and --to name two agents.")
    launching.launch_of(desk, to)
    launching.check_person(desk)
    rows = continuing.sessions_here(desk.memory, desk.caller)
    source = rows[0] if rows else None
    wish = launching.Wish(
        agent=to,
        model=args.model or "",
        prompt=args.prompt or "",
        fresh=args.fresh,
        replace=args.replace,
        no_ask=args.no_ask,
    )
    own = None if args.fresh else continuing.own_session(rows, to, desk.place)
    if own is not None and not launching.goes_on(desk, own):
        own = None
    launching.check_prompt(desk, wish, own)
    command = _command(args, desk, to)
    said = any((command.done, command.state, command.next, command.questions))
    if said or continuing.needs_handoff(desk.memory, desk.caller, to, source):
        made = continuing.hand_over(desk.memory, command, desk.caller, source)
        status = desk.tell(made)
        if continuing.refused(made):
            return status
    return launching.start(desk, wish, launching.told(desk, wish, own, rows))
