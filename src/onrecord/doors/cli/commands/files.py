"""Let agents know what this repository's own files of decisions and plans say.

decisions.md, plan.md, log.md (at the top or in docs/) and folders of decision records (docs/adr
and its like) are read, one memory for each section, and followed as they change; nothing is ever
written to them. What they say counts here without review, so switching it on is yours alone. A
section that tries to steer a model waits for you; one that is removed is archived.
"""

from __future__ import annotations

import argparse
from typing import Any

from onrecord import wire, wiring
from onrecord.domain.errors import Declined, NeedsPerson, StoreMissing, UsageError
from onrecord.domain.outcome import Refused
from onrecord.domain.plural import counted, fits
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.progress import Progress
from onrecord.service.commands import Set
from onrecord.service.project_files import ProjectFiles, Synced

EXAMPLES = """examples:
  onrecord files enable               here, from now on
  onrecord files sync --dry-run       say what would change
  onrecord files list
  onrecord files disable --archive    stop, and put away what they said
"""

_ACTIONS = ("list", "enable", "disable", "sync")
#: Files and refused sections told one by one.
_TOLD = 20


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "action", nargs="?", default="list", choices=_ACTIONS, help="default: list"
    )
    parser.add_argument("--dry-run", action="store_true", help="sync: say what would change")
    parser.add_argument("--all", action="store_true", help="sync: read unchanged files too")
    parser.add_argument("--here", action="store_true", help="sync: read this clone from now on")
    parser.add_argument("--archive", action="store_true", help="disable: put away what they said")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    _check(args)
    if args.action == "list":
        return _list(desk)
    value = {"enable": "on", "disable": "off"}.get(args.action)
    if value:
        scope = desk.caller.place.repo or "repo"
        refused = desk.refused(Set(name="files", value=value, scope=scope))
        if refused is not None:
            return refused
    if not desk.caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})
    files = _opened(desk, create=args.action == "enable")
    try:
        if value:
            return _switch(args, desk, files, on=args.action == "enable")
        return _sync(args, desk, files)
    finally:
        files.close()


def _check(args: argparse.Namespace) -> None:
    for option, action in (("dry_run", "sync"), ("all", "sync"), ("here", "sync")):
        if getattr(args, option) and args.action != action:
            raise UsageError(f"--{option.replace('_', '-')} goes with `files {action}`.")
    if args.archive and args.action != "disable":
        raise UsageError("--archive goes with `files disable`.")


def _opened(desk: Desk, *, create: bool) -> ProjectFiles:
    table = desk.config.tables["files"]
    return wiring.open_project_files(desk.config.store, table, create=create)


def _switch(args: argparse.Namespace, desk: Desk, files: ProjectFiles, *, on: bool) -> int:
    where = desk.caller.place.repo or "this repository"
    what = "Read the files of" if on else "Read no more files of"
    caller, key = desk.confirmed(f"{what} {where}?")
    if key == "n":
        raise Declined
    outcome = files.switch(caller, on=on)
    if isinstance(outcome, Refused):
        return desk.outcome(outcome)
    if on:
        return _sync(args, desk, files)
    put_away = files.put_away(caller) if args.archive else 0
    kept = 0 if args.archive else sum(map(len, files.by_file(where).values()))
    if desk.as_json:
        desk.data({"scope": where, "enabled": False, "archived": put_away, "kept": kept})
        return 0
    desk.say(f"The files of {where} are read no more.")
    if put_away:
        is_or_are = fits(put_away, "is", "are")
        desk.say(f"{counted(put_away, 'memory')} from them {is_or_are} archived.")
    if kept:
        desk.say(
            f"{counted(kept, 'memory')} from them {fits(kept, 'stays', 'stay')};"
            " `onrecord files disable --archive` puts that away."
        )
    return 0


def _sync(args: argparse.Namespace, desk: Desk, files: ProjectFiles) -> int:
    progress = Progress(quiet=desk.as_json)
    try:
        done = files.sync(
            desk.caller,
            keep=not args.dry_run,
            anew=args.all,
            here=args.here,
            step=lambda n, total: progress.step("reading", n, total),
        )
    finally:
        progress.end()
    if desk.as_json:
        desk.data(wire.files_synced(done, dry_run=args.dry_run))
        return 0
    for line in _lines(done, dry_run=args.dry_run):
        desk.say(line)
    return 0


_WHY = {
    "not_a_file": "a link or no plain file, so not read",
    "too_big": "over 1 MiB, so not read",
    "not_text": "not UTF-8 text, so not read",
}


def _lines(done: Synced, *, dry_run: bool) -> list[str]:
    lines = ["What would change (nothing was changed):"] if dry_run else []
    told = [file for file in done.files if file.state != "unchanged"]
    if not done.files:
        return [*lines, f"No decisions.md, plan.md, log.md or folder of decisions in {done.root}"]
    if not told:
        return [*lines, f"Nothing changed in {counted(len(done.files), 'file')}."]
    for file in told[:_TOLD]:
        what = ", ".join(f"{n} {name}" for name, n in sorted(file.outcomes.items()))
        if file.state == "gone":
            what = f"gone; {what or 'nothing was on record from it'}"
        lines.append(f"{file.path}: {_WHY.get(file.state) or what or 'no sections'}")
        lines += [f"  line {line}: {code}" for line, code in file.refused[:_TOLD]]
        if file.left_out:
            lines.append(f"  {counted(file.left_out, 'section')} too many, left out")
    if len(told) > _TOLD:
        lines.append(f"… and {counted(len(told) - _TOLD, 'more file')}: --json has them")
    if done.outcomes.get("proposed") or done.outcomes.get("conflict"):
        lines.append("`onrecord review` decides what is proposed.")
    return lines


def _list(desk: Desk) -> int:
    rows: list[Any] = []
    try:
        files = _opened(desk, create=False)
        try:
            rows = files.enabled(desk.reader)
        finally:
            files.close()
    except StoreMissing:
        pass
    here = desk.reader.place.repo or ""
    if desk.as_json:
        desk.data({"here": here, "enabled": [wire.files_enabled(row) for row in rows]})
        return 0
    if not rows:
        desk.say("No repository's files are read. Switch it on there: onrecord files enable")
    for row in rows:
        mark = " (here)" if row.scope == here else ""
        desk.say(f"{row.scope}{mark}  {row.root}".rstrip())
        for path, count in sorted(row.files.items()):
            desk.say(f"  {path}: {counted(count, 'section')}")
    return 0
