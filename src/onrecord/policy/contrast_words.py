# ruff: noqa: E501, ISC004 - tables of words
"""Words that decide what one statement says of another: data, a line a kind (light)."""

from __future__ import annotations

#: Dropped when two statements are compared; what is left carries the claim.
FUNCTION = frozenset(
    "a an the this that these those it its is are was were be been being am as do does did has"
    " have had get gets got please just also then there here our we you your they their he she"
    " his her us i my of to in on at by for with from into onto than and or so will shall would"
    " rather who which when while if 's s uses"
    " der die das den dem des ein eine einen einem einer ist sind war waren wird werden wurde"
    " wurden und oder im am zum zur von vom mit für auf aus bei nach zu als wenn dass es er sie"
    " wir ihr man sich in"
    " le la les l un une des du de d et ou est sont était au aux en dans sur pour par avec ce"
    " cette ces qui que se s on il elle nous vous ils leur son sa ses pendant"
    " el los las unos unas y o es son era del al con para su sus lo"
    " esta está están estan à a"
    " il lo gli della dei delle nel nella nei al alla che viene vengono uma dos nos nas são"
    " het een wordt worden zijn heeft".split()
)
#: Begin a phrase that can stand elsewhere in its sentence.
STARTERS = frozenset(
    "of in on at by for with from to before after during while when if every each per until"
    " für in im bei nach mit auf jede jeden jedes wenn"
    " pour dans sur avec chaque pendant après avant para en cada con por después antes"
    " ogni dopo prima durante elke iedere voor tijdens bij todas todos toda todo após"
    " varje efter före każdy każdą po przed каждый каждую каждое после".split()
)
#: Somebody unnamed who does it: a passive sentence without saying by whom.
NOBODY = frozenset("we you our on man wir noi nós wij vi мы".split())
COMPOUNDING = frozenset("of at in on for 's".split())
BY = frozenset("by von par por da door av przez".split())
COPULAS = frozenset("is are = : ist sind est sont es son è sono é são equals".split())

