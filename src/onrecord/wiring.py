"""The only place that names concrete classes; everything is loaded where it is first needed.

Light. Names of storage, doors and heavy rooms stand here as text, so that whoever imports
this module pays for what it uses and for nothing else.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo
    from typing import Any

    from onrecord.capture.known_copies import KnownCopies
    from onrecord.capture.mirror_folder import MirrorFolder
    from onrecord.capture.written_copies import WrittenCopies
    from onrecord.domain.ports import Clock
    from onrecord.service.copies import Copies
    from onrecord.service.intake import Intake
    from onrecord.service.keys import Keys
    from onrecord.service.meaning import Meaning
    from onrecord.service.memory import Memory
    from onrecord.service.project_files import ProjectFiles
    from onrecord.service.reindexing import Reindexing
    from onrecord.service.summaries import Summaries
    from onrecord.service.transfer import Transfer
    from onrecord.service.upkeep import Upkeep
    from onrecord.storage.shelf import OpenShelf

#: what -> (module, name)
_PARTS = {
    "clock": ("onrecord.service.clocks", "SystemClock"),
    "ids": ("onrecord.service.clocks", "RandomIds"),
    "memory": ("onrecord.service.memory", "Memory"),
    "secrets": ("onrecord.service.work", "Secrets"),
    "store": ("onrecord.storage.sqlite_engine", "open_sqlite"),
    "nothing": ("onrecord.storage.inmemory", "InMemoryStore"),
    "stock": ("onrecord.storage.ballast", "stock"),
    "keys": ("onrecord.storage.keyring", "load"),
    "fresh_key": ("onrecord.storage.keyring", "fresh"),
    "own_keys": ("onrecord.service.keys", "Keys"),
    "keys_path": ("onrecord.storage.keyring", "path_of"),
    "ledger": ("onrecord.storage.ledger", "FileLedger"),
    "reaching": ("onrecord.service.reaching", "ReachingLedger"),
    "written_copies": ("onrecord.capture.written_copies", "WrittenCopies"),
    "known_copies": ("onrecord.capture.known_copies", "KnownCopies"),
    "seals": ("onrecord.service.transfer", "seals_of"),
    "backups_path": ("onrecord.storage.backups", "folder_of"),
    "ledger_path": ("onrecord.storage.ledger", "path_of"),
    "copies": ("onrecord.service.copies", "Copies"),
    "relative": ("onrecord.service.copies", "Relative"),
    "key_names": ("onrecord.storage.keyring", "names_of"),
    "mirror_folder": ("onrecord.capture.mirror_folder", "MirrorFolder"),
    "transfer": ("onrecord.service.transfer", "Transfer"),
    "upkeep": ("onrecord.service.upkeep", "Upkeep"),
    "project_files": ("onrecord.service.project_files", "ProjectFiles"),
    "summaries": ("onrecord.service.summaries", "Summaries"),
    "summary_settings": ("onrecord.service.summary_settings", "settings_of"),
    "summariser": ("onrecord.providers.command", "CommandSummariser"),
    "semantic_settings": ("onrecord.service.semantic_settings", "settings_of"),
    "meaning": ("onrecord.service.meaning", "Meaning"),
    "reindexing": ("onrecord.service.reindexing", "Reindexing"),
    "minilm": ("onrecord.providers.minilm", "open_minilm"),
    "onnx": ("onrecord.providers.onnx", "OnnxEmbedder"),
    "http_embedder": ("onrecord.providers.http_embedder", "HttpEmbedder"),
    "private_folder": ("onrecord.capture.private_folder", "PrivateFolder"),
    "file_cache": ("onrecord.capture.file_cache", "FileCache"),
    "room": ("onrecord.storage.restoring", "FileRoom"),
    "shelf": ("onrecord.storage.shelf", "open_shelf"),
    "hook": ("onrecord.doors.hook.main", "main"),
    "mcp": ("onrecord.doors.mcp.stdio", "serve"),
}


def _part(what: str) -> Any:
    module, name = _PARTS[what]
    return getattr(__import__(module, fromlist=[name]), name)


def open_memory(
    path: str, *, create: bool = True, semantic: Mapping[str, object] | None = None
) -> Memory:
    """The store at a path, ready for every verb; migrated with a backup first if it is older.

    With `semantic`, the table of that name in the user's file, recall goes by meaning as well.
    Raises `StoreMissing` where there is none and `create` is off, and the other store errors.
    """
    store = _part("store")(path, create=create)
    if create:
        _part("stock")(path)
    meaning = None if semantic is None else open_meaning(semantic)
    return _memory(store, _secrets_of(path), ledger=_ledger(path), meaning=meaning)


def open_reindexing(
    path: str, table: Mapping[str, object], *, measured: bool = False
) -> Reindexing:
    """What makes the meanings of the store at a path; `table` is `[semantic]` of the config.

    `measured` is for a store of `open_measured`, which has no key file.
    """
    reindexing: Reindexing = _part("reindexing")(
        _part("store")(path, create=False),
        clock=_part("clock")(),
        ids=_part("ids")(),
        secrets=_passing_secrets() if measured else _secrets_of(path),
        zone=local_zone(),
        meaning=open_meaning(table),
    )
    return reindexing


def open_meaning(table: Mapping[str, object]) -> Meaning:
    """The models of meanings that `[semantic]` of the user's file names; none is loaded yet."""
    found: Any = None

    def settings() -> Any:
        nonlocal found
        found = found or _part("semantic_settings")(table)
        return found

    def opened(name: str) -> Any:
        import os

        from onrecord.retrieval.pieces import FORM

        model = settings().named(name)
        if model is None:
            return _part("minilm")(name, FORM)
        if model.onnx:
            return _part("onnx")(
                name,
                model=os.path.expanduser(model.onnx),  # noqa: PTH111 - wiring is light
                tokenizer=os.path.expanduser(model.tokenizer),  # noqa: PTH111 - the same
                form=FORM,
                pooling=model.pooling,
                max_tokens=model.max_tokens,
            )
        return _part("http_embedder")(
            name,
            url=model.url,
            api=model.api,
            model=model.served,
            form=FORM,
            key=os.environ.get(model.key_env, "") if model.key_env else "",
            remote=model.remote,
            timeout_s=model.timeout_s,
        )

    meaning: Meaning = _part("meaning")(opened, off=table.get("model") == "none")
    return meaning


