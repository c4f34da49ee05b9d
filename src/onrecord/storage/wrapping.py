"""Keys of a copy, closed with a passphrase: whoever has both files still needs a third thing.

A fresh salt and scrypt make two keys of the passphrase: one for a stream of HMAC-SHA256 blocks
that the text is combined with, one for the seal over everything. The salt is never used twice,
so neither is the stream.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import unicodedata

from onrecord.domain.errors import KeyUnreadable

#: First word of a file of keys that is closed; the second is the form.
_MARK = "wrapped"
_FORM = "scrypt-1"

_SALT = 16
_COST = {"n": 2**15, "r": 8, "p": 1, "maxmem": 64 * 1024 * 1024, "dklen": 64}
_BLOCK = 32


def is_wrapped(text: str) -> bool:
    """Whether a file of keys has to be opened with a passphrase."""
    return text.startswith(_MARK + " ")


def wrap(text: str, passphrase: str) -> str:
    """The text, closed; a passphrase is the same however its letters are composed."""
    salt = os.urandom(_SALT)
    stream, seal = _keys(passphrase, salt)
    closed = _combined(text.encode(), stream)
    mark = hmac.digest(seal, salt + closed, "sha256")
    return f"{_MARK} {_FORM} {salt.hex()} {closed.hex()} {mark.hex()}\n"


def unwrap(text: str, passphrase: str, path: str) -> str:
    """What was closed; raises `KeyUnreadable` for another passphrase and for a damaged file."""
    try:
        mark, form, *parts = text.split()
        salt, closed, sealed = (bytes.fromhex(part) for part in parts)
    except ValueError:
        raise _unreadable(path) from None
    if (mark, form, len(salt)) != (_MARK, _FORM, _SALT):
        raise _unreadable(path)
    stream, seal = _keys(passphrase, salt)
    if not hmac.compare_digest(sealed, hmac.digest(seal, salt + closed, "sha256")):
        raise KeyUnreadable(
            "The passphrase does not open the keys of that copy. Nothing was changed.",
            hint="Give the one that the copy was made with.",
            details={"path": path},
        )
    return _combined(closed, stream).decode()


def _keys(passphrase: str, salt: bytes) -> tuple[bytes, bytes]:
    word = unicodedata.normalize("NFKC", passphrase).encode()
    made = hashlib.scrypt(word, salt=salt, **_COST)
    return made[:_BLOCK], made[_BLOCK:]


def _combined(data: bytes, key: bytes) -> bytes:
    n = -(-len(data) // _BLOCK)
    stream = b"".join(hmac.digest(key, at.to_bytes(8, "big"), "sha256") for at in range(n))
    return bytes(one ^ other for one, other in zip(data, stream, strict=False))


def _unreadable(path: str) -> KeyUnreadable:
    return KeyUnreadable("The keys of that copy are damaged.", details={"path": path})
