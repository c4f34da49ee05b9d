"""How likely a string is a secret: placeholders, random tokens, chosen passwords.

Pure functions over `str`; nothing here looks at the text around a value. Lengths are in
characters. Every function is linear in its argument and judges a long value by its first
`LOOK` characters.
"""

# Thresholds are measured on corpora and explained where they stand.
# ruff: noqa: PLR2004

from __future__ import annotations

#: Characters looked at: a longer value is judged by its beginning.
LOOK = 64

#: Degrees of `is_chosen`.
NO, PERHAPS, SURELY = 0, 1, 2

_MASK = frozenset("xX*.•·-_#?0… ")
_HEX = frozenset("0123456789abcdefABCDEF")
_DIGITS = frozenset("0123456789")
_VOWELS = frozenset("aeiouAEIOU")
_HARD = frozenset("!@#$%^&*?")
_OPENERS = (
    "${", "$(", "$[", "{{", "{%", "<%", "%(", "#{", "@{", "<", "[redacted:", "!vault", "!secret",
    "!ref", "!Ref", "!Sub", "!env", "!GetAtt", "!reference", "!include", "$env:", "%env",
)  # fmt: skip

#: Marks of a regular expression, which only describes a secret.
_EXPRESSION_PARTS = (
    "(?", "[^", "]*", "]+", "]{", "\\d", "\\w", "\\s", "\\b", ".*", ".+", "[a-z", "[A-Z", "[0-9",
    "a-z0-9", "A-Z0-9", "a-zA-Z", "A-Za-z", "0-9a-",
)  # fmt: skip

#: Parts that a real secret does not contain; long enough not to turn up by chance.
_PLACEHOLDER_PARTS = (
    "xxxx", "****", "....", "…", "example", "placeholder", "changeme", "change_me", "change-me",
    "change-it", "changeit", "replace", "redacted", "goes-here", "goes_here", "goeshere",
    "masked", "omitted", "removed", "notreal", "not-real", "not_real", "deadbeef",
    "mypassword", "my-password", "my_password", "yourpassword", "foobar", "censored", "abcdefgh",
    "some-secret", "some_secret", "my-secret", "my_secret", "mysecret", "my-token", "my_token",
    "mytoken", "my-api", "my_api", "test-token", "test_token", "test-key", "test_key",
)  # fmt: skip
#: Words that say the same when they stand alone between hyphens, underscores or dots.
_PLACEHOLDER_WORDS = frozenset({
    "here", "insert", "dummy", "sample", "fake", "todo", "fixme", "lorem", "your", "my", "some",
    "placeholder", "secret", "password", "token", "key", "value", "abc123", "xxx",
})  # fmt: skip
_YOUR = ("key", "token", "secret", "pass", "api", "here", "client", "app", "org", "cred", "name")


def is_placeholder(value: str) -> bool:  # noqa: PLR0911  # a list of reasons
    """Whether the value stands for a secret instead of being one.

    Masks (`****`, `xxxx`), variables and templates (`$TOKEN`, `${...}`, `{{ ... }}`, `<...>`),
    references to a secret manager, regular expressions, counted sequences and words such as
    `example` or `changeme`.
    """
    if not value or value.startswith(_OPENERS) or set(value) <= _MASK:
        return True
    if value[0] == "$" and _is_variable(value[1:]):
        return True
    if (
        value.endswith("...")
        or value[0] == value[-1] == "%"
        or (value[0] in "{[" and value[-1] in "}]")
    ):
        return True
    value = value[:LOOK]
    low = value.lower()
    for part in _EXPRESSION_PARTS:
        if part in value:
            return True
    for part in _PLACEHOLDER_PARTS:
        if part in low:
            return True
    if low.startswith(("arn:", "op://", "vault:", "enc[", "ref+", "projects/", "secretref")):
        return True
    return _is_worded(low) or is_counted(value)


def _is_worded(low: str) -> bool:
    """Whether words between separators say that this is no secret: `your-api-key`."""
    words = low.replace("-", " ").replace("_", " ").replace(".", " ").replace("/", " ").split()
    told = [word for word in words if word in _PLACEHOLDER_WORDS]
    if len(told) >= 2 or (told and all(word.isalpha() for word in words) and len(words) > 1):
        return True
    if "your" in words or "fake" in words or "dummy" in words or "sample" in words:
        return True
    return low.startswith("your") and any(part in low for part in _YOUR)


def _is_name(value: str) -> bool:
    return bool(value) and value.replace("_", "a").isalnum() and value[0] not in _DIGITS


