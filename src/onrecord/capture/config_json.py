"""Edits to JSON settings that a person keeps: put one entry in, take it out again.

The text is edited, never written anew: comments, trailing commas, order, indentation, line
ends and a byte order mark stay. Taking out what was put in gives back the same bytes, and no
record is needed for that, because the shape of what was put in tells what stood there before:

- a container that was made for an entry has white space after its opening bracket and goes
  with its last entry; in one that stood there empty, the first entry follows the bracket
  directly, and the container stays;
- a file that was made begins with a line break inside its object and goes with it; in one
  that stood there blank, the object begins with a single space.

What a client itself writes in between is read as if made for the entry. Either way the
settings mean the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from onrecord.capture.jsonc import WHITE, Json, Node, member, read
from onrecord.domain.errors import ConfigInvalid


def put_member(text: str | None, path: Sequence[str], key: str, value: Json) -> str:
    """The text with `key: value` at the end of the object at `path`, made where it is missing.

    None stands for a file that does not exist. Raises `ConfigInvalid` where something else
    than an object stands in the way. The member must not be there yet.
    """
    return _put(text, list(path), "{", key, value)


def put_element(text: str | None, path: Sequence[str], value: Json) -> str:
    """The text with `value` at the end of the array at `path`, made where it is missing."""
    return _put(text, list(path), "[", "", value)


def replace(text: str, node: Node, value: Json) -> str:
    """The text with another scalar in the node's place."""
    return text[: node.start] + _scalar(value) + text[node.end :]


def take_out(text: str, trail: Sequence[int]) -> str | None:
    """The text without the entry at a trail of indices from the root down.

    Containers that were made for it go with it; None when the file does. Of several
    entries, take the last one out first: then their trails stay right.
    """
    for depth in range(len(trail) - 1, -1, -1):
        container = _descend(text, trail[:depth])
        made = _was_made(text, container)
        shorter = _cut(text, container, trail[depth])
        end = container.end - (len(text) - len(shorter))
        text, inside = shorter, shorter[container.start + 1 : end - 1]
        if not made or inside.strip(WHITE):
            return text
        if depth == 0:
            return _without_root(text, text[: container.start] + text[end:], made)
    return text


def _put(text: str | None, path: list[str], kind: str, key: str, value: Json) -> str:
    root = read(text) if text is not None else None
    if text is None or root is None:
        layout = _Layout(newline=_newline(text or ""))
        body = _body(layout, path, kind, key, value, layout.unit)
        if text is None:
            return (
                "{" + layout.newline + layout.unit + body + layout.newline + "}" + layout.newline
            )
        return text + "{ " + body + layout.newline + "}"
    node, missing = root, path
    while missing and (entry := member(node, missing[0])):
        node, missing = entry.value, missing[1:]
        if node.kind != ("{" if missing else kind):
            line = text.count("\n", 0, node.start) + 1
            raise ConfigInvalid(details={"line": line, "member": entry.key})
    layout = _layout(text, root, node)
    body = _body(layout, missing, kind, key, value, layout.indent)
    return _insert(text, node, layout, body)


def _insert(text: str, node: Node, layout: _Layout, body: str) -> str:
    last = node.entries[-1] if node.entries else None
    comma = "," if last and last.comma < 0 else ""
    after = "," if last and last.comma >= 0 else ""
    anchor = node.start + 1
    if last:
        anchor = last.value.end if comma else last.comma + 1
    kept = text[anchor : node.end - 1].rstrip(WHITE)
    between = layout.newline + layout.indent
    if not layout.spread:  # then no line comment stands here either
        between = layout.space
    if not last and not kept:
        between = ""
    rest = text[anchor + len(kept) :]
    return text[:anchor] + comma + kept + between + body + after + rest


def _cut(text: str, container: Node, index: int) -> str:
    entry = container.entries[index]
    end = entry.value.end
    if entry.comma >= 0 and index + 1 < len(container.entries):
        following = container.entries[index + 1].start
        if not text[end:following].strip(WHITE + ","):
            return text[: entry.start] + text[following:]
    start = len(text[: entry.start].rstrip(WHITE))
    if entry.comma >= 0:
        return text[:start] + text[end : entry.comma] + text[entry.comma + 1 :]
    before = container.entries[index - 1].comma if index else -1
    if before < 0:
        return text[:start] + text[end:]
    return text[:before] + text[before + 1 : start] + text[end:]


def _was_made(text: str, container: Node) -> str:
    """The white space that shows a container to be made for its first entry; else nothing."""
    lead = text[container.start + 1 : container.entries[0].start]
    return "" if lead.strip(WHITE) else lead


def _without_root(text: str, outside: str, lead: str) -> str | None:
    if outside.strip(WHITE + "\ufeff"):
        return text
    return outside if "\n" not in lead else None


def _descend(text: str, trail: Sequence[int]) -> Node:
    node = read(text)
    for index in trail:
        node = node.entries[index].value if node else None
    if node is None:
        raise ConfigInvalid
    return node


@dataclass(frozen=True, kw_only=True, slots=True)
class _Layout:
    """How the text around an entry is laid out."""

    newline: str = "\n"
    unit: str = "  "
    #: indentation of entries of the container at hand
    indent: str = "  "
    #: whether its entries stand on lines of their own
    spread: bool = True
    #: what follows a comma or colon on one line
    space: str = " "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _layout(text: str, root: Node, node: Node) -> _Layout:
    first = _own_line(text, root.entries[0].start) if root.entries else None
    unit = first or "  "
    around = node if node.entries else root
    indents = [_own_line(text, entry.start) for entry in reversed(node.entries)]
    line = text[: node.start].rpartition("\n")[2]
    base = line[: len(line) - len(line.lstrip(" \t\ufeff"))].lstrip("\ufeff")
    inside = text[node.start + 1 : node.end - 1]
    below = base + unit if inside.strip(WHITE) else base
    return _Layout(
        newline=_newline(text),
        unit=unit,
        indent=next((indent for indent in indents if indent is not None), below),
        spread="\n" in text[around.start : around.end] or not root.entries,
        space=" " if '": ' in text or not root.entries else "",
    )


def _own_line(text: str, at: int) -> str | None:
    """The indentation before `at`; None where something else stands before it on its line."""
    line = text[:at].rpartition("\n")[2]
    return None if line.strip(" \t") or "\n" not in text[:at] else line


def _body(layout: _Layout, path: list[str], kind: str, key: str, value: Json, indent: str) -> str:
    """The entry as text, inside the containers that are missing on the way to it."""
    name = path[0] if path else key
    label = _scalar(name) + ":" + (layout.space or "") if path or kind == "{" else ""
    if not path:
        return label + _rendered(layout, value, indent)
    opening = "{" if len(path) > 1 else kind
    closing = "}" if opening == "{" else "]"
    deeper = indent + layout.unit
    inner = _body(layout, path[1:], kind, key, value, deeper)
    if not layout.spread:
        return f"{label}{opening} {inner}{closing}"
    newline = layout.newline
    return f"{label}{opening}{newline}{deeper}{inner}{newline}{indent}{closing}"


def _rendered(layout: _Layout, value: Json, indent: str) -> str:
    if not layout.spread:
        separators = ("," + layout.space, ":" + layout.space)
        return json.dumps(value, ensure_ascii=False, separators=separators)
    text = json.dumps(value, ensure_ascii=False, indent=layout.unit)
    return text.replace("\n", layout.newline + indent)


def _scalar(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
