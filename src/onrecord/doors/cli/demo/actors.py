"""Who plays the agents: the real CLIs where they are, else what they would send, replayed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import uuid
from pathlib import Path
from typing import Any, Protocol

from onrecord.capture.agents.base import as_list, as_mapping
from onrecord.domain.errors import OnrecordError
from onrecord.doors.cli.demo.model import Reply, ScriptedModel
from onrecord.service.connecting import programs

PATIENCE_S = 120

#: What stands in the fence of a pack, as JSON may have escaped it.
_FENCE = "<onrecord-memory nonce="


class Played:
    """What one session saw and said."""

    def __init__(self, *, context: str, saves: list[str]) -> None:
        #: the fenced text that the model was given at the start
        self.context = context
        #: what our tools answered
        self.saves = saves


class Actor(Protocol):
    """One agent CLI, real or replayed."""

    how: str

    def play(self, prompt: str, *calls: tuple[str, dict[str, Any]]) -> Played:
        """One session: start, prompt, tool calls, end."""
        ...


class RealAgent:
    """The real CLI, with the scripted model in place of its provider."""

    def __init__(
        self, name: str, program: str, *, env: dict[str, str], repo: Path, model: ScriptedModel
    ) -> None:
        self.how = f"the real {name} ({program}) with a scripted model on loopback"
        self._name = name
        self._program = program
        self._env = env
        self._repo = repo
        self._model = model

    def play(self, prompt: str, *calls: tuple[str, dict[str, Any]]) -> Played:
        """Run it once, headless."""
        replies: list[Reply] = [*calls, "Done."]
        self._model.script(*replies)
        before = len(self._model.asked)
        run = subprocess.run(  # noqa: S603 - the CLI that is being shown
            self._words(prompt),
            cwd=self._repo,
            env=self._env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
        asked = self._model.asked[before:]
        if run.returncode or not asked:
            raise OnrecordError(
                f"{self._name} ended with status {run.returncode} before it asked its model.",
                hint="Run the demo with --replay to play it without the real CLIs.",
            )
        return Played(context=fenced(asked[0]), saves=said(asked[-1]))

    def _words(self, prompt: str) -> list[str]:
        if self._name == "claude-code":
            return [self._program, "-p", prompt, "--output-format", "json"]
        return [
            self._program,
            "exec",
            "--dangerously-bypass-hook-trust",
            "--skip-git-repo-check",
            "--json",
            prompt,
        ]


class ReplayedAgent:
    """What the CLI would send: recorded hook payloads, and calls through our own MCP client."""

    def __init__(self, name: str, *, env: dict[str, str], repo: Path) -> None:
        self.how = f"recorded hook payloads of {name} and our own MCP client"
        self._name = name
        variables = {"CLAUDECODE": "1"} if name == "claude-code" else {}
        self._env = {**env, **variables}
        self._repo = repo
        self._programs = programs()

    def play(self, prompt: str, *calls: tuple[str, dict[str, Any]]) -> Played:
        """The same events in the same order."""
        session = str(uuid.uuid4())
        started = self._hook("SessionStart", session, source="startup")
        self._hook("UserPromptSubmit", session, prompt=prompt)
        answers = self._serve(session, list(calls))
        self._hook("Stop", session, stop_hook_active=False)
        self._hook("SessionEnd", session, reason="other")
        return Played(context=fenced(started), saves=said(json.dumps({"answers": answers})))

    def _hook(self, event: str, session: str, **more: Any) -> str:
        payload = {
            "session_id": session,
            "transcript_path": str(self._repo / "none.jsonl"),
            "cwd": str(self._repo),
            "hook_event_name": event,
            "permission_mode": "default",
            **more,
        }
        run = subprocess.run(  # noqa: S603 - our own program
            [self._programs.hook, self._name, event],
            input=json.dumps(payload).encode(),
            env=self._env,
            cwd=self._repo,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
        return run.stdout.decode()

    def _serve(self, session: str, calls: list[tuple[str, dict[str, Any]]]) -> list[Any]:
        lines: list[dict[str, Any]] = [
            {
                "method": "initialize",
                "params": {
                    "protocolVersion": "2025-11-25",
                    "capabilities": {},
                    "clientInfo": {"name": "onrecord-demo", "version": "1"},
                },
            }
        ]
        for tool, arguments in calls:
            number = f"toolu_{uuid.uuid4().hex[:16]}"
            self._hook(
                "PreToolUse",
                session,
                tool_name=f"mcp__onrecord__{tool}",
                tool_input=arguments,
                tool_use_id=number,
            )
            meta = {"claudecode/toolUseId": number, "sessionId": session, "threadId": session}
            params = {"name": tool, "arguments": arguments, "_meta": meta}
            lines.append({"method": "tools/call", "params": params})
        text = "".join(
            json.dumps({"jsonrpc": "2.0", "id": n, **line}) + "\n" for n, line in enumerate(lines)
        )
        run = subprocess.run(  # noqa: S603 - our own program
            [self._programs.command, "mcp", "--client", self._name],
            input=text.encode(),
            env=self._env,
            cwd=self._repo,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
        return [json.loads(line) for line in run.stdout.splitlines()]


def cast(
    name: str,
    *,
    env: dict[str, str],
    repo: Path,
    model: ScriptedModel | None,
    folders: str,
) -> Actor:
    """The real CLI where there is one and it may play, else its replay."""
    program = shutil.which("claude" if name == "claude-code" else "codex", path=folders)
    if model is None or program is None:
        return ReplayedAgent(name, env=env, repo=repo)
    return RealAgent(name, program, env=_env_of(name, env, model), repo=repo, model=model)


def _env_of(name: str, env: dict[str, str], model: ScriptedModel) -> dict[str, str]:
    """Settings that keep the CLI on loopback, quiet, and in the throw-away home."""
    if name == "claude-code":
        return {
            **env,
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "none",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
    config = Path(env["HOME"]) / ".codex" / "config.toml"
    text = config.read_text(encoding="utf-8") if config.exists() else ""
    if "scripted" not in text:
        top = (
            'model = "scripted"\nmodel_provider = "scripted"\n'
            "check_for_update_on_startup = false\n"
        )
        tables = (
            "\n[analytics]\nenabled = false\n\n[model_providers.scripted]\n"
            f'name = "scripted"\nbase_url = "{model.url}/v1"\nwire_api = "responses"\n'
            'env_key = "ONRECORD_DEMO_KEY"\nrequest_max_retries = 0\nstream_max_retries = 0\n'
        )
        config.parent.mkdir(mode=0o700, exist_ok=True)
        config.write_text(top + text + tables, encoding="utf-8")
    return {**env, "ONRECORD_DEMO_KEY": "none"}


def fenced(text: str) -> str:
    """The fenced block in a request or a hook's answer, readable; empty where there is none."""
    for found in _strings(text):
        start = found.find(_FENCE)
        if start < 0:
            continue
        end = found.find("</onrecord-memory", start)
        stop = found.find(">", end)
        return found[start : stop + 1]
    return ""


def said(text: str) -> list[str]:
    """Every `say` sentence of our tools' answers in a request, however deep it stands."""
    found: list[str] = []
    waiting = [text]
    while waiting:
        part = waiting.pop(0)
        if "say" not in part or "{" not in part:
            continue
        try:
            node, _ = json.JSONDecoder().raw_decode(part[part.index("{") :])
        except ValueError:
            continue
        found += _members(node, "say")
        waiting += [inner for inner in _strings(json.dumps(node)) if inner != part]
    return list(dict.fromkeys(found))


def _members(node: Any, name: str) -> list[str]:
    """Every string under a name, however deep."""
    own = [v for k, v in as_mapping(node).items() if k == name and isinstance(v, str)]
    inner = [*as_mapping(node).values(), *as_list(node)]
    return own + [found for value in inner for found in _members(value, name)]


def _strings(text: str) -> list[str]:
    """Every string inside a JSON text, outermost first."""
    try:
        node = json.loads(text)
    except ValueError:
        return [text]
    found: list[str] = []
    waiting: list[Any] = [node]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return found


def search_path() -> str:
    """Where the CLIs are looked for."""
    return os.environ.get("PATH", os.defpath)
