"""What a person's own configuration says of models of meanings: `[semantic]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from onrecord.capture.agents.base import as_mapping
from onrecord.domain.errors import UsageError

#: The packaged model, which needs no configuration.
PACKAGED = "minilm"
#: Nothing is embedded, and recall goes by words.
NONE = "none"

APIS = ("openai", "ollama")
POOLINGS = ("mean", "cls")

#: word of a model's table -> what it is
_WORDS: dict[str, type] = {
    "onnx": str,
    "tokenizer": str,
    "pooling": str,
    "max_tokens": int,
    "url": str,
    "api": str,
    "name": str,
    "key_env": str,
    "remote": bool,
    "timeout_s": int,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSettings:
    """One model: two files, or a server's."""

    #: what the person calls it
    name: str
    onnx: str = ""
    tokenizer: str = ""
    pooling: str = "mean"
    #: tokens that it reads of a text
    max_tokens: int = 256
    url: str = ""
    api: str = ""
    #: what the server calls it
    served: str = ""
    #: the environment variable that holds the server's key
    key_env: str = ""
    #: whether texts may be sent to another machine
    remote: bool = False
    timeout_s: int = 30


@dataclass(frozen=True, kw_only=True, slots=True)
class SemanticSettings:
    """The model that `reindex` takes, and every model by name."""

    model: str
    models: Mapping[str, ModelSettings]

    @property
    def off(self) -> bool:
        """Whether the person wants none."""
        return self.model == NONE

    def named(self, name: str) -> ModelSettings | None:
        """A configured model; None stands for the packaged one. Raises `UsageError`."""
        if name == PACKAGED:
            return None
        if name not in self.models:
            raise UsageError(
                f"There is no model `{name}` in [semantic.models].",
                hint="Known: " + ", ".join([PACKAGED, *self.models]),
                details={"model": name},
            )
        return self.models[name]


def settings_of(table: Mapping[str, object]) -> SemanticSettings:
    """The settings in the table; raises `UsageError` where one makes no sense."""
    models = {
        name: _model(name, as_mapping(given))
        for name, given in as_mapping(table.get("models")).items()
    }
    if PACKAGED in models or NONE in models:
        raise UsageError(f"A model in [semantic.models] is not called `{PACKAGED}` or `{NONE}`.")
    model = table.get("model", PACKAGED)
    if not isinstance(model, str) or model not in (PACKAGED, NONE, *models):
        raise UsageError(
            f"`model` in [semantic] is `{PACKAGED}`, `{NONE}`, or a name in [semantic.models].",
            details={"field": "model"},
        )
    return SemanticSettings(model=model, models=models)


def _model(name: str, table: Mapping[str, object]) -> ModelSettings:
    for word, value in table.items():
        kind = _WORDS.get(word)
        if kind is None or type(value) is not kind:
            raise UsageError(
                f"[semantic.models.{name}] holds a word that is unknown or of the wrong kind.",
                hint="Words: " + ", ".join(_WORDS),
                details={"field": word},
            )
    given = {("served" if word == "name" else word): table[word] for word in table}
    made = ModelSettings(name=name, **given)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    problem = _problem(made)
    if problem:
        raise UsageError(f"[semantic.models.{name}]: {problem}", details={"model": name})
    return made


def _problem(made: ModelSettings) -> str:
    """What is wrong with a model's table, the first of it; empty where nothing is."""
    served = made.api in APIS and bool(made.served)
    checks = (
        (
            bool(made.onnx) != bool(made.url),
            "a model has either `onnx` and `tokenizer`, or `url`, `api` and `name`.",
        ),
        (not made.onnx or bool(made.tokenizer), "`onnx` needs its `tokenizer` file."),
        (not made.url or served, "`url` needs `api` (openai or ollama) and a `name` there."),
        (made.pooling in POOLINGS, "`pooling` is mean or cls."),
        (8 <= made.max_tokens <= 8_192, "`max_tokens` is a number from 8 to 8192."),  # noqa: PLR2004 - said there
        (1 <= made.timeout_s <= 600, "`timeout_s` is a number from 1 to 600."),  # noqa: PLR2004 - the same
    )
    return next((problem for good, problem in checks if not good), "")
