"""Finds text that tries to instruct the model that will read it.

High precision before completeness: a plain imperative ("never log request bodies") is what a
memory is for. What is caught is held for a person; what is missed still arrives as fenced,
attributed, unverified data.
"""

from __future__ import annotations

from onrecord.policy.fold import sentences, skeleton
from onrecord.policy.instruction_rules import RULES
from onrecord.policy.instruction_words import MENTIONS, QUOTED, URGED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.policy.instruction_words import Rule

__all__ = ["find_instructions"]


def find_instructions(text: str) -> list[str]:
    """The flags a text raises (`instructs.<what>`), each once, in the order of the rules."""
    read = [_spoken(skeleton(sentence)) for sentence in sentences(text)]
    whole = "\n".join(read)
    near = [rule for rule in RULES if any(anchor in whole for anchor in rule.anchors)]
    if not near:
        return []
    pairs = [f"{one} {other}" for one, other in zip(read, read[1:], strict=False)]  # noqa: RUF007 - three words more
    found: list[str] = []
    for rule in near:
        flag = f"instructs.{rule.flag}"
        if flag not in found and any(_fits(rule, passage) for passage in (*read, *pairs)):
            found.append(flag)
    return found


def _spoken(sentence: str) -> str:
    """A sentence with its double negations resolved, and without what it merely quotes."""
    sentence = _unspelled(sentence.split())
    if MENTIONS.search(sentence):
        sentence = QUOTED.replace(sentence, lambda _: " ")
    return URGED.replace(sentence, lambda _: "always")


def _unspelled(tokens: list[str]) -> str:
    """The words with a run of single letters read as one word: i g n o r e."""
    kept: list[str] = []
    run: list[str] = []
    for token in [*tokens, ""]:
        if len(token) == 1 and token.isalpha():
            run.append(token)
            continue
        kept += ["".join(run)] if len(run) > _SPELLED else run
        run = []
        kept.append(token)
    return " ".join(kept).strip()


#: From this many single letters in a row on, they spell a word.
_SPELLED = 3


def _fits(rule: Rule, passage: str) -> bool:
    if not all(pattern.search(passage) for pattern in rule.every):
        return False
    return not any(pattern.search(passage) for pattern in rule.unless)
