"""`onrecord`: finds the command, loads it alone, runs it, and ends with a status by the table."""

from __future__ import annotations

import sys

from onrecord.doors.cli import streams
from onrecord.doors.cli.registry import ALIASES, COMMANDS

#: Options that may stand before the command as well; those with a value.
_ANYWHERE = ("--json",)
_ANYWHERE_VALUED = ("--store", "--db")

#: Every way to ask which version this is.
_VERSION = ("-v", "-V", "--version", "version")

#: Words of other tools, and the commands that do here what they do there.
_MEANT = {
    "cat": ("show",),
    "get": ("show", "recall"),
    "view": ("show",),
    "read": ("show", "recall"),
    "ls": ("list",),
    "all": ("list",),
    "find": ("recall",),
    "query": ("recall",),
    "grep": ("recall",),
    "rm": ("forget", "archive"),
    "del": ("forget", "archive"),
    "delete": ("forget", "archive"),
    "remove": ("forget", "archive"),
    "erase": ("forget",),
    "save": ("remember",),
    "store": ("remember",),
    "write": ("remember",),
    "new": ("remember",),
    "update": ("edit",),
    "change": ("edit",),
    "revert": ("undo",),
    "accept": ("approve",),
    "deny": ("reject",),
    "pending": ("review",),
    "queue": ("review",),
    "inbox": ("review",),
    "install": ("connect",),
    "setup": ("connect",),
    "init": ("connect",),
    "context": ("pack",),
    "info": ("status",),
    "verify-store": ("check",),
    "fsck": ("check",),
    "audit": ("log",),
    "events": ("log",),
    "versions": ("history",),
    "where": ("path",),
    "settings": ("config",),
    "prune": ("groom", "purge"),
    "gc": ("groom", "purge"),
    "clean": ("groom", "lint"),
    "duplicates": ("dedupe",),
    "disconnect": ("connect --remove",),
    "uninstall": ("connect --remove",),
}

#: What a shell reports for a command that Ctrl-C ended.
INTERRUPTED = 130


def main() -> None:
    """The console script."""
    status = 0
    try:
        streams.settle()
        status = run(sys.argv[1:])
        streams.finish()
    except BrokenPipeError:
        streams.abandon()
    except KeyboardInterrupt:
        streams.complain("\n")
        status = INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the outermost line: one sentence, never a traceback
        from onrecord.doors.cli.command import fail

        status = fail(error, as_json="--json" in sys.argv)
    sys.exit(status)


def run(argv: list[str]) -> int:
    """One command line; returns its exit status."""
    given, words = _leading(argv)
    if given and not words:
        return _usage("Say which command.", "`onrecord help` lists them.", given)
    if not words or words[0] in ("-h", "--help", "help", *_VERSION):
        return _about(words, given)
    name = ALIASES.get(words[0], words[0])
    if name not in COMMANDS:
        return _unknown(words[0], [*given, *words[1:]])
    rest = [*given, *words[1:]]
    if name == "mcp" and not {"-h", "--help"} & set(rest):
        return _serve(rest)
    if name == "status" and "--short" in rest:
        from onrecord.doors.cli import short_status

        if short_status.is_asked(rest):
            return short_status.run(rest)
    from onrecord.doors.cli.command import execute

    return execute(name, rest)


def _leading(argv: list[str]) -> tuple[list[str], list[str]]:
    """Options of every command that stand before it, and the rest."""
    at = 0
    while at < len(argv):
        if argv[at] in _ANYWHERE or argv[at].startswith(tuple(f"{o}=" for o in _ANYWHERE_VALUED)):
            at += 1
        elif argv[at] in _ANYWHERE_VALUED:
            at += 2
        else:
            break
    return argv[:at], argv[at:]


def _about(words: list[str], given: list[str]) -> int:
    as_json = "--json" in (*given, *words)
    if words and words[0] in _VERSION:
        from onrecord import __version__

        streams.write(
            f'{{"version": "{__version__}"}}\n' if as_json else f"onrecord {__version__}\n"
        )
        return 0
    words = [word for word in words if word != "--json"]
    from onrecord.doors.cli.helping import TOPICS, overview

    if len(words) < 2:  # noqa: PLR2004 - a word that asks, and what it asks about
        streams.write(overview())
        return 0
    topic = words[1]
    if topic in TOPICS:
        streams.write(f"{TOPICS[topic].strip()}\n")
        return 0
    name = ALIASES.get(topic, topic)
    if name not in COMMANDS:
        return _unknown(topic, ["--json"] if as_json else [])
    from onrecord.doors.cli.command import execute

    return execute(name, ["--help"])


def _serve(argv: list[str]) -> int:
    """The MCP server, without what other commands need: its first reply must be quick."""
    from onrecord import wiring

    words: dict[str, str] = {}
    at = 0
    while at < len(argv):
        if argv[at] == "--json":  # it speaks JSON anyway
            at += 1
            continue
        name, equals, value = argv[at].partition("=")
        if not equals and at + 1 < len(argv):
            at += 1
            value = argv[at]
        if name not in ("--client", "--store", "--db") or not value:
            told = "usage: onrecord mcp [--client NAME] [--store NAME] [--db PATH]"
            return _usage("That is not how the server is started.", told, argv)
        words[name] = value
        at += 1
    return wiring.run_mcp(
        client=words.get("--client", ""),
        store=words.get("--db", ""),
        name=words.get("--store", ""),
    )


def _unknown(given: str, rest: list[str]) -> int:
    import difflib

    word = given.lower()
    near = list(_MEANT.get(word, ())) or difflib.get_close_matches(
        word, [*COMMANDS, *ALIASES], n=3, cutoff=0.7
    )
    hint = f"Did you mean {' or '.join(near)}?" if near else "`onrecord help` lists them."
    shown = "".join(c if c.isprintable() else "?" for c in given[:40])
    return _usage(f"There is no command `{shown}`.", hint, rest)


def _usage(message: str, hint: str, rest: list[str]) -> int:
    from onrecord.domain.errors import UsageError
    from onrecord.doors.cli.command import fail

    return fail(UsageError(message, hint=hint), as_json="--json" in rest)


if __name__ == "__main__":
    main()
