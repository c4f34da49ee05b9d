"""Identifiers: 26 characters of Crockford base 32, ordered by time."""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 26


def encode(at: int, entropy: bytes) -> str:
    """The ULID of an instant (UTC microseconds) and ten random bytes."""
    number = (((at // 1000) & ((1 << 48) - 1)) << 80) | int.from_bytes(entropy[:10], "big")
    return "".join(ALPHABET[(number >> shift) & 31] for shift in range(125, -5, -5))


def moment(name: str) -> int:
    """The instant (UTC microseconds, a whole millisecond) at which an id was made."""
    number = 0
    for char in name[:10]:
        number = number << 5 | ALPHABET.index(char)
    return number * 1000


def is_ulid(text: str) -> bool:
    """Whether the text has the form of an id."""
    return len(text) == LENGTH and all(char in ALPHABET for char in text)


def normalise(text: str) -> str:
    """An id or part of one as a person typed it: upper case, look-alike letters folded."""
    return text.strip().upper().translate(str.maketrans("OIL", "011"))
