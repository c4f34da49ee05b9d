"""The commands: name -> (module, group, what it does in one line)."""

from __future__ import annotations

COMMANDS: dict[str, tuple[str, str, str]] = {
    "remember": ("remember", "write", "Keep a statement (text, or stdin)"),
    "edit": ("edit", "write", "Change what a memory says"),
    "forget": ("forget", "write", "Erase memories for good; a fingerprint keeps them out"),
    "undo": ("undo", "write", "Take a change back"),
    "archive": ("mark", "write", "Put a memory away without losing it"),
    "restore": ("mark", "write", "Bring an archived memory back"),
    "pin": ("mark", "write", "Put a memory first in every pack"),
    "unpin": ("mark", "write", "Stop putting it first"),
    "verify": ("mark", "write", "Say that a memory holds"),
    "dispute": ("mark", "write", "Say that a memory is doubtful"),
    "feedback": ("feedback", "write", "Say that a memory helped, is wrong, stale or not relevant"),
    "off": ("switch", "write", "Stop agents from learning; reading goes on"),
    "on": ("switch", "write", "Let agents learn again"),
    "remind": ("remind", "write", "Have agents told something at a date, or at a path"),
    "rules": ("rules", "write", "What you tell every agent, before any memory"),
    "policy": ("policy", "write", "Say which of the agents' memories wait for you"),
    "files": ("files", "write", "Follow a repository's own files of decisions and plans"),
    "status": ("status", "read", "How things stand"),
    "recall": ("recall", "read", "Find memories by words"),
    "list": ("list", "read", "List memories, newest first"),
    "show": ("show", "read", "One memory whole, with where it comes from"),
    "history": ("history", "read", "All versions of a memory"),
    "diff": ("diff", "read", "What changed between two versions"),
    "why": ("why", "read", "What an agent was given, and why"),
    "scopes": ("scopes", "read", "Where memories apply, with counts"),
    "stats": ("stats", "read", "Counts, growth, what was useful, tokens given"),
    "log": ("log", "read", "The audit log"),
    "review": ("review", "review", "Decide what waits, one key each"),
    "approve": ("approve", "review", "Let a proposal count"),
    "reject": ("reject", "review", "Turn a memory down"),
    "conflicts": ("conflicts", "review", "Decide between what speaks against each other"),
    "connect": ("connect", "agents", "Let an agent CLI use onrecord, or take that back"),
    "doctor": ("doctor", "agents", "Prove that delivery works, or say what is wrong"),
    "pack": ("pack", "agents", "The context that an agent gets here"),
    "sessions": ("sessions", "agents", "What agents did"),
    "handoff": ("handoff", "agents", "Write what the next agent needs"),
    "handoffs": ("handoffs", "agents", "List, claim, acknowledge or cancel handoffs"),
    "resume": ("resume", "agents", "Let an agent's own session go on, told what came since"),
    "summarize": ("summarize", "agents", "Have a session summarised; all of it waits"),
    "mcp": ("mcp", "agents", "Serve MCP on stdio (agent CLIs start this)"),
    "hook": ("hook", "agents", "Answer a hook (agent CLIs call onrecord-hook)"),
    "lint": ("lint", "upkeep", "What should be mended, with the way out"),
    "groom": ("groom", "upkeep", "Put away what has had its time"),
    "dedupe": ("dedupe", "upkeep", "Decide which near-duplicates stay"),
    "purge": ("purge", "upkeep", "Erase what was put away long ago"),
    "sweep": ("sweep", "upkeep", "Let lapse what is past its time"),
    "check": ("check", "upkeep", "Verify the store, its index and its audit chain"),
    "rebuild": ("rebuild", "upkeep", "Make the index of words anew from the memories"),
    "rotate-key": ("rotate_key", "upkeep", "Put a new key for fingerprints in use"),
    "reindex": ("reindex", "upkeep", "Let recall find what means the same"),
    "backup": ("backup", "upkeep", "Copy the whole store, also while agents write"),
    "restore-backup": ("restore_backup", "upkeep", "Let a copy be the store again"),
    "path": ("path", "upkeep", "Where the store is"),
    "config": ("config", "upkeep", "What is set, and where it comes from"),
    "completion": ("completion", "upkeep", "Completion for bash, zsh or fish"),
    "export": ("export", "exchange", "Write memories to a file"),
    "import": ("import_", "exchange", "Take memories in from a file, to be reviewed"),
    "eval": ("eval", "measure", "How well recall finds, and which acceptance criteria hold"),
    "mirror": ("mirror", "exchange", "Keep a folder of Markdown in step with the memories"),
    "demo": ("demo", "measure", "The whole story in a throw-away home"),
}

ALIASES = {"add": "remember", "search": "recall"}

GROUPS = ("write", "read", "review", "agents", "upkeep", "exchange", "measure")

#: Commands that make a store where there is none.
MAKE_STORE = ("remember", "remind", "rules", "handoff", "on", "off", "policy", "connect", "import")

#: Commands that are about the store's file itself: without one they say so. Every other
#: command answers from an empty store, and leaves none behind.
NEED_STORE = ("check", "doctor")

#: Commands that only read what is on record. They take in what hooks left, and leave it to
#: the others to close sessions whose agent is gone.
LIGHT = ("recall", "list", "show", "history", "diff", "scopes", "log", "config")
