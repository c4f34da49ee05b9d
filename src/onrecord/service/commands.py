"""What may be asked of the gateway: one frozen command for each kind of change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from onrecord.domain.item import Content, Item

if TYPE_CHECKING:
    from onrecord.capture.citation_verdict import Verdict
    from onrecord.domain.provenance import Evidence


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """Evidence as a caller gives it; the gateway redacts, dates and stores it."""

    #: message · file · url · pr_comment · person · command
    kind: str
    pointer: str
    quote: str = ""
    author: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remember:
    """Keep a statement."""

    content: Content
    #: as the caller wrote it; empty means the default of where the caller stands
    scope: str = ""
    kind: str = "note"
    key: str = ""
    evidence: tuple[Claim, ...] = ()
    #: item ids, repository paths or URLs that it is about
    links: tuple[str, ...] = ()
    pin: bool = False
    #: only propose, even where the caller could write
    propose: bool = False
    #: seconds from now, 1 s to 365 days
    ttl: int | None = None
    expires_at: int | None = None
    #: id of the item that it replaces
    replaces: str = ""
    #: id and version of the item whose file somebody edited: it is proposed in that one's place
    #: where that stands in the same scope and did not change since, else on its own
    edits: tuple[str, int] = ("", 0)
    #: the caller looked at the similar ones and means another thing
    distinct: bool = False
    #: the version of the keyed or replaced item that the caller saw
    if_version: int | None = None
    #: a person brings back a rejected value, and says why
    override: str = ""
    #: a question back about relative dates is not wanted: keep the words as they are
    dates_as_written: bool = False
    #: a question about relative dates is a flag and no question back: nobody is there to answer
    dates_flagged: bool = False
    #: when the words were said where they come from; None where that is not known, with
    #: `dates_flagged` alone
    said_at: int | None = None
    #: the same words without what a source put around them; what was turned down is known in
    #: each of them
    bare: tuple[str, ...] = ()
    idempotency_key: str = ""
    reason: str = ""
    #: the text came from outside the user's own words (set by channels, never by arguments)
    tainted: bool = False
    #: id shared by one import's commands
    batch: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Revise:
    """Give an item a new version."""

    item: str
    #: the whole new content
    content: Content
    #: what it is from now on; empty keeps its kind
    kind: str = ""
    if_version: int | None = None
    reason: str = ""
    evidence: tuple[Claim, ...] = ()
    override: str = ""
    dates_as_written: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Approve:
    """Let a proposal count, bound to the content that was seen."""

    item: str
    #: digest of the content that the person was shown; empty takes the head's
    seen: bytes = b""
    #: digest of what it was shown to take the place of, empty for nothing; None takes what is
    #: there
    seen_old: bytes | None = None
    #: the edited content, None for approving it as it is
    content: Content | None = None
    #: move it there while approving
    scope: str = ""


#: Codes of an approval of what is not as it was shown: nothing was decided.
STALE = ("approve.changed", "approve.place_changed")


def digest_of(replaced: Item | None) -> bytes:
    """What `Approve.seen_old` takes for the memory that was shown with a proposal, or for none."""
    return replaced.head.digest if replaced is not None else b""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reject:
    """Turn a proposal or an item down; `wrong` and `unwanted` keep its value from coming back."""

    item: str
    #: one of domain.status.REJECT_REASONS
    reason: str
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reconcile:
    """Decide between two items that speak against each other; a person only."""

    #: what came later
    new: str
    #: what stood before it
    old: str
    #: new (takes the other's place) · old (stays, the new one is turned down) · both ·
    #: coexist (one after the other) · dispute (both stay, marked)
    way: str
    #: digest of the new one's content that the person was shown; empty takes the head's
    seen: bytes = b""
    #: digest of the old one's content, alike
    seen_old: bytes = b""
    #: `coexist`: where the one ends and the other begins, UTC microseconds; None takes the
    #: new one's own beginning, else now
    at: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """Change an item's state without touching what it says."""

    item: str
    #: archive · restore · pin · unpin · verify · dispute · stale · decline
    action: str
    #: what became of each file that is cited by what is verified; the gateway looks that up
    #: and leaves nothing that a caller gives
    compared: tuple[tuple[Evidence, Verdict], ...] = ()
    #: the version that this was looked up for, set with it
    version: int = 0
    #: `verify`: print of what the person was shown, as `Reads.looked` gives it; empty takes
    #: what is there
    seen: bytes = b""
    #: the same of what is there, set with what is cited
    there: bytes = b""


@dataclass(frozen=True, kw_only=True, slots=True)
class Forget:
    """Erase an item's content; only its id, the event and the fingerprint stay."""

    item: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ForgetSource:
    """Delete a source, and erase or hold what was made from it.

    An agent's erases what that agent could `Forget`, and asks the user about the rest.
    """

    #: id of a session or an import; or as evidence points at it: `codex:SESSION#MESSAGE`,
    #: `import:NAME`, a path, an address
    source: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ForgetEverything:
    """Erase the content of every item and what sessions were asked; the log stays."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Undo:
    """Take one event back; 0 means the caller's own latest change."""

    event: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Set:
    """Set a switch or a policy.

    `saving` (on, off), `review` (all, flagged, none; per scope), `capture` and `deliver`
    (on, off; per repository scope).
    """

    name: str
    value: str
    scope: str = "global"


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveScope:
    """Give a scope another name, with all that stands under it."""

    #: as the caller wrote them
    old: str
    new: str
    #: rename · merge · alias
    way: str = "rename"


@dataclass(frozen=True, kw_only=True, slots=True)
class PutAway:
    """Archive several items as one run, which is undone as a whole."""

    items: tuple[str, ...]
    #: groom · dedupe
    run: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Purge:
    """Erase the content of items that were archived, rejected or replaced."""

    items: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class HandOff:
    """Write what the next agent needs."""

    done: str = ""
    state: str = ""
    next: str = ""
    questions: str = ""
    #: agent it is addressed to, empty for whoever comes next
    to_agent: str = ""
    #: made by onrecord at the end of a session, not by the agent
    automatic: bool = False
    #: of an automatic one, in the place of `next`: the session's first prompt, and its last one
    #: where that is another
    asked: tuple[str, ...] = ()
    #: state of the repository when it was written
    head: str = ""
    dirty: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Settle:
    """Claim, acknowledge or cancel a handoff."""

    item: str
    #: claim · ack · cancel
    action: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Feedback:
    """Say what became of a memory that was given."""

    item: str
    #: helpful · wrong · stale · not_relevant
    verdict: str
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeSection:
    """Keep a section of a project's own file as it stands there; the file channel alone asks."""

    #: `file:<path>#<section>`
    key: str
    content: Content
    kind: str = "note"
    evidence: tuple[Claim, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class DropSection:
    """Put away what a project's own file says no more; the file channel alone asks."""

    item: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Sweep:
    """Let lapse what is past its time; onrecord sends it by itself, nobody else may."""


Command = (
    Remember
    | Revise
    | Approve
    | Reject
    | Reconcile
    | Mark
    | Forget
    | ForgetSource
    | ForgetEverything
    | Undo
    | Set
    | MoveScope
    | PutAway
    | Purge
    | HandOff
    | Settle
    | Feedback
    | TakeSection
    | DropSection
    | Sweep
)
