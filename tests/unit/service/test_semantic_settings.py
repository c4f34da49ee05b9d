"""What `[semantic]` may say, and that nothing in it is guessed."""

from __future__ import annotations

import pytest

from onrecord.domain.errors import UsageError
from onrecord.service.semantic_settings import settings_of

FILES = {"onnx": "/m/model.onnx", "tokenizer": "/m/tokenizer.json"}
SERVED = {"url": "http://127.0.0.1:11434", "api": "ollama", "name": "nomic-embed-text"}


def test_nothing_said_means_the_packaged_model() -> None:
    """Which has no table."""
    settings = settings_of({})

    assert (settings.model, settings.off) == ("minilm", False)
    assert settings.named("minilm") is None


def test_models_of_both_kinds_are_read() -> None:
    """Under the names that the person gave them."""
    settings = settings_of(
        {"model": "mine", "models": {"mine": {**FILES, "pooling": "cls"}, "served": SERVED}}
    )
    mine, served = settings.named("mine"), settings.named("served")

    assert mine is not None
    assert (mine.onnx, mine.pooling, mine.url) == ("/m/model.onnx", "cls", "")
    assert served is not None
    assert (served.served, served.api, served.remote) == ("nomic-embed-text", "ollama", False)
    with pytest.raises(UsageError, match="no model `other`"):
        settings.named("other")


def test_none_turns_it_off() -> None:
    """By that word."""
    assert settings_of({"model": "none"}).off is True


@pytest.mark.parametrize(
    "table",
    [
        {"model": "unknown"},
        {"model": 3},
        {"models": {"minilm": FILES}},
        {"models": {"none": FILES}},
        {"models": {"x": {}}},
        {"models": {"x": {**FILES, **SERVED}}},
        {"models": {"x": {"onnx": "/m"}}},
        {"models": {"x": {**SERVED, "api": "soap"}}},
        {"models": {"x": {"url": SERVED["url"], "api": "ollama"}}},
        {"models": {"x": {**FILES, "pooling": "max"}}},
        {"models": {"x": {**FILES, "max_tokens": 3}}},
        {"models": {"x": {**FILES, "max_tokens": True}}},
        {"models": {"x": {**SERVED, "timeout_s": 0}}},
        {"models": {"x": {**SERVED, "remote": "yes"}}},
        {"models": {"x": {**FILES, "colour": "red"}}},
    ],
)
def test_what_makes_no_sense_is_refused(table: dict[str, object]) -> None:
    """By a usage error that names the place."""
    with pytest.raises(UsageError):
        settings_of(table)
