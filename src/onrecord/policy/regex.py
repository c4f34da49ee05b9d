"""RE2 with types, over texts: stored ones are read with no other regular expressions.

RE2's time is linear in the text, so no text can stall a write. Redaction runs it over bytes,
in `redact_scan`. `Pattern` compiles when it is first used, since importing RE2 and compiling
cost more than most texts need.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    class Match(Protocol):
        """Where a pattern was found."""

        def group(self, group: int | str = 0) -> str:
            """The text of a group; the whole by default."""
            ...

        def start(self, group: int = 0) -> int:
            """The offset of its first character."""
            ...

        def end(self, group: int = 0) -> int:
            """The offset after its last character."""
            ...

    class Compiled(Protocol):
        """What RE2 makes of an expression."""

        def search(self, text: str) -> Match | None:
            """The first find."""
            ...

        def finditer(self, text: str) -> Iterator[Match]:
            """Every find."""
            ...

        def sub(self, repl: Callable[[Match], str], text: str) -> str:
            """The text with its finds replaced."""
            ...


class Pattern:
    """A regular expression in RE2's syntax. Texts must be encodable: no lone surrogates."""

    __slots__ = ("_compiled", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._compiled: Compiled | None = None

    def search(self, text: str) -> Match | None:
        """The first place where it is found."""
        return self._engine().search(text)

    def finditer(self, text: str) -> Iterator[Match]:
        """Every place where it is found, without overlaps."""
        return self._engine().finditer(text)

    def replace(self, text: str, by: Callable[[Match], str]) -> str:
        """The text with every find replaced by what `by` makes of it."""
        return self._engine().sub(by, text)

    def _engine(self) -> Compiled:
        if self._compiled is None:
            self._compiled = _compile(self.source)
        return self._compiled


def _no_cache(**_options: Any) -> Any:
    def unchanged(function: Any) -> Any:
        return function

    return unchanged


def engine() -> Any:
    """RE2, loaded when it is first wanted: 2 ms.

    Of `functools`, which costs as much again, its module wants one cache, which nothing here
    needs: what is compiled is kept by whoever compiled it. So where `functools` is not loaded
    yet, as in a hook, a function that caches nothing stands in its place meanwhile.
    """
    if "re2" in sys.modules or "functools" in sys.modules:
        return __import__("re2")
    stand_in: Any = type(sys)("functools")
    stand_in.lru_cache = _no_cache
    sys.modules["functools"] = stand_in
    try:
        return __import__("re2")
    finally:
        del sys.modules["functools"]


def _compile(source: str) -> Compiled:
    re2 = engine()
    options = re2.Options()
    options.log_errors = False  # it would write to stderr, which the agent reads
    return re2.compile(source, options)  # type: ignore[no-any-return]  # RE2 comes without types
