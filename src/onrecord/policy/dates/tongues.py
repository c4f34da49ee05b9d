"""How other languages tell dates: recognised, so that their author is asked; never computed.

Each language has the words that tell a date wherever they stand (`plain`), words that are
something else in another language and count only beside common words of their own (`shared`),
wording that is a habit or another sense (`kept`), and those common words (`common`). A space
stands for any white space; case is free.
"""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.policy.dates.words import vocabulary, word_set
from onrecord.policy.regex import Pattern


@dataclass(frozen=True, kw_only=True)
class Tongue:
    """The date words of one language."""

    #: patterns that tell a date
    plain: Pattern
    #: patterns that tell a date only in a sentence of this language
    shared: Pattern | None = None
    #: patterns that only look like one
    kept: Pattern | None = None
    #: words that betray the language
    common: frozenset[str]


_DE_UNIT = r"(?:woche|wochen|tagen?|monate?n?|jahre?n?|quartale?n?|stunden?|minuten?|wochenende)"
_DE_DAY = r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
_DE_NUM = (
    r"(?:\d{1,3}|eine[rmn]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|"
    r"ein paar|einigen|wenigen|mehreren|etlichen)"
)
_DE_TURN = (
    r"(?:letzte[rnsm]?|nächste[rnsm]?|kommende[rnsm]?|vergangene[rnsm]?|vorige[rnsm]?|"
    r"diese[rnsm]?|übernächste[rnsm]?|vorletzte[rnsm]?)"
)
_FR_NUM = (
    r"(?:\d{1,3}|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|quinze|quelques|plusieurs)"
)
_FR_UNIT = r"(?:jours?|semaines?|mois|ans?|années?|heures?|minutes?|trimestres?)"
_FR_DAY = r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
_FR_TURN = r"(?:derni[eè]re?s?|pass[ée]e?s?|prochaine?s?|qui vient)"
_ES_NUM = (
    r"(?:\d{1,3}|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|quince|unos|unas|pocos|"
    r"pocas|algunos|algunas|varios|varias)"
)
_ES_UNIT = r"(?:d[ií]as?|semanas?|mes(?:es)?|años?|horas?|minutos?|trimestres?|quincenas?)"
_ES_DAY = r"(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)"
_IT_NUM = (
    r"(?:\d{1,3}|una?|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|quindici|qualche|pochi|"
    r"poche|alcuni|alcune)"
)
_IT_UNIT = r"(?:giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|or[ae]|minut[oi]|trimestr[ei])"
_IT_DAY = r"(?:luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica)"
_PT_NUM = (
    r"(?:\d{1,3}|uma?|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|quinze|alguns|algumas|"
    r"poucos|poucas|vários|várias)"
)
_PT_UNIT = r"(?:dias?|semanas?|m[êe]s(?:es)?|anos?|horas?|minutos?|trimestres?)"
_PT_DAY = r"(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|sábado|domingo"
_NL_NUM = r"(?:\d{1,3}|een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|een paar|enkele|enige)"
_NL_UNIT = r"(?:dag|dagen|week|weken|maand|maanden|jaar|jaren|uur|uren|minuten|kwartaal)"
_NL_DAY = r"(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)"
_NO_NUM = (
    r"(?:\d{1,3}|en|ett|ei|et|én|to|två|tre|fyra|fire|fem|sex|seks|sju|syv|åtta|åtte|otte|nio|"
    r"ni|tio|ti|några|noen|nogle)"
)
_NO_UNIT = (
    r"(?:dag|dagar|dager|dage|veck[ao]r?|uker?|uger?|månad(?:er)?|måned(?:er)?|år|timm(?:e|ar)|"
    r"timer?)"
)
_NO_TURN = (
    r"(?:förra|forrige|sidste|siste|nästa|neste|næste|denna|denne|dette|den här|den her|i fjor|"
    r"kommande|kommende)"
)
_NO_WHEN = (
    r"(?:veckan?|uken?|ugen?|månaden?|måneden?|året?|kvartalet?|kvartal|helgen?|måndag|tisdag|"
    r"onsdag|torsdag|fredag|lördag|söndag|mandag|tirsdag|lørdag|søndag)"
)
_PL_UNIT = r"(?:dni|dzień|tygodni[ea]?|tydzień|miesięcy|miesiące|miesiąc|lat|lata|rok|godzin[yę]?)"

