"""The words of everyday English: one token each, and of less weight than others (light)."""

from __future__ import annotations

from onrecord.retrieval.wordlist import Lexicon

#: A test holds every word to being one token after a space.
EVERYDAY = Lexicon("""
able about above abroad absence absent absolute absolutely accept accepted accepts access accident
accompany accord according account accurate achieve achieved across act acted acting action active
activity actual actually add added addition additional address adjust admit adopt adult advance
advantage advice advise affair affect afford afraid after afternoon afterwards again against age
agency agree agreed agreement ahead air alive all allow allowed almost alone along already also
alternative although always am amazing among amount an analysis ancient and anger angry animal
announce annual another answer answered answers any anybody anyone anything anyway apart apparent
apparently appear appeared appears apple application apply appoint approach appropriate approve are
area argue argument arise arm army around arrange arrangement arrive arrived art article artist as
aside ask asked asking asleep aspect assume assumed at attach attached attack attempt attempted
attend attention attitude attract audience author authority automatic autumn available average
avoid avoided award aware away awful

baby back background bad badly bag balance ball band bar bare base based basic basis bath bathroom
battle be beach bear beat beautiful beauty because become becoming bed bedroom been before began
begin beginning behave behavior behaviour behind being belief believe believed bell belong below
belt benefit beside besides best better between beyond big bigger biggest bill bird birth birthday
bit bite bitter black blame blind block blocked blood blow blue board boat body book books border
boring born borrow both bother bottle bottom bought box boy brain branch brave bread break
breakfast breaks breath bridge brief briefly bright bring bringing broad broke broken brother
brought brown brush build building built burn bury bus business busy but button buy buying by

cake calculate call called calling calls calm came camera camp can cancel candidate capable capital
captain car card care career careful carefully careless carried carry carrying case cases cash
castle cat catch caught cause caused causes causing ceiling celebrate cell center central century
certain chain chair challenge chance change changed changes changing channel chapter character
charge cheap check checked checking cheese chest chicken chief child children choice choose chose
chosen church circle citizen city civil claim claims class clean clear clearly clever client clock
close closed closer clothes cloud club coach coast coat coffee cold colleague collect collection
college color colors colour colours combination combine come comes comfort comfortable coming
command comment comments commercial commission commit common communicate community company compare
compared comparison compete complain complaint complete completed completely complex complicated
concern conclusion condition conditions conduct conference confidence confident confirm confused
connect connected connection consequence consider considerable considered consists constant
construct contact contain contained contains content contest context continue continued continues
contract contrast contribute control controlled conversation convince cook cool copy corner correct
correctly cost costs cough could count country couple courage course court cover covered crazy
create created creates creating creature credit crime critical criticism cross crowd culture
curious current currently curve customer customers cut cutting

daily damage damaged dance danger dangerous dare dark data date daughter day days dead deal dealing
dear death debate debt decade decide decided decision decisions declare decline decrease deep
deeply defeat defend define defined definite definitely degree delay delayed deliver delivery
demand deny department depend depends describe described description desert deserve design designed
desire desk despite destroy detail details determine develop developed development device diary
dictionary did die died differ difference different differs difficult difficulty dig dinner direct
direction directly director dirt dirty disappear disappointed discover discovered discuss
discussion disease dish dislike display distance distant divide divided do doctor does dog doing
dollar done door double down dozen draft drag drama draw drawer drawing drawn dream dress drew
drink drive driven driver drives driving drop dropped dry due during dust duty

each ear early earn earth ease easier easily east easy eat economic edge edit education effect
effective effort eight either elder elect electric element else elsewhere emotion employ employee
empty enable encourage end ended ending ends enemy energy engage engine engineer enjoy enough
ensure enter entered entire entrance entry environment equal equally equipment error escape
especially essential establish estate estimate even evening event events eventually ever every
everybody everyone everything everywhere evidence evil exact exactly exam examine example examples
excellent except exchange excited exciting excuse exercise exist existed existing exists exit
expand expect expected expects expense expensive experience experienced experiment expert explain
explained explains explanation explore express expression extend extent extra extreme extremely eye
eyes

face faced facing fact factor factory fail failed fails failure fair fairly faith fall fallen
falling false familiar family famous far farm fashion fast faster fat father fault favor favorite
favour favourite fear feature features feed feel feeling feels feet fell fellow felt female fence
few field fifth fifty fight figure file fill filled film final finally financial find finding finds
fine finger finish finished fire firm first fish fit five fix fixed flag flat flew flight float
floor flow flower fly focus fold follow followed following follows food fool foot football for
force forced foreign forest forever forget forgot forgotten form formal former forth fortune forty
forward found four fourth frame free freedom freeze frequent frequently fresh friend friendly
friends from front frozen fruit fuel full fully fun function fund funny furniture further future

gain game garden gas gate gather gave general generally generate generation genuine get gets
getting giant gift girl give given gives giving glad glance glass global go goal god goes going
gold gone good goods got government grab grade gradually grand grant grass great greatly green grew
grey ground group grow growing grown growth guard guess guest guide

habit had hair half hall hand handle hands hang happen happy hard hardly harm has hat hate have
having he head health hear heard hearing heart heat heavy height held hello help helped helpful
helping helps hence her here hero hidden hide high higher highest highly hill hire his history hit
hold holding holds hole holiday home honest honor hope hoped horse hospital host hot hotel hour
hours house household how however huge human humor hundred hung hunger hungry hunt hurry hurt
husband

ice idea ideal ideas identify if ignore ignored ill illness image imagine immediate immediately
impact imply importance important impossible impress impression improve improved in inch incident
include included includes including income increase increased increasing indeed independent
indicate individual industry influence inform information initial injury inner inside insist
instance instant instead institution insurance intelligent intend intended intention interest
interested interesting internal international interview into introduce introduced introduction
invest investigate invite invited involve involved iron is island issue issues it item items its
itself

jacket job jobs join joined joint joke journey joy judge jump junior just justice justify

keen keep keeping keeps kept key kick kid kill killed kind kinds king kiss kitchen knee knew knife
knock know knowing knowledge known knows

labor lack ladder lady lake lamp land language large larger largest last late later latest laugh
launch law lawyer layer lazy lead leader leading leads leaf lean learn learned learning least
leather leave leaves leaving led left leg legal lend length less lesson lessons let lets letter
letters letting level levels liberty library lie life lift light lights like liked likely limit
limited limits line lines link links lips list listed listen literature little live lived lives
living load local location lock locked logic lonely long longer look looked looking looks loose
lord lose losing loss lost lot lots loud love lovely low lower luck lucky lunch

machine machines mad made magazine mail main mainly maintain major majority make maker makes making
male man manage managed management manager manner many map mark marked market marriage married mass
master match material matter matters may maybe me meal mean meaning means meant meanwhile measure
measured meat media medical medicine medium meet meeting member members memory men mental mention
mentioned menu mere merely mess message messages met metal method methods middle might mild mile
milk mind mine minimum minister minor minute minutes mirror miss missed missing mission mistakes
mix mixed mobile mode model modern moment money month months mood moon moral more moreover morning
most mostly mother motor mountain mouth move moved movement moves movie moving much multiple murder
muscle music must mutual my myself

name named names narrow nation national native natural naturally nature near nearby nearly neat
necessarily necessary neck need needed needs negative neighbor neither nerve net never nevertheless
new news next nice night nine no nobody noise none nor normal normally north nose not note noted
notes nothing notice noticed novel now nowhere number numbers numerous nurse

object objects obvious obviously occasion occasionally occur occurred occurs ocean of off offer
offered offers office officer official often oil old older on once one ones only open opened
opening opens operate operation opinion opportunity oppose opposite option options or orange order
orders ordinary organization original originally other others otherwise ought our out outcome
outside over overall own owner

pace pack package page pages paid pain paint painting pair pale paper papers paragraph parent
parents park part partial particular particularly partly partner parts party pass passage passed
passenger passes passing past path patient pattern pause pay paying payment peace peak pen pencil
people per perfect perfectly perform performance perhaps period permanent permission permit person
personal phase phone photo phrase physical piano pick picked picture piece pieces pile pilot pink
pipe place placed places plain plan plane planned plans plant plastic plate play played player
playing plays pleasant please pleased pleasure plenty plus pocket poem point pointed points police
policy polite political pool poor popular population position positive possible possibly post pot
potential pound power powerful practical practice praise pray prefer preferred prepare prepared
presence present presented preserve president press pressure pretty prevent previous previously
price prices pride primary principle print prior prison private prize probably problem problems
procedure proceed process produce produced product production products profession professional
profit program progress project promise promote proof proper properly property proposal propose
proposed protect protection proud prove proved provide provided provides public publish published
pull pulled pupil purchase pure purpose purposes push pushed put puts putting

quality quantity quarter queen question questions quick quickly quiet quit quite

race rain raise raised range rapid rare rate rates rather raw reach reached reaches reaction read
reader reading reads ready real realistic reality realize realized really reason reasonable reasons
recall receive received recent recently recognize recommend recommended record recorded records
recover red reduce reduced refer reference reflect refuse refused regard regarding region regular
regularly relate related relation relationship relative relatively relax release released relevant
relief religion rely remain remained remaining remains remark remarkable remember remembered remind
remote remove removed rent repair repeat repeated replace replaced reply report reported reports
represent request requests require required requires research resist resource resources respect
respond response responsible rest restaurant result results retire return returned returns reveal
review rich ride right ring rise rising risk river road rock role roll roof room rooms root rough
round route row rows royal rubber rude ruin rule rules run running runs rush

sad safe safety said sail salary sale salt same sample sand sat satisfied save saved saving say
saying says scale scared scene schedule scheme school science scientific score scream screen sea
search season seat second seconds secret section secure security see seeing seek seem seemed seems
seen select selected self sell send sending sends senior sense sensible sensitive sent sentence
sentences separate separated sequence series serious seriously serve served service services
session set sets setting settle seven several severe shade shadow shake shall shame shape share
shared sharp she sheet shelf shell shift shine ship shirt shock shoe shoes shoot shop shopping
short shorter shortly shot should shoulder shout show showed showing shown shows shut sick side
sides sight sign signal significant silence silent silly silver similar simple simply since sing
single sink sister sit site sits sitting situation six size sizes skill skills skin sky sleep slide
slight slightly slip slow slowly small smaller smart smell smile smoke smooth snow so social
society soft soil sold soldier solid solution solve solved some somebody somehow someone something
sometimes somewhat somewhere son song soon sorry sort sorts soul sound sounds soup source south
space spare speak speaker speaking special specific speech speed spell spend spent spirit spite
split spoke spoken sport spot spread spring square stable staff stage stair stamp stand standard
standing stands star stare start started starting starts state stated statement states station
status stay stayed steal steel steep step steps stick sticks still stock stone stood stop stopped
stopping stops store stored storm story straight strange stranger stream street strength stress
stretch strict strike string strong strongly structure struggle stuck student students study stuff
stupid style subject substance succeed success successful such suffer sugar suggest suggested
suggestion suit suitable sum summary summer sun supply support supported suppose supposed sure
surely surface surprise surprising surround survey suspect swear sweet swim swing switch symbol
system systems

table tail take taken takes taking tale talent talk talked talking tall task tasks taste taught tax
teach teacher team tear technical technique technology telephone tell telling tells temperature
temporary ten tend term terms terrible test tested testing tests text than thank thanks that the
theater their them theme then theory there therefore these they thick thin thing things think
thinking thinks third thirty this those though thought thoughts thousand thread threat three threw
throat through throughout throw thrown thus ticket tidy tight till time times tiny tip tired title
to today together told tomorrow tone tonight too took tool tools tooth top topic total totally
touch tough tour toward towards tower town toy track trade tradition traditional traffic train
training transfer translate transport travel tree trick tried tries trip trouble truck true truly
trust truth try trying tube turn turned turning turns twelve twenty twice twist two type types
typical typically

ugly ultimate umbrella unable uncle under understand understanding understood unfortunately union
unique unit unite universe university unknown unless unlike unlikely until unusual up upon upper
upset upstairs urban us use used useful user users uses using usual usually

valley valuable value values van variety various vary vast version versions very via victim victory
view views village violence visible visit visited visitor voice volume vote

wage wait waited waiting wake walk walked walking wall want wanted wants war warm warn warned
warning was wash waste watch watched water wave way ways we weak wealth weapon wear weather wedding
week weekend weeks weigh weight welcome well went were west western what whatever wheel when
whenever where whereas wherever whether which while whisper white who whoever whole whom whose why
wide wife wild will willing win wind window windows wine wing winner winter wire wise wish with
within without woman women won wonder wood wooden word words wore work worked worker workers
working works world worry worse worst worth would wound wrap write writer writes writing written
wrong wrote

yard yeah year years yellow yes yesterday yet you young younger your yours yourself youth

zero zone
""")
