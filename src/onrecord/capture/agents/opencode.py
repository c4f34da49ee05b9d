"""OpenCode: a small plugin that runs our hook program, and its settings file.

OpenCode has no hook commands. The plugin is a file that `connect` writes and the settings
name; it hands our hook what other agent CLIs send by themselves, and puts what the hook
answers among the system texts of that session.
"""

from __future__ import annotations

from onrecord.capture.agents.base import AgentSpec, ConfigFile, Hook, json_string, utf16_units
from onrecord.capture.agents.launch import Launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_PLUGIN = """\
// Made by `onrecord connect`; `onrecord connect opencode --remove` takes it away.
import { spawn, spawnSync } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"

const program = @PROGRAM@
const data = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share")
const transcript_path = join(data, "opencode", "opencode.db")
const patience = 5000

const payload = (event, session, cwd, more) =>
  JSON.stringify({ hook_event_name: event, session_id: session, transcript_path, cwd, ...more })

// What the hook answers; nothing where it fails, for OpenCode goes on whatever happens.
const ask = (event, session, cwd, more = {}) =>
  new Promise((resolve) => {
    let said = ""
    try {
      const hook = spawn(program, ["opencode", event], {
        cwd,
        env: { ...process.env, ONRECORD_OPENCODE: "1" },
        stdio: ["pipe", "pipe", "ignore"],
        timeout: patience,
      })
      hook.on("error", () => resolve(""))
      hook.stdin.on("error", () => {})
      hook.stdout.on("data", (part) => (said += part))
      hook.on("close", () => {
        try {
          resolve(JSON.parse(said).hookSpecificOutput?.additionalContext ?? "")
        } catch {
          resolve("")
        }
      })
      hook.stdin.end(payload(event, session, cwd, more))
    } catch {
      resolve("")
    }
  })

export const Onrecord = async ({ directory }) => {
  const standing = new Map() // session -> what its start was given
  const passing = new Map() // session -> what its last prompt was given
  const children = new Set() // sessions of subagents
  const resumed = new Set()
  let over = false

  const begin = async (session) => {
    if (!session || children.has(session) || standing.has(session)) return
    standing.set(session, "")
    const source = resumed.has(session) ? "resume" : "startup"
    standing.set(session, await ask("SessionStart", session, directory, { source }))
  }
  const end = () => {
    if (over) return
    over = true
    for (const session of standing.keys()) {
      spawnSync(program, ["opencode", "SessionEnd"], {
        cwd: directory,
        env: { ...process.env, ONRECORD_OPENCODE: "1" },
        input: payload("SessionEnd", session, directory, { reason: "exit" }),
        timeout: 2000,
        stdio: ["pipe", "ignore", "ignore"],
      })
    }
  }
  process.on("exit", end)

  const fresh = new Set()
  return {
    event: async ({ event }) => {
      const told = event.properties ?? {}
      if (event.type === "session.created") {
        fresh.add(told.sessionID)
        if (told.info?.parentID) children.add(told.sessionID)
      }
      if (event.type === "session.idle" && standing.has(told.sessionID))
        await ask("Stop", told.sessionID, directory)
    },
    "chat.message": async (input, output) => {
      const session = input.sessionID
      if (children.has(session)) return
      if (!fresh.has(session)) resumed.add(session)
      await begin(session)
      const prompt = output.parts
        .filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text)
        .join("\\n")
      passing.set(session, await ask("UserPromptSubmit", session, directory, { prompt }))
    },
    "tool.execute.before": async (input) => {
      if (input.tool.startsWith("onrecord_") && standing.has(input.sessionID))
        await ask("PreToolUse", input.sessionID, directory, {
          tool_name: input.tool,
          tool_use_id: input.callID,
        })
    },
    "experimental.chat.system.transform": async (input, output) => {
      for (const given of [standing.get(input.sessionID), passing.get(input.sessionID)])
        if (given) output.system.push(given)
    },
    dispose: async () => end(),
  }
}
"""


def _plugin(hook_command: str) -> str:
    return _PLUGIN.replace("@PROGRAM@", json_string(hook_command))


def _folder(home: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """The folder of its settings, and what it must lie in."""
    given = environ.get("XDG_CONFIG_HOME", "")
    if given.startswith("/"):
        return f"{given}/opencode", given
    return f"{home}/.config/opencode", home


def _config_files(home: str, environ: Mapping[str, str]) -> tuple[ConfigFile, ...]:
    folder, root = _folder(home, environ)
    return (
        ConfigFile(f"{folder}/onrecord.js", form="whole", holds=("hooks",), root=root),
        ConfigFile(f"{folder}/opencode.json", form="json", holds=("server", "plugin"), root=root),
    )


def _transcripts(home: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    given = environ.get("XDG_DATA_HOME", "")
    return ((given if given.startswith("/") else f"{home}/.local/share") + "/opencode",)


def plugin_address(home: str, environ: Mapping[str, str]) -> str:
    """How the settings name our plugin."""
    return f"file://{_folder(home, environ)[0]}/onrecord.js"


def _is_headless(_environ: Mapping[str, str], argv: tuple[str, ...]) -> bool | None:
    """`run` runs by itself; a terminal session has a person."""
    return "run" in argv[1:3] if argv else None


def _is_daemon(argv: tuple[str, ...]) -> bool:
    """A server keeps the sessions of many terminals in one process."""
    return any(word in ("serve", "web", "acp") for word in argv[1:3])


SPEC = AgentSpec(
    name="opencode",
    title="OpenCode",
    seen="1.18.33",
    executables=("opencode", "opencode.exe"),
    scripts=("/opencode",),
    variables=("OPENCODE",),
    hook_variables=("ONRECORD_OPENCODE",),
    events={
        "SessionStart": "session_start",
        "UserPromptSubmit": "prompt",
        "PreToolUse": "pre_tool",
        "Stop": "stop",
        "SessionEnd": "session_end",
    },
    context_events=("SessionStart", "UserPromptSubmit"),
    silent_events=("PreCompact", "PostCompact", "SessionEnd", "SubagentStop"),
    context_length=utf16_units,
    forgets_context=True,
    reads_comments=True,
    hooks=(
        Hook("SessionStart"),
        Hook("UserPromptSubmit"),
        Hook("PreToolUse"),
        Hook("Stop"),
        Hook("SessionEnd", timeout_s=2),
    ),
    whole_file=_plugin,
    plugin=plugin_address,
    server={"type": "local", "enabled": True},
    servers=("mcp",),
    one_command=True,
    notes=("Restart OpenCode sessions that are already open.",),
    config_files=_config_files,
    transcripts=_transcripts,
    is_headless=_is_headless,
    is_daemon=_is_daemon,
    # its terminal form drops --prompt beside --session
    launch=Launch(
        program="opencode",
        resume=("--session",),
        prompt=("--prompt",),
        prompts_resumed=False,
    ),
)
