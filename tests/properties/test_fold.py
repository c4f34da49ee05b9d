"""Properties of the normalisers, over any text."""

from __future__ import annotations

import unicodedata

from hypothesis import assume, given
from hypothesis import strategies as st

from onrecord.policy.fold import count_words, fold, same_key, sentences, skeleton, squash
from onrecord.policy.invisible import hidden, without_hidden
from onrecord.policy.screen import visible

TEXTS = st.text()
#: Text of the kind that people write, with markup, other scripts and hidden characters.
PROSE = st.lists(
    st.sampled_from(
        [
            *(
                "The harbour master may close pier 4.10 . , ! ? : ; - – * ** _ ` [ ] ( ) < > & #"
                " | 桟橋 は 修理中 。 année Straße Привет мир аrе е о 👩🏽‍💻 10² ½"
                " e.g. Dr. ``` ```sh - 1. 2) &lt; http://a.example/x?y=1 50% $5 C++ [x](y) <b>"
                " --flag -v 07:00 1,500 <!-- --> \u200b \u202e \U000e0041 \ufe0f e\u0301"
            ).split(" "),
            "\n",
            "\n\n",
            "\n- ",
            "\n```\n",
        ]
    ),
    max_size=25,
).map(" ".join)
LATIN = st.text("abcdefghijklmnopqrstuvwxyz ", min_size=1)
INVISIBLE = st.sampled_from(
    "\u200b\u200c\u200d\u2060\u00ad\ufeff\u202e\u2066\u200f\U000e0061\ufe00\u180e"
)


@given(TEXTS | PROSE)
def test_fold_gives_words_separated_by_single_spaces(text: str) -> None:
    """A folded text has no other white space, no capitals and nothing hidden."""
    folded = fold(text)

    assert folded == " ".join(folded.split())
    assert folded == folded.casefold()
    assert [c for c in folded if unicodedata.category(c) in {"Cc", "Cf", "Cs"}] == []


@given(TEXTS | PROSE)
def test_fold_and_key_ignore_unicode_form(text: str) -> None:
    """Composed and decomposed spellings of a text are one."""
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))

    assert fold(composed) == fold(decomposed)
    assert same_key(composed) == same_key(decomposed)


@given(LATIN, INVISIBLE, st.integers(min_value=0, max_value=40))
def test_an_invisible_character_anywhere_changes_nothing(text: str, char: str, at: int) -> None:
    """Wherever it is put, it is not there."""
    changed = text[:at] + char + text[at:]

    assert squash(fold(changed)) == squash(fold(text))
    assert same_key(changed) == same_key(text)


@given(LATIN)
def test_case_width_and_spaces_change_nothing_in_a_squashed_fold(text: str) -> None:
    """Capitals, full-width letters and doubled spaces are the same text."""
    wide = "".join(chr(ord(c) + 0xFEE0) if c != " " else "\u3000" for c in text)

    assert fold(text.upper()) == fold(text)
    assert fold(wide) == fold(text)
    assert squash(fold(text.replace("", " "))) == squash(fold(text))


@given(PROSE)
def test_the_key_ignores_what_fold_ignores_or_less(text: str) -> None:
    """Whatever the strict key joins with its own shouted, spaced form, fold joins too."""
    spaced = f"  {text}\n"
    assume(same_key(spaced) == same_key(text))

    assert squash(fold(spaced)) == squash(fold(text))


@given(TEXTS | PROSE)
def test_sentences_lose_no_word(text: str) -> None:
    """The letters of a text are those of its sentences, in order: nothing goes unread."""
    joined = "".join(sentences(text))

    assert [c for c in joined if c.isalpha()] == [c for c in text if c.isalpha()]
    assert all(sentence == sentence.strip() and sentence for sentence in sentences(text))


@given(TEXTS | PROSE)
def test_nothing_hidden_is_left(text: str) -> None:
    """Without hidden characters there are none; made visible there are none either."""
    assert hidden(visible(text)) == []
    assert hidden(without_hidden(text)) == []
    assert visible(visible(text)) == visible(text)


@given(PROSE)
def test_the_skeleton_of_a_skeleton_is_itself(text: str) -> None:
    """What a reader takes in is read the same again, where it holds no entity."""
    once = skeleton(text)
    assume("&" not in once)

    assert skeleton(once) == once


@given(TEXTS | PROSE)
def test_a_text_has_no_more_words_than_characters(text: str) -> None:
    """Counting words never exceeds the letters that make them."""
    folded = fold(text)

    assert 0 <= count_words(folded) <= len(folded.replace(" ", ""))
