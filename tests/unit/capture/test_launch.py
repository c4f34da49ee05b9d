"""How agent CLIs are started with a pack."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.capture.agents import find
from onrecord.capture.agents.launch import PACK_OPENS, Launch, mark_of, pack_among, toml_string

PACK = f'{PACK_OPENS}nonce="ab">\n- the harbour is "cold"\n</onrecord-memory>'


def launch_of(name: str) -> Launch:
    """The launch of an agent CLI that has one."""
    spec = find(name)
    assert spec is not None
    assert spec.launch is not None
    return spec.launch


def test_claude_takes_the_pack_as_an_addition_to_its_system_prompt() -> None:
    """The pack is one argument, and the prompt comes last, behind `--`."""
    words = launch_of("claude-code").words(pack=PACK, prompt="-x go on", model="opus")

    assert words == (
        "claude",
        "--model",
        "opus",
        "--append-system-prompt",
        PACK,
        "--",
        "-x go on",
    )


def test_codex_takes_the_pack_as_developer_instructions() -> None:
    """The value is TOML that says exactly the pack, and a session goes on by its id."""
    words = launch_of("codex").words(pack=PACK, session="019f")

    assert words[:4] == ("codex", "resume", "019f", "-c")
    assert tomllib.loads(words[4]) == {"developer_instructions": PACK}


def test_a_client_without_instructions_gets_the_pack_in_its_first_message() -> None:
    """Pack first, then what a person would have typed."""
    plain = Launch(program="x", prompt=("-i",))

    assert plain.words(pack=PACK, prompt="go") == ("x", "-i", f"{PACK}\n\ngo")
    assert plain.words(pack=PACK) == ("x", "-i", PACK)
    assert plain.words() == ("x",)


def test_a_pack_is_found_among_arguments() -> None:
    """Also inside a TOML string; without one there is nothing."""
    codex = launch_of("codex")

    assert PACK_OPENS in pack_among(codex.words(pack=PACK))
    assert pack_among(codex.words(prompt="hello")) == ""


def test_no_argument_holds_a_nul() -> None:
    """A NUL, which no program can be given, is left out."""
    assert launch_of("claude-code").words(prompt="a\0b")[-1] == "ab"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_one_toml_string(text: str) -> None:
    """What is quoted reads back as it was."""
    assert tomllib.loads(f"x={toml_string(text)}") == {"x": text}


@pytest.mark.parametrize(
    ("word", "mark"),
    [
        (f'{PACK_OPENS}nonce="01AB">', "01AB"),
        (f'x="{PACK_OPENS}nonce=\\"01AB\\">\\nnonce=\\"02"', "01AB"),
        (f"Go on. {PACK_OPENS}nonce='ab'> {PACK_OPENS}nonce='cd'>", "ab"),
        (f"{PACK_OPENS}nonce=", ""),
        (f"{PACK_OPENS}other='ab'", ""),
        ("nothing of ours", ""),
        ("", ""),
    ],
)
def test_the_mark_of_a_pack_is_read_however_it_is_quoted(word: str, mark: str) -> None:
    """The first block's, up to what is neither letter nor digit."""
    assert mark_of(word) == mark
