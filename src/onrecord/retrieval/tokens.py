"""How many tokens a text costs a model, never too few (light).

No vocabulary is loaded: the estimate is a sum over pieces, each a bound for its kind. A known
word after a space is one token. A byte-pair encoder leaves no two neighbours apart that it can
join, which bounds what a run of letters costs; a digit run costs one per three; a character
of another script costs what it costs alone, at most its bytes. Sums of bounds are bounds, so
the estimate of a whole is never below the count of its parts written together.
"""

from __future__ import annotations

from onrecord.retrieval.everyday import EVERYDAY
from onrecord.retrieval.technical import TECHNICAL

#: Spaces in a row that one token holds.
_RUN_OF_SPACES = 64
#: Digits that one token holds.
_DIGITS = 3
#: Letter pairs that an encoder may not join.
_APART = frozenset(
    (
        "bq fj fz gj gk gq hj jg jv jw jx jy jz kq kx kz lq mz nq oq qf qg qj qk qo qv qy qz rj "
        "tj tq uq vq vz wq wv wz xg xh xj xk xq xu xv xw yf yj yq yv zg zj zq zr zv"
    ).split()
)
#: Pairs of capitals that it may not join.
_CAPITALS_APART = frozenset(
    (
        "BQ BZ CJ CQ CZ DQ DZ EJ EY FJ FQ FV FZ GJ GK GQ GZ HJ IY JF JG JH JL JN JQ JU JW JX JY "
        "JZ KJ KQ KU KX KZ LH LJ LQ LW LX LZ MZ NQ OJ OQ OY OZ PQ PZ QD QF QG QH QI QJ QK QO QV "
        "QW QX QY QZ RJ RQ RZ TJ TQ UH UJ UO UQ UW UZ VH VJ VQ VU VW VX VY VZ WJ WQ WU WV WY WZ "
        "XG XH XJ XK XN XO XQ XU XV XW XZ YB YD YF YH YI YJ YK YQ YR YU YV YX ZB ZC ZD ZG ZI ZJ "
        "ZK ZL ZM ZP ZQ ZS ZT ZU ZV"
    ).split()
)
#: Letter pairs that English is made of: words of these alone fall into few tokens.
_ENGLISH = frozenset(
    (
        "ab ac ad ag ai al am an ap ar as at ba be bl bu ca ce ch ci ck cl co cr ct da de di do "
        "ea ec ed ee ef ei el em en ep er es et ev ex ff fi fo ge gr ha he hi ho ia ib ic id ie "
        "ig il im in io ir is it iv ke la le li ll lo ls lt ly ma me mi mo mp na nc nd ne ng ni "
        "no ns nt oc od ol om on oo op or os ot ou ow pa pe pl po pr pt ra rc rd re ri rm ro rr "
        "rs rt sa sc se sh si sl so sp ss st su ta tc te th ti to tr ts tt tu ty ue ul un ur us "
        "ut va ve vi"
    ).split()
)
#: Code points beyond ASCII that cost one token each, as ranges in hexadecimal.
_SINGLE = """
a1-ac ae-b7 b9-c4 c7 c9 cd-ce d0-d1 d3 d6-d7 da dc df-f6 f8-fd 101 103 105 107 10d 110-111 113 119
11b 11f 12b 130-131 142 144 14d 151 153 159 15b 15f 161 163 165 16b 16f 171 17a 17c 17e 1a1 1b0 219
21b 3ac-3af 3b1-3b5 3b7-3bd 3bf-3c7 3c9 3cc 410-415 417-418 41a-424 426-427 42d 42f-44f 451 456
5d0-5d1 5d3-5d5 5d7 5d9 5dc 5de 5e0 5e2 5e8-5ea 60c 623 625 627-63a 641-64a 64e-652 6a9 6af 6cc 915
924 928 92a 92e 930 932 938-939 93e-941 947 94b 94d e01-e02 e04 e07-e08 e0a e13-e17 e19-e1c e1e
e21-e23 e25 e27 e2a-e2b e2d e30-e35 e37-e39 e40-e41 e43-e44 e47-e49 1ea1 1ea3 1ea5 1ea7 1ea9 1ead
1eaf 1eb7 1ebf 1ec1 1ec3 1ec7 1ec9 1ecb 1ecd 1ecf 1ed1 1ed3 1ed5 1ed7 1ed9 1edb 1edd 1edf 1ee3 1ee5
1ee7 1ee9 1eed 1eef 1ef1 2013-2014 2018-2019 201c-201e 2022 2026 2032 20ac 2122 2190-2193 2212 2500
2502 2550 2588 25a0 25cf 2605 3000-3002 300a-3011 3042 3044 3046 3048 304a-304d 304f 3051 3053-3059
305b 305d 305f-3061 3063-3064 3066-306b 306e-3070 307e-307f 3081-3082 3084 3088-308d 308f 3092-3093
30a2-30a4 30a6-30a8 30aa-30ab 30ad 30af-30b0 30b3 30b5 30b7-30bb 30bf-30c1 30c3 30c6-30cb 30d0-30d1
30d3-30d7 30da 30dd-30de 30e0-30e1 30e3 30e5 30e7 30e9-30ed 30f3 30fb-30fc
"""
#: Bit n is set where the code points n * 64 to n * 64 + 63 cost at most two tokens each: an
#: encoder has joined the two bytes that they begin with. Other ones below U+10000 cost three.
_PAIRED = int(
    "f1000000000000040000000000000000000000000320141a024500d17fe00c7c014d86ebc019ac3403af00000000"
    "00004800024f3ffc108fe0ffe7ce0201bf8f7c36fff63e31c3121ffff02bfff6ff1bff87e0bfb87bffebff000000"
    "00000000000000000000002f0000000073f203770c000000c000000937ffcff000000000",
    16,
)