def open_transfer(path: str, *, create: bool = True) -> Transfer:
    """What moves memories out of the store at a path and into it; `create` as in `open_memory`."""
    transfer: Transfer = _over("transfer", _part("store")(path, create=create), _secrets_of(path))
    return transfer


def open_mirror_folder(path: str, *, make: bool = True) -> MirrorFolder:
    """The folder of Markdown at a path; raises `UsageError` where it is none of ours."""
    folder: MirrorFolder = _part("mirror_folder")(path, make=make)
    return folder


def open_transfer_nowhere() -> Transfer:
    """The same over an empty store that is not kept, for looking at what would come in."""
    transfer: Transfer = _over("transfer", _part("nothing")(), _passing_secrets())
    return transfer


def open_upkeep(path: str) -> Upkeep:
    """What keeps the store at a path in order; raises `StoreMissing` and other store errors."""
    upkeep: Upkeep = _over("upkeep", _part("store")(path, create=False), _secrets_of(path))
    return upkeep


def open_keys(path: str) -> Keys:
    """The keys of the store at a path; raises `StoreMissing` and other store errors."""
    store, file = _part("store")(path, create=False), _part("keys_path")(path)
    keys: Keys = _part("own_keys")(
        store,
        clock=_part("clock")(),
        ids=_part("ids")(),
        secrets=_secrets_of(path),
        zone=local_zone(),
        fresh=lambda: _part("fresh_key")(file),
    )
    return keys


def _over(what: str, store: Any, secrets: Any) -> Any:
    return _part(what)(
        store, clock=_part("clock")(), ids=_part("ids")(), secrets=secrets, zone=local_zone()
    )


def _secrets_of(path: str) -> Any:
    def secrets() -> Any:
        keys = _part("keys")(_part("keys_path")(path))
        older = tuple(keys.older.items())
        return _part("secrets")(key_id=keys.key_id, key=keys.key, older=older)

    return secrets


def _passing_secrets() -> Any:
    import os

    key = os.urandom(32)
    return lambda: _part("secrets")(key_id="none", key=key)


def open_copies(path: str, relatives: Sequence[str] = ()) -> Copies:
    """The copies of the store at a path, which need not be there or be readable.

    `relatives` are paths of other stores of the account: where a copy of one of them is restored,
    what was erased in that store is erased in it as well, and its keys open the copy.
    """

    def open_store(at: str) -> Any:
        return _part("store")(at, create=False)

    copies: Copies = _part("copies")(
        _part("room")(path, relatives),
        path=path,
        relatives=[
            _part("relative")(path=one, ledger=_ledger(one), keys=_part("key_names")(one))
            for one in relatives
        ],
        open_store=open_store,
        ledger=_ledger(path),
        clock=_part("clock")(),
        ids=_part("ids")(),
        zone=local_zone(),
        note=written_copies(path).note,
    )
    return copies


def _ledger(path: str) -> Any:
    return _part("reaching")(
        _part("ledger")(_part("ledger_path")(path)), lambda: known_copies(path)
    )


def known_copies(path: str) -> KnownCopies:
    """The mirrors of the store at a path, and the exports among its own copies."""
    secrets = _secrets_of(path)
    copies: KnownCopies = _part("known_copies")(
        path + ".mirrors",
        exports=_part("backups_path")(path),
        answers=path + ".summaries",
        spool=spool_folder(path),
        signs=lambda: _part("seals")(secrets()),
    )
    return copies


