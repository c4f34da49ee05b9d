"""What summaries need from the outside: something that answers a prompt."""

from __future__ import annotations

from typing import Protocol


class Unanswered(Exception):
    """Nothing came back that can be read: missing · failed · slow · too_big."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Summariser(Protocol):
    """A command or a service that a person chose."""

    def ask(self, prompt: str) -> bytes:
        """What it answers to a prompt; raises `Unanswered`."""
        ...