#: Words that open sentences: one token with a capital, too.
_OPENERS = frozenset(
    (
        "This That They Then There These What When Where Which While With Your Have Here Just "
        "Keep Make Note Only Please Return Should Some Thanks Using After Before Because Also "
        "Always Each Every First From Good Great Hello However Into Look More Most Never Next "
        "None Once Other Same Since Such Take Test Than Their Thing Think Those Time Until Very "
        "Want Were Will Would Write Yeah True False Error File List Name Type Value Open Create "
        "January February March April June July August September October November December "
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Python English Returns Raise"
    ).split()
)
#: Known words of up to so many letters are one token without a space, too.
_SHORT = 3
#: Known words of up to so many letters are two tokens with a capital and without a space.
_MIDDLING = 7
#: Signs after a word, a token each.
_ENDS = ".,;:!?)"
_CONTRACTED = ("s", "d", "m", "t", "ll", "ve", "re")
#: Signs that rows are made of, several to a token.
_ROWS = "-=*#_./"
_ENDINGS = ("ers", "ions", "ing", "ed", "es", "er", "ly", "ion", "able", "al", "s", "d", "r", "y")

#: Some that cost one: they stand in every pack.
_FREQUENT = "·…"

_costs: dict[str, int] = {}


def count(text: str, seen: dict[str, int] | None = None) -> int:
    """Tokens that a text costs, at least; close for English, generous for everything else.

    Not below what the encodings cl100k and o200k make of it. Any string is accepted. `seen`
    keeps what lines cost, for a caller that counts much of the same text again.
    """
    known = {} if seen is None else seen
    total = -1
    for line in text.split("\n"):
        cost = known.get(line)
        if cost is None:
            cost = known[line] = _line(line)
        total += 1 + cost
    return total


