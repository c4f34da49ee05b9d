"""A keyed sketch of what a text is about, for "similar to a rejected one" without its text.

The features of a text are its word stems without function words, order and inflection. A
sketch is the smallest of their keyed hashes, so that two sketches made with one key can be
compared and neither can be read. A rejected text's sketch is looked for in every passage of
a new text, since a lifted claim stands inside other words.
"""

from __future__ import annotations

import hmac
from unicodedata import category, normalize

from onrecord.policy.fold import fold, split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: Hashes kept, and bytes of each: at most 132 bytes a sketch with its header.
SKETCH_SIZE = 32
_HASH_BYTES = 4
#: Number of features (2 bytes), so that a sample is told from a whole.
_HEADER_BYTES = 2
_STEM_LENGTH = 7
_SHORT = 3
#: A passage longer than this is looked at in overlapping windows.
WINDOW = 40

#: Words that carry little of a claim in the languages most written here.
_FUNCTION_WORDS = frozenset(
    "a an the this that these those it its is are was were be been being am as at by for from in"
    " into of on onto or and to with will would shall should can could may might must do does did"
    " have has had get gets got if then than so but when while though although where which who"
    " whom whose there here we our you your they their he she his her i me my us them just also"
    " please only very more most such"
    " der die das den dem des ein eine einen einem einer und oder ist sind war wird werden wurde"
    " im am zum zur von vom mit für auf aus bei nach zu als wenn dass es er sie wir ihr man sich"
    " auch so noch nur"
    " le la les un une des du de et ou est sont au aux en dans sur pour par avec ce cette ces qui"
    " que se on il elle nous vous ils leur son sa ses si"
    " el los las una unos unas y o es son del al con por para su sus lo se que en como si"
    " o os as um uma e do da dos das no na nos nas em por com"
    " il i gli uno di del della dei e che per con nel nella"
    " het een en van op in voor met te dat".split()
)


def stems(folded: str) -> list[str]:
    """The features of a folded text: stems of content words, pairs of unspaced characters."""
    found: list[str] = []
    previous = ""
    for word in split_words(folded):
        if len(word) == 1 and category(word) == "Lo":
            if previous:
                found.append(previous + word)
            previous = word
            continue
        previous = ""
        if word not in _FUNCTION_WORDS:
            found.append(stem(word))
    return found


def stem(word: str) -> str:
    """A word without accents, transliterated umlauts and the commonest inflections."""
    if not word.isascii():
        parts = normalize("NFD", word)
        word = "".join(c for c in parts if category(c) != "Mn").replace("ø", "o").replace("æ", "a")
    for written, plain in (("ae", "a"), ("oe", "o"), ("ue", "u")):
        word = word.replace(written, plain)
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORT and word.isalpha():
            word = word[: -len(ending)]
            break
    if len(word) > _SHORT and word[-1] == word[-2] and word[-1] in "bdgklmnprt":
        word = word[:-1]
    if len(word) > _SHORT and word.isalpha():
        word = word.removesuffix("e").removesuffix("i").removesuffix("y")
    return word[:_STEM_LENGTH] if word.isalpha() else word


def features(key: bytes, folded: str) -> list[int]:
    """The keyed hash of each stem of a folded text, in order."""
    known: dict[str, int] = {}
    found: list[int] = []
    for one in stems(folded):
        if one not in known:
            digest = hmac.digest(key, b"onrecord stem\x00" + one.encode(), "sha256")
            known[one] = int.from_bytes(digest[:_HASH_BYTES], "big")
        found.append(known[one])
    return found


def sketch(key: bytes, text: str) -> bytes:
    """The sketch of a text, at most 130 bytes; b"" where it has no features."""
    return pack_sketch(features(key, fold(text)))


def pack_sketch(found: Iterable[int]) -> bytes:
    """A sketch of features that are at hand."""
    distinct = sorted(set(found))
    if not distinct:
        return b""
    size = min(len(distinct), 0xFFFF).to_bytes(_HEADER_BYTES, "big")
    return size + b"".join(n.to_bytes(_HASH_BYTES, "big") for n in distinct[:SKETCH_SIZE])


def unpack_sketch(packed: bytes) -> tuple[int, frozenset[int]]:
    """How many features the text had, and the kept hashes; (0, empty) for a damaged sketch."""
    body = packed[_HEADER_BYTES:]
    if not body or len(body) % _HASH_BYTES:
        return 0, frozenset()
    hashes = (body[at : at + _HASH_BYTES] for at in range(0, len(body), _HASH_BYTES))
    size = int.from_bytes(packed[:_HEADER_BYTES], "big")
    return size, frozenset(int.from_bytes(one, "big") for one in hashes)


def similarity(a: bytes, b: bytes) -> float:
    """The estimated share of features that two sketched texts have in common, 0 to 1."""
    left, right = unpack_sketch(a)[1], unpack_sketch(b)[1]
    if not left or not right:
        return 0.0
    union = sorted(left | right)
    if max(len(left), len(right)) == SKETCH_SIZE:
        union = union[:SKETCH_SIZE]
    return sum(n in left and n in right for n in union) / len(union)


def passages(found: Sequence[Sequence[int]]) -> list[frozenset[int]]:
    """What a sketch is looked for in: the whole first, each sentence, each pair, long ones cut."""
    cut = [frozenset(one for sentence in found for one in sentence)]
    for at, sentence in enumerate(found):
        cut.extend(_windows(sentence))
        if at + 1 < len(found):
            cut.extend(_windows([*sentence, *found[at + 1]]))
    return list(dict.fromkeys(piece for piece in cut if piece))


def is_similar(packed: bytes, found: Sequence[frozenset[int]]) -> bool:
    """Whether one of a text's `passages` carries the sketched claim, reordered or inflected.

    Three features at least; with three, all of them. Otherwise four fifths of the claim must
    be there, or three quarters in a passage that says little else.
    """
    size, kept = unpack_sketch(packed)
    if size < _FEWEST or not found or len(kept & found[0]) < _LARGELY * len(kept):
        return False
    longest = max(WINDOW, _MOST_DILUTED * size)
    return any(len(one) <= longest and _carries(size, kept, one) for one in found)


def _carries(size: int, kept: frozenset[int], passage: frozenset[int]) -> bool:
    shared = len(kept & passage) / len(kept)
    if size == _FEWEST:
        return shared == 1.0
    alike = shared * size / (size + len(passage) - shared * size)
    return shared >= _MOSTLY or (shared >= _LARGELY and alike >= _LITTLE_ELSE)


#: Calibrated on rejected texts, light rewordings and their neighbours.
_FEWEST = 3
_MOSTLY = 0.8
_LARGELY = 0.75
_LITTLE_ELSE = 0.6
_MOST_DILUTED = 3


def _windows(sentence: Sequence[int]) -> list[frozenset[int]]:
    if len(sentence) <= WINDOW:
        return [frozenset(sentence)]
    starts = range(0, len(sentence) - WINDOW // 2, WINDOW // 2)
    return [frozenset(sentence[start : start + WINDOW]) for start in starts]
