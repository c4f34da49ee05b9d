"""A model of meanings in an ONNX file, with its tokenizer, run in this process.

Both files are read once, checked where a checksum is known, and run as they were read. Nothing is
fetched. Needs `numpy`, `onnxruntime` and `tokenizers` (the extra `semantic`), loaded at first use.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from onrecord.domain.embedding import MAX_DIMENSION, Spec, vector_of
from onrecord.domain.errors import EmbeddingError, ModelMismatch, ModelMissing

INSTALL: Final = "pip install 'onrecord[semantic]'"

#: Bytes of a model and of a tokenizer; more is not read.
MAX_MODEL: Final = 2 * 1024**3
MAX_TOKENIZER: Final = 64 * 1024**2

#: Ways to make one vector of those of a text's tokens.
POOLINGS: Final = ("mean", "cls")


class OnnxEmbedder:
    """The `Embedder` port over two files; texts stay in this process."""

    def __init__(
        self,
        name: str,
        *,
        model: str,
        tokenizer: str,
        form: str,
        pooling: str = "mean",
        max_tokens: int = 256,
        sha256: Sequence[str] = ("", ""),
    ) -> None:
        """`sha256` is what model and tokenizer have to have; empty where it is not known."""
        self._name = name
        self._paths = (model, tokenizer)
        self._sha256 = sha256
        self._form = form
        self._pooling = pooling
        self._max_tokens = max_tokens

    @property
    def where(self) -> str:
        """Where the texts go."""
        return "nowhere: it runs in this process"

    @cached_property
    def spec(self) -> Spec:
        """What its vectors mean; loads the model. Raises `ModelMissing`, `ModelMismatch`."""
        (ours,) = self._run(["dimension"])
        whole = hashlib.sha256(b"".join(hashlib.sha256(one).digest() for one in self._files))
        return Spec(
            model=self._name,
            digest=whole.hexdigest(),
            dimension=len(ours),
            pooling=self._pooling,
            form=self._form,
        )

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text; a text longer than the model reads is cut at its end."""
        return [vector_of(values) for values in self._run(texts)]

    @cached_property
    def _files(self) -> tuple[bytes, bytes]:
        model, tokenizer = (
            _read(path, most, sha256)
            for path, most, sha256 in zip(
                self._paths, (MAX_MODEL, MAX_TOKENIZER), self._sha256, strict=True
            )
        )
        return model, tokenizer

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """(session, tokenizer)."""
        # builds that report to their maker begin with the import; this is what they heed
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        try:
            runtime: Any = import_module("onnxruntime")
            tokenizers: Any = import_module("tokenizers")
        except ImportError as error:
            raise ModelMissing(details={"package": error.name or ""}, hint=INSTALL) from None
        options = runtime.SessionOptions()
        options.log_severity_level = 4
        # idle threads that spin would eat what the agent needs
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        model, words = self._files
        try:
            tokenizer = tokenizers.Tokenizer.from_str(words.decode("utf-8"))
            tokenizer.enable_truncation(max_length=self._max_tokens)
            tokenizer.no_padding()
            session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # noqa: BLE001 - the engines' errors have no base of their own
            raise EmbeddingError(
                "The model's files cannot be run. Recall goes on by words.",
                details={"model": self._name, "why": type(error).__name__},
            ) from None
        return session, tokenizer

    def _run(self, texts: Sequence[str]) -> list[list[float]]:
        session, tokenizer = self._loaded
        import numpy as np

        wanted = [one.name for one in session.get_inputs()]
        found: list[list[float]] = []
        for text in texts:
            # one by one: what a text means does not depend on what stands beside it
            try:
                ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
                given = {
                    "input_ids": ids,
                    "attention_mask": np.ones_like(ids),
                    "token_type_ids": np.zeros_like(ids),
                }
                out = session.run(None, {name: given[name] for name in wanted})[0]
            except Exception as error:  # noqa: BLE001 - the same
                raise EmbeddingError(
                    "The model could not read a text. Recall goes on by words.",
                    details={"model": self._name, "why": type(error).__name__},
                ) from None
            found.append(self._pooled(out))
        return found

    def _pooled(self, out: Any) -> list[float]:
        """The vector of an answer: of one text, by tokens or without, by dimensions."""
        shape: tuple[int, ...] = getattr(out, "shape", ())
        numbers = len(shape) in (2, 3) and all(shape) and out.dtype.kind in "fiu"
        one = out[0] if numbers else None
        if one is not None and one.ndim == 2:  # noqa: PLR2004 - tokens by dimensions
            one = one[0] if self._pooling == "cls" else one.mean(axis=0)
        if one is None or len(one) > MAX_DIMENSION:
            raise ModelMismatch(
                "The model's answer is no vector. Nothing was kept of it.",
                details={"model": self._name},
            )
        return [float(value) for value in one]


def _read(path: str, most: int, sha256: str) -> bytes:
    try:
        if os.stat(path).st_size > most:  # noqa: PTH116 - one look before the reading
            raise EmbeddingError(
                "A file of the model is too large. Nothing was loaded.",
                details={"file": os.path.basename(path), "limit_bytes": most},  # noqa: PTH119
            )
        found = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        # a path with a zero in it is no path
        raise ModelMissing(
            "A file of the model cannot be read. Recall goes on by words.",
            details={"file": Path(path).name, "why": type(error).__name__},
        ) from None
    if sha256 and hashlib.sha256(found).hexdigest() != sha256:
        raise ModelMismatch(
            "A file of the model is not the one that was checked. Nothing of it was run.",
            hint=INSTALL + " --force-reinstall",
            details={"file": Path(path).name, "sha256": sha256},
        )
    return found
