"""What each revision asks for and is given."""

from __future__ import annotations

from typing import Any

import pytest

from onrecord.doors.mcp import protocol

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABLE = "io.modelcontextprotocol/clientCapabilities"


@pytest.mark.parametrize(
    ("wanted", "agreed"),
    [
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        (None, "2025-11-25"),
        (7, "2025-11-25"),
        (["2025-06-18"], "2025-11-25"),
    ],
)
def test_a_handshake_agrees_on_the_clients_revision_or_offers_the_newest(
    wanted: Any, agreed: str
) -> None:
    """A revision without a handshake cannot be agreed on by one."""
    assert protocol.initialize({"protocolVersion": wanted}, "1")["protocolVersion"] == agreed


@pytest.mark.parametrize(
    ("meta", "code"),
    [
        ({VERSION: "2026-07-28", CAPABLE: {}}, None),
        ({VERSION: "2026-07-28"}, protocol.INVALID_PARAMS),
        ({VERSION: "2026-07-28", CAPABLE: []}, protocol.INVALID_PARAMS),
        ({VERSION: 20260728, CAPABLE: {}}, protocol.INVALID_PARAMS),
        ({VERSION: None, CAPABLE: {}}, protocol.INVALID_PARAMS),
        ({VERSION: "1999-01-01"}, protocol.UNSUPPORTED_VERSION),
        ({}, protocol.INVALID_PARAMS),
        ([], protocol.INVALID_PARAMS),
        (None, protocol.INVALID_PARAMS),
    ],
)
def test_an_envelope_is_checked(meta: Any, code: int | None) -> None:
    """Revision first: a client that speaks another one learns which are spoken."""
    problem = protocol.modern_problem({"_meta": meta})

    assert (problem.code if problem else None) == code


def test_a_request_says_its_revision_or_is_of_the_handshake() -> None:
    """Other things in `_meta` do not make a request modern."""
    assert protocol.is_modern({"_meta": {VERSION: "2026-07-28"}})
    assert protocol.is_modern({"_meta": {VERSION: "1"}})
    others: list[Any] = [{"progressToken": 1}, {}, None, [], VERSION]
    for meta in others:
        assert not protocol.is_modern({"_meta": meta})


def test_a_long_unknown_revision_is_cut_in_the_answer() -> None:
    """What a client sends does not come back at any length."""
    problem = protocol.modern_problem({"_meta": {VERSION: "x" * 10_000, CAPABLE: {}}})

    assert problem is not None
    assert problem.data is not None
    assert len(str(problem.data["requested"])) == 40
