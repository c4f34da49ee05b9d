"""What a lexical query finds: any of its words and prefixes, and never more than text."""

from __future__ import annotations

from typing import Any

from onrecord.domain.ports import Store, Transaction
from onrecord.testing.builders import REPO, Maker, keep, query

#: Query syntax of one engine or another around words that no item holds.
HOSTILE = (
    '"',
    '""',
    "'",
    '"zzq',
    "*",
    "**",
    '"*',
    "(",
    ")",
    "()",
    "^",
    "^zzq",
    "-",
    "+zzq",
    "-zzq",
    ":",
    "zzq:",
    ":zzq",
    "body:zzq",
    "{body tags}:zzq",
    "-{body}:zzq",
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "NOT zzq",
    "zzq AND qqz",
    "zzq OR qqz",
    "NEAR(zzq qqz)",
    "NEAR(zzq qqz, 5)",
    "zzq NOT qqz",
    "zzq & qqz",
    "zzq | qqz",
    "!zzq",
    "zzq <-> qqz",
    "zzq:*",
    "zzq:A",
    "%",
    "_",
    "?",
    "[a-z]",
    ".*",
    "\\",
    "\\zzq",
    ";",
    "--",
    "/*",
    "'; DROP TABLE items; --",
    "\x01",
    "\x1b[31m",
    "zzq\x07qqz",
    "\u200b",
    "\ufeff",
    "\u202ezzq",
    "🎉",
    "",
    " ",
    "\n",
    "zzq" * 2_000,
)


