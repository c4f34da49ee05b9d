"""The only place that names concrete classes; everything is loaded where it is first needed."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from onrecord.service.intake import Intake
    from onrecord.service.memory import Memory


def open_memory(path: str, *, create: bool = True) -> Memory:
    """The store at a path, ready for every verb; migrated with a backup first if it is older.

    Raises `StoreMissing` where there is none and `create` is off, and the other store errors.
    """
    from onrecord.service.clocks import RandomIds, SystemClock
    from onrecord.service.memory import Memory
    from onrecord.service.work import Secrets
    from onrecord.storage.keyring import open_keyring
    from onrecord.storage.store import open_sqlite

    store = open_sqlite(path, create=create)
    keyring = open_keyring(path)
    return Memory(
        store,
        clock=SystemClock(),
        ids=RandomIds(),
        secrets=Secrets(key_id=keyring.key_id, key=keyring.key),
        zone=local_zone(),
    )


def open_intake(path: str, memory: Memory) -> Intake:
    """What takes in the hooks' spooled records beside a store."""
    from onrecord.service.intake import Intake

    return Intake(memory, spool_folder(path))


def spool_folder(path: str) -> str:
    """The folder of spooled records that belongs to a store."""
    return path + ".spool"


def local_zone(environ: Mapping[str, str] | None = None) -> object:
    """The user's own time zone, for what "yesterday" means; None where it is not known."""
    import datetime

    del environ
    return datetime.datetime.now().astimezone().tzinfo
