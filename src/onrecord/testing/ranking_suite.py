"""What recall makes of what a store matches: the same questions bring up the same items.

Engines stem and weigh words each in their own way. What a person sees must not depend on it:
the right item at its rank, and what answers a question at all.
"""

from __future__ import annotations

from collections.abc import Mapping

from onrecord.domain.item import Item
from onrecord.domain.ports import Store
from onrecord.domain.query import Document
from onrecord.retrieval.recall import recall
from onrecord.retrieval.terms import index_terms
from onrecord.testing.builders import REPO, Maker, keep, query

#: (scope, title, body, tags)
ITEMS = (
    (REPO, "parseInvoiceLine trims the unit column", "It lives in `billing/parse_line.py`.", ()),
    (REPO, "The ledger uses Postgres 16.4", "Upgraded from 15.9 on 2025-03-02.", ("db",)),
    (REPO, "ERR_LEDGER_LOCKED means that two writers met", "Retry with jitter, thrice.", ()),
    (REPO, "Run the nightly job with --dry-run first", "The flag MAX_BATCH_SIZE is 500.", ()),
    ("global", "The heat-pump is read every ten minutes", "By com.acme.HeatPumpReader.", ()),
    ("global", "Certificates of the kiosk rotate every 45 days", "A cron job does it.", ()),
    ("global", "Café Orangerie gets its invoices on paper", "Frau Schröder asked for it.", ()),
    ("global", "重大故障复盘会议每周四下午三点举行", "会议室在二楼。", ()),
    ("global", "배터리 예열은 출발 삼십 분 전에 시작한다", "겨울에만.", ()),
    ("global", "Migrations run before the deployment", "Never afterwards.", ("release",)),
    ("global", "Deployments stop on Friday at noon", "The pager is quiet then.", ("release",)),
    ("global", "Reviewers answer within a day", "Or say when they will.", ()),
    ("global", "The kiosk shows fares in cents", "Rounded half up, per line.", ()),
    ("global", "Parking at the depot is free", "Until the new gate is built.", ()),
)
#: question -> places in ITEMS of what must come up first, in that order
RANKED = {
    "parse_invoice_line": (0,),
    "parse_line.py": (0,),
    "postgres 16.4": (1,),
    "which postgres version does the ledger use": (1,),
    "2025-03-02": (1,),
    "ERR_LEDGER_LOCKED": (2,),
    "err ledger locked": (2,),
    "maxBatchSize": (3,),
    "--dry-run": (3,),
    "heatpump": (4,),
    "HeatPumpReader": (4,),
    "kiosk certificates": (5, 12),
    "kiosk certif": (5,),
    "cafe orangerie": (6,),
    "schroeder": (6,),
    "故障复盘会议": (7,),
    "배터리 예열": (8,),
    "is parking at the depot free": (13,),
    "certifcates of the kiosk": (5,),
    "fares in cents": (12,),
    '"run before the deployment"': (9,),
}
#: the same, where words come in another form than they were written in
INFLECTED = {
    "rotating certificate": (5,),
    "migrate": (9,),
    "review": (11,),
    "parked": (13,),
    "deploying on fridays": (10,),
}
NOTHING = (
    "cryptocurrency wallet seed",
    "parental leave policy",
    "EXC_BAD_ACCESS",
    "始発列車時刻表",
)


