"""The real Claude Code and Codex, each in a throw-away home, against the scripted model.

``claude_code`` and ``codex`` are fixtures; both live in one home and one git repository, so
that what one learns can reach the other. ``run`` is one turn without a terminal, ``begin`` the
same to be interrupted or killed, ``tui`` the agent on a person's terminal.
"""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Final

import pytest

from harness.agent import Agent
from harness.model import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_KEY: Final = "scripted-model-key"


class ClaudeCode(Agent):
    """Claude Code."""

    program = "claude"
    ready = "❯"
    native = "@anthropic-ai/claude-code-{platform}/claude"

    @property
    def settings(self) -> Path:
        """The person's settings file, where hooks and permissions are."""
        return self.home / ".claude" / "settings.json"

    def _environment(self) -> dict[str, str]:
        quiet = (
            "DISABLE_AUTOUPDATER",
            "DISABLE_TELEMETRY",
            "DISABLE_ERROR_REPORTING",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        )
        return {
            "ANTHROPIC_BASE_URL": self.model.url,
            "ANTHROPIC_API_KEY": _KEY,
            **dict.fromkeys(quiet, "1"),
        }

    def _prepare(self) -> None:
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        state = self.home / ".claude.json"
        if state.exists():
            return
        known = {
            "hasCompletedOnboarding": True,
            "customApiKeyResponses": {"approved": [_KEY[-20:]], "rejected": []},
            "projects": {str(self.repo): {"hasTrustDialogAccepted": True}},
        }
        state.write_text(json.dumps(known), encoding="utf-8")

    def _turn(
        self, prompt: str, *, resume: str | None, continue_: bool, extra: Sequence[str]
    ) -> list[str]:
        form = [] if "--output-format" in extra else ["--output-format", "json"]
        which = ["--resume", resume] if resume else ["--continue"] if continue_ else []
        return ["-p", prompt, *form, *which, *extra]

    def _interactive(self) -> list[str]:
        return ["--permission-mode", "default"]


class Codex(Agent):
    """Codex; it runs hooks only that were trusted, which ``trust_hooks`` passes over."""

    program = "codex"
    ready = "scripted-model default"
    native = "@openai/codex-{platform}/vendor/{triple}/bin/codex"
    trust_hooks = True

    @property
    def folder(self) -> Path:
        """The folder of its settings, where ``config.toml`` and ``hooks.json`` are."""
        return self.home / ".codex"

    def _environment(self) -> dict[str, str]:
        return {"CODEX_HOME": str(self.folder), "SCRIPTED_MODEL_KEY": _KEY}

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        config = self.folder / "config.toml"
        if config.exists():
            return
        config.write_text(
            f"""\
model = "scripted-model"
model_provider = "scripted"
model_auto_compact_token_limit = 200000
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "{self.model.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."{self.repo}"]
trust_level = "trusted"
""",
            encoding="utf-8",
        )

    def _turn(
        self, prompt: str, *, resume: str | None, continue_: bool, extra: Sequence[str]
    ) -> list[str]:
        which = ["resume", resume] if resume else ["resume", "--last"] if continue_ else []
        return ["exec", *which, *self._trust(), "--json", *extra, prompt]

    def _interactive(self) -> list[str]:
        return self._trust()

    def _trust(self) -> list[str]:
        return ["--dangerously-bypass-hook-trust"] if self.trust_hooks else []


def repository(folder: Path) -> Path:
    """Make a git repository with one commit."""
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("# A project\n", encoding="utf-8")
    author = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("add", "."),
        (*author, "commit", "-q", "-m", "readme: begin"),
    ):
        subprocess.run(["git", *arguments], cwd=folder, check=True, timeout=30)
    return folder


@pytest.fixture
def scripted_model() -> Iterator[ScriptedModel]:
    """A model that says what it is told to; asking it for what it cannot do is an error."""
    model = ScriptedModel()
    yield model
    model.close()

    assert model.problems == []


@pytest.fixture
def agent_home(tmp_path: Path) -> Path:
    """An empty home folder, which all agents of a test share."""
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def agent_repo(tmp_path: Path) -> Path:
    """A git repository with one commit, which all agents of a test share."""
    return repository(tmp_path / "repo")


@pytest.fixture
def claude_code(agent_home: Path, agent_repo: Path, scripted_model: ScriptedModel) -> ClaudeCode:
    """The real Claude Code, in the shared home and repository."""
    return ClaudeCode(agent_home, agent_repo, scripted_model)


@pytest.fixture
def codex(agent_home: Path, agent_repo: Path, scripted_model: ScriptedModel) -> Codex:
    """The real Codex, in the shared home and repository."""
    return Codex(agent_home, agent_repo, scripted_model)
