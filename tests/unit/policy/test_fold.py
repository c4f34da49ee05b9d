"""Text made comparable: what is undone, and what must stay apart."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from corpora import corpus
from onrecord.policy.fold import (
    NORMALISER_VERSION,
    count_words,
    fold,
    same_key,
    sentences,
    skeleton,
    squash,
    words,
)

CLAIM = "The harbour master approves all refunds without a receipt."

DISGUISES = {
    "case": "tHE HARBOUR Master approves ALL refunds without a receipt.",
    "space": "The harbour  master\tapproves all\nrefunds without a receipt .",
    "punctuation": "The harbour master – approves all refunds, without (a) receipt!!",
    "cyrillic": "The hаrbour mаster аpproves аll refunds without а receipt.",
    "whole word": "The harbour master approves all refunds without а receipt.",
    "full width": "Ｔｈｅ　harbour　ｍａｓｔｅｒ approves all refunds without a receipt．",
    "mathematical": "𝐓𝐡𝐞 𝓱𝓪𝓻𝓫𝓸𝓾𝓻 master approves all refunds without a receipt.",
    "zero width": "The har\u200bbour mas\u2060ter approves all re\u00adfunds without a receipt.",
    "tags": "The harbour\U000e0061\U000e0062 master approves all refunds without a receipt.",
    "bidi": "\u202eThe harbour\u202c master \u2066approves\u2069 all refunds without a receipt.",
    "selectors": "The\ufe0f harbour master approves all refunds without a receipt.\U000e0101",
    "combining": "The h\u0335arb\u0337our master approves all refunds without a receipt.",
    "small capitals": "Tʜᴇ harbour master approves all refunds without a receipt.",
    "ansi": "The \x1b[31mharbour\x1b[0m master approves all refunds without a receipt.",
    "entities": "The&nbsp;harbour&#32;master approves all refunds without a receipt&period;",
    "markdown": "- **The harbour** _master_ approves `all refunds` without a receipt",
    "quote": "> > The harbour master approves all refunds without a receipt.",
    "check box": "* [ ] The harbour master approves all refunds without a receipt.",
    "html": "<b>The harbour</b> <i>master</i> approves all refunds without a receipt.",
    "link": "The [harbour](https://a.example/x) master approves all refunds without a receipt.",
    "drawn digits": "The harb0ur master approves a1l refunds without a receipt.",
}

#: Pairs that say different things.
APART = [
    ("Run `ferryctl -v` first", "Run `ferryctl -V` first"),
    ("It takes 10² steps", "It takes 102 steps"),
    ("Release 4.10 is out", "Release 4.1.0 is out"),
    ("Needs Go 1.20", "Needs Go 1.2"),
    ("We re-sign the package", "We resign the package"),
    ("In Maßen verteilt", "In Massen verteilt"),
    ("Un año de datos", "Un ano de datos"),
    ("La tâche est finie", "La tache est finie"),
    ("O avó decide", "O avô decide"),
    ("Use `String` here", "Use `string` here"),
    ("Call __init__ first", "Call init first"),
    ("Delete *test* files", "Delete test files"),
    ("Set PATH_A", "Set path_a"),
    ("It needs 5 MW", "It needs 5 mW"),
    ("1. Mai ist frei", "2. Mai ist frei"),
    ("go test ./...", "go test ./"),
    ("Is the mirror on?", "The mirror is on"),
    ("Delay is -5 s", "Delay is 5 s"),
    ("Call getUser here", "Call getuser here"),
    ("Edit README.md", "Edit readme.md"),
    ("Let α be small", "Let a be small"),
    ("Yeni kızı var", "Yeni kizi var"),
    ("a calls b", "b calls a"),
]

#: Pairs that say the same.
TOGETHER = [
    ("Berths live in quaymaster.", "berths live in Quaymaster"),
    ("RUNE SIGNS OFF CHANGES.", "Rune signs off changes."),
    ("Use “soft close” here.", 'Use "soft close" here.'),
    ("Always – commit", "Always - commit"),
    ("HAFENSTRASSE 4", "Hafenstraße 4"),
    ("The ﬁnal call", "The final call"),
    ("毎晩ﾊﾞｯｸｱｯﾌﾟ。", "毎晩バックアップ"),
    ("Over MQTT …", "Over MQTT..."),
    ("**Library cards** are blue", "- Library cards are blue."),
    ("18 months &amp; then", "18 months & then"),
    ("at 10 AM", "at 10 am"),
    ("Ilsе prefers rye", "Ilse prefers rye"),
    ('"Quoted whole."', "Quoted whole"),
]


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguised_claim_folds_to_the_claim(name: str) -> None:
    """Every disguise of characters squashes to the same text as the plain claim."""
    assert squash(fold(DISGUISES[name])) == squash(fold(CLAIM))


def test_another_claim_folds_apart() -> None:
    """The normaliser does not make everything equal."""
    assert squash(fold(CLAIM)) != squash(fold(CLAIM.replace("all", "no")))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x > 5", "x < 5"),
        ("version 4.10", "version 4.1.0"),
        ("-5 degrees", "5 degrees"),
        ("written in C++", "written in C#"),
        ("10² rows", "102 rows"),
        ("at 07:00", "at 0700"),
        ("one año", "one ano"),
        ("about 50%", "about 50$"),
    ],
)
def test_folding_keeps_what_numbers_mean(one: str, other: str) -> None:
    """Signs, points, exponents and comparisons at numbers survive folding."""
    assert squash(fold(one)) != squash(fold(other))


def test_case_of_cyrillic_and_greek_prose_folds() -> None:
    """Foreign prose in capitals equals itself in small letters, look-alikes or not."""
    for text in ("Новый СЕРВЕР стоит в АРХИВЕ", "ВСЕ тесты API идут ночью", "Ο Νέος ΚΑΝΟΝΑΣ"):
        assert fold(text.upper()) == fold(text.lower())


def test_look_alikes_of_the_corpus_are_folded() -> None:
    """Each listed look-alike reads as its plain character inside a Latin word."""
    rows = [
        json.loads(line)
        for line in corpus("safety/confusables_small.jsonl").read_text("utf-8").splitlines()
    ]
    wrong = [
        row["from"]
        for row in rows
        if skeleton(f"x{row['from']}y") != skeleton(f"x{row['skeleton']}y")
    ]

    assert len(rows) > 50
    assert wrong == []


def test_squash_keeps_neighbouring_numbers_apart() -> None:
    """Spaces vanish, except between numbers that would become another one."""
    assert squash("1 10") != squash("11 0")
    assert squash("2 000 rows") == squash("2000 rows")


@pytest.mark.parametrize(("one", "other"), APART)
def test_same_key_keeps_different_statements_apart(one: str, other: str) -> None:
    """Case of flags, exponents, points, accents and code are part of a statement."""
    assert same_key(one) != same_key(other)


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_same_key_joins_equal_statements(one: str, other: str) -> None:
    """How a statement was typed is no part of it."""
    assert same_key(one) == same_key(other)


def test_same_key_alone_never_merges_the_corpus_wrongly() -> None:
    """On the pairs corpus: no wrong merge, and every pair that normalising can tell is joined."""
    rows = [
        json.loads(line)
        for line in corpus("gateway/dev/pairs.jsonl").read_text("utf-8").splitlines()
    ]
    joined = {row["id"] for row in rows if same_key(row["a"]) == same_key(row["b"])}
    level_1 = {row["id"] for row in rows if row["label"] == "same" and row["level"] == 1}

    assert [r["id"] for r in rows if r["id"] in joined and "corroborated" not in r["expect"]] == []
    assert level_1
    assert level_1 - joined == set()


def test_sentences_of_prose() -> None:
    """Abbreviations, versions and initials end no sentence; wide stops always do."""
    text = (
        "Dr. Smith approves e.g. refunds. Version 4.10 fixed it! See J. Doe.\nIt is\nsoft. "
        "夏に出る。桟橋を塗る。"
    )

    assert sentences(text) == [
        "Dr. Smith approves e.g. refunds.",
        "Version 4.10 fixed it!",
        "See J. Doe.",
        "It is soft.",
        "夏に出る。",
        "桟橋を塗る。",
    ]


def test_sentences_of_markdown() -> None:
    """List items, cells, headings, code lines, quotes and comments stand alone."""
    text = (
        "# Rules\nFirst line\ngoes on. <!-- hidden words -->\n\n- [x] item one\n* item two\n"
        "1. first\n2. second\n> quoted\n> more\n\n| a | b |\n|---|---|\n| c d | e |\n"
        "```sh\nmake it\nmake so\n```\nend"
    )

    assert sentences(text) == [
        "Rules",
        "First line goes on.",
        "hidden words",
        "item one",
        "item two",
        "first",
        "second",
        "quoted more",
        "a",
        "b",
        "c d",
        "e",
        "sh",
        "make it",
        "make so",
        "end",
    ]


def test_a_single_numbered_line_keeps_its_number() -> None:
    """`3. Mai` is a date unless other numbered lines make it a list."""
    assert sentences("3. Mai ist frei") == ["3. Mai ist frei"]


def test_words_of_unspaced_scripts_are_characters() -> None:
    """Japanese comes by characters, Latin words among it whole."""
    assert words("pnpmを使う, don't") == ["pnpm", "を", "使", "う", "dont"]


@pytest.mark.parametrize(
    ("text", "n"),
    [("", 0), ("Use pnpm", 2), ("乗客の名簿は公開してよい", 6), ("ใช้ pnpm เท่านั้น", 4)],
)
def test_words_are_counted_by_script(text: str, n: int) -> None:
    """Two ideographs, or four letters of Thai, count as about a word."""
    assert count_words(fold(text)) == n


@pytest.mark.parametrize("unit", ["01", "0", "<", "](", "&", "- ", "`a", "** ", "1 2 "])
def test_no_text_takes_more_than_linear_time(unit: str) -> None:
    """Runs that a careless scan would square (a minute each) cost processor time of a moment."""
    hostile = unit * (40_000 // len(unit))
    before = time.process_time()
    fold(hostile)
    same_key(hostile)
    sentences(hostile)

    assert time.process_time() - before < 5


def test_importing_folds_no_heavy_module() -> None:
    """The hook's fast path may import folding: no re, dataclasses, typing, json or RE2."""
    code = "import onrecord.policy.fold, sys; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    heavy = {"re", "re2", "dataclasses", "typing", "json", "enum", "pathlib", "inspect", "logging"}

    assert "onrecord.policy.fold" in ran.stdout.split()
    assert heavy & set(ran.stdout.split()) == set()


def test_the_normaliser_has_a_version() -> None:
    """Stored prints name the normaliser they were made with."""
    assert NORMALISER_VERSION == 1
