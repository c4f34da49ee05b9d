"""Where things are and what places are called: flags over environment over the user's file.

Light: the user's file is parsed only where there is one. Nothing here is policy; switches
and review policies live in the store, where only a person can set them.
"""
# pathlib costs more than the rest of the hook:
# ruff: noqa: PTH111, PTH118, PTH113, PTH123

from __future__ import annotations

import os

from onrecord.capture.agents.base import as_list, as_mapping
from onrecord.domain.errors import ConfigInvalid, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: The environment variables that are read; all of them say where or how long, never who.
VARIABLES = ("ONRECORD_DB", "ONRECORD_CONFIG", "ONRECORD_HOOK_DEADLINE_MS", "ONRECORD_DELIVER")

#: Scope kinds whose names come from path globs in the user's file, by table.
PLACES = {"projects": "project", "workspaces": "workspace", "workstreams": "workstream"}

#: Tables of the user's file that are kept as they stand, for what reads them.
TABLES = ("agents", "files", "semantic", "summaries")

#: A hook that takes longer says nothing.
HOOK_DEADLINE_MS = 300


class Config:
    """What was configured."""

    __slots__ = ("odd", "places", "store", "tables")

    def __init__(
        self,
        *,
        store: str,
        places: list[tuple[str, str, str]],
        tables: Mapping[str, Mapping[str, object]],
        odd: tuple[str, ...] = (),
    ) -> None:
        #: path of the store's file
        self.store = store
        #: (scope kind, name, path glob)
        self.places = places
        #: one of TABLES -> what the user's own file says there
        self.tables = tables
        #: those of TABLES that are given as something else, and so are not read
        self.odd = odd


def data_folder(environ: Mapping[str, str]) -> str:
    """The platform's folder for a user's data; raises `UsageError` where there is no home."""
    if os.uname().sysname == "Darwin":
        return os.path.join(_home(environ), "Library", "Application Support", "onrecord")
    base = _absolute(environ.get("XDG_DATA_HOME")) or os.path.join(
        _home(environ), ".local", "share"
    )
    return os.path.join(base, "onrecord")


def config_file(environ: Mapping[str, str]) -> str:
    """The user's own configuration file; it may be absent. Empty where there is no home."""
    given = environ.get("ONRECORD_CONFIG")
    if given:
        return given
    try:
        base = _absolute(environ.get("XDG_CONFIG_HOME")) or os.path.join(_home(environ), ".config")
    except UsageError:
        return ""
    return os.path.join(base, "onrecord", "config.toml")


def load(environ: Mapping[str, str], *, store: str = "", name: str = "") -> Config:
    """The configuration: `store` is a path and `name` a named store, both from flags.

    A relative path in the configuration file counts from that file's folder.
    """
    file = config_file(environ)
    given = _read(file)
    where = store or environ.get("ONRECORD_DB")
    if not where and (told := _text(given.get("store"))):
        where = os.path.join(os.path.dirname(file), os.path.expanduser(told))  # noqa: PTH120 - light
    if not where or name:
        _check_name(name)
        where = os.path.join(data_folder(environ), f"{name}.db" if name else "memory.db")
    try:
        path = os.path.abspath(os.path.expanduser(where))  # noqa: PTH100 - light
    except OSError:
        raise UsageError(
            "The folder that this was started in is gone, so a relative path means nothing.",
            hint="Give the store's whole path.",
        ) from None
    tables = {name: as_mapping(given.get(name)) for name in TABLES}
    odd = tuple(name for name in TABLES if not isinstance(given.get(name, {}), dict))
    return Config(store=path, places=_places(given), tables=tables, odd=odd)


def own_stores(environ: Mapping[str, str]) -> list[str]:
    """Paths of the stores that a user has without naming a path, there or not, or their lists.

    The usual one, the configured one, and whatever lies in the folder of a user's data.
    """
    try:
        folder = data_folder(environ)
        without = {name: value for name, value in environ.items() if name != "ONRECORD_DB"}
        found = [load(environ).store, load(without).store, os.path.join(folder, "memory.db")]
    except (ConfigInvalid, UsageError):
        return []
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - light
    except OSError:
        names = []
    ends = (".db", ".db.erasures")
    found += [os.path.join(folder, name) for name in names if name.endswith(ends)]
    return list(dict.fromkeys(path.removesuffix(".erasures") for path in found))


def _home(environ: Mapping[str, str]) -> str:
    """The user's home folder, from the account where HOME does not say."""
    home = _absolute(environ.get("HOME"))
    if home:
        return home
    try:
        import pwd  # noqa: PLC0415 - only where HOME is missing

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        raise UsageError(
            "There is no home folder to keep a store in.",
            hint="Set HOME, or say where the store is: --db PATH, or ONRECORD_DB.",
        ) from None


def _absolute(path: str | None) -> str:
    return path if path and os.path.isabs(path) else ""  # noqa: PTH117 - light


def _check_name(name: str) -> None:
    if name and not (name.replace("-", "").replace("_", "").isalnum() and len(name) < 64):  # noqa: PLR2004
        raise UsageError("A store's name is made of letters, digits, `-` and `_`.")


def _read(path: str) -> Mapping[str, object]:
    if not os.path.isfile(path):
        return {}
    import tomllib  # noqa: PLC0415 - only where there is a file

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (OSError, ValueError) as error:
        raise _unread(path, error) from None


def _unread(path: str, error: Exception) -> ConfigInvalid:
    """What is wrong with the file, and where; never a word of it."""
    line, why = 0, "it is no file of TOML in UTF-8"
    if isinstance(error, OSError):
        why = os.strerror(error.errno or 0)
    elif isinstance(error, UnicodeDecodeError):
        line, why = error.object.count(b"\n", 0, error.start) + 1, "it is not UTF-8"
    else:
        told, _, place = str(error).rpartition(" (at ")
        number = place.removeprefix("line ").partition(",")[0]
        if told:
            why = _without_words(told)
        line = int(number) if number.isdigit() else _last_line(path)
    where = f", line {line}" if line else ""
    return ConfigInvalid(
        f"Your configuration file cannot be read{where}: {why[:1].lower()}{why[1:]}.",
        hint=f"Repair or remove {path}",
        details={"path": path, "line": line} if line else {"path": path},
    )


def _without_words(told: str) -> str:
    """A reason up to what it quotes of the file; signs like `=` may stand."""
    for quote in ("'", '"'):
        parts = told.split(quote)
        if any(len(part) > 3 for part in parts[1::2]):  # noqa: PLR2004 - signs are shorter
            told = parts[0].rstrip()
    return told


def _last_line(path: str) -> int:
    """The number of the last line, where a file ends too early."""
    with open(path, "rb") as file:
        return max(1, len(file.read().splitlines()))


def _places(given: Mapping[str, object]) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for table, kind in PLACES.items():
        for name, globs in as_mapping(given.get(table)).items():
            for glob in as_list(globs) or [globs]:
                if isinstance(glob, str):
                    found.append((kind, name, os.path.expanduser(glob)))  # noqa: PERF401
    return found


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def hook_deadline_ms(environ: Mapping[str, str]) -> int:
    """After how many milliseconds a hook ends without an answer: 10 to 60,000."""
    value = environ.get("ONRECORD_HOOK_DEADLINE_MS", "")
    fits = value.isascii() and value.isdigit() and len(value) < 6  # noqa: PLR2004
    return min(max(int(value), 10), 60_000) if fits else HOOK_DEADLINE_MS
