"""The item: one durable statement, and the immutable versions it went through."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from onrecord.domain.principal import Principal
from onrecord.domain.status import EXPIRED, EXPIRING

#: Limits on shape, in characters unless said otherwise.
MAX_TITLE = 200
MAX_BODY_BYTES = 64 * 1024
MAX_SUMMARY = 1_000
MAX_KEY = 200
#: What an index entry has room for, in bytes of UTF-8; in characters for an idempotency key.
MAX_KEY_BYTES = 512
MAX_LINK_BYTES = 2_048
MAX_REQUEST_KEY = 200
MAX_TAGS = 32
MAX_TAG = 64
MAX_LINKS = 32
MAX_QUOTE = 4_000
MAX_REASON = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Content:
    """What a version says; two versions with equal content say the same thing."""

    #: one line, 1 to MAX_TITLE characters
    title: str
    #: Markdown, at most MAX_BODY_BYTES bytes
    body: str = ""
    summary: str = ""
    tags: tuple[str, ...] = ()
    #: valid time, half-open, UTC microseconds; None is unknown for `valid_from`
    valid_from: int | None = None
    #: None means that no end is known
    valid_to: int | None = None
    #: what prompted a lesson: an error line, a task
    prompted_by: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Where:
    """Where a version was written."""

    cwd: str = ""
    #: canonical scope names or empty
    repo: str = ""
    branch: str = ""
    commit: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """An immutable state of an item."""

    item: str
    #: 1, 2, 3 …
    n: int
    content: Content
    recorded_at: int
    #: set once, when the next version is written
    superseded_at: int | None = None
    author: Principal
    where: Where = field(default_factory=Where)
    reason: str = ""
    #: keyed digest of the content; checked on every read
    digest: bytes = b""
    #: keyed print of the statement under the strict normaliser; equal means the same statement
    same: bytes = b""
    #: set when the content was erased; the content is then empty
    erased_at: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """An item with its current version."""

    #: ULID, 26 characters
    id: str
    #: canonical scope name
    scope: str
    #: optional address, unique among the active items of one scope
    key: str = ""
    kind: str = "note"
    status: str = "proposed"
    verification: str = "unverified"
    pinned: bool = False
    #: holds text from outside the user's own words (webhook, import, transcript, url …)
    tainted: bool = False
    #: why a person should look: screening flags, `similar:<id>`, `tombstone:<id>` …
    flags: tuple[str, ...] = ()
    #: item that this proposal would replace once approved, and the version it was based on
    replaces: str = ""
    replaces_version: int = 0
    created_at: int
    #: derived status `expired` holds once this is past
    expires_at: int | None = None
    #: salt of the events' commitments; erased with the content
    salt: bytes = b""
    #: times put into a pack, opened by a reader, marked helpful
    delivered: int = 0
    opened: int = 0
    helpful: int = 0
    head: Version

    @property
    def version(self) -> int:
        """The number of the current version."""
        return self.head.n

    @property
    def content(self) -> Content:
        """What the current version says."""
        return self.head.content

    def expired(self, now: int) -> bool:
        """Whether its expiry is past at `now`."""
        return self.expires_at is not None and self.expires_at <= now

    def state(self, now: int) -> str:
        """Its status at `now`; `expired` for what would count or wait, had it not expired."""
        return EXPIRED if self.status in EXPIRING and self.expired(now) else self.status


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemQuery:
    """Which items to list; every given field narrows."""

    scopes: tuple[str, ...] | None = None
    statuses: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    #: bounds on the head version's recorded time, half-open
    since: int | None = None
    until: int | None = None
    #: leave out items whose expiry is past at this time
    unexpired_at: int | None = None
    #: as things stood at this recorded instant: status, belief, scope and text of then
    as_of: int | None = None
    #: only what was true in the world at this instant, as far as is believed
    valid_at: int | None = None
    #: id of the last item of the page before (newest first)
    after: str | None = None
    limit: int = 50


def stood(item: Item) -> Item:
    """An item read as of an instant: an erased one is a placeholder, and nothing came after."""
    status = "forgotten" if item.head.erased_at is not None else item.status
    return replace(item, status=status, head=replace(item.head, superseded_at=None))


def split(text: str) -> tuple[str, str]:
    """A text as (title, body): the first line is the title, where it fits on one.

    A first line over MAX_TITLE characters is cut at a word for the title, and the body then
    holds the whole text, so that nothing is lost. A tab in the first line becomes a space.
    """
    first, _, rest = text.strip().partition("\n")
    first = first.strip().replace("\t", " ")
    title = first.lstrip("#").strip() or first
    if len(title) <= MAX_TITLE:
        return title, rest.strip("\n")
    cut = title[: MAX_TITLE - 1]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut else cut}…", text.strip()
