"""Words that carry no topic, so that a query is what remains of a sentence (light: data only).

`STOP` never reaches the index: articles, pronouns, auxiliaries, question words. `WEAK` words
do say something, but so little, in so many memories, that they are the first to go when a
query is long and count for little when a match is judged. `LATEST` asks for what is newest.
All are folded as `terms.fold` folds: lower case, no accents.
"""

from __future__ import annotations

from onrecord.retrieval.wordlist import WordList

_ENGLISH = """
a about above after again against ago all almost along already also although always am among an and
another any anybody anyone anything anyway are aren around as ask asked at away back be became
because become been before being below beside besides between both bring but by came can cannot
could couldn did didn do does doesn doing don done down during each either else enough even ever
every everybody everyone everything few for from further gave get gets getting give given
gives goes going gone got had hadn has hasn have haven having he hello hence her here hers herself
hey him himself his how however i if in inside instead into is isn it its itself just keep kept
kind knew know known knows last least let lets like likely little ll look looking looks lot made
makes making many may maybe me mean means might mine more most much must my myself near need needed
needs neither never next no nobody none nor not nothing now of off often ok okay on one ones only
onto or other others otherwise our ours ourselves out outside over own per perhaps please quite
rather re really said same say says see seem seems seen several shall she should shouldn show shows
since so some somebody somehow someone something sometimes somewhere soon still such sure take
taken takes taking tell than thank thanks that the their theirs them themselves then there these
they thing things think this those though through thus till to today together told tomorrow too
took toward towards tried trying under until up upon us use used uses using ve very via want wanted
wants was wasn way ways we well went were weren what whatever when whenever where wherever whether
which while who whoever whole whom whose why will with within without won would wouldn yes
yesterday yet you your yours yourself yourselves
"""

_GERMAN = """
aber alle allem allen aller alles als andere anderen anderer auch auf aus bei beim bin bis bist
bitte da dabei dadurch dafur dagegen daher dahin damit dann daran darauf daraus darf darin daruber
darum das dass davon dazu dein deine dem den denn der deren des deshalb dessen dies diese diesem
diesen dieser dieses doch dort du durch durfen ein eine einem einen einer eines einige er es etwa
etwas euch euer fur gab ganz gegen geht gerade gibt habe haben hatte hatten heute hier hin hinter
ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer ins ist ja jede jedem jeden jeder jedes jene
jetzt kann kannst kein keine keinem keinen keiner konnen konnte lassen machen mal manche mehr mein
meine mich mir mit muss mussen nach nachdem nein nicht nichts noch nun nur ob oder ohne schon sehr
sein seine seit sich sie sind sogar solche soll sollen sollte sondern sonst soweit statt uber um
und uns unser unsere unter viel viele vom von vor wahrend wann waren warum weder weil welche
welchem welchen welcher welches wenn wer werde werden weshalb wie wieder wieso wir wird wo wohin
womit wurde wurden zu zum zur zwar zwischen
"""

_FRENCH = """
afin ai ainsi alors apres au aucun aussi autre autres aux avait avant avec avez avoir avons
beaucoup bien car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci combien comme
comment contre dans de depuis deux dois doit donc dont elle elles en encore entre est et etaient
etait ete etre eu eux faire fait faut fois font il ils je jusqu la le les leur leurs lors lorsque
lui ma mais meme memes merci mes mieux moi moins mon ne ni non nos notre nous ont ou oui par parce
pas pendant peu peut peuvent plus plutot pour pourquoi quand quel quelle quelles quels qui quoi sa
sans sauf se sera ses si sinon sont sous sur ta te tes toi ton toujours tous tout toute toutes tres
trop tu un une veux voici voila vos votre vous
"""

