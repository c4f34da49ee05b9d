"""What the doctor says of meanings: which model, how many are owed, and where texts go."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from onrecord.domain.embedding import Embedder, check_same
from onrecord.domain.errors import OnrecordError, StoreError
from onrecord.service.doctoring import Finding
from onrecord.service.semantic_settings import PACKAGED, settings_of

if TYPE_CHECKING:
    from onrecord.service.meaning import Meaning
    from onrecord.service.reindexing import Coverage


def examine_meaning(
    table: Mapping[str, object], coverage: Callable[[], Coverage], meaning: Callable[[], Meaning]
) -> Iterator[Finding]:
    """The configuration, the model of the space in use, and what is owed to it."""
    try:
        settings = settings_of(table)
        found = coverage()
    except StoreError:
        # told by what looks at the store itself
        return
    except OnrecordError as error:
        yield Finding(code=error.code, level="fail", say=error.message, fix=error.hint)
        return
    if settings.off:
        say = "Recall goes by words alone, as your configuration says (`model` in [semantic])."
        yield Finding(code="meaning.off", level="note", say=say)
        return
    if not found.model:
        yield from _none(found, settings.model, meaning)
        return
    try:
        embedder = meaning().embedder(found.model)
        if found.spec is not None:
            check_same(found.spec, embedder.spec)
    except OnrecordError as error:
        yield Finding(
            code=error.code,
            level="warn",
            say=f"{error.message} Recall goes by words.",
            fix=error.hint or "onrecord reindex",
        )
        return
    yield _used(found, embedder)
    waiting = found.active - found.having
    if waiting > 0:
        yield Finding(
            code="meaning.owed",
            level="note",
            say=f"{waiting} of {found.active} memories are not read by it yet; recall does a few"
            " of them each time.",
            fix="onrecord reindex",
        )


def _none(found: Coverage, wanted: str, meaning: Callable[[], Meaning]) -> Iterator[Finding]:
    if found.building:
        yield Finding(
            code="meaning.unfinished",
            level="warn",
            say=f"Reading the memories with {', '.join(found.building)} was not finished.",
            fix="onrecord reindex goes on where it was; onrecord reindex --drop gives it up",
        )
        return
    try:
        meaning().embedder(wanted)
    except OnrecordError as error:
        how = error.hint if wanted == PACKAGED else "Look at [semantic] in your configuration"
        say = "Recall goes by words alone: there is no model of meanings here."
        yield Finding(code="meaning.none", level="note", say=say, fix=how)
        return
    yield Finding(
        code="meaning.possible",
        level="note",
        say=f"Recall goes by words alone. The model {wanted} is here and could read the memories.",
        fix="onrecord reindex",
    )


def _used(found: Coverage, embedder: Embedder) -> Finding:
    return Finding(
        code="meaning.used",
        level="ok",
        say=f"Recall goes by words and by meaning: {found.model} has read {found.having}"
        f" of {found.active} memories. Their text goes {embedder.where}.",
    )
