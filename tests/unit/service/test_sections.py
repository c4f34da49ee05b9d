"""What a project's file says, as statements within their limits."""

from __future__ import annotations

from onrecord.capture.project_files import Found
from onrecord.policy.redact import redact
from onrecord.service.sections import MAX_TEXT, parts_of

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_no_half_of_a_secret_is_kept_of_what_is_cut() -> None:
    """Neither at the end of a long section nor in a heading that is too long."""
    long = "The gate is red. ".ljust(MAX_TEXT - 30, "x") + f" {TOKEN} and so on.\n"
    heading = f"{'May and so on '.ljust(183, 'x')} {TOKEN}"
    text = f"# Log\n\n## June\n{long}\n## {heading}\nIt is red.\n"

    parts = parts_of(Found(path="log.md", stamp=(0, 0, 0, 0)), text, commit="")

    assert [part.line for part in parts] == [3, 6]
    for part in parts:
        content = part.command.content
        whole = redact(content.title).text + redact(content.body).text
        assert "red" in whole
        assert "ghp_" not in whole
