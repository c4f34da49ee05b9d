"""A diary of a simulated week: one page a day, as a person would read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.service.claims import is_free
from simulation.week import AGENTS, ALL, FEATURE, MAIN, SESSIONS, titles

if TYPE_CHECKING:
    from onrecord.domain.session import Handoff
    from simulation.week import Week

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def page(week: Week, day: int) -> str:
    """Everything of a day's end."""
    parts = [f"{_DAYS[day]}: {SESSIONS[day]} sessions", _lives(week), _evening(week)]
    parts += [_queue(week), _standing(week), _handoffs(week)]
    parts += [_pack(week, agent, branch) for agent in AGENTS for branch in (MAIN, FEATURE)]
    return "\n\n".join(parts) + "\n"


def _lives(week: Week) -> str:
    lines = ["# What the sessions did"]
    for life in week.today:
        row = week.hooks.session(life.name, life.agent)
        alone = ", nobody there" if life.headless else ""
        ended = row.end_reason or "still open"
        branch = life.branch.rpartition("/")[2]
        lines.append(f"{life.name} {life.agent} on {branch} ({life.source}{alone}); row: {ended}")
        lines += [f"    {said}" for said in life.said]
    return "\n".join(lines)


def _evening(week: Week) -> str:
    return "\n".join(["# What Ada did in the evening", *(f"    {one}" for one in week.evening)])


def _queue(week: Week) -> str:
    lines = ["# What waits"]
    for entry in week.desk.memory.queue(week.desk.ada_typed):
        item = entry.item
        flags = f" {' '.join(item.flags)}" if item.flags else ""
        lines.append(f"    m:{item.id[-6:]} {item.kind}: {item.content.title}{flags}")
        if entry.replaces:
            lines.append(f"      in place of: {entry.replaces.content.title}")
        if entry.sightings > 1:
            lines.append(f"      said by {entry.sightings} sessions")
    pairs = [f"    m:{p.new.id[-6:]} speaks against m:{p.old.id[-6:]}" for p in week.opposed()]
    lines += ["# What speaks against something else", *pairs]
    return "\n".join(lines)


def _standing(week: Week) -> str:
    lines = ["# What stands"]
    rows = [
        f"    {item.kind} ({item.verification}) m:{item.id[-6:]} {item.content.title}"
        for item in week.desk.memory.page(ALL, week.desk.ada_typed)
        if item.status == "active" and item.kind != "handoff"
    ]
    return "\n".join([*lines, *sorted(rows)])


def _handoffs(week: Week) -> str:
    lines = ["# Handoffs that are open or claimed"]
    now = week.desk.clock.now()
    for row in week.hooks.handoffs("open", "claimed"):
        title = week.desk.stored(row.item).content.title
        kind = "automatic" if row.automatic else "explicit"
        lines.append(f"    m:{row.item[-6:]} {kind} {row.branch.rpartition('/')[2]}: {title}")
        lines.append(f"      {_stands(week, row, now)}")
    return "\n".join(lines)


def _stands(week: Week, row: Handoff, now: int) -> str:
    to = row.to_agent or "anyone"
    if is_free(row, now):
        return f"free for {to}" + (" (its lease ran out)" if row.status == "claimed" else "")
    with week.desk.store.read() as tx:
        by = tx.sessions.get(row.claimed_by)
    return f"taken by {by.agent_session if by else '?'}"


def _pack(week: Week, agent: str, branch: str) -> str:
    made = week.next_pack(agent, branch)
    lines = [f"# What the next {agent} on {branch.rpartition('@')[2]} is given ({made.tokens})"]
    lines += [f"    | {line}".rstrip() for line in made.text.splitlines()]
    lines.append(f"    shown: {titles(made)}; to take over: {made.handoff[-6:] or 'nothing'}")
    lines += [f"    withheld m:{item[-6:]}: {why}" for item, why in made.withheld]
    return "\n".join(lines)
