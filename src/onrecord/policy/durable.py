"""What speaks against keeping a text as a durable memory: word rules, and no more than that.

A flag says what a reader should ask; nothing is refused for one. Irony, guesses and what only
somebody who knows the people can tell are out of reach of word rules. The rules know what is
commonest in English, and a few fixed phrases of German, French, Spanish, Japanese and Chinese.
"""

from __future__ import annotations

from onrecord.policy.regex import Pattern

TASK_ONLY = "task_only"
DERIVABLE = "derivable_from_repo"
SENSITIVE = "sensitive"
UNSERIOUS = "joke_or_hypothetical"
UNSURE = "unsure"

FLAGS = (TASK_ONLY, DERIVABLE, SENSITIVE, UNSERIOUS, UNSURE)

#: Texts longer than this are looked at from their start.
_LOOKED_AT = 4_000

_DOING = (
    "opened|put|tried|restarted|started|ran|saved|fixed|applied|added|removed|committed|pushed"
    "|renamed|checked out|rebased|merged|installed|reverted|stashed|edited|updated"
)
_TASK = Pattern(
    r"(?i)"
    rf"\bI(?: have| just| had|'ve)? (?:just |now |already )?(?:{_DOING})\b"
    r"|\bI(?:'m| am) (?:now |still |currently |just )*\w+ing\b"
    r"|\b(?:next|now|then),? I(?:'ll| will| am going to)\b|\bI(?:'ll| will) (?:now|next|then)\b"
    r"|\blet(?:'s| us) (?:first|now|next|then)\b"
    r"|\bthe user (?:just )?asked (?:me|us) (?:to|for)\b"
    r"|\b(?:in|for|during) this (?:session|change|commit|patch|diff|test|run|conversation|turn)\b"
    r"|\bon my branch\b|\bright now\b|\bat the moment\b|\bthis time\b|\bso far\b"
    r"|\bstill to do\b|\bwaiting for\b|\bhalf[- ](?:applied|done|finished)\b"
    r"|\bstep \d+ of \d+\b|\b(?:CI|build|job|pipeline) run \d+\b|\bpull request \d+ is\b"
    r"|\bI attached\b|\bcommits? (?:ahead of|behind)\b"
    r"|\b(?:bin gerade dabei|starte jetzt|mache jetzt|als n(?:ä|ae)chstes|habe gerade)\b"
    r"|\b(?:je regarde|je lance|je vais maintenant|en train de)\b"
    r"|\b(?:ahora voy a|estoy \w+ndo|acabo de)\b"
    r"|次に|今から|これから|我正在|接下来我|我刚"
)

_CODE_FILE = (
    r"[\w@./-]*\.(?:rs|go|py|js|jsx|ts|tsx|kt|java|rb|c|h|cc|cpp|cs|php|swift|toml|ya?ml|json"
    r"|lock|cfg|ini|md|sql|sh|editorconfig|gitignore|env)\b"
)
_PARTS = (
    "function|method|class|struct|trait|interface|enum|module|crate|package|column|table|route"
    "|endpoint|workflow|job|target|script|field|variable|constant|test suite|repository|repo"
    "|folder|directory|manifest|readme|dockerfile|makefile|entry point|config(?:uration)? file"
)
_TELLS = (
    "is|are|has|have|lists?|contains?|inherits?|extends?|takes?|returns?|starts?|sets?|declares?"
    "|defines?|explains?|imports?|implements?|was made"
)
_DERIVABLE = Pattern(
    r"(?i)"
    rf"\b(?:the |a |an |this )?(?:\w+ ){{0,2}}(?:{_PARTS})\b"
    rf"(?: [\w./{{}}`'-]+){{0,3}} (?:{_TELLS})\b"
    rf"|{_CODE_FILE} (?:{_TELLS})\b"
    rf"|\bin {_CODE_FILE} (?:is|are|has|have)\b"
    rf"|\bis (?:declared|defined|implemented|exported|set) in {_CODE_FILE}"
    rf"|\bhas a (?:{_PARTS})\b"
    rf"|\bthere is an? \w+ (?:{_PARTS})\b"
    r"|\blicen[cs]e of the \w+ (?:repository|repo|package)\b"
    r"|\bthe last commit\b"
    r"|\b(?:die version in|le dossier|der ordner|el workflow|el archivo|le fichier) [\w./-]+"
    r"|設定ファイルは|入口文件是|入口ファイルは"
)
#: Why, when and whether are not in the code: with one of these it is no mere reading of it.
_REASONED = Pattern(
    r"(?i)\b(?:because|since|never|always|must|should|prefer|avoid|do not|don't|on purpose|only"
    r"|wants?|likes?|decided|chose|instead|unless|although|when|if)\b|必ず|都要"
)

