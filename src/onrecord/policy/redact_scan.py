"""One text under examination, and RE2 over its bytes.

Expressions run in RE2's Latin-1 mode over the UTF-8 bytes of a text, and Python looks at the
same bytes as Latin-1 characters, so one offset serves both and nothing is converted while
matching. RE2 is loaded, and each expression compiled, when a text first wants it.
"""

from __future__ import annotations

from onrecord.policy import redact_lexicon as lexicon
from onrecord.policy import redact_rules as rules
from onrecord.policy.regex import engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    #: Start and end in bytes of the UTF-8 text, and the kind of secret.
    Span = tuple[int, int, str]

#: How a marker starts, and the expression of a whole one. Kinds have no digits and are short,
#: so that a secret cannot pass for one.
MARKER_START = "[redacted:"
MARKER_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz_")
MARKER_SIZE = 32
MARKER = r"\[redacted:[a-z_]{1,32}\]"

#: Bytes of a value that are looked at.
REACH = 512

_compiled: dict[str, Any] = {}
_options: list[Any] = []


def expression(pattern: str) -> Any:
    """The compiled expression over bytes, compiled once and only when first wanted."""
    found = _compiled.get(pattern)
    if found is None:
        found = _compiled[pattern] = engine().compile(pattern.encode(), _latin())
    return found


def _latin() -> Any:
    if not _options:
        options = engine().Options()
        options.encoding = engine().Options.Encoding.LATIN1
        options.log_errors = False  # they would go to stderr, which an agent reads
        _options.append(options)
    return _options[0]


class Anchors:
    """Which groups of literal strings occur in a text, cheaply.

    A few short texts are searched string by string, which costs no start; after `SHORT`
    characters altogether, one RE2 set finds all groups in a single pass.
    """

    __slots__ = ("_groups", "_seen", "_set")

    #: Characters after which building the set, about 2 ms, pays.
    SHORT = 6_000

    def __init__(self, groups: tuple[tuple[str, ...], ...]) -> None:
        self._groups = groups
        self._seen = 0
        self._set: Any = None

    def present(self, text: str, data: bytes) -> list[int]:
        """The numbers of the groups of which a string occurs; `data` holds the same text."""
        if self._set is None:
            self._seen += len(text)
            if self._seen < self.SHORT:
                return self._searched(text)
            self._set = self._built()
        return sorted(self._set.Match(data) or ())

    def _searched(self, text: str) -> list[int]:
        found: list[int] = []
        for number, group in enumerate(self._groups):
            for literal in group:
                if literal in text:
                    found.append(number)
                    break
        return found

    def _built(self) -> Any:
        built = engine().Set.SearchSet(_latin())
        for group in self._groups:
            built.Add("|".join(_escaped(literal) for literal in group).encode())
        built.Compile()
        return built


def _escaped(literal: str) -> str:
    return "".join(char if char.isalnum() or char in "_ " else "\\" + char for char in literal)


#: Patterns whose only sign is a long word, and how long it is.
_LONG = frozenset(n for n, (_, anchors, _, _) in enumerate(rules.PATTERNS) if anchors == ("",))
_LONG_WORD = 26
#: Characters of a shorter text whose words are looked at before RE2 is asked.
_SHORT = 4_096
_FIRST_OPAQUE = len(rules.PATTERNS)
_NAMES = _FIRST_OPAQUE + len(rules.OPAQUE)
_LAYOUTS = Anchors(
    (
        *(anchors for _, anchors, _, _ in rules.PATTERNS),
        *((anchor,) for anchor, _ in rules.OPAQUE),
        lexicon.STEMS,
        lexicon.LOGIN_STEMS,
        ("cookie",),
        ("data:",),
    )
)


class Scan:
    """One text under examination: its bytes, the same as Latin-1, and what occurs in it.

    Attributes:
        data: the text as UTF-8; `view` holds the same bytes as Latin-1 characters.
        plain: whether the text is ASCII.
        memo: judgements of values, shared by the passes over one text and dropped with it.
        names: start, end and group of each name that may carry a secret, in order.
        layouts: numbers of the `PATTERNS` that may apply; `opaque` of the `OPAQUE` rules.
        with_names, with_logins, with_cookies, with_data: whether such words occur.
        with_numbers: whether a word of eight characters or more may hold a digit.
    """

    __slots__ = (
        "data",
        "layouts",
        "memo",
        "names",
        "opaque",
        "plain",
        "view",
        "with_cookies",
        "with_data",
        "with_logins",
        "with_names",
        "with_numbers",
    )

    def __init__(self, text: str, memo: dict[Any, Any] | None = None) -> None:
        self.memo: dict[Any, Any] = {} if memo is None else memo
        self.plain = text.isascii()
        self.data = text.encode("utf-8", "surrogatepass")
        self.view = text if self.plain else self.data.decode("latin-1")
        self.names: list[tuple[int, int, str]] = []
        found = _LAYOUTS.present(self.view.lower(), self.data.lower())
        self.with_numbers, long = _words(self.view) if len(self.view) < _SHORT else (True, True)
        self.layouts = [n for n in found if n < _FIRST_OPAQUE and (long or n not in _LONG)]
        self.opaque = [n - _FIRST_OPAQUE for n in found if _FIRST_OPAQUE <= n < _NAMES]
        self.with_names = _NAMES in found
        self.with_logins = _NAMES + 1 in found
        self.with_cookies = _NAMES + 2 in found
        self.with_data = _NAMES + 3 in found

    def read(self, start: int, end: int) -> str:
        """The characters of a stretch as they are, for looking at; never for offsets."""
        if self.plain:
            return self.view[start:end]
        return self.data[start:end].decode("utf-8", "replace")

    def is_in_marker(self, start: int) -> bool:
        """Whether a word that starts here is the kind of a marker and no word of the text."""
        return self.view.endswith(MARKER_START, 0, start)

    def outside_markers(self, spans: list[Span]) -> Iterator[Span]:
        """The parts of disjoint, ordered spans that no `[redacted:<kind>]` covers."""
        markers: list[tuple[int, int]] = []
        if MARKER_START in self.view:
            markers = [found.span() for found in expression(MARKER).finditer(self.data)]
        number = 0
        for start, end, kind in spans:
            at = start
            while number < len(markers) and markers[number][1] <= at:
                number += 1
            for left, right in markers[number:]:
                if left >= end:
                    break
                if left > at:
                    yield at, left, kind
                at = max(at, right)
            if at < end:
                yield at, end, kind


def _words(view: str) -> tuple[bool, bool]:
    """Whether some word of eight characters or more has a digit, and whether one is long."""
    words = [word for word in view.split() if len(word) >= 8]  # noqa: PLR2004  # a password's size
    numbers = any(char.isdigit() for word in words if not word.isalpha() for char in word)
    return numbers, any(len(word) >= _LONG_WORD for word in words)


class Free:
    """Which stretches no span has taken; asked in the order of the text."""

    __slots__ = ("_at", "_taken")

    def __init__(self, taken: list[Span]) -> None:
        self._taken = sorted(taken)
        self._at = 0

    def has(self, start: int, end: int) -> bool:
        """Whether nothing between `start` and `end` is taken."""
        taken = self._taken
        while self._at < len(taken) and taken[self._at][1] <= start:
            self._at += 1
        return self._at >= len(taken) or taken[self._at][0] >= end
