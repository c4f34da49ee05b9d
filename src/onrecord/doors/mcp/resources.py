"""What a client may let its user attach to a conversation: fenced text by address (light)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.service.caller import Caller
    from onrecord.service.memory import Memory

CONTEXT = "onrecord://context"
RULES = "onrecord://rules"
ITEM = "onrecord://item/"

_TYPE = "text/plain"
#: Rules that one answer holds.
_MOST = 100

RESOURCES: list[dict[str, object]] = [
    {
        "uri": CONTEXT,
        "name": "context",
        "title": "What is on record here",
        "description": "What a session that starts in this place is given.",
        "mimeType": _TYPE,
    },
    {
        "uri": RULES,
        "name": "rules",
        "title": "The user's rules",
        "description": "What the user tells every agent here, before any memory.",
        "mimeType": _TYPE,
    },
]

TEMPLATES: list[dict[str, object]] = [
    {
        "uriTemplate": ITEM + "{id}",
        "name": "item",
        "title": "One memory",
        "description": "A memory by its id, or the start or end of one, with its first page.",
        "mimeType": _TYPE,
    },
]


def contents(uri: str, memory: Memory, caller: Caller) -> list[dict[str, object]] | None:
    """What stands at an address, as the caller may see it; None for an address of no kind here.

    Raises `NotFound` for an item that is not there or not the caller's to see.
    """
    if uri == CONTEXT:
        text = _context(memory, caller)
    elif uri == RULES:
        text = _rules(memory, caller)
    elif uri.startswith(ITEM) and len(uri) > len(ITEM):
        text = _item(uri[len(ITEM) :], memory, caller)
    else:
        return None
    return [{"uri": uri, "mimeType": _TYPE, "text": text}]


def _context(memory: Memory, caller: Caller) -> str:
    from onrecord.service import rendering
    from onrecord.service.packs import nothing

    made, _ = memory.pack(caller, channel="mcp", nonce=rendering.nonce())
    return made.text or nothing(made)


def _rules(memory: Memory, caller: Caller) -> str:
    from onrecord.domain.item import ItemQuery
    from onrecord.service import rendering
    from onrecord.service.clocks import SystemClock

    query = ItemQuery(
        scopes=tuple(caller.place.ladder()), statuses=("active",), kinds=("rule",), limit=_MOST
    )
    found = memory.page(query, caller)
    if not found:
        return "The user has set no rules for this place."
    return rendering.as_data(found, now=SystemClock().now())


def _item(part: str, memory: Memory, caller: Caller) -> str:
    from onrecord.service import rendering
    from onrecord.service.clocks import SystemClock

    return rendering.as_page(memory.get(part, caller), now=SystemClock().now(), start=0)