_SAMPLE = Pattern(r"(?i)\b(?:test|sample|dummy|fictional|fake|example|demo) (?:\w+ )?\w+")
_SENSITIVE = Pattern(
    r"(?i)"
    # health
    r"\b(?:pregnan\w+|miscarriage|diagnos(?:is|ed with)|panic attacks?|depress(?:ion|ed)"
    r"|blood pressure|therapist|psychiatr\w+|antidepressants?|chemo\w*|rehab|alcoholic"
    r"|(?:is|are|was|were) (?:seriously |chronically )?ill|on sick leave|HIV)\b"
    r"|\b(?:alkoholiker(?:in)?|schwanger|krankgeschrieben|depressiv|enceinte|embarazada)\b"
    # money
    r"|\b(?:earns?|makes) (?:only |about )?[$€£]?\d[\d.,]*(?:k| a year| per year| a month)"
    r"|\b(?:his|her|their) (?:salary|savings|debts?|wages?|pension)\b"
    r"|\bbehind (?:with|on) (?:the |his |her |their )?(?:rent|mortgage)\b|\bin debt\b|\bbankrupt\b"
    r"|\b(?:lends?|owes?) (?:him|her|them) money\b|\bgana el doble\b|\bverdient \d"
    # beliefs
    r"|\b(?:votes?|voted) for (?:the )?\w+(?: \w+)? party\b|\bprays\b"
    r"|\bconverted (?:to \w+|last)\b"
    r"|\b(?:is|was) in the union\b|\bdoes not believe in (?:god|vaccin\w+)\b"
    r"|\bis (?:a |an )?(?:muslim|jewish|catholic|protestant|buddhist|hindu|atheist)\b"
    # relationships
    r"|\b(?:getting|got|is|are) divorced\b|\bdivorce (?:of|from)\b|\bfallen out with (?:his|her)\b"
    r"|\bis seeing someone\b|\bhaving an affair\b|\bbroke up with\b|\b(?:boy|girl)friend\b"
    # others' data
    r"|\b(?:private|home|personal) (?:phone |mobile )?(?:number|address)\b"
    r"|\b(?:he|she|they) lives? at \d|\bpassport number\b|\bsocial security number\b"
    r"|\bborn (?:on )?\d{1,2} \w+ \d{4}\b|\bcriminal record\b|\bwas convicted\b"
    r"|\bpassword hint\b"
    r"|\b(?:his|her|their) (?:parents|mother|father|child(?:ren)?) (?:is|are) ill\b"
    r"|\ba été condamné|\bvorbestraft\b|離婚|妊娠|心理医生|抑郁|怀孕"
)

_UNSERIOUS = Pattern(
    r"(?i)"
    r"\A\W*(?:suppose|imagine|imagina|what if|if i were|for the sake of argument|ha,|haha|lol\b"
    r"|in my dream|in an ideal world|in another life|et si on|nur so gesponnen|mal angenommen)"
    r"|\bjust (?:kidding|joking|thinking aloud|for fun)\b|\bwhat could go wrong\b"
    r"|, obviously[.!]*\z|\bje plaisante\b|\bes broma\b|\bwar nur ein witz\b"
    r"|开个玩笑|开玩笑|冗談|もし[^か]"
)
_UNSURE = Pattern(
    r"(?i)\b(?:probably|perhaps|maybe|possibly|presumably|might be|may or may not|I guess"
    r"|I think|not sure|nobody has checked|some ?day|somebody said|someone said|seem(?:s|ed)"
    r"|vielleicht|vermutlich|wohl|peut-être|quizás?|tal vez)\b|もしか|かもしれない|也许|可能"
)


def flags(text: str) -> frozenset[str]:
    """The flags of a text, of FLAGS; none means that nothing was found against keeping it."""
    text = text[:_LOOKED_AT]
    rules = ((UNSERIOUS, _UNSERIOUS), (TASK_ONLY, _TASK), (UNSURE, _UNSURE))
    found = {name for name, pattern in rules if pattern.search(text)}
    if is_sensitive(text):
        found.add(SENSITIVE)
    if not found and _DERIVABLE.search(text) and not _REASONED.search(text):
        found.add(DERIVABLE)
    return frozenset(found)


def is_sensitive(text: str) -> bool:
    """Whether a text tells somebody's health, money, beliefs, relations or personal data."""
    text = text[:_LOOKED_AT]
    return bool(_SENSITIVE.search(text)) and not _SAMPLE.search(text)
