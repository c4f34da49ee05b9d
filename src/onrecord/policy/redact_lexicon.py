"""The words around secrets: names that carry them, what joins a value, what rules one out.

Data only. Expressions are RE2 over UTF-8 bytes in Latin-1 mode, so a letter outside ASCII must
not stand in brackets; a new language is a few entries here.
"""

from __future__ import annotations

#: Stems of names that may carry a secret; the lower-cased text must hold one of them.
STEMS = (
    "pass", "pwd", "pw", "psw", "secret", "token", "cred", "key", "auth", "cookie", "sess", "jwt",
    "bearer", "_pat", " pat ", " pat:", " pat=", "psswd", "psk", "salt", "pepper", "otp",
    "sid=", "mdp",
    "contrase", "clave",
    "senha", "wachtwoord", "kennwort", "haslo", "losenord", "parol", "sifre", "heslo", "jelsz",
    "salasana", "adgangskode", "lozink", "schluessel", "geheim", "chave", "chiave", "llave",
    "klucz", "sleutel", "anahtar", "jeton", "fernet", "p/w",
    "recovery code", "backup code", "access code", "unlock code", "activation code",
    "security code", "pairing code", "invite code",
)  # fmt: skip

#: A name that may carry a secret: one of the stems with the rest of its identifier.
NAMES = (
    r"(?i)[0-9a-z_.\-]*(?:pass|p[sw]*wd|\bpws?\b|_pw\b|\bpsw|secret|token|cred|key|auth|cookie"
    r"|sess|jwt|bearer|\bpat\b|_pat\b|psk|salt|pepper|otp\b|\bsid\b|_sid\b|\bmdp\b|contrasena"
    r"|\bclave|senha|wachtwoord|kennwort|haslo|losenord|parol|sifre|heslo|jelsz|salasana"
    r"|adgangskode|lozink|schluessel|geheim|\bchave|\bchiave|\bllave|\bklucz|sleutel|anahtar"
    r"|\bjeton|fernet|\bp/w\b"
    r"|(?:recovery|backup|access|unlock|activation|security|pairing|invite) codes?)[0-9a-z_\-]*"
)
#: The same in other alphabets; tried when the text is not ASCII.
WIDE_NAMES = (
    r"contraseñas?|hasło|lösenord(?:et)?|(?:Ş|ş)ifre(?:si|niz)?|jelszó|(?:API-)?(?:S|s)chlüssel"
    r"|(?:П|п)арол(?:ь|я|ем)|(?:К|к)люч|(?:Т|т)окен|(?:С|с)екрет|密码|密碼|口令|密钥|密鑰|令牌"
    r"|パスワード|秘密鍵|トークン|비밀번호|암호|토큰"
    r"|[Cc]lés?(?: d'| )API|[Cc]lés? secrètes?|[Cc]lé"
)

#: What joins a name to its value, the value's opening quote (group 1) and its scheme.
JOINS = (
    r"(?i)(?:"
    r"\\*(?:[\"'`]|’|”|&quot;|&#3[49];|%22)?[\])]?\**(?:[ \t]*\([^()\n]*\))?[ \t]*"
    r"(?::=|=>|=+|::?|->|→|：|＝|%3[AD]|%253[AD]|是|为|為|は|는|은|\|"
    r"|(?:[ \t]+[a-z]+=\"[^\"]*\")*>)"
    r"\**\s*"
    r"|\\?[\"']?[ \t]*,?\s*\\?[\"']?(?:android:)?(?:value|default|defaultvalue)\\?[\"']?[ \t]*"
    r"[:=]\s*|\\?[\"']?[ \t]*\{[^{}]*?default\s*=\s*|[ \t]+(?:--body|-b|--value|--data)[ =]?"
    r"|\\?[\"'][ \t]*,[ \t]*"
    r"|[ \t]+(?:is|are|was|to|lautet|ist|es|est|é|jest|är|это|-|–|—)"
    r"(?:[ \t]+(?:now|currently|still|set to|just|simply|also|always))?[ \t]*:?[ \t]+"
    r"|[ \t]+"
    r")(?:[brfu]?(\\*[\"'`]|“|‘|«|„|\*\*?|&quot;|&#3[49];|%22|<code>))?"
    r"(?:(?:bearer|basic|token|apikey|bot|ssws)[ \t]+)?"
)

#: The words of `JOINS`; any other short word after a name means that no value follows.
JOINING_WORDS = frozenset({
    "is", "are", "was", "to", "lautet", "ist", "es", "est", "jest", "value", "default", "bearer",
    "basic", "token", "apikey", "bot", "ssws",
})  # fmt: skip

#: An unquoted value: up to a space, a quote, a bracket of markup, `;`, `|`, `,`, an escaped
#: line end or quote, a percent-coded `"`, `&` or `'`, or a script that is written without spaces.
BARE = (
    r"(?:[^\s\"'`<>;|,\\%\xe1-\xef]|\\[^nrt\"'\\\s]"
    r"|%(?:[^2\s\"'`<>;|,\\]|2[^267\s\"'`<>;|,\\]))*"
)