LATIN: dict[str, Tongue] = {
    "de": Tongue(
        plain=vocabulary(
            r"(?:seit |ab |bis |für )?(?:vorgestern|gestern|heute|übermorgen)"
            r"(?: (?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht))?|"
            r"morgen (?:früh|vormittag|mittag|nachmittag|abend|nacht)|"
            r"(?:heutige|gestrige|morgige)[rnsm]?|"
            rf"(?:in |seit |ab |bis |am |im |zum )?{_DE_TURN} (?:{_DE_UNIT}|{_DE_DAY}|nacht|"
            rf"sprint|"
            r"release|sommer|winter|herbst|frühling|frühjahr)|"
            rf"vor (?:etwa |rund |gut |knapp |über )?{_DE_NUM} {_DE_UNIT}|in (?:etwa |rund )?"
            rf"{_DE_NUM} {_DE_UNIT}|(?:ende|anfang|mitte) (?:des monats|des jahres|des quartals|"
            rf"der woche|{_DE_TURN} {_DE_UNIT}|dieses monats|des nächsten monats)|"
            rf"(?:am|bis|seit|ab|bis zum|vor|nach) {_DE_DAY}(?:morgen|abend|mittag|nachmittag)?|"
            r"zum (?:monatsende|jahresende|quartalsende)|bis (?:monatsende|jahresende)|"
            r"derzeit|zurzeit|zur zeit|momentan|gegenwärtig|im moment|im augenblick|heutzutage|"
            r"neulich|kürzlich|unlängst|vor kurzem|seit kurzem|demnächst|in kürze|letztens|"
            r"in nächster zeit|dieser tage|in absehbarer zeit|vor langer zeit|heuer|"
            r"vor einer weile|irgendwann|jetzt|aktuell|jüngst"
        ),
        shared=vocabulary(r"morgen|bald"),
        kept=vocabulary(
            r"(?:ist|sind|bleibt|bleiben|nicht|mehr|noch|immer) aktuell|aktuell (?:gehalten|"
            r"halten)|guten (?:morgen|tag|abend)|(?:am|jeden|eines) morgen|so bald|möglichst bald|"
            rf"jede[nr]? (?:zweiten )?{_DE_DAY}|am {_DE_DAY} und {_DE_DAY}|"
            r"(?:letzte[rnsm]?|nächste[rnsm]?) (?:instanz|zeile|eintrag|mal|schritt|seite)"
        ),
        common=word_set(
            "der die das ist und wird wurde ein eine mit nicht auf den dem für im am zum zur auch "
            "sich hat haben werden sind bei von aus nach läuft kommt wir ich es er sie uns fällt "
            "steht geht gibt endet beginnt heißt"
        ),
    ),
    "fr": Tongue(
        plain=vocabulary(
            r"avant-hier|aujourd['’]hui|après-demain|demain (?:matin|soir|après-midi|midi)|"
            r"hier (?:matin|soir|après-midi|midi)|depuis hier|ce (?:matin|soir|mois|week-end|"
            rf"trimestre)|cet(?:te)? (?:après-midi|semaine|année|nuit)|(?:la|le|les|l['’])? ?"
            rf"(?:{_FR_NUM} )?(?:{_FR_UNIT}|{_FR_DAY}|week-end|été|hiver|automne|printemps|nuit|"
            rf"sprint|version) {_FR_TURN}|la (?:prochaine|dernière) (?:semaine|version|nuit)|"
            r"(?:le|du) prochain (?:mois|sprint|trimestre)|ces derni(?:ers|ères) (?:jours|temps|"
            rf"semaines|mois)|il y a (?:environ |à peine )?{_FR_NUM} {_FR_UNIT}|il y a (?:peu|"
            rf"longtemps|quelque temps)|(?:dans|d['’]ici) (?:environ )?{_FR_NUM} {_FR_UNIT}|"
            r"(?:à |d['’]ici |avant )?(?:la )?(?:fin|mi|début) (?:du mois(?: prochain)?|de "
            r"(?:la|cette) semaine|de l['’]année|du trimestre|de mois|d['’]année)|"
            r"au début du mois|"
            rf"(?:depuis|jusqu['’]à|d['’]ici|dès|avant|à partir de) {_FR_DAY}|"
            r"actuellement|en ce moment|à présent|pour l['’]instant|pour le moment|de nos jours|"
            r"récemment|dernièrement|bientôt|prochainement|sous peu|l['’]autre jour|d['’]ici peu|"
            r"maintenant|tout à l['’]heure|désormais|dorénavant|à l['’]heure actuelle|depuis peu|"
            r"naguère"
        ),
        shared=vocabulary(r"hier|demain"),
        kept=vocabulary(
            r"(?:tous les|chaque|les) (?:lundis?|mardis?|mercredis?|jeudis?|vendredis?)"
        ),
        common=word_set(
            "le la les des du est et une un dans sur pour avec pas ne qui que au aux sont été a "
            "ont ferme ouvre il elle on nous ce cette se par plus rouvre"
        ),
    ),
    "es": Tongue(
        plain=vocabulary(
            r"anteayer|antes de ayer|ayer|anoche|pasado mañana|hoy en día|desde hoy|mañana por la "
            r"(?:mañana|tarde|noche)|esta (?:mañana|tarde|noche|semana)|este (?:mes|año|trimestre|"
            rf"fin de semana|{_ES_DAY})|(?:la|el|los|las)? ?(?:{_ES_UNIT}|{_ES_DAY}|fin de semana|"
            rf"verano|invierno|primavera|otoño) (?:pasad[oa]s?|que viene|próxim[oa])|(?:la|el)? ?"
            rf"(?:próxim[oa]|últim[oa]) (?:{_ES_UNIT}|{_ES_DAY}|noche|sprint|versión)|"
            r"(?:los|las) (?:últim[oa]s|próxim[oa]s) (?:días|semanas|meses)|"
            rf"hace (?:unos |unas |como |casi |más de )?{_ES_NUM} {_ES_UNIT}|hace (?:poco|tiempo|"
            rf"mucho|un rato)|dentro de (?:{_ES_NUM} {_ES_UNIT}|poco)|en (?:{_ES_NUM}|"
            rf"los próximos)"
            rf" {_ES_UNIT}|(?:al? |para |hasta |antes de )?(?:el )?(?:fin|fines|final|finales|"
            r"principios?|comienzos?|mediados) del? (?:este |próximo )?(?:mes|año|trimestre|la "
            rf"semana|semana)|(?:desde|hasta|antes de|para|a partir de)(?:l| el) {_ES_DAY}|"
            r"actualmente|ahora mismo|en este momento|por el momento|por ahora|de momento|"
            r"recientemente|últimamente|el otro día|próximamente|en breve|hoy por hoy|ahora"
        ),
        shared=vocabulary(
            r"hoy|mañana|pronto|el lunes|el martes|el miércoles|el jueves|el viernes"
        ),
        kept=vocabulary(
            r"(?:por|de|en|a) la mañana|(?:cada|toda la|la) mañana|tan pronto|de pronto|"
            rf"(?:todos los|cada|los) {_ES_DAY}|(?:en )?últim[oa] (?:recurso|instancia|línea|vez)"
        ),
        common=word_set(
            "el la los las es y un una en con para no se que del al por está fue son ha han como "
            "pero su lo ya hay tiene llega viene usa"
        ),
    ),
    "it": Tongue(
        plain=vocabulary(
            r"l['’]altro ieri|avantieri|ieri(?: sera| mattina| notte)?|oggi|dopodomani|"
            r"domani(?: mattina| sera)?|stamattina|stamani|stasera|stanotte|questa (?:settimana|"
            r"mattina|sera|notte)|quest['’]anno|questo (?:mese|trimestre|fine settimana)|"
            rf"(?:la |il |lo |l['’])?(?:{_IT_UNIT}|{_IT_DAY}|estate|inverno|notte) (?:scors[oa]|"
            rf"passat[oa]|prossim[oa]|che viene)|(?:la|il)? ?(?:prossim[oa]|"
            rf"scors[oa]) (?:{_IT_UNIT}"
            rf"|{_IT_DAY}|sprint|versione)|{_IT_NUM} {_IT_UNIT} fa|(?:fra|"
            rf"tra) {_IT_NUM} {_IT_UNIT}|"
            r"(?:entro )?(?:la |a |il )?(?:fine|inizio|metà) (?:del mese|del trimestre|"
            r"dell['’]anno|"
            rf"della settimana|mese|anno)|(?:da|entro|fino a|prima di) {_IT_DAY}|attualmente|"
            r"al momento|adesso|per ora|al giorno d['’]oggi|recentemente|di recente|ultimamente|"
            r"a breve|poco fa|tempo fa|l['’]altro giorno|(?:fra|tra) (?:poco|breve)|"
            r"negli ultimi (?:giorni|tempi|mesi)|nei prossimi (?:giorni|mesi)|d['’]ora in poi"
        ),
        shared=vocabulary(r"presto"),
        kept=vocabulary(rf"(?:ogni|tutti i|il|di) {_IT_DAY}|al più presto"),
        common=word_set(
            "il lo la i gli le è e un una di del della con per non si che al alla nel nella sono "
            "stato stata ha hanno anche viene da"
        ),
    ),
    "pt": Tongue(
        plain=vocabulary(
            r"anteontem|ontem(?: à noite)?|hoje(?: em dia)?|depois de amanhã|amanhã|(?:nesta|"
            r"esta) "
            r"(?:manhã|semana|tarde|noite)|(?:neste|este) (?:mês|ano|trimestre|fim de semana)|"
            rf"(?:n?[oa]s? )?(?:{_PT_UNIT}|{_PT_DAY}|verão|inverno) (?:passad[oa]s?|que vem|"
            rf"próxim[oa])|(?:n?[oa] )?(?:próxim[oa]|últim[oa]) (?:{_PT_UNIT}|{_PT_DAY}|sprint|"
            rf"versão)|há (?:cerca de |uns |umas )?{_PT_NUM} {_PT_UNIT}|"
            rf"{_PT_NUM} {_PT_UNIT} atrás|"
            rf"daqui a {_PT_NUM} {_PT_UNIT}|dentro de (?:{_PT_NUM} {_PT_UNIT}|pouco)|em {_PT_NUM} "
            rf"{_PT_UNIT}|(?:no |até o )?(?:fim|final|início|começo|meados) d(?:o mês|o ano|"
            rf"a semana"
            rf"|e semana|o trimestre)|(?:desde|até|a partir d[ea]) {_PT_DAY}|atualmente|"
            rf"no momento|"
            r"por enquanto|recentemente|ultimamente|em breve|(?:n?o )?outro dia|"
            r"há pouco(?: tempo)?|"
            r"há algum tempo|nos últimos (?:dias|meses)|nos próximos (?:dias|meses)"
        ),
        shared=vocabulary(r"agora"),
        kept=vocabulary(rf"(?:toda|todas as|todo|cada) (?:{_PT_DAY})s?"),
        common=word_set(
            "o os as é e um uma em no na com para não se que do da dos das ao por foi são está "
            "tem "
            "pelo pela mais"
        ),
    ),
    "nl": Tongue(
        plain=vocabulary(
            r"eergisteren|gisteren(?:avond|ochtend|middag)?|vandaag|overmorgen|morgen(?:ochtend|"
            r"avond|middag)|vanmorgen|vanochtend|vanavond|vannacht|vanmiddag|"
            rf"(?:vorige?|afgelopen|volgende?|komende?|deze|dit|aanstaande) (?:{_NL_UNIT}|"
            rf"{_NL_DAY}|"
            rf"weekend|sprint|zomer|winter)|{_NL_NUM} {_NL_UNIT} geleden|"
            rf"over (?:een|twee|drie|vier|vijf|zes|een paar|enkele) {_NL_UNIT}|"
            r"(?:eind|einde|begin|half) (?:van )?(?:de maand|het jaar|de week|het kwartaal|deze "
            rf"maand|volgende (?:maand|week)|dit jaar)|(?:op|tot|sinds|vanaf|voor) {_NL_DAY}|"
            r"momenteel|op dit moment|tegenwoordig|onlangs|binnenkort|kortgeleden|kort geleden|"
            r"laatst|zojuist|voorlopig|een tijdje geleden"
        ),
        shared=vocabulary(rf"morgen|nu|recent|gauw|over {_NL_NUM} {_NL_UNIT}"),
        kept=vocabulary(rf"goede(?:n)? ?morgen|(?:elke|iedere) {_NL_DAY}|ten laatste"),
        common=word_set(
            "de het een is en staat van niet op met voor wordt werd zijn dat aan ook bij uit "
            "naar heeft "
            "hebben wij er om te"
        ),
    ),
    "scandinavian": Tongue(
        plain=vocabulary(
            r"i ?dag|i ?går|i ?går kväll|i ?morgon|i morgen|i förrgår|i forgårs|i forgaars|"
            r"i överm[oö]rgon|i övermorgon|i overmorgen|i overmorgon|i ?kväll|i kveld|i aften|"
            r"i natt|"
            r"i nat|i morse|i fjor|i fjol|i år|"
            rf"{_NO_TURN} {_NO_WHEN}|(?:för|for) {_NO_NUM} {_NO_UNIT} (?:sedan|siden|sen)|"
            rf"om {_NO_NUM} {_NO_UNIT}|(?:slutet|slutten|slutningen|början|begynnelsen|"
            rf"starten) (?:av|"
            r"af|på) (?:månaden|måneden|året|veckan|uken|ugen|nästa månad|neste måned|"
            r"næste måned)|"
            r"nyligen|för närvarande|for tiden|for øjeblikket|i øyeblikket|just nu|akkurat nå|"
            r"lige nu|häromdagen|her om dagen|forleden(?: dag)?|inom kort|innen kort|"
            r"(?:sedan|siden) (?:i går|måndag|mandag|fredag)|på sistone|i det siste|på det sidste|"
            r"(?:till|til|innan|før) (?:måndag|mandag|fredag)"
        ),
        shared=vocabulary(r"nu|nå|snart|nylig"),
        kept=vocabulary(r"(?:varje|hver|hvert|var) (?:dag|måndag|mandag|fredag)|så snart"),
        common=word_set(
            "och og att at är er det den som på av til till med inte ikke har ett en et för for "
            "vi blev ble skal ska kommer"
        ),
    ),
    "pl": Tongue(
        plain=vocabulary(
            r"przedwczoraj|wczoraj(?: wieczorem)?|dzisiaj|dziś|jutro(?: rano)?|pojutrze|"
            r"(?:w |od |do )?(?:zeszł|ubiegł|przyszł|następn|bieżąc|"
            r"poprzedni)[a-ząęó]{1,4} (?:tygo[a-z]{1,5}|"
            r"miesi[aą]c[a-z]{0,4}|rok[a-z]{0,2}|kwarta[a-zł]{1,3}|poniedzia[a-zł]{1,4}|"
            r"piąt[a-z]{1,3})|w tym (?:tygodniu|"
            rf"miesiącu|roku)|(?:\d{{1,3}}|dwa|dwie|trzy|cztery|pięć|kilka|"
            rf"parę)? ?{_PL_UNIT} temu|"
            rf"za (?:\d{{1,3}}|dwa|dwie|trzy|cztery|pięć|kilka|parę)? ?{_PL_UNIT}|pod koniec "
            r"(?:miesiąca|roku|tygodnia)|do końca (?:miesiąca|roku|tygodnia)|obecnie|niedawno|"
            r"ostatnio|wkrótce|niebawem|w tej chwili|na razie"
        ),
        shared=vocabulary(r"teraz|aktualnie"),
        common=word_set(
            "i w na z nie się jest to że do jest był była są ma przez po od dla został została"
        ),
    ),
    "tr": Tongue(
        plain=vocabulary(
            r"bugün|yarın|dün (?:gece|akşam|sabah)|(?:geçen|gelecek|önümüzdeki|bu) (?:hafta|ay|"
            r"yıl)|"
            r"(?:\d{1,3}|bir|iki|üç|dört|beş|birkaç) (?:gün|hafta|ay|yıl|saat) (?:önce|sonra)|"
            r"şu anda|geçenlerde|yakında|son zamanlarda|ay sonunda"
        ),
        shared=vocabulary(r"dün|şimdi"),
        common=word_set("ve bir bu için ile da de değil olarak var yok edildi oldu"),
    ),
    "more": Tongue(
        plain=vocabulary(
            r"tänään|eilen|huomenna|viime (?:viikolla|kuussa|vuonna)|ensi (?:viikolla|kuussa|"
            r"vuonna)|"
            r"äskettäin|hôm nay|hôm qua|ngày mai|tuần trước|tuần sau|hari ini|kemarin|(?:minggu|"
            r"bulan|tahun) (?:lalu|depan|ini)|včera|dnes|zítra|minulý týden|příští týden|tegnap|"
            r"holnap|ma (?:reggel|este)|múlt héten|jövő héten|ieri|azi|mâine|săptămâna trecută"
        ),
        common=word_set("on ja ei se että là và của yang dan je na az egy este și"),
    ),
}
