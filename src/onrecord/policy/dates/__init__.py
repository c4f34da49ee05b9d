"""Relative dates get the absolute date they mean beside the words, or their author is asked."""

from onrecord.policy.dates.annotate import Annotated, Ask, Unchanged, annotate

__all__ = ["Annotated", "Ask", "Unchanged", "annotate"]