def _is_variable(name: str) -> bool:
    """Whether a name is a variable's and not a password's: few digits, or all capitals."""
    if not _is_name(name):
        return False
    return name.isupper() or sum(char in _DIGITS for char in name) < 3


def is_counted(value: str) -> bool:
    """Whether most of the value counts up (`1234567890abcdef`) or repeats itself."""
    body = value[:24]
    size = len(body)
    if size >= 16 and len(set(body)) < 6:
        return True
    if size < 8:
        return False
    steps = 0
    before = 0
    for char in body:
        now = ord(char)
        steps += 0 <= now - before <= 1
        before = now
    return steps * 10 >= size * 6


class Shape:
    """Counts of a value's characters by class, and of changes between neighbours.

    Only letters and digits that touch are counted as changes, so words joined by hyphens or
    underscores show few.

    Attributes:
        size: characters looked at.
        lower: small letters; upper: capitals; digit: digits; other: everything else.
        change: neighbours of different classes.
        rise: the same without a capital followed by a small letter, as words begin.
        number: changes to or from a digit.
        wordy: characters in runs of four small letters or more.
        knot: the longest run of consonants, longer in random text than in words.
    """

    __slots__ = (
        "change", "digit", "knot", "lower", "number", "other", "rise", "size", "upper", "wordy",
    )  # fmt: skip

    def __init__(self, value: str) -> None:
        lower = upper = digit = change = rise = number = wordy = run = before = 0
        knot = tied = 0
        looked = value[:LOOK]
        for char in looked:
            if "a" <= char <= "z":
                lower += 1
                now = 1
                run += 1
            else:
                if run >= 4:
                    wordy += run
                run = 0
                if "0" <= char <= "9":
                    digit += 1
                    now = 2
                elif "A" <= char <= "Z":
                    upper += 1
                    now = 3
                else:
                    now = 0
            if now in (0, 2) or char in _VOWELS:
                tied = 0
            else:
                tied += 1
                if tied > knot:  # noqa: PLR1730  # a call for each letter doubles the time
                    knot = tied
            if now != before and now and before:
                change += 1
                rise += not (before == 3 and now == 1)
                number += now == 2 or before == 2
            before = now
        self.size = len(looked)
        self.lower, self.upper, self.digit = lower, upper, digit
        self.other = self.size - lower - upper - digit
        self.change, self.rise, self.number, self.knot = change, rise, number, knot
        self.wordy = wordy + (run if run >= 4 else 0)


def is_grouped(value: str) -> bool:
    """Whether the value is four groups of four small letters, as app passwords are given."""
    groups = value.replace("-", " ").split(" ")
    return len(groups) == 4 and all(
        len(group) == 4 and group.isascii() and group.isalpha() and group.islower()
        for group in groups
    )


def is_serial(value: str) -> bool:
    """Whether the value is groups of capitals and digits, as licence keys are given."""
    groups = value.split("-")
    return (
        len(groups) > 2
        and len({len(group) for group in groups}) == 1
        and 4 <= len(groups[0]) <= 8
        and all(group.isalnum() and not group.islower() for group in groups)
        and value.upper() == value
        and any(char in _DIGITS for char in value)
        and not value.replace("-", "").isdigit()
    )


def is_hex(value: str) -> bool:
    """Whether the value is hexadecimal with both letters and digits."""
    return set(value) <= _HEX and not value.isdigit() and not value.isalpha()


def is_uuid(value: str) -> bool:
    """Whether the value has a UUID's layout."""
    return (
        len(value) == 36
        and value[8] == value[13] == value[18] == value[23] == "-"
        and set(value.replace("-", "")) <= _HEX
    )


