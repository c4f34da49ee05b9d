"""Recall: from a text to the few items that answer it, or to none (light).

The recipe, top to bottom: read the query · match inside scopes, status and time · look each
candidate up in its own text · mend words that nothing has · judge · score · fold
near-duplicates · cut at the limit.
"""

from __future__ import annotations

from onrecord.domain.query import LexicalQuery
from onrecord.retrieval import fit, rank
from onrecord.retrieval.found import BODY, READ, Read, Recalled, names_month
from onrecord.retrieval.stopwords import LATEST, WEAK
from onrecord.retrieval.terms import read_units, terms_of
from onrecord.retrieval.words import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.shelf import Shelf
    from onrecord.retrieval.dense import Meant
    from onrecord.retrieval.terms import Unit

#: Terms of one search, and of a search with a whole prompt; its cost grows with rows matched.
#: Of 24, 26, 28, 32 and 40 terms, a prompt of typed/dev needs 32 to reach the other spellings of
#: its words (R@5 .857, .857, .871, .886, .886).
TERMS = 12
PROMPT_TERMS = 32
#: Candidates of a prompt that are read, which pays for its terms: of 60, 45, 40 and 30, all but
#: the last find the same on typed/dev.
PROMPT_READ = 45
#: Candidates asked of the store.
POOL = 200
#: A text with so many units is a prompt: it is judged by what speaks for an item, not by the
#: share of it that an item answers.
LONG = 14
#: The share of a query that the best hit must answer: FLOOR of a long one, more of a short one,
#: CEILING at most. Of two words one is enough where a single item has it.
FLOOR = 0.21
SHORTNESS = 0.50
CEILING = 0.55
#: A query names a title by so many of its words, and such a part of what they weigh.
NAMES = 2
NAMED_PART = 0.4
#: What must speak for an item when a prompt is searched with.
ENOUGH = 4.0
#: What must speak for the others once that much speaks for one, and more by that part of what
#: speaks for the best.
COMPANION = 1.75
BESIDE = 0.06
#: Where so few items are in sight, one particular word that few of them have is enough for a
#: question, if it is so much of it.
SMALL = 40
RARE = 3
FLOOR_OF_FEW = 0.15
#: A text that names an author that the query asks for, beside what that author wrote.
NAMED = 0.5
#: What having all that stands in quotation marks adds to a score.
QUOTED = 0.5
#: A hit this far below the best one is noise.
TAIL = 0.15
#: For an unasked delivery: what must speak for an item, and more where much matches.
UNASKED = 4.4
CROWD = 0.8
UNASKED_TERMS = 5
UNASKED_POOL = 16
UNASKED_RANKED = 120
UNASKED_READ = 10


