"""Citations: kept with a digest when a statement is written, compared when it is read.

Nothing is written by reading. An item whose citation no longer holds is shown as stale, with
what changed; when the file holds again what it held, so does the item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onrecord.capture import citation_digest
from onrecord.domain.item import Item
from onrecord.domain.ports import Transaction
from onrecord.domain.provenance import Evidence
from onrecord.domain.scope import Place
from onrecord.service.commands import Claim

#: Citations of one text that are kept.
MOST = 8
#: What a person has settled is not called stale by a file.
_HELD = ("holds", "moved")


def claims_of(text: str, place: Place, given: Sequence[Claim]) -> list[tuple[Claim, bytes]]:
    """The files that a text cites and that stand in the caller's working tree, with digests.

    Explicit claims of files get theirs as well; the others come back with none.
    """
    found: list[tuple[Claim, bytes]] = []
    root = place.root
    for claim in given:
        cited = citation_digest.parsed(claim.pointer) if claim.kind == "file" and root else None
        digest = citation_digest.digest_of(cited, root) if cited is not None else b""
        found.append((claim, digest))
    if not root:
        return found
    pointers = {claim.pointer for claim in given}
    for cited in citation_digest.cited_files(text, MOST):
        digest = citation_digest.digest_of(cited, root)
        pointer = citation_digest.pointer_of(cited, place.commit)
        if digest and pointer not in pointers:
            found.append((Claim(kind="file", pointer=pointer), digest))
    return found


def checked(tx: Transaction, item: Item, place: Place) -> tuple[Item, tuple[str, ...]]:
    """The item as its citations leave it, and what is different: `src/app.py:3 changed`.

    Only what was written in the repository where the caller stands can be compared.
    """
    if not place.root or not place.repo or item.head.where.repo != place.repo:
        return item, ()
    broken = [
        f"{row.pointer} {result}"
        for row in tx.provenance.evidence(item.id)
        if (result := _result(row, place.root)) not in ("", *_HELD)
    ]
    if not broken or item.status != "active":
        return item, ()
    belief = item.verification if item.verification == "disputed" else "stale"
    return replace(item, verification=belief), tuple(broken)


def _result(row: Evidence, root: str) -> str:
    if row.kind != "file" or not row.digest:
        return ""
    cited = citation_digest.parsed(row.pointer)
    return "" if cited is None else citation_digest.compare(cited, root, row.digest)
