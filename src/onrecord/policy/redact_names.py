"""Secrets found by what stands beside them: names with values, and words near names."""

from __future__ import annotations

from onrecord.policy import redact_rules as rules
from onrecord.policy import redact_values as values
from onrecord.policy.redact_find import expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from onrecord.policy.redact_find import Scan, Span

#: Bytes of a value that are looked at.
REACH = 512
#: How far a word may stand after and before the name that explains it, in bytes.
AFTER_NAME = 90
BEFORE_NAME = 48
#: The same for a digest or an identifier, which need a name close by.
CLOSE = 40

#: How `JOINS` joined a name and a value; the numbers of its groups.
OPERATOR, PAIR, ARGUMENT, VERB, SPACE = 1, 2, 3, 4, 5
_QUOTE = 6

_ENDS = (
    "[redacted:", "\\n", "\\r", "\\t", '\\"', "%26", "%22", "%27", "&quot;", "&#", ";", "|", ",",
)  # fmt: skip
#: A scheme before a value that is not part of it.
_SCHEMES = ("pass:", "base64:", "plain:", "{noop}")
#: What may stand before "pass" in one word that means a password.
_PASS_OWNERS = frozenset({
    "user", "db", "store", "key", "root", "admin", "smtp", "mysql", "pg", "require", "my", "ssh",
    "http", "proxy", "mail", "sudo", "become", "ftp", "api", "auth", "ldap", "vnc", "wifi", "wlan",
    "client", "trust", "import", "export", "src", "dest", "default", "redis", "login", "app",
})  # fmt: skip
_WEAK_PASSWORDS = frozenset({"pass", "clave", "parole"})
_WEAK_TOKENS = frozenset({
    "session", "sess", "cookie", "cookies", "auth", "code", "codes", "authorization",
})  # fmt: skip
_PASSWORD_ENDS = ("password", "passwd", "passphrase", "passwort", "pwd")
_TOKEN_ENDS = (
    "token", "secret", "apikey", "accesskey", "secretkey", "authkey", "privatekey", "signingkey",
    "encryptionkey", "masterkey", "accountkey",
)  # fmt: skip
_words: dict[str, tuple[str, ...]] = {}


def words_of(name: str) -> tuple[str, ...]:
    """The words of an identifier, lower-cased: `dbPassword_v2` gives db, password, v2."""
    found = _words.get(name)
    if found is None:
        if len(_words) > 2048:  # noqa: PLR2004  # a bound against hostile texts, no meaning
            _words.clear()
        found = _words[name] = tuple(_split(name[-80:]))
    return found


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
    """What a name's words say of its value.

    "P" a password, "p" perhaps one, "T" a token or secret, "K" some key, "W" weakly one of
    these, "" nothing.
    """
    if not words or words[-1] in rules.HARMLESS_ENDS:
        return ""
    if any(word in rules.HARMLESS_WORDS for word in words):
        return ""
    for word in words:
        if word in rules.PASSWORD_WORDS:
            return "p" if word in _WEAK_PASSWORDS else "P"
        if word.endswith(_PASSWORD_ENDS) or (word[-4:] == "pass" and word[:-4] in _PASS_OWNERS):
            return "P"
    return _classify_token(words)


def _classify_token(words: tuple[str, ...]) -> str:
    last = words[-1]
    for word in words:
        if (word in rules.TOKEN_WORDS and word not in _WEAK_TOKENS) or word.endswith(_TOKEN_ENDS):
            return "T"
    if last in ("key", "keys"):
        if any(word in rules.KEY_WORDS for word in words):
            return "T"
        return "K" if len(words) > 1 else "W"
    if last in ("codes", "code"):
        return "T" if len(words) > 1 and words[-2] in ("recovery", "backup") else ""
    return "W" if any(word in _WEAK_TOKENS for word in words) else ""


def _kind(words: tuple[str, ...], group: str) -> str:
    if group in "Pp":
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