def recall(
    shelf: Shelf,
    text: str,
    scopes: list[str],
    now: int,
    limit: int,
    kinds: list[str] | None = None,
    visible: Callable[[Candidate], bool] | None = None,
    meant: Meant | None = None,
) -> Recalled:
    """The items of the scopes that answer a text: at most `limit`, and none where none does.

    What is not `visible` to the caller is left out first, so that it displaces nothing. With
    `meant`, what is near the text's meaning is weighed beside what has its words.

    Every character of the text is plain text. Only active, valid, unexpired items are found.
    The hits carry a score, its named parts and the reasons in words.
    """
    # not on a hook's path
    from onrecord.retrieval import beside, explain, mend, phrases, several  # noqa: PLC0415

    units = read_units(text)
    prompt = len(units) >= LONG
    weaken_forms(units, prompt=prompt)
    recalled = Recalled(terms_of(units, PROMPT_TERMS if prompt else TERMS), units)
    exact = phrases.quoted(text)
    recalled.terms += [term for term in phrases.terms(exact) if term not in recalled.terms]
    if limit <= 0 or not recalled.terms or not scopes:
        return recalled
    query = LexicalQuery(
        terms=recalled.terms, scopes=scopes, now=now, kinds=kinds, limit=max(POOL, 2 * limit)
    )
    found = shelf.matching(query, body_chars=BODY)
    probes = [fit.Probe(unit) for unit in units]
    dated = not prompt and names_month(units)
    read = [
        Read(item, probes, by_name=not prompt, by_day=dated)
        for item in found[: max(PROMPT_READ if prompt else READ, 2 * limit)]
    ]
    if visible is not None:
        read = [one for one in read if visible(one.item)]
    next_to: list[tuple[Read, Read, int]] = []
    if not prompt:
        read += mend.mend(shelf, recalled, read, query, visible)
        near = beside.turns(meant.near, read, found, probes, visible, dated) if meant else []
        talks = beside.read_beside(shelf, [*read, *near], probes, query, visible, by_day=dated)
        read += beside.in_talks(near, talks)
        candidates = {one.item.id for one in read}
        read += beside.brought_up(talks, candidates, kinds)
        several.look_up_kinds(units, read)
        prefer_author(units, read)
        next_to = beside.light_up(talks, candidates)
    weigh(units, read)
    if exact:
        phrases.look_up(exact, read)
    chosen = judge_prompt(read) if prompt else judge(read, units)
    if chosen and not prompt and several.parted(read, units, text):
        chosen = []
    if not chosen and not prompt and read and _small(shelf, scopes, now):
        chosen = judge_few(read, units)
    if meant is not None:
        from onrecord.retrieval import fusion  # noqa: PLC0415 - nothing of it without a model

        chosen = fusion.fuse(recalled, text, read, chosen, meant, probes, visible, next_to)
    in_order(recalled, chosen, now)
    del recalled.hits[limit:]
    recalled.abstained = not recalled.hits
    mend.keep_told(recalled, chosen)
    explain.explain(recalled, chosen)
    return recalled


def relevant_to_prompt(
    shelf: Shelf,
    prompt: str,
    scopes: list[str],
    now: int,
    limit: int = 3,
    *,
    visible: Callable[[Candidate], bool] | None = None,
) -> list[Candidate]:
    """Items that a prompt is about, best first, for delivery without being asked: mostly none.

    Far stricter than `recall`: a chance overlap must not interrupt anybody.
    """
    units = read_units(prompt)
    terms = terms_of(units, UNASKED_TERMS)
    if limit <= 0 or not terms or not scopes:
        return []
    query = LexicalQuery(
        terms=terms, scopes=scopes, now=now, limit=UNASKED_POOL, most=UNASKED_RANKED
    )
    found = shelf.matching(query, body_chars=BODY)
    if visible is not None:
        found = [item for item in found if visible(item)]
    probes = [fit.Probe(unit) for unit in units]
    read = [Read(item, probes) for item in found[:UNASKED_READ]]
    weigh(units, read)
    needed = UNASKED + CROWD * min(1.0, len(found) / UNASKED_POOL)
    recalled = Recalled(terms, units)
    in_order(recalled, [one for one in read if one.worth >= needed], now)
    return recalled.hits[:limit]


def weaken_forms(units: Sequence[Unit], *, prompt: bool) -> None:
    """Other forms of what says little say as little.

    In a question those are plurals (versions, files); in a prompt, which says much, what it also
    says in a form that says little (naming, beside names).
    """
    idle = {fit.stem(unit.key) for unit in units if prompt and unit.weak}
    for unit in units:
        if unit.run or unit.compound:
            continue
        if fit.stem(unit.key) in idle or (
            not prompt and unit.key[-1:] == "s" and unit.key[:-1] in WEAK
        ):
            unit.weak = True


def prefer_author(units: Sequence[Unit], read: Sequence[Read]) -> None:
    """Where a query names a person who wrote some of it: what they said, before what names them.

    Agents are left out: their names are those of programs that are talked about, too.
    """
    people = {fold(one.item.user) for one in read if one.item.user and not one.item.agent}
    for at, unit in enumerate(units):
        if unit.key not in people:
            continue
        for one in read:
            one.titled[at] = 0.0
            if fold(one.item.user) == unit.key:
                one.named = True
            else:
                one.found[at] = min(one.found[at], NAMED)


def weigh(units: Sequence[Unit], read: Sequence[Read]) -> None:
    """Set what each candidate answers, and what speaks for it."""
    weighed = fit.weights(units, [one.found for one in read])
    for one in read:
        one.share = fit.share(weighed, one.found)
        one.titled_share = fit.share(weighed, one.titled)
        if one.beside:
            lit = [max(pair) for pair in zip(one.found, one.beside, strict=True)]
            one.context = fit.share(weighed, lit) - one.share
        one.worth = fit.evidence(units, weighed, one.found, one.titled, one.text)


