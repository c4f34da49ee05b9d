"""What a user's own configuration says of summaries: `[summaries]`, and nothing by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from onrecord.capture.agents.base import as_list
from onrecord.domain.errors import UsageError

#: word -> (default, least, most)
NUMBERS: dict[str, tuple[int, int, int]] = {
    "max_tokens": (8_000, 500, 200_000),
    "max_parts": (8, 1, 64),
    "timeout_s": (120, 1, 1_800),
    "retries": (1, 0, 3),
}


#: Variables that a command needs to write its user's language and time.
_VARIABLES = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
_PATH = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin"


@dataclass(frozen=True, kw_only=True, slots=True)
class SummarySettings:
    """A command, where it may be used, and how much it is given."""

    #: program and arguments; empty where nothing is configured
    command: tuple[str, ...]
    #: patterns of repositories (`github.com/acme/*`); nothing else is ever sent
    repositories: tuple[str, ...]
    #: tokens of one part
    max_tokens: int
    #: parts of one run
    max_parts: int
    timeout_s: int
    #: further tries after an answer that is not as it should be
    retries: int
    #: whether sessions are summarised as they end and are compacted, without being asked
    automatic: bool = False
    #: further variables that the command is given then
    environment: tuple[str, ...] = ()

    def variables(self, environ: Mapping[str, str], home: str) -> dict[str, str]:
        """What the command is given where it runs by itself: the user's home, and what is named.

        The rest is an agent's, and a project's settings can fill that with what makes a program
        load other code.
        """
        names = (*_VARIABLES, *self.environment)
        given = {name: environ[name] for name in names if name in environ}
        return {"PATH": _PATH, **given, "HOME": home}

    def allows(self, repo: str) -> bool:
        """Whether what was said in a repository may be sent."""
        name = repo.removeprefix("repo:")
        return bool(repo) and any(fnmatchcase(name, pattern) for pattern in self.repositories)


def settings_of(table: Mapping[str, object]) -> SummarySettings:
    """The settings in a table of the user's file; raises `UsageError` where one makes no sense."""
    numbers = {name: _number(table, name) for name in NUMBERS}
    command = _words(table, "command")
    return SummarySettings(
        command=command,
        repositories=_words(table, "repositories"),
        automatic=_automatic(table, command),
        environment=_words(table, "environment"),
        **numbers,
    )


def _automatic(table: Mapping[str, object], command: tuple[str, ...]) -> bool:
    """Whether it runs by itself; then no variable of an agent's may choose the program."""
    value = table.get("automatic", False)
    if not isinstance(value, bool):
        raise UsageError(
            "`automatic` in [summaries] is true or false.", details={"field": "automatic"}
        )
    if value and not (command and command[0].startswith("/")):
        raise UsageError(
            "With `automatic` in [summaries], `command` begins with the whole path of a program.",
            hint='For example: command = ["/home/ada/bin/my-summariser"]',
            details={"field": "command"},
        )
    return value


def _words(table: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = table.get(name, [])
    given = as_list(value)
    words = tuple(word for word in given if isinstance(word, str) and word)
    if not isinstance(value, list) or len(words) != len(given):
        raise UsageError(
            f"`{name}` in [summaries] is a list of texts.",
            hint='For example: command = ["my-summariser", "--json"]',
            details={"field": name},
        )
    return words


def _number(table: Mapping[str, object], name: str) -> int:
    default, least, most = NUMBERS[name]
    value = table.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise UsageError(
            f"`{name}` in [summaries] is a number from {least} to {most}.",
            details={"field": name},
        )
    return value
