"""Frequent words of programmers, and forms of everyday ones: one token each (light)."""

from __future__ import annotations

from onrecord.retrieval.wordlist import Lexicon

#: A test holds every word to being one token after a space.
TECHNICAL = Lexicon("""
ability abort aborted abstract abstraction acceptance accepting accessed accesses accessible
accessing accordingly accounts accuracy acquire acquired actions actively adding additionally
additions addons addressed addresses addressing adds adjusted adjusting advanced adventure advised
affected affects agent agents agreements agrees alert alerts algorithm alias aliases align
alignment alloc allocate allocated allocation allowing allows alpha alt alter altered alternate
alternatively alternatives amounts anchor anders animation annotated annotation annotations
anonymous anxiety apartment api app appearing append appended applicable applications applied
applies applying approaches approval approvals approximately arbitrary architecture archive
archived archives arg argc args arguments argv aria arising arithmetic array arrays arrives artists
ascii aspects assembler assert assertion assertions assets assign assigned assignment associated
assumes assuming ast async asynchronous attaches attaching attacked attacker attacks attempting
attempts attr attribute attributes attrs audio audit audits auth authentication authored
authorization authorized authors automatically automation avoiding avoids await awareness awesome

backed backend backup backups backward backwards baking balanced bandwidth baseline bash basically
basics battery behaved behaves behaviors believes belongs benchmark benchmarks benefits bike bikes
biking bin binaries binary bind binding bindings bitmap bits blank blob blocking blocks blog boards
bold bool boolean borrowed boss bound boundary bounds branches breaking breakpoint brings browser
btn budget buf buffer buffers bug bugs builder builds builtin bundle buttons byte bytes

cache cached caches caching calculated calculates calculating calculation calculations callable
callback callbacks caller callers camping canceled candidates cannot canonical capability capture
cars casing cast catches catching category cats certificate certificates chained chaining chains
challenges channels char characters charged charger charges charging charity chars charset checker
checkout checkpoint checks checksum chocolate choices choosing christmas chunk cities claimed
classes classifier clause cleaned cleaning cleanup cleared clearer clearing clears cli clients
clone closes closing closure closures cluster clusters cmd code codec codes collected collecting
collections collector collects colon colored coloring column columns combinations combined combines
combining comma commands commented commercially commits commonly commons communication
communications compact compares comparing compassion compat compatibility compatible compilation
compile compiled compiler compiling completion compliance compliant component components compress
compressed compression compute computed computer computers concept concert concurrency conditional
conditioned conducts conf config configs configuration configure configured conflict conflicts
connecting connections connects consent considering considers consistency consistent consisting
console const constants constraint constraints constructed constructing construction constructor
constructors constructs consult contacted contacts container containers containing contents
contexts continuing contracts contrib contributed contributes contributing contribution
contributions contributor contributors controls convention conversations conversion convert
converted converts cookie cookies cooking copied copies copying core coroutine corrected correction
correctness corrupt costing couldn counted counter counters counting countries counts courses
courts coverage covering covers cozy crash crashes creation creations creative creativity
credential credentials credits cron crypto curl cursor curves custom customization customize cute
cycle

daemon dancer dancers dancing dashboard database datetime dealings debug debugger debugging dec
decides deciding decimal declaration declarations declared declares declaring decode decoded
decoder decoding decorated decoration decorator decorators decrypt dedicated dedication deemed
deeper def default defaults defer defines defining definition definitions delays delete deleted
delivered delta depended dependencies dependency dependent depending deploy deployed deployment
deployments deprecated depression depth derivative derived describes describing descriptions
descriptor descriptors designer desired destination destroyed destroying detached detailed detect
detected detecting detection determination determined dev developer developers developing
developments devices diagnostic diagnostics dict dictionaries diff differences digest digit digital
digits dir directed directions directive directories directory dirname disable disabled disables
discard discussions disk displayed displaying displays distribute distributed distribution
distributions document documentation documented documents doesn dogs domain dot download downloaded
downloading downloads drafted drafts dreams drivers dropping drops dump duplicate duration dynamic

earlier echo edited editing edition editor effectively effects efficient efforts election elements
email embedded embedding emit emits emitted emoji emotional emotions enabled enables enabling
encode encoded encoding encrypted encryption enctype endian endif endings endorse endpoint
endpoints enforce engineering engines enhanced enhancements ensures ensuring entering enters
entities entity entries enum env environments equals equivalent err errno errors escaped escapes
escaping essentially established eval evaluate evaluated evaluation examined examining exams
exception exceptions exclude excluded excluding exclusive exec executable execute executed
executing execution exited exiting exits expanded expanding expands expecting expenses experimental
experiments explaining explicit explicitly exploit export exported exports expose exposed expressed
expressing expressions expressly extended extending extends extension extensions external extract
extracted extras

factors failing failures fallback families fare fares fatal faults featured fee feedback feeding
feelings fetch fetching fields figures filename filenames files filesystem filling films filter
finder fingerprint finishes finishing firewall firmware fitness fixes fixing fixture fixtures flags
floating floats flowers flush focused folded folder folders folding font fonts fooled footer forces
forcing foreach fork format formats formatted formatter formatting formed formerly forms forwarded
forwarding forwards foundation fprintf frames framework frameworks freeing freely frequency
friendship func functionality functioning functions funded funding

gained gallery games gaming garbage gateway gear gen gender generated generates generating
generator generators generic gesture getopt git github glob globally globals glyph goals gonna
graduation grammar grandma granting grants graph graphics grateful greater grep grouped grouping
groups guards guessed guesses gui guided guides guitar gzip

hadn handed handled handler handlers handles handling handshake hanging harder hardware hash
hashing hasn header headers healthy heap helper helpers hex hey hiding hierarchy highlight hiking
hint hints holder holders honestly honored honors hook hooks hopefully hosted hosting hostname
hover href humans hundreds

icon ideally identical identified identifier identifiers identifying identity idle ignoring images
implement implementation implementations implemented implementing implements implicit implied
implies import importantly imported importing imports incidents incoming incompatible incomplete
incorrect incorrectly increases incredible incremental indent index indexes indicated indicates
indication indices individuals infinite info informed ingress inherit inheritance inherited init
initialization initialize initialized initially injection inline input inputs insert inspect
inspector inspire inspired inspiring install installation installed installing instances
instantiate institutions instruction instructions int intact integer integers intel intending
interactive interface interfaces interior intermediate internally internet interpret interpreter
interval intl intro introducing invalid invariant invocation invoice invoices invoke invoked
invoking iso issued issuer issuing italic iterable iteration iterator

java javascript joining json judged

kernel keys keyword keywords kids killing kindness kwargs

label labels lacked lambda lang languages laptop latency latter launched launching layers layout
leak leaks ledger legacy legally len lengths lens lesser lexer lib libraries license licensed
licenses limitation limitations limiting linked linker linking linux listener listeners listening
listens listing lists literal literally loaded loader loaders loading loads locale locales
localhost locally locals located locations locking locks log logger logging logical login logo
lookup loop losses loved loving lyrics

mac machinery macro macros magic maintained maintaining maintains maintenance malformed malloc
managers manages managing manual manually manuals mapped mapping mappings maps marathon margin
markdown marker markers marking marks matched matcher matches matching materials math max maximum
meanings measures measuring mem memories mentioning merge merged merging meta metadata meter meters
metrics micro migration migrations milliseconds min minimal mirrors miscellaneous mixing mkdir mock
mocks mod modal models modes modification modifications modified modify modifying module modules
mom moments motivate motivated motivation mountains movies msg multi museum mutex mutually

namely namespace namespaces naming nations navigation needing neighborhood neighbors nested network
newer newline newly nicely nightly node nodes non normalize normalized notation notices notify
novels null num numbered numbering numeric

oauth obj obsolete obtain offering officially offset omit omitted online onto opaque operated
operates operating operations operator operators opinions opposed opt optimization optimize
optimized optional optionally ordered ordering organizations origin outage outcomes output outputs
overflow overhead overly overridden override overrides overview overwrite owned owners ownership

packaged packages packaging packed packet packets packing padding pager paintings paired pairs
panic paragraphs parallel param parameter parameters params parse parsed parser parsing partially
parties partition partitions passengers passion passionate password passwords patch patched patches
pathname paths patience patterns paused payload payments pdf peaceful pending percent performances
performed performer performing performs periods perl permissions permits permitted persistent
pertaining pet pets phases phones photography photos phrases picker picking pictures pinned
pipeline pipelines piping pixel pixels pizza placing plainly planning plants platform platforms
players plugin plugins podcast poems pointer pointers pointing policies pooling pop port portable
portion portions ports pos positional positions positives possibility posted posting posts
potentially pottery pre precise preference prefers prefix prepares preparing presently preserved
preserves preserving pressed pressing prev prevented preventing prevents primarily primitive
printed printf printing prints priority privacy privately proc procedures processed processes
processing processor procurement producer produces producing profile profiler programming programs
prohibited projects promises promoted promotion prompt propagate properties protected protecting
protocol protocols prototype provider providers provisions proxies proxy prune ptr pub publicly
publisher publishers publishing purely pushes pushing pytest python

queries query queue queues quote quoted quotes

raises raising random ranges reaching readable readers readline reasonably reasoning receiver
receives receiving recipe recognized recognizes recording recursive recursively redistribute
redistributed redistribution ref referenced references referencing refers reflected reflection
reflects refs refund refunds refuses regardless regards regex regexp regions register registered
registering registers registry regression reject rejected relating relationships releases releasing
reminded reminder reminds removal removes removing rename renamed render repeating repl replacement
replaces replacing replica replicas repo reporter reporters reporting repositories repository repr
representation representations represented representing represents reproduce requested requesting
requirement requirements requiring reserved reset resets resetting resolution resolve resolved
respective respectively respects responded responses responsibility restore restrict restricted
restriction restrictions resulted resulting ret retain retained retention retries retrieve retry
returning reuse reused rev revealed reverse revert reviewed reviewer reviewers revision rewrite
rewritten rights roles rollback rollout rooted rounded rounding routed router routes routines
routing rpc runner runtime

salad samples sampling sanitize saves scalar scan scheduled scheduler schedules scheduling schema
schemas schemes scope script scripts scroll searches searching sec secrets sections seeking
selecting selection selects semantic semantics semaphore sender sensor sensors separation separator
sequences server servers serves serving sessions settings setup sha shard shards shares sharing
shells shutdown sidebar signals signature signatures signed signing silently similarly simplify
singers singing sizeof sizing skip skipped skipping skips slash slower smallest snapshot snapshots
socket sockets software solutions songs sorted sorting sources spaces spacing span spans spawn spec
specially specifically specification specifics specified specifies specify specifying speeding
speeds spelled spelling splits src stability stack staged staging stale standards startup stash
stat statements static stating stations statistics staying stays stderr stdin stdout storage stores
stories storing str strategy streamed streaming streams strictly strings strip struct structured
structures struggling stub studying styles stylesheet styling sub subclass subclasses submit subnet
subprocess subset substantial subtype succeeded successfully sufficient suffix suggestions suite
suites sunset super supplied supplying supporting supportive supports suppress swipe switched
switches switching symbolic symbols sync synchronous synopsis syntax sys

tab tabindex tables tabs tag tags talented tar target targets tcp teachers teaching teams
technically technologies template templates terminal terminate terminated termination tester texts
thankful themes thousands threaded threading threads throttle throughput throwing throws tickets
timely timeout timers timestamp timing toggle token tokens toolbar topics tournament trace
traceback traces tracing tracked tracker tracking tracks traditionally trailing transaction
transactions transform transformation transitional translated translates translation translations
transports traveling treat treated trees tricks trigger triggered triggers trips trivial truncated
trusted tuple tuples tutorial txt typed typing

ultimately unavailable unchanged undefined underline underlying understands unexpected unicode
unions united unittest universal unix unlimited unnecessary unsigned unspecified unsupported unused
update updated updates updating upgrade upgraded upload upstream uri url urls usable usage username
utf util utilities utility utils

vacation valid validate validation validity var variable variables variant variants vars vault
vector vegetables vehicle vehicles verbose verification verify video videos viewed viewer viewing
viewport virtual visibility visual void voltage volunteer

waits walker wanna warnings wasted watcher watching web webhook website websites weekday weren
wheels whitespace widget widgets width wishes wording workaround workflow workflows workout
worldwide wouldn wow wrapped wrapper wrappers wrapping wraps writable

yaml yield yields yoga

zip
""")
