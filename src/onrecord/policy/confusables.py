"""Letters of other scripts that look like Latin ones, and their folding (data and one rule).

Look-alikes are folded only where they pose as Latin: inside a word that also has Latin
letters, or in a text whose every letter of a foreign script is a look-alike. Russian and
Greek prose is left as it is, so that its words keep their case pairs and their meaning.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: Latin letters with code points of their own end here (Basic to Extended-B).
_LATIN_END = 0x250

#: Its other blocks: additions, ligatures, full-width, mathematical.
_LATIN_BLOCKS = (
    (0x1E00, 0x1EFF),
    (0xFB00, 0xFB06),
    (0xFF21, 0xFF5A),
    (0x1D400, 0x1D6A7),
)

#: One Latin letter, then the letters that are drawn like it (Cyrillic, Greek, Armenian,
#: Cherokee, Lisu, small capitals). Capitals and small letters are rows of their own.
_ROWS = (
    "aаɑαᴀ AАΑᎪᗅꓮ bЬƄƅʙвβь BВΒᏴꓐ cсϲᴄ CСϹᏟꓚ dԁᏧᴅԀ DᎠꓓ eеҽεᴇ EЕΕᎬꓰ fꜰƒϝ FϜꓝ"
    " gɡցɢ GԌᏀꓖ hһհʜн HНΗᎻҺꓧ iіıɩιɪᎥ IІΙӀꓲ jјϳȷյᴊ JЈᎫͿꓙ kкκᴋ KКΚᏦꓗ lӏǀʟƖ LᏞꓡ"
    " mмᴍ MМΜᎷϺꓟ nոηɴ NΝꓠ oоοօσᴏ OОΟՕꓳ pрρᴘ PРΡᏢꓑ qԛզ QԚ rгʀᴦꭇ RᎡᏒꓣƦ sѕꜱƽ SЅᏚՏꓢ"
    " tтτᴛ TТΤᎢꓔ uսυᴜ UՍꓴ vѵνᴠ VѴᏙꓦ wԝѡաωᴡ WԜᎳᏔꓪ xхχ XХΧꓫ yуүγʏყ YУҮΥꓬ zᴢ ZΖᏃꓜ"
).split(" ")

#: A foreign letter's code point to the Latin letter it is drawn like.
LOOKALIKES: dict[int, str] = {ord(c): row[0] for row in _ROWS for c in row[1:]}
LOOKALIKES.update({0x1F150 + n: chr(97 + n) for n in range(26)})  # white on black, round
LOOKALIKES.update({0x1F170 + n: chr(97 + n) for n in range(26)})  # white on black, square
LOOKALIKES.update({0x1F1E6 + n: chr(97 + n) for n in range(26)})  # regional indicators

_DRAWN_ALIKE = frozenset(map(chr, LOOKALIKES))

#: The same after case folding: what is left of a foreign word, wherever it stands.
LOWER_LOOKALIKES: dict[int, str] = {
    code: latin for code, latin in LOOKALIKES.items() if latin.islower()
}

#: Without letters of Latin alphabets themselves: Turkish ı is another letter than i.
STRICT_LOOKALIKES: dict[int, str] = {
    code: latin for code, latin in LOOKALIKES.items() if code >= _LATIN_END
}

#: Marks drawn like an ASCII mark that carries meaning in paths, hosts and commands.
MARKS: dict[int, str] = {
    **dict.fromkeys(map(ord, "⁄∕⧸╱"), "/"),
    **dict.fromkeys(map(ord, "∶︰꞉ː"), ":"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹘⁃˗➖"), "-"),
    **dict.fromkeys(map(ord, "’‘‛ʹʼʻˈ′ꞌ´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys(map(ord, "․‧·"), "."),
    **dict.fromkeys(map(ord, "‹〈˂"), "<"),
    **dict.fromkeys(map(ord, "›〉˃"), ">"),
    ord("∣"): "|",
    ord("ǃ"): "!",
}


def is_latin(char: str) -> bool:
    """True for a letter of the Latin script, full-width and mathematical ones included."""
    code = ord(char)
    if code < _LATIN_END:
        return char.isalpha()
    return any(first <= code <= last for first, last in _LATIN_BLOCKS)


def fold_lookalikes(text: str, *, strict: bool = False) -> str:
    """The text with posing foreign letters replaced by the Latin ones they are drawn like.

    `strict` leaves what may be meant: a lone Greek symbol (α), Latin's own variants (ı).
    """
    if text.isascii() or _DRAWN_ALIKE.isdisjoint(text):
        return text
    foreign = [c for c in text if ord(c) in LOOKALIKES or (c.isalpha() and not is_latin(c))]
    posing = [c for c in foreign if ord(c) in LOOKALIKES]
    everywhere = len(posing) == len(foreign) and any(is_latin(c) for c in text)
    table = STRICT_LOOKALIKES if strict else LOOKALIKES
    pieces: list[str] = []
    for run in _runs(text):
        symbol = strict and len(run) == 1 and "\u0370" <= run < "\u0400"
        poses = everywhere or any(is_latin(c) and ord(c) not in LOOKALIKES for c in run)
        pieces.append(run.translate(table) if poses and not symbol else run)
    return "".join(pieces)


def _runs(text: str) -> Iterator[str]:
    """The text cut into runs of letters and runs of everything else."""
    start, letters = 0, False
    for at, char in enumerate(text):
        is_letter = char.isalpha() or ord(char) in LOOKALIKES
        if is_letter is not letters:
            if at > start:
                yield text[start:at]
            start, letters = at, is_letter
    yield text[start:]
