"""What one agent CLI is: how to recognise it, read it, answer it and register with it.

Adding an agent CLI is one file beside this one that builds an `AgentSpec`, and one line in
`onrecord.capture.agents`. This module is on the hook's fast path: it imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from onrecord.capture.agents.launch import Launch

#: Canonical event names; every agent CLI's own names map to these.
EVENT_NAMES = (
    "session_start",
    "prompt",
    "pre_tool",
    "post_tool",
    "tool_failure",
    "pre_compact",
    "post_compact",
    "stop",
    "session_end",
    "subagent_start",
    "subagent_stop",
    "interrupt",
    "other",
)

#: Names on record of who is no agent CLI.
NOT_AGENTS = ("person", "user", "script", "mcp", "onrecord")

#: Longest context a client takes whole, with room to spare (both cut above 10,000).
CONTEXT_LIMIT = 9_500

#: Tools of our own server, as hooks name them.
OUR_TOOLS = "mcp__onrecord__.*"

_ESCAPES = {code: f"\\u{code:04x}" for code in range(32)} | {
    ord('"'): '\\"',
    ord("\\"): "\\\\",
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
}


def json_string(text: str) -> str:
    """The text as a JSON string literal; characters that UTF-8 cannot carry become `?`."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-8", "replace").decode()
    return '"' + text.translate(_ESCAPES) + '"'


def utf16_units(text: str) -> int:
    """The text's length as JavaScript counts it."""
    return len(text) + sum(1 for char in text if char > "\uffff")


def utf8_bytes(text: str) -> int:
    """The text's length in bytes of UTF-8."""
    return len(text.encode("utf-8", "replace"))


class Hook:
    """One hook that `connect` installs.

    `timeout_s` is in seconds; `matcher` is None where the hook runs for every occasion.
    """

    __slots__ = ("event", "matcher", "timeout_s")

    def __init__(self, event: str, *, matcher: str | None = None, timeout_s: int = 5) -> None:
        self.event = event
        self.matcher = matcher
        self.timeout_s = timeout_s


class ConfigFile:
    """One settings file of an agent CLI, and which of our entries go into it.

    `form` is `json`, `toml`, or `whole` for a file that is ours from end to end; `holds` names
    parts: `server`, `hooks`, `plugin`, `permissions`. `root` is the folder that the file may
    really lie in, links followed.
    """

    __slots__ = ("form", "holds", "path", "root")

    def __init__(self, path: str, *, form: str, holds: tuple[str, ...], root: str) -> None:
        self.path = path
        self.form = form
        self.holds = holds
        self.root = root


class CallIds:
    """What one MCP call says about where it comes from; empty strings where it says nothing.

    `session` is the client's session id, `thread` the subagent's id (empty in the main
    thread), `tool_use_id` joins the call to the hook before it. `headless` is None where
    the call does not tell.
    """

    __slots__ = ("headless", "session", "thread", "tool_use_id")

    def __init__(
        self,
        *,
        session: str = "",
        thread: str = "",
        tool_use_id: str = "",
        headless: bool | None = None,
    ) -> None:
        self.session = session
        self.thread = thread
        self.tool_use_id = tool_use_id
        self.headless = headless


def as_mapping(value: object) -> Mapping[str, object]:
    """The JSON object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def as_list(value: object) -> list[object]:
    """The JSON array, or an empty one for anything else."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def text_of(value: object, key: str) -> str:
    """The id under `key` of a JSON object, or an empty string for anything else."""
    found = as_mapping(value).get(key)
    return found if isinstance(found, str) and is_id(found) else ""


def is_id(text: str) -> bool:
    """Whether the text can be an id of a client's: 1 to 200 printable characters.

    None begins as an option does: it is given back to the client on its command line.
    """
    fits = 0 < len(text) <= 200 and text.isprintable()  # noqa: PLR2004 - ten times a ULID
    return fits and not text.startswith("-")


def is_agent_name(text: str) -> bool:
    """Whether an agent can have that name: small letters, digits and `-`, 64 at most.

    What stands on record for somebody who is no agent CLI is none.
    """
    plain = text.isascii() and text.replace("-", "").isalnum() and text == text.lower()
    fits = plain and text[0] != "-" and len(text) <= 64  # noqa: PLR2004 - as in a scope
    return fits and text not in NOT_AGENTS


