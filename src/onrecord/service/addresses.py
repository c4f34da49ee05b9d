"""Looking up keys: what stands there, what was forgotten there, and what never was."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.domain.errors import NotFound
from onrecord.domain.item import MAX_KEY, Item
from onrecord.domain.ports import Transaction
from onrecord.policy import fingerprint
from onrecord.service.caller import Caller
from onrecord.service.work import Secrets

#: The message of what was there and is no more.
FORGOTTEN = "What stood there was forgotten: its text is erased, on purpose."


def item_at(
    tx: Transaction, key: str, scopes: Sequence[str], caller: Caller, secrets: Secrets | None
) -> Item:
    """The active item under a key in the first of the scopes that has one.

    Raises `NotFound`; its details tell whether the key was forgotten or never written.
    """
    for scope in scopes:
        for found in tx.items.by_key(scope, key, ("active",)):
            if caller.sees(found):
                return found
    gone = forgotten_in(tx, key, scopes, secrets)
    if gone:
        raise NotFound(FORGOTTEN, details={"forgotten": True, "scopes": gone})
    raise NotFound("Nothing was ever written under that key here.", details={"forgotten": False})


def forgotten_in(
    tx: Transaction, key: str, scopes: Sequence[str], secrets: Secrets | None
) -> list[str]:
    """The scopes where the key was once used, its item was erased, and nothing came since."""
    key = key.strip()
    if secrets is None or not key or len(key) > MAX_KEY:
        return []
    renamed = tx.scopes.renamed()
    return [
        scope
        for scope in scopes
        if any(
            tx.tombstones.erased_key(fingerprint.key_print(print_key, name, key))
            for print_key in secrets.keys
            for name in (scope, *(old for old, new in renamed.items() if new == scope))
        )
        and not tx.items.by_key(scope, key, ("active",))
    ]
