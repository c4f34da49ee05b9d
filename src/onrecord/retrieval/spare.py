"""Terms that cost a search much and find nothing that the others do not.

A phrase makes a store read where each of its words stands. One identifier gives several: as
written, its parts in a row, the end of a path. What stands next to a statement is looked for by
the fewest of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    #: The words of one term, as an index has them.
    Words = tuple[str, ...]


def without_spare(terms: Sequence[str]) -> list[str]:
    """The terms in their order, without phrases whose documents another term finds as well.

    Left out are `a_b` beside `ab`, under which it is indexed; a path beside the name at its end;
    `v1.2` beside `1.2`. Of `a-b` the words in a row stay, since prose writes them apart.
    """
    rows = {term: _words(term) for term in terms if not term.endswith("*")}
    phrases = [words for words in rows.values() if len(words) > 1]
    if not phrases:
        return list(terms)
    single = {words[0] for words in rows.values() if len(words) == 1}
    whole = [(one,) for one in {"".join(words) for words in phrases} & single]
    return [term for term in terms if not _is_spare(term, rows.get(term, ()), phrases, whole)]


def _is_spare(term: str, words: Words, phrases: Sequence[Words], whole: Sequence[Words]) -> bool:
    if len(words) < 2:  # noqa: PLR2004 - no phrase
        return False
    if "-" not in term and ("".join(words),) in whole:
        return True
    if words[0][0] == "v" and (words[0][1:], *words[1:]) in phrases:
        return True
    return any(_stands_in(one, words) for one in (*phrases, *whole))


def _stands_in(few: Words, many: Words) -> bool:
    """Whether all of them stand in a row among more."""
    size = len(few)
    return size < len(many) and any(
        many[at : at + size] == few for at in range(len(many) - size + 1)
    )


def _words(term: str) -> Words:
    return tuple("".join(c if c.isalnum() else " " for c in term.lower()).split())
