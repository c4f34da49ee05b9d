"""One hook call from start to end, on the fast path.

The agent never waits for it: there is a deadline, and whatever goes wrong the hook exits 0
with nothing on stdout. It reads the store and writes only to the spool. What is printed is
the client's protocol and nothing else, in one write at the very end.
"""
# Modules that cost more than the rest of the hook are avoided; see the module-count test:
# ruff: noqa: PTH110

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` itself costs an enum
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call

#: Largest payload that is read, in bytes.
MAX_PAYLOAD = 4 * 1024 * 1024

#: The last fault's class name goes here, beside the store, for `doctor`.
FAULTS = ".hook-faults"


def main() -> None:
    """Run one hook call; never returns, never fails."""
    at = time.time_ns() // 1_000
    try:
        _run(sys.argv[1:], at)
    except BaseException as error:  # noqa: BLE001 - the agent must go on whatever happens
        _note_fault(error)
    os._exit(0)


def _run(argv: list[str], at: int) -> None:
    if len(argv) != 2:  # noqa: PLR2004 - client and event
        return
    from onrecord.config import load

    config = load(os.environ)
    _arm(config.hook_deadline_ms)
    payload = _read_payload()
    if not os.path.exists(config.store):
        return
    from onrecord.doors.hook.call import make_call

    call = make_call(argv[0], argv[1], payload, config=config, at=at)
    if call is None:
        return
    answer = _answer(call)
    if answer:
        _print(answer)
    _disarm()
    if call.event.name in ("session_end", "stop"):
        from onrecord.doors.hook.background import drain_later

        drain_later(config.store, always=call.event.name == "session_end")


def _answer(call: Call) -> str:
    """What to print. The observation is spooled first, and whatever happens to the answer."""
    name = call.event.name
    if name == "session_start":
        from onrecord.doors.hook.starting import answer_start

        return answer_start(call)
    if name == "prompt":
        from onrecord.doors.hook.prompting import answer_prompt

        return answer_prompt(call)
    if name == "post_tool":
        from onrecord.doors.hook.telling import answer_tool

        return answer_tool(call)
    call.observe()
    return ""


def _read_payload() -> bytes:
    parts: list[bytes] = []
    size = 0
    while size < MAX_PAYLOAD:
        part = os.read(0, 65_536)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _print(answer: str) -> None:
    raw = answer.encode("utf-8", "replace")
    while raw:
        raw = raw[os.write(1, raw) :]


def _arm(deadline_ms: int) -> None:
    _signal.signal(_signal.SIGALRM, lambda *_: os._exit(0))
    _signal.setitimer(_signal.ITIMER_REAL, deadline_ms / 1_000)


def _disarm() -> None:
    _signal.setitimer(_signal.ITIMER_REAL, 0)


def _note_fault(error: BaseException) -> None:
    """Leave the error's class and code for `doctor`; never its text."""
    try:
        from onrecord.config import load

        path = load(os.environ).store + FAULTS
        code = str(getattr(error, "code", ""))[:40]
        line = f"{time.time_ns() // 1_000} {type(error).__name__} {code}\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(path, flags, 0o600)
        if os.fstat(descriptor).st_size < 65_536:  # noqa: PLR2004 - enough lines for doctor
            os.write(descriptor, line.encode())
        os.close(descriptor)
    except BaseException:  # noqa: BLE001, S110 - nothing is left to try
        pass


if __name__ == "__main__":
    main()
