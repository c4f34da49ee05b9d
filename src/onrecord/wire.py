"""The one JSON form of everything that leaves through a door; documented and golden.

Times are ISO 8601 in UTC. Ids are whole. Shapes only ever gain fields within one version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from onrecord.domain import time

if TYPE_CHECKING:
    from onrecord.capture.known_copies import KnownMirror
    from onrecord.domain.errors import OnrecordError
    from onrecord.domain.event import Event
    from onrecord.domain.item import Item, Version
    from onrecord.domain.outcome import Outcome
    from onrecord.domain.principal import Principal
    from onrecord.domain.provenance import Evidence, Link, Review
    from onrecord.domain.session import Delivery, Handoff, Session
    from onrecord.service.answers import Check, Recall, Status, Waiting
    from onrecord.service.exports import Export, Exported
    from onrecord.service.forgetting import Reach
    from onrecord.service.imports import Imported
    from onrecord.service.mirroring import Mirrored
    from onrecord.service.packs import Pack
    from onrecord.service.project_files import Enabled, Synced
    from onrecord.service.resting import Rest
    from onrecord.service.sources import SourceReach
    from onrecord.service.summary_reports import Owed, Sent, Summarised

#: Version of the shapes below.
VERSION = 1

#: A body longer than this is cut in a recall's hits; `truncated` says how much is missing.
BODY_SHOWN = 2_000

Json = dict[str, Any]


def moment(at: int | None) -> str | None:
    """An instant, or null."""
    return None if at is None else time.to_iso(at)


def author(by: Principal) -> Json:
    """Who wrote it, and through which channel."""
    return {
        "user": by.user or None,
        "agent": by.agent or None,
        "model": by.model or None,
        "session": by.session or None,
        "channel": by.channel,
    }


def evidence(row: Evidence) -> Json:
    """One thing that an item rests on."""
    result, at = row.told
    return {
        "kind": row.kind,
        "pointer": row.pointer,
        "quote": row.quote or None,
        "author": row.author or None,
        "at": moment(row.at),
        "checked_at": moment(at),
        "check_result": result or None,
    }


def rest(of: Rest) -> Json:
    """One thing that an item rests on, and whether it is still there."""
    return {
        "kind": of.kind,
        "pointer": of.pointer or None,
        "author": of.author or None,
        "state": of.state,
        "now": of.now or None,
        "checked_at": moment(of.checked_at),
        "check_result": of.check_result or None,
    }


def link(row: Link) -> Json:
    """One relation of an item."""
    return {"kind": row.kind, "target": row.target}


def item(
    of: Item, *, evidence_rows: list[Evidence] | None = None, links: list[Link] | None = None
) -> Json:
    """An item with its current version."""
    content = of.content
    return {
        "id": of.id,
        "scope": of.scope,
        "key": of.key or None,
        "kind": of.kind,
        "title": content.title,
        "body": content.body,
        "summary": content.summary or None,
        "tags": list(content.tags),
        "status": of.status,
        "verification": of.verification,
        "pinned": of.pinned,
        "flags": list(of.flags),
        "version": of.version,
        "valid_from": moment(content.valid_from),
        "valid_to": moment(content.valid_to),
        "recorded_at": moment(of.head.recorded_at),
        "created_at": moment(of.created_at),
        "expires_at": moment(of.expires_at),
        "replaces": of.replaces or None,
        "author": author(of.head.author),
        "evidence": [evidence(row) for row in evidence_rows or []],
        "links": [link(row) for row in links or []],
        "use": {"delivered": of.delivered, "opened": of.opened, "helpful": of.helpful},
    }


def version(of: Version) -> Json:
    """One version of an item's history."""
    content = of.content
    return {
        "version": of.n,
        "title": content.title,
        "body": content.body,
        "summary": content.summary or None,
        "tags": list(content.tags),
        "valid_from": moment(content.valid_from),
        "valid_to": moment(content.valid_to),
        "recorded_at": moment(of.recorded_at),
        "superseded_at": moment(of.superseded_at),
        "erased_at": moment(of.erased_at),
        "author": author(of.author),
        "reason": of.reason or None,
    }


