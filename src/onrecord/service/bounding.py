"""After 9: a statement that says until when it is true is kept so, where its writer gave no time.

`Kiosk four is closed until 2031-03-01` is true to the end of that day, in the writer's zone. A
start counts where it is not ahead: what is planned has to be found before it begins, and its
words say when that is. An end that is past is history, which stays true.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta, tzinfo

from onrecord.domain import time
from onrecord.domain.item import Content
from onrecord.domain.outcome import Outcome
from onrecord.service.draft import Draft
from onrecord.service.work import Work

#: Kinds whose words say how things are; the time in a task is when it is due.
_KINDS = ("note", "fact", "decision", "preference", "lesson")


def bound(work: Work, draft: Draft) -> Outcome | None:
    """Set from when to when the draft is true, as far as its words say it and nobody else did."""
    command, before = draft.command, draft.before
    unasked = command.batch or command.dates_flagged or command.dates_as_written
    kind = draft.kind or command.kind
    if unasked or kind not in _KINDS or work.principal.writer == "file" or work.zone is None:
        return None
    was = _said(before.content, work.zone) if before is not None else (None, None)
    said = _said(draft.content, work.zone)
    if before is not None and said == was:
        return None  # no word of it changed
    content = draft.content
    start, end = content.valid_from, content.valid_to
    if start is None or start == was[0]:
        start = said[0] if said[0] is not None and said[0] <= work.now else None
    if end is None or end == was[1]:
        end = said[1] if said[1] is not None and said[1] > max(work.now, start or 0) else None
    if start is not None and end is not None and end <= start:
        return None
    draft.content = replace(content, valid_from=start, valid_to=end)
    draft.bounded = _sentence(content, draft.content, work.zone)
    return None


def _said(content: Content, zone: tzinfo | None) -> tuple[int | None, int | None]:
    """From when to when a text says that it is true, half-open."""
    from onrecord.policy import dates  # noqa: PLC0415 - only where a text is written

    first, last = dates.bounds(content.title, content.body)
    try:
        return _start(first, zone), _start(last and last + timedelta(days=1), zone)
    except OverflowError:
        return None, None  # at the end of the calendar


def _start(day: date | None, zone: tzinfo | None) -> int | None:
    """When a day begins where the writer is."""
    if day is None:
        return None
    at = time.from_datetime(datetime(day.year, day.month, day.day, tzinfo=zone))
    time.to_datetime(at)  # it can be told again
    return at


def _sentence(before: Content, after: Content, zone: tzinfo | None) -> str:
    parts: list[str] = []
    if after.valid_from is not None and after.valid_from != before.valid_from:
        parts.append(f"from {_day(after.valid_from, zone)} on")
    if after.valid_to is not None and after.valid_to != before.valid_to:
        parts.append(f"to the end of {_day(after.valid_to - 1, zone)}")
    return f"Kept as true {' '.join(parts)}, as it says." if parts else ""


def _day(at: int, zone: tzinfo | None) -> date:
    return time.to_datetime(at).astimezone(zone).date()
