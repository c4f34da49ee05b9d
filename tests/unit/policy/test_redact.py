"""Redaction: what is found, what stays, and what a marker says.

No secret stands in this file: tokens are drawn by a seeded generator, prefix and tail are joined
when a test runs, and passwords are made of words.
"""

from __future__ import annotations

import base64
import importlib.util
import random
import string
import subprocess
import sys
from typing import Any

import pytest

from corpora import ROOT, corpus
from onrecord.policy import redact_rules as rules
from onrecord.policy.redact import KINDS, Redaction, fold_markers, is_mostly_secret, redact

HEX = "0123456789abcdef"
ALNUM = string.ascii_letters + string.digits
#: What the letters of a tail may be, by the codes of the rules.
LETTERS = {"x": HEX, "a": ALNUM, "w": ALNUM, "d": ALNUM + "-_", "b": ALNUM, "p": ALNUM + "-_"}

PASSWORD = "Fjord" + "-willow" + "4821!"
SHA = "".join(random.Random(5).choices(HEX, k=40))  # noqa: S311  # not for security
UUID = "317e941d-dcb7-46cc-aaf5-240b705f6b59"


def drawn(letters: str, size: int, seed: str = "seed") -> str:
    """Characters a machine would draw; the same for the same seed."""
    return "".join(random.Random(seed).choices(letters, k=size))  # noqa: S311  # not for security


TOKEN = drawn(ALNUM, 40)


def left(secret: str, text: str) -> list[str]:
    """Pieces of eight characters of the secret that a text still holds."""
    size = min(8, len(secret))
    pieces = (secret[at : at + size] for at in range(len(secret) - size + 1))
    return [piece for piece in pieces if piece in text]


def prefixes() -> list[tuple[str, str]]:
    """A kind and a token for every prefix of the rules."""
    return [
        (kind, prefix + drawn(LETTERS[code], max(least, 20) + 4, prefix))
        for kind, code, least, group in rules.PREFIXES
        for prefix in group
    ]


def scorer() -> Any:
    """The corpus's own rules of scoring."""
    spec = importlib.util.spec_from_file_location("score", corpus("safety/score.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore::EncodingWarning")  # the corpus's scorer names none,
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # and leaves its file open
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_safety_secrets() -> None:
    """The development set: 99 % of secrets caught, 99 % of clean texts kept to the byte."""
    path = corpus("safety/secrets.jsonl")

    score = scorer().secrets_score(path, lambda text: redact(text).text)

    assert score["recall"] >= 0.99, score["missed"]
    assert score["clean_kept"] >= 0.99, score["damaged"]
    assert score["over"] <= 0.01 * score["spans"] * 40


@pytest.mark.parametrize(("kind", "token"), prefixes(), ids=lambda part: part[:12])
def test_a_token_is_known_by_its_prefix(kind: str, token: str) -> None:
    """Every prefix of the rules is found in prose, whole, under a kind the module names."""
    redaction = redact(f"It ran with {token}, until May")

    assert redaction.text.startswith("It ran with [redacted:")
    assert redaction.text.endswith(", until May")
    assert left(token, redaction.text) == []
    assert kind in KINDS
    assert set(redaction.kinds) <= set(KINDS)


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "({})",
        "**{}**",
        "`{}`.",
        "'{}'",
        '{{\\"t\\": \\"{}\\"}}',
        "<td>{}</td>",
        "| prod | {} |",
        "a={};b=2",
        "https://x.acme.test/cb?t={}&u=1",
        "https://x.acme.test/cb%3Ft%3D{}%26u%3D1",
        "line1\\n{}\\nline2",
        "“{}”",
        "密钥是{}。",
        "naïve – {} – 😀",
    ],
)
def test_what_stands_around_a_token_stays(around: str) -> None:
    """Quotes, markup, escapes, percent codes and other scripts around a token are untouched."""
    token = "ghp" + "_" + drawn(ALNUM, 36)

    assert redact(around.format(token)).text == around.format("[redacted:github_token]")


