"""Running one command: its parser, its desk, and how errors are told."""

from __future__ import annotations

import argparse
import importlib
import os
from typing import TYPE_CHECKING, NoReturn

from onrecord.domain.errors import NeedsPerson, OnrecordError, StoreMissing, UsageError
from onrecord.doors import errors
from onrecord.doors.cli import complaints, helping, streams
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.registry import COMMANDS, LIGHT, MAKE_STORE, NEED_STORE
from onrecord.doors.cli.text import printable

if TYPE_CHECKING:
    from types import ModuleType


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints follow the table of exit statuses."""

    #: what stands between usage and options, and after them
    about = ""
    examples = ""
    #: it takes words that may be any text
    takes_text = False

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong with the words, in one line and where to look."""
        hint = f"{self.prog} --help"
        message = complaints.without_values(message)
        if message.startswith("unrecognized arguments: -") and self.takes_text:
            hint = f"{hint}; text that starts with a dash stands after `--`"
        raise UsageError(f"{message[:1].upper()}{message[1:].rstrip('.')}.", hint=hint)

    def format_help(self) -> str:
        """The page of a command."""
        return helping.page(self.prog, self._actions, about=self.about, examples=self.examples)


def execute(name: str, argv: list[str]) -> int:
    """Run the command; every error becomes one line, what to do, and a status."""
    desk: Desk | None = None
    as_json = "--json" in _options(argv)
    try:
        argv = decoded(argv)
        module = importlib.import_module(f"onrecord.doors.cli.commands.{COMMANDS[name][0]}")
        parser = parser_of(name, module)
        if {"-h", "--help"} & set(_options(argv)):
            streams.write(parser.format_help())
            return 0
        # reading options among the words would take what follows `--` for options, too
        parse = parser.parse_args if "--" in argv else parser.parse_intermixed_args
        args = parse(argv)
        args.command = name
        desk = Desk(
            as_json=args.json,
            store=args.store,
            path=args.db,
            makes=name in MAKE_STORE,
            needs=name in NEED_STORE,
            light=name in LIGHT,
        )
        status: int = module.run(args, desk)
        streams.finish()
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:  # noqa: BLE001 - a command never ends in a traceback
        if desk is not None and isinstance(error, StoreMissing):
            error.hint = error.hint or desk.nearest_stores()
        status = fail(error, as_json=as_json)
        if desk is not None and isinstance(error, NeedsPerson):
            desk.turned_away(error)
    finally:
        if desk is not None:
            desk.close()
    return status


def fail(error: Exception, *, as_json: bool) -> int:
    """Tell an error, expected or not; returns its exit status."""
    told = error if isinstance(error, OnrecordError) else _unexpected(error)
    tell(told, as_json=as_json)
    return errors.row(told)[0]


def tell(error: OnrecordError, *, as_json: bool) -> None:
    """An error on stderr: what happened, then what to do."""
    from onrecord.service import naming

    naming.clean_error(error)
    if as_json:
        from onrecord import wire
        from onrecord.doors.cli.text import json_text

        streams.complain(f"{json_text(wire.error(error), indent=None)}\n")
        return
    streams.complain(printable(f"onrecord: {error.message} ({error.code})\n"))
    lines = error.hint.splitlines()
    path = error.details.get("path")
    if path and str(path) not in error.hint:
        lines.append(str(path))
    streams.complain(printable("".join(f"  {line}\n" for line in lines)))


def parser_of(name: str, module: ModuleType) -> Parser:
    """The parser of a command; its page comes from the same declarations."""
    title, _, about = (module.__doc__ or "").strip().partition("\n\n")
    parser = Parser(
        prog=f"onrecord {name}",
        description=f"{COMMANDS[name][2]}.",
        allow_abbrev=False,
        add_help=False,
    )
    parser.about = about or title
    examples: str | dict[str, str] = getattr(module, "EXAMPLES", "")
    parser.examples = examples if isinstance(examples, str) else examples.get(name, "")
    module.add(parser)
    parser.takes_text = name in ("remember", "recall")
    common = parser.add_argument_group(helping.COMMON)
    common.add_argument("--json", action="store_true", help="answer as JSON")
    common.add_argument("--store", default="", metavar="NAME", help="a named store of your own")
    common.add_argument("--db", default="", metavar="PATH", help="the store's file")
    common.add_argument("-h", "--help", action="help", help="show this page")
    return parser


def decoded(argv: list[str]) -> list[str]:
    """The words as UTF-8, whatever the locale made of them; a store's path may be any bytes.

    Raises `UsageError` for a word that is not UTF-8.
    """
    words: list[str] = []
    for word in argv:
        is_path = word.startswith("--db=") or (bool(words) and words[-1] == "--db")
        try:
            word.encode()
            words.append(word)
        except UnicodeEncodeError:
            words.append(word if is_path else _decoded(word))
    return words


def _decoded(word: str) -> str:
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError:
        raise UsageError(
            "A word of the command line is not valid UTF-8, so nothing was done.",
            hint="Convert it first, for example with iconv.",
        ) from None


def _options(argv: list[str]) -> list[str]:
    """The words that can be options: those before `--`."""
    return argv[: argv.index("--")] if "--" in argv else argv


def _unexpected(error: Exception) -> OnrecordError:
    """What a report of a fault needs, without any text that the command worked on."""
    at, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        _, found, below = file.rpartition("/onrecord/")
        if found:
            at = f"onrecord/{below}:{trace.tb_lineno}"
        trace = trace.tb_next
    kind = type(error).__name__
    return OnrecordError(hint=f"Report {kind} at {at}.", details={"kind": kind, "at": at})
