"""Help: the overview, one page a command, and topics. Static text, the same on every machine."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from onrecord.doors.cli.registry import ALIASES, COMMANDS, GROUPS

#: Title of the options that every command takes.
COMMON = "every command"

_WIDTH = 92
_INDENT = 22

#: `onrecord help TOPIC`
TOPICS = {
    "scopes": """\
Where a memory applies, from narrow to broad:

  session:<agent>:<id>   one agent session
  agent:<name>           one agent, in the same repository
  branch:<repo>@<name>   one branch
  workstream:<name>      named in your own configuration, by path
  project:<slug>         the same
  workspace:<name>       the same
  repo:host/owner/name   one repository, by its origin (repo:path:<folder> without one)
  org:<slug>             an organisation
  global                 everywhere

`repo`, `branch`, `project` … alone mean the one of the folder that you are in. Recall looks in
all that are visible there; on the same key the narrower scope wins. A statement that names no
scope goes to the repository, and outside of any to global. An agent reads the scopes of its own
place only; what it writes where others would see it waits for you.
""",
    "ids": """\
Ids have 26 characters and sort by time. Shown are the last 6; any start or end of at least 4
that fits one memory alone is accepted, with or without `m:` before it. One that fits several
lists them.
""",
    "exit": """\
0    done
1    refused, or not found
2    the command line cannot be read
3    conflict: something else came first, or is there already
4    only a person at their own terminal may do that
5    the store cannot be used
130  ended by Ctrl-C

Errors stand on standard error: one line that says what happened, with a stable code, then what
to do. With --json they are one JSON object there.
""",
    "json": """\
Every command takes --json. Times are ISO 8601 in UTC, ids are whole, and text stands as it is.
A change answers {outcome, code, say, item, undo, candidates}; asked for several ids at once it
answers {outcomes: [...]}. Errors are {code, message, hint, details} on standard error.
docs/reference/json.md has every shape.
""",
    "person": """\
Some things only a person may do: approve, reject, verify, pin, set switches and policies, and
forget what others wrote. A person is a command on a terminal of its own with no agent among the
processes that started it; terminals inside editors count. Approving, verifying, policies, rules
and bringing back a rejected value also want a key typed there. No option, variable or file makes
a person. In a terminal that carries an agent's variables (a tmux that an agent once started) a
short code is asked for.
docs/limits.md says what gets past these checks.
""",
    "dates": """\
Two clocks run. --valid-from and --valid-to say when something was true in the world; the store
itself keeps when it was known. `onrecord recall` and `list` take --as-of (what was believed then)
and --valid-at (what was true then).

"yesterday" and the like get the date that they mean beside the words, or the question goes back.
Where the words mean no one day (a habit, a rule), --dates-as-written keeps them as they are.
A DATE is 2026-11-30, or a time like 2026-11-30T14:00Z. An AGE or a time to live is 90s, 12h, 30d
or 8w.
""",
    "undoing": """\
Every change can be taken back, but for these: erasing (`forget`, `purge`), a key put in use, and a
restored copy. Each answer tells its number; `onrecord undo` alone takes back your own latest
change, again and again, one after another, and says where the latest is one of these.
An import, a run of `groom` or `dedupe` and a renamed scope go back as a whole. What was changed
since is a conflict that names the later change. An agent may undo only its own latest private
change.
""",
    "reviewing": """\
What agents want others to see waits for you: `onrecord review` shows one after another, and one
key decides. `approve` and `reject` take ids, `conflicts` shows what speaks against something that
counts. `wrong` and `unwanted` keep a value from coming back; the other reasons say nothing about
it. `onrecord policy` says what waits at all. A proposal that nobody decides lapses after 60 days,
and can be brought back with `restore`.
""",
    "stores": """\
Everything is in one file (`onrecord path`). --store NAME is a store of its own beside it, for
trying things out; --db PATH is any file. `path --all` lists the named ones. `backup` copies the
store while agents write, `restore-backup` lets a copy be the store again, `check` reads all of it.
""",
    "upkeep": """\
