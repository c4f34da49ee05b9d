"""Have a session summarised by the command that your own configuration names; all of it waits.

Nothing is sent unless `[summaries]` in your configuration file names a command and the
repository. Only what you typed and the agent answered is sent, without secrets; --dry-run --show
prints it. What comes back is proposed, with the messages that it rests on; an answer that is not
as documented is set aside. A session goes on where it ended last time.

With `automatic = true` there, sessions are summarised as they end and as they are compacted.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from onrecord import wire, wiring
from onrecord.domain.errors import NeedsPerson, UsageError
from onrecord.domain.plural import counted, fits
from onrecord.doors.cli import streams
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.following import followed_file
from onrecord.doors.cli.progress import Progress
from onrecord.doors.cli.rendering import short, when
from onrecord.service.session_names import is_named
from onrecord.service.summaries import Summaries
from onrecord.service.summary_reports import Summarised

EXAMPLES = """examples:
  onrecord summarize --dry-run --show     what would be sent of the latest session here
  onrecord summarize 4QX7ZN
  onrecord summarize --set-aside          answers that could not be used
  onrecord summarize --sent --show        what was sent so far
  onrecord summarize --owed               what waits to be summarised by itself
"""

_STOPPED = {
    "missing": "the command cannot be started",
    "failed": "the command failed",
    "slow": "the command took too long and was ended",
    "too_big": "the command said too much and was ended",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("session", nargs="?", default="", help="default: the latest one here")
    parser.add_argument("--dry-run", action="store_true", help="send nothing, keep nothing")
    parser.add_argument("--show", action="store_true", help="print exactly what is sent")
    parser.add_argument("--again", action="store_true", help="begin at the session's start")
    parser.add_argument("--set-aside", action="store_true", help="list answers set aside")
    parser.add_argument("--sent", action="store_true", help="list what was sent; with --show: it")
    parser.add_argument("--owed", action="store_true", help="list what is done by itself")
    parser.add_argument("--clear", action="store_true", help="with --set-aside: remove them")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if args.clear and not args.set_aside:
        raise UsageError("--clear goes with --set-aside.")
    if args.set_aside + args.sent + args.owed > 1:
        raise UsageError("--set-aside, --sent and --owed exclude one another.")
    # what hooks left is taken in first, so that the latest session is known
    desk.memory.status(desk.caller)
    summaries = wiring.open_summaries(
        desk.config.store, desk.config.tables["summaries"], desk.config.tables["agents"]
    )
    progress = Progress(quiet=desk.as_json)
    try:
        if args.set_aside:
            return _set_aside(args, desk, summaries)
        if args.sent:
            return _sent(args, desk, summaries)
        if args.owed:
            return _owed(args, desk, summaries)
        if not args.dry_run and summaries.is_ready(desk.caller, args.session):
            progress.stage("asking the summariser")
        done = summaries.run(
            desk.caller,
            args.session,
            send=not args.dry_run,
            again=args.again,
            step=lambda n, total: progress.step("parts", n, total),
        )
    finally:
        progress.end()
        summaries.close()
    return _answer(args, desk, done)


def _answer(args: argparse.Namespace, desk: Desk, done: Summarised) -> int:
    status = 1 if done.stopped or any(one.state == "bad" for one in done.parts) else 0
    if desk.as_json:
        desk.data(wire.summarised(done, dry_run=args.dry_run, show=args.show))
        return status
    for line in _lines(done, show=args.show):
        desk.say(line)
    if done.stopped:
        streams.finish()
        streams.complain(f"onrecord: {_STOPPED[done.stopped]}; what came before is kept\n")
    return status


def _lines(done: Summarised, *, show: bool) -> Iterator[str]:
    """What was sent where that is asked for, and what came of it."""
    if show:
        yield from (prompt for one in done.parts for prompt in one.prompts)
    if not done.parts and not done.stopped:
        yield "Nothing new was said in that session."
    for at, one in enumerate(done.parts, start=1):
        what = {
            "looked": "would be sent",
            "known": "kept before",
            "bad": f"no usable answer ({', '.join(one.bad)})",
        }
        told = ", ".join(f"{n} {name}" for name, n in sorted(one.outcomes.items()))
        said = what.get(one.state) or told or "nothing worth keeping"
        size = f"{counted(one.messages, 'message')}, {counted(one.tokens, 'token')}"
        yield f"part {at}: {size}: {said}"
    if done.damaged:
        yield f"{counted(done.damaged, 'line')} of the transcript could not be read."
    if done.more and not done.stopped:
        yield "There is more of it: run it again."
    if done.batch:
        back = f"onrecord undo --import {short(done.batch)}"
        waits = any("proposed" in one.outcomes for one in done.parts)
        yield f"{'`onrecord review` decides. ' if waits else ''}Take it back: {back}"
    elif any("refused" in one.outcomes for one in done.parts):
        yield "Nothing of it was kept, so nothing waits for you."


def _sent(args: argparse.Namespace, desk: Desk, summaries: Summaries) -> int:
    _require_person(desk)
    rows = summaries.sent(args.session)
    if desk.as_json:
        desk.data({"sent": [wire.summary_sent(row, show=args.show) for row in rows]})
        return 0
    if not rows:
        desk.say("Nothing was sent.")
    for row in rows:
        size = f"{counted(row.messages, 'message')}, {counted(row.tokens, 'token')}"
        desk.say(f"{when(row.at)}  session {short(row.session)}: {size}")
        if args.show:
            desk.say(row.text or "The transcript does not say that any more.")
    return 0


def _owed(args: argparse.Namespace, desk: Desk, summaries: Summaries) -> int:
    _require_person(desk)
    file = followed_file(desk.config.store, os.environ)
    rows = summaries.owed(file) if file else []
    if args.session:
        rows = [row for row in rows if is_named(row.session, args.session)]
    if desk.as_json:
        desk.data({"owed": [wire.summary_owed(row) for row in rows]})
        return 0
    wanted = desk.config.tables["summaries"].get("automatic") is True
    if wanted and not file:
        desk.say("Hooks follow no such configuration file: it stands at its usual place in your")
        desk.say("account's own home, and nobody but you may write it.")
    if not rows:
        which = "That session does not wait" if args.session else "No session waits"
        desk.say(f"{which} to be summarised by itself.")
    for row in rows:
        words = {"owed": "with the next hook", "waits": "later", "given_up": "no more by itself"}
        times = counted(row.tries, "time")
        tried = f", tried {times}: {_STOPPED[row.why]}" if row.why in _STOPPED else ""
        desk.say(f"{short(row.session.id)}  {words[row.state]}{tried}")
    return 0


def _require_person(desk: Desk) -> None:
    if not desk.caller.principal.is_person:
        raise NeedsPerson(hint=desk.seen.told(), details={"seen": dict(desk.seen.proof())})


def _set_aside(args: argparse.Namespace, desk: Desk, summaries: Summaries) -> int:
    _require_person(desk)
    if args.clear:
        count = summaries.clear()
        if desk.as_json:
            desk.data({"removed": count})
        else:
            desk.say(f"{counted(count, 'answer')} {fits(count, 'was', 'were')} removed.")
        return 0
    rows = summaries.set_aside()
    if desk.as_json:
        desk.data({"set_aside": rows})
        return 0
    if not rows:
        desk.say("No answer was set aside.")
    for row in rows:
        desk.say(f"{row['name'][-6:]}  session {short(row['session'])}: {row['why']}")
        if args.show:
            desk.say(row["answer"])
    return 0
