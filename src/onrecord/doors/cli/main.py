"""`onrecord`: finds the command, loads it alone, runs it, and ends with a status by the table."""

from __future__ import annotations

import os
import sys

from onrecord.doors.cli.registry import ALIASES, COMMANDS, GROUPS


def main() -> None:
    """The console script."""
    try:
        status = run(sys.argv[1:])
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status = 0
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        status = 130
    sys.exit(status)


def run(argv: list[str]) -> int:
    """One command line; returns its exit status."""
    if not argv or (argv[0] in ("-h", "--help", "help") and len(argv) == 1):
        sys.stdout.write(overview())
        return 0
    if argv[0] in ("-V", "--version"):
        from onrecord import __version__

        sys.stdout.write(f"onrecord {__version__}\n")
        return 0
    if argv[0] == "help":
        argv = [*argv[1:2], "--help"]
    name = ALIASES.get(argv[0], argv[0])
    if name not in COMMANDS:
        return _unknown(argv[0])
    if name == "mcp" and not {"-h", "--help"} & set(argv):
        return _serve(argv[1:])
    from onrecord.doors.cli.command import execute

    return execute(name, argv[1:])


def _serve(argv: list[str]) -> int:
    """The MCP server, without what other commands need: its first reply must be quick."""
    from onrecord import wiring

    words = dict(zip(argv[::2], argv[1::2], strict=False))
    if set(words) - {"--client", "--store", "--db"} or len(argv) % 2:
        sys.stderr.write(
            "onrecord: usage: onrecord mcp [--client NAME] [--store NAME] [--db PATH]\n"
        )
        return 2
    return wiring.run_mcp(
        client=words.get("--client", ""),
        store=words.get("--db", ""),
        name=words.get("--store", ""),
    )


def overview() -> str:
    """What there is, by group."""
    lines = [
        "onrecord: one governed memory that all your agents share.",
        "",
        "usage: onrecord COMMAND [...]   (onrecord COMMAND --help says more)",
    ]
    for group in GROUPS:
        lines += ["", f"{group}:"]
        lines += [
            f"  {name:<10} {told}" for name, (_, of, told) in COMMANDS.items() if of == group
        ]
    lines += [
        "",
        "Every command takes --json, --store NAME and --db PATH.",
        "Exit status: 0 done, 1 refused or not found, 2 usage, 3 conflict, 4 needs a person,",
        "5 store unusable.",
    ]
    return "\n".join(lines) + "\n"


def _unknown(given: str) -> int:
    near = [name for name in (*COMMANDS, *ALIASES) if name[:2] == given[:2]]
    hint = f" Did you mean {' or '.join(near[:3])}?" if near else " `onrecord help` lists them."
    shown = "".join(c if c.isprintable() else "?" for c in given[:40])
    sys.stderr.write(f"onrecord: there is no command `{shown}`.{hint}\n")
    return 2


if __name__ == "__main__":
    main()
