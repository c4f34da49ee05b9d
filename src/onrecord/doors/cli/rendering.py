"""Items, sessions and answers as lines for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onrecord.domain import time
from onrecord.domain.limits import ASKED
from onrecord.domain.plural import counted
from onrecord.domain.provenance import REPLACED
from onrecord.domain.status import EXPIRING
from onrecord.doors.cli import cautions
from onrecord.doors.cli.text import one_line
from onrecord.service.clocks import SystemClock

if TYPE_CHECKING:
    from onrecord.domain.event import Event
    from onrecord.domain.item import Content, Item
    from onrecord.domain.outcome import Outcome
    from onrecord.domain.principal import Principal
    from onrecord.domain.provenance import Evidence
    from onrecord.doors.cli.desk import Desk
    from onrecord.service.resting import Rest

#: What a review or a listing shows of a body before it says how much more there is.
BODY_LINES = 12


def short(item: str) -> str:
    """The short form of an id: its last six characters."""
    return item[-6:]


def when(at: int) -> str:
    """An instant to the minute, in UTC."""
    return time.to_iso(at)[:16].replace("T", " ")


def who(by: Principal) -> str:
    """Who wrote it, and how."""
    name = by.user if by.is_person else by.agent or by.writer
    return f"{one_line(name) or 'someone'} ({one_line(by.channel)})"


def line(item: Item, *, at: int | None = None) -> str:
    """An item on one line, as it stands at an instant (default: now)."""
    marks = [item.kind, one_line(item.scope)]
    at = SystemClock().now() if at is None else at
    state = item.state(at)
    if state != "active":
        marks.append(state)
    if item.verification != "verified":
        marks.append(item.verification)
    if item.pinned:
        marks.append("pinned")
    if item.key:
        marks.append(f"key {one_line(item.key)}")
    start = item.content.valid_from
    if start is not None and start > at and item.kind != "reminder":
        marks.append(f"from {time.to_iso(start)[:10]}")
    if item.content.valid_to is not None:
        marks.append(f"until {time.to_iso(item.content.valid_to)[:10]}")
    return f"{short(item.id)}  {one_line(item.content.title)}  [{', '.join(marks)}]"


def whole(item: Item) -> list[str]:
    """An item with its text, its marks and where it comes from."""
    content = item.content
    lines = [line(item), *quoted(content.body)]
    lines += beside(content)
    # a reminder's is when it comes up, which is told for itself
    dated = content.valid_from is not None and item.kind != "reminder"
    if dated or content.valid_to is not None:
        lines.append(validity(content))
    if item.expires_at is not None:
        over = item.expired(SystemClock().now())
        lines.append(f"{'expired' if over else 'expires'}: {when(item.expires_at)} UTC")
    lines += [text.strip() for text in open_warnings(item)]
    lines.append(
        f"version {item.version} by {who(item.head.author)} at {when(item.head.recorded_at)} UTC"
    )
    lines.append(f"id: {item.id}")
    return lines


def beside(content: Content) -> list[str]:
    """What a memory says beside its title and body, each on one line."""
    lines = [f"summary: {one_line(content.summary)}"] if content.summary else []
    if content.tags:
        lines.append(f"tags: {', '.join(map(one_line, content.tags))}")
    if content.prompted_by:
        lines.append(f"prompted by: {one_line(content.prompted_by)}")
    return lines


def validity(content: Content) -> str:
    """From when to when it is true of the world."""
    start, end = content.valid_from, content.valid_to
    since = "no known start" if start is None else time.to_iso(start)[:10]
    until = "no known end" if end is None else time.to_iso(end)[:10]
    return f"valid: {since} to {until}"


def brief(item: Item) -> list[str]:
    """An item as a reviewer sees it: the text first, long bodies cut with what is missing."""
    body = quoted(item.content.body)
    lines = [f"  {one_line(item.content.title)}", *body[:BODY_LINES]]
    if len(body) > BODY_LINES:
        more = counted(len(body) - BODY_LINES, "more line")
        lines.append(f"  | … {more}: onrecord show {short(item.id)}")
    return lines


def proposed(
    item: Item,
    evidence: Sequence[Evidence],
    replaces: Item | None,
    against: Sequence[Item] = (),
) -> list[str]:
    """A proposal as the person who decides should see it: by whom, on what, for what.

    With the memory whose place it takes, and those that it may contradict.
    """
    by = f"by {who(item.head.author)}, {when(item.created_at)} UTC"
    lines = [
        f"  {item.kind} for {one_line(item.scope)}, {by}",
        *brief(item),
        *(f"  {text}" for text in beside(item.content)),
        *warnings(item, review=True),
    ]
    lines += [f"  evidence: {told(row)}" for row in evidence]
    if replaces is not None:
        _, *body = brief(replaces)
        lines += [f"  replaces {line(replaces)}", *(f"  {text}" for text in body)]
    lines += [f"  may contradict {line(other)}" for other in against]
    return lines


def told(row: Evidence) -> str:
    """One thing that an item rests on."""
    if not row.pointer and not row.quote:
        return f"{row.kind} [erased]"
    by = f" by {one_line(row.author)}" if row.author else ""
    quote = f' "{one_line(row.quote)}"' if row.quote else ""
    return f"{row.kind} {one_line(row.pointer)}{by}{quote}{compared(*row.told)}"


def compared(result: str, at: int | None) -> str:
    """What a citation said when it was compared last; another stands for what was replaced."""
    if not result or at is None:
        return ""
    if result == REPLACED:
        return f" (counts no more since {when(at)} UTC)"
    return f" (compared {when(at)} UTC: {result})"


def rest(of: Rest) -> str:
    """One thing that a memory rests on, and what became of it."""
    by = f" ({one_line(of.author)})" if of.author else ""
    found = compared(of.check_result, of.checked_at)
    if of.state in ("stands", "unchecked"):
        return f"{of.kind} {one_line(of.pointer)}{by}{found}"
    became = f"moved to {one_line(of.now)}" if of.now else of.state
    return f"{of.kind} {one_line(of.pointer)}{by}, {became}{found}"


def quoted(text: str) -> list[str]:
    """A text in lines that cannot be taken for lines of ours."""
    return [f"  | {one}" for one in text.splitlines()]


def warnings(item: Item, *, review: bool = False) -> list[str]:
    """What speaks for caution about an item, and what waits to be decided about it."""
    lines = [_caution(flag, review=review) for flag in item.flags]
    if item.tainted:
        lines.append("  ! it holds text from outside your own words")
    return lines


def open_warnings(item: Item) -> list[str]:
    """The same without what a person has decided already, who was shown it then."""
    decided = item.verification == "verified" or item.status not in EXPIRING
    if not decided:
        return warnings(item)
    return [_caution(flag) for flag in item.flags if flag.startswith(ASKED)]


def _caution(flag: str, *, review: bool = False) -> str:
    return f"  ! {one_line(cautions.words(flag, review=review))}"


def event(of: Event) -> str:
    """A line of the audit log."""
    code = f" {of.code}" if of.code else ""
    times = f" x{of.count}" if of.count > 1 else ""
    target = of.target if ":" in of.target or "@" in of.target else short(of.target)
    done = one_line(f"{of.action}{code}{times}")
    return f"{of.seq:>6}  {when(of.at)}Z  {who(of.by)}  {done}  {one_line(target)}".rstrip()


def remarks(outcome: Outcome) -> list[str]:
    """What an answer's sentence leaves out: warnings of what was kept, limits that were missed."""
    from onrecord.domain.outcome import Conflict, Created, Proposed, Refused

    if isinstance(outcome, Refused):
        details = dict(outcome.details)
        field, limit = details.get("field", ""), details.get("limit", "")
        told = any(char.isdecimal() for char in outcome.say)
        return [f"  {field}: {limit}"] if limit and not told else []
    if outcome.item is None:
        return []
    # what is kept is told with its warnings, what was decided about it is not
    kept = isinstance(outcome, Created | Proposed | Conflict) or outcome.code == "updated"
    return warnings(outcome.item) if kept else open_warnings(outcome.item)


def preview(desk: Desk, name: str, items: Sequence[Item]) -> int:
    """What a dry run would have done; nothing was changed."""
    if desk.as_json:
        from onrecord import wire

        desk.data({name: [wire.item(item) for item in items]})
        return 0
    desk.say(f"{name.replace('_', ' ')} (nothing was changed):")
    for item in items:
        desk.say(f"  {line(item)}")
    return 0