#: One code of a list of recovery codes.
CODES = r"[0-9A-Za-z][0-9A-Za-z\-]*"

#: What closes an opening quote that does not close itself.
CLOSERS = {"“": "”", "‘": "’", "«": "»", "„": "“", "<code>": "</code>"}

#: Words near which a chosen password is taken for one.
LOGINS = (
    r"(?i)\b(?:log(?:s|ged|ging)?[ \-]?(?:in|on)|sign(?:s|ed|ing)?[ \-]?in|unlock\w*|ssh|sudo|su"
    r"|credentials?|creds|wi-?fi|wlan|vpn|admin\w*|root|account|konto|compte|cuenta|keystore"
    r"|logins?|keychain|htaccess|basic auth|s?ftp|smtp|imap|rdp|remote desktop|user(?:name)?"
    r"|usr|safe|vnc|ipmi|ilo|idrac|snmp\w*|auth(?:enticate)?|passw\w+|passphrase"
    r"|(?:en|de)crypt\w*|get in|zugangsdaten"
    r"|anmeld\w+"
    r"|identifiants?|credenciales|[0-9a-z_.+\-]+@[0-9a-z\-]+\.[0-9a-z.\-]+)\b"
    r"|логин|учетн\S+|учётн\S+|账号|帐号|登录|ログイン|ユーザー|아이디|로그인"
)

#: One of these must occur in the lower-cased text before `LOGINS` is tried.
LOGIN_STEMS = (
    "log", "sign", "unlock", "ssh", "sudo", "cred", "wi-fi", "wifi", "wlan", "vpn", "admin",
    "root", "account", "konto", "compte", "cuenta", "keystore", "htaccess", "basic auth", "ftp",
    "smtp", "imap", "rdp", "user", "usr", "auth", "passw", "crypt", "safe", "get in", "@",
    "vnc", "ipmi", "ilo", "idrac", "snmp", "zugang", "anmeld", "identifiant", "credencial",
    "remote desktop",
)  # fmt: skip

#: A word that may hold a password or token: it has a digit.
WORDS = r"[0-9A-Za-z!#$%&*+\-./:=?@\\^_~]*[0-9][0-9A-Za-z!#$%&*+\-./:=?@\\^_~]*"

#: Words right before a string that say it is an identifier or a digest.
IDENTIFIERS = frozenset({
    "commit", "sha", "sha1", "sha256", "sha512", "md5", "hash", "digest", "checksum", "revision",
    "rev", "build", "image", "trace", "span", "id", "ids", "uid", "uuid", "guid", "etag", "blob",
    "version", "release", "branch", "tag", "ticket", "issue", "pr", "file", "node", "pod", "host",
    "region", "model", "merge-base", "fingerprint", "revert", "cherry-pick", "ref", "request",
    "job", "run", "order", "serial", "cid", "address", "contract", "dashboard", "cve", "port",
    "hashed", "blake3", "nonce", "public", "integrity", "bump", "upgrade", "object", "event",
    "uuidv4", "uuidv7", "ulid",
})  # fmt: skip

#: Words that say, anywhere in the clause before it, that a digest is one.
DIGESTS = (
    "sha1", "sha256", "sha512", "sha-", "md5", "hash", "digest", "checksum", "fingerprint",
    "crc32", "commit", "revision",
)  # fmt: skip

#: Words before "key" or "token" that say nothing about it.
FILLERS = frozenset({
    "a", "an", "and", "any", "as", "by", "each", "every", "for", "from", "her", "his", "in",
    "into", "is", "its", "my", "new", "of", "old", "on", "one", "or", "our", "that", "the",
    "their", "this", "to", "use", "using", "via", "wants", "with", "your", "needs", "set", "add",
    "get", "rotate",
})  # fmt: skip

#: Words right before a digest or UUID that say whose identifier it is.
OWNERS = frozenset({
    "tenant", "user", "account", "customer", "org", "session", "thread", "project", "workspace",
    "device", "client", "correlation", "transaction", "message", "item", "record", "row", "page",
    "group", "team", "cluster", "namespace", "volume", "subscription", "container", "trace",
})  # fmt: skip

