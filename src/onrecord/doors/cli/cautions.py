"""What the flags of a memory say to a person: the one table of flag -> words."""

from __future__ import annotations

from typing import NamedTuple

from onrecord.domain import ulid

#: How many characters of an id are shown.
_SHORT = 6


class Asked(NamedTuple):
    """What an agent asked for about a memory that counts."""

    #: what stands after the agent's name
    says: str
    #: what a person is asked about it
    question: str
    #: what became of it where the person says yes
    done: str


#: Action that an agent can only ask for -> how that is told.
ASKED = {
    "forget": Asked("asks to have it forgotten", "Forget it?", "forgotten"),
    "dispute": Asked("says that it is wrong", "Mark it as disputed?", "disputed"),
    "stale": Asked("says that it is out of date", "Mark it as stale?", "marked stale"),
}

#: flag, or its part before the colon or the dot -> what it says
WORDS = {
    "tombstone": "it resembles something that was turned down before",
    "held": "a person looks at it first",
    "source_forgotten": "what it was derived from was forgotten",
    "instructs": "it tries to instruct a model",
    "markup": "it holds markup that acts where it is shown",
    "hidden": "it holds hidden characters, shown as marks",
    "similar": "it resembles another memory",
    "sightings": "sessions of their own said the same",
    "sensitive": "it is about something sensitive: money, health, beliefs or other people",
    "dates.unclear": "it names a day by words, and it cannot be told which day that is",
    "dates.title_full": "a relative date in the title could not be written out: it is too long",
}

#: The same to the person who decides, where the one who wrote it may not know as much.
IN_REVIEW = {"held": "it resembles something that was turned down in another scope"}

#: What the channel of a project's own files is called.
_FILES = "file"


def words(flag: str, *, review: bool = False) -> str:
    """A flag in words; `review` is for the person who decides."""
    if flag in WORDS:
        return WORDS[flag]
    part, _, rest = flag.replace(".", ":", 1).partition(":")
    if part in ASKED:
        return f"{_asking(rest)} {ASKED[part].says}"
    told = IN_REVIEW.get(part) if review else None
    told = told or WORDS.get(part)
    if told is None:
        return flag.replace("_", " ")
    if part == "sightings":
        return f"{rest} {told}"
    rest = rest[-_SHORT:] if ulid.is_ulid(rest) else rest.replace("_", " ")
    return f"{told} ({rest})"


def question(flag: str) -> str:
    """What a person is asked about what an agent asked for."""
    action, _, agent = flag.partition(":")
    asked = ASKED[action]
    return f"{_asking(agent)} {asked.says}. {asked.question}"


def _asking(name: str) -> str:
    return "the project's own file" if name == _FILES else name or "an agent"