def judge(read: Sequence[Read], units: Sequence[Unit]) -> list[Read]:
    """Those that answer enough of a query, and not much less than the best one does.

    A query that names much of a title, and two words of it at least, is about that item, whatever
    else it says.
    """
    top = max((one.share + one.context for one in read), default=0.0)
    length = sum(fit.WEAK_WEIGHT if unit.weak else 1.0 for unit in units)
    if any(one.quoted for one in read):
        return [one for one in read if one.quoted or one.share >= TAIL * top]
    vague = all(unit.weak for unit in units)
    needed = FLOOR if vague else min(CEILING, FLOOR + SHORTNESS / length)
    if top < needed and not any(
        found == 1.0 and fit.telling(unit)
        for one in read
        for unit, found in zip(units, one.found, strict=True)
    ):
        asked = fit.Text(" ".join(unit.whole for unit in units))
        return [one for one in read if names_title(one, asked)]
    return [one for one in read if one.share + one.context >= max(TAIL * top, 1e-9)]


def names_title(one: Read, asked: fit.Text) -> bool:
    """Whether a query names much of what the title of a candidate says, two words at least."""
    if not any(one.titled):
        return False
    title = read_units(one.item.title)
    had = [fit.presence(fit.Probe(unit), asked) >= fit.INSIDE for unit in title]
    weight = [fit.WEAK_WEIGHT if unit.weak else 1.0 for unit in title]
    named = sum(w for w, is_in in zip(weight, had, strict=True) if is_in)
    return sum(had) >= NAMES and named >= NAMED_PART * sum(weight)


def judge_few(read: Sequence[Read], units: Sequence[Unit]) -> list[Read]:
    """Those that have a particular word of a query, where there is little that could have it."""
    particular = [
        at
        for at, unit in enumerate(units)
        if fit.particular(unit) and sum(1 for one in read if one.found[at]) <= RARE
    ]
    return [
        one
        for one in read
        if one.share >= FLOOR_OF_FEW and any(one.found[at] >= fit.NEAR for at in particular)
    ]


def _small(shelf: Shelf, scopes: list[str], now: int) -> bool:
    return len(shelf.standing(scopes, now=now, body_chars=1, limit=SMALL + 1)) <= SMALL


def judge_prompt(read: Sequence[Read]) -> list[Read]:
    """Those for which enough speaks; a prompt talks of more than any item can answer.

    Once one of them is what it is about, less is enough for the others.
    """
    best = max((one.worth for one in read), default=0.0)
    if best < ENOUGH:
        return []
    needed = COMPANION + BESIDE * best
    chosen = [one for one in read if one.worth >= needed]
    for one in chosen:
        one.share = one.worth / (one.worth + ENOUGH)
    return chosen


def asks_latest(units: Sequence[Unit]) -> bool:
    """Whether the query asks for what is newest."""
    return any(unit.key in LATEST for unit in units)


def in_order(recalled: Recalled, chosen: Sequence[Read], now: int) -> None:
    """Score what was chosen, fold near-duplicates, set the hits, best first."""
    best = max((one.item.lexical for one in chosen), default=0.0)
    latest = asks_latest(recalled.units)
    for one in chosen:
        rank.score(
            one.item,
            fit=one.share,
            title=one.titled_share,
            best=best,
            now=now,
            latest=latest,
        )
    for one in chosen:
        if one.quoted:
            one.item.parts["phrase"] = QUOTED * one.quoted
            one.item.score += QUOTED * one.quoted
    if any(one.talk for one in chosen):
        rank.put_in_context([(one.item, one.context, one.talk, one.named) for one in chosen])
    if recalled.near:
        from onrecord.retrieval import fusion  # noqa: PLC0415 - nothing of it without a model

        fusion.put_near([one.item for one in chosen], recalled.near)
    ordered = rank.in_order([one.item for one in chosen])
    recalled.hits, recalled.folded = rank.diversify(ordered)
    recalled.abstained = not recalled.hits
