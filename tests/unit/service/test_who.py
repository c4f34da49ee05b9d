"""Principals from what is seen; no name, flag or variable makes a person."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys

import pytest

from onrecord.domain.errors import Denied, NeedsPerson
from onrecord.domain.principal import Principal
from onrecord.service import who


def seen(verdict: str, *, ancestor: str = "", variables: tuple[str, ...] = ()) -> who.Seen:
    """What a look around found."""
    return who.Seen(
        verdict=verdict,
        ancestor=ancestor,
        variables=variables,
        terminal=verdict in ("person", "ask"),
        sandboxed=ancestor == "sandbox",
    )


def test_a_person_at_a_terminal_is_the_user() -> None:
    """The principal carries the account's name and no confirmation."""
    principal = who.at_terminal(seen("person"))

    assert principal.is_person
    assert not principal.confirmed
    assert principal.user == pwd.getpwuid(os.getuid()).pw_name
    assert principal.proof["terminal"] == "yes"


@pytest.mark.parametrize(
    ("found", "agent"),
    [
        (seen("script"), "script"),
        (seen("ask", variables=("CLAUDECODE",)), "script"),
        (seen("agent", variables=("CLAUDECODE",)), "script"),
        (seen("agent", ancestor="codex"), "codex"),
        (seen("agent", ancestor="sandbox"), "script"),
    ],
)
def test_anything_else_is_an_agent_that_only_proposes(found: who.Seen, agent: str) -> None:
    """Without a person it is the agent that was seen, or a script, and headless."""
    principal = who.at_terminal(found)

    assert (principal.writer, principal.agent, principal.headless) == ("agent", agent, True)


def test_a_typed_code_settles_ask_and_nothing_else() -> None:
    """The code turns `ask` into a person; it does nothing for an agent or a script."""
    assert who.at_terminal(seen("ask", variables=("OPENCODE",)), code_typed=True).is_person
    for verdict in ("agent", "script"):
        assert not who.at_terminal(seen(verdict), code_typed=True).is_person


def test_a_key_confirms_a_person_only() -> None:
    """Confirmation sticks to persons."""
    assert who.confirmed(who.at_terminal(seen("person"))).confirmed
    assert not who.confirmed(who.at_terminal(seen("script"))).confirmed


def test_variables_do_not_name_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """USER and LOGNAME say nothing about who acts."""
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, "somebody-else")

    assert who.user_name() == pwd.getpwuid(os.getuid()).pw_name


@pytest.mark.parametrize(
    "found", [seen("agent", ancestor="claude-code"), seen("agent", variables=("CODEX_CI",))]
)
def test_a_program_under_an_agent_cannot_act_for_a_person(found: who.Seen) -> None:
    """The claim is refused, and what was seen is named without values."""
    with pytest.raises(NeedsPerson) as caught:
        who.in_process(Principal.person("ada"), found)

    assert caught.value.details["ancestor"] == found.ancestor


def test_a_program_says_for_whom_it_acts() -> None:
    """Elsewhere the claim counts, on the library's own channel and unconfirmed."""
    acting = who.in_process(Principal.person("ada"), seen("script"))

    assert (acting.is_person, acting.channel, acting.confirmed) == (True, "python", False)
    assert who.in_process(None, seen("script")).agent == "script"
    assert who.in_process(None, seen("person")).is_person


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (seen("agent", ancestor="codex"), "codex"),
        (seen("agent", ancestor="sandbox"), "sandbox"),
        (seen("script"), "no terminal"),
        (seen("ask", variables=("GEMINI_CLI",)), "variables"),
    ],
)
def test_why_nobody_is_taken_for_a_person(found: who.Seen, word: str) -> None:
    """One sentence names what was seen."""
    assert word in found.told()


def test_who_asks_is_told_without_a_database_of_accounts() -> None:
    """Some systems have none: there every store may be the account's own."""
    program = (
        "import sys; sys.modules['pwd'] = None\n"
        "from onrecord.service import who\n"
        "print(who.is_account_store('/srv/shop.db'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=60, check=False
    )

    assert done.stdout.decode("utf-8").strip() == "True", done.stderr.decode("utf-8")
    assert not who.is_account_store("/srv/shop.db")


def test_a_program_below_an_agent_is_no_other_agent_on_the_accounts_store() -> None:
    """It is that agent, or one that is not known by its process; its own store is its own."""
    found = seen("agent", ancestor="codex")
    claude = Principal(writer="agent", channel="python", agent="claude-code")

    with pytest.raises(Denied) as refused:
        who.in_process(claude, found, account_store=True)
    assert "codex" in refused.value.hint
    assert who.in_process(claude, found).agent == "claude-code"
    assert who.in_process(claude, seen("script"), account_store=True).agent == "claude-code"
    for name in ("codex", "my-bot"):
        own = Principal(writer="agent", channel="python", agent=name)
        assert who.in_process(own, found, account_store=True).agent == name
