"""What every test run has: the harness's fixtures, the marks that select, the closed network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import hypothesis
import pytest

from harness import network

if TYPE_CHECKING:
    from pathlib import Path

# before any test imports the suites: their asserts tell as much as those of a test file
pytest.register_assert_rewrite("onrecord.testing")

pytest_plugins = [
    "harness.postgres",
    "harness.agents",
    "harness.more_agents",
    "harness.golden",
    "harness.swept",
]

#: Fixture -> the mark of every test that uses it.
MARKS: Final = {
    "postgres_url": "postgres",
    "postgres_server": "postgres",
    "claude_code": "e2e",
    "codex": "e2e",
    "gemini_cli": "e2e",
    "copilot_cli": "e2e",
    "opencode": "e2e",
    "golden": "golden",
}
#: Folder of tests/ -> the mark of every test in it.
FOLDER_MARKS: Final = {"e2e": "e2e", "docs": "docs", "golden": "golden"}

# A shared machine may stand still for seconds: time is measured by benchmarks, not here.
hypothesis.settings.register_profile("onrecord", deadline=None, print_blob=True)
hypothesis.settings.load_profile("onrecord")


def pytest_configure() -> None:
    """Close the network before the first test is even collected."""
    network.confine()


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by what they use and where they lie; agents run one at a time."""
    for item in items:
        names = {MARKS[name] for name in getattr(item, "fixturenames", ()) if name in MARKS}
        names |= {FOLDER_MARKS[part] for part in _folders(item.path) if part in FOLDER_MARKS}
        for name in names:
            item.add_marker(name)
        if item.get_closest_marker("e2e"):
            item.add_marker(pytest.mark.xdist_group("agents"))


def _folders(path: Path) -> tuple[str, ...]:
    """Names of the folders below tests/ that a test file lies in."""
    parts = path.parent.parts
    return parts[len(parts) - parts[::-1].index("tests") :] if "tests" in parts else ()
