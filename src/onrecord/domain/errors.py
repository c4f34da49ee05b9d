"""Every error that onrecord raises on purpose, as one tree.

    OnrecordError
    ├── UsageError            the caller's words are off             usage
    │   ├── BadScope          a scope that cannot be read            scope.invalid
    │   ├── BadField          a field outside its limit              field.invalid
    │   ├── SecretName        a name that holds a secret             redaction.name
    │   └── AmbiguousId       an id that fits several                id.ambiguous
    ├── NotFound              nothing here under that id             not_found
    ├── Denied                this caller may not do that            denied
    │   └── TranscriptRefused a conversation that is not the agent's denied.transcript
    ├── NeedsPerson           only a person at a terminal may        person.required
    ├── Declined              the person said no                     declined
    ├── OutputLost            the answer could not be written        output
    ├── Clash                 something else came first              conflict
    │   ├── StaleVersion      the item changed since it was read     conflict.version
    │   ├── IllegalTransition no such step in an item's life         conflict.status
    │   └── UndoClash         something came after that change       conflict.undo
    ├── ConfigError           another program's settings             config
    │   ├── ConfigInvalid     they cannot be read                    config.invalid
    │   ├── ConfigUnsafe      the file is not ours to edit           config.unsafe
    │   └── ConfigChanged     they changed while being edited        config.changed
    ├── EmbeddingError        a model of meanings cannot be used     embedding
    │   ├── ModelMissing      it, or what runs it, is not there      embedding.missing
    │   ├── ModelMismatch     its vectors are of another space       embedding.mismatch
    │   └── ModelUnreachable  the server that has it did not answer  embedding.unreachable
    └── StoreError            the store cannot be used               store
        ├── StoreMissing      there is no store at that path         store.missing
        ├── StoreBusy         another process holds it               store.busy
        ├── StoreReadOnly     it cannot be written                   store.read_only
        ├── StoreFull         the disk is full                       store.full
        ├── StoreCorrupt      its content is damaged                 store.corrupt
        ├── StoreNewer        a newer onrecord wrote it              store.newer
        ├── StoreUnsafe       a link, a foreign owner, an open mode  store.unsafe
        ├── EngineTooOld      a database engine with known faults    store.engine
        └── KeyUnreadable     the fingerprint key is gone            store.key

A class's docstring is its default message: what happened, then what to do. Messages and
details never hold stored text or secrets.
"""

from __future__ import annotations

#: The system's numbers for a size limit, a full disk and a quota (Linux, BSD and macOS).
NO_ROOM = (27, 28, 69, 122)


class OnrecordError(Exception):
    """Something went wrong inside onrecord. Nothing was changed; please report it."""

    code: str = "internal"

    def __init__(
        self,
        message: str | None = None,
        *,
        hint: str = "",
        details: dict[str, object] | None = None,
    ) -> None:
        self.message = message or (type(self).__doc__ or "").split("\n\n")[0].replace(
            "\n    ", " "
        )
        self.hint = hint
        self.details = details or {}
        super().__init__(self.message)


class UsageError(OnrecordError):
    """The request could not be read. Nothing was changed."""

    code = "usage"


class BadScope(UsageError):
    """That scope cannot be read. Nothing was changed."""

    code = "scope.invalid"


class BadField(UsageError):
    """A field is outside its limit. Nothing was changed."""

    code = "field.invalid"


class SecretName(UsageError):
    """A name holds what looks like a secret. Nothing was stored; choose another name."""

    code = "redaction.name"


class AmbiguousId(UsageError):
    """That id fits several items. Give more of its characters."""

    code = "id.ambiguous"


class NotFound(OnrecordError):
    """Nothing under that id can be seen from here. `onrecord list` shows what can."""

    code = "not_found"


class Denied(OnrecordError):
    """This caller may not do that. Nothing was changed."""

    code = "denied"


class TranscriptRefused(Denied):
    """That is not its own conversation, in a file where its agent keeps it. Nothing was read."""

    code = "denied.transcript"


class NeedsPerson(OnrecordError):
    """Only a person at their own terminal may do that. Run it yourself in a terminal."""

    code = "person.required"


class Declined(OnrecordError):
    """You said no, so nothing was changed."""

    code = "declined"


class OutputLost(OnrecordError):
    """The answer could not be written to standard output. What was asked for is done."""

    code = "output"


class Clash(OnrecordError):
    """Something else came first. Nothing was changed."""

    code = "conflict"


class StaleVersion(Clash):
    """The item changed since it was read. Read it again, then decide."""

    code = "conflict.version"


class IllegalTransition(Clash):
    """An item cannot go from that status to the other. Nothing was changed."""

    code = "conflict.status"


class UndoClash(Clash):
    """Something changed after that event, so undoing it would lose the later change."""

    code = "conflict.undo"


class ConfigError(OnrecordError):
    """Another program's settings could not be edited. They were left as they are."""

    code = "config"


class ConfigInvalid(ConfigError):
    """A settings file cannot be read as what it should be. It was left as it is: repair it."""

    code = "config.invalid"


class ConfigUnsafe(ConfigError):
    """A settings file is not safe to edit. It was left as it is."""

    code = "config.unsafe"


class ConfigChanged(ConfigError):
    """A settings file changed while it was being edited. It was left as it is; try again."""

    code = "config.changed"


class EmbeddingError(OnrecordError):
    """The model of meanings cannot be used; recall goes by words. `onrecord doctor` says why."""

    code = "embedding"


class ModelMissing(EmbeddingError):
    """The model of meanings is not installed here. Recall goes on by words."""

    code = "embedding.missing"


class ModelMismatch(EmbeddingError):
    """The model is not what this store's vectors were made with. Run `onrecord reindex`."""

    code = "embedding.mismatch"


class ModelUnreachable(EmbeddingError):
    """The server of the model did not answer as it should. Recall goes on by words."""

    code = "embedding.unreachable"


class StoreError(OnrecordError):
    """The store cannot be used. `onrecord doctor` says why."""

    code = "store"


class StoreMissing(StoreError):
    """There is no store at that path yet. `onrecord remember` or `onrecord connect` makes one."""

    code = "store.missing"


class StoreBusy(StoreError):
    """Another process is writing to the store. Nothing was changed; try again."""

    code = "store.busy"


class StoreReadOnly(StoreError):
    """The store can be read but not written. Check the file's and folder's permissions."""

    code = "store.read_only"


class StoreFull(StoreError):
    """The disk is full, so nothing was written. Free some room and try again."""

    code = "store.full"


class StoreCorrupt(StoreError):
    """The store's content is damaged. Nothing was written; `onrecord check` says where."""

    code = "store.corrupt"


class StoreNewer(StoreError):
    """A newer onrecord wrote this store. Nothing was changed; upgrade this installation."""

    code = "store.newer"


class StoreUnsafe(StoreError):
    """The store's path is not safe to open. Nothing was opened."""

    code = "store.unsafe"


class EngineTooOld(StoreError):
    """The database engine has a known corruption fault. Upgrade the `apsw` package."""

    code = "store.engine"


class KeyUnreadable(StoreError):
    """The fingerprint key beside the store cannot be read, so nothing may be written."""

    code = "store.key"
