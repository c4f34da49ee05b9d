"""What text looks like that sets aside what a model was told before, in several languages."""

from __future__ import annotations

from onrecord.policy.instruction_words import (
    AI,
    ANY,
    DROP,
    FILL,
    NORMS,
    ORDERS,
    PRIOR,
    Rule,
    rule,
)

OVERRIDES: tuple[Rule, ...] = (
    # Setting aside what the model was told before.
    rule(
        "override",
        "ignore|disregard|forget|overr|bypass|discard|neglect|set aside|stop |pay no|follow|obey"
        "|comply",
        rf"\b{DROP} {FILL}(?:{PRIOR}|your|system|developer|safety) (?:[a-z-]+ )?{ORDERS}\b",
    ),
    rule(
        "override",
        "ignore|disregard|forget|overr|bypass|discard|neglect|set aside|stop |pay no|follow|obey"
        "|comply",
        rf"\b{DROP} (?:{FILL}{ANY} (?:of )?(?:the |your |my )?(?:{PRIOR} )"
        rf"|{FILL}(?:your|system|developer|safety) )(?:[a-z-]+ )?{NORMS}\b",
    ),
    rule(
        "override",
        "ignore|disregard|forget",
        rf"\b(?:ignore|disregard|forget) {ANY} (?:of )?(?:the |your |my )?{ORDERS}(?: ?[.,;!]"
        rf"|$| (?:and|you"
        r"|given|above|before|so far|that you)\b)",
    ),
    rule(
        "override",
        "ignore|disregard|forget|overr|bypass|discard|neglect|set aside|stop |pay no|follow|obey"
        "|comply|apply"
        "|cancel|void|revoke",
        rf"\b(?:instructions|rules|guidelines|restrictions) (?:that )?you (?:were|have been|had "
        rf"been|are) (?:given|told"
        r"|following)[^.;]*(?:no longer|do not|don't) (?:apply|hold|matter|count)"
        rf"|\b(?:cancel|void|revoke|nullify) {FILL}(?:{PRIOR}|your|system) (?:instructions"
        rf"|directives|prompts?)\b"
        rf"|\b{DROP} (?:{FILL}(?:{ORDERS}|{NORMS}) (?:above|before this|so far|that came "
        rf"before"
        r"|(?:you|that) (?:were|have been|had been) (?:given|told)|you (?:received|got)|from "
        r"(?:the )?(?:system|developers?))"
        r"|(?:everything|anything|all|whatever) (?:above|before|prior|previously|you|that (?:was"
        r"|came|has"
        r" been)|said|written)\b)",
    ),
    rule(
        "override",
        "you are|act as|mode|do anything now",
        r"\byou are (?:now|no longer) (?:dan\b|(?:bound|restricted|subject|limited)\b|in "
        r"(?:[a-z]+ )?"
        r"(?:developer|god|dan|jailbreak|unrestricted|admin) mode|(?:an?|the|my) (?:[a-z-]+ "
        r"){0,3}(?:ai"
        r"|assistant|agent|model|bot|chatbot|hacker|persona|character|root|superuser|terminal"
        r"|shell"
        r"|interpreter)\b)|\bact as (?:an? )?(?:[a-z-]+ ){0,2}(?:unrestricted|uncensored"
        r"|jailbroken)"
        r"|(?:enter|activate|enable|engage|switch to) (?:dan|god|jailbreak|unrestricted) mode"
        r"|do anything now",
    ),
    rule(
        "override",
        "restriction|limitation|filter|guardrail|refuse|unrestricted",
        r"\byou (?:will |must |should |shall |can |may |are to )?(?:now )?(?:act|answer|respond"
        r"|operate|behave|reply|comply"
        r"|work)\b[^.;]*(?:without|free of|free from) (?:any |all )?(?:restrictions?"
        r"|limitations?|filters?|guardrails)"
        r"|\byou are (?:now )?(?:free (?:of|from)|not bound by|unrestricted)|\b(?:you|assistant"
        r"|agent|from now on|always)\b"
        r"[^.;]*\b(?:never|not) refuse (?:a |any |the )?(?:users? )?(?:requests?|commands?"
        r"|orders|instructions?)",
    ),
    rule(
        "override",
        "instruction|prompt|directive|override|repeat|obey only|follow only",
        r"\byour (?:previous |earlier |original )?(?:instructions|rules|guidelines) (?:are|have "
        r"been) (?:now )?(?:void"
        r"|cancelled|revoked|obsolete|replaced|lifted|no longer)|\b(?:obey|follow) only (?:this"
        r"|these|the following)\b"
        r"|\bsystem prompt (?:update|override|change) ?:|\bnew (?:system |secret |hidden )?"
        r"(?:instructions?|prompt|directives?) ?:"
        r"|\b(?:system|admin|developer|root) (?:override|command|directive) ?:"
        rf"|\b(?:important|urgent|critical) (?:system )?(?:instructions?|message|notice) (?:for"
        rf"|to) (?:the |all"
        rf" |any )?{AI}\b|\brepeat (?:all |everything |the )?(?:words|text|content"
        rf"|instructions) above",
    ),
    rule(
        "override",
        "ignor|vergiss|vergessen|missacht|negeer|vergeet|oubli|olvid|descart|desconsider|esque"
        "|dimentic"
        "|trascur|zapomnij|tiens|tenez",
        r"(?:ignorier|vergiss|vergessen sie|missacht)\S*(?: \S+){0,4}? (?:vorherig"
        r"|bisherig|früher|vorig"
        r"|obig|vorangegangen|alle|deine|ihre)\S*(?: \S+){0,2}? (?:anweisung|instruktion"
        r"|befehl|vorgabe"
        r"|prompt)|(?:negeer|vergeet)(?: \S+){0,3}? (?:vorige|eerdere|voorgaande|bovenstaande"
        r"|alle)"
        r"(?: \S+){0,2}? (?:instructie|opdracht|aanwijzing)"
        r"|(?:ignor|oubli|tiens pas compte|tenez pas compte)\S*(?: \S+){0,4}? "
        r"(?:instructions"
        r"|consignes|directives|ordres) (?:précédent|antérieur|ci-dessus|initial|du système"
        r"|système)"
        r"|(?:ignor|oubli)\S* tou(?:tes|s) (?:les|tes|vos) (?:instructions|consignes"
        r"|directives)"
        r"|(?:ignor|olvid|descart|desconsider|esque[cç]|omit)\S*(?: \S+){0,4}? "
        r"(?:instrucciones"
        r"|instruções|órdenes|ordens|indicaciones|directrices|diretrizes) (?:anterior|previa"
        r"|prévia"
        r"|precedente|del sistema|do sistema|de arriba|acima)"
        r"|(?:ignor|olvid|esque[cç])\S* todas (?:las|as|tus|sus|suas) instru[cç]"
        r"|(?:ignor|dimentic|trascur)\S*(?: \S+){0,4}? (?:istruzioni|direttive|comandi"
        r"|ordini)"
        r" (?:precedent|anterior|di sistema|sopra|inizial|ricevut)"
        r"|(?:ignor|dimentic|trascur)\S*(?: \S+){0,3}? precedenti (?:istruzioni|direttive)"
        r"|(?:ignoruj|zapomnij)\S*(?: \S+){0,3}? (?:poprzedni|wcześniejsz|wszystk)\S*"
        r"(?: \S+){0,2}?"
        r" (?:instrukcj|polece)",
    ),
    rule(
        "override",
        "игнорир|забудь|忽略|无视|無視|忘记|忘掉|忽視|不要理会|忘れ|破棄|무시|잊|تجاهل"
        "|अनदेखा|yok say|görmezden",
        r"(?:игнорир|забудь)\S*(?: \S+){0,3}? (?:предыдущ|прежн|все|ранее|выше)\S*(?: "
        r"\S+){0,2}?"
        r" ?(?:инструкц|указани|команд)|(?:忽略|无视|無視|忘记|忘掉|忽視|不要理会)"
        r"[^。.!?]{0,12}(?:之前|以前|先前|以上|上述|上面|前面|所有|此前|系统|系統)[^。.!?]{0,8}(?:指令|指示|提示|命令|规则|規則|说明|說明)"
        r"|(?:以前|これまで|今まで|前|上記|以上|すべて|全て)[^。]{0,8}"
        r"(?:指示|命令|プロンプト|指令)[^。]{0,6}"
        r"(?:無視|忘れ|破棄)|(?:이전|앞의|위의|모든|기존)[^.]*(?:지시|명령|지침|프롬프트)[^.]*(?:무시|잊)"
        r"|تجاهل[^.]*(?:التعليمات|الأوامر|الإرشادات)[^.]*(?:السابقة|أعلاه)"
        r"|(?:पिछले|पूर्व|सभी)[^।]{0,15}(?:निर्देश|आदेश)[^।]{0,15}अनदेखा"
        r"|(?:önceki|yukar[ıi]daki|tüm)[^.]*(?:talimat|komut|yönerge)[^.]*(?:yok say|görmezden)",
    ),
)
