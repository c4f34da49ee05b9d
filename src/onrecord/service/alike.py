"""What stands already and is the same in other words, or says otherwise of the same thing."""

from __future__ import annotations

from onrecord.domain import scope as scopes
from onrecord.domain.candidate import Candidate
from onrecord.domain.item import Content, Item
from onrecord.domain.query import LexicalQuery
from onrecord.policy import contrast
from onrecord.retrieval import spare, terms
from onrecord.service.caller import noted_here
from onrecord.service.draft import Draft
from onrecord.service.work import Work

#: Kinds whose items are single claims that can be set against each other.
CLAIMS = ("note", "fact", "decision", "preference", "lesson")

#: Words of a statement that are looked for, and items that are looked at.
_TERMS = 10
_LOOKED_AT = 24
#: Items that are asked for, since those of its own scope are looked at a second time.
_ASKED = 40
#: Documents that are ranked for one statement: of more, those with its rarest words.
_RANKED = 2_000
#: The same for each of an import's many lines: terms, items, documents.
_OF_MANY = (10, 16, 500)


def said_otherwise(work: Work, draft: Draft) -> Item | None:
    """The active item that makes the same statement in other words, where this one would stand.

    An import keeps its texts as they are, and a key is an address of its own.
    """
    command = draft.command
    if command.key or command.replaces or command.distinct or command.batch:
        return None
    unkeyed = [one for one in _around(work, draft) if not one.key]
    near = unkeyed[:_LOOKED_AT]
    # what broader scopes have of its words takes no place away from its own
    own = [one for one in unkeyed if one.scope == draft.scope][:_LOOKED_AT]
    for candidate in [*near, *(one for one in own if one not in near)]:
        if _verdict(draft, candidate) == "same":
            item = _here(work, candidate)
            person, here = work.principal.is_person, candidate.scope == draft.scope
            # a person's word for one place does not settle what is open for a broader one
            if item is not None and (here or not person or item.verification == "verified"):
                return item
    return None


def contradicted(work: Work, draft: Draft) -> list[Item]:
    """Active items of the same scope that a statement clashes with, best match first.

    In a narrower scope another value is an exception and no contradiction; so is one that
    holds for another time. Two keys are two things, and what has its own key goes by that; what
    it is to replace, or says it already without a key, is none either.
    """
    return _found(work, draft, "conflict")


def resembling(work: Work, draft: Draft) -> list[Item]:
    """Active items of the same scope that have its very words, in much the same sentence.

    None where it was said what it is to that one: `replaces`, or that it is another thing.
    """
    if draft.command.replaces or draft.command.distinct or draft.command.edits[0]:
        return []
    return _found(work, draft, "similar")


def _found(work: Work, draft: Draft, verdict: str) -> list[Item]:
    found: list[Item] = []
    apart = {one.id for one in (draft.keyless, draft.replaces) if one is not None}
    apart.add(draft.command.replaces)
    own = [
        one
        for one in _around(work, draft)
        if one.scope == draft.scope and one.id not in apart and not (one.key and draft.command.key)
    ]
    for candidate in own[:_LOOKED_AT]:
        if _apart(candidate, draft.content):
            continue
        if _verdict(draft, candidate) == verdict:
            item = _here(work, candidate)
            if item is not None:
                found.append(item)
    return found


def _here(work: Work, candidate: Candidate) -> Item | None:
    """The item, unless an agent noted it elsewhere."""
    item = work.tx.items.get(candidate.id)
    return item if item is not None and noted_here(item, work.caller.place) else None


def _around(work: Work, draft: Draft) -> list[Candidate]:
    """Active claims that share words with a draft that is one itself, best match first.

    They are looked for once in all the scopes that it may stand in already, and where these
    have more that is like it than is asked for, once more in its own.
    """
    command, text = draft.command, _text_of(draft.content)
    if command.kind not in CLAIMS or len(text) > contrast.MAX_CHARS:
        return []
    looked_for, found, _ = draft.around
    if looked_for == text:
        return found
    words, asked, ranked = _OF_MANY if command.batch else (_TERMS, _ASKED, _RANKED)
    reach = list(scopes.reach_of(draft.scope, work.caller.place))
    query = LexicalQuery(
        terms=spare.without_spare(terms.terms_of(terms.read_units(text), words)),
        scopes=reach,
        now=work.now,
        kinds=list(CLAIMS),
        limit=asked,
        most=ranked,
    )
    near = work.tx.shelf.matching(query, body_chars=contrast.MAX_CHARS) if query.terms else []
    if len(near) >= asked and len(reach) > 1 and _says_most(near[-1], query.terms):
        query.scopes, known = [draft.scope], {one.id for one in near}
        own = work.tx.shelf.matching(query, body_chars=contrast.MAX_CHARS)
        near += [one for one in own if one.id not in known]
    found = [one for one in near if one.body_chars + len(one.title) <= contrast.MAX_CHARS]
    draft.around = (text, found, {})
    return found


def _says_most(candidate: Candidate, words: list[str]) -> bool:
    """Whether something has half of the words: below it there may be more like it."""
    text = _text(candidate).casefold()
    return 2 * sum(word.rstrip("*").casefold() in text for word in words) >= len(words)


def _verdict(draft: Draft, candidate: Candidate) -> str:
    """What a draft is to one of those around it; each is compared once."""
    known = draft.around[2]
    if candidate.id not in known:
        known[candidate.id] = contrast.compare(_text(candidate), _text_of(draft.content))
    return known[candidate.id]


def _apart(candidate: Candidate, content: Content) -> bool:
    """Whether two statements hold for times that do not meet."""
    first = (candidate.valid_from, candidate.valid_to)
    second = (content.valid_from, content.valid_to)
    return any(
        end is not None and start is not None and end <= start
        for end, start in ((first[1], second[0]), (second[1], first[0]))
    )


def _text(candidate: Candidate) -> str:
    return f"{candidate.title}\n{candidate.body}".strip()


def _text_of(content: Content) -> str:
    return f"{content.title}\n{content.body}".strip()