def is_random(value: str, shape: Shape | None = None) -> bool:
    """Whether the value looks drawn by a machine: mixed, spread and without words.

    Lower-case hexadecimal counts too; the caller decides whether a digest may stand there, and
    looks for placeholders first.
    """
    size = min(len(value), LOOK)
    if size < 12 or len(set(value[:LOOK])) < min(9, size // 2):
        return False
    shape = shape or Shape(value)
    if shape.other * 4 > size:
        return False
    letters = size - shape.other
    if not shape.digit:
        return bool(shape.lower and shape.upper) and shape.rise * 5 >= size and size >= 20
    if not shape.lower or not shape.upper:
        return shape.number * (6 if size >= 20 else 4) >= letters or (
            size >= 20 and shape.digit > 1 and shape.knot >= (7 if size < 32 else 6)
        )
    if shape.wordy * 5 >= size * 3 or (shape.wordy * 5 >= size * 2 and shape.number * 8 < size):
        return False
    return shape.change * 5 >= letters


def is_mixed(value: str) -> bool:
    """Whether the value is random and uses lower case, upper case and digits together."""
    shape = Shape(value)
    return shape.lower >= 2 and shape.upper >= 2 and shape.digit >= 1 and is_random(value, shape)


def is_version(value: str) -> bool:
    """Whether the value begins as a version does: `1.14`, `^7.0`, `v2.3`, `1:25.2`."""
    body = value.lstrip("^~=<>v ")
    major, dot, rest = body.partition(".")
    return bool(dot) and major.replace(":", "").isdigit() and rest[:1] in _DIGITS


def is_chosen(value: str) -> int:
    """Whether the value looks like a password a person chose: no, perhaps or surely."""
    size = len(value)
    if size < 6 or size > 72 or is_version(value):
        return NO
    shape = Shape(value)
    letters = shape.lower + shape.upper
    both = bool(shape.lower and shape.upper)
    hard = any(char in _HARD for char in value)
    if not letters or not (shape.digit or (hard and both)):
        return NO
    if _is_surely_chosen(value, shape, hard=hard, both=both):
        return SURELY
    return PERHAPS if hard or both or size >= 8 else NO


def _is_surely_chosen(value: str, shape: Shape, *, hard: bool, both: bool) -> bool:
    if hard and shape.size >= 8:
        mixed = both and shape.change >= 4 and shape.size >= 10
        return bool(shape.digit or mixed) and not _is_expression(value, shape)
    if not both or shape.size < 10 or not shape.digit:
        return False
    return bool(shape.digit >= 3 and shape.other) or shape.rise * 10 >= shape.size * 3


def _is_expression(value: str, shape: Shape) -> bool:  # noqa: PLR0911  # a list of reasons
    """Whether punctuation joins words as code, paths, packages and addresses do."""
    if value.endswith(("!0", "!1")):  # what minifiers write for true and false
        return True
    if "/" in value or "==" in value or ">=" in value or "<=" in value or "&&" in value:
        return True
    name, at, host = value.partition("@")
    if at and not name and ":" in host:
        return True
    host = host.lstrip("^~")
    if at and host and (host[0] in _DIGITS or "." in host or (len(host) > 6 and is_hex(host))):
        return True
    if value[0] in "#@+~^%&*$" and _is_chain(value[1:].replace("-", "_")):
        return shape.digit < 3 or not (shape.lower and shape.upper)
    if shape.change * 4 >= shape.size:
        return False
    body = value.rstrip("!@#$%^&*?+=")
    return ("*" in body or "+" in body) and _is_chain(body.replace("*", ".").replace("+", "."))


def _is_chain(value: str) -> bool:
    """Whether the value is names or numbers joined by dots: `self.key`, `time.RFC3339`."""
    parts = value.replace("?.", ".").replace("->", ".").split(".")
    return all(_is_name(part) or part.isdigit() for part in parts)


def is_code(value: str) -> bool:
    """Whether an unquoted value reads as a name, a call, a path or an address, not a literal.

    Words joined by a dot or underscore pass for a password only with three digits or more at
    the end, after a small letter: `Cobalt.quartz17` is code, `Cobalt.quartz1731` is not. A
    random value is none of these, whatever it begins with.
    """
    if "(" in value or "[" in value or "::" in value or "://" in value:
        return True
    if is_path(value):
        return True
    body = value.lstrip("&*").rstrip("!?").partition("{")[0]
    if not body or not _is_chain(body):
        return False
    word = body.rstrip("0123456789")
    if "." in body and "_" not in body:
        digits = len(body) - len(word)
        least = 4 if body.islower() or body.count(".") > 1 else 3
        return digits < least or not word[-1:].islower()
    digits = sum(char in _DIGITS for char in body)
    return digits < 3 and ("_" in body or digits == 0 or "." in body) and not is_random(body)


def is_path(value: str) -> bool:
    """Whether the value is a path: a root before it, or a word between slashes."""
    if "/" not in value:
        return value[0] in ".~" and len(value) > 1 and value[1] in "./\\~"
    if value[0] in ".~" or not (value.endswith("=") or is_random(value)):
        return True
    parts = value.lstrip("/").split("/")
    if len(parts[0]) > 1 and parts[0].islower() and parts[0].replace(".", "").isalpha():
        return True
    words = sum(len(part) for part in parts if part.isalpha() and part.islower() and len(part) > 2)
    return words * 3 >= len(value)