def test_a_github_app_token_is_taken_whole() -> None:
    """The long form `ghs_<app id>_<JWT>`, dots and hyphens included."""
    header = base64.urlsafe_b64encode(b'{"alg":"RS256","typ":"JWT"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(b'{"sub":"a1b2c3d4e5","iat":1}').decode().rstrip("=")
    token = f"gh{'s'}_257263_{header}.{body}.{drawn(ALNUM + '-_', 340)}"

    assert redact(f"GITHUB_TOKEN={token}\n").text == "GITHUB_TOKEN=[redacted:github_token]\n"


def armour(name: str, lines: int = 6) -> str:
    """A private key of nobody's in its armour."""
    body = "\n".join(drawn(ALNUM + "+/", 64, str(line)) for line in range(lines))
    return f"-----BEGIN {name}-----\n{body}\n-----END {name}-----"


@pytest.mark.parametrize(
    "name",
    ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"],
)
def test_a_private_key_is_taken_with_its_armour(name: str) -> None:
    """As lines, as one line with escaped ends, indented, quoted, and cut off before its end."""
    key = armour(name)
    escaped = key.replace("\n", "\\n")
    indented = key.replace("\n", "\n    ")
    quoted = key.replace("\n", "\n> ")

    for form in (key, escaped, indented, quoted):
        assert redact(f"key:\n{form}\nend").text == "key:\n[redacted:private_key]\nend"
    assert left(drawn(ALNUM + "+/", 64, "2"), redact(key.rpartition("\n")[0]).text) == []


def test_a_key_in_base64_is_told_from_a_certificate() -> None:
    """`client-key-data` goes, `certificate-authority-data` stays."""
    key = base64.b64encode(armour("RSA PRIVATE KEY").encode()).decode()
    certificate = base64.b64encode(armour("CERTIFICATE").encode()).decode()

    assert redact(f"client-key-data: {key}").text == "client-key-data: [redacted:private_key]"
    text = f"certificate-authority-data: {certificate}"
    assert redact(text).text == text


@pytest.mark.parametrize(
    "layout",
    [
        "DB_PASSWORD={}",
        "REDIS_PASSWORD='{}'",
        'password = "{}"',
        '"password": "{}"',
        '{{\\"password\\":\\"{}\\"}}',
        "&quot;password&quot;:&quot;{}&quot;",
        "password: |\n  {}\n",
        "Password:\n\n    {}\n",
        "postgres://app:{}@db.acme.test:5432/app",
        "redis://:{}@cache:6379",
        "HTTP_PROXY=http://u:{}@proxy:3128",
        "Server=db;User Id=sa;Password={};Encrypt=yes",
        "jdbc:mysql://db/app?user=a&password={}&ssl=true",
        "curl -u bob:{} https://acme.test",
        "mysql -u root -p{} app",
        "PGPASSWORD={} psql -h db",
        "sshpass -p {} ssh bob@host",
        "docker login -u ci -p {} reg.acme.test",
        "redis-cli -a {} ping",
        "--password {} --verbose",
        "echo '{}' | sudo -S ls",
        "CREATE USER a IDENTIFIED BY '{}';",
        "machine h login bob password {}",
        "db:5432:app:bob:{}",
        "net use Z: \\\\srv\\share {} /user:bob",
        "openssl enc -d -pass pass:{}",
        "smbclient //srv/x -U bob%{}",
        "<password>{}</password>",
        '<property name="password">{}</property>',
        '<add key="Password" value="{}"/>',
        "- name: DB_PASSWORD\n  value: {}",
        'os.Setenv("DB_PASSWORD", "{}")',
        'variable "db_password" {{\n  default = "{}"\n}}',
        "ConvertTo-SecureString '{}' -AsPlainText",
        "| user | password |\n|---|---|\n| bob | {} |",
        "user,password\nbob,{}\n",
        "kind: Secret\nstringData:\n  whatever: {}\n",
        "the password is {}",
        "I set the grafana admin password to {} for the demo",
        "Password for the new hire is '{}', must change",
        "staging login: admin / {}",
        "For the demo tenant sign in as demo@acme.test with {}.",
        "{} is the root password on db-3",
        "das Passwort lautet {}",
        "le mot de passe est {}",
        "la contraseña es {}",
        "пароль: {}",
        "密码是{}。",
        "パスワードは{}です",
        "비밀번호는 {}",
    ],
)
def test_a_password_is_found_in_every_layout(layout: str) -> None:
    """Code, settings, URLs, command lines, tables, manifests and prose in several languages."""
    text = layout.format(PASSWORD)

    redaction = redact(text)

    assert left(PASSWORD, redaction.text) == []
    before, _, after = text.partition(PASSWORD)
    assert redaction.text.startswith(before)
    assert redaction.text.endswith(after.lstrip("!"))


@pytest.mark.parametrize(
    "layout",
    [
        "API_KEY={}",
        'const token = "{}";',
        "acme login --token={} --org widgets",
        "https://api.acme.test/v1?access_token={}&x=1",
        "api_key%3D{}%26x%3D1",
        "Authorization: Bearer {}",
        "X-Api-Key: {}",
        "curl -H 'X-Auth-Token: {}' https://acme.test",
        '{{"name":"API_TOKEN","value":"{}"}}',
        "gh secret set ACME_TOKEN --body {}",
        "Cookie: lang=en; sessionid={}; theme=dark",
        "la clé API est {}",
        "密钥：{}",
    ],
)
@pytest.mark.parametrize(
    "token",
    [TOKEN, drawn(HEX, 32), drawn(string.ascii_lowercase + string.digits, 40, "a")],
    ids=["mixed", "hex", "lower"],
)
def test_a_random_token_is_found_beside_its_name(layout: str, token: str) -> None:
    """Without a prefix, a name and randomness tell a token."""
    text = layout.format(token)

    redaction = redact(text)

    assert left(token, redaction.text) == []
    assert redaction.text.startswith(text.partition(token)[0])


@pytest.mark.parametrize(
    "layout",
    [
        "the internal search API wants a token, use {}",
        "aws secret access key for the backup user: {}",
        "Credentials:\n- grafana: viewer only\n- search: {}",
    ],
)
def test_far_from_its_name_a_token_of_mixed_letters_is_found(layout: str) -> None:
    """In the same sentence or list a name explains what only a machine draws."""
    assert redact(layout.format(TOKEN)).text == layout.format("[redacted:token]")


CLEAN = {
    "commit": f"The regression came in with commit {SHA}; the token was fine.",
    "pinned action": f"uses: actions/checkout@{SHA} # v4, needs a token",
    "request": f"request id {UUID} failed: invalid token",
    "tenant": f"The token was issued for tenant {UUID}",
    "idempotency key": f"idempotency key {UUID} was replayed twice",
    "digest": f"image digest sha256:{drawn(HEX, 64)} is what prod runs",
    "cache key": f"cache key node-modules-{drawn(HEX, 64)}",
    "integrity": f'"integrity": "sha512-{drawn(ALNUM, 86)}=="',
    "go.sum": f"github.com/acme/token v1.0.0/go.mod h1:{drawn(ALNUM, 43)}=",
    "public key": f"ssh-ed25519 AAAA{drawn(ALNUM, 64)} deploy key",
    "peer": f"[Peer]\nPublicKey = {drawn(ALNUM, 43)}=",
    "certificate": armour("CERTIFICATE"),
    "image": f"![logo](data:image/png;base64,{drawn(ALNUM, 300)})",
    "sops": f"db_password: ENC[AES256_GCM,data:{drawn(ALNUM, 24)},tag:{drawn(ALNUM, 22)}==]",
    "page": f'"nextToken": "{TOKEN}"',
    "payment id": f"Stripe customer cus_{drawn(ALNUM, 14)} paid pi_{drawn(ALNUM, 24)}",
    "publishable": f"STRIPE_PUBLISHABLE_KEY=pk_{'live'}_{drawn(ALNUM, 24)}",
    "dsn": f"SENTRY_DSN=https://{drawn(HEX, 32)}@o1.ingest.sentry.io/45",
    "arn": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbC12f",
    "template": "export GITHUB_TOKEN=<your-token-here>",
    "variable": "DB_PASSWORD=${DB_PASSWORD:-} psql -U $PGUSER",
    "workflow": "token: ${{ secrets.NPM_TOKEN }}",
    "mask": "password: ********",
    "dots": "OPENAI_API_KEY=sk-...",
    "mark": "tokens look like ghp" + "_" + "x" * 36,
    "counted": "sk-" + "1234567890abcdefghijklmnop",
    "documented": "AKIA" + "IOSFODNN7EXAMPLE",
    "stock": "postgres://postgres:postgres@localhost:5432/test",
    "words": "postgres://USER:PASSWORD@HOST:5432/DBNAME",
    "vault": "password: !vault |\n  see group_vars",
    "reference": "op://Engineering/staging-db/password",
    "environment": 'password = os.environ["DB_PASSWORD"]',
    "call": "token = get_token(user_id)",
    "chain": "secret = self.config.secret_v2",
    "limit": "max_tokens=4096 is too small",
    "schema": '"password": {"type": "string", "minLength": 8}',
    "rule": "Passwords must have 12 characters and 1 digit",
    "algorithm": "The key is derived with PBKDF2-HMAC-SHA256",
    "header": "-----BEGIN RSA PRIVATE KEY----- must never be in the repo",
    "pattern": "regex: gh[pousr]_[A-Za-z0-9]{36}",
    "path": "src/auth/token_v2.py:142 checks the password",
    "product": "credentials for GPT-4o-2024-08-06 are per team",
    "machine": "Win-Server2019 box for the login tests",
    "flag": "adduser --disabled-password --gecos User",
    "package": '"minipass": "^7.0.3", "word-wrap": "1.2.5"',
    "advisory": "fixed authentication bypass GHSA-7x63-xv5r-3p2x",
    "german": "Das Passwort steht im Tresor",
    "chinese": "密码：见 1Password",
}


@pytest.mark.parametrize("text", CLEAN.values(), ids=CLEAN.keys())
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    """Hashes, identifiers, public keys, placeholders, code and prose are kept to the byte."""
    redaction = redact(text)

    assert redaction.text == text
    assert (redaction.kinds, redaction.removed) == ({}, 0)


@pytest.mark.parametrize("name", ["gateway/dev/pairs.jsonl", "typed/dev/items.jsonl"])
def test_corpora_without_secrets_stay(name: str) -> None:
    """Notes of coding work without secrets are kept to the byte."""
    lines = corpus(name).read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if redact(line).text != line] == []


