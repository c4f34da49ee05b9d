"""Scope names and settings, in SQL."""

from __future__ import annotations

from collections.abc import Mapping

from onrecord.storage.renamings import MOST_RENAMINGS, current_names
from onrecord.storage.runner import Runner


class SqlScopes:
    """The `Scopes` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def note(self, name: str, at: int) -> None:
        """Remember the name at its first use."""
        self._runner.run("scope_number", name=name)
        self._runner.run("scope_note", name=name, at=at)

    def known(self, name: str) -> bool:
        """Whether the name was ever used."""
        return self._runner.row("scope_known", name=name) is not None

    def names(self) -> list[str]:
        """All names, alphabetical."""
        return [row[0] for row in self._runner.rows("scope_names")]

    def counts(self, *, now: int | None = None) -> Mapping[str, Mapping[str, int]]:
        """Scope -> status -> items; with `now` also those that are expired by then."""
        found: dict[str, dict[str, int]] = {}
        for scope, status, count in self._runner.rows("scope_counts", now=now):
            found.setdefault(scope, {})[status] = count
        return found

    def alias(self, old: str, new: str, at: int) -> None:
        """Remember what a name is called now; the new name is then a current one."""
        self._runner.run("alias_drop", name=new)
        if old != new:
            self._runner.run("alias_put", old=old, new=new, at=at)

    def unalias(self, old: str) -> None:
        """Let an old name mean itself again."""
        self._runner.run("alias_drop", name=old)

    def renamed(self) -> Mapping[str, str]:
        """Every old name with the current one that it leads to."""
        return current_names(self._runner.rows("aliases"))

    def resolve(self, name: str) -> str:
        """The current name of a name that was renamed; itself otherwise."""
        for _ in range(MOST_RENAMINGS):
            row = self._runner.row("alias_get", name=name)
            if row is None:
                break
            name = row[0]
        return name


class SqlSettings:
    """The `Settings` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def get(self, name: str, scope: str = "global") -> str | None:
        """One setting."""
        row = self._runner.row("setting_get", name=name, scope=scope)
        return row[0] if row else None

    def put(self, name: str, value: str, *, scope: str = "global", at: int, by: str) -> None:
        """Set it, in place of what it was."""
        self._runner.run("setting_put", name=name, scope=scope, value=value, at=at, by=by)

    def everything(self) -> list[tuple[str, str, str]]:
        """(name, scope, value), alphabetical."""
        return [(row[0], row[1], row[2]) for row in self._runner.rows("settings_all")]
