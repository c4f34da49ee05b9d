"""Which lessons a failure brings up: those that name what failed (light).

An error's ordinary words are those of every other error. What tells one from another is a code,
an identifier, a path: a lesson has to have one of these, and enough has to speak for it besides.
"""

from __future__ import annotations

from onrecord.domain.query import LexicalQuery
from onrecord.retrieval import fit
from onrecord.retrieval.found import BODY, Read, Recalled
from onrecord.retrieval.recall import in_order, weigh
from onrecord.retrieval.terms import read_units, terms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.shelf import Shelf
    from onrecord.retrieval.terms import Unit

#: Kinds that are brought up.
KINDS = ["lesson"]
#: What is read of an error: so much of its beginning, and so much of its end.
HEAD, END = 700, 1_300
#: Terms of one search, and candidates asked for and read.
TERMS = 14
POOL = 24
READ = 12
#: What must speak for a lesson that names what failed.
ENOUGH = 1.6
#: How much of a mark must be found: whole, or the last part of a path.
FOUND = 0.9
#: Names of classes that are read once more without their modules.
MODULES = 8
#: Letters of a code in capitals, at least.
CODE = 4

#: What every program fails with; naming it says nothing of what failed.
COMMON = frozenset(
    """
    error errors failed failure fatal exception warning traceback exit status code stderr stdout
    typeerror valueerror keyerror indexerror nameerror oserror ioerror runtimeerror importerror
    attributeerror assertionerror syntaxerror referenceerror rangeerror filenotfounderror
    modulenotfounderror permissionerror systemexit keyboardinterrupt calledprocesserror
    nullpointerexception enoent eacces eperm eexist todo http https null none true false warn
    """.split()
)

#: Words of a tool's output by which it reads as failed, where the client does not tell.
SIGNS = (
    "error",
    "fatal",
    "failed",
    "failure",
    "exception",
    "traceback",
    "panic",
    "denied",
    "refused",
    "not found",
    "cannot ",
    "could not",
    "no such file",
    "unable to",
)


def reads_as_failure(output: str) -> bool:
    """Whether what a command printed looks like that of one that failed."""
    text = excerpt(output).lower()
    return any(sign in text for sign in SIGNS)


def excerpt(error: str) -> str:
    """What is read of an error: how it begins and how it ends."""
    if len(error) <= HEAD + END:
        return error
    return f"{error[:HEAD]}\n{error[-END:]}"


def relevant_to_failure(
    shelf: Shelf,
    error: str,
    scopes: list[str],
    now: int,
    limit: int = 3,
    *,
    visible: Callable[[Candidate], bool] | None = None,
) -> list[Candidate]:
    """Lessons that name what an error names, best first: at most `limit`, mostly none."""
    text = excerpt(error)
    units = [unit for unit in read_units(text + _class_names(text)) if not _is_common(unit)]
    marks = [at for at, unit in enumerate(units) if is_mark(unit)]
    if not marks or limit <= 0 or not scopes:
        return []
    # what is searched with are the marks; the other words only speak for what they find
    terms = terms_of([units[at] for at in marks], TERMS)
    query = LexicalQuery(terms=terms, scopes=scopes, now=now, kinds=KINDS, limit=POOL)
    found = shelf.matching(query, body_chars=BODY)
    if visible is not None:
        found = [item for item in found if visible(item)]
    probes = [fit.Probe(unit) for unit in units]
    read = [Read(item, probes) for item in found[:READ]]
    weigh(units, read)
    named = [
        one for one in read if one.worth >= ENOUGH and any(one.found[at] >= FOUND for at in marks)
    ]
    recalled = Recalled(terms, units)
    in_order(recalled, named, now)
    return recalled.hits[:limit]


def is_mark(unit: Unit) -> bool:
    """Whether a unit tells one failure from another: a code, an identifier or a path.

    Numbers alone are lines, sizes and times.
    """
    letters = unit.key.replace(" ", "")
    if unit.run or unit.weak or letters.isdigit() or letters in COMMON:
        return False
    if unit.compound:
        return fit.telling(unit) or not letters.isalpha()
    code = unit.whole.isupper() and len(letters) >= CODE
    return code or not letters.isalpha()


def _class_names(text: str) -> str:
    """Names of classes that stand behind the names of their modules, once more alone."""
    found = [word.strip(":;,()'\"").rpartition(".") for word in text.split()]
    names = [name for _, dot, name in found if dot and name[:1].isupper() and name.isalnum()]
    return "".join(f"\n{name}" for name in names[:MODULES])


def _is_common(unit: Unit) -> bool:
    return unit.key.replace(" ", "") in COMMON