def test_a_redaction_counts_and_never_tells() -> None:
    """Kinds are counted, removed characters are code points, and no secret is in either."""
    password = "Größe#" + "willow4821"
    text = f"😀 password='{password}' and ghp" + "_" + drawn(ALNUM, 36)

    redaction = redact(text)

    assert redaction.text == "😀 password='[redacted:password]' and [redacted:github_token]"
    assert redaction.kinds == {"password": 1, "github_token": 1}
    assert redaction.removed == len(password) + 40


def test_lone_surrogates_are_carried_through() -> None:
    """A text that is no valid Unicode is redacted all the same, and otherwise unchanged."""
    text = f"\ud800 password={PASSWORD} \udfff"

    assert redact(text).text == "\ud800 password=[redacted:password] \udfff"


def test_markers_stay_and_hide_nothing() -> None:
    """A marker is left alone; what only looks like one protects no secret."""
    marked = "password=[redacted:password] key [redacted:private_key]"
    posing = f"token=[redacted:{drawn(HEX, 40)}]"

    assert redact(marked).text == marked
    assert left(drawn(HEX, 40), redact(f"api key: {drawn(HEX, 40)} {marked}").text) == []
    assert redact(f"password={PASSWORD}[redacted:token]").text == (
        "password=[redacted:password][redacted:token]"
    )
    assert fold_markers(posing) == posing


