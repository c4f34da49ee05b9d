"""Processes: who started this one, and what speaks for or against a person at a terminal.

Only collects. Who counts as a person is decided in policy. Linux is read from /proc; other
systems are asked through `ps`, which costs a process and is not for the hook's fast path.
"""
# pathlib costs more than the rest of the hook:
# ruff: noqa: PTH110, PTH115, PTH119, PTH123

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from onrecord.capture.agents.base import AgentSpec

#: How far up the ancestors are followed.
MAX_DEPTH = 64

_MAX_ARGUMENT_BYTES = 32_768
_PROC = "/proc"
_PS_PATH = "/bin:/usr/bin"

#: Programs that stand between a client and what it starts, and are walked past. Interpreters
#: are not: what they run may itself be an agent.
_WRAPPERS = frozenset(
    (
        *("sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "tcsh", "csh", "busybox"),
        *("env", "nice", "timeout", "stdbuf", "setsid", "nohup", "setpriv", "bwrap"),
        *("direnv", "mise", "asdf", "uv", "uvx", "pipx", "cmd.exe", "powershell.exe", "pwsh"),
        *("onrecord", "onrecord-hook"),
    )
)
_INTERPRETERS = ("node", "node.exe", "bun", "deno")
_SANDBOXES = ("bwrap", "codex-linux-sandbox", "firejail")
_SANDBOX_VARIABLES = ("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED")
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"


class Process:
    """One process. `started` is the same for its whole life, and tells two with one id apart.

    `started` counts clock ticks since boot, or seconds since 1970 where `ps` was asked.
    `exe` is the program's path, or empty where it may not be read.
    """

    __slots__ = ("argv", "comm", "exe", "pid", "ppid", "started")

    def __init__(
        self,
        *,
        pid: int,
        ppid: int,
        started: int,
        comm: str,
        exe: str = "",
        argv: tuple[str, ...] = (),
    ) -> None:
        self.pid = pid
        self.ppid = ppid
        self.started = started
        self.comm = comm
        self.exe = exe
        self.argv = argv

    @property
    def cmdline0(self) -> str:
        """How it was called; the process itself may have rewritten it."""
        return self.argv[0] if self.argv else ""


class Evidence:
    """What `onrecord.policy.person` weighs; names only, never values."""

    __slots__ = ("ancestor", "sandboxed", "terminal", "variables")

    def __init__(
        self,
        *,
        ancestor: str | None,
        variables: tuple[str, ...],
        terminal: bool,
        sandboxed: bool,
    ) -> None:
        #: name of an agent CLI among the ancestors
        self.ancestor = ancestor
        #: names of agents' variables that are set, even to nothing
        self.variables = variables
        #: whether the controlling terminal really opens
        self.terminal = terminal
        #: whether an agent's sandbox hides the processes outside it
        self.sandboxed = sandboxed


def find(pid: int) -> Process | None:
    """The process of that id, or None when it is gone or may not be seen."""
    if os.path.exists(f"{_PROC}/self/stat"):
        return _from_proc(pid)
    return _from_ps().get(pid)


def alive(pid: int, started: int) -> bool:
    """Whether the process of that id and start time still runs."""
    found = find(pid) if pid > 0 else None
    return found is not None and found.started == started


def reads_terminal(pid: int) -> bool:
    """Whether a process runs in the foreground of its terminal, and is not stopped."""
    if os.path.exists(f"{_PROC}/self/stat"):
        try:
            with open(f"{_PROC}/{pid}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(") ")[2].split()
        except OSError:
            return False
        state, group, front = fields[0], fields[2], fields[5]
    else:
        fields = _asked("stat=,pgid=,tpgid=", pid)
        if len(fields) != 3:  # noqa: PLR2004 - the three that were asked for
            return False
        state, group, front = fields
    return state[0] not in "TtZX" and group == front


def _asked(columns: str, pid: int) -> list[str]:
    import subprocess  # noqa: PLC0415 - not on a hook's path

    try:
        done = subprocess.run(  # noqa: S603 - fixed words and a number
            ["ps", "-o", columns, "-p", str(pid)],  # noqa: S607 - from the system's own folders
            env={"PATH": _PS_PATH, "LC_ALL": "C"},
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.split()


def ancestors(pid: int) -> list[Process]:
    """The process's parent, its parent, and so on; the process itself is not among them."""
    return list(_up(pid))


def client_of(process: Process, specs: Iterable[AgentSpec]) -> AgentSpec | None:
    """The agent CLI that this process is, or None."""
    names = {
        os.path.basename(process.exe),
        os.path.basename(process.cmdline0),
        process.comm,
    }
    script = _script(process.argv) if names & set(_INTERPRETERS) else ""
    for spec in specs:
        if names & set(spec.executables) or (script and script.endswith(spec.scripts)):
            return spec
    return None


def may_be_client(process: Process, programs: Container[str]) -> bool:
    """Whether it is worth asking `client_of`: it has one of the names, or runs a script."""
    names = (_base(process), os.path.basename(process.cmdline0), process.comm)
    return any(name in programs or name in _INTERPRETERS for name in names)


def _script(argv: tuple[str, ...]) -> str:
    """What an interpreter runs: its first argument that is no option of its own."""
    return next((word for word in argv[1:] if not word.startswith("-")), "")


def own_client(pid: int, specs: Iterable[AgentSpec]) -> Process | None:
    """The client that runs the process: past shells and wrappers, the first client there is.

    None when something else stands in between, or when that client serves many sessions
    from one process: a wrong session is worse than none. Give every recognised spec, so that
    a client which cannot be connected is not walked past.
    """
    known = tuple(specs)
    for process in _up(pid):
        # A shell that runs a script named like the client is a person's wrapper around it.
        if _base(process) in _WRAPPERS:
            continue
        spec = client_of(process, known)
        if spec is not None:
            return None if spec.is_daemon(process.argv) else process
        if process.comm not in _WRAPPERS:
            return None
    return None


def client_above(pid: int, specs: Iterable[AgentSpec]) -> Process | None:
    """The first agent CLI up the ancestors, whatever stands in between; None for none."""
    known = tuple(specs)
    return next((one for one in _up(pid) if client_of(one, known) is not None), None)


def client_among(processes: Iterable[Process], specs: Iterable[AgentSpec]) -> str | None:
    """The name of the first agent CLI among the processes, however far up."""
    known = tuple(specs)
    for process in processes:
        spec = client_of(process, known)
        if spec is not None:
            return spec.name
    return None


def evidence(environ: Mapping[str, str], specs: Iterable[AgentSpec]) -> Evidence:
    """What can be seen of who started this process."""
    known = tuple(specs)
    line = ancestors(os.getpid())
    names = {name for spec in known for name in spec.variables}
    ancestor = client_among(line, known)
    inside = any(name in environ for name in _SANDBOX_VARIABLES)
    if line and line[-1].pid == 1:
        inside = inside or _base(line[-1]) in _SANDBOXES or client_of(line[-1], known) is not None
    return Evidence(
        ancestor=ancestor,
        variables=tuple(sorted(name for name in names if name in environ)),
        terminal=has_terminal(),
        sandboxed=inside,
    )


def has_terminal() -> bool:
    """Whether this process has a controlling terminal that really opens.

    File descriptors that are terminals prove nothing: an agent's sandbox hands out such.
    """
    try:
        descriptor = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    os.close(descriptor)
    return True


def _up(pid: int) -> Iterator[Process]:
    table = None if os.path.exists(f"{_PROC}/self/stat") else _from_ps()
    seen = {pid}

    def read(number: int) -> Process | None:
        return _from_proc(number) if table is None else table.get(number)

    process = read(pid)
    while process is not None and process.ppid > 0 and len(seen) <= MAX_DEPTH:
        if process.ppid in seen:
            return
        seen.add(process.ppid)
        process = read(process.ppid)
        if process is not None:
            yield process


def _base(process: Process) -> str:
    return os.path.basename(process.exe or process.cmdline0) or process.comm


def _from_proc(pid: int) -> Process | None:
    try:
        with open(f"{_PROC}/{pid}/stat", "rb") as file:
            head, _, tail = file.read(4096).rpartition(b")")
        fields = tail.split()
        if fields[0] in (b"Z", b"X"):
            return None
        ppid, started = int(fields[1]), int(fields[19])
    except (OSError, ValueError, IndexError):
        return None
    return Process(
        pid=pid,
        ppid=ppid,
        started=started,
        comm=head.partition(b"(")[2].decode("utf-8", "replace"),
        exe=_exe(pid),
        argv=_argv(pid),
    )


def _exe(pid: int) -> str:
    try:
        return os.readlink(f"{_PROC}/{pid}/exe").removesuffix(" (deleted)")
    except OSError:
        return ""


def _argv(pid: int) -> tuple[str, ...]:
    try:
        with open(f"{_PROC}/{pid}/cmdline", "rb") as file:
            raw = file.read(_MAX_ARGUMENT_BYTES)
    except OSError:
        return ()
    return tuple(part.decode("utf-8", "replace") for part in raw.rstrip(b"\0").split(b"\0"))


def _from_ps() -> dict[int, Process]:
    """Every process that `ps` shows, by id; empty where there is no `ps`."""
    names, arguments = _ps("comm"), _ps("args")
    found: dict[int, Process] = {}
    for pid, (ppid, started, program) in names.items():
        _, _, line = arguments.get(pid, (0, 0, ""))
        found[pid] = Process(
            pid=pid,
            ppid=ppid,
            started=started,
            comm=os.path.basename(program),
            exe=program if program.startswith("/") else "",
            argv=tuple(line.split()),
        )
    return found


def _ps(column: str) -> dict[int, tuple[int, int, str]]:
    import subprocess  # noqa: PLC0415 - only where there is no /proc

    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments
            ["ps", "-A", "-o", f"pid=,ppid=,state=,lstart=,{column}="],  # noqa: S607 - its place differs
            capture_output=True,
            timeout=5,
            check=False,
            env={"PATH": _PS_PATH, "LC_ALL": "C"},
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    rows: dict[int, tuple[int, int, str]] = {}
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        words = line.split(None, 8)
        if len(words) == 9 and not words[2].startswith("Z"):  # noqa: PLR2004 - the columns asked for
            rows[int(words[0])] = (int(words[1]), _epoch(words[3:8]), words[8].strip())
    return rows


def _epoch(words: list[str]) -> int:
    """Seconds since 1970 of `Mon Nov 30 02:00:27 2026`; 0 for anything else."""
    try:
        _, month, day, clock, year = words
        hour, minute, second = (int(part) for part in clock.split(":"))
        at = (int(year), _MONTHS.index(month) // 3 + 1, int(day), hour, minute, second, 0, 0, -1)
        return int(time.mktime(at))
    except (ValueError, OverflowError):
        return 0