def export_header(of: Export) -> Json:
    """The first line of an export; `version` is that of the file's form."""
    return {
        "onrecord": "export",
        "version": VERSION,
        "exported_at": moment(of.at),
        "scopes": list(of.scopes) if of.scopes is not None else None,
        "statuses": list(of.statuses),
        "as_of": moment(of.as_of),
        "valid_at": moment(of.valid_at),
        "erased": of.erased,
        "items": of.total,
    }


def exported(of: Exported) -> Json:
    """One item of an export: its shape, and with it all that moves."""
    content = of.item.content
    shape = item(of.item, evidence_rows=list(of.evidence), links=list(of.links))
    return shape | {
        "prompted_by": content.prompted_by or None,
        "tainted": of.item.tainted,
        "versions": [
            version(one) | {"prompted_by": one.content.prompted_by or None} for one in of.versions
        ],
    }


def imported(of: Imported, *, dry_run: bool, form: str = "jsonl") -> Json:
    """What became of a file's items, or would have."""
    tally = of.tally
    return {
        "format": form,
        "dry_run": dry_run,
        "batch": None if dry_run else of.batch,
        "event": of.event or None,
        "items": of.total,
        "outcomes": dict(sorted(tally.outcomes.items())),
        "left_out": dict(sorted(tally.left_out.items())),
        "codes": dict(sorted(tally.codes.items())),
        "refused": [
            {"line": one.line, "where": one.where or None, "id": one.id or None, "code": one.code}
            for one in tally.refused
        ],
        "skipped": [
            {"line": one.line or None, "where": one.where, "why": one.why} for one in tally.skipped
        ],
    }


def mirrored(of: Mirrored, *, dry_run: bool) -> Json:
    """What became of the files of a mirror, or would have."""
    return {
        "dry_run": dry_run,
        "path": of.path,
        "items": of.total,
        "written": of.written,
        "unchanged": of.unchanged,
        "erased": of.erased,
        "edited": list(of.edited),
        "edited_erased": list(of.edited_erased),
        "damaged": list(of.damaged),
    }


def known_mirror(of: KnownMirror) -> Json:
    """A mirror in the list of a store."""
    return {"path": of.path, "stands": of.stands, "owed": of.owed}


def files_synced(of: Synced, *, dry_run: bool) -> Json:
    """What became of a repository's own files, or would have."""
    return {
        "scope": of.scope,
        "root": of.root,
        "dry_run": dry_run,
        "outcomes": dict(sorted(of.outcomes.items())),
        "files": [
            {
                "path": file.path,
                "state": file.state,
                "sections": file.sections,
                "outcomes": dict(sorted(file.outcomes.items())),
                "refused": [{"line": line or None, "code": code} for line, code in file.refused],
                "left_out": file.left_out,
            }
            for file in of.files
        ],
    }


def summarised(of: Summarised, *, dry_run: bool, show: bool) -> Json:
    """What a run of the summariser did; prompts only where they are asked for."""
    return {
        "session": of.session.id,
        "dry_run": dry_run,
        "batch": of.batch or None,
        "stopped": of.stopped or None,
        "more": of.more,
        "damaged": of.damaged,
        "parts": [
            {
                "messages": one.messages,
                "tokens": one.tokens,
                "state": one.state,
                "outcomes": dict(sorted(one.outcomes.items())),
                "bad": one.bad,
                "prompts": one.prompts if show else None,
            }
            for one in of.parts
        ],
    }


def summary_sent(of: Sent, *, show: bool) -> Json:
    """One time that something was handed to the summariser; its text where that is asked for."""
    return {
        "at": time.to_iso(of.at),
        "session": of.session,
        "messages": of.messages,
        "tokens": of.tokens,
        "unchanged": bool(of.text),
        "prompt": (of.text or None) if show else None,
    }