def written_copies(path: str) -> WrittenCopies:
    """Where copies and exports of the store at a path were written, outside of its own folder."""
    copies: WrittenCopies = _part("written_copies")(
        path + ".copied", own=_part("backups_path")(path)
    )
    return copies


def open_nothing() -> Memory:
    """An empty store that lasts as long as the process, for reading where there is none."""
    return _memory(_part("nothing")(), _passing_secrets())


def open_measured(path: str, clock: Clock, *, meaning: Meaning | None = None) -> Memory:
    """A new store at a path that goes by a clock of the caller's, for measurements."""
    store = _part("store")(path, create=True)
    return _memory(store, _passing_secrets(), clock=clock, meaning=meaning)


def _memory(
    store: Any,
    secrets: Any,
    *,
    ledger: Any = None,
    clock: Clock | None = None,
    meaning: Meaning | None = None,
) -> Memory:
    memory: Memory = _part("memory")(
        store,
        clock=clock or _part("clock")(),
        ids=_part("ids")(),
        secrets=secrets,
        zone=local_zone(),
        ledger=ledger,
        meaning=meaning,
    )
    return memory


def open_project_files(
    path: str, table: Mapping[str, object], *, create: bool = False
) -> ProjectFiles:
    """What reads project files into the store at a path; `table` is `[files]` of the config."""
    from typing import cast

    also = table.get("also")
    globs = cast("list[object]", also) if isinstance(also, list) else []
    files: ProjectFiles = _part("project_files")(
        _part("store")(path, create=create),
        clock=_part("clock")(),
        ids=_part("ids")(),
        secrets=_secrets_of(path),
        zone=local_zone(),
        cache=_part("file_cache")(files_cache(path)),
        globs=[glob for glob in globs if isinstance(glob, str)],
    )
    return files


def open_summaries(
    path: str,
    table: Mapping[str, object],
    own: Mapping[str, object],
    *,
    home: str = "",
) -> Summaries:
    """What has sessions summarised; `table` and `own` are `[summaries]` and `[agents]`.

    `home` is for a process that a hook started: its environment is an agent's, and the
    command is given this home and little else.
    """
    import os

    def roots(client: str) -> tuple[str, ...]:
        return transcript_folders(client, own)

    settings = _part("summary_settings")(table)
    given = settings.variables(os.environ, home) if home else _without_clients(os.environ, own)
    summaries: Summaries = _part("summaries")(
        _part("store")(path, create=False),
        clock=_part("clock")(),
        ids=_part("ids")(),
        secrets=_secrets_of(path),
        zone=local_zone(),
        settings=settings,
        summariser=_part("summariser")(
            settings.command,
            timeout_s=settings.timeout_s,
            environ=given,
        ),
        folder=_part("private_folder")(path + ".summaries"),
        roots=roots,
    )
    return summaries


def transcript_folders(client: str, own: Mapping[str, object]) -> tuple[str, ...]:
    """The folders that a client keeps its conversations in; none for one that is not known."""
    import os

    from onrecord.capture import agents

    spec = agents.find(client, own)
    home = os.path.expanduser("~")  # noqa: PTH111 - a plain string
    return spec.transcripts(home, os.environ) if spec is not None and home != "~" else ()


def _without_clients(environ: Mapping[str, str], own: Mapping[str, object]) -> dict[str, str]:
    """An environment without what agent CLIs set for what they run."""
    from onrecord.capture import agents

    theirs = {name for spec in agents.recognised(own) for name in spec.variables}
    return {name: value for name, value in environ.items() if name not in theirs}


def files_cache(path: str) -> str:
    """The file that says what project files were read into a store; there once some were."""
    return path + ".files"


def open_intake(path: str, memory: Memory) -> Intake:
    """What takes in the hooks' spooled records beside a store."""
    return memory.intake(spool_folder(path))


def open_shelf(path: str) -> OpenShelf:
    """The store at a path for reading alone, without waiting; raises a `StoreError`."""
    shelf: OpenShelf = _part("shelf")(path)
    return shelf


def spool_folder(path: str) -> str:
    """The folder of spooled records that belongs to a store."""
    return path + ".spool"


def local_zone() -> tzinfo | None:
    """The user's own time zone, for what "yesterday" means; None where it is not known."""
    import datetime as dt

    return dt.datetime.now().astimezone().tzinfo


def run_hook() -> None:
    """The hook door; never returns."""
    _part("hook")()


def run_mcp(*, client: str, store: str = "", name: str = "") -> int:
    """The MCP door on stdio, until its client closes it."""
    status: int = _part("mcp")(client=client, store=store, name=name)
    return status
