"""A home where every path has left something: commands, MCP, hooks, summaries, files, imports.

Each is the installed program: a person's terminal, an agent's process with our hook and server as
its children, a summariser of the user's own.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from commandline import CommandLine
from mcp_client import CLAUDE, AgentProcess, environment, texts_of, tool_use

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

#: The session that much comes from, and its sibling.
SESSION: Final = "5eed0001-0000-4000-8000-000000000001"
SIBLING: Final = "5eed0002-0000-4000-8000-000000000002"
YES: Final = [("[y/n]", "y")]
KEY: Final = [("[a/e/r", "a")]

#: What each path leaves, by its name.
TITLES: Final[Mapping[str, str]] = {
    "command": "The fare gate closes at nine",
    "mcp": "The fare gate specs need a fake clock",
    "private": "The fare gate log is read from its end",
    "summary": "The fare gate counts total seconds",
    "file": "Fare gate zones",
    "import": "The fare gate firmware is flashed over the service port",
    "sibling": "The fare gate radio is tested on Sundays",
}
#: What waits still: nobody decided about it.
DRAFTS: Final[Mapping[str, str]] = {
    "summary draft": "The fare gate asks for zones at the ferry",
    "import draft": "The fare gate printer needs thermal paper",
    "other file": "Fare gate colours",
}
PROMPT: Final = "Why does the fare gate drift by an hour in October"
ASKED: Final = "fare gate"


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What an agent was given at a session's start and by recall."""

    pack: str
    recall: str


class Sourced(CommandLine):
    """The home, with everything in it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.env = {**environment(self.home, self.store), "ONRECORD_HOOK_DEADLINE_MS": "30000"}
        self.transcript = self.home / ".claude" / "projects" / "-shop" / f"{SESSION}.jsonl"
        self.transcript.parent.mkdir(parents=True)
        rows = [
            {"type": "user", "uuid": "u1", "message": {"content": PROMPT}},
            {"type": "user", "uuid": "u2", "message": {"content": "And the zones?"}},
        ]
        self.transcript.write_text(
            "".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8"
        )
        self.items = {"command": self.remember(TITLES["command"], "--scope", "repo")}
        self._by_agent(SESSION, {"mcp": "repo", "private": "agent"})
        self._by_agent(SIBLING, {"sibling": "repo"})
        self._by_summariser()
        self._by_file()
        self._by_import()
        for name in ("mcp", "sibling", "summary", "import"):
            done = self.run("approve", self.items[name], keys=YES)
            assert done.status == 0, done

    def agent(self) -> AgentProcess:
        """A coding agent in the repository."""
        env = {k: v for k, v in self.env.items() if k not in ("ONRECORD_DB", "ONRECORD_CONFIG")}
        return AgentProcess(CLAUDE, cwd=self.repo, env=env)

    def _by_agent(self, session: str, wanted: Mapping[str, str]) -> None:
        """An agent works for one session and saves what it learned; its hooks tell of it."""
        path = str(self.transcript) if session == SESSION else ""
        with self.agent() as agent:
            server = agent.serve()
            server.shake_hands()
            agent.start(session, transcript_path=path)
            agent.prompt(session, PROMPT if session == SESSION else "Look at the radio")
            for number, (name, scope) in enumerate(wanted.items()):
                call = f"toolu_{session[:8]}_{number}"
                agent.before_tool(session, call, "remember")
                saved = server.call("remember", tool_use(call), title=TITLES[name], scope=scope)[
                    "structuredContent"
                ]
                self.items[name] = str(saved["id"])
            agent.end(session, "prompt_input_exit")

    def _by_summariser(self) -> None:
        program = self.home / "summariser.py"
        answer = {
            "summary": None,
            "items": [
                {"kind": "lesson", "title": title, "body": "", "messages": [number]}
                for number, title in enumerate((TITLES["summary"], DRAFTS["summary draft"]), 1)
            ],
        }
        program.write_text(
            f"import sys\nsys.stdin.read()\nprint({json.dumps(answer)!r})\n", encoding="utf-8"
        )
        config = self.home / ".config" / "onrecord" / "config.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        words = json.dumps([sys.executable, str(program)])
        config.write_text(
            f'[summaries]\ncommand = {words}\nrepositories = ["github.com/acme/*"]\n',
            encoding="utf-8",
        )
        session = next(row for row in self.sessions() if row["agent_session"] == SESSION)
        done = self.run("summarize", session["id"][-6:])
        assert done.status == 0, done
        self.items["summary"] = self.id_of(TITLES["summary"])
        self.items["summary draft"] = self.id_of(DRAFTS["summary draft"])

    def _by_file(self) -> None:
        text = f"# Plan\n\n## {TITLES['file']}\nThe fare gate goes by zone from May on.\n"
        (self.repo / "plan.md").write_text(text, encoding="utf-8")
        other = f"# Decisions\n\n## {DRAFTS['other file']}\nThe fare gate is green.\n"
        (self.repo / "decisions.md").write_text(other, encoding="utf-8")
        done = self.run("files", "enable", keys=YES)
        assert done.status == 0, done
        self.items["file"] = self.id_of(TITLES["file"])
        self.items["other file"] = self.id_of(DRAFTS["other file"])

    def _by_import(self) -> None:
        file = self.home / "notes.md"
        rows = (TITLES["import"], DRAFTS["import draft"])
        file.write_text("".join(f"- {row}\n" for row in rows), encoding="utf-8")
        done = self.run("import", "markdown", str(file))
        assert done.status == 0, done
        self.items["import"] = self.id_of(TITLES["import"])
        self.items["import draft"] = self.id_of(DRAFTS["import draft"])

    # -- asking -----------------------------------------------------------------
    def sessions(self) -> list[dict[str, Any]]:
        """Every session on record."""
        rows: list[dict[str, Any]] = self.run("sessions", "--json").json["sessions"]
        return rows

    def listed(self) -> list[dict[str, Any]]:
        """All that is active or waits."""
        rows: list[dict[str, Any]] = []
        for status in ("active", "proposed"):
            rows += self.run("list", "--all", "--status", status, "--json").json["items"]
        return rows

    def standing(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """How each of its memories stands: status and flags; forgotten ones as that."""
        rows = {row["id"]: row for row in self.listed()}
        return {
            name: (rows[item]["status"], tuple(rows[item]["flags"]))
            if item in rows
            else ("forgotten", ())
            for name, item in self.items.items()
        }

    def id_of(self, title: str) -> str:
        """The id of what has that title."""
        return next(str(row["id"]) for row in self.listed() if row["title"] == title)

    def told(self, session: str) -> Told:
        """What an agent of a new session is given."""
        with self.agent() as agent:
            server = agent.serve()
            server.shake_hands()
            answer = agent.hook("SessionStart", session, source="startup")
            pack = json.loads(answer)["hookSpecificOutput"]["additionalContext"] if answer else ""
            agent.prompt(session)
            agent.before_tool(session, f"toolu_{session}", "recall")
            found = server.call("recall", tool_use(f"toolu_{session}"), query=ASKED, limit=20)
            return Told(pack=pack, recall="\n".join(texts_of(found)))
