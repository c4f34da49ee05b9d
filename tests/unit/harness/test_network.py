"""The test run is held to this machine."""

from __future__ import annotations

import contextlib
import os
import socket

import pytest

from harness.network import OutsideError, is_here


@pytest.mark.parametrize("address", ["203.0.113.1", "2001:db8::1"])
def test_another_machine_cannot_be_reached(address: str) -> None:
    """Connecting elsewhere is an error at once, not a wait."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as plug, pytest.raises(OutsideError, match="this machine only"):
        plug.connect((address, 80))


def test_a_name_cannot_be_looked_up() -> None:
    """Not even the name of another machine is asked for."""
    with pytest.raises(OutsideError):
        socket.getaddrinfo("example.org", 80)


def test_this_machine_can_be_reached() -> None:
    """Loopback works, by number and by name."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        for host in ("127.0.0.1", "localhost"):
            with contextlib.closing(socket.create_connection((host, server.getsockname()[1]))):
                pass


@pytest.mark.parametrize(
    ("address", "here"),
    [
        (("::1", 80, 0, 0), True),
        ("/run/socket", True),
        (b"127.9.9.9", True),
        (("0.0.0.0", 80), False),  # noqa: S104  # an address to look at, not to bind
        (("10.0.0.1", 80), False),
        ("localhost.example.org", False),
    ],
)
def test_what_counts_as_here(address: object, *, here: bool) -> None:
    """Paths and loopback are here; private ranges and look-alike names are not."""
    assert is_here(address) is here


@pytest.mark.skipif("ONRECORD_TEST_OFFLINE" not in os.environ, reason="only ./dev sets it up")
def test_children_meet_a_closed_door() -> None:
    """Programs that tests start find a proxy that nobody answers at."""
    assert os.environ["https_proxy"] == "http://127.0.0.1:9"
    assert os.environ["NPM_CONFIG_OFFLINE"] == "true"
