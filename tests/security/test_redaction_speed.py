"""Redaction cannot be stalled: its time grows with the text and not with its square."""

from __future__ import annotations

import json
import time
from typing import Final

import pytest

from corpora import corpus
from onrecord.policy.redact import redact

#: One repeated piece each: what a rule begins with, without what it ends with.
HOSTILE: Final = {
    "names": "key:",
    "assignments": "pw=abcdefg ",
    "words": "token ",
    "quotes": 'password="',
    "headers": "bearer ",
    "brackets": "password (",
    "braces": "password {",
    "attributes": 'password a="b"',
    "pipes": "password|",
    "urls": "https://a:b@",
    "armour": "-----BEGIN PRIVATE KEY-----\n",
    "ciphertext": "password ENC[",
    "tokens": "eyJa.",
    "prefixes": " sk-a",
    "digests": "token 5f5237a362b81028549aa042498941de ",
    "passwords": "login Fjord_quartz4821! ",
    "markers": "password=[redacted:password] ",
    "manifests": "kind: Secret\ndata:\n",
    "cookies": "cookie: a=b;",
    "commands": "curl -u a:",
    "logins": "docker login ",
    "seeds": "seed abandon ",
    "wide": "密码是",
    "one letter": "A",
    "digits": "a1",
    "dots": "a.",
    "nothing": "\0",
}
SMALL, LARGE = 8_000, 32_000
#: Four times the text may take this many times the time; a square takes sixteen times.
GROWTH: Final = 9
#: Below this the clock measures nothing.
FLOOR: Final = 0.002


def seconds(text: str) -> float:
    """Processor time of one redaction, the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        redact(text)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_grows_with_the_text(piece: str) -> None:
    """Four times as much of the same takes about four times as long."""
    redact(piece * 40)  # expressions are compiled before the clock runs

    small = seconds(piece * (SMALL // len(piece)))
    large = seconds(piece * (LARGE // len(piece)))

    assert large <= max(small, FLOOR) * GROWTH


def test_safety_redos() -> None:
    """No hostile string of the corpus takes anywhere near a second for 20 kB."""
    lines = corpus("safety/naughty.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    slow = {
        row["id"]: spent
        for row in rows
        if (spent := seconds(row["text"])) > 0.5 * max(1.0, len(row["text"]) / 20_000)
    }

    assert len(rows) > 100
    assert slow == {}
