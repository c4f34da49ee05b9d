"""Screening: what a text tries to do to the model that will read it, and to the screen.

The gateway holds a flagged text as proposed, whoever wrote it. Hidden characters become
visible marks (`⟦U+200B⟧`), so that a person reviews what is there and no model reads what a
person cannot see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from onrecord.policy.instructions import find_instructions
from onrecord.policy.invisible import hidden
from onrecord.policy.markup import find_markup

__all__ = ["Screening", "Verdict", "judge", "screen", "title_problem", "visible"]

Verdict = Literal["allow", "strip", "quarantine", "block"]

_SHOWN_CODES = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Screening:
    """What screening found in an item."""

    #: `hidden.<class>`, `markup.<what>` and `instructs.<what>`, each once; empty = clean
    flags: tuple[str, ...]
    #: the title with hidden characters shown as marks; the same object where there are none
    visible_title: str
    #: the body likewise
    visible_body: str


def screen(title: str, body: str) -> Screening:
    """Screens a title and a body, together and apart."""
    shown_title, hidden_in_title = _show(title)
    shown_body, hidden_in_body = _show(body)
    text = f"{title}\n\n{body}" if body else title
    readable = text.encode("utf-8", "replace").decode("utf-8")
    flags = [
        *sorted(hidden_in_title | hidden_in_body),
        *find_markup(readable),
        *find_instructions(readable),
    ]
    return Screening(
        flags=tuple(dict.fromkeys(flags)), visible_title=shown_title, visible_body=shown_body
    )


def title_problem(title: str) -> str | None:
    """Why a title cannot stand as it is: line breaks or hidden characters; None where it can.

    The sentence names code points and counts, never the text.
    """
    breaks = sum(char in "\n\r\t\v\f\u0085\u2028\u2029" for char in title)
    if breaks:
        return f"A title is one line; this one holds {breaks} line breaks or tabs."
    found = hidden(title)
    if not found:
        return None
    codes = list(dict.fromkeys(_code(title[at]) for at, _ in found))
    more = ", …" if len(codes) > _SHOWN_CODES else ""
    return (
        f"A title holds no hidden characters; this one has {len(found)} of them"
        f" ({', '.join(codes[:_SHOWN_CODES])}{more})."
    )


def visible(text: str) -> str:
    """The text with each hidden character replaced by a mark such as ⟦U+200B⟧."""
    return _show(text)[0]


def judge(text: str) -> tuple[Verdict, str]:
    """One text's verdict, and the text as it would be stored.

    allow: clean, the text is unchanged. strip: it only held hidden characters, which are now
    visible marks. quarantine: it acts on a model or a renderer; held for a person.
    """
    screening = screen("", text)
    if not screening.flags:
        return "allow", text
    if all(flag.startswith("hidden.") for flag in screening.flags):
        return "strip", screening.visible_body
    return "quarantine", screening.visible_body


def _show(text: str) -> tuple[str, set[str]]:
    found = hidden(text)
    if not found:
        return text, set()
    pieces: list[str] = []
    start = 0
    for at, _ in found:
        pieces += [text[start:at], f"⟦{_code(text[at])}⟧"]
        start = at + 1
    pieces.append(text[start:])
    return "".join(pieces), {f"hidden.{name}" for _, name in found}


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"
