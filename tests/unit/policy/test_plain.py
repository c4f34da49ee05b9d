"""Names that need no look are told from those that do."""

from __future__ import annotations

import json

import pytest

from corpora import corpus
from onrecord.policy.plain import looks_plain
from onrecord.policy.redact import redact


@pytest.mark.parametrize(
    "name",
    [
        "main",
        "feature/JIRA-1234-login",
        "github.com/acme/shop",
        "claude-opus-4-20250514",
        "/home/ada/.claude/projects/-home-ada-shop-2/2f1c3b4a-0000-4000-8000-0123456789ab.jsonl",
        "2f1c3b4a-0000-4000-8000-0123456789ab",
        "rollout-2026-11-30T06-45-20-2f1c3b4a-0000-4000-8000-0123456789ab.jsonl",
    ],
)
def test_what_clients_and_git_usually_name_is_plain(name: str) -> None:
    """The rules that find a secret stay unloaded on the hook's path."""
    assert looks_plain(name)


def test_whatever_redaction_finds_does_not_look_plain() -> None:
    """Every secret of the corpus, as a name and as a part of one, is looked at."""
    found = 0
    for line in corpus("safety/secrets.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = "".join(row["parts"])
        secrets = [text[start:end] for start, end, _ in row["spans"]]
        for name in [text, *secrets, *(f"fix/{one}" for one in secrets)]:
            if redact(name).removed:
                found += 1
                assert not looks_plain(name)
    assert found > 150
