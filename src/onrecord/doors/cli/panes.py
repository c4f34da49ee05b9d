"""The person's tmux: which pane an agent runs in, new panes, and words typed into one."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence

from onrecord.capture import process
from onrecord.domain.errors import OnrecordError

_TIMEOUT_S = 10

#: A program is given so long to show what was pasted, look by look.
_LOOK_S = 0.1
_LOOKS = 30


def inside() -> bool:
    """Whether this terminal is a pane of a tmux that can be asked."""
    return bool(os.environ.get("TMUX")) and shutil.which("tmux") is not None


def pane_of(pid: int) -> str:
    """The pane that a process runs in, or an empty string."""
    if pid <= 0 or shutil.which("tmux") is None:
        return ""
    listed = _tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}")
    rows = (line.partition(" ") for line in (listed or "").splitlines())
    panes = {int(number): pane for pane, _, number in rows if number.isdigit()}
    line = [pid, *(above.pid for above in process.ancestors(pid))]
    return next((panes[one] for one in line if one in panes), "")


def split(words: Sequence[str], *, cwd: str, env: Mapping[str, str]) -> bool:
    """Run a program in a pane of its own beside this one."""
    place = ("split-window", "-h", "-c", _literal(cwd), *_variables(env))
    return _tmux(*place, "--", *words) is not None


def take_over(pane: str, words: Sequence[str], *, cwd: str, env: Mapping[str, str]) -> bool:
    """End what runs in a pane, and run a program there."""
    place = ("respawn-pane", "-k", "-t", pane, "-c", _literal(cwd), *_variables(env))
    return _tmux(*place, "--", *words) is not None


def type_into(pane: str, pid: int, text: str) -> None:
    """Paste a text into a program that reads in a pane, press Enter there, and show the pane.

    It goes as one line without control characters, and only while that program is what reads
    there: a shell would run what it is given. Raises `OnrecordError` where it does not go.
    """
    line = " ".join(text.split())
    plain = "".join(char for char in line if char.isprintable())
    before = _shown(pane)
    if (
        not process.reads_terminal(pid)
        or _tmux("load-buffer", "-b", "onrecord", "-", given=plain) is None
        or _tmux("paste-buffer", "-p", "-d", "-b", "onrecord", "-t", pane) is None
        or not _took_in(pane, before)
        or not process.reads_terminal(pid)
        or _tmux("send-keys", "-t", pane, "Enter") is None
    ):
        raise OnrecordError(
            "Nothing was sent in that pane.",
            hint="Its agent does not read there. Paste it yourself: onrecord pack",
        )
    _tmux("select-window", "-t", pane)
    _tmux("select-pane", "-t", pane)


def _shown(pane: str) -> str | None:
    return _tmux("capture-pane", "-p", "-t", pane)


def _took_in(pane: str, before: str | None) -> bool:
    """Wait until a pane shows what was pasted; says whether the pane is still there.

    Gemini CLI takes an Enter that follows a paste at its heels for a part of what was pasted.
    """
    for _ in range(_LOOKS):
        time.sleep(_LOOK_S)
        if _shown(pane) != before:
            break
    time.sleep(_LOOK_S)
    return _shown(pane) is not None


def _literal(cwd: str) -> str:
    """A folder as tmux takes it for itself: it would run what stands in #() there."""
    return cwd.replace("#", "##")


def _variables(env: Mapping[str, str]) -> list[str]:
    return [word for name, value in env.items() for word in ("-e", f"{name}={value}")]


def _tmux(*words: str, given: str = "") -> str | None:
    """What tmux printed; None where it could not do that."""
    try:
        done = subprocess.run(  # noqa: S603 - words, never a line for a shell
            ["tmux", *words],  # noqa: S607 - the person's own, as they start it
            input=given,
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return done.stdout if done.returncode == 0 else None