def named(scan: Scan) -> Iterator[Span]:
    """Values assigned to names that carry secrets, in any layout `JOINS` knows.

    Fills `scan.names` for `near`.
    """
    places = _places(scan)
    join = expression(rules.JOINS) if places else None
    for start, end in places:
        name = scan.view[start:end]
        words = words_of(name if scan.plain else scan.data[start:end].decode("utf-8", "replace"))
        if len(words) == 1 and words[0] not in rules.PASSWORD_WORDS:
            words = _words_before(scan.view, start) + words
        group = classify(words)
        if not group:
            continue
        scan.names.append((start, end, group))
        found = join.match(scan.data, end) if join else None
        if found:
            span = _value(scan, start, end, found, group, words)
            if span:
                yield span[0], span[1], _kind(words, group)


def _places(scan: Scan) -> list[tuple[int, int]]:
    places: list[tuple[int, int]] = []
    if any(stem in scan.low for stem in rules.STEMS):
        places += [found.span() for found in expression(rules.NAMES).finditer(scan.data)]
    if not scan.plain:
        places += [found.span() for found in expression(rules.WIDE_NAMES).finditer(scan.data)]
        places.sort()
    return places


def _words_before(view: str, start: int) -> tuple[str, ...]:
    """Up to two plain words that stand directly before a one-word name."""
    before = view[max(0, start - 32) : start]
    if not before or before[-1] not in " -_":
        return ()
    out: list[str] = []
    for word in reversed(before.replace("-", " ").replace("_", " ").split(" ")[-3:-1]):
        plain = word.strip("\"'`(*").lower()
        if not plain.isalpha():
            break
        out.insert(0, plain)
        if plain != word.lower():
            break
    return tuple(out)


def _value(  # noqa: PLR0913  # one name and what follows it
    scan: Scan, start: int, end: int, found: Any, group: str, words: tuple[str, ...]
) -> tuple[int, int] | None:
    view = scan.view
    if view[max(0, start - 2) : start] == "//":
        return None
    how = next((number for number in range(1, 6) if found.start(number) >= 0), 0)
    quoted, begin, value = _read(scan, found)
    if how == ARGUMENT and not quoted:
        return None
    if len(value) < 4 or values.is_placeholder(value):  # noqa: PLR2004  # shorter is no secret
        return None
    name = view[start:end]
    loud = name.isupper()
    if how == SPACE and (name[0] == "-" or (loud and "_" in name)):
        how = OPERATOR
    tight = loud or quoted or name[0] == "-" or _is_in_string(view, start, found)
    if accepts(group, value, how, quoted=quoted, tight=tight, words=words):
        return begin, begin + len(value)
    return None


def _is_in_string(view: str, start: int, found: Any) -> bool:
    """Whether the name stands in a connection string or a query: `;Pwd=`, `?key=`, `&token=`."""
    return start > 0 and view[start - 1] in ";?&," and view[found.end() - 1] == "="


def _read(scan: Scan, found: Any) -> tuple[bool, int, str]:
    """The value after a join: whether it is quoted, where it starts, its text."""
    begin = found.end()
    view = scan.view
    if found.start(_QUOTE) >= 0:
        quote = scan.data[found.start(_QUOTE) : found.end(_QUOTE)].decode("utf-8", "replace")
        mark = rules.CLOSERS.get(quote, quote).encode().decode("latin-1")
        close = view.find(mark, begin, begin + REACH)
        if close >= 0 and "\n" not in view[begin:close]:
            return True, begin, view[begin:close].partition("[redacted:")[0]
    begin, value = bare_value(view, begin)
    return False, begin, value


def bare_value(view: str, begin: int) -> tuple[int, str]:
    """An unquoted value from `begin` on: where it starts and its text."""
    while begin < len(view) and view[begin] in "([{":
        begin += 1
    chunk = view[begin : begin + REACH].split(None, 1)
    if not chunk or view[begin].isspace():
        return begin, ""
    value = chunk[0]
    for mark in "\"'`<>":
        value = value.partition(mark)[0]
    for mark in _ENDS:
        value = value.partition(mark)[0]
    value = _before_wide(_before_field(value))
    for opener, closer in ("()", "[]", "{}"):
        if closer in value and opener not in value:
            value = value.partition(closer)[0]
    inner = core(value)
    return begin + len(value) - len(inner), inner.rstrip(".:*")


