"""A page for people shows every text letter for letter; nothing in one acts."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from onrecord.doors.cli.pages import escaped, fenced

_TEXTS = st.text(st.characters(codec="utf-8"), max_size=80) | st.text(
    "`~#*<>[]!|\\_ \n", max_size=60
)


@given(_TEXTS)
@example("```\n````\n")
@example("~~~")
def test_a_fenced_body_cannot_leave_its_block(text: str) -> None:
    """No line of it can close the fence, and without the fence it is the text."""
    first, *lines, last = fenced(text).split("\n")

    assert first == last + "text"
    assert set(last) == {"`"}
    assert not any(line.strip().startswith(last) for line in lines)


@given(_TEXTS)
@example("![x](http://evil.example)")
@example("<script>")
def test_an_escaped_line_is_one_line_of_plain_text(text: str) -> None:
    """Every character that means something stands behind a backslash, and all come back."""
    line = escaped(text)

    assert "\n" not in line
    plain = ""
    rest = iter(line)
    for char in rest:
        assert char not in "`*_[]<>#|~&"
        plain += next(rest) if char == "\\" else char
    if text.isascii() and text.isprintable():
        assert plain == " ".join(text.split())
