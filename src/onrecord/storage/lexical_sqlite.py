"""The match of a lexical query in FTS5, where nothing acts as syntax (light).

The index holds stems, so the beginning of a word may be longer than what it holds of the
word: `migrati` begins `migration`, which is indexed as `migrat`. A beginning therefore also
looks for what is left of it without the beginning of an English ending.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: Shortest stem that is looked for in place of a longer beginning: three letters where the
#: last one is doubled before the ending, four otherwise (`form` is not `for` with an ending).
_SHORTEST = 3
_LONGEST_ENDING = 11
_ENDINGS = (
    "ably ality alizations ally als ances ancy antly ants ates atively ationally ators edly"
    " ely ements encies ency ently ents ers eties fully fulness ibility ibly ically icates"
    " icating icity iest iness ingly ings ionally ions isms ists ities iveness ivity izations"
    " izers izes izing ized lessly mentally nesses ously ousness yed ying"
)
_BEGINNINGS = {ending[:n] for ending in _ENDINGS.split() for n in range(1, len(ending) + 1)}


def words(places: Iterable[str], terms: Iterable[str]) -> dict[str, str]:
    """The parameter `match`: any of the terms, in any of the places if there are some."""
    found: list[str] = []
    for term in terms:
        text = term.replace("\x00", " ")
        if not text.endswith("*"):
            found.append(_string(text))
        elif text[:-1].strip():
            found.append(_string(text[:-1]) + "*")
            found.extend(_string(stem) for stem in _stems(text[:-1]))
    if not found:
        return {"match": '""'}
    said = "{title body tags terms context}: (" + " OR ".join(found) + ")"
    within = " OR ".join([_string(place) for place in places])
    return {"match": f"{{place}}: ({within}) AND {said}" if within else said}


def _string(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _stems(word: str) -> list[str]:
    """What the stem of a longer word with this beginning can be."""
    found: list[str] = []
    low = word.lower()
    for length in range(max(_SHORTEST, len(low) - _LONGEST_ENDING), len(low)):
        stem, ending = low[:length], low[length:]
        # runni: the letter is doubled before the ending
        doubled = ending[0] == stem[-1] and (len(ending) == 1 or ending[1:] in _BEGINNINGS)
        plain = length > _SHORTEST and ending in _BEGINNINGS
        if (doubled or plain) and stem[-1].isalpha():
            found.append(stem)
    return found