def _before_field(value: str) -> str:
    """The value up to the next field of a query string: `&name=`."""
    at = value.find("&")
    while at >= 0:
        if value[at + 1 :].partition("=")[0].replace("-", "_").isidentifier():
            return value[:at]
        at = value.find("&", at + 1)
    return value


def _before_wide(value: str) -> str:
    """The value up to the first character of a script without spaces, or wide punctuation."""
    if value.isascii():
        return value
    for at, char in enumerate(value):
        if "\xe1" <= char <= "\xef":
            return value[:at]
    return value


def core(value: str) -> str:
    """The value without a `name=`, a `user:` or a scheme in front of it."""
    left, found, right = value.partition("=")
    if found and right and right[0] != "=" and len(left) <= 32 and left.isidentifier():  # noqa: PLR2004  # a name
        value = right
    for scheme in _SCHEMES:
        if value.startswith(scheme):
            return value[len(scheme) :]
    left, found, right = value.partition(":")
    if found and left.isalpha() and len(left) <= 20 and len(right) >= 6 and right[0] != "/":  # noqa: PLR2004  # a user's name
        return value if values.is_hex(right) else right
    return value


def accepts(  # noqa: PLR0913  # one decision
    group: str, value: str, how: int, *, quoted: bool, tight: bool, words: tuple[str, ...]
) -> bool:
    """Whether a value joined to a name of this group is a secret.

    `tight` says that the layout leaves no doubt that a literal value follows: a variable in
    capitals, a flag, quotes, a connection string.
    """
    if _is_told_apart(value, how):
        return False
    if not quoted and values.is_code(value) and not values.is_random(value):
        known = tight and how == OPERATOR and value.isalnum()
        if not known:
            return False
    if " " in value:
        return group == "P" and "passphrase" in words and quoted and value.count(" ") > 1
    if group in "Pp":
        return _accepts_password(value, how, quoted=quoted, tight=tight, weak=group == "p")
    if group in "KW":
        return _accepts_key(value, how, weak=group == "W")
    return _accepts_token(value, how, quoted=quoted, tight=tight)


def _is_told_apart(value: str, how: int) -> bool:
    """Whether the value is a stock word, a name of a secret, a digest, a link or a flag."""
    low = value.lower()
    if low in values.STOCK or low in rules.PASSWORD_WORDS or low in rules.TOKEN_WORDS:
        return True
    if low.startswith(("sha1", "sha256", "sha384", "sha512", "md5:", "h1:", "http:", "https:")):
        return True
    if value.startswith("--") or (how == SPACE and value[0] == "-"):
        return True
    if value.startswith("eyJ") and "." not in value and (how == SPACE or len(value) < 60):  # noqa: PLR2004  # one JSON object
        return True
    return value.isalpha() and any(word in rules.PASSWORD_WORDS for word in words_of(value))


def _accepts_key(value: str, how: int, *, weak: bool) -> bool:
    digest = values.is_hex(value)
    if digest:
        return not weak and len(value) >= 32 and how <= ARGUMENT  # noqa: PLR2004  # 128 bits
    return len(value) >= 20 and how <= VERB and values.is_mixed(value)  # noqa: PLR2004  # above ids


def _accepts_token(value: str, how: int, *, quoted: bool, tight: bool) -> bool:
    size = len(value)
    if values.is_hex(value.removeprefix("0x")):
        return size >= (16 if how <= ARGUMENT else 32)
    if values.is_uuid(value):
        return True
    shape = values.Shape(value)
    if values.is_random(value, shape):
        mixed = bool(shape.lower and shape.upper)
        return size >= 24 or (size >= 20 and mixed) or (size >= 16 and (how != SPACE or quoted))  # noqa: PLR2004  # shorter needs more
    if how == SPACE:
        return False
    if values.is_chosen(value) == 2 and size >= 10:  # noqa: PLR2004  # as above
        return True
    if not tight or how > ARGUMENT or size < 10:  # noqa: PLR2004  # as above
        return False
    return shape.change >= 3 and (shape.digit >= 2 or (shape.digit and size >= 16))  # noqa: PLR2004  # as above