#: Spelt in one way before anything else.
ALIKE = {
    "every": "all", "each": "all", "while": "when", "until": "until", "till": "until",
    "cannot": "can not", "can't": "can not", "won't": "not", "isn't": "not", "aren't": "not",
    "doesn't": "not", "don't": "not", "wasn't": "not", "weren't": "not", "mustn't": "must not",
    "shouldn't": "should not", "didn't": "not", "hasn't": "not", "haven't": "not",
    "never": "not always", "needs": "need", "hourly": "all hour", "daily": "all day",
    "nightly": "all night", "weekly": "all week", "monthly": "all month", "yearly": "all year",
    "annually": "all year", "nachts": "jede nacht", "täglich": "jede tag", "stündlich": "jede stunde",
    "wöchentlich": "jede woche", "monatlich": "jede monat", "jeden": "jede", "jeder": "jede", "jedes": "jede",
    "min": "minutes", "mins": "minutes",
    "sec": "seconds", "secs": "seconds", "s": "seconds", "hrs": "hours", "h": "hours",
    "written": "write", "kept": "keep", "held": "hold", "built": "build", "ran": "run",
    "sent": "send", "chose": "choose", "chosen": "choose", "percent": "%",
    "disabled": "not enabled", "forbidden": "not allowed", "prohibited": "not allowed",
    "banned": "not allowed", "closed": "not open", "optional": "not required", "off": "not on",
    "private": "not public", "inactive": "not active", "unsupported": "not supported",
    "deaktiviert": "nicht aktiviert", "verboten": "nicht erlaubt", "geschlossen": "nicht offen",
    "gesperrt": "nicht offen", "optionnel": "pas obligatoire", "fermé": "pas ouvert",
    "fermée": "pas ouverte", "désactivé": "pas activé", "interdit": "pas permis",
    "cerrado": "no abierto", "cerrada": "no abierta", "desactivado": "no activado",
    "prohibido": "no permitido", "vietato": "non permesso", "chiuso": "non aperto",
    "proibido": "não permitido", "fechado": "não aberto", "gesloten": "niet open",
    "verboden": "niet toegestaan",
}  # fmt: skip
#: Phrases that are said in one way before words are looked at.
PHRASES = (
    ("rather than", "not"), ("up to and including", "until"), ("up to", "at most"),
    ("no more than", "at most"), ("not more than", "at most"), ("a maximum of", "at most"),
    ("no fewer than", "at least"), ("no less than", "at least"), ("a minimum of", "at least"),
    ("once per ", "every "), ("once a ", "every "), ("once an ", "every "), ("once every", "every"),
    ("not have to ", "not need "), ("n't have to ", "n't need "), ("not need to ", "not need "),
    ("n't need to ", "n't need "), (" has to ", " must "), (" have to ", " must "), (" needs to ", " must "), (" need to ", " must "),
    ("is able to", "can"), ("are able to", "can"), ("as well as", "and"), ("in order to", "to"),
)  # fmt: skip
#: Words for one thing, in the form in which words are compared.
ONE_WORD = {
    "may": "can", "stay": "keep", "liv": "keep", "resid": "keep", "stor": "keep", "locat": "keep",
    "execut": "run", "begin": "start", "requir": "need", "delet": "remov", "utiliz": "use",
    "telephon": "phon", "repo": "repository", "config": "configuration", "app": "application",
    "doc": "documentation", "prod": "production", "env": "environment", "db": "databas",
    "generier": "erzeug", "generiert": "erzeugt", "grey": "gray",
}  # fmt: skip
#: British endings and the American ones that they are compared as.
SPELLINGS = (
    ("our", "or"), ("ours", "ors"), ("oured", "ored"), ("ouring", "oring"), ("ise", "ize"), ("ises", "izes"),
    ("ised", "ized"), ("ising", "izing"), ("isation", "ization"), ("yse", "yze"), ("ysed", "yzed"),
    ("tre", "ter"), ("tres", "ters"),
)  # fmt: skip
#: Spans of time that something happens once in.
TURNS = frozenset("second minute hour day night week month quarter year weekday".split())
#: Turn what stands beside them round.
NEGATIONS = frozenset(
    "not no none nobody neither nicht kein keine keinen keiner nie niemals pas jamais aucun aucune"
    " nunca ningún ninguna plus-not jamás não nenhum nenhuma"
    " non mai nessun nessuno nessuna geen niet nooit inte ingen inga aldrig nie żaden не нет никогда".split()
)
#: `always` and the words for it, dropped with the negation that they stand under.
ALWAYS = frozenset("always any immer toujours siempre ever".split())
#: Characters that turn round a statement of a script without spaces.
UNSPACED_NEGATIONS = (
    "ていない",
    "ではない",
    "しない",
    "できない",
    "ません",
    "ない",
    "不",
    "没有",
    "未",
    "禁止",
)
#: Endings that only say that it is so, or say it politely.
UNSPACED_ENDINGS = (
    "ています",
    "ている",
    "できます",
    "できる",
    "します",
    "する",
    "されます",
    "される",
    "です",
    "である",
)

