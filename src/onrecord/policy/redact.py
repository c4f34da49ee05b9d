"""Secrets out of text before it is stored, spooled, logged or fingerprinted.

`redact` replaces each secret it finds by `[redacted:<kind>]` and leaves every other character
as it was. It finds issuers' tokens by their prefixes, layouts such as private keys and URLs
with passwords, values assigned to names that carry secrets, and random or password-like words
near such names. It cannot know every secret: `docs/reference/redaction.md` states its limits.
"""

from __future__ import annotations

from onrecord.policy import redact_rules as rules
from onrecord.policy.redact_layouts import cookies, manifests, opaque, patterned, prefixed
from onrecord.policy.redact_names import named
from onrecord.policy.redact_near import near
from onrecord.policy.redact_scan import MARKER_LETTERS, MARKER_SIZE, MARKER_START, Free, Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from onrecord.policy.redact_scan import Span

#: Every kind a marker may name.
KINDS: tuple[str, ...] = tuple(
    sorted(
        {
            *(kind for kind, _, _, _ in rules.PREFIXES),
            *(kind for kind, _, _, _ in rules.PATTERNS),
            *rules.OTHER_KINDS,
        }
    )
)

#: Passes over one text: the second finds nothing, except in texts made to be awkward.
_PASSES = 8
#: So much behind a cut is looked at, in characters: a private key has some 3,300.
_REACH = 3_500
#: Words of three letters or more that must be left for an item to be worth keeping.
_USEFUL_WORDS = 4
_LEAST_WORD = 3
#: Full-width letters, digits and marks, and the ASCII that they stand for.
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_WIDE = frozenset(map(chr, _NARROW))


class Redaction:
    """A text without its secrets, and what was taken out of it.

    Attributes:
        text: the text with `[redacted:<kind>]` in place of each secret.
        kinds: how many secrets of each kind were replaced; never their text.
        removed: characters (code points) of the given text that are gone.
    """

    __slots__ = ("kinds", "removed", "text")

    def __init__(self, text: str, kinds: dict[str, int], removed: int) -> None:
        self.text = text
        self.kinds = kinds
        self.removed = removed


def redact(text: str) -> Redaction:
    """The text with its secrets replaced, and counts of what was replaced.

    Redacting again changes nothing, and markers that are in the text already stay. Any `str`
    is taken, lone surrogates too. Time is linear in the text: about 1 ms for 4 KiB.
    """
    kinds: dict[str, int] = {}
    removed = 0
    memo: dict[Any, Any] = {}
    if not text.isascii() and any(char in _WIDE for char in text):
        text, removed = _narrowed(text, kinds)
    for _ in range(_PASSES):
        scan = Scan(text, memo)
        spans = _joined(_spans(scan), scan)
        if not spans:
            break
        pieces: list[bytes] = []
        at = 0
        for start, end, kind in spans:
            pieces += [scan.data[at:start], f"{MARKER_START}{kind}]".encode()]
            removed += len(scan.data[start:end].decode("utf-8", "surrogatepass"))
            kinds[kind] = kinds.get(kind, 0) + 1
            at = end
        pieces.append(scan.data[at:])
        text = b"".join(pieces).decode("utf-8", "surrogatepass")
    return Redaction(text, kinds, removed)


def within(text: str, most: int) -> tuple[str, int]:
    """At most so many characters of a text without its secrets, and how many were left off.

    It is redacted first and cut then, so that no half of a secret is kept. Of a long text only
    what is in reach of the cut is looked at; where so much of that is secret that its own end
    would come into what is kept, the end is left off as well.
    """
    looked = text[: most + _REACH]
    clean = redact(looked).text
    beyond = len(text) - len(looked)
    kept = (clean[: max(0, len(clean) - _REACH)] if beyond else clean)[:most]
    return kept, beyond + len(clean) - len(kept)


def shortened(text: str, most: int) -> str:
    """A text that is redacted later as it is, or cut where it is longer, without secrets then."""
    return text if len(text) <= most else within(text, most)[0]


