"""One hook call from start to end, on the fast path.

The agent never waits for it: there is a deadline, and whatever goes wrong the hook exits 0
with nothing on stdout. It reads the store and writes only to the spool. What is printed is
the client's protocol and nothing else, in one write at the very end.
"""
# Modules that cost more than the rest of the hook are avoided; see the module-count test:
# ruff: noqa: PTH110

from __future__ import annotations

import _thread
import gc
import os
import stat
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call

#: Largest payload that is read, in bytes; of a larger one nothing is kept.
MAX_PAYLOAD = 16 * 1024 * 1024

#: What went wrong goes here, beside the store, for `doctor`: a line of time, class and code.
FAULTS = ".hook-faults"
MAX_FAULTS = 65_536

#: How long a hook whose time is up may take to note that, in seconds.
_LAST_WORD_S = 0.02


class OverDeadline(Exception):
    """The hook's time was up before it had an answer."""


class PayloadUnread(Exception):
    """What the client sent could not be read as its protocol."""


def main() -> None:
    """Run one hook call; never returns, never fails."""
    at = time.time_ns() // 1_000
    gc.disable()  # nothing lives long enough here to be worth looking for
    try:
        _keep_standard_streams()
        _run(sys.argv[1:], at)
    except BaseException as error:  # noqa: BLE001 - the agent must go on whatever happens
        _note_fault(error)
    os._exit(0)


def _run(argv: list[str], at: int) -> None:
    if len(argv) != 2:  # noqa: PLR2004 - client and event
        return
    from onrecord.doors.hook.loading import load_compiled, load_engine

    load_compiled()
    from onrecord.config import hook_deadline_ms, load

    _thread.start_new_thread(_watch, (hook_deadline_ms(os.environ) / 1_000,))
    payload = _read_payload()
    config = load(os.environ)
    if not os.path.exists(config.store):
        return
    load_engine()
    from onrecord.doors.hook.call import make_call

    call = make_call(argv[0], argv[1], payload, config=config, at=at)
    if call is None:
        return
    answer = _answer(call)
    if answer:
        _print(answer)
    if call.event.name in ("session_end", "stop"):
        from onrecord.doors.hook.background import drain_later

        drain_later(config.store, always=call.event.name == "session_end")
    elif call.event.source == "compact" and config.tables["summaries"]:
        from onrecord.doors.hook.background import drain_later

        drain_later(config.store, always=True)


def _answer(call: Call) -> str:
    """What to print. The observation is spooled first, and whatever happens to the answer."""
    name = call.event.name
    if name == "session_start":
        from onrecord.doors.hook.starting import answer_start

        return answer_start(call)
    if name == "prompt":
        from onrecord.doors.hook.prompting import answer_prompt

        return answer_prompt(call)
    if name == "post_tool" and "onrecord" in call.event.tool:
        from onrecord.doors.hook.telling import answer_tool

        return answer_tool(call)
    if name == "stop":
        from onrecord.doors.hook.stopping import answer_stop

        return answer_stop(call)
    if name in ("post_tool", "tool_failure"):
        from onrecord.doors.hook.failing import answer_failure

        return answer_failure(call)
    if name == "pre_compact" and call.event.reason in call.spec.compactions:
        # nothing else will tell that the context was given up
        call.event.name, call.event.source = "session_start", "compact"
    if name != "other":
        call.observe()
    return ""


def _read_payload() -> bytes:
    """All of stdin, so that the client never meets a closed pipe; empty where it is too much."""
    parts: list[bytes] = []
    size = 0
    while part := os.read(0, 1 << 20):
        size += len(part)
        if size <= MAX_PAYLOAD:
            parts.append(part)
    if size > MAX_PAYLOAD:
        raise PayloadUnread
    return b"".join(parts)


def _print(answer: str) -> None:
    raw = answer.encode("utf-8", "replace")
    while raw:
        raw = raw[os.write(1, raw) :]


def _watch(seconds: float) -> None:
    """End the process when its time is up, be it inside the engine or a slow file system."""
    time.sleep(seconds)
    _thread.start_new_thread(_note_fault, (OverDeadline(),))
    time.sleep(_LAST_WORD_S)
    os._exit(0)


def _keep_standard_streams() -> None:
    """Closed ones become null devices, so that no file of ours is ever taken for stdout."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _note_fault(error: BaseException) -> None:
    """Leave the error's class and code for `doctor`; never its text."""
    try:
        from onrecord.config import load

        code = str(getattr(error, "code", ""))[:40]
        line = f"{time.time_ns() // 1_000} {type(error).__name__} {code}".rstrip() + "\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(load(os.environ).store + FAULTS, flags | os.O_CLOEXEC, 0o600)
        found = os.fstat(descriptor)
        ours = stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid()
        if ours and found.st_size < MAX_FAULTS:
            os.write(descriptor, line.encode())
        os.close(descriptor)
    except BaseException:  # noqa: BLE001, S110 - nothing is left to try
        pass


if __name__ == "__main__":
    main()