def test_markers_fold_to_one() -> None:
    """Folded, two texts that differ in kinds alone are equal."""
    assert fold_markers("a [redacted:token] b [redacted:github_token].") == (
        "a [redacted] b [redacted]."
    )
    assert fold_markers("a [redacted: b] [redacted:A1]") == "a [redacted: b] [redacted:A1]"
    assert fold_markers("[redacted:x") == "[redacted:x"


@pytest.mark.parametrize(
    ("text", "mostly"),
    [
        (f"password={PASSWORD}", True),
        (f"API_KEY={TOKEN}\nexport DB_PASSWORD='{PASSWORD}'", True),
        (armour("PRIVATE KEY"), True),
        (f"密码：{PASSWORD}", True),
        (f"Deploys to staging need password={PASSWORD} until May", False),
        (f"部署到测试环境之前必须先登录，密码：{PASSWORD}", False),
        ("keys", False),
        ("", False),
    ],
)
def test_an_item_that_is_mostly_secret_is_told(text: str, *, mostly: bool) -> None:
    """Fewer than four words that say something, once the secrets are gone."""
    assert is_mostly_secret(text, redact(text)) is mostly


def test_no_kind_gives_a_prefix_away() -> None:
    """A marker never holds eight characters that also begin a token."""
    literal = [prefix for _, _, _, group in rules.PREFIXES for prefix in group]

    shared = [(kind, prefix) for kind in KINDS for prefix in literal if len(prefix) > 7]

    assert [pair for pair in shared if left(pair[1], f"[redacted:{pair[0]}]")] == []
    assert all(set(kind) <= set(string.ascii_lowercase + "_") for kind in KINDS)


