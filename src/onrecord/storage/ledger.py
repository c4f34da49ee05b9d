"""The list of erasures in a file beside the store, one JSON line each; it only ever grows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

from onrecord.domain.erasure import Erasure
from onrecord.domain.errors import NO_ROOM, StoreCorrupt, StoreError, StoreFull, StoreMissing
from onrecord.domain.principal import Principal
from onrecord.domain.tombstone import PARTS, Print, Tombstone
from onrecord.storage import creation, location

#: Version of a line's form.
_FORM = 1
#: Ends a line that was cut off by a crash or a full disk.
_CUT = b"#cut\n"


def path_of(store: str) -> str:
    """Where the erasures of a store are listed."""
    return store + ".erasures"


class FileLedger:
    """The `Ledger` port over a file for the owner alone.

    A line that was cut off is passed over: its erasure stands in the store's own log.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def add(self, erasures: Sequence[Erasure]) -> None:
        """Append them in one write; raises `StoreUnsafe`, `StoreFull` or `StoreError`."""
        if not erasures:
            return
        text = "".join(f"{json.dumps(_line(one))}\n" for one in erasures)
        try:
            self._append(text.encode())
        except OSError as error:
            full = (error.errno or 0) in NO_ROOM
            kind = StoreFull if full else StoreError
            raise kind(details={"path": self.path, "errno": error.errno or 0}) from None

    def _append(self, raw: bytes) -> None:
        if not os.path.lexists(self.path):
            try:
                creation.make_file(self.path)
                creation.synced(os.path.dirname(self.path))  # noqa: PTH120
            except FileExistsError:
                pass
        location.check_files(self.path)
        flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        number = os.open(self.path, flags)
        try:
            size = os.fstat(number).st_size
            if size and os.pread(number, 1, size - 1) != b"\n":
                raw = _CUT + raw
            while raw:
                raw = raw[os.write(number, raw) :]
            os.fsync(number)
        finally:
            os.close(number)

    def read(self) -> list[Erasure]:
        """All erasures, an item once, with all that it left; empty where there is no file."""
        found: dict[str, Erasure] = {}
        for one in self._lines():
            known = found.get(one.item)
            stones = {stone.id: stone for stone in (*(known.stones if known else ()), *one.stones)}
            found[one.item] = Erasure(
                item=one.item, at=known.at if known else one.at, stones=tuple(stones.values())
            )
        return list(found.values())

    def reach(self, items: Sequence[str]) -> int:  # noqa: ARG002 - a list alone knows no copies
        """None: the list by itself knows of no copies."""
        return 0

    def _lines(self) -> Iterator[Erasure]:
        try:
            location.check_files(self.path)
            with open(self.path, "rb") as lines:  # noqa: PTH123
                for raw in lines:
                    one = _erasure(raw)
                    if one is not None:
                        yield one
        except StoreMissing:
            return
        except OSError as error:
            raise StoreError(details={"path": self.path, "errno": error.errno or 0}) from None


def _line(of: Erasure) -> dict[str, Any]:
    return {
        "form": _FORM,
        "item": of.item,
        "at": of.at,
        "stones": [
            {
                "id": stone.id,
                "scope": stone.scope,
                "reason": stone.reason,
                "writer": stone.by.writer,
                "channel": stone.by.channel,
                "user": stone.by.user,
                "agent": stone.by.agent,
                "at": stone.at,
                "key": stone.key_id,
                "normaliser": stone.normaliser,
                "prints": [[mark.part, mark.value.hex()] for mark in stone.prints],
                "sketch": stone.sketch.hex(),
            }
            for stone in of.stones
        ],
    }


def _erasure(raw: bytes) -> Erasure | None:
    """The erasure of a line, None for one that was cut off.

    Raises `StoreCorrupt` for a whole line that is none of ours: passing it over would let
    something erased come back.
    """
    if not raw.endswith(b"\n") or raw.endswith(_CUT):
        return None
    try:
        line = json.loads(raw)
        _known(line["form"] == _FORM)
        stones = tuple(_stone(str(line["item"]), stone) for stone in line["stones"])
        return Erasure(item=str(line["item"]), at=int(line["at"]), stones=stones)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise StoreCorrupt(
            "The list of erasures beside the store cannot be read, so nothing was restored.",
            hint="Restore that file too, or move it away if what was erased may come back.",
        ) from None


def _stone(item: str, of: dict[str, Any]) -> Tombstone:
    prints = tuple(Print(part=part, value=bytes.fromhex(value)) for part, value in of["prints"])
    _known(all(mark.part in PARTS for mark in prints))
    return Tombstone(
        id=str(of["id"]),
        item=item,
        scope=str(of["scope"]),
        reason=str(of["reason"]),
        by=Principal(
            writer=str(of["writer"]),
            channel=str(of["channel"]),
            user=str(of["user"]),
            agent=str(of["agent"]),
        ),
        at=int(of["at"]),
        key_id=str(of["key"]),
        normaliser=int(of["normaliser"]),
        prints=prints,
        sketch=bytes.fromhex(of["sketch"]),
    )


def _known(holds: bool) -> None:
    if not holds:
        raise ValueError
