"""A memory's text in the person's own editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from onrecord.domain.errors import Declined, UsageError
from onrecord.domain.item import Content, split

#: A line that starts like this is a remark of ours and is left out again.
_REMARK = "<!-- onrecord: "


def edited(content: Content, remark: str) -> Content:
    """The content after the editor; the first line is the title.

    Raises `Declined` where the editor failed or left nothing, and `UsageError` where there is
    none.
    """
    text = f"{_REMARK}{remark} -->\n{content.title}\n"
    if content.body:
        text += f"\n{content.body}\n"
    after = through_editor(text)
    lines = [line for line in after.splitlines() if not line.startswith(_REMARK)]
    title, body = split("\n".join(lines))
    if not title:
        raise Declined("The text was left empty, so nothing was changed.")
    return replace(content, title=title, body=body)


def through_editor(text: str) -> str:
    """The text as the person's own editor leaves it; no copy of it stays.

    Raises `Declined` where the editor failed, and `UsageError` where there is none.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="onrecord-") as folder:
        path = Path(folder) / "memory.md"
        path.touch(mode=0o600)
        path.write_text(text, encoding="utf-8")
        try:
            command = [*shlex.split(editor), str(path)]
            status = subprocess.run(command, check=False).returncode  # noqa: S603 - the person's own
            raw = path.read_bytes()
        except (OSError, ValueError):
            raise UsageError(
                "Your editor could not be started, so nothing was changed.",
                hint="Set VISUAL or EDITOR to one that is installed.",
            ) from None
        finally:
            if path.exists():
                path.write_bytes(b"\0" * path.stat().st_size)
    if status:
        raise Declined("The editor ended with an error, so nothing was changed.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError("The edited text is not valid UTF-8, so nothing was changed.") from None
