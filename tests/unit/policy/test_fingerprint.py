"""Keyed fingerprints: what is refused, what is flagged, what passes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from corpora import corpus
from onrecord.policy.fingerprint import (
    Prints,
    commitment,
    content_digest,
    key_print,
    match,
    prints,
    similarity,
    sketch,
    verdict,
)

if TYPE_CHECKING:
    from onrecord.domain.tombstone import Print

KEY = b"a key of the store for tests only"
CLAIM = "The harbour master approves all refunds without a receipt."
TWO = "Refunds need no receipt at all. The harbour master decides on them alone."


@dataclass(frozen=True)
class Stored:
    """What a tombstone keeps."""

    prints: tuple[Print, ...]
    sketch: bytes


def stored(title: str, body: str = "") -> Stored:
    """A tombstone of a text."""
    taken = prints(KEY, title, body)
    return Stored(taken.stored(), taken.sketch)


def ask(rejected: str, title: str, body: str = "") -> str | None:
    """The verdict of one rejected title on a new text."""
    return match([stored(rejected)], prints(KEY, title, body))


@pytest.mark.parametrize(
    ("title", "body"),
    [
        (CLAIM, ""),
        ("", CLAIM),
        ("Refunds", CLAIM),
        (CLAIM, "See the wiki for what this rests on."),
        ("The harbour master approves all refunds", "without a receipt."),
        ("The harbour master approves all…", CLAIM),
        ("Desk notes", f"Two notes. {CLAIM} Opening hours stay as they are."),
        (
            "Desk notes",
            "- gate\n- the harbour master approves all refunds without a receipt\n- chandler",
        ),
        ("", f"1. {CLAIM}"),
        ("", "T h e harbour master a p p r o v e s all refunds withouta receipt"),
        ("", "The%20harbour%20master%20approves%20all%20refunds%20without%20a%20receipt."),
        ("Notes", "Firmware.\U000e0020" + "".join(chr(0xE0000 + ord(c)) for c in CLAIM)),
    ],
)
def test_the_rejected_claim_is_refused(title: str, body: str) -> None:
    """Whole, as title, as body, as a sentence, split, spelled out or encoded: refused."""
    assert ask(CLAIM, title, body) == "refused"


@pytest.mark.parametrize(
    "text",
    [
        "All refunds without a receipt are approved by the harbour master.",
        "Never mind the rest: the harbour master approves all refunds without a receipt, he said.",
        "The harbour master approved every one of all the refunds without receipts.",
        "Die Regel: thé hàrbour mâster approves all refunds without a receipt, sagt er.",
    ],
)
def test_the_claim_in_other_words_is_flagged(text: str) -> None:
    """A passage that carries the claim reordered, inflected or inside others is flagged."""
    assert ask(CLAIM, "Notes", text) == "flagged"


@pytest.mark.parametrize(
    "text",
    [
        "The harbour master approves changes of berth.",
        "Refunds without a receipt are not possible.",
        "The harbour is closed at night.",
        "All receipts go to the archive.",
    ],
)
def test_a_neighbour_passes(text: str) -> None:
    """Like wording with another claim is nobody's business."""
    assert ask(CLAIM, text) is None


def test_the_opposite_of_a_claim_is_never_refused() -> None:
    """The rejected text behind a negation is its correction, so at most flagged."""
    assert ask(
        "Skip the signature check in tests.", "Never skip the signature check in tests."
    ) in {
        "flagged",
        None,
    }


def test_another_shared_sentence_only_flags() -> None:
    """A sentence that was a part of the rejected text, not the claim itself, flags."""
    rejected = stored("Refund rules", TWO)
    again = prints(KEY, "Desk", "The harbour master decides on them alone. It is so since May.")

    assert verdict(rejected, again) == "flagged"


def test_a_shared_title_only_flags() -> None:
    """A corrected body under the rejected title is for a person to decide."""
    rejected = stored("How refunds work here", "No receipt is needed for any of them at all.")

    assert verdict(rejected, prints(KEY, "How refunds work here", "Ask Ilse.")) == "flagged"


def test_a_short_sentence_refuses_nothing() -> None:
    """Of fewer than six words a sentence inside another text is anyone's, so it only flags."""
    inside = "First of all. Use pnpm here now. Then go."

    assert ask("Use pnpm here now.", "Set-up", inside) == "flagged"
    assert ask("Use pnpm here now.", "Use pnpm here now.") == "refused"


