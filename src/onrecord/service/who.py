"""Who asks: a principal from what the process tree and the terminal show.

No flag, variable, payload or configuration makes a person. A test has to bring a real
terminal, like everyone else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from onrecord.capture import agents, process
from onrecord.config import data_folder, load
from onrecord.domain.errors import Denied, NeedsPerson, OnrecordError
from onrecord.domain.principal import SCRIPT, Principal
from onrecord.policy import person


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """What was weighed, and the verdict (person, ask, agent, script)."""

    verdict: str
    ancestor: str
    variables: tuple[str, ...]
    terminal: bool
    sandboxed: bool

    def proof(self) -> Mapping[str, str]:
        """Names of what was seen, for the record; never a value."""
        found = {
            "ancestor": self.ancestor,
            "variables": " ".join(self.variables),
            "terminal": "yes" if self.terminal else "no",
        }
        return MappingProxyType({name: text for name, text in found.items() if text})

    def told(self) -> str:
        """Why this is not taken for a person, in one sentence."""
        if self.ancestor == "sandbox":
            return "Seen here: an agent's sandbox around this command."
        if self.ancestor:
            return f"Seen here: {self.ancestor} started this command."
        if not self.terminal:
            return "Seen here: no terminal that this command could ask at."
        return "Seen here: an agent's variables, and no code typed."


def look(environ: Mapping[str, str]) -> Seen:
    """Weigh this process: agents among its ancestors, their variables, a terminal that opens."""
    found = process.evidence(environ, agents.recognised(_own_agents(environ)))
    ancestor = found.ancestor or ("sandbox" if found.sandboxed else "")
    verdict = person.judge(
        ancestor=ancestor or None, variables=found.variables, terminal=found.terminal
    )
    return Seen(
        verdict=verdict,
        ancestor=ancestor,
        variables=found.variables,
        terminal=found.terminal,
        sandboxed=found.sandboxed,
    )


def _own_agents(environ: Mapping[str, str]) -> Mapping[str, object] | None:
    """The agents of the person's own configuration; none where it cannot be read."""
    try:
        return load(environ).tables.get("agents")
    except OnrecordError:
        return None


def user_name() -> str:
    """The operating system's name of the user; variables such as USER do not decide it."""
    if sys.platform == "win32":
        import getpass  # noqa: PLC0415 - nothing else tells there

        return getpass.getuser()
    import pwd  # noqa: PLC0415 - not on every system

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def at_terminal(seen: Seen, *, code_typed: bool = False) -> Principal:
    """The principal of a command line.

    `code_typed` says that a short code shown on the terminal was typed there, which settles
    `ask`. Without a person it is an agent's shell tool, or a script.
    """
    if seen.verdict == "person" or (seen.verdict == "ask" and code_typed):
        return Principal(writer="person", channel="terminal", user=user_name(), proof=seen.proof())
    agent = seen.ancestor if seen.verdict == "agent" and seen.ancestor != "sandbox" else ""
    return Principal(
        writer="agent",
        channel="terminal",
        user=user_name(),
        agent=agent or SCRIPT,
        headless=True,
        proof=seen.proof(),
    )


def confirmed(principal: Principal) -> Principal:
    """The same person, with a key typed on their own terminal for this command."""
    return replace(principal, confirmed=principal.is_person)


def as_told(say: str, by: Principal) -> str:
    """What is said of a change to whoever made it: where nobody sits, a person may undo it."""
    if by.is_person or not by.headless:
        return say
    return say.replace("Undo: onrecord undo", "The user can undo it: onrecord undo")


def is_account_store(path: str) -> bool:
    """Whether a store is the one of this account's own home, whatever the environment says.

    Where the system does not tell whose home is where, every store may be.
    """
    try:
        home = _account_home()
    except ImportError:
        return True
    return bool(home) and os.path.realpath(path).startswith(
        os.path.realpath(data_folder({"HOME": home})) + "/"
    )


def home_of(store: str, environ: Mapping[str, str]) -> str:
    """The home whose configuration is followed where nobody looks on; empty for none.

    It is the account's own. HOME counts only for a store that truly lies at the usual place
    below it, so that a home that somebody made up has no more than its own store to tell of.
    """
    told = environ.get("HOME", "")
    if told.startswith("/"):
        home = os.path.realpath(told)
        if os.path.realpath(store).startswith(data_folder({"HOME": home}) + "/"):
            return home
    try:
        return _account_home()
    except ImportError:
        return ""


def _account_home() -> str:
    """The home of this account as the system has it; empty where it has none."""
    import pwd  # noqa: PLC0415 - not on every system

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def in_process(claimed: Principal | None, seen: Seen, *, account_store: bool = False) -> Principal:
    """The principal of a program that uses onrecord as a library.

    The program holds the store's authority and says for whom it acts; under an agent, or
    with an agent's variables, it cannot say that it acts for a person. Without a claim it is
    the user on a terminal of their own, else a script. On the account's own store nobody
    is a person without a terminal, and below one of the agents that are known nobody is another
    of them; a program's own store is that program's to answer for.
    """
    if claimed is None:
        return replace(at_terminal(seen), channel="python")
    if claimed.is_person and (seen.ancestor or seen.variables):
        raise NeedsPerson(
            "A program that runs under an agent cannot act for a person.",
            hint="Use Principal.agent(...), or run it in a terminal of your own.",
            details={"ancestor": seen.ancestor, "variables": list(seen.variables)},
        )
    if claimed.is_person and account_store and not seen.terminal:
        raise NeedsPerson(
            "Without a terminal a program cannot act for a person on this account's own store.",
            hint="Run it in a terminal, or give Memory.open a store of the program's own.",
        )
    known = agents.REGISTRY
    if account_store and claimed.agent in known and seen.ancestor in known:
        _check_is(claimed.agent, seen)
    return replace(claimed, channel="python", proof=seen.proof())


def _check_is(agent: str, seen: Seen) -> None:
    """Raise `Denied` where another agent runs the program: its own notes are not that one's."""
    if agent != seen.ancestor:
        raise Denied(
            "A program that runs under an agent cannot act for another agent.",
            hint=f"Use Principal.agent({seen.ancestor!r}), or run it in a terminal of your own.",
            details={"ancestor": seen.ancestor},
        )