#: Phrases, folded, that take back what was said.
RETRACTIONS = (
    "not true that", "isn't true that", "no longer", "forget that", "was wrong", "were wrong",
    "is wrong", "was a mistake", "was mistaken", "been withdrawn", "is withdrawn", "was withdrawn",
    "withdrawn", "retracted", "been dropped", "is dropped", "been scrapped", "scrap the",
    "misspoke", "any more", "anymore", "contrary to", "no such", "does not apply", "is obsolete",
    "been abolished", "is void", "not the case", "used to", "stepped back", "is gone", "are gone",
    "been retired", "was retired", "is retired", "been removed", "stimmt nicht",
    "nicht mehr", "gilt nicht", "ist falsch", "war falsch", "vergiss", "n'est plus",
    "ne sont plus", "n'est pas vrai", "est faux", "était faux", "oublie", "ya no", "no es cierto",
    "no es verdad", "olvida", "era falso", "もう", "ではなくなった", "誤り", "間違い", "不再", "已取消", "不对", "作废", "after all", "turned out",
    "não é verdade", "já não", "não mais", "deixou de", "non è vero", "non più", "non è più",
    "era sbagliato", "niet meer", "klopt niet", "niet waar", "inte längre", "stämmer inte",
    "już nie", "nieprawda", "больше не", "неверно", "неправда", "더 이상", "사실이 아니",
)  # fmt: skip
#: Phrases that put one thing in another's place.
REPLACEMENTS = (
    " now ", "instead of", "moved from", "moved to", "moved away", "replaced", "replaces",
    "switched to", "switched from", "changed from", "changed to", "migrated", "no longer", "used to",
    "successor", "superseded", "took over", "taken over", "jetzt", "statt", "anstatt", "ersetzt",
    "umgestellt", "gewechselt", "désormais", "au lieu de", "remplac", "dorénavant", "ahora",
    "en lugar de", "en vez de", "reemplaz", "sustituy", "に変わった", "に変更", "に移行", "改为", "改成", "换成",
    "不再", "from now on", "as of now", "agora ", "em vez de", "substitu",
    "invece di", "sostitui", "passati a", "in plaats van", "vervangen", "voortaan", "i stället för",
    "ersatt", "zamiast", "zastąpi", "вместо", "теперь", "대신", "로 변경",
)  # fmt: skip
#: Phrases that take a part out of what was said of the whole.
EXCEPTIONS = (
    " except", "apart from", "other than", " only ", " only.", " only;", "excluding", "with the exception",
    "außer", "ausser", "ausgenommen", " nur ", "sauf", "excepté", "hormis", "à l'exception",
    "seulement", "excepto", "salvo", "menos ", "sólo", "solamente", "を除", "以外", "除了", "除外", "只有", "tranne", " solo ", "eccetto", "exceto",
    "apenas", "somente", "behalve", "alleen", "utom", " endast ", "oprócz", " tylko ", "кроме", "только", "제외",
)  # fmt: skip
#: Phrases that say until when.
BOUNDS = (
    " until ", " till ", "only valid", "up to and including", " bis zum", " bis ", "jusqu'", "jusqu’",
    "hasta ", "まで", "直到", "为止", "fino al", "fino a", " até ", " tot ",
    " aż do ", "вплоть до", "까지",
)  # fmt: skip
#: Phrases between what is chosen and what is not.
INSTEAD = (
    " instead of ", " rather than ", " in place of ", " in preference to ", " anstatt ", " statt ",
    " anstelle von ", " au lieu de ", " au lieu d'", " plutôt que ", " en lugar de ", " en vez de ", " em vez de ",
    " invece di ", " al posto di ", " in plaats van ", " i stället för ", " zamiast ", " вместо ", "而不是", "而非",
)  # fmt: skip
#: Verbs with which `over` and `to` stand between two such things.
PREFERRING = ("prefer", "favor", "favour", "choose ", "chose ", "pick ")
OVER = (" over ", " to ")
#: Phrases that say who does it to whom, and that it is so in one direction.
ONE_WAY = (
    "not the other way round", "not the other way around", "never the other way round", "not vice versa",
    "never the other way around", "not the reverse", "never the reverse", "nicht umgekehrt", "nie umgekehrt",
    "pas l'inverse", "jamais l'inverse", "no al revés", "nunca al revés", "non viceversa", "niet andersom", "不是反过来",
)  # fmt: skip
#: What an order to leave something begins with beside the negation.
ASKING = frozenset("do please always".split())
BUT = frozenset("but aber sondern mais pero however though".split())

