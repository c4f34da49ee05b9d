"""What a reader would want mended, each with its code and the way out.

Titles that say nothing, relative dates, near-duplicates, what is out of date, disputed, expired
or never used, over-long bodies, citations that no longer hold, scopes that differ by case alone.
Nothing is changed. Ends with 1 where something was found.
"""

from __future__ import annotations

import argparse
from contextlib import suppress

from onrecord import wiring
from onrecord.domain.errors import NotFound, StoreError
from onrecord.domain.plural import counted
from onrecord.doors.cli import rendering
from onrecord.doors.cli.desk import Desk
from onrecord.service.lint import CODES, Finding

EXAMPLES = """examples:
  onrecord lint
  onrecord lint --scope repo --code date.relative
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "--scope", action="append", default=[], help="only there; repeat (default: everywhere)"
    )
    parser.add_argument(
        "--code", action="append", default=[], choices=tuple(CODES), help=", ".join(CODES)
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    found = _found(args, desk)
    if args.code:
        found = [finding for finding in found if finding.code in args.code]
    if desk.as_json:
        desk.data(
            {
                "findings": [
                    {
                        "code": finding.code,
                        "item": finding.item or None,
                        "about": finding.about or None,
                        "says": CODES[finding.code][0],
                        "do": _way_out(finding),
                    }
                    for finding in found
                ]
            }
        )
        return 1 if found else 0
    for finding in found:
        desk.say(_line(finding, desk))
        desk.say(f"        {_way_out(finding)}")
    desk.say(f"{counted(len(found), 'finding')}." if found else "Nothing to mend.")
    return 1 if found else 0


def _found(args: argparse.Namespace, desk: Desk) -> list[Finding]:
    scopes = desk.scopes(args.scope)
    caller = desk.reader
    if scopes is None and not caller.principal.is_person:
        scopes = tuple(caller.place.ladder())
    if desk.nothing:
        return []
    upkeep = wiring.open_upkeep(desk.config.store)
    try:
        found = upkeep.lint(caller, scopes=scopes)
    finally:
        upkeep.close()
    return found if scopes else [*found, *_of_mirrors(desk)]


def _of_mirrors(desk: Desk) -> list[Finding]:
    """Mirrors that are gone or may hold what was forgotten; `doctor` tells of a damaged list."""
    with suppress(StoreError):
        return [
            Finding(code="mirror.owed" if one.stands else "mirror.gone", about=one.path)
            for one in wiring.known_copies(desk.config.store).mirrors()
            if one.owed or not one.stands
        ]
    return []


def _line(finding: Finding, desk: Desk) -> str:
    says = CODES[finding.code][0]
    about = f" ({finding.about})" if finding.about else ""
    if not finding.item:
        return f"{finding.code}: {says}{about}"
    if finding.code in ("duplicate.near", "belief.opposed"):
        about = f" (m:{rendering.short(finding.about)})"
    title = "" if desk.to_model else _title(finding.item, desk)
    return f"{rendering.short(finding.item)}  {title}{finding.code}: {says}{about}"


def _title(item: str, desk: Desk) -> str:
    try:
        return f"{desk.memory.get(item, desk.reader, opened=False).content.title}\n        "
    except NotFound:
        return ""


def _way_out(finding: Finding) -> str:
    return CODES[finding.code][1].replace("{id}", rendering.short(finding.item))
