"""What the doctor says of summaries without being asked: those that do not come, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from onrecord.domain.errors import OnrecordError, StoreError
from onrecord.domain.plural import counted, fits
from onrecord.service.doctoring import Finding

if TYPE_CHECKING:
    from onrecord.service.summary_reports import Owed


def examine_summaries(
    owed: Callable[[], Sequence[Owed]], *, is_followed: bool
) -> Iterator[Finding]:
    """Where the user wants summaries by themselves; whether hooks follow the file that says so."""
    if not is_followed:
        yield Finding(
            code="summaries.not_followed",
            level="warn",
            say="No session is summarised by itself: hooks follow your configuration at its usual"
            " place alone, and where nobody but you may write to the file and its folder.",
            fix="Keep it in ~/.config/onrecord/config.toml, and chmod go-w it and its folder",
        )
    try:
        given_up = [one for one in owed() if one.state == "given_up"]
    except StoreError:
        return  # told by what looks at the store itself
    except OnrecordError as error:
        yield Finding(code=error.code, level="fail", say=error.message, fix=error.hint)
        return
    if given_up:
        count = len(given_up)
        yield Finding(
            code="summaries.given_up",
            level="warn",
            say=f"{counted(count, 'session')} {fits(count, 'is', 'are')} not summarised by"
            " itself any more: the command of [summaries] was tried in vain too often.",
            fix="onrecord summarize --owed lists them; onrecord summarize SESSION tries again",
        )
