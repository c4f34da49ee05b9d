"""Starting an agent for a person: in a pane of their tmux, else in place of this terminal."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from onrecord.domain.errors import Clash, Declined, NeedsPerson, UsageError
from onrecord.domain.plural import counted
from onrecord.doors.cli import panes, streams
from onrecord.service import continuing
from onrecord.service.clocks import SystemClock
from onrecord.service.places import place_at, rename
from onrecord.service.session_names import shown

if TYPE_CHECKING:
    from onrecord.capture.agents.launch import Launch
    from onrecord.domain.session import Session
    from onrecord.doors.cli.desk import Desk
    from onrecord.service.continuing import Continuation

#: Tells the first hook of what is started which pack it was started with, and for a session
#: that goes on, which one.
GIVEN = "ONRECORD_GIVEN"
GIVEN_TO = "ONRECORD_GIVEN_TO"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """How an agent is to be started."""

    agent: str
    model: str = ""
    prompt: str = ""
    #: a new session, whatever earlier one there is
    fresh: bool = False
    #: in the pane of the agent that handed on, which ends
    replace: bool = False
    #: without asking first
    no_ask: bool = False


def launch_of(desk: Desk, agent: str) -> Launch:
    """How an agent is started; raises `UsageError` where it is not known or not installed."""
    launch = desk.roster.named(agent).launch
    if launch is None:
        known = [one.name for one in desk.roster.connectable() if one.launch is not None]
        raise UsageError(
            "That agent cannot be started from here.", hint=f"one of: {', '.join(known)}"
        )
    if shutil.which(launch.program) is None:
        raise UsageError(
            f"`{launch.program}` is not on the PATH, so nothing was started.",
            hint="Install it, or add its folder to PATH.",
        )
    return launch


def goes_on(desk: Desk, session: Session) -> bool:
    """Whether a session can be told something: it runs, or can be started by its id."""
    return continuing.is_running(session) or bool(launch_of(desk, session.agent).resume)


def check_goes_on(desk: Desk, session: Session) -> None:
    """Raise `UsageError` where a session's agent is not there or takes no session by its id."""
    if not goes_on(desk, session):
        raise UsageError(
            f"{session.agent} is not described as letting a session go on by its id.",
            hint=f"Start a new one: onrecord handoff --to {session.agent}",
        )


def check_prompt(desk: Desk, wish: Wish, session: Session | None) -> None:
    """Raise `UsageError` where a session that is started again could not be asked anything."""
    if session is None or not wish.prompt or continuing.is_running(session):
        return
    if not launch_of(desk, wish.agent).prompts_resumed:
        raise UsageError(
            f"{wish.agent} takes no first prompt for a session that goes on.",
            hint="Leave out --prompt and type it there, or start a new session: "
            f"onrecord handoff --to {wish.agent} --fresh",
        )


def check_person(desk: Desk) -> None:
    """Only a person starts agents; an agent that could would work around what it is asked."""
    if not desk.caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})


def told(desk: Desk, wish: Wish, session: Session | None, rows: list[Session]) -> Continuation:
    """What the agent is told here."""
    name = session.agent_session if session else ""
    place = place_at(
        desk.place.cwd, agent=wish.agent, agent_session=name, named=desk.config.places
    )
    return continuing.continuation(
        desk.memory,
        rename(place, desk.renamed()),
        wish.agent,
        session=session,
        sessions=rows,
        now=SystemClock().now(),
        nonce=secrets.token_hex(8),
    )


def start(desk: Desk, wish: Wish, made: Continuation) -> int:
    """Start it, or type into the agent that runs already; does not return where it takes over.

    Raises `Clash` where the session that should go on is busy or out of reach.
    """
    if made.running:
        return _type(desk, wish, made)
    ends = made.source if wish.replace and made.source is not None else None
    words = _words(desk, wish, made)
    pane = ""
    if ends is not None and continuing.is_running(ends):
        pane = panes.pane_of(ends.pid)
        if not pane:
            raise Clash(
                f"{ends.agent} runs in no pane of tmux, so its place cannot be taken.",
                hint="Leave it yourself, and leave out --replace.",
            )
    _ask(desk, wish, made, ends=ends if pane else None)
    env = _given(desk, wish, made)
    cwd = made.session.cwd if made.session else desk.place.cwd
    streams.finish()
    if pane and panes.take_over(pane, words, cwd=cwd, env=env):
        desk.say(f"{wish.agent} has taken over that pane.")
        return 0
    if not pane and not wish.replace and panes.inside() and panes.split(words, cwd=cwd, env=env):
        desk.say(f"{wish.agent} is started in a pane beside this one.")
        return 0
    return _become(desk, words, cwd, env)