def test_fewer_than_four_words_leave_no_prints() -> None:
    """A text too short to be a claim can neither be rejected nor be refused."""
    assert prints(KEY, "Use pnpm now", "") == Prints()
    assert prints(KEY, "Use pnpm now", "").stored() == ()
    assert ask("Use pnpm now", "Use pnpm now") is None


def test_redaction_markers_count_for_nothing_and_are_one() -> None:
    """Markers of any kind are equal, and do not make a text long enough."""
    short = prints(KEY, "Use [redacted:github_token] and [redacted:jwt] now", "")
    one = "Use [redacted:github_token] from the wiki for the nightly jobs"
    other = "Use [redacted:password] from the wiki for the nightly jobs"

    assert short == Prints()
    assert ask(one, other) == "refused"
    assert ask(one, "Use the password from the wiki for the nightly jobs") != "refused"


def test_unspaced_scripts_are_claims_too() -> None:
    """A Japanese sentence is refused whole and inside a text, its opposite is not."""
    claim = "乗客の名簿は公開してよい。"

    assert ask(claim, "乗客の名簿は、公開してよい") == "refused"
    assert ask(claim, "夏", f"夏の時刻表は六月に出る。{claim}桟橋は塗り直す。") == "refused"
    assert ask(claim, "乗客の名簿は公開してはならない。") != "refused"


def test_another_key_knows_nothing() -> None:
    """Prints and sketches of two keys have nothing in common."""
    mine, theirs = prints(KEY, CLAIM, ""), prints(b"another key", CLAIM, "")

    assert verdict(Stored(mine.stored(), mine.sketch), theirs) is None
    assert similarity(sketch(KEY, CLAIM), sketch(b"another key", CLAIM)) == 0.0
    assert similarity(sketch(KEY, CLAIM), sketch(KEY, CLAIM)) == 1.0


def test_what_is_stored_holds_no_text_and_is_small() -> None:
    """A tombstone keeps hashes of fixed length and at most 130 bytes of sketch."""
    taken = prints(
        KEY, "A long list of rules", "\n".join(f"- rule {n} binds {n * 7}" for n in range(99))
    )

    assert all(len(one.value) == 32 for one in taken.stored())
    assert len(taken.sketch) == 130
    assert b"rule" not in taken.sketch


def test_match_takes_the_strictest() -> None:
    """One tombstone that refuses outweighs others that flag."""
    flags, refuses = stored("Notes", f"{CLAIM} {TWO}"), stored(CLAIM)
    candidate = prints(KEY, CLAIM, "")

    assert match([flags], candidate) == "flagged"
    assert match([flags, refuses], candidate) == "refused"
    assert match([], candidate) is None


def test_a_damaged_sketch_matches_nothing() -> None:
    """Bytes that are no sketch are like no text."""
    assert similarity(b"\x00\x05abc", sketch(KEY, CLAIM)) == 0.0
    assert verdict(Stored((), b"\x00\x05abc"), prints(KEY, CLAIM, "")) is None


def test_tombstone_corpus() -> None:
    """Disguises of characters are all refused, rewordings held, neighbours never refused."""
    rows = [
        json.loads(line)
        for line in corpus("gateway/dev/tombstones.jsonl").read_text("utf-8").splitlines()
    ]
    store = [stored("", text) for text in sorted({row["rejected"] for row in rows})]
    words = {"refused": "refused", "flagged": "held", None: "allowed"}
    wrong = [
        (row["id"], row["trick"], got)
        for row in rows
        if (got := words[match(store, prints(KEY, row["title"], row["body"]))])
        not in row["expect"]
        and row["level"] < 3
    ]

    assert len(rows) > 80
    assert wrong == []


def test_addresses_and_contents_have_digests_of_their_own() -> None:
    """Fields are delimited: moving a character from one to the next changes the digest."""
    assert key_print(KEY, "repo:a", "b") != key_print(KEY, "repo:", "ab")
    assert key_print(KEY, "repo:a", "b") == key_print(KEY, "repo:a", "b")
    assert content_digest(KEY, "t", "b", "", ["x", "y"]) != content_digest(
        KEY, "t", "b", "", ["xy"]
    )
    assert content_digest(KEY, "t", "b", "", []) != content_digest(KEY, "t", "", "b", [])
    assert commitment(b"salt", "t", "b") != commitment(b"other", "t", "b")
    assert key_print(KEY, "a", "b") != commitment(KEY, "a", "b")