Nothing has to be done. `lint` says what to mend, `stats` what there is and what was useful,
`groom` puts away what had its time, `dedupe` asks which near-duplicates stay, `purge` erases what
was put away long ago, `sweep` lets lapse what is past its time, which opening the store does, too.
What changes something shows it first with --dry-run.
""",
    "environment": """\
ONRECORD_DB                  the store's file
ONRECORD_CONFIG              the configuration file (default: ~/.config/onrecord/config.toml)
ONRECORD_HOOK_DEADLINE_MS    how long a hook may take before it says nothing (default: 300)

Options come before variables, variables before the configuration file.
docs/reference/settings.md has the file's own words.
""",
}


def overview() -> str:
    """What there is, by group."""
    lines = [
        "onrecord: one governed memory that all your agents share.",
        "",
        "usage: onrecord COMMAND [...]   (onrecord COMMAND --help says more)",
    ]
    width = max(len(name) for name in COMMANDS)
    for group in GROUPS:
        lines += ["", f"{group}:"]
        lines += [
            f"  {name:<{width}} {told}" for name, (_, of, told) in COMMANDS.items() if of == group
        ]
    also = ", ".join(f"{alias} = {name}" for alias, name in ALIASES.items())
    lines += [
        "",
        f"Also: {also}. `onrecord help TOPIC` explains: {', '.join(TOPICS)}.",
        "Every command takes --json, --store NAME and --db PATH.",
        "Exit status: 0 done, 1 refused or not found, 2 usage, 3 conflict, 4 needs a person,",
        "5 store unusable.",
    ]
    return "\n".join(lines) + "\n"


def page(
    prog: str, actions: Sequence[argparse.Action], *, about: str = "", examples: str = ""
) -> str:
    """The page of one command."""
    name = prog.rpartition(" ")[2]
    words = [action for action in actions if not action.option_strings]
    common = [a for a in actions if a.dest in ("json", "store", "db", "help")]
    own = [a for a in actions if a.option_strings and a not in common]
    needed = [_option(a) for a in own if a.required]
    usage = " ".join([prog, *(_word(a) for a in words), *needed, "[options]"])
    parts = [f"{COMMANDS[name][2]}.", f"usage: {usage}"]
    if about:
        parts.append(about.strip())
    told = [row for row in (_row(_name(a), a) for a in words) if row]
    if told:
        parts.append("\n".join(told))
    if own:
        parts.append("\n".join(["options:", *(_row(_option(a), a) or "" for a in own)]))
    if examples:
        parts.append(examples.strip())
    parts.append("\n".join([f"{COMMON}:", *(_row(_option(a), a) or "" for a in common)]))
    return "\n\n".join(parts) + "\n"


def _name(action: argparse.Action) -> str:
    if action.metavar:
        return str(action.metavar)
    return action.dest.upper().replace("_", "-")


def _word(action: argparse.Action) -> str:
    name = _name(action)
    return {"*": f"[{name}...]", "+": f"{name}...", "?": f"[{name}]"}.get(str(action.nargs), name)


def _option(action: argparse.Action) -> str:
    flags = ", ".join(action.option_strings)
    return flags if action.nargs == 0 else f"{flags} {_name(action)}"


def _row(left: str, action: argparse.Action) -> str | None:
    """One word or option with what it means, wrapped beside it."""
    told = str(action.help or "")
    if action.choices and not action.help:
        told = _listed(str(choice) for choice in action.choices)
    if not told:
        return f"  {left}" if action.option_strings else None
    lines = _wrapped(told, _WIDTH - _INDENT)
    if len(left) + 4 > _INDENT:
        return "\n".join([f"  {left}", *(" " * _INDENT + line for line in lines)])
    first = f"  {left:<{_INDENT - 2}}{lines[0]}"
    return "\n".join([first, *(" " * _INDENT + line for line in lines[1:])])


def _listed(choices: Iterable[str]) -> str:
    return ", ".join(choices)


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
