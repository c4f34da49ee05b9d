"""The suites live in the package; their asserts tell as much as those of a test file."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("onrecord.testing")
