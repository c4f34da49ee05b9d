"""The only place that names concrete classes; everything is loaded where it is first needed."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import tzinfo

    from onrecord.service.intake import Intake
    from onrecord.service.memory import Memory


def open_memory(path: str, *, create: bool = True) -> Memory:
    """The store at a path, ready for every verb; migrated with a backup first if it is older.

    Raises `StoreMissing` where there is none and `create` is off, and the other store errors.
    """
    from onrecord.service.clocks import RandomIds, SystemClock
    from onrecord.service.memory import Memory
    from onrecord.service.work import Secrets
    from onrecord.storage import keyring
    from onrecord.storage.sqlite_engine import open_sqlite

    store = open_sqlite(path, create=create)

    def secrets() -> Secrets:
        keys = keyring.load(keyring.path_of(path))
        return Secrets(key_id=keys.key_id, key=keys.key)

    return Memory(store, clock=SystemClock(), ids=RandomIds(), secrets=secrets, zone=local_zone())


def open_intake(path: str, memory: Memory) -> Intake:
    """What takes in the hooks' spooled records beside a store."""
    return memory.intake(spool_folder(path))


def spool_folder(path: str) -> str:
    """The folder of spooled records that belongs to a store."""
    return path + ".spool"


def local_zone() -> tzinfo | None:
    """The user's own time zone, for what "yesterday" means; None where it is not known."""
    import datetime as dt

    return dt.datetime.now().astimezone().tzinfo


def run_hook() -> None:
    """The hook door; never returns."""
    from onrecord.doors.hook.main import main

    main()


def run_mcp(*, client: str, store: str = "", name: str = "") -> int:
    """The MCP door on stdio, until its client closes it."""
    from onrecord.doors.mcp.stdio import serve

    return serve(client=client, store=store, name=name)
