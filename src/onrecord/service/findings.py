"""What an audit can find, by stable codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: Code of a finding -> what it says; `docs/reference/errors.md` lists them.
CODES: Mapping[str, str] = {
    "audit.chain": "a line of the log was changed, taken out or put in",
    "audit.head": "the log does not hold the head that was exported: it was cut or rewritten",
    "audit.head_restored": "the head is not in this log, which a restored copy took the place of",
    "audit.line": "a line of the log cannot be understood",
    "item.missing": "the log made it, and it is not there",
    "item.unlogged": "it is there, and no line of the log made it",
    "item.scope": "its scope is not the one of the log",
    "item.kind": "its kind is not the one of the log",
    "item.status": "its status is not the one of the log",
    "item.belief": "its belief is not the one of the log",
    "item.pin": "its pin is not the one of the log",
    "item.taint": "its mark of outside text is not the one of the log",
    "item.expiry": "its expiry is not the one of the log",
    "item.flags": "its flags are not those of the log",
    "item.version": "its current version is not the one of the log",
    "item.stood": "how it stands differs from what as-of answers read of it",
    "item.time": "it was first put on record at another time than the log says",
    "item.unfound": "recall reads another text or place of it: `onrecord rebuild` mends that",
    "item.salt": "its salt is gone, and it was never erased",
    "version.missing": "a version is not there",
    "version.content": "what a version says is not what was put on record",
    "version.author": "a version names another author than the log",
    "version.time": "a version was recorded at another time than the log says",
    "version.end": "a version ended at another time than the next one began",
    "version.kept": "a version of an erased memory still says something",
    "tombstone.missing": "the fingerprints of a value that was turned down are gone",
    "tombstone.changed": "what keeps a value that was turned down from coming back differs",
    "tombstone.lifted": "a value that was turned down was let in by no line of the log",
    "evidence.missing": "something that it rests on is not as it was put on record, or gone",
    "evidence.unlogged": "it rests on something that no line of the log put there",
    "evidence.replaced": "what it rests on counts, or counts no more, against what the log says",
    "sighting.missing": "a session that said it is not as it was put on record, or gone",
    "sighting.unlogged": "a session counts for it that no line of the log put there",
    "link.missing": "a relation that was put on record is gone",
    "link.unlogged": "it has a relation that no line of the log made",
    "review.missing": "a person's decision is not as it was put on record, or gone",
    "review.unlogged": "it has a decision that no line of the log tells of",
    "feedback.missing": "an opinion about it is not as it was put on record, or gone",
    "feedback.unlogged": "it has an opinion that no line of the log tells of",
    "handoff.missing": "what a handoff says is not as it was put on record, or gone",
    "handoff.unlogged": "a handoff says something that no line of the log put there",
    "item.kept": "what stands beside an erased memory still says something",
    "setting.value": "a switch or policy is not as the log left it",
    "scope.name": "a name of a scope leads elsewhere than the log says",
    "schema.missing": "a table, index or trigger is not there",
    "schema.changed": "a table, index or trigger is not as this version makes it",
    "schema.extra": "a table, index or trigger is not one of onrecord's",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that is not as the log says."""

    #: one of CODES
    code: str
    #: id of the item, name of the setting or of the part of the schema
    target: str
    #: seq of the last line about it; 0 where there is none
    event: int = 0
    #: the version that is meant; 0 where none is
    version: int = 0

    @property
    def say(self) -> str:
        """What that is, in words."""
        return CODES[self.code]
