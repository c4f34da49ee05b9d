"""Which reminders are due, and that each is given once."""

from __future__ import annotations

from onrecord.domain.ports import Store, Transaction
from onrecord.domain.provenance import Link
from onrecord.testing.builders import REPO, Maker, keep, keep_revised


def due(tx: Transaction, now: int, *scopes: str, limit: int = 20) -> list[tuple[str, list[str]]]:
    """Titles and paths of what is due."""
    found = tx.shelf.reminders(list(scopes or (REPO, "global")), now=now, limit=limit)
    return [(item.title, paths) for item, paths in found]


class RemindersSuite:
    """What a shelf says of reminders."""

    def test_due_reminders_come_oldest_first_with_their_paths(self, store: Store) -> None:
        """Of the scopes asked for alone; other kinds of items and of links are not told."""
        make = Maker()
        first = make.item("first", kind="reminder", scope=REPO)
        second = make.item("second", kind="reminder", scope="global")
        other = make.item("elsewhere", kind="reminder", scope="repo:github.com/acme/other")
        note = make.item("a note", scope=REPO)
        with store.write() as tx:
            keep(tx, first, second, other, note)
            for kind, target in (
                ("file", "src/b.py"),
                ("file", "docs/**"),
                ("url", "https://x.example"),
            ):
                tx.provenance.add_link(Link(source=first.id, kind=kind, target=target, at=1))

        now = first.created_at + 1_000_000
        with store.read() as tx:
            assert due(tx, now) == [("first", ["docs/**", "src/b.py"]), ("second", [])]
            assert due(tx, now, "global") == [("second", [])]
            assert due(tx, now, limit=1) == [("first", ["docs/**", "src/b.py"])]
            assert due(tx, now, limit=0) == []
            assert due(tx, now, "project:none") == []
            assert tx.shelf.reminders([], now=now, limit=5) == []

    def test_a_reminder_waits_for_its_date_and_its_approval(self, store: Store) -> None:
        """Before its valid time, after its end, proposed, archived and expired: not due."""
        make = Maker()
        now = make.item("x").created_at + 50_000_000
        dated = make.item("dated", kind="reminder", scope=REPO, valid_from=now + 10)
        over = make.item("over", kind="reminder", scope=REPO, valid_from=1, valid_to=now)
        held = make.item("held", kind="reminder", scope=REPO, status="proposed")
        away = make.item("away", kind="reminder", scope=REPO, status="archived")
        gone = make.item("gone", kind="reminder", scope=REPO, expires_at=now)
        with store.write() as tx:
            keep(tx, dated, over, held, away, gone)

        with store.read() as tx:
            assert due(tx, now + 9) == []
            assert due(tx, now + 10) == [("dated", [])]

    def test_a_reminder_is_given_once(self, store: Store) -> None:
        """Shown in a session it is done; withheld, or read by nobody's session, it is not."""
        make = Maker()
        item = make.item("once", kind="reminder", scope=REPO)
        now = item.created_at + 50_000_000
        with store.write() as tx:
            keep(tx, item)
            tx.deliveries.add(make.delivery("s1", withheld=[item]))
            tx.deliveries.add(make.delivery("", shown=[item]))
            assert due(tx, now) == [("once", [])]
            tx.deliveries.add(make.delivery("s1", shown=[item]))
            assert due(tx, now) == []

        with store.read() as tx:
            assert due(tx, now) == []

    def test_a_reminder_that_was_changed_comes_again(self, store: Store) -> None:
        """A new version is one that nobody was given yet."""
        make = Maker()
        item = make.item("again", kind="reminder", scope=REPO)
        later = make.revised(item, title="again, later")
        now = later.head.recorded_at + 50_000_000
        with store.write() as tx:
            keep(tx, item)
            tx.deliveries.add(make.delivery("s1", shown=[item]))
            keep_revised(tx, later)

        with store.read() as tx:
            assert due(tx, now) == [("again, later", [])]
