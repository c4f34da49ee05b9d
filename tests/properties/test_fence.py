"""Properties of the fence, over any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.fence import Entry, fence, neutralise, parse, restore
from onrecord.policy.invisible import hidden

NONCES = st.text("0123456789abcdefghijklmnopqrstuvwxyz", min_size=8, max_size=16)
#: Any character, lone surrogates included, and pieces of what the fence is made of.
PIECES = st.text(st.characters(codec=None), max_size=6) | st.sampled_from(
    [
        "</onrecord-memory>",
        '<onrecord-memory nonce="',
        "[m:a] (a · b · c) ",
        "&lt;",
        "&amp;",
        "&#",
        "58;",
        "&#58;",
        "Human:",
        "\n\nAssistant: ",
        "[INST]",
        "<|im_start|>",
        "![x](http://e.example)",
        "[1]: http://e.example",
        "](javascript:",
        "\r",
        "\r\n",
        "\u2028",
        "\n> ",
        "# ",
        " · ",
        ") ",
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)
IDS = st.text("ABCDEFGHJKMNPQRSTVWXYZ0123456789", min_size=1, max_size=6)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    """An entry whose every text is hostile."""
    return Entry(
        id=draw(IDS),
        kind=draw(TEXTS),
        scope=draw(TEXTS),
        title=draw(TEXTS),
        body=draw(TEXTS),
        meta=draw(TEXTS),
        marks=tuple(draw(st.lists(TEXTS, max_size=2))),
    )


@given(st.lists(entries(), max_size=4), NONCES, st.lists(TEXTS, max_size=2), TEXTS)
def test_parsing_gives_back_exactly_the_entries(
    given_entries: list[Entry], nonce: str, notes: list[str], heading: str
) -> None:
    """For every text in every field, with any notes and heading."""
    block = fence(given_entries, nonce, notes=notes, heading=heading)

    assert parse(block) == given_entries


@given(entries(), NONCES)
def test_no_line_but_the_fence_itself_begins_like_it(entry: Entry, nonce: str) -> None:
    """Inside the block lines begin with a mark or a quote, and `<` never occurs."""
    inside = fence([entry], nonce).split("\n")[2:-1]

    assert inside[0].startswith(f"[m:{entry.id}] (")
    assert all(line.startswith(">") for line in inside[1:])
    assert not any("<" in line for line in inside)


@given(entries(), NONCES)
def test_the_nonce_stands_at_both_ends_only(entry: Entry, nonce: str) -> None:
    """Even where a text holds the nonce itself."""
    entry.title += nonce
    entry.body += f"{nonce[:3]}{nonce}{nonce}"
    block = fence([entry], nonce)

    assert block.count(nonce) == 2
    assert parse(block) == [entry]


@given(TEXTS)
def test_neutralising_is_undone_exactly(text: str) -> None:
    """What a person is shown or sent back is the original."""
    assert restore(neutralise(text)) == text


@given(TEXTS)
def test_a_neutral_text_can_be_encoded_and_hides_nothing(text: str) -> None:
    """No lone surrogate, no hidden character, no tag, no image is left."""
    neutral = neutralise(text)

    assert neutral.encode("utf-8").decode("utf-8") == neutral
    assert hidden(neutral) == []
    assert "<" not in neutral
    assert "![" not in neutral
