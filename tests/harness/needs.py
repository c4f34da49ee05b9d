"""What a test needs and this machine may lack: a skip that says so here, an error in CI."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def in_ci() -> bool:
    """This run decides whether a change may land, so nothing may be left out."""
    return os.environ.get("CI", "").lower() in ("1", "true")


def missing(what: str, way_out: str) -> NoReturn:
    """Skip the calling test with one clear line; in CI fail it."""
    sentence = f"{what} is missing here; {way_out}"
    if in_ci():
        pytest.fail(f"{sentence} (in CI a missing part is an error)", pytrace=False)
    pytest.skip(sentence)


def program(name: str, way_out: str) -> str:
    """The path of an installed program."""
    return shutil.which(name) or missing(name, way_out)
