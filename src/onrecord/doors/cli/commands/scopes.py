"""Where memories apply, with counts; the scopes visible from here are marked.

rename gives a scope another name: a repository that moved to another host, a project that is
called otherwise now. merge is for a name that is in use already; alias lets a name that holds
nothing lead to another. Memories, history, branches, sessions, handoffs and switches go along,
and whatever still says the old name means the new one. A repository that gets an origin takes
along what was kept before at your next command. All of it can be undone.
"""

from __future__ import annotations

import argparse

from onrecord.domain import scope as names
from onrecord.domain.errors import UsageError
from onrecord.doors.cli.desk import Desk
from onrecord.service import lint
from onrecord.service.commands import MoveScope

EXAMPLES = """examples:
  onrecord scopes
  onrecord scopes rename repo:git.old.example/acme/site repo:github.com/acme/site
  onrecord scopes merge project:fare project:fares --dry-run
  onrecord help scopes         what the kinds of scopes mean
"""

_WAYS = ("rename", "merge", "alias")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what", nargs="?", default="list", choices=("list", *_WAYS), help="list (default), …"
    )
    parser.add_argument("old", nargs="?", default="", help="what it is called")
    parser.add_argument("new", nargs="?", default="", help="what it is to be called")
    parser.add_argument("--dry-run", action="store_true", help="show what would move")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    if args.what == "list":
        if args.old or args.dry_run:
            raise UsageError("A list takes no names.", hint="onrecord scopes")
        return _list(desk)
    if not args.old or not args.new:
        raise UsageError("Give both names.", hint=f"onrecord scopes {args.what} OLD NEW")
    if args.dry_run:
        return _preview(args, desk)
    desk.makes = True
    return desk.outcome(
        desk.memory.do(MoveScope(old=args.old, new=args.new, way=args.what), desk.caller)
    )


def _preview(args: argparse.Namespace, desk: Desk) -> int:
    """What would go along, and what is there already: for who may do it, a person."""
    desk.require_person("What would move is shown to a person, who alone may move it.")
    counts = desk.memory.scope_counts(desk.reader)
    old, new = (names.parse(name, desk.place) for name in (args.old, args.new))
    moving = {name: of for name, of in counts.items() if name == old or _branch_of(name, old)}
    if desk.as_json:
        desk.data({"would_move": moving, "to": new, "there": counts.get(new, {})})
        return 0
    desk.say(f"would {args.what} to {new} (nothing was changed):")
    for name, of in sorted(moving.items()):
        desk.say(f"  {name}: {_told(of)}")
    if not moving:
        desk.say(f"  nothing stands under {old}")
    if new in counts:
        desk.say(f"there already: {_told(counts[new])}")
    return 0


def _branch_of(name: str, repo: str) -> bool:
    if names.kind_of(name) != "branch" or names.kind_of(repo) != "repo":
        return False
    return names.split_branch(name.partition(":")[2])[0] == repo.partition(":")[2]


def _list(desk: Desk) -> int:
    counts = desk.memory.scope_counts(desk.reader)
    here, renamed = desk.place.ladder(), desk.renamed()
    twins = [list(same) for same in lint.twins(name for name in counts if name not in renamed)]
    if desk.as_json:
        desk.data({"here": here, "scopes": counts, "renamed": dict(renamed), "twins": twins})
        return 0
    desk.say("visible here: " + ", ".join(here))
    for scope, of in sorted(counts.items()):
        if scope in renamed and set(of) <= {"forgotten"}:
            continue
        desk.say(f"{'*' if scope in here else ' '} {scope}: {_told(of)}")
    for old, new in sorted(renamed.items()):
        desk.say(f"  {old} is called {new} now")
    for pair in twins:
        desk.say(f"! {' and '.join(pair)} differ by case alone: onrecord scopes merge OLD NEW")
    _offer(desk)
    if not counts:
        desk.say("Nothing is on record yet.")
    return 0


def _offer(desk: Desk) -> None:
    """What this checkout kept before it had an origin, where a person has to decide."""
    from onrecord.service.adopting import waiting_to_move

    old, there = waiting_to_move(desk.memory, desk.place)
    if old and there and desk.principal_is_person:
        desk.say(f"! {old} is this checkout, too: onrecord scopes merge {old} repo")


def _told(of: dict[str, int]) -> str:
    return ", ".join(f"{n} {status}" for status, n in sorted(of.items())) or "empty"
