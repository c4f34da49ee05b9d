"""The doctor on mirrors: folders that are gone, owed an erasing, or behind what is on record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from onrecord.capture.known_copies import KnownMirror
from onrecord.domain.errors import OnrecordError
from onrecord.domain.plural import counted
from onrecord.service.doctoring import Finding


def examine_mirrors(
    known: Callable[[], Sequence[KnownMirror]], behind: Callable[[str], int] | None
) -> Iterator[Finding]:
    """Each mirror of the store; `behind` counts the files of one that have to change.

    Without `behind`, for who may not see all that a mirror shows, that is not looked at.
    """
    try:
        mirrors = known()
    except OnrecordError as error:
        yield Finding(code="mirror.unread", level="warn", say=error.message, fix=error.hint)
        return
    for one in mirrors:
        yield _owed(one) if one.owed or not one.stands else _behind(one.path, behind)


def _owed(one: KnownMirror) -> Finding:
    erased = counted(one.owed, "erased memory")
    if not one.stands:
        still = f" It may still hold {erased}." if one.owed else ""
        return Finding(
            code="mirror.gone",
            level="warn",
            say=f"The mirror {one.path} is not there.{still}",
            fix=f"onrecord mirror {one.path} once it is back; if never: onrecord mirror --drop",
        )
    return Finding(
        code="mirror.owed",
        level="warn",
        say=f"The mirror {one.path} may still hold {erased}.",
        fix=f"onrecord mirror {one.path}",
    )


def _behind(path: str, behind: Callable[[str], int] | None) -> Finding:
    try:
        files = behind(path) if behind else 0
    except OnrecordError as error:
        return Finding(
            code="mirror.unread", level="warn", say=f"{path}: {error.message}", fix=error.hint
        )
    if not files:
        return Finding(code="mirror.known", level="ok", say=f"The mirror {path} is in step.")
    return Finding(
        code="mirror.behind",
        level="note",
        say=f"The mirror {path} is {counted(files, 'file')} behind what is on record.",
        fix=f"onrecord mirror {path}",
    )
