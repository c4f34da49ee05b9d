"""Secrets out of text before it is stored, spooled, logged or fingerprinted.

`redact` replaces each secret it finds by `[redacted:<kind>]` and leaves every other character
as it was. It finds issuers' tokens by their prefixes, layouts such as private keys and URLs
with passwords, values assigned to names that carry secrets, and random or password-like words
near such names. It cannot know every secret: `docs/reference/redaction.md` states its limits.
"""

from __future__ import annotations

from onrecord.policy import redact_rules as rules
from onrecord.policy.redact_find import Scan, opaque, patterned, prefixed
from onrecord.policy.redact_names import cookies, manifests, named, near

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.policy.redact_find import Span

_OPEN = "[redacted:"
_PASSES = 8


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
    """The text with its secrets replaced, and counts of what was replaced."""
    kinds: dict[str, int] = {}
    removed = 0
    for _ in range(_PASSES):
        scan = Scan(text)
        spans = _joined(_spans(scan), scan)
        if not spans:
            break
        pieces = []
        at = 0
        for start, end, kind in spans:
            pieces += [scan.data[at:start], f"{_OPEN}{kind}]".encode()]
            removed += len(scan.data[start:end].decode("utf-8", "surrogatepass"))
            kinds[kind] = kinds.get(kind, 0) + 1
            at = end
        pieces.append(scan.data[at:])
        text = b"".join(pieces).decode("utf-8", "surrogatepass")
    return Redaction(text, kinds, removed)


def _spans(scan: Scan) -> list[Span]:
    if len(scan.data) < 6:
        return []
    spans = [*prefixed(scan), *patterned(scan), *cookies(scan), *manifests(scan)]
    guesses = [*named(scan)]
    guesses += near(scan, spans + guesses)
    if guesses:
        veiled = opaque(scan)
        if veiled:
            guesses = [span for span in guesses if not _inside(span, veiled)]
    return spans + guesses


def _inside(span: Span, stretches: list[tuple[int, int]]) -> bool:
    return any(start < span[1] and end > span[0] for start, end in stretches)


def _joined(spans: list[Span], scan: Scan) -> list[Span]:
    """Disjoint spans in order; where some overlap, the first found gives the kind."""
    ranked = sorted(
        (start, -end, order, kind) for order, (start, end, kind) in enumerate(spans) if start < end
    )
    out: list[list] = []
    for start, minus_end, order, kind in ranked:
        end = -minus_end
        if out and start < out[-1][1]:
            last = out[-1]
            last[1] = max(last[1], end)
            if order < last[2]:
                last[2], last[3] = order, kind
        else:
            out.append([start, end, order, kind])
    return [(s, e, k) for s, e, _, k in out]
