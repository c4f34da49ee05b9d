"""onrecord: one governed memory that all agents share.

`Memory` and `Principal` are loaded when they are first used, so that importing the package
costs nothing to those who need only a part of it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.domain.item import Item
    from onrecord.doors.python.memory import Memory, to_json
    from onrecord.doors.python.principal import Principal
    from onrecord.service.commands import Claim

__version__ = "0.1.0"
__all__ = ["Claim", "Item", "Memory", "Principal", "__version__", "to_json"]

_WHERE = {
    "Claim": "onrecord.service.commands",
    "Item": "onrecord.domain.item",
    "Memory": "onrecord.doors.python.memory",
    "Principal": "onrecord.doors.python.principal",
    "to_json": "onrecord.doors.python.memory",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'onrecord' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_WHERE[name]), name)