def _accepts_password(value: str, how: int, *, quoted: bool, tight: bool, weak: bool) -> bool:
    chosen = values.is_chosen(value)
    if chosen == 2 or (how == SPACE and not quoted):  # noqa: PLR2004  # surely
        return chosen == 2  # noqa: PLR2004  # surely
    if weak and (not tight or how > ARGUMENT):
        return False
    if chosen:
        return True
    if how == ARGUMENT:
        return False
    if value.isdigit():
        return len(value) >= 6 and how <= ARGUMENT  # noqa: PLR2004  # shorter is a PIN or a limit
    if any(char.isdigit() for char in value):
        return tight
    title = value.isalpha() and value[1:].islower() and value[0].isupper()
    return tight and len(value) >= 6 and not title and not value.isupper()  # noqa: PLR2004  # longer than a label


def near(scan: Scan, taken: list[Span]) -> Iterator[Span]:
    """Random or password-like words that stand near a name, in prose of any language.

    Words that share characters with a span already `taken` are left to it.
    """
    if not scan.names and not any(stem in scan.low for stem in rules.LOGIN_STEMS):
        return
    logins: list[tuple[int, int, str]] | None = None
    for found in expression(rules.WORDS).finditer(scan.data):
        start, end = found.span()
        if end - start < 8:  # noqa: PLR2004  # shorter words are never taken
            continue
        start, value = _word(scan.view, start, end)
        shape = _shape(value)
        if not shape or _is_identifier(scan.view, start, value, shape):
            continue
        end = start + len(value)
        if any(left < end and right > start for left, right, _ in taken):
            continue
        wanted = "PpT" if shape == "C" else "PpTK"
        if _is_near(scan.view, start, end, scan.names, wanted, shape):
            yield start, end, "password" if shape == "C" else "token"
        elif shape == "C":
            if logins is None:
                logins = [(*hit.span(), "L") for hit in expression(rules.LOGINS).finditer(scan.data)]
            if _is_near(scan.view, start, end, logins, "L", shape):
                yield start, end, "password"


def _word(view: str, start: int, end: int) -> tuple[int, str]:
    """The part of a run of characters that may be the secret, and where it starts."""
    run = view[start:end]
    value = run.lstrip(".,:;*_=|\\/-+#&?")
    start += len(run) - len(value)
    value = value.rstrip(".,:;*_|\\").partition("[redacted:")[0]
    if "://" in value:
        return start, ""
    for mark in "=:/":
        left, found, right = value.partition(mark)
        if not found or not right or right[0] == "=" or len(left) > 24:  # noqa: PLR2004  # a name
            continue
        if left.replace("_", "").replace("-", "").isalpha() and (left.islower() or left.istitle()):
            start += len(left) + 1
            value = right
    password, at, host = value.rpartition("@")
    if at and password and host.replace(".", "").replace("-", "").replace(":", "").isalnum():
        if "." in host or host.islower():
            value = password
    return start, value


def _shape(value: str) -> str:
    """What a word looks like: "R" random, "H" a digest or UUID, "C" chosen, "" nothing."""
    size = len(value)
    if size < 8 or "%2" in value or "%3" in value or values.is_placeholder(value):  # noqa: PLR2004  # too short
        return ""
    if values.is_uuid(value):
        return "H"
    if values.is_hex(value):
        return "H" if size >= 32 else ""  # noqa: PLR2004  # 128 bits
    if value.startswith("eyJ") and "." not in value:
        return ""
    if size >= 20 and value.count("/") < 4 and values.is_random(value):  # noqa: PLR2004  # above ids
        shape = values.Shape(value)
        return "R" if shape.lower > 1 and shape.upper > 1 and shape.digit else "H"
    if "/" in value or value.lower().startswith(("sha", "utf", "http", "ghsa-", "cve-", "rfc")):
        return ""
    if values.is_chosen(value) < 2 or values.is_code(value):  # noqa: PLR2004  # surely
        return ""
    return "C" if _is_password_like(value) else ""