def _words(desk: Desk, wish: Wish, made: Continuation) -> tuple[str, ...]:
    launch = launch_of(desk, wish.agent)
    if made.session is not None:
        first = made.message(wish.prompt) if launch.prompts_resumed else ""
        words = launch.words(prompt=first, model=wish.model, session=made.session.agent_session)
    else:
        words = launch.words(pack=made.text, prompt=wish.prompt, model=wish.model)
    return (shutil.which(words[0]) or words[0], *words[1:])


def _given(desk: Desk, wish: Wish, made: Continuation) -> dict[str, str]:
    """What its first hook puts on record as given: an agent that never ran was given nothing."""
    pack = made.pack
    if not pack.text or _by_hook(desk, wish, made):
        return {}
    to = {GIVEN_TO: made.session.agent_session} if made.session is not None else {}
    shown = " ".join(f"{row[0]}.{row[1]}.{row[5]}" for row in pack.shown)
    return {GIVEN: f"{pack.handoff or '-'} {pack.budget} {pack.tokens} {shown}".strip(), **to}


def _by_hook(desk: Desk, wish: Wish, made: Continuation) -> bool:
    """Whether it is told only with the prompt that the person types there."""
    again = made.session is not None and not made.running
    return again and not launch_of(desk, wish.agent).prompts_resumed


def _ask(desk: Desk, wish: Wish, made: Continuation, *, ends: Session | None = None) -> None:
    """Say what is about to start; without --no-ask the person's key starts it."""
    how = f"its session {shown(made.session)}" if made.session else "a new session"
    what = [f"{wish.agent}: {how}", made.opening]
    if _by_hook(desk, wish, made):
        what += ["given: what is on record here, with the first prompt that you type"]
    else:
        entries = counted(len(made.pack.shown), "entry")
        what += [f"given: {entries}, {counted(made.pack.tokens, 'token')}"]
    if ends is not None:
        busy = ", in the middle of a turn" if ends.busy else ""
        what += [f"{ends.agent}'s session in that pane ends{busy}"]
    if wish.no_ask:
        desk.say("\n".join(what))
        return
    _, key = desk.confirmed(f"Start {wish.agent}?", shown=what)
    if key == "n":
        raise Declined


def _type(desk: Desk, wish: Wish, made: Continuation) -> int:
    """Into the pane of the session that goes on, where it waits for its person."""
    session = made.session
    assert session is not None  # noqa: S101 - `running` says so
    pane = panes.pane_of(session.pid)
    name = f"{session.agent}'s session {shown(session)}"
    if wish.replace:
        raise Clash(
            f"{name} runs already, so it takes nobody's place.",
            hint="Leave out --replace, or start another one in its place: --fresh --replace",
        )
    if not pane:
        raise Clash(
            f"{name} runs in another terminal, which cannot be typed into.",
            hint="Go there, or start another one: --fresh",
        )
    if session.busy:
        raise Clash(
            f"{name} is in the middle of a turn, so nothing was typed.",
            hint="Wait until it asks for you, or start another one: --fresh",
        )
    _ask(desk, wish, made)
    panes.type_into(pane, session.pid, made.message(wish.prompt))
    if made.pack.text:
        desk.memory.deliver(
            made.pack, session=session.id, channel="terminal", occasion="session_start"
        )
    desk.say(f"Typed into {name}.")
    return 0


def _become(desk: Desk, words: tuple[str, ...], cwd: str, env: dict[str, str]) -> NoReturn:
    desk.close()
    streams.finish()
    sys.stdout.flush()
    os.chdir(cwd)
    os.execve(words[0], list(words), {**os.environ, **env})  # noqa: S606 - no shell is wanted
