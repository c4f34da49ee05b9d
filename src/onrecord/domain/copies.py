"""Copies of a whole store: what is known of one, and the place where their files are."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class Copied:
    """A copy that was made and checked."""

    path: str
    #: the file of its keys beside it, empty where the store's cannot be read
    keys: str
    #: bytes
    size: int
    #: items, forgotten ones included, and lines of the log
    items: int
    events: int
    #: hash of the last line
    head: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """A private, checked copy of a copy, with the key that belongs to it."""

    path: str
    key_id: str
    key: bytes = field(repr=False)
    #: (name, key) of those that were in use before
    older: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)


class CopyRoom(Protocol):
    """The files of one store and its copies."""

    def copy(self, target: str, stamp: str, passphrase: str = "") -> Copied:
        """Copy the store and its keys to a new file; without a target to the own folder.

        With a passphrase the copy's keys are closed with it.
        """
        ...

    def kept(self, since: int = 0) -> list[str]:
        """Paths of the copies in the store's own folder, oldest name first.

        Without those that were written before `since` (UTC microseconds).
        """
        ...

    def prepared(self, file: str, passphrase: str = "") -> AbstractContextManager[Prepared]:
        """A private copy of a copy, checked as what a stranger gave, gone at the block's end."""
        ...

    def put_in_place(
        self,
        copy: Prepared,
        stamp: str,
        *,
        head: tuple[int, bytes] | None,
        heeding: Sequence[str] = (),
    ) -> str | None:
        """Let a prepared copy be the store; the path at which the store before it is kept.

        The empty text where there was none. None, with nothing changed, where one of the
        actions in `heeding` was logged after `head`, or `head` is not in the log any more;
        `head` None says that the store cannot be read.
        """
        ...
