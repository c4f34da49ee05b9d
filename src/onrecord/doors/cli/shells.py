"""Completion for shells, made from the same declarations that parse the words."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import dataclass

from onrecord.doors.cli.command import parser_of
from onrecord.doors.cli.helping import TOPICS
from onrecord.doors.cli.registry import ALIASES, COMMANDS

SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """What can follow a command."""

    #: option -> its values, empty where it takes none or any
    options: dict[str, tuple[str, ...]]
    #: words that stand without an option
    words: tuple[str, ...]


def script(shell: str) -> str:
    """The whole script for one shell."""
    commands = {name: _words_of(name) for name in COMMANDS}
    commands |= {alias: commands[name] for alias, name in ALIASES.items()}
    commands["help"] = Words(options={}, words=(*TOPICS, *COMMANDS))
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _words_of(name: str) -> Words:
    module = importlib.import_module(f"onrecord.doors.cli.commands.{COMMANDS[name][0]}")
    options: dict[str, tuple[str, ...]] = {}
    words: list[str] = []
    for action in parser_of(name, module)._actions:  # noqa: SLF001 - argparse has no other way
        choices = _choices(action)
        if action.option_strings:
            options |= dict.fromkeys(action.option_strings, choices)
        else:
            words += choices
    return Words(options=options, words=tuple(words))


def _choices(action: argparse.Action) -> tuple[str, ...]:
    return tuple(str(choice) for choice in action.choices or ())


def _bash(commands: dict[str, Words]) -> str:
    return _function(commands) + "complete -o default -F _onrecord onrecord\n"


def _zsh(commands: dict[str, Words]) -> str:
    return (
        "autoload -U +X bashcompinit && bashcompinit\n"
        + _function(commands)
        + "complete -o default -F _onrecord onrecord\n"
    )


def _function(commands: dict[str, Words]) -> str:
    """A function of bash, which zsh runs as well."""
    lines = [
        "_onrecord() {",
        '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" found=""',
        '  if [ "$COMP_CWORD" -eq 1 ]; then',
        f'    found="{" ".join(sorted(commands))}"',
        "  else",
        '    case "${COMP_WORDS[1]} $before" in',
    ]
    for name, of in sorted(commands.items()):
        for option, values in of.options.items():
            if values:
                lines.append(f'      "{name} {option}") found="{" ".join(values)}" ;;')
    lines += ["    esac", '    if [ -z "$found" ]; then', '      case "${COMP_WORDS[1]}" in']
    for name, of in sorted(commands.items()):
        lines.append(f'        {name}) found="{" ".join([*of.words, *of.options])}" ;;')
    lines += [
        "      esac",
        "    fi",
        "  fi",
        '  COMPREPLY=($(compgen -W "$found" -- "$word"))',
        "}",
    ]
    return "\n".join(lines) + "\n"


def _fish(commands: dict[str, Words]) -> str:
    told = {name: row[2] for name, row in COMMANDS.items()}
    lines = ["complete -c onrecord -f"]
    for name, of in sorted(commands.items()):
        about = told.get(name, told.get(ALIASES.get(name, ""), "Explain a command or a topic"))
        lines.append(
            f"complete -c onrecord -n __fish_use_subcommand -a {name} -d {_quoted(about)}"
        )
        inside = f"-n '__fish_seen_subcommand_from {name}'"
        if of.words:
            lines.append(f"complete -c onrecord {inside} -a {_quoted(' '.join(of.words))}")
        for option, values in of.options.items():
            flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            given = f" -x -a {_quoted(' '.join(values))}" if values else ""
            lines.append(f"complete -c onrecord {inside} {flag}{given}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
