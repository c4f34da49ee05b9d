"""JSON that anybody may have written: bounded in depth and in the length of numbers."""

from __future__ import annotations

import json
from typing import Any, NoReturn, cast

Json = dict[str, Any]

_MAX_DIGITS = 40


def parsed(raw: bytes, *, max_depth: int) -> Json:
    """The object of a text in UTF-8; raises `ValueError` for anything else."""
    found = value_of(raw, max_depth=max_depth)
    if not isinstance(found, dict):
        raise ValueError  # noqa: TRY004 - one error for whatever is wrong
    return cast("Json", found)


def value_of(raw: bytes, *, max_depth: int) -> object:
    """What a text in UTF-8 says, of any type; raises `ValueError` where it is no JSON."""
    try:
        found: object = json.loads(
            raw.decode("utf-8-sig"),
            parse_int=_number,
            parse_float=_fraction,
            parse_constant=_no_constant,
        )
    except RecursionError:
        raise ValueError from None
    if _is_deeper(found, max_depth):
        raise ValueError
    return found


def _number(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError
    return int(digits)


def _fraction(digits: str) -> float:
    if len(digits) > _MAX_DIGITS:
        raise ValueError
    return float(digits)


def _no_constant(_name: str) -> NoReturn:
    """NaN and the infinities are no JSON."""
    raise ValueError


def _is_deeper(found: object, most: int) -> bool:
    """Whether it is nested deeper than so many levels; takes no recursion."""
    level: list[object] = [found]
    for _ in range(most):
        below: list[object] = []
        for one in level:
            if isinstance(one, dict):
                below += cast("Json", one).values()
            elif isinstance(one, list):
                below += cast("list[object]", one)
        level = [one for one in below if isinstance(one, (dict, list))]
        if not level:
            return False
    return True
