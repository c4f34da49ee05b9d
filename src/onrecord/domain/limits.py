"""Limits that light modules need without the domain's classes."""

from __future__ import annotations

#: Longest stored prompt, in characters, after redaction.
MAX_PROMPT = 500
