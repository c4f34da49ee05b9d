"""Tests reach this machine only: an attempt to reach another is an error where it is made."""

from __future__ import annotations

import ipaddress
import sys
from typing import Any, Final

#: The events of Python's audit hook that name another machine, and which argument does.
_EVENTS: Final = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
}


class OutsideError(RuntimeError):
    """Something in the test run wanted to reach another machine."""


def is_here(address: object) -> bool:
    """An address of this machine: a path, a loopback address or name, or none."""
    host = address[0] if isinstance(address, tuple) and address else address
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host in (None, "", "localhost") or (isinstance(host, str) and host.startswith(("/", "\0"))):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _look(event: str, arguments: tuple[Any, ...]) -> None:
    place = _EVENTS.get(event)
    if place is not None and not is_here(arguments[place]):
        message = f"a test tried to reach {arguments[place]!r}; tests reach this machine only"
        raise OutsideError(message)


def confine() -> None:
    """Hold this process to this machine, for good."""
    sys.addaudithook(_look)