_SPANISH = """
acerca adonde ahora al algo alguien alguna algunas alguno algunos antes aquel aquella aqui asi aun
aunque cada como con contra cual cuales cualquier cuando cuanto cuantos cuyo debe deben del desde
dijo donde dos el ella ellas ellos entonces eran eres esa esas ese eso esos esta estaba estan estar
estas este esto estos estoy fue fueron gracias ha habia hace hacer han hasta hay hoy las lo los
luego mas mi mientras mis misma mismo mucha muchas mucho muchos muy nada ninguna ninguno nosotros
nuestra nuestro nunca otra otras otro otros para pero poco podemos por porque puede pueden pues que
quien quienes quiero segun ser sido siempre sino sobre solo somos soy su sus tal tambien tampoco
tan tanto tiene tienen todas todo todos tus una unas uno unos usted ustedes va vamos y ya yo
"""

_OTHERS = """
che chi cosa cui dei della delle dello di dove gli io nel nella piu quale quali quando questa
questo sono ao aos com ela ele em essa esse foi isso isto nao nas num numa onde os pela pelo quais
qual quem seu sua sao tem uma voce aan daar dat deze dit een het hoe hun ik jij kan naar niet ook
tot uit veel voor waar waarom wanneer wat welke wel wij ze zijn zo dla czy jak jest nie tego tym
vad och att det som inte hur без был была были было вам вас весь во вот все всех вы где да для до
его ее ей если есть еще же за и из или им их к как какая какие какой когда кто ли мне мы на над
надо не него нее нет ни но о об он она они от по под почему при с со так там то тоже только тот ты
у уже чем что чтобы эта эти это этот я в αλλα αν απο για δεν ειναι εχει η και με μια να ο οι οπου
οταν πως ποιος ποια ποιο ποτε που προς στη στην στο στον τα τη την της τι τις το του τους των
"""

_WEAK = """
able account action actually add added adding additional allow allowed app apply available bad
based basic begin best better big bit box break build call called case cases change changed changes
changing check choose clean clear clearly close code collect column comments common complete
compare contain contains copy correct create created current currently data date day days default
delete describe description details detail difference different directly display document draw
early easy edit empty end enter entry error errors evening example examples exist existing expect
explain explanation extra fail failed fails fast file files fill find fine finish finished first
five fix folder follow following format found four full function functions general generate good
great group half hand handle happen happened happens hard help hide high hint hold home hour hours
http https idea image implement important include included information input install item items job
key large late later latest leave left length level line lines link list live load local long
longer low machine main maximum member message method minimal minimum minute minutes missing mode
module moment month months morning move name named names new newest nice night normal note number
numbers object old open option optional order output page paragraph parameter part parts people
person personal phone pick place plain plan point possible present prevent previous print problem
project prompt proper propose prove provide question quick quickly range read reason recent remove
rename replace report request require required repo repository response rest result results return
returns review right row rows rule rules run running runs safe save script search second section
select send sentence separate server service set setting setup share short similar simple single
six size small solve sort special specific stand start started state step stop store string
structure style suggest summary support switch system table task team term test tests text three
time times title top touch turn two type understand unit update usage user users usual value values
variable version view wait walk week weeks welcome word words work working works write written
wrong year years
aktuell aktuelle andern anlegen bauen beispiel datei dateien erklare erstelle fehler finde frage
hilfe jahr liste losche neu neue projekt schreibe seite tag teste woche zeige zeit zeile actuel
actuelle ajoute ajouter cherche corrige cree creer ecris explique fichier ligne nouveau nouvelle
temps utilise actual agrega anadir archivo archivos buscar cambia cambiar codigo crea crear escribe
explica lista linea nueva nuevo pagina pregunta proyecto tiempo usar
"""

_LATEST = """
latest newest current currently now today recent recently aktuell aktuelle aktuellen neueste
neuesten jetzt heute actuel actuelle actuellement dernier derniere maintenant actual actualmente
ahora hoy ultima ultimo
"""

# Idle in one language, a topic in another or in programs: `go 1.23`, `make check`, `war room`.
_EITHER = """
die era go hat less make man met once put sea sin son try van war
"""

STOP = WordList(_ENGLISH + _GERMAN + _FRENCH + _SPANISH + _OTHERS)
WEAK = WordList(_WEAK + _EITHER)
LATEST = WordList(_LATEST)
