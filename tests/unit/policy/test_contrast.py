"""What a new statement is to one that stands."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.contrast import MAX_CHARS, compare

STANDS = "The depot queue is RabbitMQ."


@pytest.mark.parametrize(
    ("standing", "new"),
    [
        ("Accents are ignored by the depot search.", "The depot search ignores accents."),
        (
            "Invoices are sent in the night of each month.",
            "In the night of each month invoices are sent.",
        ),
        ("The export of invoices starts at 02:10.", "The invoice export starts at 02:10."),
        ("Owners are Ada, Bo and Cy.", "Owners are Cy, Ada and Bo."),
        ("The limit is 1,500 rows.", "The limit is 1500 rows."),
        ("Cold starts take 0.5 seconds.", "Cold starts take 500 ms."),
        ("The lease ends on 2031-08-04.", "The lease ends on 4 August 2031."),
        ("Builds start at 6 pm.", "Builds start at 18:00."),
        ("Do not delete the seed.", "Don't delete the seed."),
    ],
)
def test_the_same_in_other_words(standing: str, new: str) -> None:
    """Voice, a moved phrase, a list's order and a unit change nothing."""
    assert compare(standing, new) == compare(new, standing) == "same"


@pytest.mark.parametrize(
    ("standing", "new"),
    [
        (STANDS, "The depot queue is now Kafka instead of RabbitMQ."),
        (STANDS, "The depot queue is NATS."),
        (STANDS, "The depot queue is not RabbitMQ."),
        (STANDS, "It is not true that the depot queue is RabbitMQ."),
        (STANDS, "The depot queue is no longer RabbitMQ."),
        (STANDS, "The depot queue was RabbitMQ until 12 March 2031."),
        ("All depots report to Ada.", "All depots except Bergen report to Ada."),
        ("Always squash the depot branches.", "Never squash the depot branches."),
        (
            "The timeout of the depot client is 30 seconds.",
            "The timeout of the depot client is 3 minutes.",
        ),
        ("Der Export ist erlaubt.", "Der Export ist verboten."),
        ("Le dépôt garde les photos dix jours.", "Le dépôt garde les photos vingt jours."),
    ],
)
def test_a_contradiction(standing: str, new: str) -> None:
    """Another value, the opposite, a retraction, an exception or an end."""
    assert compare(standing, new) == "conflict"


@pytest.mark.parametrize(
    ("standing", "new"),
    [
        (STANDS, "The garage queue is RabbitMQ."),
        (STANDS, "The depot queue is RabbitMQ, with three mirrored nodes."),
        (STANDS, "The depot queue is monitored."),
        ("depot calls garage over gRPC", "garage calls depot over gRPC"),
        ("depot calls garage", "depot is called by garage"),
        ("Copy the keys from depot to garage", "Copy the keys from garage to depot"),
        ("`depot -v` prints the version", "`depot -V` prints the version"),
        ("getDepot returns a copy", "getdepot returns a copy"),
        ("Release 4.10 fixed the crash", "Release 4.1.0 fixed the crash"),
        ("The first retry waits two seconds", "The second retry waits two seconds"),
        ("Ticket 4711 was closed by Ada", "Ticket 4712 was closed by Ada"),
        ("The depot image is signed", "The depot image is scanned"),
        ("Ada likes dark mode in the editor", "Ada likes dark mode in the terminal"),
        ("The job reads from the archive", "The job writes to the archive"),
        ("Die Last wird in Maßen verteilt", "Die Last wird in Massen verteilt"),
        ("El pescado llega a las seis", "El pescador llega a las seis"),
    ],
)
def test_neither(standing: str, new: str) -> None:
    """Another subject, another thing said of it, or more of the same."""
    assert compare(standing, new) == ""
    assert compare(new, standing) in ("", "conflict")


@given(st.text(max_size=120), st.text(max_size=120))
def test_any_two_texts_are_compared(one: str, other: str) -> None:
    """Nothing raises; sameness goes both ways."""
    assert compare(one, one) in ("", "same")
    assert (compare(one, other) == "same") == (compare(other, one) == "same")


def test_what_is_long_is_left_alone() -> None:
    """And hostile texts cost little."""
    assert compare("a " * MAX_CHARS, "a " * MAX_CHARS) == ""
    begun = time.perf_counter()
    compare("in a " * 75, "a in " * 75)
    assert time.perf_counter() - begun < 2


@pytest.mark.parametrize(
    ("standing", "new", "answer"),
    [
        ("Ticket # 5 waits for 10 minutes", "Ticket # 5 waits for 20 minutes", "conflict"),
        ("Trust the # seconds column", "Trust the # minutes column", ""),
    ],
)
def test_a_sign_in_a_text_is_no_number_of_it(standing: str, new: str, answer: str) -> None:
    """`#` before a number or a unit is a word as any other."""
    assert compare(standing, new) == answer


@pytest.mark.parametrize(
    ("standing", "new"),
    [
        ("The lamp burns 9999999999999998 seconds", "The lamp burns 9999999999999997 seconds"),
        ("The lamp burns 1234567890123 weeks", "The lamp burns 1234567890124 weeks"),
        ("The tide turns at 1830 pm", "The tide turns at 6 pm"),
    ],
)
def test_no_number_is_taken_for_another(standing: str, new: str) -> None:
    """However many digits it has, and whatever stands after it."""
    assert compare(standing, new) != "same"