#: Words of a name, by what they say about its value.
PASSWORD_WORDS = frozenset({
    "password", "passwords", "passwd", "passphrase", "passcode", "passwort", "pass", "passw",
    "pwd", "pw", "p/w", "psswd", "passwrd", "psw", "pswd", "mdp", "passe",
    "contraseña", "contraseñas", "contrasena", "clave",
    "senha", "wachtwoord", "kennwort", "hasło", "haslo", "lösenord", "lösenordet", "losenord",
    "parola", "parole", "şifre", "şifresi", "sifre", "heslo", "jelszó", "jelszo", "salasana",
    "adgangskode", "lozinka", "пароль", "пароля", "паролем", "密码", "密碼", "口令", "パスワード",
    "비밀번호", "암호",
})  # fmt: skip
TOKEN_WORDS = frozenset({
    "secret", "secrets", "token", "tokens", "credential", "credentials", "cred", "creds", "apikey",
    "apikeys", "apitoken", "jwt", "bearer", "psk", "salt", "pepper", "otp", "totp", "sid",
    "cookie", "cookies", "session", "sess", "sessid", "sessionid", "auth", "authorization",
    "authkey", "accesskey", "secretkey", "privatekey", "pat", "codes", "code", "geheimnis",
    "schlüssel", "api-schlüssel", "schluessel", "clé", "clés", "chave", "chiave", "llave",
    "klucz", "sleutel", "anahtar", "jeton", "ключ", "токен", "секрет", "密钥", "密鑰", "令牌",
    "秘密鍵", "トークン", "토큰", "fernet",
})  # fmt: skip
#: Words that make a "key" a secret one.
KEY_WORDS = frozenset({
    "api", "access", "secret", "private", "signing", "sign", "encryption", "encrypt", "master",
    "license", "licence", "account", "storage", "shared", "service", "deploy", "product",
    "fernet", "aes", "hmac", "root", "admin", "app", "application", "auth", "session",
    "cookie", "jwt", "webhook", "subscription", "server", "write", "read", "ingest", "recovery",
    "integration", "management", "unseal", "wallet", "preshared", "decryption", "vault",
    "personal", "live", "prod", "production", "staging", "test", "developer", "dev", "security",
    "sas", "consumer", "activation", "upload", "client",
})  # fmt: skip
#: Words that make a name harmless wherever they stand in it.
HARMLESS_WORDS = frozenset({
    "public", "pub", "pubkey", "publishable", "digest", "checksum", "fingerprint", "hash",
    "hashed", "max", "min", "num", "count", "total", "etag", "sha", "sha1", "sha256", "md5",
    "keyboard", "monkey", "keyword", "keywords", "hotkey", "tokenizer", "tokenize", "cursor",
    "integrity", "nonce", "i18n", "author", "authors", "authority", "fix",
})  # fmt: skip
#: Words that make a "key" a name of something, not a secret.
PLAIN_KEYS = frozenset({
    "primary", "foreign", "partition", "sort", "cache", "idempotency", "site", "host", "object",
    "translation", "dict", "map", "index", "lookup", "unique", "composite", "row", "routing",
    "group", "join", "column", "natural", "surrogate", "issue", "message", "msg", "restore",
    "dedupe", "dedup", "shard", "record", "item", "entity", "blob", "asset", "memo", "lock",
    "feature", "flag", "registry", "event", "batch", "job", "task", "correlation", "request",
    "trace", "content", "build", "artifact", "image", "etcd", "redis", "kafka", "document",
    "layer", "chunk", "bucket", "commit", "page", "next", "search", "filter", "config", "label",
})  # fmt: skip
#: Words that make a "token" a place in a list.
PLAIN_TOKENS = frozenset(
    {"next", "page", "continuation", "pagination", "sync", "resume", "commit"}
)
#: Last words that make a name say where, how long or which, and not what.
HARMLESS_ENDS = frozenset({
    "file", "path", "dir", "id", "ids", "name", "names", "type", "len", "length", "size", "limit",
    "ttl", "age", "policy", "url", "uri", "endpoint", "field", "label", "hint", "placeholder",
    "algorithm", "alg", "version", "header", "prefix", "suffix", "format", "regex", "pattern",
    "provider", "store", "manager", "service", "class", "reset", "required", "enabled", "env",
    "var", "ref", "arn", "alias", "scope", "scopes", "expiry", "expires", "expiration", "rotation",
    "strength", "usage", "budget", "created", "updated", "at", "in", "input", "form",
    "link", "error", "errors", "validator", "changed", "generator", "prompt", "title", "audience",
    "issuer", "realm", "subject", "text", "help", "method", "mode", "process", "helper", "per",
    "less", "based", "source",
})  # fmt: skip

#: Whole values that say there is no secret here, or that everybody knows.
STOCK = frozenset({
    "password", "passwd", "passwort", "kennwort", "pass", "pwd", "pw", "secret", "token", "key",
    "apikey", "api_key", "api-key", "user", "username", "admin", "root", "test", "tests",
    "testing", "guest", "default", "postgres", "mysql", "redis", "mongo", "rabbitmq", "minioadmin",
    "string", "str", "text", "bytes", "number", "int", "integer", "bool", "boolean", "object",
    "array", "null", "none", "nil", "undefined", "void", "true", "false", "yes", "no", "on", "off",
    "required", "optional", "hidden", "private", "public", "empty", "unset", "unknown", "never",
    "always", "value", "credentials", "basic", "bearer", "digest", "oauth", "oauth2", "auto",
    "disabled", "enabled", "any", "all", "and", "the", "not", "new", "old", "see", "ask", "same",
    "env", "vault", "keyring", "keychain", "prompt", "stdin", "file", "sso", "ldap", "saml",
    "foo", "bar", "baz", "dev", "local", "prod", "staging", "demo", "invalid", "missing",
    "expired", "forgotten", "incorrect", "wrong", "changed", "rotated", "encrypted", "hashed",
    "plain", "1password", "lastpass", "bitwarden", "keepass", "keepassxc", "okta",
})  # fmt: skip