def summary_owed(of: Owed) -> Json:
    """A session that is to be summarised without being asked."""
    return {
        "session": of.session.id,
        "state": of.state,
        "tries": of.tries,
        "why": of.why or None,
    }


def files_enabled(of: Enabled) -> Json:
    """A repository whose own files are read."""
    return {
        "scope": of.scope,
        "root": of.root or None,
        "files": [{"path": path, "sections": n} for path, n in sorted(of.files.items())],
    }


def outcome(of: Outcome) -> Json:
    """The answer to every change."""
    # loaded where an outcome is; readers do without
    from onrecord.domain.outcome import Refused, name_of  # noqa: PLC0415

    details = dict(of.details) if isinstance(of, Refused) else {}
    return {
        "outcome": name_of(of),
        "code": of.code,
        "say": of.say,
        "item": item(of.item) if of.item is not None else None,
        "undo": of.undo,
        "candidates": [{"id": c.id, "why": c.why, "version": c.version} for c in of.candidates],
        "details": details or None,
    }


#: What items rest on and how they are related, by the item's id.
Behind = Mapping[str, tuple[list["Evidence"], list["Link"]]]


def listed(of: Item, behind: Behind) -> Json:
    """An item of a list, with what stands behind it."""
    rows, links = behind.get(of.id, ([], []))
    return item(of, evidence_rows=rows, links=links)


def recall(of: Recall, behind: Behind | None = None) -> Json:
    """A recall's answer, best first."""
    hits: list[Json] = []
    for hit in of.hits:
        shape = listed(hit.item, behind or {})
        total = len(shape["body"])
        cut = total > BODY_SHOWN
        if cut:
            shape["body"] = shape["body"][:BODY_SHOWN]
        hits.append(
            {
                "item": shape,
                "score": round(hit.score, 4),
                "reasons": list(hit.reasons),
                "truncated": {"shown": BODY_SHOWN, "total": total} if cut else None,
            }
        )
    return {
        "mode": of.mode,
        "by_words_because": of.by_words_because or None,
        "scopes": list(of.scopes),
        "abstained": of.abstained,
        "unknown_scopes": [
            {"given": given, "nearest": list(near)} for given, near in of.unknown_scopes
        ],
        "forgotten_in": list(of.forgotten_in),
        "corrected": [{"given": given, "taken": taken} for given, taken in of.corrected],
        "erased": of.erased,
        "hits": hits,
        "next_cursor": None,
    }


def pack(of: Pack, delivery: str) -> Json:
    """A pack and the record of its delivery."""
    return {
        "text": of.text,
        "tokens": of.tokens,
        "budget": of.budget,
        "shown": [row[0] for row in of.shown],
        "withheld": [{"id": i, "why": why} for i, why in of.withheld],
        "handoff": of.handoff or None,
        "delivery": delivery or None,
    }


def delivery(of: Delivery) -> Json:
    """What one pack put into one session, and why."""
    return {
        "id": of.id,
        "session": of.session or None,
        "channel": of.channel,
        "occasion": of.occasion,
        "at": moment(of.at),
        "budget": of.budget,
        "tokens": of.tokens,
        "query": of.query or None,
        "items": [
            {
                "id": row.item,
                "version": row.version,
                "rank": row.rank,
                "score": round(row.score, 4),
                "parts": {name: round(value, 4) for name, value in row.parts.items()},
                "tokens": row.tokens,
                "shown": row.shown,
                "why": row.why or None,
            }
            for row in of.items
        ],
    }


def session(of: Session) -> Json:
    """One agent run."""
    return {
        "id": of.id,
        "agent": of.agent,
        "agent_session": of.agent_session or None,
        "parent": of.parent or None,
        "model": of.model or None,
        "repo": of.repo or None,
        "branch": of.branch or None,
        "cwd": of.cwd,
        "started_at": moment(of.started_at),
        "ended_at": moment(of.ended_at),
        "last_event_at": moment(of.last_event_at),
        "start_reason": of.start_reason or None,
        "end_reason": of.end_reason or None,
        "prompts": of.prompts,
        "first_prompt": of.first_prompt or None,
        "last_prompt": of.last_prompt or None,
        "commits": list(of.commits),
        "diff_stat": of.diff_stat or None,
        "headless": of.headless,
        "synthetic": of.synthetic,
        "busy": of.busy,
        "deliver": of.deliver,
    }