def _line(line: str) -> int:
    total = 0
    gap = 0
    spaced = False
    for part in line.split(" "):
        if not part:
            gap += 1
        else:
            if gap:
                total += 1 + gap // _RUN_OF_SPACES
                gap = 0
            if spaced and _known(part):
                total += 1
            elif spaced and part[-1] in _ENDS and _known(part[:-1]):
                total += 2
            else:
                total += _stretch(part, spaced=spaced)
        spaced = True
    return total + (1 + gap // _RUN_OF_SPACES if gap else 0)


def _known(word: str) -> bool:
    return word in EVERYDAY or word in TECHNICAL


def _stretch(part: str, *, spaced: bool) -> int:
    """A stretch without spaces; `spaced` says that one stands before it."""
    total = 0
    at, end = 0, len(part)
    while at < end:
        char = part[at]
        stop = at + 1
        if not char.isascii():
            total += _cost(char) + (spaced and at == 0)
        elif char.isalpha():
            while stop < end and part[stop].isascii() and part[stop].isalpha():
                stop += 1
            total += _letters(part[at:stop], spaced=spaced and at == 0)
        elif char.isdigit():
            while stop < end and part[stop].isascii() and part[stop].isdigit():
                stop += 1
            total += -(-(stop - at) // _DIGITS) + (spaced and at == 0)
        else:
            stop = _sign_end(part, at)
            # a control character does not join the space before it
            total += 1 + (stop - at) // 4 * (part[at] == part[stop - 1]) + (spaced and char < " ")
        at = stop
    return total


def _sign_end(part: str, at: int) -> int:
    """Where a piece that begins with an ASCII sign ends: a sign, a row of one, or a 's."""
    char = part[at]
    stop = at + 1
    if char == "'" and at and part[at - 1].isalpha():
        while stop < len(part) and part[stop].isascii() and part[stop].isalpha():
            stop += 1
        return stop if part[at + 1 : stop] in _CONTRACTED else at + 1
    if char in _ROWS:
        while stop < len(part) and part[stop] == char:
            stop += 1
    return stop


def _letters(run: str, *, spaced: bool) -> int:
    """A run of ASCII letters: what its parts by case cost."""
    if run.isupper() and len(run) > 1:
        pairs = _pairs(run)
        return _unjoined([" " + run[0], *pairs] if spaced else pairs, _CAPITALS_APART)
    total = 0
    at, end = 0, len(run)
    while at < end:
        stop = at + 1
        while stop < end and run[stop].islower():
            stop += 1
        if run[at].islower():
            total += _lower(run[at:stop], spaced=spaced)
        else:
            total += _capital(run[at:stop], spaced=spaced)
        spaced = False
        at = stop
    return total


def _capital(word: str, *, spaced: bool) -> int:
    """A capital and the small letters after it."""
    small = word.lower()
    if len(word) == 1 or word in _OPENERS or (len(word) <= _SHORT and small in EVERYDAY):
        return 1 if spaced or len(word) <= _SHORT else 2
    if _known(small):
        return 2 if spaced or len(word) <= _MIDDLING else 3
    return 1 + _lower(word[1:], spaced=False)


def _lower(word: str, *, spaced: bool) -> int:
    if _known(word):
        return 1 if spaced or len(word) <= _SHORT else 2
    if _derived(word):
        return 3 if spaced else 4
    pairs = _pairs(word)
    if all(pair in _ENGLISH for pair in pairs):
        return (len(word) + 2) // 2
    return _unjoined([" " + word[0], *pairs] if spaced else pairs, _APART)


def _pairs(word: str) -> list[str]:
    return [word[at : at + 2] for at in range(len(word) - 1)]


def _derived(word: str) -> bool:
    """Whether a word is a known one and an ending."""
    if len(word) < 6:  # noqa: PLR2004 - short ones are cheap anyway
        return False
    for ending in _ENDINGS:
        if word.endswith(ending):
            base = word[: -len(ending)]
            return _known(base) or _known(base + "e")
    return False


def _unjoined(pairs: list[str], apart: frozenset[str]) -> int:
    """The most tokens that signs can fall into when no joinable pair is left apart."""
    # the most for what was seen so far: ending with a lone sign, or with a longer token
    before, single, longer = 0, 1, 0
    for pair in pairs:
        best = max(single, longer)
        single, longer = 1 + (best if pair in apart else longer), 1 + before
        before = best
    return max(single, longer)


def _cost(char: str) -> int:
    """What a character beyond ASCII costs by itself."""
    if char in _FREQUENT:
        return 1
    if not _costs:
        for span in _SINGLE.split():
            first, _, last = span.partition("-")
            for code in range(int(first, 16), int(last or first, 16) + 1):
                _costs[chr(code)] = 1
    known = _costs.get(char)
    if known is not None:
        return known
    code = ord(char)
    if code < 0x800 or (code < 0x10000 and _PAIRED >> (code >> 6) & 1):  # noqa: PLR2004
        return 2
    return 3 if code < 0x10000 or code >> 12 == 0x1F else 4  # noqa: PLR2004 - bytes in UTF-8
