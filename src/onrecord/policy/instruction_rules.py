"""What text looks like that tries to instruct a model, rule by rule (data of `instructions`).

A rule needs all of its patterns in one passage. It is for what an attacker asks of an agent;
a plain imperative is what a memory is for, so each rule is narrow.
"""

from __future__ import annotations

from onrecord.policy.instruction_overrides import OVERRIDES
from onrecord.policy.instruction_words import (
    AI,
    CONTENT,
    EVERYWHERE,
    LIMITED,
    NOTE,
    OFF,
    PERSON,
    POWER,
    REMOTE,
    SECRET,
    SECRET_PLACE,
    SEND,
    UNCHECKED,
    Rule,
    rule,
)

RULES: tuple[Rule, ...] = (
    *OVERRIDES,
    # Doing something later, when a person says something.
    rule(
        "trigger",
        "if |when|once |as soon|time |after ",
        rf"\bwhen(?:ever)? (?:asked|prompted|questioned)\b|\b(?:if|when|whenever|once|as soon as"
        rf"|(?:every|each|next) time|after)\b[^.;]*\b(?:{PERSON}"
        r"|they|someone|somebody|he|she)\b[^.;]*\b(?:says?|said|asks?|types?|writes?|repl(?:y"
        r"|ies)|mentions?|thanks?"
        r"|confirms?|answers?|responds?|agrees?|greets?|opens?)\b",
        r"memory tool|\b(?:claim|pretend|assert|insist) that\b|\bstore (?:that|in memory)|\b"
        r"(?:remember|record|note|save) that (?:they|he|she|the user|this user|i)"
        r" (?:is|are|has|have|was|were)\b|save (?:a memory|to memory)|\b(?:they|he|she|user"
        r"|caller) (?:is|are|was|were) (?:an? )?(?:admin|root|owner"
        r"|superuser)|silently|secretly|without (?:telling|informing|mentioning)|exfiltrat"
        r"|pre-?approve"
        rf"|auto-?approve|{UNCHECKED}",
        act=UNCHECKED,
    ),
    # Sending what is private to somewhere else.
    rule(
        "exfiltrate",
        "send|post|upload|forward|mail|transmit|submit|exfil|pipe|leak|copy|ship|paste|append"
        "|attach|encode"
        "|beacon",
        rf"\b{SEND}(?:s|es|ed|ing)?\b[^;]*(?:{SECRET}\b|{SECRET_PLACE}|{CONTENT})",
        rf"(?:{SECRET}\b|{SECRET_PLACE}|{CONTENT})[^;]*?(?:\b(?:to|at|into|via|through|on"
        rf"|using)|>|-d|\()"
        rf" ?(?:[a-z]+ ){{0,4}}{REMOTE}|\bconnection to [a-z0-9-]+\.[a-z]",
        unless=r"\b(?:bearer|authorization|headers?|x-api|leaked|lost|stolen|exposed|compromised|expired)\b",
        act=SEND,
    ),
    rule(
        "exfiltrate",
        "curl|wget|nc |ncat|base64",
        r"(?:\b(?:printenv|env|history|git diff|git log)|\bcat (?:~/\.\S+|\S*\.env|\S*id_\w+"
        r"|/etc/\S+))"
        r" ?(?:\| ?base64 ?)?\| ?(?:curl|nc|ncat|wget)\b|\b(?:curl|wget)\b[^\n]*(?:\$\((?:env"
        r"|printenv|cat"
        r"|history|git)\b|`(?:env|printenv|cat |git )|@~/\.|@\S*\.env\b)"
        r"|\b(?:printenv|env) ?> ?\S+[^\n]*\b(?:curl|nc|ncat|wget|scp)\b",
    ),
    rule(
        "exfiltrate",
        "include|insert|embed|put |append|add |encode|place",
        r"\b(?:include|insert|embed|put|append|add|encode|place)\b[^;]*"
        rf"(?:{SECRET}\b|{SECRET_PLACE}|{CONTENT})[^;]* (?:in|into|to|as) (?:[a-z]+ ){{0,3}}"
        rf"(?:urls?|links?|images?"
        r"|dns|hostnames?|pull request (?:description|body|comment)s?|pr (?:description|body)"
        r"|commit messages?)\b",
        act=r"include|insert|embed|put|append|add|encode|place",
    ),
    # Keeping it from the person.
    rule(
        "conceal",
        "never|not |n't|without|avoid|refrain",
        r"\b(?:never|do not|don't|without|must not|should not|avoid|refrain from)\b[^.;]*\b"
        r"(?:tell|inform"
        r"|mention|show|reveal|disclos|notif|alert|admit|discuss|acknowledg|refer|let|surfac"
        r"|report)\w*\b"
        rf"[^.;]*\b(?:this|these|the present|that)\s+{NOTE}\b",
    ),
    rule(
        "conceal",
        "nothing|learn|know|hear|find out|see |notice|discover|mention|disclose|admit",
        r"\bsay nothing (?:about|of) (?:this|it|these)\b"
        rf"|\b{PERSON} (?:does not|doesn't|do not|don't|must not|should not|cannot|can't|"
        rf"(?:must |should |may )?never) (?:learn"
        rf"|know|hear|find out|see|notice|discover)\b[^.;]*\b(?:this|these) {NOTE}\b"
        r"|\b(?:never|do not|don't|without) (?:mention|disclos|admit|report)(?:e|ing)? (?:this"
        r"|it|these) to (?:the|your|any)"
        r" (?:user|human|developer|owner|operator|reviewer)",
    ),
    rule(
        "conceal",
        "never|not |n't|without",
        r"\b(?:never|do not|don't|without|must not)\b[^.;]*\b(?:tell|inform|notify|alert|warn"
        r"|let)(?:ing)?"
        rf" (?:the |your |any )?{PERSON} (?:know )?(?:about|of|that) (?:this|it|these|you|what "
        rf"you)\b",
    ),
    rule(
        "conceal",
        "silent|secret|covert|quiet|stealth|discreet|knowing|noticing|knowledge|realizing|being "
        "told|back",
        r"\b(?:silently|secretly|covertly|quietly|stealthily|discreetly) (?:send|upload|post"
        r"|exfiltrate|install"
        r"|push|commit|merge|grant|add|copy|forward|email|run|execute)\b"
        rf"|without (?:the |any )?{PERSON}(?:'s?)? (?:knowing|noticing|knowledge|realizing"
        rf"|being told)"
        r"|behind the (?:user|owner|team)'?s'? back",
        act=r"without (?:the |any )?[a-z]+|silently|secretly|quietly",
    ),
    rule(
        "conceal",
        "hidden|secret|between us|to yourself|exist|pretend|hide|log|audit",
        rf"\bkeep (?:this|it|these|that)(?: [a-z]+)? (?:hidden|secret|confidential|private) "
        rf"from (?:the |your )?"
        rf"{PERSON}|\bkeep (?:this|it) (?:between us|to yourself)"
        rf"|as if (?:it|this|they|the {NOTE}) (?:did|does|do)(?: not|n't) exist|pretend (?:this"
        rf"|the) {NOTE}"
        rf"|\bhide (?:this|these|the) (?:{NOTE}|actions?|commands?|steps?|changes?) from "
        rf"(?:the |your )?{PERSON}"
        r"|do not (?:log|record|audit) this (?:action|command|note|instruction|step)",
    ),
    # Borrowing someone's authority.
    rule(
        "authority",
        "anthropic|openai|google|microsoft|github|deepmind|mistral",
        r"\b(?:instructed|approved|authori[sz]ed|requested|required|ordered|allowed|confirmed) "
        r"by (?:anthropic|openai|google"
        r"|deepmind|microsoft|github|mistral)\b|\b(?:anthropic|openai|google|deepmind|microsoft"
        r"|github|mistral)\b[^.;]*\b(?:approved?|authori[sz]e"
        r"[ds]?|pre-?approved|granted|permits?|permitted|allow(?:s|ed)|agreed|signed off"
        r"|confirmed|instructed"
        r"|ordered|requires?|cleared|waived|lifted|says|polic(?:y|ies)|updates?|notice"
        r"|announce[sd]?|announcement)\b",
        r"without (?:any )?(?:permission|confirmation|approval|review|asking|prompt|restriction"
        r"|limit|oversight)"
        rf"|(?:permission|confirmation) prompts?|{POWER}",
    ),
    rule(
        "authority",
        "decided|approved|authori|granted|allowed|agreed|signed off|confirmed|waived|cleared"
        "|permitted",
        r"\b(?:management|leadership|(?:the|our|your) (?:ceo|cto|ciso|founder|owner|boss|manager"
        r"|security team"
        r"|admins?|administrators?|legal(?: team)?|compliance(?: team)?|it department|platform "
        r"team|vendor"
        r"|maintainers?|user|developers?|operator))\b[^.;]*\b(?:decided|approved|authori[sz]ed"
        r"|pre-?approved|granted"
        r"|allowed|agreed|signed off|confirmed|waived|cleared|permitted)\b",
        rf"\b(?:you|{AI}|this (?:session|project))\b",
        POWER,
        act=POWER,
    ),
    rule(
        "authority",
        "you have|per the|per our|order of|according to|by decision|authori|i allow|i permit|i "
        "grant|i order|i instruct",
        r"\b(?:per|(?:by|on) orders? of|according to|by decision of|approved by) (?:the|our"
        r"|your) (?:ceo|cto|ciso|founder"
        r"|owner|boss|manager|management|leadership|security team|admins?|administrators?|legal"
        r"|compliance)\b"
        r"|\bi (?:hereby )?(?:authori[sz]e|permit|allow|grant|order|instruct)\b|\byou have (?:my"
        r"|our|full|the owner's)"
        r" (?:full |explicit )?(?:permission|approval|consent|authori[sz]ation)\b",
        rf"\b(?:you|{AI}|this (?:session|project))\b",
        POWER,
        act=POWER,
    ),
    rule(
        "authority",
        "treat|official|urgent|message from|i am |this is |as if |on behalf",
        r"\btreat (?:this|it|that|these|the following) as (?:an? )?(?:[a-z]+ )?(?:verified"
        r"|official|authoritative"
        r"|approved|trusted|authorized) (?:polic|instruction|rule|fact|order|command|directive"
        r"|by )"
        r"|\b(?:official|urgent|important)? ?(?:message|instructions?|directives?|notice"
        r"|orders?) from (?:anthropic"
        r"|openai|google|microsoft|the (?:system|developers?|admin\w*)|your (?:developers?"
        r"|creators?))\b"
        r"|on behalf of (?:anthropic|openai)|\b(?:i am|i'm|this is) (?:your|the) (?:developer"
        r"|creator"
        r"|administrator|system prompt)\b|as if (?:the |every |any )?(?:user|caller|they|i"
        r"|everyone)"
        r" (?:is|was|were|are) (?:an? )?(?:admin|root|owner|superuser|verified|authorized)",
        unless=LIMITED,
    ),
    # Raising its own standing among memories.
    rule(
        "trust",
        "mark|treat|consider|regard|store|save|flag|promote|pin|label|upgrade|approve|accept"
        "|activate",
        r"\b(?:mark|treat|consider|regard|store|save|set|flag|promote|classify|label|upgrade"
        r"|accept) (?:this"
        rf"|these|the following|that|my|all|any|every|the above) {NOTE}(?: [a-z]+){{0,2}}?(?: "
        rf"as| to)? (?:[a-z]+[ ,-]+)"
        r"{0,2}?(?:verified|trusted|pinned|approved|authoritative|canonical|global|org-?wide"
        r"|high|permanent"
        r"|human|confirmed|reviewed|active|rule|polic|org\b|top)"
        rf"|\b(?:pin|promote|approve|activate|verify) (?:this|these) {NOTE}\b"
        r"|\b(?:save|store|record|mark) this as (?:an? )?(?:[a-z-]+,? ){0,2}?(?:verified|trusted"
        r"|approved|pinned),?"
        r" (?:[a-z-]+,? ){0,2}?(?:rule|memory|note|fact|policy|instruction)"
        r"|approve your own (?:memor|note|proposal)|auto-?approve (?:this|these|all|any|every) "
        r"(?:memor|note"
        r"|proposal|handoff)",
        act=r"(?:mark|treat|consider|regard|store|save|set|flag|promote|pin|approve|accept|activate|verify)",
    ),
    rule(
        "trust",
        "supersede|overr|outrank|trump|invalidate|ignore|forget|delete|remove|archive|reject"
        "|overwrite|replace",
        r"\b(?:(?:supersede|override|overrule|outrank|trump|invalidate|ignore|forget)s (?:any "
        r"|all |every )?(?:other"
        r"|conflicting|older|existing|previous) (?:memor(?:y|ies)|instructions)"
        r"|(?:supersede|override|overrule|outrank|trump|invalidate|ignore|forget) (?:any|all"
        r"|every|other|older"
        r"|previous|existing|conflicting|earlier) (?:other |conflicting |older |existing "
        r"|earlier |such ){0,2}"
        r"(?:memor(?:y|ies)|instructions)|(?:delete|remove|archive|reject|overwrite|replace)s? "
        r"(?:any|all|every|other"
        r"|conflicting) (?:other |conflicting |older )?memor(?:y|ies) (?:which|that|who)? ?"
        r"(?:contradict|conflict"
        r"|disagree|differ))",
        act=r"supersede|override|overrule|outrank|ignore|forget|delete|remove|archive|reject|overwrite|replace",
    ),
    rule(
        "trust",
        "this |these |trust|verification|grant|give |assign",
        rf"\b(?:this|these) (?:{NOTE}|entry|item) takes? (?:priority|precedence) over (?:the "
        rf"|all |any |other )*(?:user|system"
        rf"|developer|memor|instructions|your)|\b(?:this|these) {NOTE} (?:has|have|takes?|gets?"
        rf"|must have|should have|is|are) (?:the |an? )?(?:highest|top"
        r"|absolute|higher priority|priority|precedence|final authority)|\btrust(?: level| "
        r"status)?"
        r"(?: of (?:[a-z]+ ){1,3}?)?\"? ?(?:=|:|to) ?\"?(?:verified|trusted|human)|\b(?:grant"
        r"|give|assign) (?:yourself|this agent|this session"
        r"|me) [^.;]*\b(?:admin|root|owner|full|curator)\b",
    ),
    # Fetching code from somewhere else, or unchecked.
    rule(
        "package",
        "--trusted-host|http://|strict-ssl|unauthenticated|gpg|gosumdb|goinsecure|goflags"
        "|insecure-registry",
        r"--trusted-host|(?:--index-url|--extra-index-url|-i|--registry|registry|goproxy"
        r"|--find-links|--source"
        r"|--channel|--repository)[ =]+[\"']?http://|(?:pip3?|uv|npm|yarn|pnpm|gem|cargo|go|brew"
        r"|apt|apt-get|conda)"
        r" (?:[a-z]+ )?(?:install|add|get|i) [^;\n]{0,60}http://|strict-ssl[= ]+false"
        r"|--allow-unauthenticated"
        r"|--no-?gpg-?check|gosumdb=off|goinsecure=|goflags=-insecure|--insecure-registry",
        unless=LIMITED,
        act=r"--|http",
    ),
    rule(
        "package",
        "sh|git+",
        r"\b(?:curl|wget)\b[^\n]{0,160}\| ?(?:sudo )?(?:ba|z)?sh\b|git\+(?:https?|ssh)://",
        r"\balways\b|(?:before|after|on|at the start of|at the beginning of) (?:every|each)\b"
        r"|whenever|instead of"
        r"|silently|from now on",
        unless=r"(?:github|gitlab|bitbucket)\.com|codeberg\.org|rustup\.rs|get\.docker\.com",
        act=r"curl|wget|git\+",
    ),
    # Switching safety off, for everything.
    rule(
        "security",
        "verify|unauthorized|ssl|hostkey|curl|--no-|--disable|--privileged|chmod|setenforce|ufw"
        "|dangerously"
        "|bypass|--yolo|--allow-all|disable|turn off|switch off|deactivate|skip|suppress|weaken"
        "|remove",
        OFF,
        EVERYWHERE,
        unless=LIMITED,
        act=OFF,
    ),
    rule(
        "security",
        "shell",
        r"\b(?:open|start|spawn|launch|create|run) (?:an? )?(?:reverse|bind) shell\b",
        act=r"open|start|spawn|launch|create|run",
    ),
    # Ordering the reader about.
    rule(
        "handoff",
        "agent|assistant|model|claude|codex|copilot|gemini|cursor|llm| ai|session|whoever"
        "|successor|ai ",
        rf"\b(?:next|incoming|receiving|following|future) (?:{AI}|session)\b|\bsuccessor\b"
        rf"|whoever (?:picks|reads"
        rf"|continues|takes)|\b(?:any|every|each|all|dear|attention|note to|message to"
        rf"|instructions? (?:for|to))"
        rf" (?:the |all |any )?(?:coding |ai )?{AI}\b|\b{AI} reading this|if you are an? (?:ai"
        rf"|llm|agent"
        rf"|assistant|language model)|\bai (?:agents?|assistants?)\b|\b(?:claude|codex|copilot"
        rf"|gemini|assistant|agent) ?[:,]",
        r"\b(?:must|should|shall|(?:have|has|needs?|is|are) (?:to|required|instructed|ordered"
        r"|told|allowed"
        r"|authorized)|please|always|will|may|you)\b|:",
        UNCHECKED,
        act=UNCHECKED,
    ),
    # Telling what should stay inside.
    rule(
        "reveal",
        "prompt|instruction|secret|credential|key|password|token|memor|conversation|context"
        "|history|data",
        r"\b(?:print|reveal|show|output|dump|display|list|repeat|echo|recite|disclose|expose"
        r"|leak|return|include"
        r"|write out|paste|send|give|tell|provide|read out|quote|emit)\b[^.;]*(?:system prompt"
        r"|hidden"
        r" (?:prompt|instructions|rules)|(?:initial|original|developer|system|internal) "
        r"(?:instructions|messages?"
        r"|prompt)|your (?:instructions|prompt|rules|guidelines)"
        rf"|(?:every|all|each|any)(?: the| of the| your)?(?: stored| saved| known| private)? "
        rf"{SECRET}|stored {SECRET}"
        r"|(?:full|entire|complete|whole) (?:memory|memories|conversation|chat history|context)"
        r"|all (?:stored |other )?memories|other users?'? (?:memor|data|conversation))",
        r"\b(?:when(?:ever)? (?:asked|prompted|requested|summari|the user|someone|you)|if "
        r"(?:asked|prompted|someone"
        r"|the user)|before (?:you )?(?:answer|respond|reply|continu|anything)|verbatim|word "
        r"for word"
        r"|at the (?:start|beginning|end|top) of (?:every|each|your)|anyone who asks|whoever "
        r"asks|(?:on|upon) request|in (?:your|every|each) (?:answer|reply|response"
        r"|output|message|summary|pr|pull request|commit)|to (?:the |any )?(?:user|caller"
        r"|requester|me|anyone)\b"
        r"|always|every time)",
        act=r"print|reveal|show|output|dump|display|list|repeat|echo|disclose|expose|leak|return|include|send|give|tell",
    ),
    # Hiding the order in an encoding, or spreading it.
    rule(
        "encoded",
        "decode|base64|rot13|hex",
        r"\b(?:decode|base64|rot13|hex)\w*\b[^.;]*\b(?:run|execute|eval|follow|obey) (?:it|them"
        r"|the (?:result|output"
        r"|decoded|instructions?|payload|command))",
        act=r"run|execute|eval|follow|obey",
    ),
    rule(
        "spread",
        "copy|add|insert|append|propagate|repeat|write|include|replicate",
        r"\b(?:copy|add|insert|append|propagate|repeat|write|include|replicate) (?:this|these"
        r"|the following)"
        rf" (?:exact )?(?:{NOTE}|text|message|paragraph|prompt) (?:[a-z]+ ){{0,2}}?(?:to|into"
        rf"|in) (?:every|all|each|any|other)"
        r" ",
    ),
)
