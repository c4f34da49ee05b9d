"""Citations: kept with a digest when a statement is written, compared when it is read.

Reading decides by comparing alone, and needs to write nothing. An item whose citation no longer
holds is shown as stale, with what changed; when the file holds again what it held, so does the
item. What only moved holds.

Comparing reads files and may run git, so it stands outside of any transaction: the evidence is
read in one, and compared after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onrecord.capture import citation_digest, citations
from onrecord.capture.citation_comments import comments
from onrecord.capture.citation_verdict import Budget, Verdict, belief_after, in_force
from onrecord.capture.citations import Citation
from onrecord.domain.item import MAX_QUOTE, Item
from onrecord.domain.ports import Transaction
from onrecord.domain.provenance import Evidence
from onrecord.domain.scope import Place
from onrecord.service.commands import Claim

#: A citation and what became of it.
Compared = tuple[Evidence, Verdict]

#: Citations of one text that are kept.
MOST = 8
#: What one reading compares at most, and seconds after which it asks git no more.
COMPARED = 256
GIT_S = 1.0


def claims_of(text: str, place: Place, given: Sequence[Claim]) -> list[tuple[Claim, bytes]]:
    """What is given beside a text, in its order, then what it cites by itself; digests of files.

    Files count where they stand in the caller's working tree, and those given get the commit
    that is checked out. Addresses, commits and comments on a pull request are kept as they
    stand; whoever mentions one did not say to rest on it, so that taints nothing.
    """
    found: list[tuple[Claim, bytes]] = []
    root = place.root
    for claim in given:
        cited = citation_digest.parsed(claim.pointer) if claim.kind == "file" and root else None
        digest = citation_digest.digest_of(cited, root) if cited is not None else b""
        if cited is not None and digest and "@" not in claim.pointer:
            pointer = citation_digest.pointer_of(cited, place.commit)
            found.append((replace(claim, pointer=pointer), digest))
        else:
            found.append((claim, digest))
    pointers = {claim.pointer for claim, _ in found}
    cites = citations.find(text)
    for cited in citation_digest.files_of(cites, MOST) if root else ():
        digest = citation_digest.digest_of(cited, root)
        pointer = citation_digest.pointer_of(cited, place.commit)
        if digest and pointer not in pointers:
            found.append((Claim(kind="file", pointer=pointer), digest))
    found += [(claim, b"") for claim in _mentioned(text, cites) if claim.pointer not in pointers]
    return found


def _mentioned(text: str, cites: Sequence[Citation]) -> list[Claim]:
    """Addresses, commits and comments that a text names, each once."""
    named = [one for one in cites if one.kind in ("url", "commit")]
    claims = [Claim(kind=one.kind, pointer=one.target) for one in named]
    claims += [
        Claim(kind="pr_comment", pointer=one.request, author=one.author) for one in comments(text)
    ]
    fit = (claim for claim in dict.fromkeys(claims) if len(claim.pointer) <= MAX_QUOTE)
    return list(fit)[:MOST]


def is_mentioned(row: Evidence, text: str) -> bool:
    """Whether evidence is no more than what the text of its version names by itself."""
    named = row.kind in ("url", "commit", "pr_comment") and row.pointer in text
    return named and not row.given and not row.quote


def is_here(item: Item, place: Place) -> bool:
    """Whether an item was written in the repository where the caller stands."""
    return bool(place.root and place.repo) and item.head.where.repo == place.repo


def evidence_here(tx: Transaction, item: Item, place: Place) -> list[Evidence]:
    """What an item cites and can be compared where the caller stands: files of its repository."""
    if not is_here(item, place) or item.status != "active":
        return []
    rows = tx.provenance.evidence(item.id)
    return [row for row in rows if row.kind == "file" and row.stands]


def budget() -> Budget:
    """What one reading may take in all for comparing."""
    return Budget(seconds=GIT_S, most=COMPARED)


def checked(
    item: Item, evidence: Sequence[Evidence], place: Place, within: Budget
) -> tuple[Item, tuple[str, ...]]:
    """The item as its citations leave it, and what is different: `src/app.py:3 is gone`.

    Where something moved, that is said too, and the item holds.
    """
    return as_compared(item, compared(item, evidence, place, within))


def as_compared(item: Item, found: Sequence[Compared]) -> tuple[Item, tuple[str, ...]]:
    """The same for what was compared already."""
    told = {row.pointer: verdict for row, verdict in found}
    notes = tuple(f"{pointer} {verdict.note}" for pointer, verdict in told.items() if verdict.note)
    return replace(item, verification=belief_after(item.verification, list(told.items()))), notes


def compared(
    item: Item, evidence: Sequence[Evidence], place: Place, within: Budget
) -> list[Compared]:
    """Each citation that speaks for the item as it is worded now, with what became of it.

    It may run git: outside of any transaction.
    """
    if not evidence:
        return []
    rows = [(row.pointer, row.version, row.digest) for row in evidence]
    text = f"{item.content.title}\n{item.content.body}"
    found: list[Compared] = []
    for pointer, kept in dict.fromkeys(in_force(rows, item.version, text)):
        verdict = within.judge(pointer, kept, place.root)
        found += [
            (row, verdict) for row in evidence if (row.pointer, row.digest) == (pointer, kept)
        ]
    return found


def note(tx: Transaction, found: Sequence[Compared], now: int) -> None:
    """Keep what comparing said, and when, where something is written anyway.

    Not of what was replaced or erased since it was read. It is for people to see. Whoever
    reads the item next compares anew.
    """
    for row, verdict in found:
        if verdict.state != "unchecked":
            tx.provenance.note_check(row.id, at=now, result=verdict.state)


def verdict_of(row: Evidence, root: str, within: Budget) -> Verdict:
    """What became of one piece of evidence; what is no file is not looked up."""
    if row.kind != "file":
        return Verdict("unchecked")
    return within.judge(row.pointer, row.digest, root)
