"""Whether a value that is joined to a name is a secret."""

# Thresholds are measured on corpora and explained where they stand.
# ruff: noqa: PLR2004

from __future__ import annotations

from onrecord.policy import redact_lexicon as lexicon
from onrecord.policy import redact_values as values
from onrecord.policy.redact_wording import CODES, KEY, PASS, PASSWORD, SESSION, WEAK, words_of

#: How a name and a value are joined: by an operator, as `name: X, value: Y`, as the next
#: argument of a call, by a verb, by space only.
OPERATOR, PAIR, ARGUMENT, VERB, SPACE = 1, 2, 3, 4, 5


def accepts(group: str, value: str, how: int, *, quoted: bool, tight: bool, phrase: bool) -> bool:
    """Whether a value joined to a name of this group is a secret.

    `tight` says that the layout leaves no doubt that a literal value follows: a variable in
    capitals, a flag, quotes, a connection string; `phrase` that several words may follow.
    """
    if values.is_placeholder(value) or _is_told_apart(value, how):
        return False
    if not quoted and values.is_code(value):
        return (
            tight and how == OPERATOR and value.isalnum() and _judge(group, value, how, tight=True)
        )
    if "/" in value and values.is_path(value):
        return False
    if " " in value and not values.is_grouped(value):
        return group == PASSWORD and phrase and quoted and value.count(" ") > 1
    return _judge(group, value, how, quoted=quoted, tight=tight)


def _judge(group: str, value: str, how: int, *, quoted: bool = False, tight: bool) -> bool:
    if group in (PASSWORD, PASS):
        return _is_password(value, how, quoted=quoted, tight=tight, weak=group == PASS)
    if group == CODES:
        return len(value) >= 6 and how <= VERB and any(char.isdigit() for char in value)
    if group in (WEAK, SESSION) or (group == KEY and (quoted or not tight)):
        return _is_key(value, how, weak=group == WEAK or (group == SESSION and how != OPERATOR))
    return _is_token(value, how, quoted=quoted, tight=tight)


def _is_told_apart(value: str, how: int) -> bool:
    """Whether the value is a stock word, a name of a secret, a digest, a link or a flag."""
    low = value.lower()
    if low in lexicon.STOCK or low in lexicon.PASSWORD_WORDS or low in lexicon.TOKEN_WORDS:
        return True
    if low.startswith(("sha1", "sha256", "sha384", "sha512", "md5:", "h1:", "http:", "https:")):
        return True
    if value.startswith("--") or (how == SPACE and value[0] == "-"):
        return True
    if low.startswith(("pk_", "phc_", "pub-", "pubkey-", "sb_publishable_")):
        return True  # made to be published
    if value.startswith("eyJ") and "." not in value and (how == SPACE or len(value) < 60):
        return True  # one JSON object in base64, such as a page's cursor
    return value.isalpha() and any(word in lexicon.PASSWORD_WORDS for word in words_of(value))


def _is_key(value: str, how: int, *, weak: bool) -> bool:
    """For names that seldom carry a secret: only what is too random for an identifier."""
    size = len(value)
    if values.is_hex(value):
        return not weak and size >= 32
    if size >= 28 and how == OPERATOR:
        return values.is_random(value) and not values.is_uuid(value)
    return size >= 20 and how <= VERB and values.is_mixed(value)


def _is_token(value: str, how: int, *, quoted: bool, tight: bool) -> bool:
    size = len(value)
    if values.is_hex(value.removeprefix("0x")):
        return size >= (16 if how <= ARGUMENT else 32)
    if values.is_uuid(value) or values.is_serial(value):
        return True
    shape = values.Shape(value)
    least = 12 if how != SPACE or quoted else 20 if shape.lower and shape.upper else 24
    if size >= least and values.is_random(value, shape):
        return True
    if how == SPACE or size < 10:
        return False
    if values.is_chosen(value) == values.SURELY:
        return True
    drawn = shape.change >= 3 and shape.digit >= (1 if size >= 16 else 2)
    return tight and how <= ARGUMENT and drawn


def _is_password(value: str, how: int, *, quoted: bool, tight: bool, weak: bool) -> bool:
    chosen = values.SURELY if values.is_grouped(value) else values.is_chosen(value)
    if how == SPACE and not quoted:
        return chosen == values.SURELY and not values.is_grouped(value)
    if chosen == values.SURELY or (weak and (not tight or how > ARGUMENT)):
        return chosen == values.SURELY
    if chosen or how == ARGUMENT or (weak and not quoted):
        return bool(chosen)
    if value.isdigit():
        return len(value) >= 6 and how <= ARGUMENT  # shorter ones are limits
    if any(char.isdigit() for char in value):
        return tight
    label = value.isalpha() and value[1:].islower() and value[0].isupper()
    return tight and len(value) >= 6 and not label and not value.isupper()
