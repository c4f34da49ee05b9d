"""Markdown as statements: each item of a list and each paragraph, with what belongs to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

#: An introduction with fewer characters says too little to be a statement with its list.
_SHORT = 25

_JOINED = ("fence", "code_block", "table_open", "blockquote_open")


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """One statement of a text."""

    text: str
    #: the first of its lines, from 1
    line: int
    #: the headings that it stands under, outermost first
    headings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Block:
    kind: str
    text: str
    line: int
    items: tuple[tuple[int, str], ...] = ()
    depth: int = 0


@dataclass(kw_only=True, slots=True)
class _Under:
    """The headings that the reader is under."""

    names: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def enter(self, depth: int, name: str) -> None:
        self.names = [one for one in self.names if one[0] < depth]
        self.names.append((depth, name))

    def path(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.names if name)


def statements(text: str) -> Iterator[Statement]:
    """The statements of a text in order. Comments and rules between parts are none."""
    under = _Under()
    blocks = list(_blocks(text))
    at = 0
    while at < len(blocks):
        block = blocks[at]
        at += 1
        if block.kind == "heading":
            under.enter(block.depth, block.text)
            continue
        if block.kind == "list":
            for line, item in block.items:
                yield Statement(text=item, line=line, headings=under.path())
            continue
        parts = [block.text]
        while at < len(blocks) and _belongs(blocks[at], parts):
            parts.append(blocks[at].text)
            at += 1
        yield _statement(parts, block, under.path())


def _belongs(block: _Block, parts: Sequence[str]) -> bool:
    """Whether a block goes with the paragraph before it."""
    if block.kind in _JOINED:
        return True
    introduces = parts[-1].rstrip().endswith(":") and len(parts[-1]) >= _SHORT
    return block.kind == "list" and introduces


def _statement(parts: Sequence[str], block: _Block, path: tuple[str, ...]) -> Statement:
    """A paragraph and what follows it; what stands alone takes its heading for a title."""
    text = "\n\n".join(parts)
    if block.kind in _JOINED and path:
        text = f"{path[-1]}\n{text}"
    return Statement(text=text, line=block.line, headings=path)


def _blocks(text: str) -> Iterator[_Block]:
    lines = text.split("\n")
    tokens = _parser().parse(text)
    for at, token in enumerate(tokens):
        if token.level or token.map is None or token.nesting < 0:
            continue
        start, end = token.map
        if token.type == "heading_open":
            name = tokens[at + 1].content.strip()
            yield _Block(kind="heading", text=name, line=start + 1, depth=int(token.tag[1:]))
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            yield _Block(
                kind="list",
                text=_source(lines, start, end),
                line=start + 1,
                items=tuple(_items(tokens, at, lines)),
            )
        elif token.type not in ("hr", "html_block", "inline"):
            source = _source(lines, start, end)
            if source:
                yield _Block(kind=token.type, text=source, line=start + 1)


def _parser() -> MarkdownIt:
    """Blocks alone: what stands inside of a line stays as it is written."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _items(tokens: Sequence[Token], at: int, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    for token in tokens[at + 1 :]:
        if token.level == 0:
            return
        if token.type == "list_item_open" and token.level == 1 and token.map is not None:
            start, end = token.map
            item = without_marker(lines[start:end])
            if item:
                yield start + 1, item


def without_marker(lines: Sequence[str]) -> str:
    """An item of a list without its bullet or number, its other lines moved left with it."""
    first = lines[0].lstrip() if lines else ""
    marker = len(first) - len(first.lstrip("0123456789")) + 1 if first[:1].isdigit() else 1
    text = first[marker:].lstrip()
    width = len(lines[0]) - len(text) if lines else 0
    rest = [line[min(width, len(line) - len(line.lstrip())) :] for line in lines[1:]]
    return "\n".join([text, *rest]).strip()


def _source(lines: Sequence[str], start: int, end: int) -> str:
    return "\n".join(lines[start:end]).strip("\n").rstrip()
