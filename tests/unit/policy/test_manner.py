"""What a statement says of time and how surely, in the same words."""

from __future__ import annotations

import pytest

from onrecord.policy.contrast import compare

#: One and the same but for its tense or aspect.
TENSES = [
    ("Prod is on AWS eu-west-1", "Prod was on AWS eu-west-1"),
    ("Ada owns the billing service", "Ada owned the billing service"),
    ("Ada moved the cache", "Ada has moved the cache"),
    ("We are moving refunds", "We moved refunds"),
    ("We are moving refunds", "We move refunds"),
    ("Bob is responsible for DNS", "Bob was responsible for DNS"),
    ("The flag is enabled", "The flag was enabled"),
    ("Deploys will move to Argo", "Deploys moved to Argo"),
    ("Deploys will move to Argo", "Deploys move to Argo"),
    ("Billing is owned by Ada", "Billing was owned by Ada"),
    ("Ada owns billing", "Billing was owned by Ada"),
    ("Prod has been migrated to AWS", "Prod is migrated to AWS"),
    ("Alice kept the keys in Vault", "Alice keeps the keys in Vault"),
    ("Backups ran at night here", "Backups run at night here"),
    ("Ada doesn't own billing today", "Ada didn't own billing today"),
    ("We won't support Windows kiosks", "We don't support Windows kiosks"),
    ("Ada leitet das Team Zahlungen", "Ada leitete das Team Zahlungen"),
    ("Die Karte wird neu erzeugt", "Die Karte wurde neu erzeugt"),
    ("L'API est sur AWS Paris", "L'API était sur AWS Paris"),
    ("La cola es RabbitMQ aquí", "La cola era RabbitMQ aquí"),
]
#: One and the same but for what it allows, or for a small word.
SMALL = [
    ("Deploys may go through Argo", "Deploys must go through Argo"),
    ("Pupils may borrow five books", "Pupils can borrow five books"),
    ("Pupils might borrow five books", "Pupils can borrow five books"),
    ("Ada would own billing", "Ada owns billing"),
    ("Run the tests in Docker", "Run the tests with Docker"),
    ("Deploys run on Friday and Monday", "Deploys run on Friday or Monday"),
    ("Ada reviews just migrations", "Ada reviews migrations"),
    ("Ada also reviews migrations", "Ada reviews migrations"),
    ("We own the billing service", "They own the billing service"),
    ("Rotate your keys monthly", "Rotate our keys monthly"),
    ("The queue needs restarting daily", "The queue needs a restart daily"),
    ("The first retry waits", "The last retry waits"),
    ("More retries help here", "Fewer retries help here"),
    ("The cache is faster on Redis", "The cache is fast on Redis"),
    ("Only Ada may deploy prod", "Ada may deploy prod"),
    ("服务迁移到上海", "服务迁移到上海了"),
    ("AがBを呼ぶこと", "AをBが呼ぶこと"),
]
#: Voice, a contraction and a spelling say nothing of it.
EQUAL = [
    ("We will not support Windows kiosks", "We won't support Windows kiosks"),
    ("Logs are stored in the vault", "We store logs in the vault"),
    ("Accents are always ignored by search", "Search always ignores accents"),
    ("Builds must not be run on Friday", "Do not run builds on Friday"),
    ("Logs are kept in Bergen", "We keep logs in Bergen"),
    (
        "All builds must be signed before release",
        "Every build must be signed before it is released",
    ),
]


@pytest.mark.parametrize(("one", "other"), TENSES)
def test_another_time_is_asked_about_and_never_merged(one: str, other: str) -> None:
    """It may say that it is so no longer, whichever of them came first."""
    assert compare(one, other) == compare(other, one) == "conflict"


@pytest.mark.parametrize(("one", "other"), SMALL)
def test_small_words_keep_statements_apart(one: str, other: str) -> None:
    """What is allowed, who it is, where and with what."""
    assert "same" not in (compare(one, other), compare(other, one))


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_voice_and_spelling_leave_the_time(one: str, other: str) -> None:
    """Done by somebody or somebody does it: the same."""
    assert compare(one, other) == compare(other, one) == "same"
