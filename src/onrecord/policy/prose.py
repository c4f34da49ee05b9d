"""Where one sentence of an item ends and the next begins, in prose and in Markdown."""

from __future__ import annotations

#: Words that end in a stop without ending a sentence, as written before the stop.
_ABBREVIATIONS = frozenset(
    "e.g i.e eg ie etc vs cf al approx no nr fig sec ch dr mr mrs ms prof st jr sr inc ltd co"
    " dept est max min ver incl excl resp ref jan feb mar apr jun jul aug sep sept oct nov dec"
    " mon tue wed thu fri sat sun z.b d.h u.a bzw ca evtl ggf inkl usw vgl abb str std tel"
    " p.ex env av m mme mlle art ej p.ej sra dra pág núm ud uds bijv d.w.z enz blz ecc sig".split()
)
_STOPS = frozenset(".!?…")
#: These end a sentence wherever they stand: the scripts that use them write no space after.
_WIDE_STOPS = frozenset("。！？｡．।॥။።؟۔")
_CLOSERS = frozenset("\"'”’»)]}*_`」』）】〉》")
_TABLE_RULE = frozenset("|-: ")


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order, without list, quote, heading and table markers.

    Soft line breaks are joined; a list item, a table cell, a heading, a line of a code block
    and the inside of an HTML comment each stand alone.
    """
    found: list[str] = []
    for block in blocks(text):
        found.extend(_split(block))
    return found


def blocks(text: str) -> list[str]:
    """The paragraphs, list items, cells, headings and code lines of a Markdown text."""
    found: list[str] = []
    paragraph: list[str] = []
    in_code = quoted = False
    numbered = sum(_is_numbered(line.strip()) for line in text.split("\n")) > 1
    for line in text.replace("<!--", "\n\n").replace("-->", "\n\n").splitlines():
        bare = line.strip()
        inner = unquote(bare)
        is_fence = inner.startswith(("```", "~~~"))
        content, starts = _content(inner, numbered=numbered)
        if in_code or is_fence or not inner or starts or quoted != (inner != bare):
            _flush(paragraph, found)
        quoted = inner != bare
        if is_fence:
            in_code = not in_code
            found.append(inner.strip("`~ "))
        elif in_code:
            found.append(inner)
        elif "|" in inner and (inner.startswith("|") or inner.count("|") > 1):
            _flush(paragraph, found)
            if not set(inner) <= _TABLE_RULE:
                found.extend(cell.strip() for cell in inner.split("|"))
        else:
            paragraph.append(content)
            if inner.startswith("#"):
                _flush(paragraph, found)
    _flush(paragraph, found)
    return [block for block in found if block]


def unquote(line: str) -> str:
    """A line without the `>` of a Markdown quotation, however deep."""
    while line.startswith(">"):
        line = line[1:].lstrip()
    return line


def unmark(text: str) -> str:
    """A text with its lines' list, check-box, heading and quotation markers dropped."""
    lines = [unquote(line.strip()) for line in text.split("\n")]
    numbered = sum(_is_numbered(line) for line in lines) > 1
    return "\n".join(_content(line, numbered=numbered)[0] for line in lines)


def unnumbered(text: str) -> str:
    """A text without a number at its start that may be a list's, or may be a date's."""
    bare = text.lstrip()
    return bare.partition(" ")[2].lstrip() if _is_numbered(bare) else text


def _content(line: str, *, numbered: bool) -> tuple[str, bool]:
    """A line without its list or heading marker, and whether it begins a block."""
    marker, _, rest = line.partition(" ")
    rest = rest.lstrip()
    if not rest:
        return line, False
    if marker in {"-", "*", "+", "•", "–", "·"}:
        # A sign before a number belongs to the number.
        if marker in "-+" and rest[0].isdigit():
            return line, True
        return _unchecked(rest), True
    if marker.strip("#") == "":
        return rest.rstrip("# "), True
    if _is_numbered(line) and (numbered or marker[-1] == ")"):
        return _unchecked(rest), True
    return line, False


def _is_numbered(line: str) -> bool:
    """Whether a line looks like an item of a numbered list; alone it may be a date (3. Mai)."""
    marker = line.partition(" ")[0]
    return 1 < len(marker) <= 4 and marker[-1] in ".)" and marker[:-1].isdecimal()  # noqa: PLR2004


def _unchecked(item: str) -> str:
    return item[4:].lstrip() if item[:4].lower() in {"[ ] ", "[x] "} else item


def _flush(paragraph: list[str], found: list[str]) -> None:
    if paragraph:
        found.append(" ".join(paragraph).strip())
        paragraph.clear()


def _split(block: str) -> list[str]:
    found: list[str] = []
    start = at = 0
    while at < len(block):
        char = block[at]
        at += 1
        if char not in _STOPS and char not in _WIDE_STOPS:
            continue
        wide = char in _WIDE_STOPS
        while at < len(block) and (block[at] in _STOPS or block[at] in _WIDE_STOPS):
            at += 1
        stop = at
        while at < len(block) and block[at] in _CLOSERS:
            at += 1
        if wide or _ends_sentence(block, start, stop, at):
            found.append(block[start:at].strip())
            start = at
    found.append(block[start:].strip())
    return [sentence for sentence in found if sentence]


def _ends_sentence(block: str, start: int, stop: int, after: int) -> bool:
    """Whether the stop that ends at `stop` (closing marks up to `after`) ends a sentence."""
    if after < len(block) and not block[after].isspace():
        return False
    rest = block[after:].lstrip()
    if rest and (rest[0].islower() or rest[0].isdigit()) and block[stop - 1] == ".":
        return False
    if block[stop - 1] != "." or not rest:
        return True
    words = block[start : stop - 1].split()
    last = words[-1].strip("\"'(*_`[").lower() if words else ""
    # A number that begins a sentence is an ordinal (3. Mai), not all of it.
    if len(words) == 1 and last.isdecimal():
        return False
    return last not in _ABBREVIATIONS and not (len(last) == 1 and last.isalpha())
