"""Secrets in what is imported: gone before anything of it is cut to its limit."""

from __future__ import annotations

import io
import json

from desk import place
from onrecord.capture.formats.foreign import Foreign
from onrecord.policy.redact import redact
from onrecord.service.foreign_source import entry_of
from onrecord.service.import_lines import ImportFile
from onrecord.service.imports import command_for

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def across(limit: int) -> str:
    """A text with a secret where it would be cut."""
    return f"{'Ada ' * (limit // 4 - 5)}{TOKEN} and so on"


def test_no_half_of_a_secret_is_kept_of_another_tools_claims() -> None:
    """Of who wrote it, what prompted it, what the tool says of it, and where it stands there."""
    one = Foreign(
        line=1,
        where=across(4_000 - len("import:mem0.json#")),
        text="The gate is red",
        author=across(100),
        prompted_by=across(500),
        claims=(("id", "17"), ("session", across(1_000 - len("id 17; session ")))),
    )
    made = entry_of(one, place())

    command = command_for(made, name="mem0.json", scope="global", batch="b")

    (claim,) = command.evidence
    texts = [command.content.prompted_by, claim.pointer, claim.quote, claim.author]
    assert [len(text) for text in texts] == [
        min(len(text), most) for text, most in zip(texts, (500, 4_000, 1_000, 100), strict=True)
    ]
    for text in texts:
        assert "Ada" in text
        assert "ghp_" not in redact(text).text


def test_no_half_of_a_secret_is_kept_of_an_author() -> None:
    """Nor of whoever a file of our own form names."""
    line: dict[str, object] = {
        "id": "01K00000000000000000000001",
        "kind": "fact",
        "title": "The gate is red",
    }
    line |= {"status": "active", "scope": "global", "author": {"user": across(100)}}
    lines = [{"onrecord": "export", "version": 1}, line]
    raw = "".join(f"{json.dumps(one)}\n" for one in lines).encode()

    file = ImportFile(io.BytesIO(raw), "shop.jsonl", place())
    file.check()

    (entry,) = file.entries()

    assert entry.author.startswith("Ada")
    assert "ghp_" not in redact(entry.author).text
