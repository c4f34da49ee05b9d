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
        yield _off(found)
        return
    yield from _unfinished(found, settings.model)
    if not found.model:
        if not found.building:
            yield _none(settings.model, meaning)
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
    # a name that nobody wrote down is no wish for another
    yield from _behind(found, settings.model if "model" in table else found.model)


def _off(found: Coverage) -> Finding:
    say = "Recall goes by words alone, as your configuration says (`model` in [semantic])."
    models = [name for name in (found.model, *found.building) if name]
    if not models:
        return Finding(code="meaning.off", level="note", say=say)
    return Finding(
        code="meaning.off",
        level="note",
        say=f"{say} What {', '.join(models)} read is still kept.",
        fix="onrecord reindex --drop takes it away",
    )


def _unfinished(found: Coverage, wanted: str) -> Iterator[Finding]:
    """Readings that were broken off, each with the command that goes on."""
    meanwhile = f"goes on with {found.model}" if found.model else "goes by words"
    for model, having in zip(found.building, found.built, strict=True):
        command = "onrecord reindex" + ("" if model == wanted else f" --model {model}")
        fix = f"{command} goes on where it was"
        if not found.model:
            fix += "; onrecord reindex --drop gives it up"
        yield Finding(
            code="meaning.unfinished",
            level="warn",
            say=f"Reading the memories with {model} was not finished: {having} of {found.active}."
            f" Recall {meanwhile} until it is.",
            fix=fix,
        )


def _behind(found: Coverage, wanted: str) -> Iterator[Finding]:
    """What the model in use has not read, and that another one is wanted."""
    waiting = found.active - found.having
    if waiting > 0:
        yield Finding(
            code="meaning.owed",
            level="note",
            say=f"{waiting} of {found.active} memories are not read by it yet; recall does a few"
            " of them each time.",
            fix=f"onrecord reindex --model {found.model}"
            if found.model != wanted
            else "onrecord reindex",
        )
    if found.model != wanted and wanted not in found.building:
        yield Finding(
            code="meaning.other",
            level="note",
            say=f"Your configuration names {wanted}, and recall still goes by {found.model}.",
            fix="onrecord reindex reads the memories with it, beside what is in use",
        )


def _none(wanted: str, meaning: Callable[[], Meaning]) -> Finding:
    try:
        meaning().embedder(wanted)
    except OnrecordError as error:
        how = error.hint if wanted == PACKAGED else "Look at [semantic] in your configuration"
        say = "Recall goes by words alone: there is no model of meanings here."
        return Finding(code="meaning.none", level="note", say=say, fix=how)
    return Finding(
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
