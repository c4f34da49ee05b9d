"""Loading what a hook needs, which is most of its time: each module by its compiled file (light).

Python's own finder looks through the folders of the import path and asks each for every name;
here the place of a module is known. What is loaded is what Python would load: a compiled file
that does not belong to its source, or is not there, is left to Python.
"""
# ruff: noqa: PTH116, PTH120 - pathlib costs more than the rest of the hook

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType

#: The package that is loaded so, and the folders of it that lead to this file.
_PACKAGE = "onrecord"
_BELOW = f"{_PACKAGE}{os.sep}doors{os.sep}hook"

#: A compiled file begins with: the version of Python's code, flags, time and size of its source.
_HEADER = 16
_BY_TIME = b"\0\0\0\0"

#: A compiled file is read in one piece; none of ours is nearly that large.
_WHOLE = 1 << 20


class CompiledFinder:
    """Finds the modules of this package, and loads them: both ends of Python's import protocol."""

    def __init__(self, above: str, version: bytes, tag: str, spec: type[ModuleSpec]) -> None:
        self._above = above
        self._version = version
        self._cached = f"{os.sep}__pycache__{os.sep}"
        self._ending = f".{tag}.pyc"
        self._spec = spec

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        """Where a module comes from; None where Python is to look for it."""
        del path, target
        if not name.startswith(_PACKAGE + "."):
            return None
        folder, _, last = (self._above + name.replace(".", os.sep)).rpartition(os.sep)
        source = f"{folder}{os.sep}{last}.py"
        code = self._compiled(source, folder + self._cached + last + self._ending)
        package = code is None
        if code is None:
            folder += os.sep + last
            source = f"{folder}{os.sep}__init__.py"
            code = self._compiled(source, f"{folder}{self._cached}__init__{self._ending}")
        if code is None:
            return None
        spec = self._spec(name, None, origin=source, loader_state=code, is_package=package)
        # it has all that Python calls of a loader; to inherit from one costs an import
        spec.loader = self  # type: ignore[assignment] # pyright: ignore[reportAttributeAccessIssue]
        spec.has_location = True
        if package:
            spec.submodule_search_locations = [folder]
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Python makes the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the code that was found for it."""
        spec = module.__spec__
        if spec is not None:
            exec(spec.loader_state, module.__dict__)  # noqa: S102 - as Python's own loader does

    def _compiled(self, source: str, compiled: str) -> CodeType | None:
        """The code of a source; None where there is none that belongs to it as it is now."""
        try:
            found = os.stat(source)
            descriptor = os.open(compiled, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            data = os.read(descriptor, _WHOLE)
        finally:
            os.close(descriptor)
        stamp = (int(found.st_mtime) & 0xFFFFFFFF).to_bytes(4, "little")
        stamp += (found.st_size & 0xFFFFFFFF).to_bytes(4, "little")
        if data[:_HEADER] != self._version + _BY_TIME + stamp or len(data) == _WHOLE:
            return None
        code: CodeType = marshal.loads(data[_HEADER:])  # noqa: S302 - as Python's own loader does
        return code


def load_compiled() -> None:
    """Have the package's modules loaded by their compiled files from here on.

    Nothing is changed where Python was told to keep such files elsewhere or otherwise.
    """
    external = sys.modules.get("_frozen_importlib_external")
    tag = sys.implementation.cache_tag
    spec = sys.modules[__name__].__spec__
    if external is None or spec is None or not tag:
        return
    if sys.pycache_prefix or sys.flags.optimize:
        return
    above = os.path.dirname(__file__).removesuffix(_BELOW)
    finder = CompiledFinder(above, external.MAGIC_NUMBER, tag, type(spec))
    sys.meta_path.insert(0, finder)


def load_engine() -> None:
    """Import apsw without `collections`, of which it wants the abstract classes alone.

    Those are loaded with Python itself; the package around them costs as much as the engine.
    """
    if "collections" in sys.modules:
        return
    import _collections_abc

    package = type(sys)("collections")
    names = {"collections": package, "collections.abc": _collections_abc}
    package.abc = _collections_abc  # type: ignore[attr-defined]
    package.__path__ = []
    sys.modules.update(names)
    try:
        __import__("apsw")
    finally:
        for name in names:
            del sys.modules[name]
