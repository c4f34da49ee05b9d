"""Nothing is handed out that does not fit its digest."""

from __future__ import annotations

import hmac

from onrecord.domain.errors import StoreCorrupt
from onrecord.domain.item import Item
from onrecord.service.work import Secrets, digest_of


def is_whole(secrets: Secrets | None, item: Item) -> bool:
    """Whether the item's current content fits its keyed digest.

    An erased one has none, and without the key nothing can be said against it.
    """
    if secrets is None or item.head.erased_at is not None:
        return True
    return any(
        hmac.compare_digest(item.head.digest, digest_of(key, item.content)) for key in secrets.keys
    )


def verified(secrets: Secrets | None, item: Item) -> Item:
    """The item, or `StoreCorrupt` where its content was changed behind the store's back."""
    if is_whole(secrets, item):
        return item
    raise StoreCorrupt(
        "An item's content does not fit its digest, so it is not shown.",
        hint="`onrecord check` lists what is damaged.",
        details={"id": item.id},
    )
