"""Limits that light modules need without the domain's classes."""

from __future__ import annotations

#: Longest stored prompt, in characters, after redaction.
MAX_PROMPT = 500

#: How the flags begin that hold what an agent asked about an item.
ASKED = ("forget:", "dispute:", "stale:")

#: How the addresses of a project's own files begin: `file:<path>#<section>`.
FILE_KEY = "file:"
