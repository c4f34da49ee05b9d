"""Keyed fingerprints: how a rejected value is known again without its text being kept.

Every print is an HMAC-SHA256 under the store's key. Prints of texts are taken of the folded,
squashed form (see `fold`), with every redaction marker as one and the same word. A text with
fewer than four words beside its markers has no prints at all and is never matched.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from onrecord.domain.tombstone import Print
from onrecord.policy.fold import count_words, fold, sentences, squash
from onrecord.policy.prose import unnumbered
from onrecord.policy.regex import Pattern
from onrecord.policy.sketch import (
    features,
    is_similar,
    pack_sketch,
    passages,
    similarity,
    sketch,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from onrecord.policy.regex import Match

__all__ = [
    "Prints",
    "commitment",
    "content_digest",
    "key_print",
    "match",
    "prints",
    "similarity",
    "sketch",
    "verdict",
]

Verdict = Literal["refused", "flagged"]

#: A whole text or title below this many words is too common to be anyone's claim.
LEAST_WORDS = 4
#: A sentence below this many words is.
LEAST_SENTENCE_WORDS = 6

_MARKER = Pattern(r"\[redacted:[^\]\s]{1,64}\]")
_MARKER_WORD = "xredactedx"
_ESCAPED_BYTES = Pattern(r"(?:%[0-9A-Fa-f]{2}){1,16}")
_TAG_BLOCK = 0xE0000


class Remembered(Protocol):
    """What a stored tombstone offers: its prints and its sketch."""

    @property
    def prints(self) -> Iterable[Print]:
        """The prints that were taken of the rejected value."""
        ...

    @property
    def sketch(self) -> bytes:
        """The sketch of the rejected value's whole text."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Prints:
    """What one text leaves to be compared: to store when it is rejected, or to look up."""

    #: the whole text; None where it has too few words
    whole: bytes | None = None
    #: the title, where it has words enough
    title: bytes | None = None
    #: each sentence of six words or more, the title among them
    sentences: frozenset[bytes] = frozenset()
    #: what would be the rejected claim if it was rejected as a whole text: this whole text,
    #: its title, its body, and the same out of percent-escapes and invisible tags
    claims: frozenset[bytes] = frozenset()
    #: the keyed sketch of the whole text
    sketch: bytes = b""
    #: the features of each passage, to look for sketches in
    passages: tuple[frozenset[int], ...] = ()

    def asked(self) -> frozenset[bytes]:
        """Every print under which a tombstone may know this text."""
        own = {value for value in (self.whole, self.title) if value is not None}
        return self.claims | self.sentences | own

    def stored(self) -> tuple[Print, ...]:
        """The prints that a tombstone keeps, each once, in a fixed order."""
        if self.whole is None:
            return ()
        kept = [Print(part="whole", value=self.whole)]
        if self.title is not None and self.title != self.whole:
            kept.append(Print(part="title", value=self.title))
        rest = sorted(self.sentences - {self.whole, self.title})
        return (*kept, *(Print(part="sentence", value=value) for value in rest))


def prints(key: bytes, title: str, body: str) -> Prints:
    """Takes the prints of a redacted title and body under the store's key."""
    title, body = (_unmarked(_encodable(text)) for text in (title, body))
    head, rest = fold(title), fold(body)
    whole = _joined(head, rest)
    hidden = [text for text in _disguised(title, body) if text]
    if _n_words(whole) < LEAST_WORDS and not hidden:
        return Prints()
    parts = [title, *sentences(body), *(s for text in hidden for s in sentences(text))]
    # A lone number may be a list's marker or a date's: the text is looked up both ways.
    parts += [bare for part in parts if (bare := unnumbered(part)) != part]
    folded = [fold(part) for part in parts]
    claims = [whole, head, rest, *(fold(text) for text in (unnumbered(body), *hidden))]
    found = [features(key, part) for part in folded]
    return Prints(
        whole=_print(key, whole) if _n_words(whole) >= LEAST_WORDS else None,
        title=_print(key, head) if _n_words(head) >= LEAST_WORDS else None,
        sentences=frozenset(
            _print(key, part) for part in folded if _n_words(part) >= LEAST_SENTENCE_WORDS
        ),
        claims=frozenset(_print(key, claim) for claim in claims if _n_words(claim) >= LEAST_WORDS),
        sketch=pack_sketch(features(key, whole)),
        passages=tuple(passages(found)),
    )


def match(stored: Iterable[Remembered], candidate: Prints) -> Verdict | None:
    """The strictest verdict of any tombstone on a new text; None where none knows it."""
    strictest: Verdict | None = None
    for tombstone in stored:
        found = verdict(tombstone, candidate)
        if found == "refused":
            return found
        strictest = strictest or found
    return strictest


def verdict(tombstone: Remembered, candidate: Prints) -> Verdict | None:
    """What one tombstone says of a new text.

    refused: the text, its title, its body or one of its sentences (six words or more) *is*
    the rejected text. flagged: they share a title or a sentence, or a passage carries the
    claim in other words. None: neither.
    """
    wholes = {one.value for one in tombstone.prints if one.part == "whole"}
    if wholes & (candidate.claims | candidate.sentences):
        return "refused"
    if any(
        one.value == candidate.title or one.value in candidate.sentences
        for one in tombstone.prints
        if one.part in {"title", "sentence"}
    ):
        return "flagged"
    return "flagged" if is_similar(tombstone.sketch, candidate.passages) else None


def key_print(key: bytes, scope: str, item_key: str) -> bytes:
    """The print of an item's address, kept when the item is erased."""
    return _digest(key, b"key", scope, item_key)


def content_digest(key: bytes, title: str, body: str, summary: str, tags: Sequence[str]) -> bytes:
    """The digest that a version's content is checked against when it is read."""
    return _digest(key, b"content", title, body, summary, *tags)


def commitment(salt: bytes, *content: str) -> bytes:
    """What an event says of a content: noise once the salt is erased with the item."""
    return _digest(salt, b"commitment", *content)


def _joined(head: str, rest: str) -> str:
    """A folded title and body as one text; a title that only begins the body is not doubled."""
    if rest.startswith(head):
        return rest
    return f"{head} {rest}".strip()


def _disguised(title: str, body: str) -> list[str]:
    """The text behind percent-escapes, and the text that invisible tag characters spell."""
    text = f"{title}\n{body}"
    spelled = "".join(
        chr(ord(c) - _TAG_BLOCK) for c in text if _TAG_BLOCK + 32 <= ord(c) < _TAG_BLOCK + 127
    )
    escaped = text.count("%") > 2 and _ESCAPED_BYTES.replace(text, _unescaped)  # noqa: PLR2004
    return [spelled, escaped if escaped and escaped != text else ""]


def _unescaped(found: Match) -> str:
    return bytes.fromhex(found.group().replace("%", "")).decode("utf-8", "replace")


def _unmarked(text: str) -> str:
    return _MARKER.replace(text, lambda _: f" {_MARKER_WORD} ") if "[redacted:" in text else text


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _n_words(folded: str) -> int:
    return count_words(folded.replace(_MARKER_WORD, " "))


def _print(key: bytes, folded: str) -> bytes:
    return _digest(key, b"text", squash(folded))


def _digest(key: bytes, purpose: bytes, *fields: str) -> bytes:
    """HMAC of length-prefixed fields, so that no two lists of fields share a digest."""
    message = [b"onrecord ", purpose, b"\x00"]
    for field in fields:
        data = field.encode("utf-8", "surrogatepass")
        message += [len(data).to_bytes(8, "big"), data]
    return hmac.digest(key, b"".join(message), "sha256")
