# ruff: noqa: S105 - wording about secrets is data here
"""The words of which rules against instructions to a model are made (data of `instructions`).

All are read over a skeleton: case folded, width, look-alike letters and hidden characters
undone, white space single.
"""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.policy.regex import Pattern


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One way of instructing a model."""

    #: the flag it raises, after `instructs.`
    flag: str
    #: strings of which one must be there
    anchors: tuple[str, ...]
    #: patterns that must all be found in one passage
    every: tuple[Pattern, ...]
    #: patterns that make it harmless when found in the same passage
    unless: tuple[Pattern, ...] = ()


def rule(flag: str, anchors: str, *every: str, unless: str = "", act: str = "") -> Rule:
    """A rule of patterns; harmless where `unless` is found or the text forbids the `act`.

    `anchors` are plain strings, separated by `|`, of which one must occur before anything is
    compiled.
    """
    return Rule(
        flag=flag,
        anchors=tuple(anchors.split("|")),
        every=tuple(Pattern(source) for source in every),
        unless=(*((Pattern(unless),) if unless else ()), *((forbidden(act),) if act else ())),
    )


def forbidden(act: str) -> Pattern:
    """Finds an act that the text forbids rather than asks for."""
    return Pattern(
        r"\b(?:never|don't|dont|do not|must not|mustn't|should not|shouldn't|cannot|can't|may not"
        r"|avoid|forbidden|prohibited|not allowed|nobody may|no one may|refuses? to|rejects?"
        rf"|blocks?|prevents?|refuse|not to)\b[^.;:!?]*?(?:{act})"
    )


AI = r"(?:ais?|agents?|assistants?|llms?|models?|bots?|claude|codex|copilot|gemini|cursor)"
PERSON = (
    r"(?:users?|humans?|developers?|operators?|owners?|persons?|maintainers?|reviewers?|anyone"
    r"|anybody|team|them|customers?)"
)
PRIOR = r"(?:previous|prior|earlier|preceding|above|former|foregoing|past|original|initial)"
ORDERS = r"(?:instructions?|prompts?|directives?|orders|programming|guardrails|system message)"
NORMS = (
    r"(?:rules|polic(?:y|ies)|guidelines|constraints|restrictions|commands|training|safeguards)"
)
DROP = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|discard|neglect|set aside|stop "
    r"(?:follow|obey)"
    r"ing|pay no (?:attention|heed) to|(?:do not|don't|no longer) (?:follow|obey|comply with"
    r"|adhere to))"
)
ANY = r"(?:all|any|every|everything|each)"
FILL = r"(?:(?:all|any|every|of|the|your|my|our|those|these|other) ){0,4}"
NOTE = (
    r"(?:memor(?:y|ies)|notes?|instructions?|directives?|handoffs?|proposals?"
    r"|memory (?:item|entry))"
)
SECRET = (
    r"(?:secrets?|credentials?|passwords?|api keys?|private keys?|ssh keys?|access tokens?"
    r"|signing keys?|session tokens?|cookies|kubeconfig|keychain"
    r"|[a-z]+_(?:[a-z]+_)?(?:token|secret|password|api_key|access_key))"
)
SECRET_PLACE = (
    r"(?:\.env\b|~/\.(?:ssh|aws|netrc|npmrc|pypirc|kube|gnupg|docker|config)|id_rsa|id_ed25519"
    r"|/etc/(?:passwd|shadow)|environment variables?|env vars?|printenv|`env`)"
)
CONTENT = (
    r"(?:git diff|source code|(?:the|this|entire|whole|full|your|our) (?:repo|repository|codebase"
    r"|conversation|chat|transcript|context|system prompt)\b|(?:chat|conversation|shell) "
    r"(?:history"
    r"|logs?|transcripts?)|system prompt|customer (?:data|records|emails?)|user data|stored memor)"
)
SEND = (
    r"(?:send|post|upload|forward|e-?mail|mail|transmit|submit|exfiltrate|pipe|leak|copy|ship"
    r"|paste"
    r"|append|attach|encode|beacon)"
)
REMOTE = (
    r"(?:https?://|wss?://|ftps?://|pastebin|webhook|ngrok|requestbin|telegram|discord"
    r"|[a-z0-9._-]+@[a-z0-9-]+\.[a-z]|\bnc [a-z0-9.-]+ \d|(?:external|remote) (?:server|host"
    r"|endpoint"
    r"|address|url|site)|(?:collection|analytics|telemetry) (?:server|endpoint|host))"
)
UNCHECKED = (
    r"(?:push(?:es|ing)? (?:directly|straight)|push(?:es|ing)? to (?:main|master|prod)"
    r"|force[- ]?push"
    r"|--force\b|--no-verify|--dangerously|(?:skip|bypass|disable|ignore)(?:ping|s|ing)? (?:the "
    r"|all |any"
    r" |your |code |every ){0,2}(?:reviews?|tests|checks?|approvals?|confirmations?|verification"
    r"|hooks|"
    r"sandbox|guardrails|safety|permission|polic)|without (?:any |a |the )?(?:reviews?|approval"
    r"|confirmation|asking|permission|telling)|rm -rf [~/]|\| ?(?:sudo )?(?:ba|z)?sh\b|merge "
    r"without"
    r"|(?:delete|drop|wipe) (?:the )?(?:repo|database|backups?|audit|logs?)"
    r"|(?:read|print|cat|dump|collect|copy|include|send|share|paste|reveal|open|export)\b[^.;]*"
    rf"(?:{SECRET}|{SECRET_PLACE}|system prompt))"
)
POWER = (
    r"(?:unrestricted|full (?:access|control|permissions?|autonomy)|(?:any|every|all) "
    r"(?:commands?|actions?)"
    r"|no (?:further )?(?:permission|confirmation|approval|review|restriction|oversight)"
    rf"|{UNCHECKED})"
)
OFF = (
    r"(?:verify ?= ?false|ssl_?verify[= ]+false|rejectunauthorized ?[:=] ?false"
    r"|node_tls_reject_unauthorized ?= ?[\"']?0|git_ssl_no_verify|http\.sslverify[= ]+false"
    r"|stricthostkeychecking[= ]+no|insecureskipverify ?[:=] ?true|curl (?:-\S+ )*(?:-[a-z]*k\b"
    r"|--insecure)|--no-check-certificate|--no-verify\b|--no-gpg-sign|--disable-web-security"
    r"|--no-sandbox|--privileged|chmod (?:-r )?777|setenforce 0|ufw disable|--dangerously-[a-z-]+"
    r"|bypasspermissions|--yolo|--allow-all-tools|(?:disable|turn off|switch off|deactivate"
    r"|bypass|skip"
    r"|suppress|weaken|remove)(?:d|s|ing)? (?:[a-z'-]+ ){0,3}?(?:authentication|authorization"
    r"|auth checks?"
    r"|tls\b|ssl\b|certificate (?:checks?|validation|verification)|signature (?:checks?"
    r"|verification)"
    r"|csrf|sandbox(?:ing)?|firewall|selinux|2fa|mfa|two-factor|branch protection|secret[- ]scan"
    r"|security (?:checks?|scans?|controls?|reviews?|policies)|vulnerability scan|code review"
    r"|(?:permission|confirmation|approval) (?:checks?|prompts?|dialogs?|steps?)|audit log"
    r"|antivirus"
    r"|guardrails))"
)
EVERYWHERE = (
    r"(?:\balways\b|everywhere|globally|permanently|from now on|(?:never|do not|don't|without) ask"
    r"|no need to ask|in prod|for good\b|\b(?:for|on|in|to) (?:all|every|any|each)\b|\ball "
    r"https?\b|before every"
    r"|\bevery (?:request|call|commit|push|command|connection|session|time)|unconditionally|by "
    r"default)"
)
LIMITED = (
    r"\bonly (?:in|for|on|when|if|during|while|inside|within|with|at|to)\b|\bonly(?:[.;,)]|$)|\b"
    r"(?:except|unless|until|tests?|testing|locally|local|localhost|dev|development|staging"
    r"|fixtures?|offline|self-signed|vendor|containers?|docker|ci|mock|temporar\w*|debug|vpn"
    r"|internal"
    r"|intranet|lab)\b|test_|tests/|127\.0\.0\.1"
)

#: Words of a text that speaks about such wording instead of using it.
MENTIONS = Pattern(
    r"\b(?:phrases?|strings?|patterns?|payloads?|fixtures?|asserts?|red team\w*|injections?"
    r"|jailbreaks?"
    r"|detect\w*|filter\w*|regex|classifiers?|scanner\w*|attacks?|blocklist|corpus|honeypot"
    r"|reject\w*"
    r"|refuses)\b"
)
#: What is quoted in such a text.
QUOTED = Pattern(r"\"[^\"\n]{1,200}\"|`[^`\n]{1,200}`|(?:^|[ (:])'[^'\n]{1,200}'")
#: Double negations that ask for what they seem to forbid.
URGED = Pattern(r"\b(?:do not|don't|never) (?:hesitate|forget|fail|omit|neglect)(?: to)?\b")