BECAUSE = frozenset("because since so as weil da denn car parce porque which where".split())
AND = frozenset("and und et y e or oder ou o &".split())
MONTHS = {
    name: f"{n:02d}"
    for names in (
        "january february march april may june july august september october november december",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "jan feb mar apr may jun jul aug sep oct nov dec",
    )
    for n, name in enumerate(names.split(), 1)
}
#: Say that something is allowed or asked for, in the form in which words are compared.
MODALS = frozenset(
    "can must should need might could darf muss soll kann peut doit puede debe".split()
)
#: Days of the week: another day is another occasion.
WEEKDAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays"
    " fridays saturdays sundays montag dienstag mittwoch donnerstag freitag samstag sonntag montags"
    " dienstags mittwochs donnerstags freitags samstags sonntags lundi mardi mercredi jeudi vendredi"
    " samedi dimanche lunes martes miércoles jueves viernes sábado sábados domingo domingos lunedì"
    " martedì mercoledì giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag vrijdag"
    " zaterdag zondag".split()
)
#: unit -> (smallest unit, how many of it)
SCALES = {
    unit: (least, factor)
    for least, factor, units in (
        ("ms", 1, "ms milliseconds millisecond"),
        ("ms", 1_000, "seconds second sekunden secondes segundos"),
        ("ms", 60_000, "minutes minute minuten minutos"),
        ("ms", 3_600_000, "hours hour stunden heures horas ore uur"),
        ("ms", 86_400_000, "days day tage tagen jours días dias giorni dagen"),
        ("ms", 604_800_000, "weeks week wochen semaines semanas settimane weken"),
        ("b", 1_000, "kb"),
        ("b", 1_000_000, "mb"),
        ("b", 1_000_000_000, "gb"),
    )
    for unit in units.split()
}

#: What a thing has one of: the noun before `is` of a statement with one value.
ATTRIBUTES = frozenset(
    "address admin approach architecture backend bank base branch browser bucket budget cache"
    " capacity channel ci cloud colour color command compiler contact convention"
    " currency database datacenter deadline default delay delimiter dependency directory domain driver"
    " editor encoding engine entrypoint environment estimator extension file folder font"
    " format formatter framework frequency gateway header host hostname id indentation"
    " interval key language layout lead leader length level license licence limit linter loader"
    " location lock locale logger maintainer manager maximum method minimum mode model name number"
    " operator orchestrator order output owner package parser password path pattern period platform"
    " pool port prefix priority protocol provider proxy quota queue rate ratio"
    " region registry repository retention reviewer role root router runner runtime scheduler"
    " schema scheme secret separator server shell size source spec standard storage store"
    " strategy style suffix system table template threshold time timeout timezone token tool"
    " tracker type unit url user username value vendor version width window workflow zone"
    " datenbank warteschlange standard port grenze name besitzer sprache werkzeug"
    " base file port limite nom langue outil puerto límite nombre idioma herramienta".split()
)
#: Things that a number is the name of: another number is another thing.
NUMBERED = frozenset(
    "ticket issue pr bug task step phase release version port room shelf runner pier gate gates"
    " berth build job case row line page section chapter node shard number no nr sprint milestone"
    " incident adr rfc epic story item day week stage tier level schritt seite zeile étape página"
    " paso sala stanza porta piano versione versão andar kamer deur verdieping habitación piso raum zimmer"
    " etage salle étage porte комната".split()
)
#: What a date is a value of, and not the day on which something happened.
DATED = frozenset(
    "starts start begins begin ends end expires expire due is on until launches launch opens opens"
    " closes close deadline freeze ist am est è é el le il beginnt endet commence finit empieza termina".split()
)
NUMBERS = {
    word: str(n)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen twenty",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn"
        " fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
        "zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze"
        " seize dix-sept dix-huit dix-neuf vingt",
        "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
        " dieciséis diecisiete dieciocho diecinueve veinte",
    )
    for n, word in enumerate(words.split())
    if word != "-"
} | {
    word: str(n)
    for n, words in (
        (30, "thirty dreißig trente treinta"),
        (40, "forty vierzig quarante cuarenta"),
        (50, "fifty fünfzig cinquante cincuenta"),
        (60, "sixty sechzig soixante sesenta"),
        (70, "seventy siebzig setenta"),
        (80, "eighty achtzig ochenta"),
        (90, "ninety neunzig noventa"),
        (100, "hundred hundert cent cien"),
    )
    for word in words.split()
}
UNITS = frozenset(
    "ms seconds minutes hours days weeks months years day week month year hour minute second kb mb"
    " gb tb kib mib gib tib % px kbit mbit requests characters bytes sekunden minuten stunden tage"
    " wochen monate jahre secondes heures jours semaines mois ans segundos minutos horas días"
    " semanas meses años".split()
)
