"""What the words of a name say about its value."""

from __future__ import annotations

from onrecord.policy import redact_lexicon as lexicon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: What may stand before "pass" in one word that means a password.
_PASS_OWNERS = frozenset({
    "user", "db", "store", "key", "root", "admin", "smtp", "mysql", "pg", "require", "my", "ssh",
    "http", "proxy", "mail", "sudo", "become", "ftp", "api", "auth", "ldap", "vnc", "wifi", "wlan",
    "client", "trust", "import", "export", "src", "dest", "default", "redis", "login", "app",
})  # fmt: skip
_WEAK_PASSWORDS = frozenset({"pass", "clave", "parole"})
_WEAK_TOKENS = frozenset({"session", "sess", "cookie", "cookies", "auth", "code", "codes"})
_PASSWORD_ENDS = ("password", "passwd", "passphrase", "passwort", "pwd")
_TOKEN_ENDS = (
    "token", "secret", "sessid", "sessionid", "apikey", "accesskey", "secretkey", "authkey",
    "privatekey", "signingkey", "encryptionkey", "masterkey", "accountkey",
)  # fmt: skip
_CODE_WORDS = frozenset({"access", "unlock", "activation", "security", "pairing", "invite"})
#: Characters of a name that are read: a longer one is a hostile text's.
_NAME = 80

#: What a name's words say of its value: a password, perhaps one, a token or other secret, some
#: key, recovery codes, a session, weakly any of these, nothing.
PASSWORD, PASS, TOKEN, KEY, CODES, SESSION, WEAK, NOTHING = "P", "p", "T", "K", "N", "S", "W", ""


def words_of(name: str) -> tuple[str, ...]:
    """The words of an identifier, lower-cased: `dbPassword_v2` gives db, password, v2."""
    return tuple(_split(name[-_NAME:]))


def _split(name: str) -> Iterator[str]:
    word = ""
    for at, char in enumerate(name):
        if char in "_-. ":
            if word:
                yield word.lower()
            word = ""
            continue
        if word and char.isupper():
            ahead = name[at + 1 : at + 2]
            if not word[-1].isupper() or (ahead.islower() and len(word) > 1):
                yield word.lower()
                word = ""
        word += char
    if word:
        yield word.lower()


def classify(words: tuple[str, ...]) -> str:
    """What the words of a name say of its value: one of the groups above."""
    if not words or words[-1] in lexicon.HARMLESS_ENDS:
        return NOTHING
    if any(word in lexicon.HARMLESS_WORDS for word in words):
        return NOTHING
    for place, word in enumerate(words):
        if word in lexicon.PASSWORD_WORDS or _is_password_word(word):
            far = len(words) - place > 2  # noqa: PLR2004  # `passwd_user_group` is about users
            return PASS if far or word in _WEAK_PASSWORDS else PASSWORD
    if any(_is_token_word(word) for word in words):
        cursor = len(words) > 1 and words[-1] == "token" and words[-2] in lexicon.PLAIN_TOKENS
        return NOTHING if cursor else TOKEN
    return _classify_key(words)


def _classify_key_by(words: tuple[str, ...]) -> str:
    """What the words before "key" make of it; the nearest has the first say."""
    nearest = words[-2] if len(words) > 1 else ""
    if not nearest:
        return WEAK
    if nearest in lexicon.KEY_WORDS:
        return TOKEN
    if any(word in lexicon.PLAIN_KEYS for word in words):
        return NOTHING
    return TOKEN if any(word in lexicon.KEY_WORDS for word in words) else KEY


def _is_token_word(word: str) -> bool:
    return word.endswith(_TOKEN_ENDS) or (word in lexicon.TOKEN_WORDS and word not in _WEAK_TOKENS)


def _is_password_word(word: str) -> bool:
    return word.endswith(_PASSWORD_ENDS) or (word[-4:] == "pass" and word[:-4] in _PASS_OWNERS)


def _classify_key(words: tuple[str, ...]) -> str:
    last = words[-1]
    if last in ("key", "keys"):
        return _classify_key_by(words)
    if last in ("codes", "code"):
        before = words[-2] if len(words) > 1 else ""
        if before in ("recovery", "backup"):
            return CODES
        return TOKEN if before in _CODE_WORDS else NOTHING
    if last in ("session", "sess"):
        return SESSION
    return WEAK if any(word in _WEAK_TOKENS for word in words) else NOTHING


def kind_of(words: tuple[str, ...], group: str) -> str:
    """The kind that a marker names for a value of such a name."""
    if group in (PASSWORD, PASS):
        return "password"
    if "aws" in words:
        return "aws_secret"
    if any(word.endswith(("token", "tokens", "jwt", "bearer", "pat")) for word in words):
        return "token"
    if any(word.endswith(("key", "keys")) for word in words):
        return "api_key" if "api" in words or "apikey" in words else "secret_key"
    if any(word in ("cookie", "session", "sid", "sessionid") for word in words):
        return "session"
    return "secret"
