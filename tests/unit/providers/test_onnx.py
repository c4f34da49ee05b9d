"""Models in files: the packaged one and one at a path, as real as they are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from onrecord.domain.embedding import check_same
from onrecord.domain.errors import EmbeddingError, ModelMismatch, ModelMissing
from onrecord.providers import minilm
from onrecord.providers.onnx import OnnxEmbedder

FORM = "test/1"


@pytest.fixture(scope="module")
def packaged() -> OnnxEmbedder:
    """The model that the extra installs."""
    return minilm.open_minilm("minilm", FORM)


def at(folder: Path, pooling: str = "mean") -> OnnxEmbedder:
    """The packaged files at a path of a person's own."""
    for name, of in (("model.onnx", minilm.MODEL), ("tokenizer.json", minilm.TOKENIZER)):
        shutil.copy(minilm.file_of(*of[:2]), folder / name)
    return OnnxEmbedder(
        "mine",
        model=str(folder / "model.onnx"),
        tokenizer=str(folder / "tokenizer.json"),
        form=FORM,
        pooling=pooling,
    )


def likeness(left: bytes, right: bytes) -> float:
    """Cosine of two vectors."""
    a, b = (np.frombuffer(one, dtype=np.int8).astype(np.float32) for one in (left, right))
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_what_means_the_same_is_nearer_than_what_does_not(packaged: OnnxEmbedder) -> None:
    """Without a word in common."""
    asked, same, other = packaged.embed(
        ["how do crooks cheat us", "Fraudsters reuse stolen payment cards", "Use tabs in Go code"]
    )

    assert likeness(asked, same) > likeness(asked, other) + 0.1


def test_the_packaged_model_says_what_it_is(packaged: OnnxEmbedder) -> None:
    """384 signed bytes; texts go nowhere."""
    assert packaged.spec.dimension == 384
    assert [len(one) for one in packaged.embed(["a", "", "東京 " * 2_000])] == [384] * 3
    assert (packaged.spec.model, packaged.spec.pooling) == ("minilm", "mean")
    assert "this process" in packaged.where


def test_a_text_means_the_same_beside_any_other(packaged: OnnxEmbedder) -> None:
    """One by one or together."""
    texts = ["short", "a much longer text that would pad the short one", "東京"]

    assert packaged.embed(texts) == [packaged.embed([text])[0] for text in texts]


def test_a_model_at_a_path_works_as_well(tmp_path: Path, packaged: OnnxEmbedder) -> None:
    """The same files give the same vectors; another name or pooling is another spec."""
    mine = at(tmp_path)

    assert mine.embed(["the night shift"]) == packaged.embed(["the night shift"])
    assert mine.spec.digest == packaged.spec.digest
    with pytest.raises(ModelMismatch, match="model differs"):
        check_same(packaged.spec, mine.spec)
    with pytest.raises(ModelMismatch, match="pooling differs"):
        check_same(mine.spec, at(tmp_path, pooling="cls").spec)
    check_same(mine.spec, at(tmp_path).spec)


def test_a_changed_file_is_not_run(tmp_path: Path) -> None:
    """One byte more is another file: refused by name, before anything is loaded."""
    at(tmp_path)
    with (tmp_path / "model.onnx").open("ab") as file:
        file.write(b"x")
    changed = OnnxEmbedder(
        "minilm",
        model=str(tmp_path / "model.onnx"),
        tokenizer=str(tmp_path / "tokenizer.json"),
        form=FORM,
        sha256=(minilm.MODEL[2], minilm.TOKENIZER[2]),
    )

    with pytest.raises(ModelMismatch) as told:
        changed.embed(["text"])
    assert told.value.details["file"] == "model.onnx"


def test_a_missing_or_broken_file_is_told(tmp_path: Path) -> None:
    """With the file's name, and without any text."""
    good = at(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(EmbeddingError) as broken:
        good.embed(["a text of somebody"])
    (tmp_path / "model.onnx").unlink()
    with pytest.raises(ModelMissing) as missing:
        OnnxEmbedder(
            "mine",
            model=str(tmp_path / "model.onnx"),
            tokenizer=str(tmp_path / "tokenizer.json"),
            form=FORM,
        ).embed(["a text of somebody"])

    assert missing.value.details["file"] == "model.onnx"
    for told in (broken, missing):
        assert "somebody" not in f"{told.value.message} {told.value.details}"


def test_a_text_that_cannot_be_read_is_told(packaged: OnnxEmbedder) -> None:
    """Half a character, say: an error that recall heeds, and without the text."""
    with pytest.raises(EmbeddingError) as told:
        packaged.embed(["somebody's \ud800"])

    assert "somebody" not in f"{told.value.message} {told.value.details}"


@pytest.mark.parametrize(
    "answer", [np.zeros((0, 3)), np.float32(1), np.array([["a", "b"]]), [[1.0, 2.0]], None]
)
def test_an_answer_that_is_no_vector_is_told(
    packaged: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch, answer: object
) -> None:
    """Whatever a file of somebody's own gives."""
    session, tokenizer = packaged._loaded  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - its answer alone is another

    class Odd:
        """The session, but for what it answers."""

        get_inputs = session.get_inputs

        def run(self, *_: object) -> list[object]:
            """Something else."""
            return [answer]

    monkeypatch.setitem(packaged.__dict__, "_loaded", (Odd(), tokenizer))
    with pytest.raises(ModelMismatch):
        packaged.embed(["text"])


def test_a_path_that_is_none_is_told() -> None:
    """As a file that is not there."""
    with pytest.raises(ModelMissing):
        OnnxEmbedder("mine", model="a\0b", tokenizer="t", form=FORM).embed(["text"])


def test_a_package_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to install."""
    monkeypatch.setattr(minilm, "MODEL", ("no_such_package_of_a_model", "model.onnx", ""))

    with pytest.raises(ModelMissing) as told:
        minilm.open_minilm("minilm", FORM)
    assert "onrecord[semantic]" in told.value.hint


def test_running_a_model_leaves_nothing_behind(tmp_path: Path) -> None:
    """No file in the home: no device id, no report that waits to be sent."""
    program = (
        "from onrecord.providers.minilm import open_minilm; "
        "open_minilm('minilm', 'test/1').embed(['a text'])"
    )
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))
    }
    subprocess.run(
        [sys.executable, "-B", "-c", program],
        env={**env, "HOME": str(tmp_path)},
        cwd=tmp_path,
        check=True,
        timeout=120,
    )

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_what_runs_models_cannot_report_to_its_maker() -> None:
    """The installed build has nothing to do it with."""
    found = find_spec("onnxruntime")
    assert found is not None
    assert found.origin is not None
    libraries = list((Path(found.origin).parent / "capi").glob("*.so*"))

    assert libraries
    assert not [path for path in libraries if b"telemetry_1ds" in path.read_bytes()]
