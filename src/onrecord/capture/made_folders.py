"""Folders that we made in a person's home for an agent CLI's settings, so that they go again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from onrecord.capture.agents.base import as_list
from onrecord.capture.private_folder import PrivateFolder

#: The file that holds their paths, a JSON list.
_FILE = "folders"


class MadeFolders:
    """What was made is known by its real path, in a folder of ours."""

    def __init__(self, path: str) -> None:
        """`path` is the folder that the list is kept in; it may be absent."""
        self._kept = PrivateFolder(path)

    def missing(self, files: Iterable[str]) -> list[str]:
        """The folders that have to be made before these files can be written."""
        found: dict[str, None] = {}
        for file in files:
            folder = Path(os.path.realpath(file)).parent
            while not folder.exists() and folder != folder.parent:
                found[str(folder)] = None
                folder = folder.parent
        return list(found)

    def note(self, folders: Iterable[str]) -> None:
        """These were made by us."""
        known = self._known()
        new = [folder for folder in folders if folder not in known and os.path.isdir(folder)]  # noqa: PTH112
        if new:
            self._write([*known, *new])

    def remove(self, files: Iterable[str]) -> None:
        """Take away the folders of these files that we made and nobody put anything into."""
        known = self._known()
        above = {str(up) for file in files for up in Path(os.path.realpath(file)).parents}
        ours = sorted((one for one in known if one in above), key=len, reverse=True)
        for folder in ours:
            try:
                os.rmdir(folder)  # noqa: PTH106 - never one that holds something, or a link
            except OSError:
                continue  # it is its client's by now
        if ours:
            self._write([one for one in known if one not in ours])

    def _known(self) -> list[str]:
        try:
            found = as_list(json.loads(self._kept.read(_FILE) or "[]"))
        except ValueError:
            return []
        return [one for one in found if isinstance(one, str)]

    def _write(self, folders: list[str]) -> None:
        self._kept.write(_FILE, json.dumps(folders))
