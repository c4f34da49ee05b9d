"""Relative dates get the absolute date they mean beside the words, or their author is asked."""

from onrecord.policy.dates.annotate import Annotated, Ask, Earlier, Unchanged, annotate
from onrecord.policy.dates.bounds import Bounds, bounds

__all__ = ["Annotated", "Ask", "Bounds", "Earlier", "Unchanged", "annotate", "bounds"]
