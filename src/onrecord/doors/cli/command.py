"""Running one command: its parser, its desk, and how errors are told."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from typing import NoReturn

from onrecord import wire
from onrecord.domain.errors import OnrecordError, UsageError
from onrecord.doors import errors
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.registry import COMMANDS


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints follow the table of exit statuses."""

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong with the words, in one line and where to look."""
        raise UsageError(
            f"{message[:1].upper()}{message[1:]}.".replace("..", "."),
            hint=f"{self.prog} --help",
        )


def execute(name: str, argv: list[str]) -> int:
    """Run the command; every error becomes one line, what to do, and a status."""
    module = importlib.import_module(f"onrecord.doors.cli.commands.{COMMANDS[name][0]}")
    as_json = "--json" in argv
    desk: Desk | None = None
    try:
        args = _parser(name, module).parse_args(argv)
        args.command = name
        desk = Desk(as_json=args.json, store=args.store, path=args.db)
        status: int = module.run(args, desk)
    except OnrecordError as error:
        tell(error, as_json=as_json)
        return errors.row(error)[0]
    finally:
        if desk is not None:
            desk.close()
    return status


def tell(error: OnrecordError, *, as_json: bool) -> None:
    """An error on stderr: what happened, then what to do."""
    if as_json:
        sys.stderr.write(json.dumps({"error": wire.error(error)}) + "\n")
        return
    sys.stderr.write(f"onrecord: {error.message} ({error.code})\n")
    if error.hint:
        sys.stderr.write(f"  {error.hint}\n")


def _parser(name: str, module: object) -> Parser:
    doc = (getattr(module, "__doc__", "") or "").strip()
    parser = Parser(
        prog=f"onrecord {name}",
        description=f"{COMMANDS[name][2]}.",
        epilog=getattr(module, "EXAMPLES", "") or doc.partition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = getattr(module, "add")  # noqa: B009 - every command module has one
    add(parser)
    common = parser.add_argument_group("every command")
    common.add_argument("--json", action="store_true", help="answer as JSON")
    common.add_argument("--store", default="", metavar="NAME", help="a named store of your own")
    common.add_argument("--db", default="", metavar="PATH", help="the store's file")
    return parser
