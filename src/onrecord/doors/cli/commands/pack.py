"""The context that an agent gets here, fenced, and within a budget of tokens.

With --for it is what that agent would be given at its start, in the form that its command line
takes. A session that is started with it is not given it a second time by its hook.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from onrecord import wire
from onrecord.capture import agents, process
from onrecord.capture.agents.base import AgentSpec
from onrecord.capture.agents.launch import toml_string
from onrecord.domain.errors import UsageError
from onrecord.doors.cli import streams
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.limits import positive
from onrecord.service import delivering
from onrecord.service.caller import Caller
from onrecord.service.packs import Pack, nothing
from onrecord.service.places import place_at, rename

EXAMPLES = """examples:
  onrecord pack
  onrecord pack --query "flaky fare gate test" --budget 800 --json
  claude --append-system-prompt "$(onrecord pack --for claude)"
  codex -c "$(onrecord pack --for codex --toml)"
  gemini --prompt-interactive "$(onrecord pack --for gemini) Go on with the release."
"""

#: What stands for no agent in particular.
_TEXT = "text"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("--query", default="", help="what it is wanted for (default: anything)")
    parser.add_argument(
        "--budget",
        type=positive,
        default=1_500,
        metavar="TOKENS",
        help="never exceeded (default: 1500)",
    )
    parser.add_argument(
        "--for",
        dest="agent",
        default="",
        metavar="AGENT",
        help="claude, codex, gemini, ... or text: for that agent's command line",
    )
    parser.add_argument(
        "--toml", action="store_true", help="codex: as a setting for its option -c"
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    spec = _spec(args, desk)
    made, delivery = Pack("session_start", args.budget), ""
    off = _off_in(spec, desk)
    if off and not desk.as_json:
        streams.complain(f"onrecord: delivery is off in {off}, so agents are given none of it\n")
    if spec is None or not off:
        made, delivery = desk.memory.pack(
            _reader(desk) if spec is None else _as(spec, desk),
            query=args.query,
            budget=args.budget,
            channel="terminal",
            occasion="session_start" if spec else "context",
        )
    if desk.as_json:
        words = spec.launch.words(pack=made.text) if spec and spec.launch else ()
        more = {"argv": list(words)} if args.agent else {}
        desk.data({**wire.pack(made, delivery), **more})
    elif args.toml:
        desk.say(f"developer_instructions={toml_string(made.text)}")
    elif made.text:
        desk.say(made.text)
    elif not args.agent:
        desk.say(nothing(made))
    if args.agent and made.needed and not desk.as_json:
        streams.complain(f"onrecord: {nothing(made)}\n")
    return 0


def _spec(args: argparse.Namespace, desk: Desk) -> AgentSpec | None:
    """The agent that the pack is for; None for nobody in particular."""
    spec = desk.roster.named(args.agent) if args.agent not in ("", _TEXT) else None
    if spec is not None and spec.launch is None:
        raise UsageError(
            f"{spec.title} is not started from a command line.",
            hint="onrecord pack --for text prints the pack alone",
        )
    if args.toml and (spec is None or spec.name != "codex"):
        raise UsageError(
            "--toml is a form of codex's own.", hint="onrecord pack --for codex --toml"
        )
    return spec


def _reader(desk: Desk) -> Caller:
    """Who asks: an agent in its own shell in the session that its hooks told of last."""
    reader = desk.reader
    if desk.seen.verdict != "agent":
        return reader
    known = agents.recognised(desk.config.tables.get("agents"))
    client = process.own_client(os.getpid(), known)
    spec = process.client_of(client, known) if client is not None else None
    # of a process that holds many sessions nothing tells which one this is
    if client is None or spec is None or spec.named_by_calls:
        return reader
    session = desk.memory.session_of_process(spec.name, client.pid, client.started)
    return Caller(principal=replace(reader.principal, session=session), place=reader.place)


def _as(spec: AgentSpec, desk: Desk) -> Caller:
    """The reader, asking in that agent's place and name.

    What is that agent's alone is not another agent's to read, which asks in its name.
    """
    own = not _is_anothers(spec, desk)
    if not own and not desk.as_json:
        streams.complain(
            f"onrecord: another agent runs this, so what is {spec.title}'s alone is left out\n"
        )
    place = place_at(desk.place.cwd, agent=spec.name if own else "", named=desk.config.places)
    principal = replace(desk.reader.principal, agent=spec.name)
    return Caller(principal=principal, place=rename(place, desk.renamed()))


def _is_anothers(spec: AgentSpec, desk: Desk) -> bool:
    """Whether an agent of another kind asks, as far as processes and variables show."""
    if desk.reader.principal.is_person:
        return False
    seen = desk.seen
    if seen.ancestor:
        return seen.ancestor != spec.name
    return bool(set(seen.variables) - set(spec.variables))


def _off_in(spec: AgentSpec | None, desk: Desk) -> str:
    """The scope in which a person switched delivery off, or an empty string."""
    agent = spec.name if spec is not None else ""
    place = place_at(desk.place.cwd, agent=agent, named=desk.config.places)
    setting = delivering.from_rows(desk.memory.status(desk.reader).settings)
    return delivering.switched_off("deliver", rename(place, desk.renamed()), setting)