def _narrowed(text: str, kinds: dict[str, int]) -> tuple[str, int]:
    """The text without tokens in full-width letters, and how many characters are gone.

    Only the rules that are sure look at them: such letters are ordinary in some languages.
    """
    scan = Scan(text.translate(_NARROW))
    out: list[str] = []
    at = removed = 0
    for first, last, kind in _joined([*prefixed(scan), *patterned(scan)], scan):
        start = len(scan.data[:first].decode("utf-8", "surrogatepass"))
        end = start + len(scan.data[first:last].decode("utf-8", "surrogatepass"))
        if any(char in _WIDE for char in text[start:end]):
            out += [text[at:start], f"{MARKER_START}{kind}]"]
            kinds[kind] = kinds.get(kind, 0) + 1
            removed += end - start
            at = end
    out.append(text[at:])
    return "".join(out), removed


def fold_markers(text: str) -> str:
    """The text with every `[redacted:<kind>]` as `[redacted]`: kinds make no difference."""
    if MARKER_START not in text:
        return text
    out: list[str] = []
    at = 0
    for start, end in _markers(text):
        out += [text[at:start], "[redacted]"]
        at = end
    out.append(text[at:])
    return "".join(out)


def is_mostly_secret(original: str, redaction: Redaction) -> bool:
    """Whether hardly anything useful is left of a text once its secrets are gone.

    True when something was removed and fewer than four words remain: runs of three letters or
    more outside the markers that are not names of secrets such as `password` or `api_key`.
    Letters of scripts without spaces count two to a word.
    """
    if not redaction.removed or redaction.text == original:
        return False
    words = 0
    rest = fold_markers(redaction.text).replace("[redacted]", " ")
    for run in "".join(char if char.isalpha() else " " for char in rest).split():
        if run.isascii():
            words += len(run) >= _LEAST_WORD and run.lower() not in rules.NAMING_WORDS
        else:
            words += max(1, len(run) // 2) if _is_wide(run) else len(run) >= _LEAST_WORD
    return words < _USEFUL_WORDS


def _is_wide(run: str) -> bool:
    """Whether the letters are of a script that is written without spaces."""
    return any("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" for char in run)


def _markers(text: str) -> list[tuple[int, int]]:
    """Where markers stand in a text, in characters."""
    found: list[tuple[int, int]] = []
    start = text.find(MARKER_START)
    while start >= 0:
        end = text.find("]", start) + 1
        kind = text[start + len(MARKER_START) : end - 1]
        if end and 0 < len(kind) <= MARKER_SIZE and MARKER_LETTERS.issuperset(kind):
            found.append((start, end))
            start = text.find(MARKER_START, end)
        else:
            start = text.find(MARKER_START, start + 1)
    return found


def _spans(scan: Scan) -> list[Span]:
    """Every span that a rule finds; those that guess yield to ciphertext and public keys."""
    sure = [*prefixed(scan), *patterned(scan), *cookies(scan), *manifests(scan)]
    guesses = [*named(scan)]
    guesses += near(scan, sure + guesses)
    if guesses:
        veiled = opaque(scan)
        if veiled:
            free = Free(veiled)
            guesses = [span for span in sorted(guesses) if free.has(span[0], span[1])]
    return sure + guesses


def _joined(spans: list[Span], scan: Scan) -> list[Span]:
    """Disjoint spans in order, outside markers; the first rule gives an overlap its kind."""
    ranked = sorted(
        (start, -end, order, kind) for order, (start, end, kind) in enumerate(spans) if start < end
    )
    out: list[Span] = []
    first = 0
    for start, minus_end, order, kind in ranked:
        end = -minus_end
        if out and start < out[-1][1]:
            left, right, known = out[-1]
            out[-1] = (left, max(right, end), known if first <= order else kind)
            first = min(first, order)
        else:
            out.append((start, end, kind))
            first = order
    return list(scan.outside_markers(out))
