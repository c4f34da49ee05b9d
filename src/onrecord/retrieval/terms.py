"""From text to terms: what a query looks for, and what the index holds beside the text (light).

Both sides are read by the same walk, so that what people type meets what was written: an
identifier is kept whole *and* split (camelCase, snake_case, paths, flags, versions), scripts
without spaces become pairs of characters, accents and spellings are folded, symbols become
words. Terms are plain words: a store quotes them, so no character of theirs is syntax. A term
with punctuation inside is a phrase of its words; a final `*` marks the beginning of a word.
"""

from __future__ import annotations

from onrecord.retrieval.stopwords import STOP, WEAK
from onrecord.retrieval.variants import joined, short_forms, thing, variants
from onrecord.retrieval.words import (
    RUN,
    SIGN,
    Piece,
    fold,
    fold_run,
    is_run,
    spellings,
    split_case,
    walk,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Characters that a query is read from; the rest of a longer one is ignored.
MAX_QUERY = 4_000
#: Longest single term, in characters; a longer one is cut and marked as a beginning.
MAX_TERM = 64
#: Words of an identifier that still count as one phrase; of a longer one the last ones do.
MAX_PHRASE = 6
#: Extra words that one document may add to its index entry.
MAX_EXTRA = 4_000
#: Where other spellings of a word stand: in a short text before words that say little.
BEHIND = 2.2
BEHIND_ALL = 3.0
#: A text with more units than this is prose to skim: no guesses at unfinished words.
SHORT = 8

_MONTHS = (
    "January February March April May June July August September October November December"
).split()


class Unit:
    """One thing that a query asks for: a word, an identifier, a run of an unspaced script."""

    __slots__ = ("also", "key", "open", "parts", "run", "seen", "verb", "weak", "whole")

    def __init__(self, whole: str, parts: list[str], *, run: bool = False, verb: str = "") -> None:
        #: as written
        self.whole = whole
        #: its words folded; one for a plain word, the pairs of an unspaced run
        self.parts = parts
        #: folded words in a row: what makes two units the same
        self.key = fold(whole) if run else " ".join(parts)
        self.run = run
        #: says little, such as `file` or `add`
        self.weak = not run and len(parts) == 1 and (parts[0] in WEAK or parts[0] in STOP)
        #: the text ended in the middle of it, perhaps
        self.open = False
        #: how often the text has it
        self.seen = 1
        #: other spellings of it, folded; two words or more stand in a row
        self.also = [] if run or len(parts) > 1 else variants(parts[0])
        #: of `set up`, which is the word setup: the verb, half of it
        self.verb = verb

    @property
    def compound(self) -> bool:
        """Whether several words are written as one: an identifier, a path, a version."""
        return len(self.parts) > 1 and not self.run


def read_units(text: str) -> list[Unit]:
    """What a query asks for, in the order of the text, each once; stop words are left out."""
    text = text[:MAX_QUERY]
    found: dict[str, Unit] = {}
    row = _neighbours(text)
    for at, unit in enumerate(row):
        if unit is None or (_says_nothing(unit) and not _is_month(row, at)):
            continue
        kept = found.setdefault(unit.key, unit)
        if kept is not unit:
            kept.seen += 1
            row[at] = kept
    last = row[-1] if row else None
    _join(row, short=len(found) <= SHORT)
    units = list(found.values())
    if last is not None and text[-1:].isalnum() and len(units) <= SHORT:
        last.open = True
        if not units:
            units = [last]
    return units


def _neighbours(text: str) -> list[Unit | None]:
    """The units of a text as they stand, verbs and their particles as one."""
    row: list[Unit | None] = []
    for piece in walk(text):
        unit = _unit(piece)
        before = row[-1] if row else None
        one, verb = thing(_plain(before), _plain(unit)) if before and unit else ("", "")
        if one and before:
            row[-1] = Unit(f"{before.whole} {piece.text}", [one], verb=verb)
        else:
            row.append(unit)
    return row


def _says_nothing(unit: Unit) -> bool:
    return not unit.run and all(part in STOP for part in unit.parts)


def _is_month(row: Sequence[Unit | None], at: int) -> bool:
    """Whether a unit is the month whose name is an idle word: `8 May`, `May 2023`."""
    unit = row[at]
    if unit is None or unit.whole != "May":
        return False
    return any(near is not None and near.key.isdigit() for near in row[max(0, at - 1) : at + 2])


def _plain(unit: Unit | None) -> str:
    """The folded word of a unit that is one as it was typed, or nothing."""
    return "" if unit is None or unit.run or unit.compound or unit.verb else unit.key


def _join(row: Sequence[Unit | None], *, short: bool) -> None:
    """Neighbours may be written as one (`data base`), or have a short form together.

    The first is tried in a short text only.
    """
    for first, second in zip(row, row[1:], strict=False):  # noqa: RUF007 - itertools costs
        left, right = _plain(first), _plain(second)
        if not left or not right or left in STOP or right in STOP:
            continue
        one = joined(left, right) if short else ""
        forms = short_forms(f"{left} {right}")
        for unit in (first, second):
            if unit is not None:
                unit.also += [form for form in (one, *forms) if form and form not in unit.also]


def terms_of(units: list[Unit], limit: int = 12) -> list[str]:
    """The terms that a query's units look for, most telling first, at most `limit`.

    Words that say little go first where there are too many, since what a search costs grows
    with the rows that match.
    """
    ranked: list[tuple[float, int, str]] = []
    crowded = len(units) > SHORT
    for at, unit in enumerate(units):
        base = _rank(unit, crowded=crowded)
        ranked += [(base + step, at, term) for step, term in _spelled(unit)]
        ranked += [(BEHIND_ALL if crowded else BEHIND, at, term) for term in _otherwise(unit)]
    ranked.sort()
    terms: dict[str, str] = {}
    for _, _, term in ranked:
        fitting = _fit(term)
        terms.setdefault(_sounds(fitting), fitting)
    return list(terms.values())[: max(limit, 0)]


def index_terms(title: str, body: str, author: str = "", recorded_day: str = "") -> str:
    """Extra words for an item's index entry: parts, pairs, spellings, who and when.

    `recorded_day` is a date such as 2026-11-30. Words that the databases' own tokenizers find
    in title and body by themselves are not repeated.
    """
    extra: dict[str, None] = {}
    for text in (title, body):
        for piece in walk(text):
            for term in _extra(piece):
                extra[term] = None
            if len(extra) >= MAX_EXTRA:
                break
    if author:
        extra[author] = None
        extra[" ".join(part for word in author.split() for part in split_case(word))] = None
    if recorded_day:
        extra[recorded_day] = None
        month = recorded_day[5:7]
        if month.isdigit() and 1 <= int(month) <= len(_MONTHS):
            extra[_MONTHS[int(month) - 1]] = None
    return " ".join(extra)


def _unit(piece: Piece) -> Unit | None:
    if piece.kind == RUN:
        pairs = _pairs(fold_run(piece.text))
        kept = [pair for pair in pairs if pair not in STOP] or pairs
        return Unit(piece.text, kept, run=True)
    if piece.kind == SIGN:
        return Unit(piece.text, list(piece.words), run=True)
    parts = [fold(part) for word in piece.words for part in split_case(word)]
    if len(parts) == 1 and len(parts[0]) < 2 and not parts[0].isdigit():  # noqa: PLR2004
        return None
    return Unit(piece.text, parts)


def _pairs(run: str) -> list[str]:
    """Neighbouring characters, two by two; a single character stands for itself."""
    if len(run) == 1:
        return [run]
    return list(dict.fromkeys(run[at : at + 2] for at in range(len(run) - 1)))


def _rank(unit: Unit, *, crowded: bool) -> float:
    """Smaller is more telling. In a long text, what is said twice or at length tells more."""
    if unit.run or unit.compound or not unit.key.isalpha():
        base = 0.0
    else:
        base = 2.0 if unit.weak else 1.0
    if crowded:
        base -= 0.2 * min(unit.seen - 1, 2) + 0.02 * min(len(unit.key), 15)
    return base


def _spelled(unit: Unit) -> list[tuple[float, str]]:
    """The terms of one unit, each with a step that says how far behind it may stand."""
    if unit.run:
        return _spelled_run(unit)
    if unit.compound:
        found = _spelled_compound(unit)
    else:
        found = [(0.0, word) for word in ([unit.key] if unit.verb else spellings(unit.whole))]
        found += [(1.4, stem + "*") for stem in _stems(unit.key)]
    if unit.open:
        found += _unfinished(unit)
    return found


def _otherwise(unit: Unit) -> list[str]:
    """The terms of a unit's other spellings, and of those of an identifier's parts."""
    found = list(unit.also)
    if unit.compound:
        for part in unit.parts:
            forms = variants(part)
            found += [part, *forms] if forms else []
    rows = ["_".join(_pairs(form) if is_run(form) else form.split()) for form in found]
    return rows + ([unit.verb] if unit.verb else [])


def _spelled_run(unit: Unit) -> list[tuple[float, str]]:
    if len(unit.parts[0]) == 1:
        return [(0.0, unit.parts[0] + "*")]
    return [(_endings(pair), pair) for pair in unit.parts]


def _endings(pair: str) -> float:
    """Hiragana mostly spells endings: the more of it, the less a pair says."""
    return sum(1.0 for char in pair if "\u3040" <= char <= "\u309f")


def _spelled_compound(unit: Unit) -> list[tuple[float, str]]:
    parts = unit.parts[-MAX_PHRASE:]
    phrase = "_".join(parts)
    found = [(0.0, unit.whole if len(unit.parts) <= MAX_PHRASE else phrase), (0.1, phrase)]
    if "," in unit.whole or not any(mark in unit.whole for mark in "/\\.:@"):
        found.append((0.2, "".join(parts)))
    tail = unit.whole.replace("\\", "/").rpartition("/")[2]
    found.append((0.3, tail))
    if unit.whole[:1] in "vV" and unit.parts[1].isdigit():
        found.append((0.3, unit.whole[1:]))
    found += [
        (2.5 if part in WEAK else 1.5, part)
        for part in unit.parts
        if part.isalpha() and len(part) > 2 and part not in STOP  # noqa: PLR2004 - too short
    ]
    return found


def _unfinished(unit: Unit) -> list[tuple[float, str]]:
    """Beginnings for a last word that may go on.

    The engine stems whole words, so a long beginning can be longer than the stem it should
    find (`certificati` and `certif`): a shorter beginning is tried as well.
    """
    last = unit.parts[-1]
    stump = unit.whole if unit.compound else unit.key
    if len(last) < 3 and not (unit.compound and len(stump) > 2):  # noqa: PLR2004
        return []
    found = [(0.5, stump + "*")]
    if unit.compound:
        found.append((0.5, "_".join(unit.parts) + "*"))
    short = last[: max(5, len(last) * 6 // 10)]
    if last.isascii() and last.isalpha() and len(short) < len(last):
        found.append((1.5, short + "*"))
    return found


def _stems(word: str) -> list[str]:
    """A beginning of a long word, for languages whose endings the engine does not know."""
    if not word.isalpha():
        return []
    size = len(word)
    if word.isascii():
        return [word[:-2]] if size >= 10 else []  # noqa: PLR2004 - long words only
    if size < 5:  # noqa: PLR2004 - too short to cut
        return []
    return [word[: -3 if size >= 8 else -2 if size >= 6 else -1]]  # noqa: PLR2004


def _extra(piece: Piece) -> list[str]:
    """What one piece adds to the index."""
    if piece.kind == RUN:
        run = fold_run(piece.text)
        return [*_pairs(run), run[-1]] if len(run) > 1 else [run]
    if piece.kind == SIGN:
        return [piece.words[0]]
    found = list(piece.words) if piece.touching else []
    for word in piece.words:
        parts = split_case(word)
        if len(parts) > 1:
            found.append(" ".join(fold(part) for part in parts))
        if not word.isascii():
            found += [form for form in spellings(word) if not _engine_folds(word, form)]
    if len(piece.words) > 1:
        found += _joined(piece)
    return found


def _engine_folds(word: str, form: str) -> bool:
    """Whether the engine's own tokenizer makes that form of the word."""
    return form.isascii() and len(form) == len(word) and max(word) < "\u0250"


def _joined(piece: Piece) -> list[str]:
    """`stop-board` as stopboard, `2,400` as 2400, `v1.2` as 1.2."""
    found: list[str] = []
    if "".join(piece.words).isdigit():
        if "," in piece.text:
            found.append("".join(piece.words))
    else:
        found += [
            fold(segment.replace("-", "").replace("_", ""))
            for segment in _segments(piece.text)
            if len(segment) <= MAX_TERM and ("-" in segment or "_" in segment)
        ]
    if piece.text[:1] in "vV" and piece.words[0][1:].isdigit():
        found.append(piece.text[1:])
    return found


def _segments(text: str) -> list[str]:
    for joiner in "/\\:@#+$,":
        text = text.replace(joiner, ".")
    return text.split(".")


def _sounds(term: str) -> str:
    """What an engine makes of a term, roughly: two terms that sound alike find the same."""
    if term.isalnum():
        return term.lower()
    return " ".join("".join(c if c.isalnum() or c == "*" else " " for c in term.lower()).split())


def _fit(term: str) -> str:
    """A term of bearable length."""
    return term if len(term) <= MAX_TERM else term[: MAX_TERM - 1] + "*"