def handoff(of: Handoff, carrier: Item) -> Json:
    """What the next agent needs, and who has it."""
    return {
        "id": of.item,
        "title": carrier.content.title,
        "from_session": of.session or None,
        "to_agent": of.to_agent or None,
        "done": of.done,
        "state": of.state,
        "next": of.next,
        "questions": of.questions,
        "repo": of.repo or None,
        "branch": of.branch or None,
        "head": of.head or None,
        "dirty": dict(of.dirty),
        "status": of.status,
        "automatic": of.automatic,
        "created_at": moment(of.created_at),
        "claimed_by": of.claimed_by or None,
        "lease_until": moment(of.lease_until),
        "acknowledged_at": moment(of.acknowledged_at),
    }


def event(of: Event) -> Json:
    """One line of the audit log."""
    return {
        "seq": of.seq,
        "at": moment(of.at),
        "by": author(of.by) | {"confirmed": of.by.confirmed},
        "action": of.action,
        "target": of.target or None,
        "fields": list(of.fields),
        "before": of.before,
        "after": of.after,
        "code": of.code or None,
        "count": of.count,
        "undoes": of.undoes or None,
        "hash": of.hash.hex(),
    }


def review(of: Review) -> Json:
    """A person's decision about a proposal."""
    return {
        "decision": of.decision,
        "reason": of.reason or None,
        "note": of.note or None,
        "by": author(of.by),
        "agent_variables": bool(of.by.proof.get("variables")),
        "at": moment(of.at),
    }


def reach(of: Reach) -> Json:
    """What forgetting an item would take with it."""
    return {
        "item": item(of.item),
        "goes": [item(also) for also in of.goes],
        "held": [item(also) for also in of.held],
        "sessions": list(of.sessions),
        "handoffs": list(of.handoffs),
        "quotes": len(of.quotes),
    }


def source_reach(of: SourceReach) -> Json:
    """What deleting a source would take with it."""
    return {
        "source": of.source.kind,
        "goes": [item(also) for also in of.goes],
        "held": [item(also) for also in of.held],
        "kept": [item(also) for also in of.kept],
        "quotes": len(of.evidence),
        "sessions": list(of.sessions),
        "handoffs": list(of.handoffs),
    }


def settings(rows: Sequence[tuple[str, str, str]]) -> list[Json]:
    """Switches and policies with where they count."""
    return [{"name": name, "scope": scope, "value": value} for name, scope, value in rows]


def waiting(of: Waiting) -> Json:
    """One entry of the review queue."""
    return {
        "item": item(of.item, evidence_rows=list(of.evidence)),
        "replaces": item(of.replaces) if of.replaces is not None else None,
        "sightings": of.sightings,
        "asked": of.asked or None,
    }


def status(of: Status, *, path: str, spooled: int) -> Json:
    """How things stand."""
    return {
        "saving": of.saving,
        "items": of.items,
        "waiting": of.waiting,
        "settings": settings(of.settings),
        "spooled": spooled,
        "path": path,
    }


def check(of: Check) -> Json:
    """What a check of the store found."""
    return {
        "sound": of.sound,
        "faults": list(of.faults),
        "events": of.events,
        "head": of.head,
        "broken_at": of.broken_at,
        "damaged": list(of.damaged),
        "audited": of.audited,
        "findings": [
            {
                "code": one.code,
                "target": one.target or None,
                "event": one.event or None,
                "version": one.version or None,
                "say": one.say,
            }
            for one in of.findings
        ],
    }


def error(of: OnrecordError) -> Json:
    """An error: code, what happened, what to do."""
    return {
        "code": of.code,
        "message": of.message,
        "hint": of.hint or None,
        "details": of.details or None,
    }
