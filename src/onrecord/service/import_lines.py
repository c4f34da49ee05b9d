"""Reading a file of memories that anybody may have made: bounded, strict, line by line.

The first line is the header that `onrecord export` writes; each further one is one item in the
shape of docs/reference/json.md. What is not known is passed over, what is known has to fit. The
file is read twice: once to check all of it, and once to take it in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NoReturn

from onrecord.capture.formats.foreign import Skipped
from onrecord.capture.formats.strict_json import Json, parsed
from onrecord.domain.errors import BadField
from onrecord.domain.plural import counted
from onrecord.domain.scope import Place
from onrecord.service.entries import Entry, WrongFieldError, entry_of

#: Bounds of a file: bytes of a line, items, levels of nesting, bytes of the whole.
MAX_LINE = 1 << 20
MAX_ITEMS = 100_000
MAX_DEPTH = 64
MAX_BYTES = 512 << 20

#: The newest form of the file that is read.
FORM = 1

_PRINT = 8


class ImportFile:
    """A file of memories in the form that `onrecord export` writes."""

    def __init__(self, stream: BinaryIO, name: str, place: Place) -> None:
        """`stream` is a regular file, opened for bytes; `name` is what its items rest on."""
        self._stream = stream
        self._place = place
        self.name = name
        self._prints = bytearray()
        self._count: int | None = None

    def check(self) -> int:
        """Read all of it and say how many items it has; raises `BadField` at the first fault."""
        if self._count is None:
            self._count = self._checked()
        return self._count

    def _checked(self) -> int:
        self._prints.clear()
        count = 0
        wanted: int | None = None
        for number, raw in self._lines():
            self._prints += _print_of(raw)
            if number == 1:
                wanted = _header(_parsed(raw, number))
            elif raw.strip():
                count += 1
                self._entry(raw, number)
        if not self._prints:
            _fail(1, "The file is empty.")
        if wanted is not None and wanted != count:
            _fail(
                count + 1,
                f"The file ends after {counted(count, 'item')}; its first line says {wanted}.",
            )
        return count

    def entries(self) -> Iterator[Entry]:
        """The items, in the file's order; raises `BadField` where it changed since the check."""
        for number, raw in self._lines():
            at = (number - 1) * _PRINT
            if bytes(self._prints[at : at + _PRINT]) != _print_of(raw):
                _fail(number, "The file changed while it was read.")
            if number > 1 and raw.strip():
                yield self._entry(raw, number)

    def skipped(self) -> Sequence[Skipped]:
        """Nothing: one wrong line keeps all of the file out."""
        return ()

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """Its lines with their numbers, within the bounds."""
        self._stream.seek(0)
        total, number = 0, 0
        while raw := self._stream.readline(MAX_LINE + 1):
            number += 1
            total += len(raw)
            if len(raw) > MAX_LINE:
                _fail(number, f"The line is over its limit of {MAX_LINE:,} bytes.")
            if number > MAX_ITEMS + 1:
                _fail(number, f"The file has more than {MAX_ITEMS:,} items.")
            if total > MAX_BYTES:
                _fail(number, f"The file is over its limit of {MAX_BYTES:,} bytes.")
            yield number, raw

    def _entry(self, raw: bytes, number: int) -> Entry:
        try:
            return entry_of(_parsed(raw, number), number, self._place)
        except WrongFieldError as wrong:
            _fail(number, wrong.say, wrong.field)


def _fail(line: int, what: str, field: str = "") -> NoReturn:
    """The error never holds text of the file."""
    details: dict[str, object] = {"line": line}
    if field:
        details["field"] = field
    raise BadField(
        f"Line {line}: {what} Nothing was imported.",
        hint="docs/howto/move.md says what a file has to look like.",
        details=details,
    )


def _print_of(raw: bytes) -> bytes:
    return hashlib.blake2b(raw, digest_size=_PRINT).digest()


def _parsed(raw: bytes, number: int) -> Json:
    try:
        return parsed(raw, max_depth=MAX_DEPTH)
    except ValueError:
        _fail(number, f"It is not a JSON object in UTF-8 of at most {MAX_DEPTH} levels.")


def _header(line: Json) -> int | None:
    """How many items there are to be, None where the header does not say."""
    if line.get("onrecord") != "export":
        _fail(
            1,
            'It is not a header. A file of memories begins with {"onrecord": "export",'
            f' "version": {FORM}}}.',
        )
    form = line.get("version")
    if not isinstance(form, int) or isinstance(form, bool) or form < 1:
        _fail(1, "`version` is missing or not what it should be.", "version")
    if form > FORM:
        _fail(1, f"A newer onrecord wrote it (form {form}; this one reads {FORM}).", "version")
    count = line.get("items")
    if count is None:
        return None
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MAX_ITEMS:
        _fail(1, f"`items` is not a number up to {MAX_ITEMS:,}.", "items")
    return count
