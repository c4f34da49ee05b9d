"""What is set, and where each value comes from.

Options come before ONRECORD_ variables, those before your configuration file, and that before
what onrecord does by itself. Switches and policies stand in the store, where only a person sets
them. Secrets are no part of any of it.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping
from typing import cast

from onrecord import config
from onrecord.doors.cli.desk import Desk
from onrecord.service.lifecycle import DEFAULTS
from onrecord.service.naming import without_secrets

EXAMPLES = """examples:
  onrecord config
  onrecord config --json
"""

Row = tuple[str, str, str]


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words; it has none of its own."""


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    rows = [*_rows(args, desk), *_switches(desk)]
    if desk.as_json:
        desk.data({"settings": [{"name": n, "value": v, "from": f} for n, v, f in rows]})
        return 0
    for name, value, source in rows:
        desk.say(f"{name} = {value}  ({source})")
    return 0


def _rows(args: argparse.Namespace, desk: Desk) -> list[Row]:
    """Where things are and what places are called."""
    file = config.config_file(os.environ)
    there = bool(file) and os.path.isfile(file)  # noqa: PTH113 - a plain string
    given = "ONRECORD_CONFIG" if os.environ.get("ONRECORD_CONFIG") else "default"
    rows: list[Row] = [
        ("config file", file or "none", given if there else f"{given}; not there"),
        ("store", desk.config.store, _store_from(args, desk)),
        (
            "hook deadline",
            f"{config.hook_deadline_ms(os.environ)} ms",
            "ONRECORD_HOOK_DEADLINE_MS"
            if os.environ.get("ONRECORD_HOOK_DEADLINE_MS")
            else "default",
        ),
    ]
    rows += [(f"{kind} {name}", glob, file) for kind, name, glob in desk.config.places]
    for table in config.TABLES:
        rows += [
            (name, value, file) for name, value in _told(table, desk.config.tables.get(table, {}))
        ]
    return rows


def _told(name: str, value: object) -> Iterator[tuple[str, str]]:
    """What a table says, word by word and as in the file; secrets are left out."""
    if isinstance(value, Mapping):
        for word, inside in cast("Mapping[str, object]", value).items():
            yield from _told(f"{name}.{word}", inside)
    else:
        text = json.dumps(value, ensure_ascii=False, default=str)
        word = name.rpartition(".")[2]
        # a name beside a value tells a secret that looks like nothing by itself
        whole = without_secrets(f"{word} = {text}")
        yield without_secrets(name), whole.removeprefix(f"{word} = ")


def _store_from(args: argparse.Namespace, desk: Desk) -> str:
    if args.db:
        return "--db"
    if args.store:
        return "--store"
    if os.environ.get("ONRECORD_DB"):
        return "ONRECORD_DB"
    plain = config.load({**os.environ, "ONRECORD_CONFIG": os.devnull}).store
    return "default" if plain == desk.config.store else config.config_file(os.environ)


def _switches(desk: Desk) -> list[Row]:
    """Switches as they stand in the store, and as they are where nobody set them."""
    stored = desk.memory.status(desk.reader).settings
    rows: list[Row] = [(f"{name} in {scope}", value, "the store") for name, scope, value in stored]
    everywhere = {name for name, scope, _ in stored if scope == "global"}
    rows += [
        (f"{name} in global", value, "default")
        for name, value in DEFAULTS.items()
        if name not in everywhere
    ]
    return rows
