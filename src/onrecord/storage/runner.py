"""What the ports need of a database: named queries inside one transaction, and transactions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from onrecord.storage.dialect import Dialect

#: What an engine says of an index that is not sound.
INDEX_DIFFERS = "the lexical index differs from its documents: `onrecord rebuild` makes it anew"


class Runner(Protocol):
    """Runs named queries inside one transaction; `tenant` is a parameter of each."""

    @property
    def dialect(self) -> Dialect:
        """How this database spells things."""
        ...

    def rows(self, name: str, /, **parameters: Any) -> Sequence[Sequence[Any]]:
        """All rows of a query."""
        ...

    def row(self, name: str, /, **parameters: Any) -> Sequence[Any] | None:
        """The first row of a query, if there is one."""
        ...

    def run(self, name: str, /, **parameters: Any) -> int:
        """Change something; how many rows it changed. `StoreReadOnly` in a reading one."""
        ...

    def index_sound(self) -> bool:
        """Whether the lexical index agrees with its documents."""
        ...


class Engine(Protocol):
    """One database: hands out transactions and looks after its files."""

    def write(self) -> AbstractContextManager[Runner]:
        """A transaction that is durable at the block's end."""
        ...

    def read(self) -> AbstractContextManager[Runner]:
        """A transaction that sees one state and changes nothing."""
        ...

    def scrub(self) -> bool:
        """Leave no erased text behind; False while a reader holds it back."""
        ...

    def make_room(self) -> bool:
        """Give up what is kept aside for a full disk; False where there is none."""
        ...

    def faults(self) -> Iterable[str]:
        """What the engine's own checks find."""
        ...

    def schema_faults(self) -> list[tuple[str, str]]:
        """What of its tables, indices and triggers is not as the migrations make it."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...
