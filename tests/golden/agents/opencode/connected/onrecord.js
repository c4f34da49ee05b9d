// Made by `onrecord connect`; `onrecord connect opencode --remove` takes it away.
import { spawn, spawnSync } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"

const program = "/home/ada/.local/bin/onrecord-hook"
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
        .join("\n")
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
