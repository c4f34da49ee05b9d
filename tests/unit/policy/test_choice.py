"""Statements that choose between the same two things, and not the same one."""

from __future__ import annotations

import pytest

from onrecord.policy.contrast import compare, opposed

TURNED = (
    ("Prices are integers, never floats.", "Prices are floats, never integers."),
    ("Money is kept as cents, never as euros.", "Money is kept as euros, never as cents."),
    ("The kiln fires on Tuesdays, not Fridays.", "The kiln fires on Fridays, not Tuesdays."),
    ("Fire the kiln on Tuesday not Friday", "Fire the kiln on Friday not Tuesday"),
    ("Use pnpm instead of npm.", "Use npm instead of pnpm."),
    ("Use pnpm instead of npm in CI.", "Use npm instead of pnpm in CI."),
    ("Instead of npm, use pnpm.", "Use npm instead of pnpm."),
    ("Use tabs rather than spaces.", "Use spaces rather than tabs."),
    ("Use httpx, not requests, in new code.", "Use requests, not httpx, in new code."),
    ("Prefer composition over inheritance.", "Prefer inheritance over composition."),
    ("Prefer threads to processes.", "Prefer processes to threads."),
    ("Do not use floats; use integers.", "Do not use integers; use floats."),
    ("Never use floats, use integers", "Never use integers, use floats"),
    ("Ids are not UUIDs but ULIDs.", "Ids are not ULIDs but UUIDs."),
    ("Ids are ULIDs, not UUIDs.", "Ids are not ULIDs but UUIDs."),
    ("Squash merges, no merge commits.", "Merge commits, no squash merges."),
    ("Ship small PRs and never large ones.", "Ship large PRs and never small ones."),
    ("Ada, not Bo, signs the kiln log.", "Bo, not Ada, signs the kiln log."),
    ("Preise sind Ganzzahlen, nie Brüche.", "Preise sind Brüche, nie Ganzzahlen."),
    ("Wir brennen dienstags, nicht freitags.", "Wir brennen freitags, nicht dienstags."),
    ("pnpm statt npm verwenden", "npm statt pnpm verwenden"),
    ("Utiliser pnpm au lieu de npm.", "Utiliser npm au lieu de pnpm."),
    ("Usar pnpm en lugar de npm.", "Usar npm en lugar de pnpm."),
    ("使用pnpm而不是npm。", "使用npm而不是pnpm。"),
    ("kiln calls oven, not the other way round", "oven calls kiln, not the other way round"),
    ("kiln calls oven", "oven calls kiln, never the other way around"),
    # what is chosen here is turned down there, in the same words
    ("Ids are ULIDs, never UUIDs.", "Ids are UUIDs."),
    ("Use pnpm instead of npm in CI.", "Use npm in CI."),
    ("Logs go to stdout, not to files.", "Logs go to files."),
    # one day of the week, and another
    ("The kiln review is on Tuesday.", "The kiln review is on Thursday."),
    ("Retros are on Tuesdays.", "Retros are on Thursdays."),
    ("Das Review ist am Dienstag.", "Das Review ist am Freitag."),
)

APART = (
    ("quay must not call kiln", "kiln must not call quay"),
    ("quay never calls kiln", "kiln never calls quay"),
    ("quay doesn't call kiln", "kiln doesn't call quay"),
    ("In tests, never use fixtures.", "In fixtures, never use tests."),
    ("Never import the store from policy.", "Never import policy from the store."),
    ("Logs go to stdout, not to files.", "Metrics go to files, not to stdout."),
    ("Logs go to stdout, not to files.", "Metrics go to files."),
    ("Use pnpm, not npm.", "Use pnpm, not yarn."),
    ("Ids are ULIDs, never UUIDs.", "Ids are ULIDs."),
    ("Use npm instead of pnpm.", "Use pnpm instead of npm in CI."),
    ("Copy the keys from kiln to oven", "Copy the keys from oven to kiln"),
    ("kiln calls oven, not the other way round", "oven is called by kiln"),
    ("Backups are taken on Tuesday.", "Backups are taken on Friday."),
    ("The kiln fires on Tuesdays.", "The kiln fires on Fridays."),
    ("Ada is off on Tuesday.", "Ada is off on Friday."),
)


@pytest.mark.parametrize(("standing", "new"), TURNED)
def test_a_choice_turned_round_is_a_contradiction(standing: str, new: str) -> None:
    """Whichever stands, with every word in common, the other says otherwise."""
    assert compare(standing, new) == compare(new, standing) == "conflict"
    assert opposed(standing, new)


@pytest.mark.parametrize(("standing", "new"), APART)
def test_what_both_can_hold_is_no_choice_turned_round(standing: str, new: str) -> None:
    """Negated verbs, other subjects, another thing turned down, days that things happen on."""
    assert compare(standing, new) == compare(new, standing) == ""


@pytest.mark.parametrize(
    ("standing", "new"),
    [
        ("Never log keys, tokens or names.", "Never log names, keys or tokens."),
        ("Use no tabs or spaces.", "Use no spaces or tabs."),
    ],
)
def test_a_list_under_a_ban_is_the_same_in_another_order(standing: str, new: str) -> None:
    """Where `and` or `or` says that it is a list; `never X, Y` asks for Y."""
    assert compare(standing, new) == "same"
    assert compare("Never X1, Y1", "Never Y1, X1") == "conflict"