def _is_password_like(value: str) -> bool:
    before, mark, number = value.rpartition("#")
    if mark and number.isdigit() and before.replace("-", "").isalpha():
        return False
    shape = values.Shape(value)
    return bool(shape.other) or (shape.size >= 12 and shape.wordy * 2 < shape.size)  # noqa: PLR2004  # no product's name


def _is_identifier(view: str, start: int, value: str, shape: str) -> bool:
    """Whether the words before say it is a digest or an identifier, or it reads as a file."""
    if start and view[start - 1] in "@#$":
        return True
    if view[start + len(value) : start + len(value) + 1] == "(":
        return True
    tail = value.partition("#")[0].rpartition(".")[2]
    if "." in value and tail.isalpha() and len(tail) <= 5:  # noqa: PLR2004  # a file's ending
        return True
    before = view[max(0, start - 40) : start].lower()
    last = before.replace(":", " ").replace("=", " ").rstrip("\"'`( ").rpartition(" ")[2]
    last = last.strip("\"'`(,")
    return last in rules.IDENTIFIERS or (shape == "H" and last in rules.OWNERS)


def _is_near(  # noqa: PLR0913  # a word and the names around it
    view: str, start: int, end: int, names: list[tuple[int, int, str]], wanted: str, shape: str
) -> bool:
    for left, right, group in names:
        if left > end + BEFORE_NAME:
            return False
        if group not in wanted:
            continue
        if right <= start and start - right <= AFTER_NAME:
            between = view[right:start]
            if shape == "H" and not _is_told(between):
                continue
        elif left >= end and shape != "H":
            between = view[end:left]
        else:
            continue
        if "\n\n" not in between and (". " not in between or len(between) < 30):  # noqa: PLR2004  # the next sentence
            return True
    return False


def _is_told(between: str) -> bool:
    """Whether what stands between a name and a digest hands the digest over."""
    if len(between) > CLOSE:
        return False
    gap = between.rstrip("\"'`* ")
    return gap.endswith((":", "=", "(", "->", "=>", " is", " are", " to", " with", "|", "use"))


def cookies(scan: Scan) -> Iterator[Span]:
    """Values of `Cookie:` and `Set-Cookie:` headers that are random."""
    if "cookie" not in scan.low:
        return
    for header in expression(rules.COOKIES).finditer(scan.data):
        at = header.start(1)
        for pair in header.group(1).decode("latin-1").split(";"):
            name, _, value = pair.partition("=")
            body = value.strip().strip("\"'")
            if len(body) >= 16 and not values.is_placeholder(body):  # noqa: PLR2004  # shorter are flags
                begin = at + len(name) + 1 + value.find(body)
                if values.is_random(body) or values.is_uuid(body):
                    yield begin, begin + len(body), "session"
            at += len(pair) + 1


def manifests(scan: Scan) -> Iterator[Span]:
    """Values under `data:` and `stringData:` of a Kubernetes Secret, whatever their names."""
    if "secret" not in scan.low or "kind" not in scan.low or "data" not in scan.low:
        return
    for part in expression(rules.SECRET_KINDS).finditer(scan.data):
        start = scan.view.rfind("\n---", 0, part.start()) + 1
        end = scan.view.find("\n---", part.end())
        end = len(scan.view) if end < 0 else end
        for block in expression(rules.SECRET_DATA).finditer(scan.data, start, end):
            for entry in expression(rules.SECRET_ENTRIES).finditer(scan.data, *block.span(1)):
                begin, finish = entry.span(1)
                value = scan.view[begin:finish]
                if not values.is_placeholder(value) and value.lower() not in values.STOCK:
                    yield begin, finish, "kubernetes_secret"
