"""What every test run has: the harness's fixtures and the marks that select by need."""

from __future__ import annotations

pytest_plugins = ["harness.postgres", "harness.agents"]