class MatchingSuite:
    """Words and what they find."""

    def test_any_of_the_terms_finds_an_item(self, store: Store) -> None:
        """One word is enough; more words in common come first."""
        make = Maker()
        both = make.item("kestrel osprey")
        one = make.item("kestrel buzzard")
        other = make.item("merlin heron")
        filler = [make.item(f"ordinary words {n}") for n in range(6)]
        with store.write() as tx:
            keep(tx, one, both, other, *filler)

        with store.read() as tx:
            assert found(tx, make, "kestrel", "osprey") == [both.id, one.id]
            assert set(found(tx, make, "osprey", "merlin")) == {both.id, other.id}
            assert found(tx, make, "osprey", "absent") == [both.id]
            assert found(tx, make, "absent") == []
            assert found(tx, make) == []

    def test_the_best_match_comes_first(self, store: Store) -> None:
        """Every candidate tells how well it matched, larger is better, and an item comes once."""
        make = Maker()
        with store.write() as tx:
            for n in range(1, 7):
                words = " ".join(["kestrel", "osprey", "merlin", "heron", "egret", "stork"][:n])
                keep(tx, make.item(words, body="kestrel " * n))
            keep(tx, *(make.item(f"ordinary {n}") for n in range(20)))

        with store.read() as tx:
            terms = ("kestrel", "osprey", "merlin", "heron", "egret", "stork")
            candidates = tx.shelf.matching(query(*terms, now=make.clock.now()), body_chars=9)
            lexical = [candidate.lexical for candidate in candidates]
            assert len({candidate.id for candidate in candidates}) == len(candidates) == 6
            assert lexical == sorted(lexical, reverse=True)
            assert min(lexical) > 0

    def test_the_limit_is_an_upper_bound(self, store: Store) -> None:
        """The best ones are those that stay."""
        make = Maker()
        best = make.item("kestrel kestrel osprey")
        with store.write() as tx:
            keep(tx, *(make.item(f"kestrel and other words {n}") for n in range(9)), best)

        with store.read() as tx:
            assert found(tx, make, "kestrel", "osprey", limit=1) == [best.id]
            assert len(found(tx, make, "kestrel", limit=4)) == 4
            assert len(found(tx, make, "kestrel", limit=99)) == 10
            assert found(tx, make, "kestrel", limit=0) == []

    def test_case_and_accents_do_not_count(self, store: Store) -> None:
        """In either direction, in Latin, Greek and Cyrillic."""
        make = Maker()
        plain = make.item("cafe naive angstrom")
        marked = make.item("CAFÉ Naïve Ångström")
        greek, cyrillic = make.item("ΑΘΗΝΑ"), make.item("ПРИВЕТ")
        with store.write() as tx:
            keep(tx, plain, marked, greek, cyrillic)

        with store.read() as tx:
            for word in ("cafe", "Café", "CAFE\u0301", "naïve", "NAIVE", "ångström", "Angstrom"):
                assert set(found(tx, make, word)) == {plain.id, marked.id}
            assert found(tx, make, "αθηνα") == [greek.id]
            assert found(tx, make, "привет") == [cyrillic.id]

    def test_a_word_is_matched_whole(self, store: Store) -> None:
        """A part of a word does not find it, unless it is a prefix and marked as one."""
        make = Maker()
        item = make.item("xylograph")
        with store.write() as tx:
            keep(tx, item)

        with store.read() as tx:
            for part in ("xylo", "graph", "ylograp", "xylographxylo", "x"):
                assert found(tx, make, part) == []
            for prefix in ("x*", "xylo*", "XYLO*", "xylograph*"):
                assert found(tx, make, prefix) == [item.id]
            for off in ("graph*", "xylographs*x", "y*", "*xylo", "x*graph", "xyloz*"):
                assert found(tx, make, off) == []

    def test_a_prefix_of_any_length_finds_its_word(self, store: Store) -> None:
        """Typing a word out letter by letter finds it at every letter."""
        make = Maker()
        words = ("migration", "configuration", "running", "policies", "naïvely")
        items = [make.item(f"some {word}") for word in words]
        with store.write() as tx:
            keep(tx, *items)

        with store.read() as tx:
            lost = [
                word[:end]
                for word, item in zip(words, items, strict=True)
                for end in range(3, len(word) + 1)
                if item.id not in found(tx, make, f"{word[:end]}*")
            ]
            assert lost == []

    def test_numbers_and_other_scripts_are_words(self, store: Store) -> None:
        """Digits, mixed words and words without spaces around them are found."""
        make = Maker()
        item = make.item("port 8443 for v12 E0499 in snake_case at 東京")
        with store.write() as tx:
            keep(tx, item)

        with store.read() as tx:
            for word in ("8443", "v12", "e0499", "snake", "case", "東京", "844*", "東*"):
                assert found(tx, make, word) == [item.id]
            assert found(tx, make, "844") == []

    def test_a_term_of_several_words_needs_them_in_order(self, store: Store) -> None:
        """A term that holds punctuation or spaces is its words, one after another."""
        make = Maker()
        item = make.item("the snake_case rule")
        other = make.item("case of a snake")
        with store.write() as tx:
            keep(tx, item, other)

        with store.read() as tx:
            for term in ("snake_case", "snake case", "snake-case", "snake.case"):
                assert found(tx, make, term) == [item.id]

    def test_no_term_is_ever_syntax(self, store: Store) -> None:
        """Hostile terms raise nothing, find nothing, and do not disturb the terms beside them."""
        make = Maker()
        item = make.item("kestrel", body="osprey", tags=("merlin",))
        with store.write() as tx:
            keep(tx, item)

        with store.read() as tx:
            for term in HOSTILE:
                assert (term, found(tx, make, term)) == (term, [])
                assert (term, found(tx, make, term, "kestrel")) == (term, [item.id])
                assert (term, found(tx, make, "kestrel", term)) == (term, [item.id])
            assert found(tx, make, *HOSTILE) == []
            assert found(tx, make, *HOSTILE, "osprey") == [item.id]

    def test_operators_are_words_like_any_other(self, store: Store) -> None:
        """A text that holds them is found by them."""
        make = Maker()
        item = make.item("AND OR NEAR")
        with store.write() as tx:
            keep(tx, item)

        with store.read() as tx:
            for word in ("AND", "or", "Near"):
                assert found(tx, make, word) == [item.id]

    def test_the_stores_own_labels_are_no_words(self, store: Store) -> None:
        """Whatever an index marks scope and state with, no query can ask for it."""
        make = Maker()
        with store.write() as tx:
            keep(tx, make.item("kestrel"), make.item("osprey", scope=REPO))

        with store.read() as tx:
            labels = [f"{a}{n}{z}" for a in ("s", "") for n in range(4) for z in ("a", "h", "")]
            labels += ["s*", "s0*", "s1*", "global", "local", "active", "note", "place", "live"]
            assert found(tx, make, *labels, scopes=["global", REPO]) == []

    def test_many_terms_are_no_error(self, store: Store) -> None:
        """A whole prompt's worth of words finds what any of them finds."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            keep(tx, item)

        with store.read() as tx:
            assert found(tx, make, *(f"word{n}" for n in range(400)), "kestrel") == [item.id]


def found(tx: Transaction, make: Maker, *terms: str, **given: Any) -> list[str]:
    """Ids of what the terms find, best match first; takes the query's fields by name."""
    fields: dict[str, Any] = {"now": make.clock.now(), **given}
    asked = query(*terms, **fields)
    return [candidate.id for candidate in tx.shelf.matching(asked, body_chars=200)]