def test_an_ordinary_text_loads_little() -> None:
    """Importing and redacting prose loads none of the modules that are slow to load, nor RE2."""
    heavy = [
        "re",
        "re2",
        "dataclasses",
        "typing",
        "json",
        "enum",
        "pathlib",
        "argparse",
        "logging",
    ]
    code = (
        "import sys\n"
        "from onrecord.policy.redact import redact\n"
        "text = 'The nightly export is slow; add the index and run its tests.'\n"
        "assert redact(text).text == text\n"
        f"print(sorted(set({heavy!r}) & set(sys.modules)))"
    )

    run = subprocess.run(  # the interpreter that runs this test, isolated from site's imports
        [
            sys.executable,
            "-S",
            "-c",
            f"sys_path = {sys.path!r}\nimport sys\nsys.path[:] = sys_path\n{code}",
        ],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert run.stdout.strip() == "[]"


def test_long_and_short_texts_are_searched_alike() -> None:
    """Past the first few kilobytes anchors are found in another way, with the same finds."""
    text = f"password={PASSWORD}"
    long = "word " * 4_000 + text

    assert redact(long).text == "word " * 4_000 + "password=[redacted:password]"
    assert redact(text).text == "password=[redacted:password]"


def test_the_reference_lists_every_kind() -> None:
    """The page about redaction has a row for each kind, and for no other."""
    page = (ROOT / "docs" / "reference" / "redaction.md").read_text(encoding="utf-8")
    rows = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]

    assert sorted(rows) == sorted(KINDS)


def test_a_redaction_is_small() -> None:
    """A redaction has no dictionary: it is made for every text that comes in."""
    redaction = Redaction("text", {}, 0)

    assert not hasattr(redaction, "__dict__")


def test_a_token_in_full_width_letters_is_found() -> None:
    """It is read as what it stands for; ordinary full-width text beside it stays."""
    token = "ghp_" + drawn(ALNUM, 36, "wide")
    wide = "".join(chr(ord(char) + 0xFEE0) for char in token)
    found = redact(f"ＡＢＣ１２３：　use {wide} here")

    assert found.text == "ＡＢＣ１２３：　use [redacted:github_token] here"
    assert found.kinds == {"github_token": 1}
    assert found.removed == 40
    assert redact(found.text).text == found.text
    assert redact("ＡＰＩ　Ｎｏ．１２３４５６７８９０").removed == 0
