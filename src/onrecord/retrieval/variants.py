"""The same word written otherwise: short and long forms, joined and apart (light).

`db` and database, `set up` and setup. What is typed in one way is looked for in the others,
behind what was typed.
"""

from __future__ import annotations

from onrecord.retrieval.fit import stem

#: Forms of one word to a line; `_` joins the words of one form.
TABLE = """
db database
config configuration conf cfg
env environment
repo repository
auth authentication authorization authn authz
dep dependency
deps dependencies
dir directory
prod production
dev development
ci continuous_integration
k8s kubernetes kube
i18n internationalization internationalisation
l10n localization localisation
a11y accessibility
msg message
pkg package
tmp temp temporary
info information
app application
admin administrator
arg argument
param parameter
attr attribute
async asynchronous
cert certificate
cmd command
ctx context
doc documentation
docs documentation
err error
ext extension
func function fn
img image
impl implementation
init initialize initialise initialization initialisation
lib library
max maximum
min minimum
mgmt management
num number
obj object
org organization organisation
perf performance
perm permission
pwd password passwd
pr pull_request
mr merge_request
prev previous
ref reference
regex regexp regular_expression
resp response
spec specification
stats statistics
std standard
str string
svc service
tx txn transaction
ui user_interface
util utility
var variable
vm virtual_machine
js javascript
ts typescript
py python
rb ruby
pg postgres postgresql
e2e end_to_end
tz timezone time_zone
addr address
char character
col column
conn connection
creds credentials
del delete
dest destination
diff difference
dist distribution
elem element
id identifier
idx index
iface interface
lang language
len length
loc location
mem memory
ns namespace
op operation
opt option
perms permissions
pos position
priv private
pub public
qa quality_assurance
seq sequence
sig signature
src source
usr user
infra infrastructure
stg staging
eval evaluation
desc description
ops operations
pct percent
qty quantity
ver version
german deutsch deutsche deutschen
french francais francaise
spanish espanol espanola castellano
italian italiano italiana
portuguese portugues portuguesa
dutch nederlands
polish polski
czech cestina cesky
swedish svenska
danish dansk
norwegian norsk
finnish suomi
hungarian magyar
turkish turkce
romanian romana
catalan catala
greek ελληνικα
russian русскии русском
ukrainian украінська
arabic العربية
hebrew עברית
hindi हिन्दी
thai ไทย
vietnamese tieng_viet
japanese 日本語
korean 한국어
chinese 中文 汉语 漢語
"""
#: The same with every form between spaces.
_ROWS = TABLE.replace("\n", " \n ")

#: Verbs and what may follow them, written as one word where they name a thing.
_VERBS = frozenset(
    """
    back break build call carry check clean cut drop fail fall fill follow hand hang hold kick lay
    line lock log look mark mix opt pay pick play pop print push ramp read rebuild roll run scale
    set shut sign slow spin stand start step take tear time tie trade try turn walk warm work wrap
    write
    """.split()
)
_PARTICLES = ("through", "around", "down", "over", "back", "away", "out", "off", "up")
#: The same with words that mostly say where or when.
_WITH_IN = {"in": frozenset("log sign check plug opt build".split()), "on": frozenset(("add",))}
#: Joined words of so many letters, and parts of at least so many.
_LONGEST, _SHORTEST, _PART = 24, 5, 2


def short_forms(word: str) -> list[str]:
    """The other forms of a folded word: `db` for `database`, and the other way round."""
    return _beside(word) or (_beside(word[:-1]) if word.endswith("s") else [])


def _beside(word: str) -> list[str]:
    """What stands in a row with a form; the table is searched as it is, which needs no start."""
    found: list[str] = []
    wanted = word.replace(" ", "_")
    at = _ROWS.find(f" {wanted} ") if wanted.strip() else -1
    while at >= 0:
        start, end = _ROWS.rfind("\n", 0, at), _ROWS.find("\n", at)
        for form in _ROWS[start:end].split():
            if form != wanted and form not in found:
                found.append(form)
        at = _ROWS.find(f" {wanted} ", end)
    return [form.replace("_", " ") for form in found]


def variants(word: str) -> list[str]:
    """Other spellings of one folded word: short or long ones, and taken apart."""
    split = apart(word)
    return [*short_forms(word), split] if split else [*short_forms(word)]


def joined(left: str, right: str) -> str:
    """Two folded words in a row as one, or nothing where they cannot be: `data base`."""
    if len(left) < _PART or len(right) < _PART:
        return ""
    if not (left.isalpha() and right.isalpha()):
        return ""
    one = left + right
    return one if _SHORTEST <= len(one) <= _LONGEST else ""


def thing(left: str, right: str) -> tuple[str, str]:
    """What a verb and its particle name as one word, and the verb: `setting up` as setup.

    Two empty texts for two other words.
    """
    verbs = _VERBS if right in _PARTICLES else _WITH_IN.get(right)
    if verbs is None or not left:
        return "", ""
    short = stem(left)
    verb = next((verb for verb in (left, short, short + "e") if verb in verbs), "")
    return (verb + right, verb) if verb else ("", "")


def apart(word: str) -> str:
    """A verb and its particle that are written as one, as two: `timeout`, `timeouts`."""
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha():
        return ""
    single = word.removesuffix("s")
    for particle in (*_PARTICLES, *_WITH_IN):
        if single.endswith(particle):
            verb = single[: -len(particle)]
            return f"{verb} {particle}" if thing(verb, particle)[1] == verb != "" else ""
    return ""