def _no_ids(_meta: object) -> CallIds:
    return CallIds()


def _no_files(_home: str, _environ: Mapping[str, str]) -> tuple[ConfigFile, ...]:
    return ()


def _no_folders(_home: str, _environ: Mapping[str, str]) -> tuple[str, ...]:
    return ()


def _unknown(_environ: Mapping[str, str], _argv: tuple[str, ...]) -> bool | None:
    return None


def _never(_argv: tuple[str, ...]) -> bool:
    return False


class AgentSpec:
    """One agent CLI, as data. A spec without `hooks` and files is only recognised."""

    __slots__ = (
        "begins_at_once",
        "call_ids",
        "compactions",
        "config_files",
        "context_events",
        "context_length",
        "events",
        "executables",
        "forgets_context",
        "hook_variables",
        "hooks",
        "is_daemon",
        "is_headless",
        "launch",
        "name",
        "named_by_calls",
        "notes",
        "one_command",
        "permissions",
        "plugin",
        "programs",
        "reads_commas",
        "reads_comments",
        "scripts",
        "seen",
        "server",
        "servers",
        "silent_events",
        "timeout_unit",
        "title",
        "top_level_context",
        "transcripts",
        "variables",
        "whole_file",
    )

    #: programs that tell that it is installed
    programs: tuple[str, ...]
    #: the version that was seen running with onrecord; empty: from its documentation
    seen: str
    #: context stands at the top of an answer, not below `hookSpecificOutput`
    top_level_context: bool
    #: how many of its units of time a second has, in hook timeouts
    timeout_unit: int
    #: the text of the file that is ours from end to end, by the path of our hook program
    whole_file: Callable[[str], str] | None
    #: how its settings name our plugin, by home folder and environment
    plugin: Callable[[str, Mapping[str, str]], str] | None
    #: whether its settings may hold comments, and trailing commas
    reads_comments: bool
    reads_commas: bool
    #: what hooks gave is not in its history when a session goes on later
    forgets_context: bool
    #: whether its arguments say that the hooks of a new session's start and of its first prompt
    #: run side by side
    begins_at_once: Callable[[tuple[str, ...]], bool]
    #: what its MCP entry holds besides command and arguments
    server: Mapping[str, object]
    #: where its MCP servers stand in the file
    servers: tuple[str, ...]
    #: program and arguments are one list
    one_command: bool
    #: reads a call's `_meta`
    call_ids: Callable[[object], CallIds]
    #: its calls name their session themselves: one that does not is nobody's known, and its
    #: process, which may hold many sessions at once, is not asked
    named_by_calls: bool
    #: whether nobody sits at it, from variables and arguments; None for unknown
    is_headless: Callable[[Mapping[str, str], tuple[str, ...]], bool | None]
    #: whether a process with these arguments serves many sessions
    is_daemon: Callable[[tuple[str, ...]], bool]
    #: how it is started; None where it is no program of a terminal
    launch: Launch | None
    #: what sets off a compaction after which it starts nothing anew, in its own words: its next
    #: prompt is given the pack again
    compactions: tuple[str, ...]
    #: the folders that it keeps conversations in, by home folder and environment
    transcripts: Callable[[str, Mapping[str, str]], tuple[str, ...]]

    def __init__(
        self,
        *,
        name: str,
        title: str,
        executables: tuple[str, ...] = (),
        programs: tuple[str, ...] = (),
        seen: str = "",
        scripts: tuple[str, ...] = (),
        variables: tuple[str, ...] = (),
        hook_variables: tuple[str, ...] = (),
        events: Mapping[str, str] | None = None,
        context_events: tuple[str, ...] = (),
        silent_events: tuple[str, ...] = (),
        context_length: Callable[[str], int] = utf8_bytes,
        hooks: tuple[Hook, ...] = (),
        top_level_context: bool = False,
        forgets_context: bool = False,
        begins_at_once: Callable[[tuple[str, ...]], bool] = _never,
        compactions: tuple[str, ...] = (),
        timeout_unit: int = 1,
        whole_file: Callable[[str], str] | None = None,
        plugin: Callable[[str, Mapping[str, str]], str] | None = None,
        reads_comments: bool = False,
        reads_commas: bool | None = None,
        server: Mapping[str, object] | None = None,
        servers: tuple[str, ...] = ("mcpServers",),
        one_command: bool = False,
        permissions: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        config_files: Callable[[str, Mapping[str, str]], tuple[ConfigFile, ...]] = _no_files,
        call_ids: Callable[[object], CallIds] = _no_ids,
        named_by_calls: bool = False,
        is_headless: Callable[[Mapping[str, str], tuple[str, ...]], bool | None] = _unknown,
        is_daemon: Callable[[tuple[str, ...]], bool] = _never,
        launch: Launch | None = None,
        transcripts: Callable[[str, Mapping[str, str]], tuple[str, ...]] = _no_folders,
    ) -> None:
        #: the name in `--client NAME`, scopes and tables
        self.name = name
        #: what a person calls it
        self.title = title
        #: base names of its program; empty where a person's shells run below it
        self.executables = executables
        self.programs = programs or executables
        self.seen = seen
        #: ends of the path of its script, where an interpreter runs it
        self.scripts = scripts
        #: variables that it sets for what it runs (names; values are never read)
        self.variables = variables
        #: variables that it always sets for a hook; without them another client ran the hook
        self.hook_variables = hook_variables
        #: its event names -> EVENT_NAMES
        self.events = events or {}
        #: its events that take context for the model
        self.context_events = context_events
        #: its events that must be answered with nothing at all
        self.silent_events = silent_events
        #: how it measures context against its limit
        self.context_length = context_length
        self.hooks = hooks
        self.top_level_context = top_level_context
        self.forgets_context, self.begins_at_once = forgets_context, begins_at_once
        self.compactions = compactions
        self.timeout_unit = timeout_unit
        self.whole_file = whole_file
        self.plugin = plugin
        self.reads_comments = reads_comments
        self.reads_commas = reads_comments if reads_commas is None else reads_commas
        self.server = server or {}
        self.servers = servers
        self.one_command = one_command
        #: rules that let our tools run without asking
        self.permissions = permissions
        #: what a person does after connecting
        self.notes = notes
        self.config_files = config_files
        self.call_ids, self.named_by_calls = call_ids, named_by_calls
        self.is_headless, self.is_daemon = is_headless, is_daemon
        self.launch, self.transcripts = launch, transcripts

    def canonical(self, event: str) -> str:
        """The canonical name of one of its events; `other` for one that is not modelled."""
        return self.events.get(event, "other")

    def runs_hook(self, environ: Mapping[str, str]) -> bool:
        """Whether a hook with this environment was run by this client.

        Other clients read the same settings files; the variables tell them apart.
        """
        return all(name in environ for name in self.hook_variables)

    def fits(self, context: str) -> bool:
        """Whether the client passes this context to the model whole."""
        return self.context_length(context) <= CONTEXT_LIMIT

    def answer(self, event: str, context: str = "", system_message: str = "") -> str:
        """What a hook prints for `event` (the client's own name); empty for nothing.

        Context that does not fit is left out whole, since a fence that was cut is none. So
        is context on events that do not take it. An event that is not modelled is not
        answered: some put whatever is printed into the transcript.
        """
        if event in self.silent_events or event not in self.events:
            return ""
        parts: list[str] = []
        if system_message:
            parts.append('"systemMessage":' + json_string(system_message))
        if context and event in self.context_events and self.fits(context):
            told = '"additionalContext":' + json_string(context)
            if not self.top_level_context:
                echo = '"hookEventName":' + json_string(event)
                told = '"hookSpecificOutput":{' + echo + "," + told + "}"
            parts.append(told)
        return "{" + ",".join(parts) + "}" if parts else ""

    def hold(self, event: str, reason: str, *, stop_hook_active: bool) -> str:
        """The answer to a Stop that makes the agent go on once more, with `reason`.

        Empty when it is going on already, so that no agent is kept from stopping twice.
        """
        if stop_hook_active or self.canonical(event) != "stop" or not self.fits(reason):
            return ""
        return '{"decision":"block","reason":' + json_string(reason) + "}"
