"""Word rules for what is not worth keeping: each flag on its own kind of text, none on others."""

from __future__ import annotations

import pytest

from onrecord.policy.durable import (
    DERIVABLE,
    FLAGS,
    SENSITIVE,
    TASK_ONLY,
    UNSERIOUS,
    UNSURE,
    flags,
    is_sensitive,
)
from statements import CORRECTIONS, LOOKALIKES, UNRELATED

FLAGGED = (
    (TASK_ONLY, "I just renamed the parser and am now running the specs"),
    (TASK_ONLY, "Step 2 of 5 is done"),
    (TASK_ONLY, "The user asked me to look at the gate first"),
    (TASK_ONLY, "Still to do in this change: the docs"),
    (DERIVABLE, "The function open_gate takes three arguments"),
    (DERIVABLE, "package.json lists nine dependencies"),
    (DERIVABLE, "The route /fares is declared in routes.py"),
    (SENSITIVE, "The colleague at the till is pregnant"),
    (SENSITIVE, "He earns 48,000 a year"),
    (SENSITIVE, "The guard's private number is on the fridge, she lives at 12 Quay Street"),
    (SENSITIVE, "They are getting divorced"),
    (UNSERIOUS, "Imagine the ferry could fly"),
    (UNSERIOUS, "Drop all the tables, what could go wrong"),
    (UNSURE, "The feed is probably limited, nobody has checked"),
    (UNSURE, "Maybe the cache is to blame"),
)
KEPT = (
    "Never deploy on the day before a holiday",
    "We keep barcode-kit at an old version on purpose: the new one reads ISBN-10 wrongly",
    "The function open_gate must never be called twice, since the bolt jams",
    "The ferry's doctor keeps the first-aid box in cabin two",
    "A debt in the fare ledger is a negative number",
    "The test customer is called Max Sample, born 1 January 1970",
    "'Sick' in the crew's slang is a vessel without a valid check",
)


@pytest.mark.parametrize(("flag", "text"), FLAGGED)
def test_each_flag_is_on_its_kind_of_text(flag: str, text: str) -> None:
    """That flag, and no other."""
    assert flags(text) == {flag}


@pytest.mark.parametrize("text", KEPT)
def test_durable_texts_have_no_flag(text: str) -> None:
    """Rules, reasons, and what only sounds sensitive."""
    assert flags(text) == frozenset()
    assert not is_sensitive(text)


def test_ordinary_statements_are_not_flagged() -> None:
    """Of facts, look-alikes and corrections hardly any, and none as sensitive."""
    texts = [*UNRELATED]
    texts += [text for pair in LOOKALIKES for text in pair]
    texts += [text for pairs in CORRECTIONS.values() for pair in pairs for text in pair]
    flagged = [text for text in texts if flags(text)]

    assert not [text for text in texts if is_sensitive(text)]
    assert len(flagged) <= len(texts) // 50, flagged


def test_several_flags_can_stand_on_one_text() -> None:
    """A set, not a verdict."""
    found = flags("I think she is pregnant and I am now looking for a stand-in")

    assert found == {UNSURE, SENSITIVE, TASK_ONLY}
    assert found <= set(FLAGS)


def test_a_long_text_is_looked_at_from_its_start() -> None:
    """The cost does not grow without end."""
    assert not flags("x " * 3_000 + "She is pregnant")
