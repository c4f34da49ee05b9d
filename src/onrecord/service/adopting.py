"""A repository that got an origin: what was kept under its folder's name goes along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.capture import git
from onrecord.domain.item import ItemQuery
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.status import STATUSES
from onrecord.service.caller import Caller
from onrecord.service.commands import MoveScope

if TYPE_CHECKING:
    from onrecord.service.memory import Memory

_BY_PATH = "repo:path:"
_KEPT = tuple(status for status in STATUSES if status != "forgotten")


def former_name(place: Place) -> str:
    """What this main checkout was called while it had no origin; empty where it has none now."""
    if not place.repo or place.repo.startswith(_BY_PATH):
        return ""
    found = git.locate(place.cwd)
    return f"repo:{git.repository_key('', found.main_root)}" if found is not None else ""


def waiting_to_move(memory: Memory, place: Place) -> tuple[str, bool]:
    """The former name where memories stand under it, and whether some do under the new one."""
    old = former_name(place)
    if not old or old in memory.renamed() or not _holds(memory, old):
        return "", False
    return old, _holds(memory, place.repo or "")


def adopt(memory: Memory, place: Place) -> bool:
    """Move what this checkout kept before it had an origin; says whether that was done.

    Only where nothing stands under the new name yet: what two places learned is a person's to
    merge. It is on record as the system's doing and can be undone like any renaming.
    """
    old, there = waiting_to_move(memory, place)
    if not old or there or not place.repo:
        return False
    memory.do(MoveScope(old=old, new=place.repo), _itself(place))
    return True


def _holds(memory: Memory, repo: str) -> bool:
    query = ItemQuery(scopes=(repo,), statuses=_KEPT, limit=1)
    return bool(memory.page(query, _itself(Place(repo=repo))))


def _itself(place: Place) -> Caller:
    return Caller(principal=Principal(writer="system", channel="system"), place=place)
