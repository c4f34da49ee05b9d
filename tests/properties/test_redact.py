"""Redaction over any text: it settles at once, keeps count, and lets no planted secret by."""

from __future__ import annotations

import string

from hypothesis import assume, example, given
from hypothesis import strategies as st

from onrecord.policy import redact_rules as rules
from onrecord.policy.redact import fold_markers, redact, shortened, within

ALNUM = string.ascii_letters + string.digits

#: Pieces of the layouts that the rules know, to be put together in any order.
PIECES = st.sampled_from(
    [
        *("password", "password=", "Password: ", "token ", "api_key=", "key", '"', "'", "`", " "),
        *("\n", "\n\n", " is ", "=", ":", "/", "|", "@", "://", "https://", "Bearer ", "&x=", ";"),
        *("[redacted:password]", "[redacted:", "]", "ENC[", "-----BEGIN PRIVATE KEY-----", "\\n"),
        *("-----END PRIVATE KEY-----", "kind: Secret\ndata:\n  ", "cookie: ", "admin / ", "%3D"),
        *(
            "密码是",
            "пароль ",
            "é",
            "😀",
            "curl -u ",
            "--password ",
            "eyJ",
            "sk-",
            "xoxb-",
            "AKIA",
        ),
        *("<password>", "value: ", "**", "#", "${", "!", "recovery codes: ", "sha256:", "commit "),
    ]
)
WORDS = st.text(alphabet=ALNUM + "-_.!#%/+=", min_size=1, max_size=44)
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(PIECES, WORDS, st.text(max_size=6)), max_size=14).map("".join),
)

#: A tail a machine drew: letters of both cases and digits, hardly any twice.
TAILS = (
    st.permutations(ALNUM)
    .map(lambda letters: "".join(letters[:48]))
    .filter(lambda tail: sum(char.isdigit() for char in tail) > 3)
)
PREFIXES = st.sampled_from(
    [
        prefix
        for _, code, least, group in rules.PREFIXES
        for prefix in group
        if code != "x" and least <= 48
    ]
)
#: What may stand right before and after a token.
EDGES = st.sampled_from(["", " ", "\n", "(", '"', "`", "=", "\\n", "%3D", "，", "<", "\t"])
ENDS = st.sampled_from(["", " ", "\n", ")", '"', "`", "&", "\\n", "%26", "。", "<", ",", ";"])
PASSWORDS = st.tuples(
    st.sampled_from(["Fjord", "Quartz", "Willow", "Ember"]),
    st.sampled_from("-_.!#"),
    st.sampled_from(["gravel", "indigo", "tundra"]),
    st.integers(min_value=1000, max_value=99_999).map(str),
    st.sampled_from("?*%!"),
).map("".join)


@given(TEXTS)
def test_redacting_twice_changes_nothing(text: str) -> None:
    """What a redaction leaves, another one leaves as it is."""
    once = redact(text)

    assert redact(once.text).text == once.text


@given(TEXTS)
def test_the_count_of_removed_characters_is_exact(text: str) -> None:
    """Text, markers and removed characters add up."""
    redaction = redact(text)

    marks = sum(len(f"[redacted:{kind}]") * count for kind, count in redaction.kinds.items())
    assert len(text) - redaction.removed + marks == len(redaction.text)


@given(TEXTS)
def test_a_text_without_finds_is_the_same_object_in_value(text: str) -> None:
    """Nothing counted means nothing changed, to the byte."""
    redaction = redact(text)

    assert (redaction.text == text) == (not redaction.kinds)


@given(TEXTS)
def test_given_markers_survive(text: str) -> None:
    """Markers that a text has are there afterwards."""
    marker = "[redacted:password]"

    assert redact(text).text.count(marker) >= text.count(marker)


@given(st.text(max_size=60), EDGES, PREFIXES, TAILS, ENDS, st.text(max_size=60))
def test_no_token_of_a_known_issuer_gets_by(
    before: str, edge: str, prefix: str, tail: str, end: str, after: str
) -> None:
    """Whatever stands around it, nothing of the token is left but what a word could share."""
    assume(not before or edge or not (before[-1].isascii() and before[-1].isalnum()))
    assume("[redacted:" not in before + after)

    text = redact(f"{before}{edge}{prefix}{tail}{end} {after}").text

    assert tail not in text
    assert all(tail[at : at + 8] not in text for at in range(len(tail) - 7))


@given(st.text(alphabet=string.ascii_lowercase + " \n", max_size=60), PASSWORDS)
def test_no_password_beside_its_name_gets_by(before: str, password: str) -> None:
    """After `password is`, in an assignment and in a URL."""
    for layout in ("the password is {}", "DB_PASSWORD={}", 'password: "{}"', "ftp://u:{}@h/x"):
        text = redact(f"{before} {layout.format(password)}").text

        assert password[:-1] not in text


@given(TEXTS)
def test_folding_settles(text: str) -> None:
    """Folded markers are not folded again, and no kind is left."""
    folded = fold_markers(redact(text).text)

    assert fold_markers(folded) == folded
    assert "[redacted:password]" not in folded


@given(
    tail=TAILS,
    most=st.sampled_from([100, 500]),
    keys=st.integers(0, 3),
    filled=st.integers(0, 30),
    at=st.integers(-60, 20),
    is_far=st.booleans(),
)
@example(
    tail="a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8sTuVwXyZ",
    most=500,
    keys=2,
    filled=0,
    at=-20,
    is_far=True,
)
@example(
    tail="a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8sTuVwXyZ",
    most=500,
    keys=0,
    filled=20,
    at=-20,
    is_far=False,
)
def test_no_half_of_a_secret_is_kept(
    tail: str, most: int, keys: int, filled: int, at: int, *, is_far: bool
) -> None:
    """Where a text is cut, and where looking at it ends: so much may be secret before that."""
    body = "\n".join(["MIIEpAIBAAKCAQEA7bq3Z5mJx0aQ1cVw2eR4tY6uI8oP0aSdFgHjKlZxCvBnMqWe"] * 25)
    key = f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"
    head = key * keys + "The gate is red. " * filled
    fill = max(0, most + (3_500 if is_far else 0) + at - len(head))
    text = f"{head}{' ' * fill}ghp_{tail} and so on" + " and so on" * 500

    for kept in (within(text, most)[0], shortened(text, most)):
        assert len(kept) <= most
        assert not any(tail[n : n + 6] in kept for n in range(len(tail) - 6))
        assert "MIIE" not in kept


@given(TEXTS, st.integers(0, 250))
def test_a_short_text_is_redacted_and_cut(text: str, most: int) -> None:
    """As one would do it by hand; what is left off is counted, and what fits is left alone."""
    clean = redact(text).text

    kept, more = within(text, most)

    assert kept == clean[:most]
    assert more == len(clean) - len(kept)
    assert shortened(text, most) == (text if len(text) <= most else kept)
