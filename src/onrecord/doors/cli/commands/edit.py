"""Change what a memory says; the version before stays in its history.

Opens your editor on a small form: title, kind and tags, a line of dashes, the body. With --text,
--kind or a tag no editor is opened. Where you may not change it, the new text waits for review as
a replacement; with --in-place nothing is done then. Where it changed while you were editing, or
your text is refused, what you wrote is kept in a file, which --from takes.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from onrecord import wire
from onrecord.domain.errors import BadField, Declined, OnrecordError, UsageError
from onrecord.domain.item import MAX_BODY_BYTES, Item, split
from onrecord.domain.outcome import Conflict, Outcome, Refused
from onrecord.domain.status import KINDS
from onrecord.doors.cli import edit_form, rendering, streams
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.edit_form import Form
from onrecord.doors.cli.files import plain_file
from onrecord.doors.cli.limits import positive
from onrecord.doors.cli.text import one_line
from onrecord.doors.errors import exit_status
from onrecord.service.caller import Caller
from onrecord.service.commands import Revise

EXAMPLES = """examples:
  onrecord edit 7QK2ZD
  onrecord edit 7QK2ZD --text "Run bin/setup_db before the specs" --reason "was a typo"
  onrecord edit 7QK2ZD --kind decision --add-tag database
"""

#: A form is hardly longer than a body.
_MOST = 2 * MAX_BODY_BYTES


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("id", help="an id, or a start or end of one (4 characters or more)")
    parser.add_argument(
        "--text", default=None, help="the whole new text, its first line being the title"
    )
    parser.add_argument("--kind", default="", choices=KINDS, help=", ".join(KINDS))
    parser.add_argument(
        "--tag", action="append", default=None, help="a word to find it by, for all before; repeat"
    )
    parser.add_argument(
        "--add-tag", action="append", default=[], metavar="TAG", help="one more tag; repeat"
    )
    parser.add_argument(
        "--drop-tag", action="append", default=[], metavar="TAG", help="one tag less; repeat"
    )
    parser.add_argument(
        "--in-place", action="store_true", help="only as a version of it, never as a replacement"
    )
    parser.add_argument(
        "--from", dest="source", default="", metavar="FILE", help="an edited form that was kept"
    )
    parser.add_argument("--reason", default="", help="why, for the history")
    parser.add_argument(
        "--dates-as-written", action="store_true", help="do not write out relative dates"
    )
    parser.add_argument(
        "--if-version",
        type=positive,
        default=None,
        metavar="N",
        help="the version you saw; if it changed since, your text is kept as a proposal",
    )


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    tags = args.tag is not None or args.add_tag or args.drop_tag
    given = args.text is not None or args.kind or tags
    if given and args.source:
        raise UsageError("--from stands without --text, --kind and tags.")
    if args.tag is not None and (args.add_tag or args.drop_tag):
        raise UsageError("--tag sets all tags; --add-tag and --drop-tag change some.")
    if args.in_place:
        desk.require_person("Changing it in place is for a person; leave out --in-place.")
    item = desk.find(args.id, opened=True)
    if given:
        form = _given(args, item)
        return desk.outcome(_done(args, item, form, desk))
    if args.source:
        form = edit_form.read(_kept_before(args.source), item)
        return desk.outcome(_done(args, item, form, desk))
    return _edited(args, item, desk)


def _given(args: argparse.Namespace, item: Item) -> Form:
    content = item.content
    if args.text is not None:
        title, body = split(args.text)
        content = replace(content, title=title, body=body)
    if args.tag is not None:
        content = replace(content, tags=tuple(tag for tag in args.tag if tag))
    if args.add_tag or args.drop_tag:
        kept = [tag for tag in content.tags if tag not in args.drop_tag]
        content = replace(content, tags=tuple(dict.fromkeys([*kept, *args.add_tag])))
    return Form(content=content, kind=args.kind or item.kind)


def _kept_before(path: str) -> str:
    with plain_file(path) as file:
        raw = file.read(_MOST + 1)
    text = raw.decode("utf-8", "replace")
    if len(raw) > _MOST or "\ufffd" in text:
        raise BadField(
            "That file is no form of a memory: it is too long, or not UTF-8.",
            details={"field": "text", "path": path},
        )
    return text


def _edited(args: argparse.Namespace, item: Item, desk: Desk) -> int:
    from onrecord.doors.cli.editing import through_editor

    if not sys.stdin.isatty():
        raise UsageError("There is no terminal for an editor.", hint="Give the new --text.")
    before = edit_form.shown(item)
    text = through_editor(before)
    if not text.strip() or text == before:
        raise Declined("Nothing was edited, so nothing was changed.")
    try:
        form = edit_form.read(text, item)
        same = form.content == item.content and form.kind == item.kind
        outcome = None if same else _done(args, item, form, desk)
    except (OnrecordError, KeyboardInterrupt) as error:
        told = _told(edit_form.kept(text), item)
        if isinstance(error, OnrecordError):
            error.hint = f"{error.hint}\n{told}" if error.hint else told
        else:
            streams.complain(f"\nonrecord: {told}\n")
        raise
    if outcome is None:
        raise Declined("It says the same as before, so nothing was changed.")
    if isinstance(outcome, (Conflict, Refused)):
        return _not_taken(outcome, edit_form.kept(text), item, desk)
    return desk.outcome(outcome)


def _done(args: argparse.Namespace, item: Item, form: Form, desk: Desk) -> Outcome:
    command = Revise(
        item=item.id,
        content=form.content,
        kind="" if form.kind == item.kind else form.kind,
        if_version=args.if_version or item.version,
        reason=args.reason,
        dates_as_written=args.dates_as_written,
    )
    rule = "rule" in (form.kind, item.kind) and desk.principal.is_person
    return desk.memory.do(command, _confirmed(form, desk) if rule else desk.caller)


def _confirmed(form: Form, desk: Desk) -> Caller:
    """The caller, with a key typed for a rule."""
    shown = (f"  {one_line(form.content.title)}", *rendering.quoted(form.content.body))
    caller, key = desk.confirmed("Let that be a rule?", shown=shown)
    if key == "n":
        raise Declined
    return caller


def _not_taken(outcome: Outcome, path: str, item: Item, desk: Desk) -> int:
    """The answer, and where the text is that it did not take."""
    if desk.as_json:
        desk.data(wire.outcome(outcome) | {"kept": path})
        return exit_status(outcome)
    status = desk.tell(outcome)
    streams.complain(f"  {_told(path, item)}\n")
    return status


def _told(path: str, item: Item) -> str:
    short = rendering.short(item.id)
    return f"Your text is in {path}; onrecord edit {short} --from {path}"
