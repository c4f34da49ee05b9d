"""Start one command away from the tests, as if a person's terminal had started it.

Run as ``python -I -S supervisor.py TTY STATUS LIFELINE SOURCE CWD COMMAND...``; the first four
are file descriptors. TTY is the command's terminal, or -1 for none (then SOURCE is written to
as its output). The process detaches, so that init becomes its parent, waits for a byte on
LIFELINE (sent once the re-parenting is certain), and writes ``pid N`` and then ``exit N`` to
STATUS. When LIFELINE closes, the command's process group is killed: no test leaves one behind.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import termios


def become(tty: int, output: int, folder: str, command: list[str]) -> None:
    """Turn this process into the command, leader of a session of its own."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    if tty >= 0:
        fcntl.ioctl(tty, termios.TIOCSCTTY, 0)
        streams = (tty, tty, tty)
    else:
        streams = (os.open(os.devnull, os.O_RDONLY), output, output)
    for target, source in enumerate(streams):
        os.dup2(source, target)
    os.closerange(3, 256)
    os.chdir(folder)
    os.execvp(command[0], command)  # noqa: S606  # no shell stands between, on purpose


def _woken(_number: int, _frame: object) -> None:
    """Let the signal come through as a byte; ignored ones leave none."""


def supervise(child: int, status: int, lifeline: int) -> None:
    """Wait for the command; kill its group when the tests go away first."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, _woken)
    while True:
        done, code = os.waitpid(child, os.WNOHANG)
        if done:
            os.write(status, b"exit %d\n" % os.waitstatus_to_exitcode(code))
            return
        ready, _, _ = select.select([lifeline, woken], [], [])
        if lifeline in ready and not os.read(lifeline, 1):
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        if woken in ready:
            os.read(woken, 64)


def main() -> None:
    """Detach, start the command, report on it."""
    tty, status, lifeline, output = (int(word) for word in sys.argv[1:5])
    folder, command = sys.argv[5], sys.argv[6:]
    if os.fork():
        os._exit(0)
    os.setsid()
    if not os.read(lifeline, 1):
        os._exit(0)
    child = os.fork()
    if not child:
        try:
            become(tty, output, folder, command)
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(127)
    for descriptor in (tty, output):
        if descriptor >= 0:
            os.close(descriptor)
    os.write(status, b"pid %d\n" % child)
    supervise(child, status, lifeline)


if __name__ == "__main__":
    main()
