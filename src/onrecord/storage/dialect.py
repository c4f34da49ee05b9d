"""The few places where the two databases spell the same query differently (light)."""

from __future__ import annotations

from onrecord.storage import lexical_sqlite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class Dialect:
    """How one database writes what the query files leave open.

    The files are written for both: `:name` for a parameter, `each(x)` for the strings of a
    JSON list as a table with the column `value`, `each_hex(x)` for the same as bytes, and
    `position(text, part)` for where a part begins, 0 for nowhere.
    """

    __slots__ = ("lexical", "macros", "name", "parameters", "sampled", "words")

    def __init__(
        self,
        *,
        name: str,
        macros: Mapping[str, str],
        words: Callable[[Iterable[str], Iterable[str]], Mapping[str, str]],
        parameters: Callable[[str], str] | None = None,
        sampled: bool = False,
    ) -> None:
        self.name = name
        #: macro -> what it becomes, with `?` for what stands in its brackets
        self.macros = macros
        #: the parameters of a lexical query by places and terms, as inert data
        self.words = words
        #: rewrites `:name` to the driver's own form; None where that is it
        self.parameters = parameters
        #: whether a sample of the index decides if a match names its places
        self.sampled = sampled
        #: the file that holds the queries of its lexical index
        self.lexical = "lexical_" + name

    def spell(self, text: str) -> str:
        """A query of the files as this database's driver takes it."""
        for macro, form in self.macros.items():
            if macro + "(" in text:
                text = _expanded(text, " " + macro + "(", " " + form)
        return self.parameters(text) if self.parameters else text


def _expanded(text: str, macro: str, form: str) -> str:
    head, *rest = text.split(macro)
    for part in rest:
        argument, _, tail = part.partition(")")
        head += form.replace("?", argument) + tail
    return head


SQLITE = Dialect(
    name="sqlite",
    macros={
        "each": "(SELECT value FROM json_each(?))",
        "each_hex": "(SELECT unhex(value) AS value FROM json_each(?))",
        "position": "instr(?)",
        "last_four": "substr(?, -4)",
    },
    words=lexical_sqlite.words,
    sampled=True,
)