class RankingSuite:
    """Recall over a store's shelf; `stems` where its engine knows forms of words."""

    stems = True

    def test_questions_bring_up_the_right_items_in_their_order(self, store: Store) -> None:
        """Identifiers, versions, codes, accents, other scripts, slips, beginnings, phrases."""
        kept = _kept(store)

        assert _first(store, kept, RANKED) == RANKED

    def test_forms_of_words_are_found(self, store: Store) -> None:
        """By the engine's stems."""
        kept = _kept(store)

        if self.stems:
            assert _first(store, kept, INFLECTED) == INFLECTED

    def test_what_nothing_answers_is_answered_by_nothing(self, store: Store) -> None:
        """No engine's score makes an answer of a poor match."""
        _kept(store)

        assert [text for text in NOTHING if _ids(store, text)] == []

    def test_the_narrower_scope_is_all_that_is_searched(self, store: Store) -> None:
        """What stands elsewhere neither comes up nor mends a word."""
        kept = _kept(store)

        assert _ids(store, "kiosk certificates", [REPO]) == []
        assert _ids(store, "certifcates", [REPO]) == []
        assert _ids(store, "certifcates", ["global"]) == [kept[5].id]

    def test_an_old_scope_is_searched_under_a_newer_crowd(self, store: Store) -> None:
        """However few documents may be ranked, those of the scope are found, by common words."""
        make = Maker()
        old = [make.item("The gate is blue", scope=REPO) for _ in range(500)]
        crowd = [make.item("The gate is red") for _ in range(1_000)]
        with store.write() as tx:
            keep(tx, *old)
            keep(tx, *crowd)

        with store.read() as tx:
            for scope, kept in ((REPO, old), ("global", crowd)):
                asked = query("gate", scopes=[scope], now=make.clock.now(), limit=10)
                for asked.most in (100, 0):
                    found = tx.shelf.matching(asked, body_chars=9)
                    assert len(found) == asked.limit, (scope, asked.most)
                    assert {one.id for one in found} < {item.id for item in kept}

    def test_time_and_kind_are_part_of_the_search(self, store: Store) -> None:
        """What is over, not yet true, expired, or of another kind neither answers nor mends."""
        make = Maker()
        now = make.clock.now() + 10**9
        holds = make.item("The turnstile firmware is 4.2.1", kind="fact")
        away = (
            make.item("The turnstile firmware is 4.1.0", kind="fact", valid_to=now - 1),
            make.item("The turnstile firmware is 5.0.0", kind="fact", valid_from=now + 10**9),
            make.item("The turnstile firmware is beta", kind="fact", expires_at=now - 1),
        )
        other = make.item("Flash turnstile firmware at night", kind="lesson")
        with store.write() as tx:
            keep(tx, holds, *away, other)

        with store.read() as tx:
            for text in (
                "turnstile firmware",
                "turnstyle firmware",
                '"turnstile firmware"',
                "turnst",
            ):
                hits = recall(tx.shelf, text, ["global"], now, 9).hits
                assert {hit.id for hit in hits} == {holds.id, other.id}, text
                hits = recall(tx.shelf, text, ["global"], now, 9, kinds=["fact"]).hits
                assert [hit.id for hit in hits] == [holds.id], text


def _kept(store: Store) -> list[Item]:
    make = Maker()
    made: list[Item] = []
    with store.write() as tx:
        for scope, title, body, tags in ITEMS:
            item = make.item(title, body=body, tags=tags, scope=scope)
            made.append(item)
            tx.scopes.note(scope, item.created_at)
            tx.items.add(item)
            tx.index.put(
                Document(
                    item=item.id,
                    version=1,
                    scope=scope,
                    live=True,
                    kind=item.kind,
                    title=title,
                    body=body,
                    tags=" ".join(tags),
                    terms=index_terms(title, body, item.head.author.name),
                )
            )
    return made


def _ids(store: Store, text: str, scopes: list[str] | None = None) -> list[str]:
    with store.read() as tx:
        now = Maker().clock.now() + 10**12
        return [hit.id for hit in recall(tx.shelf, text, scopes or [REPO, "global"], now, 5).hits]


def _first(
    store: Store, kept: list[Item], wanted: Mapping[str, tuple[int, ...]]
) -> dict[str, tuple[int, ...]]:
    places = {item.id: at for at, item in enumerate(kept)}
    return {
        text: tuple(places[name] for name in _ids(store, text)[: len(order)])
        for text, order in wanted.items()
    }
