"""The walk that queries and the index share."""

from __future__ import annotations

import time

import pytest

from onrecord.retrieval.words import fold, fold_run, spellings, split_case, walk


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Use pnpm here.", ["Use", "pnpm", "here"]),
        ("`GK_HSM_SLOT`, (src/app.ts):", ["GK_HSM_SLOT", "src/app.ts"]),
        ("--dry-settle -v", ["dry-settle", "v"]),
        ("stop... now", ["stop", "now"]),
        ("2,400 taps, 3, 4", ["2,400", "taps", "3", "4"]),
        ("std::vector https://a.example/x", ["std::vector", "https", "a.example/x"]),
        (
            "title:lantern at 03:15 file.py:12",
            ["title", "lantern", "at", "03:15", "file.py", "12"],
        ),
        ("JDK的版本", ["JDK", "的版本"]),
        ("🚋 tram⚠️", ["🚋", "tram", "⚠"]),
        ("C++ and C#, .NET", ["cpp", "and", "csharp", "dotnet"]),
        ("it's l’arrêt", ["it", "s", "l", "arrêt"]),
        ("", []),
        ("?!\x00\u200b\ud800", []),
    ],
)
def test_walk_cuts_text_into_pieces(text: str, pieces: list[str]) -> None:
    """Words, identifiers, runs and symbols come out as written, punctuation does not."""
    assert [piece.text for piece in walk(text)] == pieces


def test_words_of_an_identifier_are_split_at_punctuation() -> None:
    """A path keeps its words in order."""
    (piece,) = walk("src/app_test.ts")

    assert piece.words == ["src", "app", "test", "ts"]


def test_a_word_beside_another_script_says_so() -> None:
    """Engines would glue it to its neighbour, so the index repeats it."""
    first, second = walk("JDK的")

    assert (first.touching, second.touching) == (True, False)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("validateTapToken", ["validate", "Tap", "Token"]),
        ("HTTPServer", ["HTTP", "Server"]),
        ("OOMKilled", ["OOM", "Killed"]),
        ("phase2", ["phase", "2"]),
        ("TS103", ["TS", "103"]),
        ("250ms", ["250", "ms"]),
        ("0xB3", ["0xB3"]),
        ("x509", ["x509"]),
        ("3f2a9c", ["3f2a9c"]),
        ("INDEX", ["INDEX"]),
        ("Index", ["Index"]),
        ("v2gEnabled", ["v2g", "Enabled"]),
    ],
)
def test_split_case_finds_the_parts(word: str, parts: list[str]) -> None:
    """Case and digits mark where one part of an identifier ends."""
    assert split_case(word) == parts


def test_fold_takes_off_accents_and_case_of_every_script() -> None:
    """Words are compared without what people leave out when they type."""
    assert fold("Straße ÉTÉ ΣΤΆΣΗ Łódź ＡＢＣ") == "strasse ete σταση lodz abc"


def test_fold_run_keeps_voicing_marks() -> None:
    """In Kana a mark makes another letter."""
    assert fold_run("がＡ") == "がa"
    assert fold_run("が") != fold_run("か")


def test_spellings_of_umlauts_are_both() -> None:
    """ö is typed as o and as oe."""
    assert spellings("Störung") == ["storung", "stoerung"]
    assert spellings("Index") == ["index"]


@pytest.mark.parametrize(
    "word",
    ["9" * 60_000, "9" * 30_000 + "a9" * 15_000, "a" * 30_000 + "9a" * 15_000, "aB" * 30_000],
)
def test_a_word_of_any_length_is_split_in_time(word: str) -> None:
    """A memory may be one word of 64 KiB; each of its characters is read a few times."""
    begun = time.process_time()
    assert "".join(split_case(word)) == word
    assert time.process_time() - begun < 1
