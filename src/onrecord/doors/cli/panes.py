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
_LOOKS = 100
#: Letters and digits at a text's end by which it is known on the screen.
_END = 24
#: What clients show instead of a long text begins so: `[Pasted text #1 +9 lines]`.
_INSTEAD = "[paste"


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
    there: a shell would run what it is given. Enter follows once the end of the text is shown,
    or what the program shows instead: a dialog that opens meanwhile is not answered. Raises
    `OnrecordError` where it does not go, or is left there without Enter.
    """
    line = " ".join(text.split())
    plain = "".join(char for char in line if char.isprintable())
    before = _shown(pane)
    if (
        before is None
        or not process.reads_terminal(pid)
        or _tmux("load-buffer", "-b", "onrecord", "-", given=plain) is None
        or _tmux("paste-buffer", "-p", "-d", "-b", "onrecord", "-t", pane) is None
    ):
        raise OnrecordError(
            "Nothing was sent in that pane.",
            hint="Its agent does not read there. Paste it yourself: onrecord pack",
        )
    if (
        not _took_in(pane, _marks(before, plain), plain)
        or not process.reads_terminal(pid)
        or _tmux("send-keys", "-t", pane, "Enter") is None
    ):
        raise OnrecordError(
            "The text was pasted into that pane but not sent: its end is not shown there.",
            hint="Go there, and press Enter where the text stands whole; else paste it yourself:"
            " onrecord pack",
        )
    _tmux("select-window", "-t", pane)
    _tmux("select-pane", "-t", pane)


def _shown(pane: str) -> str | None:
    return _tmux("capture-pane", "-p", "-t", pane)


def _took_in(pane: str, before: tuple[int, int], text: str) -> bool:
    """Wait until a pane shows what was pasted, and says whether it does so still.

    Gemini CLI takes an Enter that follows a paste at its heels for a part of what was pasted.
    """
    for _ in range(_LOOKS):
        time.sleep(_LOOK_S)
        if _has_more(_shown(pane), before, text):
            time.sleep(_LOOK_S)
            return _has_more(_shown(pane), before, text)
    return False


def _has_more(shown: str | None, before: tuple[int, int], text: str) -> bool:
    marks = _marks(shown or "", text)
    return any(now > then for now, then in zip(marks, before, strict=True))


def _marks(shown: str, text: str) -> tuple[int, int]:
    """How often a screen shows a text's end, however it is wrapped and framed, or a stand-in."""
    end = _letters(text)[-_END:]
    ends = _letters(shown).count(end) if end else shown.count(text)
    return ends, shown.casefold().count(_INSTEAD)


def _letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


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
