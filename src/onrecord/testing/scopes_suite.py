"""Scope names and what they are called now; switches and policies per scope."""

from __future__ import annotations

from onrecord.domain.ports import Store
from onrecord.testing.builders import REPO, Maker


class ScopesSuite:
    """What the scopes port keeps."""

    def test_a_name_is_known_once_it_was_noted(self, store: Store) -> None:
        """Noting it again changes nothing; names are compared letter for letter."""
        with store.write() as tx:
            for name in (REPO, "global", "agent:codex", REPO, "project:É"):
                tx.scopes.note(name, 5)

        with store.read() as tx:
            assert tx.scopes.known(REPO) is True
            assert tx.scopes.known("repo:%") is False
            assert tx.scopes.known(REPO.upper()) is False
            assert tx.scopes.names() == ["agent:codex", "global", "project:É", REPO]

    def test_an_empty_store_knows_no_name(self, store: Store) -> None:
        """Nothing is known before it was written to."""
        with store.read() as tx:
            assert tx.scopes.names() == []
            assert tx.scopes.known("global") is False
            assert tx.scopes.resolve("global") == "global"

    def test_items_are_counted_by_scope_and_status(self, store: Store) -> None:
        """Only statuses that occur are listed."""
        make = Maker()
        with store.write() as tx:
            for scope, status in (
                ("global", "active"),
                ("global", "active"),
                ("global", "proposed"),
                (REPO, "archived"),
            ):
                tx.scopes.note(scope, 1)
                tx.items.add(make.item(scope=scope, status=status))

        with store.read() as tx:
            counts = {name: dict(of) for name, of in tx.scopes.counts().items()}
            assert counts == {"global": {"active": 2, "proposed": 1}, REPO: {"archived": 1}}

    def test_items_whose_time_is_over_are_counted_as_expired(self, store: Store) -> None:
        """Active and proposed ones alone, from their expiry on; without an instant nothing is."""
        make = Maker()
        with store.write() as tx:
            tx.scopes.note(REPO, 1)
            for status in ("active", "proposed", "archived", "superseded"):
                for expires_at in (None, 100):
                    tx.items.add(make.item(scope=REPO, status=status, expires_at=expires_at))
        stored = {"active": 2, "proposed": 2, "archived": 2, "superseded": 2}
        over = {"active": 1, "proposed": 1, "archived": 2, "superseded": 2, "expired": 2}

        with store.read() as tx:
            assert dict(tx.scopes.counts()[REPO]) == stored
            assert dict(tx.scopes.counts(now=99)[REPO]) == stored
            assert dict(tx.scopes.counts(now=100)[REPO]) == over

    def test_an_old_name_resolves_to_the_current_one(self, store: Store) -> None:
        """A name that was never renamed is itself."""
        with store.write() as tx:
            tx.scopes.alias("repo:a/b/old", "repo:a/b/new", 1)

        with store.read() as tx:
            assert tx.scopes.resolve("repo:a/b/old") == "repo:a/b/new"
            assert tx.scopes.resolve("repo:a/b/new") == "repo:a/b/new"
            assert tx.scopes.resolve("repo:a/b/other") == "repo:a/b/other"

    def test_a_name_renamed_twice_resolves_to_the_last(self, store: Store) -> None:
        """Every earlier name leads to the current one."""
        with store.write() as tx:
            tx.scopes.alias("project:a", "project:b", 1)
            tx.scopes.alias("project:b", "project:c", 2)

        with store.read() as tx:
            for name in ("project:a", "project:b", "project:c"):
                assert tx.scopes.resolve(name) == "project:c"

    def test_a_name_can_be_taken_back(self, store: Store) -> None:
        """Renaming there and back ends at the first name, without going round in circles."""
        with store.write() as tx:
            tx.scopes.alias("project:a", "project:b", 1)
            tx.scopes.alias("project:b", "project:a", 2)

        with store.read() as tx:
            assert tx.scopes.resolve("project:a") == "project:a"
            assert tx.scopes.resolve("project:b") == "project:a"

    def test_every_old_name_is_listed_with_the_current_one(self, store: Store) -> None:
        """The shelf gives the same answer; a name that means itself again is not listed."""
        with store.write() as tx:
            tx.scopes.alias("project:a", "project:b", 1)
            tx.scopes.alias("project:b", "project:c", 2)
            tx.scopes.alias("repo:path:/src/shop", REPO, 3)
        with store.read() as tx:
            both = {"project:a": "project:c", "project:b": "project:c"}
            assert dict(tx.scopes.renamed()) == both | {"repo:path:/src/shop": REPO}
            assert dict(tx.shelf.renamed()) == dict(tx.scopes.renamed())

        with store.write() as tx:
            tx.scopes.unalias("repo:path:/src/shop")
            tx.scopes.unalias("repo:never/was/one")
        with store.read() as tx:
            assert dict(tx.scopes.renamed()) == both
            assert tx.scopes.resolve("repo:path:/src/shop") == "repo:path:/src/shop"

    def test_no_name_was_changed_in_an_empty_store(self, store: Store) -> None:
        """Nothing is listed."""
        with store.read() as tx:
            assert dict(tx.scopes.renamed()) == {}
            assert dict(tx.shelf.renamed()) == {}


class SettingsSuite:
    """What the settings port keeps."""

    def test_a_setting_belongs_to_its_scope(self, store: Store) -> None:
        """It is kept as text, replaced by the next, and unknown elsewhere."""
        with store.write() as tx:
            tx.settings.put("saving", "on", at=1, by="ada")
            tx.settings.put("saving", "off", at=2, by="ada")
            tx.settings.put("saving", "on", scope=REPO, at=3, by="ada")
            tx.settings.put("note", '{"a": "é \' %"}', at=4, by="")

        with store.read() as tx:
            assert tx.settings.get("saving") == "off"
            assert tx.settings.get("saving", "global") == "off"
            assert tx.settings.get("saving", REPO) == "on"
            assert tx.settings.get("saving", "org:acme") is None
            assert tx.settings.get("Saving") is None
            assert tx.settings.get("note") == '{"a": "é \' %"}'
            assert tx.settings.everything() == [
                ("note", "global", '{"a": "é \' %"}'),
                ("saving", "global", "off"),
                ("saving", REPO, "on"),
            ]

    def test_an_empty_value_is_a_value(self, store: Store) -> None:
        """An empty text is told apart from nothing."""
        with store.write() as tx:
            tx.settings.put("policy", "", at=1, by="ada")

        with store.read() as tx:
            assert tx.settings.get("policy") == ""
            assert tx.settings.get("other") is None

    def test_the_first_scope_that_has_the_setting_decides(self, store: Store) -> None:
        """The order of the list counts, not that of the names."""
        with store.write() as tx:
            tx.settings.put("saving", "global says", at=1, by="ada")
            tx.settings.put("saving", "repo says", scope=REPO, at=1, by="ada")
            tx.settings.put("other", "x", scope="agent:codex", at=1, by="ada")

        with store.read() as tx:
            setting = tx.shelf.setting
            assert setting("saving", ["agent:codex", REPO, "global"]) == "repo says"
            assert setting("saving", ["global", REPO]) == "global says"
            assert setting("saving", ["agent:codex"]) is None
            assert setting("saving", []) is None
            assert setting("unknown", ["global", REPO]) is None
